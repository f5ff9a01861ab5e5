"""Samples of a run: arrays that compiled loops fill, the simulation made of them, and why a run ended early."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from flexframe import _core
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, BoolArray
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation, Statistics
from flexframe.multibody.division.pieces import whole_name
from flexframe.multibody.equations import laws_at, place_of, velocity_vector
from flexframe.multibody.forces import contact_columns

WORKS = 4
"""Work of drives and of loads, what was dissipated, and what contacts dissipated."""

SECONDS_AT_ONCE = 0.1
"""Wall time of one call of the core, after which progress is shown and a motion can be stopped."""

DONE, SINGULAR, NO_CONVERGENCE, NOT_FINITE, TOO_BENT, NO_INERTIA, TOO_SMALL, RUNNING, STIFF, EVENT, FOLDED = range(
    11
)


def reason_of(system: DynamicSystem, status: int, time: float, body: int) -> str:
    """What happened at a time, and what to do."""
    when = f"t = {time:.6g} s"
    name = whole_name(system.system, system.names[body]) if body >= 0 else "a body"
    keeping = ", or integrator: conserving, which keeps the energy" if len(system.tables.beams.lengths) else ""
    match status:
        case 1:
            reason = (
                f"the equations became singular at {when}; take a tolerance instead of a step, which passes "
                "singular positions of a linkage; look for a dead point or a body that moves without inertia"
            )
        case 2:
            reason = (
                f"the iteration of a step did not converge at {when}, nor in parts of it; take a shorter step"
                f"{keeping}, or a tolerance instead of a step, which passes singular positions; look for a dead "
                "point or forces that grow without bound"
            )
        case 4:
            parts = len(system.system.pieces_of(name))
            terms = "" if system.geometric else ", or switch the geometric terms on"
            part = f"of its {parts} parts " if parts > 1 else ""
            turn = system.deflection_limit / system.bodies[body].counted_turn
            reason = (
                f"the deflection {part}of {name} left the range of small deflections at {when} (a section turns "
                f"by more than {turn:g} rad); divide the body (reduction: "
                f"{{parts: {max(4, 2 * parts)}}}, of beams), or stiffen it{terms}"
            )
        case 5:
            reason = f"a free motion has no inertia at {when}; give the bodies that move freely a mass"
        case 6:
            reason = (
                f"the step became too small at {when}; loosen the tolerance, or look for a dead point, a jump of "
                "a load, or modes far stiffer than the motion"
            )
        case 10:
            reason = (
                f"the ends of an element of {name} are turned by nearly half a revolution against each other at "
                f"{when}; give its mesh more elements, or a shorter step where it should not fold so far"
            )
        case _:
            reason = f"the motion is no longer finite at {when}; look for forces that grow without bound"
    return reason


def equal_steps(begin: float, end: float, step: float) -> tuple[float, int]:
    """Length and number of the steps from begin to end, no longer than asked for.

    Twelve digits are kept of the length, so that intervals that are equal but for rounding have the same one and
    factors of a matrix that belong to it can be kept.
    """
    count = max(1, int(np.ceil((end - begin) / step * (1 - 1e-9))))
    return float(f"{(end - begin) / count:.11e}"), count


class Samples(NamedTuple):
    """What is kept at each sample."""

    positions: Array  # (T, bodies, 3)
    quaternions: Array  # (T, bodies, 4)
    angles: Array  # (T, bodies)
    deformations: Array  # of all bodies: (T, m)
    velocities: Array  # (T, n)
    accelerations: Array  # (T, n)
    multipliers: Array  # (T, rows)
    springs: Array  # (T,)
    gaps: Array  # (T,)
    slips: Array  # (T,)
    works: Array  # (T, 4)
    measures: Array  # (T, 9)
    signals: Array  # (T, signals)
    contacts: Array  # (T, contacts, 9)


def empty_samples(system: DynamicSystem, count: int) -> Samples:
    """Room for so many samples."""
    bodies = len(system.bodies)
    return Samples(
        positions=np.zeros((count, bodies, 3)),
        quaternions=np.zeros((count, bodies, 4)),
        angles=np.zeros((count, bodies)),
        deformations=np.zeros((count, int(system.elastic_starts[-1]))),
        velocities=np.zeros((count, system.size)),
        accelerations=np.zeros((count, system.size)),
        multipliers=np.zeros((count, system.rows)),
        springs=np.zeros(count),
        gaps=np.zeros(count),
        slips=np.zeros(count),
        works=np.zeros((count, WORKS)),
        measures=np.zeros((count, 9)),
        signals=np.zeros((count, len(system.tables.signals.kinds))),
        contacts=np.zeros((count, len(system.tables.contacts.pairs), 9)),
    )


def copy_samples(source: Samples, taken: BoolArray, target: Samples, first: int) -> int:
    """Copy the chosen samples of a block after those that are there, and give their number then."""
    rows = np.flatnonzero(taken)
    for there, here in zip(target, source, strict=True):
        there[first : first + len(rows)] = here[rows]
    return first + len(rows)


def block_of_steps(system: DynamicSystem, integrator: str, times: Array, samples: Samples) -> Simulation:
    """Some steps in the midst of a run, as a simulation."""
    unknown = Statistics(len(times), 0, 0, 0, 0, 0.0)
    none = np.empty(0)  # no one goes on from here
    state = DynamicState(float(times[-1]), none, none, none, none, none, none, none)
    return record(system, integrator, times, samples, unknown, state, None)


def record(  # noqa: PLR0917
    system: DynamicSystem,
    integrator: str,
    times: Array,
    samples: Samples,
    statistics: Statistics,
    end: DynamicState,
    reason: str | None,
) -> Simulation:
    """The simulation of as many samples as there are times."""
    count = len(times)
    m = samples.measures[:count]
    energies = np.concatenate([m[:, :3], samples.springs[:count, None], samples.works[:count]], axis=1)
    return Simulation(
        system=system,
        integrator=integrator,
        times=times,
        positions=samples.positions[:count],
        quaternions=samples.quaternions[:count],
        angles=samples.angles[:count],
        deformations=samples.deformations[:count],
        velocities=samples.velocities[:count],
        accelerations=samples.accelerations[:count],
        multipliers=samples.multipliers[:count],
        energies=energies,
        signals=samples.signals[:count],
        linear_momentum=m[:, 3:6],
        angular_momentum=m[:, 6:9],
        position_residuals=samples.gaps[:count],
        velocity_residuals=samples.slips[:count],
        contacts=samples.contacts[:count],
        statistics=statistics,
        end=end,
        reason=reason,
    )


_AT_ONCE = 500


def simulation_of(
    system: DynamicSystem,
    integrator: str,
    states: Sequence[DynamicState],
    *,
    works: Array,
    statistics: Statistics,
    reason: str | None = None,
) -> Simulation:
    """Accelerations, multipliers, energies, momenta and residuals at the states.

    `works` (T, 4) are the work of drives and of loads and the energies dissipated up to each state.
    """
    n, own = system.size, _core.Evaluation(system.compiled)
    samples = empty_samples(system, len(states))
    scales, row_scales = system.tables.scales, system.tables.rows.scales
    holonomic = system.tables.rows.holonomic == 1
    still, no_force = np.zeros(n), np.zeros(system.rows)
    for k, state in enumerate(states):
        place = place_of(system, state)
        samples.positions[k], samples.quaternions[k] = place.positions, place.quaternions
        samples.angles[k], samples.deformations[k] = place.angles, state.deformation
        samples.velocities[k] = u = velocity_vector(system, place)
        if not own.accelerations(place, state.time, samples.accelerations[k], samples.multipliers[k]):
            raise AnalysisError(
                f"the equations are singular at t = {state.time:.6g} s; give the bodies that move freely a mass "
                "and a moment of inertia, or look for a dead point"
            )
        own.evaluate(place, state.time, still, no_force, False)
        samples.signals[k] = own.signals()
        samples.contacts[k] = contact_columns(system.tables.contacts, own.touches())
        samples.measures[k], samples.springs[k], samples.works[k] = own.measures(), own.spring_energy(), works[k]
        slips = np.abs(own.matrices()[n:] @ u - own.targets()[:, 1]) * row_scales
        samples.gaps[k] = (np.abs(own.residual()[n:]) * row_scales)[holonomic].max(initial=0.0)
        samples.slips[k] = slips.max(initial=0.0) / max(1.0, float(np.abs(u / scales).max(initial=0.0)))
    times = np.array([state.time for state in states])
    return record(system, integrator, times, samples, statistics, states[-1], reason)


def start_alone(system: DynamicSystem, start: DynamicState) -> Simulation:
    """A motion that is only its start."""
    nothing = Statistics(steps=0, rejected=0, iterations=0, factorisations=0, evaluations=0, seconds=0.0)
    ready = laws_at(system, start.time, start.time)
    return simulation_of(ready, "start", [start], works=np.zeros((1, WORKS)), statistics=nothing)


@dataclass(eq=False)
class StateBlocks:
    """Gathers the states of steps and gives them on as simulations, some hundred at a time."""

    system: DynamicSystem
    integrator: str
    observe: Callable[[Simulation], None]
    _states: list[DynamicState] = field(default_factory=list)
    _works: list[Array] = field(default_factory=list)

    def take(self, state: DynamicState, works: Array) -> None:
        """The next state, with the works up to it: (4,)."""
        self._states.append(state)
        self._works.append(works)
        if len(self._states) == _AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Give on what is there."""
        if self._states:
            unknown = Statistics(len(self._states), 0, 0, 0, 0, 0.0)
            works = np.array(self._works)
            self.observe(
                simulation_of(self.system, self.integrator, self._states, works=works, statistics=unknown)
            )
            self._states, self._works = [], []


HISTORIES = (
    "times",
    "positions",
    "quaternions",
    "angles",
    "deformations",
    "velocities",
    "accelerations",
    "multipliers",
    "energies",
    "signals",
    "linear_momentum",
    "angular_momentum",
    "position_residuals",
    "velocity_residuals",
    "contacts",
)
"""What a simulation has at every sample."""


def some_samples(simulation: Simulation, which: slice) -> Simulation:
    """A simulation with fewer samples."""
    kept: dict[str, Any] = {name: getattr(simulation, name)[which] for name in HISTORIES}
    return replace(simulation, **kept)


def sampled_state(simulation: Simulation, number: int) -> DynamicState:
    """The state at a sample, without memories of controllers."""
    system = simulation.system
    numbers = system.tables.bodies.numbers
    local = np.where(numbers >= 0, simulation.velocities[number][numbers], 0.0)
    return DynamicState(
        time=float(simulation.times[number]),
        positions=simulation.positions[number],
        quaternions=simulation.quaternions[number],
        deformation=simulation.deformations[number],
        velocities=local[:, :3],
        angular_velocities=local[:, 3:6],
        rates=np.concatenate([local[b, 6 : 6 + body.size] for b, body in enumerate(system.bodies)]),
        angles=simulation.angles[number],
    )


def powers_at(system: DynamicSystem, state: DynamicState) -> Array:
    """Power of drives and of loads, and of what is dissipated, by contacts apart: (4,)."""
    own = _core.Evaluation(system.compiled)
    own.accelerations(place_of(system, state), state.time, np.zeros(system.size), np.zeros(system.rows))
    return own.powers()


def state_rates_at(system: DynamicSystem, state: DynamicState) -> Array:
    """Rates of the states of controllers and friction: (states,)."""
    own = _core.Evaluation(system.compiled)
    own.evaluate(place_of(system, state), state.time, np.zeros(system.size), np.zeros(system.rows), False)
    return np.asarray(own.signals()[system.network.tables.derivatives])


def with_sampled_values(system: DynamicSystem, state: DynamicState) -> DynamicState:
    """The state with what sampled controllers give there; functions of Python are called."""
    tables, held = system.network.tables, place_of(system, state).held
    own = _core.Evaluation(system.compiled)
    own.evaluate(place_of(system, state), state.time, np.zeros(system.size), np.zeros(system.rows), False)
    signals = own.signals()
    held[tables.sampled_held] = signals[tables.sampled_signals]
    for sampling in system.network.samplings:
        if sampling.function is not None:
            given = sampling.function(state.time, *(float(signals[signal]) for signal in sampling.inputs))
            held[list(sampling.outputs)] = np.ravel(given)
    return replace(state, held=held)


def gaps_at(system: DynamicSystem, state: DynamicState) -> Array:
    """Gaps of all places of contact at a state [m], negative where shapes overlap: (touches,)."""
    own = _core.Evaluation(system.compiled)
    own.evaluate(place_of(system, state), state.time, np.zeros(system.size), np.zeros(system.rows), False)
    return np.array(own.touches())[:, 0]


def bent_too_far(system: DynamicSystem, state: DynamicState) -> str | None:
    """Why the theory of small deflections ends at a state, or None."""
    bodies, frames = system.tables.bodies, system.tables.frames
    largest, worst = 0.0, -1
    for number, body in enumerate(system.bodies):
        if not body.size:
            continue
        delta, mass = state.deformation[system.elastic(number)], body.elastic_mass
        sizes = [2 * np.sqrt(max(float(delta @ mass @ delta), 0.0) / body.mass) / bodies.lengths[number]]
        own = (frames.bodies == number) & (frames.elastic > 0)
        sizes += np.linalg.norm(frames.rows[own, 3:, : body.size] @ delta, axis=1).tolist()
        counted = max(sizes) * body.counted_turn
        if not counted <= largest:
            largest, worst = counted, number
    return None if largest <= system.deflection_limit else reason_of(system, TOO_BENT, state.time, worst)

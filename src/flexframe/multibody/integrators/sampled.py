"""A simulation out of states, whoever computed them: equations, energies and residuals are evaluated at each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flexframe import _core
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array
from flexframe.multibody.contacts import contact_columns
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation, Statistics
from flexframe.multibody.equations import laws_at
from flexframe.multibody.integrators.recording import TOO_BENT, WORKS, empty_samples, reason_of, recorded
from flexframe.multibody.places import place_of, velocity_vector

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
    return recorded(system, integrator, times, samples, statistics, states[-1], reason)


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

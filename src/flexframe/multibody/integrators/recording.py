"""Samples of a run: arrays that compiled loops fill, the simulation made of them, and why a run ended early."""

from typing import NamedTuple

import numpy as np

from flexframe.maths.arrays import Array, BoolArray
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation, Statistics
from flexframe.multibody.division.system import whole_name

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
    return recorded(system, integrator, times, samples, unknown, state, None)


def recorded(  # noqa: PLR0917
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

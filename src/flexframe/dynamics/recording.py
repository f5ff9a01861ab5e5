"""Samples of a run: arrays that compiled loops fill, and the simulation made of them."""

from typing import NamedTuple

import numpy as np

from flexframe.dynamics.contract import DynamicState, DynamicSystem, Simulation, Statistics
from flexframe.maths.arrays import Array, BoolArray


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
    works: Array  # (T, 3)
    measures: Array  # (T, 9)


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
        works=np.zeros((count, 3)),
        measures=np.zeros((count, 9)),
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
        linear_momentum=m[:, 3:6],
        angular_momentum=m[:, 6:9],
        position_residuals=samples.gaps[:count],
        velocity_residuals=samples.slips[:count],
        statistics=statistics,
        end=end,
        reason=reason,
    )

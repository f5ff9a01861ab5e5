"""A simulation out of states, whoever computed them: equations, energies and residuals are evaluated at each."""

from collections.abc import Sequence

import numpy as np

from flexframe.dynamics.contract import DynamicState, DynamicSystem, Simulation, Statistics
from flexframe.dynamics.recording import empty_samples, recorded
from flexframe.dynamics.stopping import TOO_BENT, reason_of
from flexframe.dynamics.system_kernels import ACCELERATIONS, EQUATIONS, at_state
from flexframe.dynamics.workspace import place_of, velocity_vector, work_arrays
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array


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

    `works` (T, 3) are the work of drives and of loads and the energy dissipated up to each state.
    """
    tables, work, n = system.tables, work_arrays(system), system.size
    samples = empty_samples(system, len(states))
    for k, state in enumerate(states):
        place = place_of(system, state)
        samples.positions[k], samples.quaternions[k] = place.positions, place.quaternions
        samples.angles[k], samples.deformations[k] = place.angles, place.deformation
        samples.velocities[k] = u = velocity_vector(system, place)
        at = (tables, place, state.time, samples.accelerations[k], samples.multipliers[k], u, place)
        if not at_state(*at, samples.measures[k], ACCELERATIONS, work):
            raise AnalysisError(
                f"the equations are singular at t = {state.time:.6g} s; give the bodies that move freely a mass "
                "and a moment of inertia, or look for a dead point"
            )
        still = (tables, place, state.time, np.zeros(n), np.zeros(system.rows), u, place)
        at_state(*still, samples.measures[k], EQUATIONS, work)
        samples.springs[k], samples.works[k] = work.springs[0], works[k]
        scales, holonomic = tables.rows.scales, tables.rows.holonomic == 1
        slips = np.abs(work.matrix[n:, :n] @ u - work.target[:, 1]) * scales
        samples.gaps[k] = (np.abs(work.residual[n:]) * scales)[holonomic].max(initial=0.0)
        samples.slips[k] = slips.max(initial=0.0) / max(1.0, float(np.abs(u / tables.scales).max(initial=0.0)))
    times = np.array([state.time for state in states])
    return recorded(system, integrator, times, samples, statistics, states[-1], reason)


def powers_at(system: DynamicSystem, state: DynamicState) -> Array:
    """Power of drives and of loads, and of what is dissipated: (3,)."""
    work, place = work_arrays(system), place_of(system, state)
    u, rows = velocity_vector(system, place), np.zeros(system.rows)
    at_state(
        system.tables, place, state.time, np.zeros(system.size), rows, u, place, np.zeros(9), ACCELERATIONS, work
    )
    return np.array(work.powers)


def bent_too_far(system: DynamicSystem, state: DynamicState) -> str | None:
    """Why the theory of small deflections ends at a state, or None."""
    bodies, frames = system.tables.bodies, system.tables.frames
    largest, worst = 0.0, -1
    for number, body in enumerate(system.bodies):
        if not body.size:
            continue
        delta, mass = (
            state.deformation[system.elastic(number)],
            bodies.elastic_mass[number, : body.size, : body.size],
        )
        sizes = [2 * np.sqrt(max(float(delta @ mass @ delta), 0.0) / body.mass) / bodies.lengths[number]]
        own = (frames.bodies == number) & (frames.elastic > 0)
        sizes += np.linalg.norm(frames.rows[own, 3:, : body.size] @ delta, axis=1).tolist()
        if not max(sizes) <= largest:
            largest, worst = max(sizes), number
    return None if largest <= system.deflection_limit else reason_of(system, TOO_BENT, state.time, worst)

"""The equations of a system at one state, and small changes of it, for whoever solves them in another way."""

from dataclasses import dataclass, replace

import numpy as np

from flexframe import _core
from flexframe.dynamics.contract import DynamicState, DynamicSystem
from flexframe.dynamics.laws import law_tables
from flexframe.dynamics.places import move_place, place_of, set_velocity, state_of, velocity_vector
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array


@dataclass(frozen=True, eq=False)
class DynamicEquations:
    """M u̇ + h = Q + Aᵀλ with A u + b = 0 and A u̇ + γ = 0, in the velocities u of the contract."""

    mass: Array  # M: (n, n)
    inertia_force: Array  # h: (n,)
    applied_force: Array  # Q, elastic forces, damping and weight included: (n,)
    constraint: Array  # A: (m, n)
    drive_rate: Array  # b = −ḟ: (m,)
    bias: Array  # γ: (m,)
    gap: Array  # s − f, zero for constraints on velocities: (m,)
    velocity: Array  # u: (n,)
    owners: tuple[str, ...]
    kinetic_energy: float
    potential_energy: float  # strain, gravity and springs


@dataclass(frozen=True, eq=False)
class Accelerations:
    """u̇ and λ at one state."""

    velocity_rate: Array  # u̇: (n,)
    multipliers: Array  # λ: (rows,)


def no_inertia(system: DynamicSystem) -> str:
    """Why there are no accelerations, and what to do."""
    light = [body.name for body in system.bodies if body.mass == 0.0]
    named = f" ({', '.join(light)} {'has' if len(light) == 1 else 'have'} no mass)" if light else ""
    return (
        f"a free motion has no inertia{named}, or the linkage is at a dead point; give bodies that move freely "
        "a mass and a moment of inertia, or start elsewhere"
    )


def laws_at(system: DynamicSystem, begin: float, end: float) -> DynamicSystem:
    """The system with laws that hold between two times."""
    tables = system.tables._replace(laws=law_tables(system.laws, begin, end))
    made = replace(system, tables=tables)
    made.__dict__["compiled"] = _core.with_laws(system.compiled, tables.laws)  # the rest is the same
    return made


def evaluation_at(system: DynamicSystem, time: float) -> _core.Evaluation:
    """The equations of a system with its laws at one time."""
    return _core.Evaluation(laws_at(system, time, time).compiled)


def equations_at(system: DynamicSystem, state: DynamicState) -> DynamicEquations:
    """M, h, Q, A, b and γ at a state."""
    evaluation, place = evaluation_at(system, state.time), place_of(system, state)
    n, rows = system.size, system.rows
    still, no_force = np.zeros(n), np.zeros(rows)
    evaluation.evaluate(place, state.time, still, no_force, False)
    residual, matrices, measures = evaluation.residual(), evaluation.matrices(), evaluation.measures()
    targets, bias, springs = evaluation.targets(), evaluation.biases(), evaluation.spring_energy()
    evaluation.evaluate(place, state.time, still, no_force, True)
    h = evaluation.residual()[:n]
    return DynamicEquations(
        mass=matrices[:n],
        inertia_force=h,
        applied_force=h - residual[:n],
        constraint=matrices[n:],
        drive_rate=-targets[:, 1],
        bias=bias,
        gap=np.where(system.tables.rows.holonomic == 1, residual[n:], 0.0),
        velocity=velocity_vector(system, place),
        owners=system.owners,
        kinetic_energy=float(measures[0]),
        potential_energy=float(measures[1] + measures[2]) + springs,
    )


def accelerations_at(system: DynamicSystem, state: DynamicState) -> Accelerations:
    """u̇ and λ at a state."""
    x, multipliers = np.zeros(system.size), np.zeros(system.rows)
    evaluation = evaluation_at(system, state.time)
    if not evaluation.accelerations(place_of(system, state), state.time, x, multipliers):
        raise AnalysisError(no_inertia(system))
    return Accelerations(x, multipliers)


def moved(system: DynamicSystem, state: DynamicState, step: Array) -> DynamicState:
    """The state after a step (n,) of its positions: r + R Tᵀ(θ) d, R exp θ̃, δ + dδ."""
    after = move_place(system, place_of(system, state), np.asarray(step, dtype=float))
    return state_of(system, after, state.time)


def with_velocity(system: DynamicSystem, state: DynamicState, velocity: Array) -> DynamicState:
    """The state with other velocities u: (n,)."""
    place = place_of(system, state)
    set_velocity(system, np.asarray(velocity, dtype=float), place)
    return state_of(system, place, state.time)

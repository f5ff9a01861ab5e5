"""The equations of a system at one state, and small changes of it, for whoever solves them in another way."""

from dataclasses import dataclass

import numpy as np

from flexframe.dynamics.contract import DynamicState, DynamicSystem
from flexframe.dynamics.laws import law_tables
from flexframe.dynamics.system_kernels import ACCELERATIONS, EQUATIONS, at_state
from flexframe.dynamics.tables import LoadTables, RowTables, Tables
from flexframe.dynamics.workspace import (
    move_place,
    place_of,
    set_velocity,
    state_of,
    velocity_vector,
    work_arrays,
)
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


def tables_at(system: DynamicSystem, begin: float, end: float) -> Tables:
    """The tables with laws that hold between two times."""
    tables: Tables = system.tables
    return tables._replace(laws=law_tables(system.laws, begin, end))


def equations_at(system: DynamicSystem, state: DynamicState) -> DynamicEquations:
    """M, h, Q, A, b and γ at a state."""
    tables, work, place = tables_at(system, state.time, state.time), work_arrays(system), place_of(system, state)
    n, rows = system.size, system.rows
    none, no_force = np.zeros(n), np.zeros(rows)
    u, measures = velocity_vector(system, place), np.zeros(9)
    at_state(tables, place, state.time, none, no_force, u, place, measures, EQUATIONS, work)
    total = work.residual[:n].copy()  # h − Q
    gap = np.where(tables.rows.holonomic == 1, work.residual[n:], 0.0)
    J, drift = work.J[0], work.drift
    bias = work.bias[0] - work.target[:, 2] + np.einsum("rfi,fi->r", J[:, :-1], drift[:-1])
    springs = float(work.springs[0])
    drive_rate = -work.target[:, 1]
    M, A = work.matrix[:n, :n].copy(), work.matrix[n:, :n].copy()
    # h alone: the same without forces, stiffness, damping and weight
    b = tables.bodies
    free = tables._replace(
        gravity=np.zeros(3),
        joined_damping=np.zeros((0, 0)),
        bodies=b._replace(stiffness=np.zeros_like(b.stiffness), damping=np.zeros_like(b.damping)),
        forces=tables.forces._replace(
            frames=np.zeros(0, dtype=np.int64), constants=np.zeros_like(tables.forces.constants)
        ),
        loads=_no_loads(tables),
        coordinates=_no_rows(tables),
    )
    at_state(free, place, state.time, none, no_force, u, place, np.zeros(9), EQUATIONS, work)
    h = work.residual[:n].copy()
    return DynamicEquations(
        mass=M,
        inertia_force=h,
        applied_force=h - total,
        constraint=A,
        drive_rate=drive_rate,
        bias=bias,
        gap=gap,
        velocity=u,
        owners=system.owners,
        kinetic_energy=float(measures[0]),
        potential_energy=float(measures[1] + measures[2]) + springs,
    )


def _no_rows(tables: Tables) -> RowTables:
    c = tables.coordinates
    whole = {name: getattr(c, name)[:0] for name in c._fields}
    return RowTables(**whole)


def _no_loads(tables: Tables) -> LoadTables:
    whole = {name: getattr(tables.loads, name)[:0] for name in LoadTables._fields}
    return LoadTables(**whole)


def accelerations_at(system: DynamicSystem, state: DynamicState) -> Accelerations:
    """u̇ and λ at a state."""
    tables, work, place = tables_at(system, state.time, state.time), work_arrays(system), place_of(system, state)
    x, multipliers = np.zeros(system.size), np.zeros(system.rows)
    u, none = velocity_vector(system, place), np.zeros(9)
    if not at_state(tables, place, state.time, x, multipliers, u, place, none, ACCELERATIONS, work):
        raise AnalysisError(
            "a free motion has no inertia, or the linkage is at a dead point; give the bodies that move freely a "
            "mass and a moment of inertia, or start elsewhere"
        )
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

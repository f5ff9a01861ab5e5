"""Steps of positions in compiled loops, and the nearest state on the constraints."""

from typing import Any

from flexframe.dynamics.compiling import inner
from flexframe.dynamics.constraint_kernels import gaps
from flexframe.dynamics.copying_kernels import copy2, copy_place
from flexframe.dynamics.dense_kernels import factorise, substitute
from flexframe.dynamics.equation_kernels import fill_matrix, residual
from flexframe.dynamics.vector_kernels import cross, turn_quaternion, turn_ratios

CLOSED = 1e-14
"""Residual of projected positions and velocities, in lengths of the system and radians."""


@inner
def _advance_body(  # noqa: PLR0917
    m: int,
    numbers: Any,
    step: Any,
    position: Any,
    q: Any,
    delta: Any,
    position_out: Any,
    q_out: Any,
    delta_out: Any,
) -> float:
    """One body; the angle about z that it turns by."""
    d = (
        step[numbers[0]] if numbers[0] >= 0 else 0.0,
        step[numbers[1]] if numbers[1] >= 0 else 0.0,
        step[numbers[2]] if numbers[2] >= 0 else 0.0,
    )
    t = (
        step[numbers[3]] if numbers[3] >= 0 else 0.0,
        step[numbers[4]] if numbers[4] >= 0 else 0.0,
        step[numbers[5]] if numbers[5] >= 0 else 0.0,
    )
    a, c, _, _, _ = turn_ratios(t[0] * t[0] + t[1] * t[1] + t[2] * t[2])
    once = cross(t, d)
    twice = cross(t, once)
    d = (
        d[0] + a * once[0] + c * twice[0],
        d[1] + a * once[1] + c * twice[1],
        d[2] + a * once[2] + c * twice[2],
    )
    # q d q*, without forming the matrix
    v = (q[1], q[2], q[3])
    lean = cross(v, d)
    lean = cross(v, (lean[0] + q[0] * d[0], lean[1] + q[0] * d[1], lean[2] + q[0] * d[2]))
    for i in range(3):
        position_out[i] = position[i] + d[i] + 2.0 * lean[i]
    turn_quaternion(q, t, q_out)
    for r in range(m):
        delta_out[r] = delta[r] + step[numbers[6 + r]]
    return t[2]


@inner
def advance(tables: Any, before: Any, step: Any, after: Any) -> None:
    """Positions after a step of the coordinates: r + R Tᵀ(θ) d, R exp θ̃, δ + dδ."""
    sizes, numbers = tables.bodies.sizes, tables.bodies.numbers
    r0, q0, d0, a0 = before.positions, before.quaternions, before.deformation, before.angles
    r1, q1, d1, a1 = after.positions, after.quaternions, after.deformation, after.angles
    for b in range(len(sizes)):
        a1[b] = a0[b] + _advance_body(sizes[b], numbers[b], step, r0[b], q0[b], d0[b], r1[b], q1[b], d1[b])


@inner
def _set_velocities(sizes: Any, numbers: Any, u: Any, velocities: Any) -> None:
    for b in range(len(sizes)):
        for j in range(6 + sizes[b]):
            if numbers[b, j] >= 0:
                velocities[b, j] = u[numbers[b, j]]


@inner
def set_velocities(tables: Any, u: Any, place: Any) -> None:
    """The velocities of a place from one vector."""
    _set_velocities(tables.bodies.sizes, tables.bodies.numbers, u, place.velocities)


@inner
def speed(tables: Any, u: Any) -> float:
    """The largest velocity in lengths of the system and radians."""
    largest, scales = 0.0, tables.scales
    for i in range(len(u)):
        largest = max(largest, abs(u[i]) / scales[i])
    return largest


@inner
def project(tables: Any, place: Any, time: float, u: Any, spare: Any, goal: float, work: Any) -> bool:  # noqa: PLR0917
    """Put positions and velocities on the constraints, nearest in the metric of the mass; whether it succeeds."""
    n, rows = tables.size, tables.rows
    size = n + len(rows.types)
    set_velocities(tables, u, place)
    closed = False  # positions first, then velocities
    for iteration in range(50):
        residual(tables, place, time, work.nothing, work.nothing, work)
        if size == n:
            return True
        if iteration == 0:
            fill_matrix(tables, place, work, 0.0, 0.0)
            copy2(work.matrix, work.factors)
            if not factorise(work.factors, work.pivots, size):
                return False
        worst, slip = gaps(tables, work)
        aim = goal * max(1.0, speed(tables, u))
        closed = closed or worst <= goal or iteration == 25
        if closed and slip <= aim:
            break
        for i in range(n):
            work.right[i] = 0.0
        for row in range(len(rows.types)):
            if closed:
                work.right[n + row] = work.target[row, 1] - work.rate[0, row]
            else:
                work.right[n + row] = -work.residual[n + row] if rows.holonomic[row] else 0.0
        substitute(work.factors, work.pivots, size, work.right)
        if closed:
            for i in range(n):
                u[i] += work.right[i]
            set_velocities(tables, u, place)
        else:
            advance(tables, place, work.right, spare)
            copy_place(spare, place)
    worst, slip = gaps(tables, work)
    return worst <= 1e3 * goal and slip <= 1e3 * goal * max(1.0, speed(tables, u))

"""Equations of the whole system in compiled loops: residuals, matrices, accelerations.

The unknowns are x = u̇ and the multipliers λ of M u̇ + h = Q + Aᵀλ; the matrix is [M, −Aᵀ; A, ε], with ε = 0 unless
rows are redundant. Then ε is small, the solution is refined until A is met, and λ stays the shortest one.
"""

from typing import Any

from flexframe.dynamics.body_kernels import body_inertia, body_mass
from flexframe.dynamics.compiling import fast_inner, inner
from flexframe.dynamics.constraint_kernels import evaluate, fill_constraints, gap, sides_of
from flexframe.dynamics.copying_kernels import copy2
from flexframe.dynamics.dense_kernels import factorise, substitute
from flexframe.dynamics.force_kernels import apply_forces
from flexframe.dynamics.load_kernels import apply_loads
from flexframe.dynamics.vector_kernels import rotate_back

_REFINEMENTS = 3


@fast_inner
def residual(tables: Any, place: Any, time: float, x: Any, multipliers: Any, work: Any) -> None:  # noqa: PLR0917
    """M x + h − Q − Aᵀλ in `work.residual`, and below it the gaps of the constraints."""
    bodies, n = tables.bodies, tables.size
    evaluate(tables, place, time, work)
    apply_forces(tables, time, work)
    out, wrenches, J, powers = work.residual, work.wrenches, work.J, work.powers
    sides, types, holonomic = tables.rows.frames, tables.rows.types, tables.rows.holonomic
    s, rate, target = work.s, work.rate, work.target
    for row in range(len(types)):
        force = multipliers[row]
        powers[0] += force * target[row, 1]
        out[n + row] = gap(holonomic[row], types[row], s[0, row], rate[0, row], target[row])
        for f in sides_of(sides, row):
            if f >= 0:
                for i in range(6):
                    wrenches[f, i] += force * J[0, row, f, i]
    acceleration, local = work.local[0], work.local[1]
    owners, elastic, jacobians = tables.frames.bodies, tables.frames.elastic, work.jacobians
    sizes, all_numbers, stiffness, damping = bodies.sizes, bodies.numbers, bodies.stiffness, bodies.damping
    for b in range(len(sizes)):
        m = sizes[b]
        numbers = all_numbers[b]
        for j in range(6 + m):
            acceleration[j] = x[numbers[j]] if numbers[j] >= 0 else 0.0
        weight = rotate_back(work.rotations[b], tables.gravity)
        delta, u = place.deformation[b], place.velocities[b]
        body_inertia(bodies, b, delta, u, acceleration, weight, local, work)
        if m:
            powers[2] += _resist(m, stiffness[b], damping[b], delta, u, local)
            _stiffen(m, bodies.quartic_signs[b], bodies.quartic_forms[b], delta, local)
        powers[1] += apply_loads(tables, b, place, time, local, work)
        for f in range(len(owners) - 1):
            if owners[f] == b:
                _pull(m if elastic[f] else 0, jacobians[f], wrenches[f], local)
        for j in range(6 + m):
            if numbers[j] >= 0:
                out[numbers[j]] = local[j]
    if len(tables.joined_damping):
        powers[2] += _resist_together(bodies, tables.joined_damping, place.velocities, out)


@fast_inner
def _resist(m: int, stiffness: Any, damping: Any, delta: Any, u: Any, out: Any) -> float:  # noqa: PLR0917
    """Elastic and damping forces added to `out`; the power that is dissipated."""
    power = 0.0
    for r in range(m):
        total, resisted = 0.0, 0.0
        for t in range(m):
            total += stiffness[r, t] * delta[t]
            resisted += damping[r, t] * u[6 + t]
        out[6 + r] += total + resisted
        power += resisted * u[6 + r]
    return power


@fast_inner
def _resist_together(bodies: Any, damping: Any, velocities: Any, out: Any) -> float:
    """Damping forces of all deformations on each other added to `out`; the power that is dissipated."""
    power = 0.0
    sizes, numbers = bodies.sizes, bodies.numbers
    for b in range(len(sizes)):
        for r in range(sizes[b]):
            row = numbers[b, 6 + r]
            resisted = 0.0
            for c in range(len(sizes)):
                for t in range(sizes[c]):
                    resisted += damping[row, numbers[c, 6 + t]] * velocities[c, 6 + t]
            out[row] += resisted
            power += resisted * velocities[b, 6 + r]
    return power


@fast_inner
def _stiffen(m: int, signs: Any, forms: Any, delta: Any, out: Any) -> None:
    """Σ_j 2 s_j (δᵀR_j δ) R_j δ added to `out`, the forces of ½ Σ_j s_j (δᵀR_j δ)²."""
    for j in range(len(signs)):
        if signs[j] == 0.0:
            continue
        square = 0.0
        for r in range(m):
            for t in range(m):
                square += delta[r] * forms[j, r, t] * delta[t]
        for r in range(m):
            total = 0.0
            for t in range(m):
                total += forms[j, r, t] * delta[t]
            out[6 + r] += 2.0 * signs[j] * square * total


@fast_inner
def _pull(m: int, A: Any, wrench: Any, out: Any) -> None:
    """out −= Aᵀ wrench."""
    for i in range(6):
        part = wrench[i]
        if part != 0.0:
            for j in range(6 + m):
                out[j] -= A[i, j] * part


@inner
def _add_scaled(part: Any, factor: float, matrix: Any) -> None:
    """matrix += factor · part in its first rows and columns."""
    for i in range(len(part)):
        for j in range(len(part)):
            matrix[i, j] += factor * part[i, j]


@inner
def fill_matrix(tables: Any, place: Any, work: Any, damping: float, stiffness: float) -> None:
    """[M + damping·D + stiffness·k, −Aᵀ; A, ε] into `work.matrix`; frames must have been evaluated."""
    bodies, n, count = tables.bodies, tables.size, len(tables.rows.types)
    matrix = work.matrix
    for i in range(n + count):
        for j in range(n + count):
            matrix[i, j] = 0.0
    for b in range(len(bodies.sizes)):
        body_mass(bodies, b, place.deformation[b], work)
        m, numbers = bodies.sizes[b], bodies.numbers[b]
        for i in range(6 + m):
            if numbers[i] >= 0:
                for j in range(6 + m):
                    if numbers[j] >= 0:
                        matrix[numbers[i], numbers[j]] = work.block[i, j]
        for r in range(m):
            for t in range(m):
                matrix[numbers[6 + r], numbers[6 + t]] += (
                    damping * bodies.damping[b, r, t] + stiffness * bodies.stiffness[b, r, t]
                )
    _add_scaled(tables.joined_damping, damping, matrix)
    fill_constraints(tables, work, matrix, n)
    for row in range(count):
        size = 0.0
        for j in range(n):
            part = matrix[n + row, j]
            matrix[j, n + row] = -part
            if matrix[j, j] > 0.0:
                size += part * part / matrix[j, j]
        matrix[n + row, n + row] = tables.slack[0] * size


@inner
def factorise_matrix(tables: Any, work: Any) -> bool:
    """Factors of `work.matrix`."""
    size = tables.size + len(tables.rows.types)
    copy2(work.matrix, work.factors)
    return factorise(work.factors, work.pivots, size)


@inner
def solve_matrix(tables: Any, work: Any) -> None:
    """`work.solution` from `work.right`, with redundant rows refined."""
    n, count = tables.size, len(tables.rows.types)
    size = n + count
    for i in range(size):
        work.solution[i] = work.right[i]
    substitute(work.factors, work.pivots, size, work.solution)
    if tables.slack[0] == 0.0:
        return
    for _ in range(_REFINEMENTS):
        for i in range(size):
            total = work.right[i]
            for j in range(size):
                if i < n or j < n:
                    total -= work.matrix[i, j] * work.solution[j]
            work.residual[i] = total
        substitute(work.factors, work.pivots, size, work.residual)
        for i in range(size):
            work.solution[i] += work.residual[i]


@inner
def accelerations(tables: Any, place: Any, time: float, x: Any, multipliers: Any, work: Any) -> bool:  # noqa: PLR0917
    """u̇ and λ at a place with its velocities; the powers are those of this place."""
    n, sides = tables.size, tables.rows.frames
    count = len(sides)
    for i in range(n):
        x[i] = 0.0
    for row in range(count):
        multipliers[row] = 0.0
    work.drifting[0] = 1
    residual(tables, place, time, x, multipliers, work)
    work.drifting[0] = 0
    for i in range(n):
        work.right[i] = -work.residual[i]
    for row in range(count):
        bias = work.bias[0, row] - work.target[row, 2]
        for f in sides_of(sides, row):
            if f >= 0:
                for i in range(6):
                    bias += work.J[0, row, f, i] * work.drift[f, i]
        work.right[n + row] = -bias
    fill_matrix(tables, place, work, 0.0, 0.0)
    if not factorise_matrix(tables, work):
        return False
    solve_matrix(tables, work)
    for i in range(n):
        x[i] = work.solution[i]
    for row in range(count):
        multipliers[row] = work.solution[n + row]
        work.powers[0] += multipliers[row] * work.target[row, 1]
    return True

"""Equations of the whole system in compiled loops: residuals, matrices, accelerations, projections, energies.

The unknowns are x = u̇ and the multipliers λ of M u̇ + h = Q + Aᵀλ; the matrix is [M, −Aᵀ; A, ε], with ε = 0 unless
rows are redundant. Then ε is small, the solution is refined until A is met, and λ stays the shortest one.
"""

from math import pi, sqrt, tanh
from typing import Any

from flexframe.dynamics.body_kernels import _cross, body_inertia, body_mass
from flexframe.dynamics.compiling import entry, fast_inner, inlined, inner
from flexframe.dynamics.dense_kernels import factorise, substitute
from flexframe.dynamics.frame_kernels import place_frames, turn_quaternion, turn_ratios, turned, turned_back
from flexframe.dynamics.law_kernels import NUMBER, law_jet
from flexframe.mechanisms.condition_sorts import TURN
from flexframe.mechanisms.kernels import fill_rates, fill_rows

SPRING, TORSION, FRICTION, MOTOR = range(4)
EQUATIONS, ACCELERATIONS, PROJECTION = range(3)
CLOSED = 1e-14
"""Residual of projected positions and velocities, in lengths of the system and radians."""

_REFINEMENTS = 3


@inner
def copy1(source: Any, target: Any) -> None:
    """target = source; loops compile faster than slices."""
    for i in range(len(source)):
        target[i] = source[i]


@inner
def copy2(source: Any, target: Any) -> None:
    """The same for matrices."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


@inlined
def _evaluate_rows(rows: Any, work: Any, s: Any, J: Any, rate: Any, bias: Any) -> None:  # noqa: PLR0917
    frames = rows.frames
    for row in range(len(frames)):
        s[0, row] = 0.0
        for side in range(3):
            f = frames[row, side]
            for i in range(6):
                J[0, row, f, i] = 0.0
    data = (rows.sorts, frames, rows.places, rows.directions, rows.radii)
    fill_rows(data, work.r, work.R, s, J)
    fill_rates(data, work.r, work.R, work.v, work.w, rate, bias)


@inner
def _sides(frames: Any, row: int) -> Any:
    """The frames of a row, each once; −1 where the carrier is one of the others."""
    a, b, c = frames[row, 0], frames[row, 1], frames[row, 2]
    return a, b, (-1 if c in (a, b) else c)


@inlined
def evaluate(tables: Any, place: Any, time: float, work: Any) -> None:
    """Frames, conditions and their targets at a place and a time."""
    place_frames(tables, place, work)
    numbers, target = tables.rows.laws, work.target
    kinds, values = tables.laws.kinds, tables.laws.values
    if len(numbers):
        _evaluate_rows(tables.rows, work, work.s, work.J, work.rate, work.bias)
        for row in range(len(numbers)):
            law = numbers[row]
            if kinds[law] == NUMBER:
                target[row, 0], target[row, 1], target[row, 2] = values[law], 0.0, 0.0
            else:
                target[row, 0], target[row, 1], target[row, 2] = law_jet(tables.laws, law, time, work.stack)
    if len(tables.coordinates.sorts):
        _evaluate_rows(tables.coordinates, work, work.cs, work.cJ, work.crate, work.cbias)


@inner
def gap(holonomic: int, sort: int, s: float, rate: float, target: Any) -> float:
    """s − f, angles to the nearer side; ṡ − ḟ of a condition on velocities."""
    if holonomic == 0:
        return rate - target[1]
    miss = s - target[0]
    if sort == TURN:
        miss = (miss + pi) % (2.0 * pi) - pi
    return miss


@inner
def _coordinate_force(forces: Any, k: int, s: float, rate: float) -> Any:
    """Elastic force, other force, stored energy along a coordinate."""
    kind = forces.kinds[k]
    c0, c1, c2 = forces.constants[k, 0], forces.constants[k, 1], forces.constants[k, 2]
    if kind == SPRING:  # stiffness, free, damping
        return -c0 * (s - c1), -c2 * rate, 0.5 * c0 * (s - c1) ** 2
    if kind == TORSION:
        twist = pi - (pi - (s - c1)) % (2.0 * pi)
        return -c0 * twist, -c2 * rate, 0.5 * c0 * twist * twist
    if kind == FRICTION:  # limit, velocity
        return 0.0, -c0 * tanh(rate / c1), 0.0
    first, last = forces.curve_starts[k], forces.curve_starts[k + 1] - 1
    curve = forces.curve
    if rate <= curve[first, 0]:
        return 0.0, curve[first, 1], 0.0
    for i in range(first, last):
        if rate <= curve[i + 1, 0]:
            part = (rate - curve[i, 0]) / (curve[i + 1, 0] - curve[i, 0])
            return 0.0, curve[i, 1] + part * (curve[i + 1, 1] - curve[i, 1]), 0.0
    return 0.0, curve[last, 1], 0.0


@inlined
def apply_forces(tables: Any, time: float, work: Any) -> None:  # noqa: PLR0912
    """Wrenches on the frames from forces at places and along coordinates; powers of loads and dampers."""
    forces, W = tables.forces, work.wrenches
    for f in range(W.shape[0]):
        for i in range(6):
            W[f, i] = 0.0
    for k in range(3):
        work.powers[k] = 0.0
    work.springs[0] = 0.0
    for k in range(len(forces.frames)):
        f = forces.frames[k]
        b = tables.frames.bodies[f]
        law = forces.laws[k]
        for i in range(6):
            work.load[i] = law_jet(tables.laws, law[i], time, work.stack)[0]
        push = (work.load[0], work.load[1], work.load[2])
        moment = (work.load[3], work.load[4], work.load[5])
        if forces.in_body[k] and b >= 0:
            push, moment = turned(work.rotations[b], push), turned(work.rotations[b], moment)
        lever = _cross(turned(work.R[0, f], forces.arms[k]), push)
        for i in range(3):
            W[f, i] += push[i]
            W[f, 3 + i] += moment[i] + lever[i]
            work.powers[1] += push[i] * work.v[0, f, i] + (moment[i] + lever[i]) * work.w[0, f, i]
    sides, J = tables.coordinates.frames, work.cJ
    for k in range(len(sides)):
        rate = work.crate[0, k]
        elastic, other, energy = _coordinate_force(forces, k, work.cs[0, k], rate)
        work.springs[0] += energy
        if forces.kinds[k] == MOTOR:
            work.powers[1] += other * rate
        else:
            work.powers[2] -= other * rate
        for f in _sides(sides, k):
            if f >= 0:
                for i in range(6):
                    W[f, i] += (elastic + other) * J[0, k, f, i]


@fast_inner
def residual(tables: Any, place: Any, time: float, x: Any, multipliers: Any, work: Any) -> None:  # noqa: PLR0917
    """M x + h − Q − Aᵀλ in `work.residual`, and below it the gaps of the conditions."""
    bodies, n = tables.bodies, tables.size
    evaluate(tables, place, time, work)
    apply_forces(tables, time, work)
    # attributes of tuples in inner loops would cost reference counts
    out, wrenches, J, powers = work.residual, work.wrenches, work.J, work.powers
    sides, sorts, holonomic = tables.rows.frames, tables.rows.sorts, tables.rows.holonomic
    s, rate, target = work.s, work.rate, work.target
    for row in range(len(sorts)):
        force = multipliers[row]
        powers[0] += force * target[row, 1]
        out[n + row] = gap(holonomic[row], sorts[row], s[0, row], rate[0, row], target[row])
        for f in _sides(sides, row):
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
        weight = turned_back(work.rotations[b], tables.gravity)
        delta, u = place.deformation[b], place.velocities[b]
        body_inertia(bodies, b, delta, u, acceleration, weight, local, work)
        if m:
            powers[2] += _resist(m, stiffness[b], damping[b], delta, u, local)
        for f in range(len(owners) - 1):
            if owners[f] == b:
                _pull(m if elastic[f] else 0, jacobians[f], wrenches[f], local)
        for j in range(6 + m):
            if numbers[j] >= 0:
                out[numbers[j]] = local[j]


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
def _pull(m: int, A: Any, wrench: Any, out: Any) -> None:
    """out −= Aᵀ wrench."""
    for i in range(6):
        part = wrench[i]
        if part != 0.0:
            for j in range(6 + m):
                out[j] -= A[i, j] * part


@inlined
def fill_conditions(tables: Any, work: Any, matrix: Any, first: int) -> None:
    """A into the rows `first` … of a matrix, from the frames and rows that were evaluated."""
    sides, owners, elastic = tables.rows.frames, tables.frames.bodies, tables.frames.elastic
    sizes, numbers, J, jacobians = tables.bodies.sizes, tables.bodies.numbers, work.J, work.jacobians
    for row in range(len(sides)):
        for j in range(tables.size):
            matrix[first + row, j] = 0.0
        for f in _sides(sides, row):
            if f < 0 or owners[f] < 0:
                continue
            b = owners[f]
            for j in range(6 + (sizes[b] if elastic[f] else 0)):
                if numbers[b, j] >= 0:
                    total = 0.0
                    for i in range(6):
                        total += J[0, row, f, i] * jacobians[f, i, j]
                    matrix[first + row, numbers[b, j]] += total


@inner
def fill_matrix(tables: Any, place: Any, work: Any, damping: float, stiffness: float) -> None:
    """[M + damping·D + stiffness·k, −Aᵀ; A, ε] into `work.matrix`; frames must have been evaluated."""
    bodies, n, count = tables.bodies, tables.size, len(tables.rows.sorts)
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
    fill_conditions(tables, work, matrix, n)
    for row in range(count):
        size = 0.0
        for j in range(n):
            part = matrix[n + row, j]
            matrix[j, n + row] = -part
            if matrix[j, j] > 0.0:
                size += part * part / matrix[j, j]
        matrix[n + row, n + row] = tables.slack[0] * size


@inlined
def factorise_matrix(tables: Any, work: Any) -> bool:
    """Factors of `work.matrix`."""
    size = tables.size + len(tables.rows.sorts)
    copy2(work.matrix, work.factors)
    return factorise(work.factors, work.pivots, size)


@inlined
def solve_matrix(tables: Any, work: Any) -> None:
    """`work.solution` from `work.right`, with redundant rows refined."""
    n, count = tables.size, len(tables.rows.sorts)
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
        for f in _sides(sides, row):
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
    once = _cross(t, d)
    twice = _cross(t, once)
    d = (
        d[0] + a * once[0] + c * twice[0],
        d[1] + a * once[1] + c * twice[1],
        d[2] + a * once[2] + c * twice[2],
    )
    # q d q*, without forming the matrix
    v = (q[1], q[2], q[3])
    lean = _cross(v, d)
    lean = _cross(v, (lean[0] + q[0] * d[0], lean[1] + q[0] * d[1], lean[2] + q[0] * d[2]))
    for i in range(3):
        position_out[i] = position[i] + d[i] + 2.0 * lean[i]
    turn_quaternion(q, t, q_out)
    for r in range(m):
        delta_out[r] = delta[r] + step[numbers[6 + r]]
    return t[2]


@inlined
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


@inlined
def set_velocities(tables: Any, u: Any, place: Any) -> None:
    """The velocities of a place from one vector."""
    _set_velocities(tables.bodies.sizes, tables.bodies.numbers, u, place.velocities)


@inlined
def gaps(tables: Any, work: Any) -> Any:
    """Largest gap of positions and of velocities, in lengths of the system and radians."""
    rows = tables.rows
    return _largest(rows.holonomic, rows.sorts, rows.scales, work.s, work.rate, work.target)


@inner
def _largest(holonomic: Any, sorts: Any, scales: Any, s: Any, rate: Any, target: Any) -> Any:  # noqa: PLR0917
    worst, slip = 0.0, 0.0
    for row in range(len(sorts)):
        if holonomic[row]:
            miss = gap(1, sorts[row], s[0, row], rate[0, row], target[row])
            worst = max(worst, abs(miss) * scales[row])
        slip = max(slip, abs(rate[0, row] - target[row, 1]) * scales[row])
    return worst, slip


@inner
def project(tables: Any, place: Any, time: float, u: Any, spare: Any, goal: float, work: Any) -> bool:  # noqa: PLR0917
    """Put positions and velocities on the conditions, nearest in the metric of the mass; whether it succeeds."""
    n, rows = tables.size, tables.rows
    size = n + len(rows.sorts)
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
        for row in range(len(rows.sorts)):
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


@inlined
def copy_place(source: Any, target: Any) -> None:
    """All positions; velocities are left alone."""
    copy2(source.positions, target.positions)
    copy2(source.quaternions, target.quaternions)
    copy2(source.deformation, target.deformation)
    copy1(source.angles, target.angles)


@inlined
def speed(tables: Any, u: Any) -> float:
    """The largest velocity in lengths of the system and radians."""
    largest, scales = 0.0, tables.scales
    for i in range(len(u)):
        largest = max(largest, abs(u[i]) / scales[i])
    return largest


@inner
def measure(tables: Any, place: Any, work: Any, out: Any) -> None:
    """Kinetic, strain and gravity energy, linear and angular momentum: (9,); frames must have been evaluated."""
    bodies = tables.bodies
    for i in range(9):
        out[i] = 0.0
    still, momentum = work.local[0], work.local[1]
    none = (0.0, 0.0, 0.0)
    for b in range(len(bodies.sizes)):
        m, R, u = bodies.sizes[b], work.rotations[b], place.velocities[b]
        for j in range(6 + m):
            still[j] = 0.0
        body_inertia(bodies, b, place.deformation[b], still, u, none, momentum, work)  # M u
        for j in range(6 + m):
            out[0] += 0.5 * u[j] * momentum[j]
        for r in range(m):
            for t in range(m):
                out[1] += 0.5 * place.deformation[b, r] * bodies.stiffness[b, r, t] * place.deformation[b, t]
        p = turned(R, (momentum[0], momentum[1], momentum[2]))
        L = turned(R, (momentum[3], momentum[4], momentum[5]))
        r0 = (place.positions[b, 0], place.positions[b, 1], place.positions[b, 2])
        about = _cross(r0, p)
        for i in range(3):
            out[3 + i] += p[i]
            out[6 + i] += L[i] + about[i]
        # potential −g·(m r + R s); η is left from above
        weight = turned_back(R, tables.gravity)
        s0, s1, s2 = bodies.first_moment[b, 0], bodies.first_moment[b, 1], bodies.first_moment[b, 2]
        for q in range(bodies.fields[b]):
            s0 += bodies.origin_coupling[b, 0, q] * work.eta[0, q]
            s1 += bodies.origin_coupling[b, 1, q] * work.eta[0, q]
            s2 += bodies.origin_coupling[b, 2, q] * work.eta[0, q]
        out[2] -= weight[0] * s0 + weight[1] * s1 + weight[2] * s2
        for i in range(3):
            out[2] -= bodies.mass[b] * tables.gravity[i] * r0[i]


@inner
def _mean_square(m: int, mass: Any, delta: Any) -> float:
    """δᵀ m δ."""
    total = 0.0
    for r in range(m):
        part = 0.0
        for t in range(m):
            part += mass[r, t] * delta[t]
        total += delta[r] * part
    return total


@inlined
def deflection(tables: Any, place: Any) -> Any:
    """The largest rotation of a section [rad], or displacement over the length of its body, and that body."""
    bodies, frames = tables.bodies, tables.frames
    sizes, mass, lengths, elastic_mass = bodies.sizes, bodies.mass, bodies.lengths, bodies.elastic_mass
    owners, elastic, rows, deformation = frames.bodies, frames.elastic, frames.rows, place.deformation
    largest, worst = 0.0, -1
    for b in range(len(sizes)):
        if sizes[b]:
            total = _mean_square(sizes[b], elastic_mass[b], deformation[b])
            size = 2.0 * sqrt(max(total, 0.0) / mass[b]) / lengths[b]
            if not size <= largest:
                largest, worst = size, b
    for f in range(len(owners) - 1):
        if elastic[f]:
            b = owners[f]
            square = 0.0
            for i in range(3, 6):
                part = 0.0
                for r in range(sizes[b]):
                    part += rows[f, i, r] * deformation[b, r]
                square += part * part
            if not square <= largest * largest:
                largest, worst = sqrt(square), b
    return largest, worst


@entry
def at_state(  # noqa: PLR0917
    tables: Any,
    place: Any,
    time: float,
    x: Any,
    multipliers: Any,
    u: Any,
    spare: Any,
    measures: Any,
    task: int,
    work: Any,
) -> bool:
    """The way in from Python: equations at a state, its accelerations, or the nearest state on the conditions."""
    if task == EQUATIONS:
        work.drifting[0] = 1
        residual(tables, place, time, x, multipliers, work)
        work.drifting[0] = 0
        fill_matrix(tables, place, work, 0.0, 0.0)
        measure(tables, place, work, measures)
        return True
    if task == ACCELERATIONS:
        return accelerations(tables, place, time, x, multipliers, work)
    return project(tables, place, time, u, spare, CLOSED, work)

"""Frames on bodies in compiled loops: where they are, how they move, and their velocities by those of the body.

A frame of an elastic body is at ρ = x_P + N_u δ + ½ δᵀG_u δ and is turned against the body by exp θ̃ with
θ = N_θ δ + ½ δᵀG_θ δ; with the tangent operator its angular velocity against the body is

    ϖ = θ̇ + a θ × θ̇ + b θ × (θ × θ̇),   a = (1 − cos φ)/φ²,   b = (φ − sin φ)/φ³,   φ = |θ| .
"""

from math import sqrt
from typing import Any

from flexframe.dynamics.body_kernels import _cross
from flexframe.dynamics.compiling import fast_inner, inlined, inner

_TERMS = 11  # of the series of a and b, enough for a turn of two radians


@inner
def turn_ratios(x: float) -> Any:
    """a, b and their derivatives with respect to x = φ², and sin φ/φ."""
    # a = Σ (−x)^k/(2k + 2)!,  b = Σ (−x)^k/(2k + 3)!,  sin φ/φ = Σ (−x)^k/(2k + 1)!
    a = b = da = db = c = 0.0
    term = 1.0  # (−1)^k/(2k)!
    power, lower = 1.0, 0.0  # x^k, k x^(k−1)
    for k in range(_TERMS):
        c += term / (2 * k + 1) * power
        one = term / ((2 * k + 1) * (2 * k + 2))
        two = one / (2 * k + 3)
        a += one * power
        b += two * power
        da += one * lower
        db += two * lower
        lower = lower * x + power
        power *= x
        term *= -1.0 / ((2 * k + 1) * (2 * k + 2))
    return a, b, da, db, c


@inner
def rotation_matrix(q: Any, R: Any) -> None:
    """R of a unit quaternion."""
    q0, q1, q2, q3 = q[0], q[1], q[2], q[3]
    R[0, 0] = 1.0 - 2.0 * (q2 * q2 + q3 * q3)
    R[1, 1] = 1.0 - 2.0 * (q1 * q1 + q3 * q3)
    R[2, 2] = 1.0 - 2.0 * (q1 * q1 + q2 * q2)
    R[0, 1], R[1, 0] = 2.0 * (q1 * q2 - q0 * q3), 2.0 * (q1 * q2 + q0 * q3)
    R[0, 2], R[2, 0] = 2.0 * (q1 * q3 + q0 * q2), 2.0 * (q1 * q3 - q0 * q2)
    R[1, 2], R[2, 1] = 2.0 * (q2 * q3 - q0 * q1), 2.0 * (q2 * q3 + q0 * q1)


@inner
def turned(R: Any, v: Any) -> Any:
    """R v."""
    return (
        R[0, 0] * v[0] + R[0, 1] * v[1] + R[0, 2] * v[2],
        R[1, 0] * v[0] + R[1, 1] * v[1] + R[1, 2] * v[2],
        R[2, 0] * v[0] + R[2, 1] * v[1] + R[2, 2] * v[2],
    )


@inner
def turned_back(R: Any, v: Any) -> Any:
    """Rᵀ v."""
    return (
        R[0, 0] * v[0] + R[1, 0] * v[1] + R[2, 0] * v[2],
        R[0, 1] * v[0] + R[1, 1] * v[1] + R[2, 1] * v[2],
        R[0, 2] * v[0] + R[1, 2] * v[1] + R[2, 2] * v[2],
    )


@inner
def turn_quaternion(q: Any, t: Any, out: Any) -> None:
    """q ∘ exp(θ/2), of unit length."""
    square = t[0] * t[0] + t[1] * t[1] + t[2] * t[2]
    half = 0.25 * square
    # cos(φ/2) = 1 − (φ/2)² a(φ²/4), sin(φ/2)/φ = ½ c(φ²/4)
    a, _, _, _, c = turn_ratios(half)
    p0, f = 1.0 - half * a, 0.5 * c
    p1, p2, p3 = f * t[0], f * t[1], f * t[2]
    q0, q1, q2, q3 = q[0], q[1], q[2], q[3]
    n0 = q0 * p0 - q1 * p1 - q2 * p2 - q3 * p3
    n1 = q0 * p1 + q1 * p0 + q2 * p3 - q3 * p2
    n2 = q0 * p2 - q1 * p3 + q2 * p0 + q3 * p1
    n3 = q0 * p3 + q1 * p2 - q2 * p1 + q3 * p0
    size = 1.0 / sqrt(n0 * n0 + n1 * n1 + n2 * n2 + n3 * n3)
    out[0], out[1], out[2], out[3] = n0 * size, n1 * size, n2 * size, n3 * size


@inner
def turned9(R: Any, v: Any) -> Any:
    """R v with the nine numbers of R in a tuple."""
    return (
        R[0] * v[0] + R[1] * v[1] + R[2] * v[2],
        R[3] * v[0] + R[4] * v[1] + R[5] * v[2],
        R[6] * v[0] + R[7] * v[1] + R[8] * v[2],
    )


@inner
def _nine(R: Any, b: int) -> Any:
    return (
        R[b, 0, 0],
        R[b, 0, 1],
        R[b, 0, 2],
        R[b, 1, 0],
        R[b, 1, 1],
        R[b, 1, 2],
        R[b, 2, 0],
        R[b, 2, 1],
        R[b, 2, 2],
    )


@fast_inner
def _place_rigid(  # noqa: PLR0917
    f: int,
    b: int,
    rotations: Any,
    velocities: Any,
    positions: Any,
    r_out: Any,
    R_out: Any,
    v_out: Any,
    w_out: Any,
    drifts: Any,
    A: Any,
) -> None:
    """A frame that is the frame of its body; whole arrays and numbers are handed on, as slices cost time."""
    v = (velocities[b, 0], velocities[b, 1], velocities[b, 2])
    w = (velocities[b, 3], velocities[b, 4], velocities[b, 5])
    R = _nine(rotations, b)
    speed, drift = turned9(R, v), turned9(R, _cross(w, v))
    spin = turned9(R, w)
    for i in range(3):
        r_out[0, f, i] = positions[b, i]
        v_out[0, f, i], w_out[0, f, i] = speed[i], spin[i]
        drifts[f, i], drifts[f, 3 + i] = drift[i], 0.0
        for j in range(3):
            R_out[0, f, i, j] = rotations[b, i, j]
            A[f, i, j], A[f, 3 + i, 3 + j] = rotations[b, i, j], rotations[b, i, j]


@fast_inner
def _place_elastic(  # noqa: PLR0912, PLR0915, PLR0917
    f: int,
    b: int,
    m: int,
    rotating: bool,
    curved: bool,
    drifting: bool,
    places: Any,
    rows: Any,
    quadratic: Any,
    deformation: Any,
    rotations: Any,
    velocities: Any,
    positions: Any,
    point: Any,
    bent: Any,
    r_out: Any,
    R_out: Any,
    v_out: Any,
    w_out: Any,
    drifts: Any,
    A: Any,
) -> None:
    """A frame that moves with the deformation."""
    v = (velocities[b, 0], velocities[b, 1], velocities[b, 2])
    w = (velocities[b, 3], velocities[b, 4], velocities[b, 5])
    R = _nine(rotations, b)
    # ρ, θ with their derivatives; the columns ∂ρ/∂δ, ∂θ/∂δ go into A in body components first
    for i in range(6):
        point[0, i], point[1, i], point[2, i] = places[f, i] if i < 3 else 0.0, 0.0, 0.0
    for i in range(6 if rotating else 3):
        for r in range(m):
            bent[r] = 0.0
        if curved:
            for t in range(m):
                part = deformation[b, t]
                for r in range(m):
                    bent[r] += quadratic[f, i, t, r] * part
        total, slope_rate = 0.0, 0.0
        for r in range(m):
            column = rows[f, i, r] + bent[r]
            A[f, i, 6 + r] = column
            total += (rows[f, i, r] + 0.5 * bent[r]) * deformation[b, r]
            slope_rate += column * velocities[b, 6 + r]
        point[0, i] += total
        point[1, i] = slope_rate
        if curved and drifting:
            for r in range(m):
                part = 0.0
                for t in range(m):
                    part += quadratic[f, i, r, t] * velocities[b, 6 + t]
                point[2, i] += part * velocities[b, 6 + r]
    if not rotating:
        for i in range(3, 6):
            for r in range(m):
                A[f, i, 6 + r] = 0.0
    rho, theta = (point[0, 0], point[0, 1], point[0, 2]), (point[0, 3], point[0, 4], point[0, 5])
    rho_rate, theta_rate = (point[1, 0], point[1, 1], point[1, 2]), (point[1, 3], point[1, 4], point[1, 5])
    a, bb, da, db, c = 0.5, 1 / 6, -1 / 24, -1 / 120, 1.0
    if rotating:
        a, bb, da, db, c = turn_ratios(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2])
    growth = 2.0 * (theta[0] * theta_rate[0] + theta[1] * theta_rate[1] + theta[2] * theta_rate[2])
    # places and rotations
    arm = turned9(R, rho)
    for i in range(3):
        r_out[0, f, i] = positions[b, i] + arm[i]
    for j in range(3):
        unit = (1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0)
        once = _cross(theta, unit)
        twice = _cross(theta, once)
        column3 = (
            unit[0] + c * once[0] + a * twice[0],
            unit[1] + c * once[1] + a * twice[1],
            unit[2] + c * once[2] + a * twice[2],
        )
        column3 = turned9(R, column3)
        for i in range(3):
            R_out[0, f, i, j] = column3[i]
    # velocities
    around = _cross(w, rho)
    local = (v[0] + around[0] + rho_rate[0], v[1] + around[1] + rho_rate[1], v[2] + around[2] + rho_rate[2])
    once = _cross(theta, theta_rate)
    twice = _cross(theta, once)
    spin_local = (
        theta_rate[0] + a * once[0] + bb * twice[0],
        theta_rate[1] + a * once[1] + bb * twice[1],
        theta_rate[2] + a * once[2] + bb * twice[2],
    )
    speed = turned9(R, local)
    spin = turned9(R, (w[0] + spin_local[0], w[1] + spin_local[1], w[2] + spin_local[2]))
    # drifts: R[ω × (v + ω × ρ) + 2 ω × ρ̇ + δ̇ᵀG δ̇] and R[ω × ϖ + dϖ/dt]
    carried = _cross(w, (v[0] + around[0], v[1] + around[1], v[2] + around[2]))
    coriolis = _cross(w, rho_rate)
    bent3 = (point[2, 3], point[2, 4], point[2, 5])
    bent_once = _cross(theta, bent3)
    bent_twice = _cross(theta, bent_once)
    swirl = _cross(theta_rate, once)
    gyro = _cross(w, spin_local)
    drift = turned9(
        R,
        (
            carried[0] + 2.0 * coriolis[0] + point[2, 0],
            carried[1] + 2.0 * coriolis[1] + point[2, 1],
            carried[2] + 2.0 * coriolis[2] + point[2, 2],
        ),
    )
    turning = (
        bent3[0] + a * bent_once[0] + bb * (bent_twice[0] + swirl[0]) + growth * (da * once[0] + db * twice[0]),
        bent3[1] + a * bent_once[1] + bb * (bent_twice[1] + swirl[1]) + growth * (da * once[1] + db * twice[1]),
        bent3[2] + a * bent_once[2] + bb * (bent_twice[2] + swirl[2]) + growth * (da * once[2] + db * twice[2]),
    )
    turn_drift = turned9(R, (gyro[0] + turning[0], gyro[1] + turning[1], gyro[2] + turning[2]))
    for i in range(3):
        v_out[0, f, i], w_out[0, f, i] = speed[i], spin[i]
        drifts[f, i], drifts[f, 3 + i] = drift[i], turn_drift[i]
    # Jacobian: [R, −R ρ̃, R ρ_δ; 0, R, R Tᵀθ_δ]
    for j in range(3):
        unit = (1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0)
        swung = turned9(R, _cross(unit, rho))
        for i in range(3):
            A[f, i, j], A[f, 3 + i, 3 + j] = rotations[b, i, j], rotations[b, i, j]
            A[f, i, 3 + j] = swung[i]
    for r in range(m):
        q = 6 + r
        moved = turned9(R, (A[f, 0, q], A[f, 1, q], A[f, 2, q]))
        for i in range(3):
            A[f, i, q] = moved[i]
        if rotating:
            slope = (A[f, 3, q], A[f, 4, q], A[f, 5, q])
            once = _cross(theta, slope)
            twice = _cross(theta, once)
            slope = turned9(
                R,
                (
                    slope[0] + a * once[0] + bb * twice[0],
                    slope[1] + a * once[1] + bb * twice[1],
                    slope[2] + a * once[2] + bb * twice[2],
                ),
            )
            for i in range(3):
                A[f, 3 + i, q] = slope[i]


@inlined
def place_frames(tables: Any, place: Any, work: Any) -> None:
    """Positions, rotations, velocities, Jacobians and drifts of all frames."""
    owners, elastic, curved, sizes = (
        tables.frames.bodies,
        tables.frames.elastic,
        tables.frames.curved,
        tables.bodies.sizes,
    )
    places, rows, quadratic = tables.frames.places, tables.frames.rows, tables.frames.quadratic
    rotations, quaternions, velocities = work.rotations, place.quaternions, place.velocities
    positions, deformation, point, bent = place.positions, place.deformation, work.point, work.bent
    r, R, v, w, drifts, A = work.r, work.R, work.v, work.w, work.drift, work.jacobians
    drifting = work.drifting[0] > 0
    for b in range(len(sizes)):
        rotation_matrix(quaternions[b], rotations[b])
    for f in range(len(owners) - 1):
        b = owners[f]
        if elastic[f] == 0:
            _place_rigid(f, b, rotations, velocities, positions, r, R, v, w, drifts, A)
        else:
            _place_elastic(
                f,
                b,
                sizes[b],
                elastic[f] > 1,
                curved[f] > 0,
                drifting,
                places,
                rows,
                quadratic,
                deformation,
                rotations,
                velocities,
                positions,
                point,
                bent,
                r,
                R,
                v,
                w,
                drifts,
                A,
            )

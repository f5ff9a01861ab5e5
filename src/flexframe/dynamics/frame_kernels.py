"""Frames on bodies in compiled loops: where they are, how they move, and their velocities by those of the body.

A frame of an elastic body is at ρ = x_P + N_u δ + ½ δᵀG_u δ and is turned against the body by exp θ̃ with
θ = N_θ δ + ½ δᵀG_θ δ; with the tangent operator its angular velocity against the body is

    ϖ = θ̇ + a θ × θ̇ + b θ × (θ × θ̇),   a = (1 − cos φ)/φ²,   b = (φ − sin φ)/φ³,   φ = |θ| .
"""

from typing import Any

from flexframe.dynamics.compiling import fast_inner
from flexframe.dynamics.vector_kernels import cross, nine, rotation_matrix, turn_ratios, turned9


@fast_inner
def _place_rigid(f: int, b: int, place: Any, work: Any) -> None:
    """A frame that is the frame of its body."""
    velocities, positions, rotations = place.velocities, place.positions, work.rotations
    r_out, R_out, v_out, w_out, drifts, A = work.r, work.R, work.v, work.w, work.drift, work.jacobians
    v = (velocities[b, 0], velocities[b, 1], velocities[b, 2])
    w = (velocities[b, 3], velocities[b, 4], velocities[b, 5])
    R = nine(rotations, b)
    speed, drift = turned9(R, v), turned9(R, cross(w, v))
    spin = turned9(R, w)
    for i in range(3):
        r_out[0, f, i] = positions[b, i]
        v_out[0, f, i], w_out[0, f, i] = speed[i], spin[i]
        drifts[f, i], drifts[f, 3 + i] = drift[i], 0.0
        for j in range(3):
            R_out[0, f, i, j] = rotations[b, i, j]
            A[f, i, j], A[f, 3 + i, 3 + j] = rotations[b, i, j], rotations[b, i, j]


@fast_inner
def _place_elastic(f: int, b: int, m: int, frames: Any, place: Any, work: Any) -> None:  # noqa: PLR0912, PLR0915, PLR0917
    """A frame that moves with the deformation."""
    rotating, curved, drifting = frames.elastic[f] > 1, frames.curved[f] > 0, work.drifting[0] > 0
    places, rows, quadratic = frames.places, frames.rows, frames.quadratic
    velocities, positions, deformation, rotations = (
        place.velocities,
        place.positions,
        place.deformation,
        work.rotations,
    )
    point, bent = work.point, work.bent
    r_out, R_out, v_out, w_out, drifts, A = work.r, work.R, work.v, work.w, work.drift, work.jacobians
    v = (velocities[b, 0], velocities[b, 1], velocities[b, 2])
    w = (velocities[b, 3], velocities[b, 4], velocities[b, 5])
    R = nine(rotations, b)
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
        once = cross(theta, unit)
        twice = cross(theta, once)
        column3 = (
            unit[0] + c * once[0] + a * twice[0],
            unit[1] + c * once[1] + a * twice[1],
            unit[2] + c * once[2] + a * twice[2],
        )
        column3 = turned9(R, column3)
        for i in range(3):
            R_out[0, f, i, j] = column3[i]
    # velocities
    around = cross(w, rho)
    local = (v[0] + around[0] + rho_rate[0], v[1] + around[1] + rho_rate[1], v[2] + around[2] + rho_rate[2])
    once = cross(theta, theta_rate)
    twice = cross(theta, once)
    spin_local = (
        theta_rate[0] + a * once[0] + bb * twice[0],
        theta_rate[1] + a * once[1] + bb * twice[1],
        theta_rate[2] + a * once[2] + bb * twice[2],
    )
    speed = turned9(R, local)
    spin = turned9(R, (w[0] + spin_local[0], w[1] + spin_local[1], w[2] + spin_local[2]))
    # drifts: R[ω × (v + ω × ρ) + 2 ω × ρ̇ + δ̇ᵀG δ̇] and R[ω × ϖ + dϖ/dt]
    carried = cross(w, (v[0] + around[0], v[1] + around[1], v[2] + around[2]))
    coriolis = cross(w, rho_rate)
    bent3 = (point[2, 3], point[2, 4], point[2, 5])
    bent_once = cross(theta, bent3)
    bent_twice = cross(theta, bent_once)
    swirl = cross(theta_rate, once)
    gyro = cross(w, spin_local)
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
        swung = turned9(R, cross(unit, rho))
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
            once = cross(theta, slope)
            twice = cross(theta, once)
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


@fast_inner
def place_frames(tables: Any, place: Any, work: Any) -> None:
    """Positions, rotations, velocities, Jacobians and drifts of all frames."""
    frames, sizes = tables.frames, tables.bodies.sizes
    owners, elastic, quaternions, rotations = frames.bodies, frames.elastic, place.quaternions, work.rotations
    for b in range(len(sizes)):
        rotation_matrix(quaternions[b], rotations[b])
    for f in range(len(owners) - 1):
        b = owners[f]
        if elastic[f] == 0:
            _place_rigid(f, b, place, work)
        else:
            _place_elastic(f, b, sizes[b], frames, place, work)

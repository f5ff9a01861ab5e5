"""Loads of the bodies themselves in compiled loops.

With A = 1, or A = Rᵀ for a load that keeps its direction in space, p_ik = ∫ξ_i df_k and τ_ik = ∫θ_i dm_k the
forces are A F on v, ε_aij A_jk p_ik + A M on ω and A_ik ∂(p_ik + τ_ik)/∂δ on δ (see `reduction.loads`).
"""

from typing import Any

from flexframe.dynamics.compiling import fast_inner, inner
from flexframe.dynamics.law_kernels import law_jet


@inner
def apply_loads(tables: Any, body: int, place: Any, time: float, out: Any, work: Any) -> float:  # noqa: PLR0917
    """out −= Q of the loads of one body, in local coordinates; their power."""
    owners, power = tables.loads.bodies, 0.0
    for number in range(len(owners)):
        if owners[number] == body:
            factor = law_jet(tables.laws, tables.loads.laws[number], time, work.stack)[0]
            power += factor * _load(tables, number, factor, place, out, work)
    return power


@fast_inner
def _load(tables: Any, number: int, factor: float, place: Any, out: Any, work: Any) -> float:  # noqa: PLR0917
    """out −= factor · Q of one load; the power of Q."""
    loads, total, power = tables.loads, work.load, 0.0
    b, in_space = loads.bodies[number], loads.in_space[number]
    m, R, delta, u = tables.bodies.sizes[b], work.rotations[b], place.deformation[b], place.velocities[b]
    force, moment, positions, used = (
        loads.force[number],
        loads.moment[number],
        loads.positions[number],
        loads.used[number],
    )
    rows, quadratic = loads.rows[number], loads.quadratic[number]
    work_rows, work_quadratic = loads.work_rows[number], loads.work_quadratic[number]
    for j in range(3):
        total[j], total[3 + j] = force[j], moment[j]
        if in_space:
            total[j] = R[0, j] * force[0] + R[1, j] * force[1] + R[2, j] * force[2]
            total[3 + j] = R[0, j] * moment[0] + R[1, j] * moment[1] + R[2, j] * moment[2]
    for i in range(3):
        after, last = (i + 1) % 3, (i + 2) % 3
        for k in range(3):
            if used[i, k] == 0:
                continue
            along = R[k, i] if in_space else (1.0 if i == k else 0.0)
            p = positions[i, k]
            for r in range(m):
                bent, pull = 0.0, work_rows[i, k, r]
                for t in range(m):
                    bent += quadratic[i, k, r, t] * delta[t]
                    pull += work_quadratic[i, k, r, t] * delta[t]
                p += (rows[i, k, r] + 0.5 * bent) * delta[r]
                out[6 + r] -= factor * along * pull
                power += along * pull * u[6 + r]
            # ε_aij A_jk p_ik
            total[3 + last] += (R[k, after] if in_space else (1.0 if after == k else 0.0)) * p
            total[3 + after] -= (R[k, last] if in_space else (1.0 if last == k else 0.0)) * p
    for j in range(6):
        out[j] -= factor * total[j]
        power += total[j] * u[j]
    return power

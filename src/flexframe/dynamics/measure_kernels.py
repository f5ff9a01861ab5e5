"""Energies, momenta and deflections in compiled loops."""

from math import sqrt
from typing import Any

from flexframe.dynamics.body_kernels import body_inertia
from flexframe.dynamics.compiling import inner
from flexframe.dynamics.vector_kernels import cross, rotate_back, turned


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
        about = cross(r0, p)
        for i in range(3):
            out[3 + i] += p[i]
            out[6 + i] += L[i] + about[i]
        # potential −g·(m r + R s); η is left from above
        weight = rotate_back(R, tables.gravity)
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


@inner
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

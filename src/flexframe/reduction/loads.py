"""The loads of a body on its few coordinates and on the motion of its frame.

A load is a distribution of forces df and couples dm, given in axes of the body. Where it acts its components are
A df with A = 1 for a load that turns with the body and A = Rᵀ for one that keeps its direction in space. With the
places ξ = x + u(δ) in the frame, the rotations θ(δ) there and

    p_ik(δ) = ∫ξ_i df_k,      τ_ik(δ) = ∫θ_i dm_k,

its power is that of the forces

    on v: A F,    on ω: ε_aij A_jk p_ik + A_ak M_k,    on δ: A_ik ∂(p_ik + τ_ik)/∂δ .

The places move with the deformation to second order, u = Vδ + ½ δᵀG δ, as everywhere in the motion: the force on δ
then holds the geometric stiffness of the load, and on ω the lever arms of the deformed body. A load that keeps its
direction has the potential −A_ik p_ik − F·r. Facets and sections do not turn the load or change its size.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.contract import ElementBatch
from flexframe.elements.integration import inertia_points
from flexframe.maths.arrays import Array
from flexframe.reduction.geometric import UnitLoads, geometric_stiffness


@dataclass(frozen=True, eq=False)
class ReducedLoads:
    """All loads of a body together: F, M, p = positions + rows δ + ½ δᵀ quadratic δ, τ = turn_rows δ + …."""

    force: Array  # F_k = ∫df_k: (3,)
    moment: Array  # M_k = ∫dm_k: (3,)
    positions: Array  # ∫x_i df_k: (3, 3)
    rows: Array  # (3, 3, m)
    quadratic: Array  # (3, 3, m, m)
    turn_rows: Array  # (3, 3, m)
    turn_quadratic: Array  # (3, 3, m, m)


def has_loads(discrete: DiscreteBody) -> bool:
    """Whether anything acts on the body."""
    loads = discrete.loads
    return bool(loads.nodal.any() or loads.line.any() or loads.gravity.any())


def reduced_loads(discrete: DiscreteBody, vectors: Array) -> ReducedLoads:
    """The loads of a body on a basis V (p, m); a rigid body has no columns."""
    loads, size = discrete.loads, vectors.shape[1]
    nodal, points = loads.nodal, discrete.body.mesh.points[: len(loads.nodal)]
    positions = points.T @ nodal[:, :3] + np.outer(discrete.inertia.first_moment, loads.gravity)
    force = nodal[:, :3].sum(axis=0) + discrete.inertia.mass * loads.gravity
    for batch, density in _line_loaded(discrete):
        samples = inertia_points(batch)
        volumes = samples.weights / batch.prop.material.density
        positions += np.einsum("eg,egi,ek->ik", volumes, samples.positions, density)
        force += np.einsum("eg,ek->k", volumes, density)
    rows, quadratic = np.zeros((2, 3, 3, size)), np.zeros((2, 3, 3, size, size))
    if size:
        forces = np.stack([force_distributions(discrete), _couple_distributions(discrete)])
        rows[:] = forces @ vectors
        quadratic[:] = _quadratic(discrete, forces, vectors)
    return ReducedLoads(
        force=force,
        moment=nodal[:, 3:].sum(axis=0),
        positions=positions,
        rows=rows[0],
        quadratic=quadratic[0],
        turn_rows=rows[1],
        turn_quadratic=quadratic[1],
    )


def load_vectors(discrete: DiscreteBody, *, turning: bool) -> Array:
    """Nodal forces that make up the loads in every direction they take, with `turning` up to nine: (p, k)."""
    if not turning:
        return discrete.loads.forces[:, None]
    parts = (force_distributions(discrete) + _couple_distributions(discrete)).reshape(9, -1)
    return np.ascontiguousarray(parts[parts.any(axis=1)].T)


def force_distributions(discrete: DiscreteBody) -> Array:
    """∫N_iᵀ df_k: nodal forces of the k-th component acting along i: (3, 3, p)."""
    loads, dofs = discrete.loads, discrete.dofs
    out = np.einsum("ip,k->ikp", discrete.inertia.origin_coupling, loads.gravity)
    for i in range(3):
        numbers = dofs.numbers[: len(loads.nodal), i]
        kept = numbers >= 0
        out[i][:, numbers[kept]] += loads.nodal[kept, :3].T
    for batch, density in _line_loaded(discrete):
        samples, numbers = inertia_points(batch), dofs.of_elements(batch)
        shares = np.einsum("eg,egip->eip", samples.weights / batch.prop.material.density, samples.shape)
        kept = numbers >= 0
        for i in range(3):
            for k in range(3):
                np.add.at(out[i, k], numbers[kept], (shares[:, i] * density[:, k, None])[kept])
    return out


def _couple_distributions(discrete: DiscreteBody) -> Array:
    """The same of couples on rotations: (3, 3, p)."""
    nodal, out = discrete.loads.nodal, np.zeros((3, 3, discrete.dofs.count))
    for i in range(3):
        numbers = discrete.dofs.numbers[: len(nodal), 3 + i]
        kept = numbers >= 0
        out[i][:, numbers[kept]] += nodal[kept, 3:].T
    return out


def _line_loaded(discrete: DiscreteBody) -> list[tuple[ElementBatch, Array]]:
    """Beams and bars with their line loads as force densities, N/m³: (elements, 3)."""
    found = [(batch, discrete.loads.line_density(batch)) for batch in discrete.batches]
    return [(batch, density) for batch, density in found if density.any()]


def _quadratic(discrete: DiscreteBody, forces: Array, vectors: Array) -> Array:
    """∫df_k G_i = −k_g of the load: (2, 3, 3, m, m)."""
    size, gravity, line = vectors.shape[1], discrete.loads.gravity, discrete.loads.line
    flat = forces.reshape(18, -1)
    constants, along = np.zeros((18, 3)), np.zeros((18, *line.shape))
    for i in range(3):
        for k in range(3):
            constants[3 * i + k, i] = gravity[k]
            along[3 * i + k, :, i] = line[:, k]
    used = np.flatnonzero(flat.any(axis=1))
    out = np.zeros((18, size, size))
    units = UnitLoads(flat[used].T, constants[used], np.zeros((used.size, 3, 3)), along[used])
    out[used] = -geometric_stiffness(discrete, units, vectors)
    return out.reshape(2, 3, 3, size, size)

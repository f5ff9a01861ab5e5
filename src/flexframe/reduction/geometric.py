"""Geometric invariants of a reduced body: the quadratic displacement field seen by loads.

A dead load does work on u₂ = ½ δᵀG δ, and that work is the geometric stiffness of the stress that the load causes:
k_g = −∫ f·G. So the stiffness of unit loads gives the integrals of G on the basis,

    body force −ρ e_i → g_i = ∫ρ G_i,   −ρ x_a e_b → H_ab = ∫ρ x_a G_b,   force e_i at a point → −G_i(x_P),

of which k_g^(i) = g_i, k_g^a = H_bc − H_cb and k_g^ab = ½(H_ab + H_ba) − δ_ab ΣH_kk are combinations. All loads
are solved together, and their stress meets the gradients of the basis point by point: no large matrix is needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexframe.assembly.couplings import rigid_joins, rigid_kernel
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.geometric import given_geometric
from flexframe.assembly.loads import line_density
from flexframe.elements.contract import ElementBatch, is_enhanced, is_interpolated, is_structural
from flexframe.elements.integration import (
    VOIGT_PLANE,
    VOIGT_SOLID,
    Gradients,
    gradients,
    stiffness_points,
    stress,
    structural_geometric,
)
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.maths.rotations import skew
from flexframe.model.matrices import BodyMatrices
from flexframe.reduction.interfaces import PointRows

_NUMBERS_AT_ONCE = 2_000_000  # entries of the gradients of the basis held together


@dataclass(frozen=True, eq=False)
class UnitLoads:
    """Nodal forces, and the body force b + A x per mass and the line loads of beams among them."""

    forces: Array  # (p, loads)
    constants: Array  # b: (loads, 3)
    gradients: Array  # A: (loads, 3, 3)
    lines: Array | None = None  # N/m: (loads, cells, 3)

    def line_density(self, load: int, batch: ElementBatch) -> Array:
        """The line load as force density in the elements of a batch, N/m³: (elements, 3)."""
        return np.zeros((batch.count, 3)) if self.lines is None else line_density(self.lines[load], batch)


@dataclass(frozen=True, eq=False)
class QuadraticField:
    """Integrals and point values of G on a basis."""

    origin: Array  # g_i: (3, m, m)
    position: Array  # H_ab: (3, 3, m, m)
    points: tuple[Array, ...]  # G of the displacement and rotation of each point: (6, m, m)


def quadratic_field(discrete: DiscreteBody, points: Sequence[PointRows], vectors: Array) -> QuadraticField:
    """The quadratic displacement field of a basis V (p, m)."""
    whole = discrete.of_elements
    if whole is not None:
        nodal = whole.dofs.count
        points = [replace(point, rows=point.rows[:, :nodal]) for point in points]
        return quadratic_field(whole, points, vectors[:nodal])
    inertia, size = discrete.inertia, vectors.shape[1]
    pairs = [(a, b) for a in range(3) for b in range(3)]
    forces = [-inertia.origin_load(unit) for unit in np.eye(3)]
    forces += [-inertia.position_coupling[a, b] for a, b in pairs]
    forces += [row for point in points for row in point.rows.toarray()]
    constants, slopes = np.zeros((len(forces), 3)), np.zeros((len(forces), 3, 3))
    constants[:3] = -np.eye(3)
    for k, (a, b) in enumerate(pairs):
        slopes[3 + k, b, a] = -1.0
    made = geometric_stiffness(discrete, UnitLoads(np.array(forces).T, constants, slopes), vectors)
    places = made[12:].reshape(len(points), 6, size, size)
    return QuadraticField(
        origin=made[:3],
        position=made[3:12].reshape(3, 3, size, size),
        points=tuple(_offset(point, vectors) - stiffness for point, stiffness in zip(points, places, strict=True)),
    )


def geometric_stiffness(discrete: DiscreteBody, loads: UnitLoads, vectors: Array) -> Array:
    """Vᵀ k_g V of each load on the attached body, balanced by inertia where that is free: (loads, m, m)."""
    size = vectors.shape[1]
    out = np.zeros((loads.forces.shape[1], size, size))
    whole, given = discrete.of_elements, discrete.body.matrices
    if whole is not None:
        nodal = whole.dofs.count
        return geometric_stiffness(whole, replace(loads, forces=loads.forces[:nodal]), vectors[:nodal])
    if given is not None and given.quadratic is not None:
        return _from_integrals(discrete, given, loads, vectors[discrete.dofs.count - given.size :])
    felt = np.flatnonzero(_felt(discrete, loads))
    if not felt.size:
        return out
    solution = discrete.equilibrium.solve(loads.forces[:, felt])
    balanced = UnitLoads(
        loads.forces[:, felt] + _relief_forces(discrete, solution.relief),
        loads.constants[felt] + solution.relief[:3].T,
        loads.gradients[felt] + skew(solution.relief[3:].T),
        None if loads.lines is None else loads.lines[felt],
    )
    total = _at_couplings(discrete, balanced, solution.displacements, vectors)
    both = np.concatenate([np.hstack([solution.displacements, vectors]), np.zeros((1, felt.size + size))])
    for batch in discrete.batches:
        if is_structural(batch.family):
            total += _structural(discrete, batch, balanced, both)
        else:
            entries = 9 * both.shape[1] * len(batch.family.stiffness_rule.weights)
            step = max(16, _NUMBERS_AT_ONCE // entries)
            for start in range(0, batch.count, step):
                part = batch.take(slice(start, start + step))
                total += _interpolate(part, both[discrete.dofs.of_elements(part)], felt.size)
    out[felt] = (total + total.swapaxes(1, 2)) / 2
    return out


def _from_integrals(discrete: DiscreteBody, given: BodyMatrices, loads: UnitLoads, vectors: Array) -> Array:
    """What the known quadratic field of the coordinates makes of the loads; `vectors` (m, k) are in them."""
    inertia = discrete.inertia
    numbers = discrete.dofs.numbers[given.rows[:, 0], given.rows[:, 1]]
    made = []
    for load in range(loads.forces.shape[1]):
        b, A = loads.constants[load], loads.gradients[load]
        nodal = loads.forces[:, load] - inertia.origin_load(b) - inertia.position_load(A)
        known = given_geometric(given, b, A, nodal[numbers])
        made.append(vectors.T @ known @ vectors)
    return np.array(made)


def _felt(discrete: DiscreteBody, loads: UnitLoads) -> BoolArray:
    """Which loads do anything: some have no resultant on any node, but stress the sections of beams and shells."""
    nodal = discrete.supports.reduce_vector(loads.forces).any(axis=0)
    spread = loads.constants.any(axis=1) | loads.gradients.any(axis=(1, 2))
    along = np.zeros_like(spread) if loads.lines is None else loads.lines.any(axis=(1, 2))
    return np.asarray(nodal | spread | along)


def _relief_forces(discrete: DiscreteBody, relief: Array) -> Array:
    """Nodal forces of the rigid accelerations that balance a free body: (p, loads)."""
    inertia = discrete.inertia
    turning = np.einsum("lab,bap->pl", skew(relief[3:].T), inertia.position_coupling)
    return np.asarray(inertia.origin_coupling.T @ relief[:3] + turning)


def _interpolate(part: ElementBatch, nodal: Array, count: int) -> Array:
    """∫ σ_ij V_k,i V_k,j dV; `nodal` (elements, p, loads + m) holds the answers to the loads and the basis."""
    family = part.family
    assert is_interpolated(family)
    at = gradients(family, part, family.stiffness_rule)
    elements, points, nodes, dimension = at.gradient.shape
    columns = nodal.shape[2]
    slopes = at.gradient.swapaxes(2, 3).reshape(elements, points * dimension, nodes)
    moved = np.matmul(slopes, nodal.reshape(elements, nodes, -1))
    # ∂_d u_k at each point: (elements, points, d, k, loads + m)
    moved = moved.reshape(elements, points, dimension, -1, columns)
    if is_enhanced(family):
        values = np.stack([stress(part, nodal[..., load]).values for load in range(count)], axis=-1)
        tensors = _tensors(values, dimension)
    else:
        tensors = _stresses(part, at, moved[..., :count])
    tensors = tensors * at.weights[..., None, None, None]
    basis = np.ascontiguousarray(moved[..., count:]).reshape(elements, points, dimension, -1)
    flat = basis.reshape(-1, columns - count)
    out = np.empty((count, columns - count, columns - count))
    for load in range(count):
        pulled = np.matmul(np.ascontiguousarray(tensors[..., load]), basis)
        out[load] = pulled.reshape(flat.shape).T @ flat
    return out


def _stresses(part: ElementBatch, at: Gradients, moved: Array) -> Array:
    """σ of all loads as tensors, along a bar one number: (elements, points, d, d, loads)."""
    D = part.prop.elasticity()
    if at.tangents is not None:
        return np.einsum("egdkl,egk->egdl", moved, at.tangents)[:, :, :, None] * D[0, 0]
    dimension = moved.shape[2]
    voigt = VOIGT_PLANE if dimension == 2 else VOIGT_SOLID
    strain = np.stack([moved[:, :, i, k] + (moved[:, :, k, i] if i != k else 0.0) for i, k in voigt], axis=2)
    return _tensors(np.matmul(D, strain), dimension)


def _tensors(values: Array, dimension: int) -> Array:
    """Voigt components (elements, points, components, loads) as symmetric tensors."""
    voigt = VOIGT_PLANE if dimension == 2 else VOIGT_SOLID
    tensors = np.empty((*values.shape[:2], dimension, dimension, values.shape[3]))
    for component, (i, k) in enumerate(voigt):
        tensors[:, :, i, k] = tensors[:, :, k, i] = values[:, :, component]
    return tensors


def _structural(discrete: DiscreteBody, batch: ElementBatch, loads: UnitLoads, both: Array) -> Array:
    """∫ Γᵀ(Σ S_r H_r + K)Γ on the basis."""
    family, count = batch.family, loads.forces.shape[1]
    assert is_structural(family)
    nodal = both[discrete.dofs.of_elements(batch)]
    basis = nodal[..., count:]
    places = stiffness_points(batch)
    out = np.empty((count, basis.shape[2], basis.shape[2]))
    for load in range(count):
        b, A = loads.constants[load], loads.gradients[load]
        along = loads.line_density(load, batch)
        density = batch.prop.material.density * (b + places @ A.T) + along[:, None]
        resultants = stress(batch, nodal[..., load], density, A).values
        blocks = structural_geometric(family, batch, resultants, A, b + along / batch.prop.material.density)
        out[load] = np.tensordot(basis, np.matmul(blocks, basis), axes=([0, 1], [0, 1]))
    return out


def _at_couplings(discrete: DiscreteBody, loads: UnitLoads, displacements: Array, vectors: Array) -> Array:
    """What rigid couplings and points with rotary inertia add on the rotations of their nodes."""
    count, size = loads.forces.shape[1], vectors.shape[1]
    total = np.zeros((count, size, size))
    padded = np.concatenate([vectors, np.zeros((1, size))])
    joins = rigid_joins(discrete.body, discrete.dofs)
    carried = loads.forces
    if joins:
        carried = discrete.supports.carry(np.asarray(discrete.stiffness @ displacements) - loads.forces)
    for load in range(count):
        kernels: list[tuple[IntArray, Array]] = [
            (join.rotations[None], rigid_kernel(join, carried[:, load])[None]) for join in joins
        ]
        if discrete.point_bodies is not None:
            bodies = discrete.point_bodies
            kernels.append((bodies.numbers[:, 3:], bodies.geometric_kernel(loads.gradients[load])))
        for numbers, blocks in kernels:
            fields = padded[numbers]
            total[load] += np.einsum("nir,nij,njt->rt", fields, blocks, fields)
    return total


def _offset(point: PointRows, vectors: Array) -> Array:
    """G of ½ θ × (θ × o), by which a point moves that is o away from the centre of its nodes: (6, m, m)."""
    size = vectors.shape[1]
    out = np.zeros((6, size, size))
    if point.offset.any():
        turn = np.asarray(point.rows[[3, 4, 5]] @ vectors)
        along = point.offset @ turn  # θ·o
        out[:3] = (turn[:, :, None] * along + along[:, None] * turn[:, None, :]) / 2
        out[:3] -= point.offset[:, None, None] * (turn.T @ turn)
    return out

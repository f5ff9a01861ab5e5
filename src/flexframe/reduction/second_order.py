"""The quadratic displacement field at all nodes, and the kinetic energy with every term of it.

Stress of a load and quadratic strain of two fields meet in one trilinear form, k_g[f]_rt = (T f)·c_rt, so that

    G_rt = −T c_rt + (P − T K) w_rt,

with c_rt the nodal forces of the quadratic strain and w_rt the second-order motion θ × (θ × r) of nodes that
follow rigid couplings. Between the nodes G follows the functions of the elements. With η = (δ, products of δ) as
coordinates of the fields (V, G) displacements are linear, and M(δ) = Jᵀ M_η J is definite for every deformation.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.couplings import rigid_joins
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.inertia import CYCLIC
from flexframe.elements.contract import ElementBatch, is_interpolated, is_structural
from flexframe.elements.integration import scalar_geometric, stress, structural_geometric
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import skew
from flexframe.reduction.attached import AttachedBody
from flexframe.reduction.basis import ReductionBasis
from flexframe.reduction.reduced_body import ReducedBody, shape_products


@dataclass(frozen=True, eq=False)
class SecondOrderFields:
    """G_rt, r ≤ t, on the mesh, and the inertia integrals of the fields (V, G), n = m + m(m + 1)/2 of them."""

    pairs: IntArray  # r, t of each field: (n − m, 2)
    vectors: Array  # G: (p, n − m)
    origin_coupling: Array  # (3, n)
    position_coupling: Array  # (3, 3, n)
    shape_products: Array  # (3, 3, n, n)

    def products(self, deformation: Array) -> Array:
        """½ δ_r δ_r and δ_r δ_t, so that u₂ = G · products: (n − m,)."""
        r, t = self.pairs.T
        return np.asarray(np.where(r == t, 0.5, 1.0) * deformation[r] * deformation[t])

    def product_slopes(self, deformation: Array) -> Array:
        """Derivatives of the products with respect to δ: (n − m, m)."""
        r, t = self.pairs.T
        rows, half = np.arange(len(r)), np.where(r == t, 0.5, 1.0)
        slopes = np.zeros((len(r), len(deformation)))
        np.add.at(slopes, (rows, r), half * deformation[t])
        np.add.at(slopes, (rows, t), half * deformation[r])
        return slopes


def second_order_fields(attached: AttachedBody, basis: ReductionBasis) -> SecondOrderFields:
    """The quadratic field of a basis at all nodes: m(m + 1)/2 static solutions by the factorisation at hand.

    Parameters
    ----------
    attached
        What `attach` returned.
    basis
        Its basis.

    Returns
    -------
    SecondOrderFields
        The quadratic displacement field at all nodes.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=10, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> attached = ff.reduction.attach(blade, reference=ff.reduction.MeanAxes())
    >>> basis = ff.reduction.reduction_basis(attached, ff.reduction.Modal(2))
    >>> type(ff.reduction.second_order_fields(attached, basis)).__name__
    'SecondOrderFields'
    """
    discrete, V = attached.discrete, basis.vectors
    r, t = np.triu_indices(basis.size)
    forces, moved = _quadratic_forces(discrete, V)[:, r, t], _followers(discrete, V)[:, r, t]
    G = -attached.flexibility(forces)
    if moved.any():
        G += attached.without_rigid(moved) - attached.flexibility(np.asarray(discrete.stiffness @ moved))
    fields, inertia = np.hstack([V, G]), discrete.inertia
    return SecondOrderFields(
        pairs=np.stack([r, t], axis=1),
        vectors=G,
        origin_coupling=inertia.origin_coupling @ fields,
        position_coupling=inertia.position_coupling @ fields,
        shape_products=shape_products(discrete, fields),
    )


def consistent_mass_matrix(body: ReducedBody, second: SecondOrderFields, deformation: Array) -> Array:
    """M(δ) of (v, ω, δ̇) for x + Vδ + u₂ without truncation: (6 + m, 6 + m), positive definite.

    Parameters
    ----------
    body
        The reduced body.
    second
        Its fields of second order.
    deformation
        Coordinates δ: (m,).

    Returns
    -------
    Array
        M(δ) in SI units.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=10, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> attached = ff.reduction.attach(blade, reference=ff.reduction.MeanAxes())
    >>> basis = ff.reduction.reduction_basis(attached, ff.reduction.Modal(2))
    >>> body = ff.reduction.reduce_body(blade, ff.reduction.Modal(2), reference=ff.reduction.MeanAxes())
    >>> fields = ff.reduction.second_order_fields(attached, basis)
    >>> ff.reduction.consistent_mass_matrix(body, fields, np.full(2, 0.01)).shape
    (8, 8)
    """
    eta = np.concatenate([deformation, second.products(deformation)])
    J = np.concatenate([np.eye(len(deformation)), second.product_slopes(deformation)])
    Y, X = second.shape_products, second.position_coupling
    s = skew(body.first_moment + second.origin_coupling @ eta)
    # ∫ρ (x + u)_a N_b and ∫ρ (x + u)(x + u)ᵀ
    arms = X + np.einsum("abtr,t->abr", Y, eta)
    moments = body.second_moment + X @ eta + (arms @ eta).T
    inertia = np.trace(moments) * np.eye(3) - (moments + moments.T) / 2
    M_O = second.origin_coupling @ J
    M_r = np.array([arms[b, c] - arms[c, b] for _, b, c in CYCLIC]) @ J
    elastic = J.T @ np.einsum("kkrt->rt", Y) @ J
    return np.block([[body.mass * np.eye(3), -s, M_O], [s, inertia, M_r], [M_O.T, M_r.T, elastic]])


def _quadratic_forces(discrete: DiscreteBody, vectors: Array) -> Array:
    """c_rt: what a displacement of one degree of freedom stiffens the fields r and t by: (p, m, m)."""
    size = vectors.shape[1]
    out = np.zeros((discrete.dofs.count + 1, size, size))
    padded = np.concatenate([vectors, np.zeros((1, size))])
    for batch in discrete.batches:
        for part in batch.pieces():
            numbers = discrete.dofs.of_elements(part)
            np.add.at(out, numbers, element_forces(part, padded[numbers]))
    return out[:-1]


def element_forces(part: ElementBatch, fields: Array) -> Array:
    """c_rt of each element on its fields (elements, p, m): (elements, p, m, m)."""
    made = []
    for column in range(part.element_dofs):
        unit = np.zeros(fields.shape[:2])
        unit[:, column] = 1.0
        made.append(_unit_stiffness(part, unit, fields))
    return np.stack(made, axis=1)


def _unit_stiffness(part: ElementBatch, displacements: Array, fields: Array) -> Array:
    """Geometric stiffness of the stress of element displacements, on element fields: (elements, m, m)."""
    family, values = part.family, stress(part, displacements).values
    if is_structural(family):
        blocks = structural_geometric(family, part, values, np.zeros((3, 3)))
        return np.matmul(fields.swapaxes(1, 2), np.matmul(blocks, fields))
    assert is_interpolated(family)
    scalars = scalar_geometric(family, part, values)
    nodal = fields.reshape(part.count, family.cell.nodes, -1)
    moved = np.matmul(scalars, nodal).reshape(fields.shape)
    return np.matmul(fields.swapaxes(1, 2), moved)


def _followers(discrete: DiscreteBody, vectors: Array) -> Array:
    """w_rt: θ × (θ × r) of the nodes that follow rigid couplings, bilinear in the fields: (p, m, m)."""
    size = vectors.shape[1]
    out = np.zeros((discrete.dofs.count + 1, size, size))
    padded = np.concatenate([vectors, np.zeros((1, size))])
    for join in rigid_joins(discrete.body, discrete.dofs):
        turn = padded[join.rotations]
        along = join.arms @ turn  # θ·r: (nodes, m)
        product = np.einsum("ir,nt->nirt", turn, along)
        moved = (product + product.swapaxes(2, 3)) / 2
        moved -= np.einsum("ni,kr,kt->nirt", join.arms, turn, turn)
        present = join.followers >= 0
        out[join.followers[present]] += moved[present]
    couplings = discrete.supports.couplings
    return out[:-1] if couplings is None else couplings.follow(out[:-1])

"""The next order of a body: what the theory of small deflections leaves out.

The theory has a displacement field of second order, u = u₁ + u₂, and the strain energy ½ δᵀk δ of u₁. What the
field strains in second order, ε₂, is zero where a body can relax it; the rest, and strains ε₃ of third order, have

    V₄ = ½ ∫ ε₂·D ε₂ + ∫ ε₁·D ε₃ .

With slopes t of the axis of a beam as coordinates, r′ = (√(1 − t²), t), the least rotation to the tangent is by ϑ
whose length is the sine of the angle, and sections are twisted by α = φ + α₂ after it:

    κ = rot(−α)(ϑ′ + ½ ϑ(ϑ·ϑ′)) + α′x − ½ ϑ × ϑ′,      κ₃ = ½ ϑ(ϑ·κ) + ½ φ² κ − α₂ x × κ

where u₂ has taken what is of second order; in a plane κ₃ = ½ ϑ²κ, as of κ = w″/√(1 − w′²). Shear and twist
strains, whose coordinates are sines as well, grow by ½ϑ². The axis is shorter by u₄′ = −⅛ ϑ⁴ than u₂ has it.

Shells and solids have the energy and the rotation of each element instead, ∫ U θ² dA, as an estimate: right for
bending in one direction.
"""

from dataclasses import dataclass, replace

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.beam_lines import AXIAL, BEND_Y, BEND_Z, RX, RY, RZ, SHEAR_Y, SHEAR_Z, TWIST
from flexframe.elements.contract import (
    ElementBatch,
    at_nodes,
    element_ends,
    is_beam,
    is_interpolated,
    is_structural,
)
from flexframe.elements.integration import gradients, stiffness
from flexframe.maths.arrays import Array
from flexframe.reduction.attached import AttachedBody
from flexframe.reduction.reduced_body import NextOrder, QuarticEnergy, ReducedBody, Shortening
from flexframe.reduction.second_order import SecondOrderFields, element_forces, second_order_fields

_NEGLIGIBLE = 1e-9
"""Part of the largest term of V₄ below which a term is left out."""

_TWISTS, _MOST_TWISTS = 1e-4, 6  # part of the largest energy of a modal derivative, and how many are kept
_RIGID = 1e-10  # part of the largest eigenvalue of an element's stiffness below which it is that of a rigid motion


def quartic_energy(
    discrete: DiscreteBody, vectors: Array, second: SecondOrderFields | None = None
) -> QuarticEnergy:
    """V₄ on a basis V (p, m); without the fields of second order what they strain and twist is left out."""
    size = vectors.shape[1]
    if not size:
        return QuarticEnergy(np.zeros(0), np.zeros((0, 0, 0)))
    # coordinates of equal energy: those of stretching would otherwise drown those of bending
    stiff = np.einsum("pr,pr->r", vectors, np.asarray(discrete.stiffness @ vectors))
    unit = 1 / np.sqrt(np.maximum(stiff, np.finfo(float).tiny))
    padded = np.concatenate([vectors * unit, np.zeros((1, size))])
    bent = np.zeros((len(padded), size, size))
    if second is not None:
        r, t = second.pairs.T
        bent[:-1, r, t] = bent[:-1, t, r] = second.vectors * unit[r] * unit[t]
    tensor = np.zeros((size * size, size * size))
    for batch in discrete.batches:
        for part in batch.pieces():
            numbers = discrete.dofs.of_elements(part)
            nodal = padded[numbers]
            if is_beam(part.family):
                tensor += _of_beams(part, nodal, bent[numbers])
            else:
                energies, turns = _energies(part, nodal), _squared_rotations(part, nodal)
                tensor += energies.reshape(part.count, -1).T @ turns.reshape(part.count, -1)
            if second is not None and is_structural(part.family):
                tensor += _not_relaxed(part, nodal, bent[numbers])
    values, forms = np.linalg.eigh((tensor + tensor.T) / 2)
    kept = np.abs(values) > _NEGLIGIBLE * np.abs(values).max(initial=0.0)
    forms = (forms[:, kept] * np.sqrt(np.abs(values[kept]))).T.reshape(-1, size, size)
    forms = (forms + forms.swapaxes(1, 2)) / (2 * np.outer(unit, unit))
    return QuarticEnergy(np.sign(values[kept]), forms)


def sixth_order_energy(discrete: DiscreteBody, vectors: Array, deformations: Array) -> Array:
    """∫ U θ⁴ of states (T, m), the next term after V₄ of a beam in a plane, by means over elements: (T,)."""
    padded = np.concatenate([vectors, np.zeros((1, vectors.shape[1]))])
    total = np.zeros(len(deformations))
    for batch in discrete.batches:
        for part in batch.pieces():
            nodal = padded[discrete.dofs.of_elements(part)]
            energy, turn = (
                np.einsum("tr,ers,ts->te", deformations, forms, deformations, optimize=True)
                for forms in (_energies(part, nodal), _squared_rotations(part, nodal))
            )
            total += (energy * turn**2).sum(axis=1) / 2
    return total


def twist_loads(discrete: DiscreteBody, vectors: Array) -> Array:
    """Torques that bending in two planes puts on beams whose stiffness differs in them: (p, k).

    Their static answers are modal derivatives of pairs of bending shapes; few modes have such a twist.
    """
    size = vectors.shape[1]
    stiff = np.einsum("pr,pr->r", vectors, np.asarray(discrete.stiffness @ vectors))
    scaled = vectors / np.sqrt(np.maximum(stiff, np.finfo(float).tiny))
    padded = np.concatenate([scaled, np.zeros((1, size))])
    out = np.zeros((discrete.dofs.count + 1, size, size))
    for batch in discrete.batches:
        for part in batch.pieces():
            numbers = discrete.dofs.of_elements(part)
            at = _points(part, padded[numbers])
            torque = _product(at.force[BEND_Z], at.strain[BEND_Y]) - _product(at.force[BEND_Y], at.strain[BEND_Z])
            torque = (at.weights[..., None] * torque).reshape(-1, part.count, size, size)
            np.add.at(out, numbers, np.einsum("egp,gert->eprt", at.twist, torque, optimize=True))
    forces = (out[:-1] + out[:-1].swapaxes(1, 2)).reshape(discrete.dofs.count, -1) / 2
    answers = discrete.equilibrium.solve(forces).displacements
    work = forces.T @ answers
    values, combinations = np.linalg.eigh((work + work.T) / 2)
    kept = np.flatnonzero(values > _TWISTS * values.max(initial=0.0))[-_MOST_TWISTS:]
    felt = values.max(initial=0.0) > _NEGLIGIBLE  # beside shapes of unit energy
    return np.asarray(forces @ combinations[:, kept[::-1]]) if felt else np.zeros((discrete.dofs.count, 0))


def with_next_order(attached: AttachedBody, reduced: ReducedBody) -> ReducedBody:
    """The reduced body with V₄ and u₄: equations of third order."""
    discrete, V = attached.discrete, reduced.basis.vectors
    energy = quartic_energy(discrete, V, second_order_fields(attached, reduced.basis))
    leans, fields = _shortening(attached, V)
    order = NextOrder(
        energy=energy,
        leans=leans,
        origin_shortening=discrete.inertia.origin_coupling @ fields,
        position_shortening=discrete.inertia.position_coupling @ fields,
    )
    places = (*attached.interfaces, *attached.sensors)
    points = [
        replace(point, shortening=Shortening(leans, np.asarray(place.rows @ fields)))
        for point, place in zip((*reduced.interfaces, *reduced.sensors), places, strict=True)
    ]
    count = len(reduced.interfaces)
    return replace(reduced, next_order=order, interfaces=tuple(points[:count]), sensors=tuple(points[count:]))


_FOURTH_POWERS = np.array([[1.0, 0.0, 4 / 6], [0.0, 1.0, 4 / 6], [1.0, 1.0, 1 / 6], [1.0, -1.0, 1 / 6]])
"""(a² + b²)² as a sum of fourth powers of combinations of a and b, with their weights."""


def _shortening(attached: AttachedBody, vectors: Array) -> tuple[Array, Array]:
    """Slopes L (g, m) at points of beams, and U (p, g): their axis is shorter by ⅛ ϑ⁴ along its own direction."""
    discrete, size = attached.discrete, vectors.shape[1]
    padded = np.concatenate([vectors, np.zeros((1, size))])
    leans, forces = [np.zeros((0, size))], [np.zeros((discrete.dofs.count, 0))]
    for batch in discrete.batches:
        for part in batch.pieces() if is_beam(batch.family) else ():
            family, numbers = part.family, discrete.dofs.of_elements(part)
            assert is_structural(family)
            arms = family.arms(part.coordinates, part.prop)
            fields = family.strain_fields(element_ends(part, arms), part.prop)
            turns = np.einsum("egsp,epr->egsr", at_nodes(fields.slope, arms)[:, :, [RY, RZ]], padded[numbers])
            pulls = fields.weights[..., None] * at_nodes(fields.resultant, arms)[:, :, AXIAL]
            elements, points = pulls.shape[:2]
            nodal = np.zeros((discrete.dofs.count + 1, elements, points))
            np.add.at(
                nodal,
                (numbers[:, :, None], np.arange(elements)[:, None, None], np.arange(points)),
                pulls.swapaxes(1, 2),
            )
            pulled = nodal[:-1].reshape(-1, elements * points)
            turns = turns.reshape(elements * points, 2, size)
            for first, second, weight in _FOURTH_POWERS if turns[:, 0].any() else ((0.0, 1.0, 1.0),):
                leans.append(first * turns[:, 0] + second * turns[:, 1])
                forces.append(weight * pulled)
    L, f = np.concatenate(leans), np.concatenate(forces, axis=1)
    largest = np.abs(L).max(axis=1, initial=0.0)
    felt = largest > _NEGLIGIBLE * largest.max(initial=0.0)
    return L[felt], -attached.flexibility(f[:, felt]) / 8


@dataclass(frozen=True, eq=False)
class _Points:
    """Fields of beams at their points of integration, points first, then elements: (…, points · elements, m)."""

    weights: Array  # (n, 1)
    strain: Array  # (6, n, m)
    force: Array  # resultants: (6, n, m)
    slope: Array  # (slopes, n, m)
    twist: Array  # rotation about the axis by nodal displacements: (elements, points, p)


def _points(part: ElementBatch, nodal: Array) -> _Points:
    family, size = part.family, nodal.shape[2]
    assert is_structural(family)
    arms = family.arms(part.coordinates, part.prop)
    fields = family.strain_fields(element_ends(part, arms), part.prop)
    strain, force, slope = (
        np.einsum("egsp,epr->sger", at_nodes(rows, arms), nodal, optimize=True).reshape(rows.shape[2], -1, size)
        for rows in (fields.strain, fields.resultant, fields.slope)
    )
    return _Points(fields.weights.T.reshape(-1, 1), strain, force, slope, at_nodes(fields.slope, arms)[:, :, RX])


def _product(first: Array, second: Array) -> Array:
    return np.asarray(np.einsum("nr,nt->nrt", first, second))


def _of_beams(part: ElementBatch, nodal: Array, bent: Array) -> Array:
    """∫ ε₁·D ε₃ as twice a product of two forms: (m², m²)."""
    size, at = nodal.shape[2], _points(part, nodal)
    strain, force = at.strain, at.force
    twist = np.einsum("egp,eprt->gert", at.twist, bent, optimize=True)
    (turn_y, turn_z, turn_x), (m_y, m_z, m_x) = at.slope[[RY, RZ, RX]], force[[BEND_Y, BEND_Z, TWIST]]
    k_y, k_z, k_x = strain[[BEND_Y, BEND_Z, TWIST]]
    pairs = (
        (_product(m_y, turn_y) + _product(m_z, turn_z), _product(turn_y, k_y) + _product(turn_z, k_z)),
        (_product(turn_x, turn_x), _product(m_y, k_y) + _product(m_z, k_z) + _product(m_x, k_x)),
        (_product(turn_z, turn_z), _product(force[SHEAR_Y], strain[SHEAR_Y])),
        (_product(turn_y, turn_y), _product(force[SHEAR_Z], strain[SHEAR_Z])),
        (-twist.reshape(-1, size, size), _product(m_z, k_y) - _product(m_y, k_z)),
    )
    flat = [tuple((form + form.swapaxes(1, 2)).reshape(-1, size * size) / 2 for form in pair) for pair in pairs]
    return sum(((at.weights * first).T @ second for first, second in flat), np.zeros((size**2, size**2)))


def _not_relaxed(part: ElementBatch, nodal: Array, bent: Array) -> Array:
    """½ ∫ ε₂·D ε₂ as twice a product of two forms, by the forces of ε₂ at the nodes: (m², m²).

    Of a strain of second order an element can only have what its displacements can; the rest, as of w′² along an
    element whose stretch is constant, would lock it.
    """
    size, k = nodal.shape[2], _element_stiffness(part)
    forces = element_forces(part, nodal)
    forces += np.einsum("epq,eqrt->eprt", k, bent, optimize=True)
    forces = (forces + forces.swapaxes(2, 3)).reshape(part.count, -1, size * size) / 4
    scale = 1 / np.sqrt(np.maximum(np.einsum("epp->ep", k), np.finfo(float).tiny))
    soft = np.linalg.pinv(k * scale[:, :, None] * scale[:, None, :], rcond=_RIGID, hermitian=True)
    scaled = forces * scale[:, :, None]
    return np.asarray(np.einsum("epa,epq,eqb->ab", scaled, soft, scaled, optimize=True))


def _energies(part: ElementBatch, nodal: Array) -> Array:
    """E of each element on the basis: (elements, m, m)."""
    return np.matmul(nodal.swapaxes(1, 2), np.matmul(_element_stiffness(part), nodal))


def _element_stiffness(part: ElementBatch) -> Array:
    blocks = stiffness(part)
    elements, nodes, _, dofs, _ = blocks.shape
    return blocks.transpose(0, 1, 3, 2, 4).reshape(elements, nodes * dofs, nodes * dofs)


def _squared_rotations(part: ElementBatch, nodal: Array) -> Array:
    """Θ, the mean of θθᵀ over each element on the basis: (elements, m, m)."""
    family, size = part.family, nodal.shape[2]
    if is_structural(family):
        return family.mean_squared_rotation(part.coordinates, nodal)
    assert is_interpolated(family)
    at = gradients(family, part, family.stiffness_rule)
    share = at.weights / at.weights.sum(axis=1, keepdims=True)
    fields = nodal.reshape(part.count, family.cell.nodes, -1, size)
    slopes = np.einsum("eg,egad,eair->edir", share, at.gradient, fields, optimize=True)  # ∂_d u_i
    if at.tangents is not None:  # of a bar: t × ∂u/∂s
        axis = np.einsum("eg,egi->ei", share, at.tangents)
        turns = np.cross(axis[:, :, None], slopes[:, 0], axis=1)
    else:
        skew = (slopes - slopes.swapaxes(1, 2)) / 2
        d = slopes.shape[1]
        turns = np.stack([skew[:, i, k] for i in range(d) for k in range(i)], axis=1)
    return np.einsum("eir,eit->ert", turns, turns, optimize=True)

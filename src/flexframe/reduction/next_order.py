"""The strain energy of fourth order that the theory of small deflections leaves out.

The theory has a displacement field of second order and the strain energy ½ δᵀk δ. With the transverse displacement
w of an inextensible beam as the coordinate its curvature is κ = w″/√(1 − w′²), so that ½∫EI κ² has the next term

    V₄ = ½ ∫ EI w″² w′² dx = ∫ U θ² dx,

U the density of the energy of bending and θ the rotation of the section against the frame. The last form is taken
for every element: exact to this order for bending in a plane, an upper bound for bending in two, and an estimate
of the order of magnitude for shells and solids, where bending in two directions also stretches the middle surface.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.contract import ElementBatch, is_interpolated, is_structural
from flexframe.elements.integration import gradients, stiffness
from flexframe.maths.arrays import Array

_NEGLIGIBLE = 1e-9
"""Part of the largest term of V₄ below which a term is left out."""


@dataclass(frozen=True, eq=False)
class QuarticEnergy:
    """V₄ = ½ Σ_j s_j (δᵀR_j δ)² with symmetric R_j."""

    signs: Array  # ±1: (terms,)
    forms: Array  # R: (terms, m, m)

    def value(self, deformation: Array) -> Array:
        """V₄ [J] of coordinates (…, m)."""
        squares = np.einsum("...r,jrt,...t->...j", deformation, self.forms, deformation, optimize=True)
        return np.asarray(0.5 * (squares**2) @ self.signs)


def quartic_energy(discrete: DiscreteBody, vectors: Array) -> QuarticEnergy:
    """V₄ on a basis V (p, m): the sum of ½ (δᵀE δ)(δᵀΘ δ) over the elements, ½ δᵀE δ the energy of one."""
    size = vectors.shape[1]
    if not size:
        return QuarticEnergy(np.zeros(0), np.zeros((0, 0, 0)))
    # coordinates of equal energy: those of stretching would otherwise drown those of bending
    stiff = np.einsum("pr,pr->r", vectors, np.asarray(discrete.stiffness @ vectors))
    unit = 1 / np.sqrt(np.maximum(stiff, np.finfo(float).tiny))
    padded = np.concatenate([vectors * unit, np.zeros((1, size))])
    tensor = np.zeros((size * size, size * size))
    for batch in discrete.batches:
        for part in batch.pieces():
            nodal = padded[discrete.dofs.of_elements(part)]
            energies, turns = _energies(part, nodal), _squared_rotations(part, nodal)
            tensor += energies.reshape(part.count, -1).T @ turns.reshape(part.count, -1)
    values, forms = np.linalg.eigh((tensor + tensor.T) / 2)
    kept = np.abs(values) > _NEGLIGIBLE * np.abs(values).max(initial=0.0)
    forms = (forms[:, kept] * np.sqrt(np.abs(values[kept]))).T.reshape(-1, size, size)
    forms = (forms + forms.swapaxes(1, 2)) / (2 * np.outer(unit, unit))
    return QuarticEnergy(np.sign(values[kept]), forms)


def _energies(part: ElementBatch, nodal: Array) -> Array:
    """E of each element on the basis: (elements, m, m)."""
    blocks = stiffness(part)
    elements, nodes, _, dofs, _ = blocks.shape
    k = blocks.transpose(0, 1, 3, 2, 4).reshape(elements, nodes * dofs, nodes * dofs)
    return np.matmul(nodal.swapaxes(1, 2), np.matmul(k, nodal))


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

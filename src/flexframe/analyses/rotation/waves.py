"""Waves around the spin axis: signed nodal diameters of complex shapes, and what they are in space.

The displacement of a turned body, in cylindrical components, changes by ∂_θu = (a × x)·∇u − a × u with the angle.
A wave e^{i(nθ + ωt)} of the turning frame is e^{i(nθ + (ω − nΩ)t)} in space.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.contract import is_interpolated
from flexframe.elements.integration import gradients, volume_weights
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.maths.rotations import skew

_CHUNK = 2000  # elements
_PURE = 0.1


@dataclass(frozen=True, eq=False)
class Waves:
    """Quadratic forms of a basis whose coordinates are y: ∫ρ|u|², ∫ρ u·∂_θu and ∫ρ|∂_θu|²: (r, r) each."""

    size: Array
    first: Array
    second: Array

    def signed(self, vectors: ComplexArray) -> Array:
        """n of travelling waves e^{inθ}, the mean of n for mixtures: (m,)."""
        return _form(self.first, vectors).imag / _form(self.size, vectors).real

    def diameters(self, vectors: ComplexArray) -> Array:
        """Nodal diameters, NaN for shapes that mix several: (m,)."""
        squared = _form(self.second, vectors).real / _form(self.size, vectors).real
        number = np.rint(np.sqrt(np.maximum(squared, 0.0)))
        return np.where(np.abs(squared - number**2) <= _PURE * np.maximum(1, number), number, np.nan)

    def travelling(self, vectors: ComplexArray) -> Array:
        """Signed n of waves that travel with one number of nodal diameters, NaN for others: (m,)."""
        signed, number = self.signed(vectors), self.diameters(vectors)
        return np.where(np.abs(np.abs(signed) - number) < 0.25, np.copysign(number, signed), np.nan)


def _form(matrix: Array, vectors: ComplexArray) -> ComplexArray:
    return np.einsum("im,ij,jm->m", vectors.conj(), matrix, vectors, optimize=True)


def waves(discrete: DiscreteBody, basis: Array, mass: SparseMatrix, axis: Array) -> Waves | None:
    """Forms of the columns of a basis (n, r) of the supported body; None where the body does not fill circles.

    Bodies of plane or solid elements are integrated. A shaft of beams on the axis turns with its nodes; beams
    elsewhere do not fill circles.
    """
    full = discrete.supports.expand(basis)
    if all(is_interpolated(batch.family) and batch.family.cell.dimension >= 2 for batch in discrete.batches):
        return _integrated(discrete, full, axis)
    points = discrete.body.mesh.points
    used = (discrete.dofs.numbers >= 0).any(axis=1)
    if discrete.body.space == "planar" or np.abs(points[used] @ skew(axis)).max() > 1e-9 * discrete.size:
        return None
    if any(is_interpolated(batch.family) for batch in discrete.batches):
        return None
    nodal = discrete.dofs.nodal(full)  # (nodes, 6, r)
    turned = np.concatenate([-np.einsum("ij,njr->nir", skew(axis), nodal[:, s]) for s in _VECTORS], axis=1)
    present = discrete.dofs.numbers >= 0
    derivative = np.zeros_like(full)
    derivative[discrete.dofs.numbers[present]] = turned[present]
    M = discrete.mass
    moved = np.asarray(M @ derivative)
    return Waves(basis.T @ np.asarray(mass @ basis), full.T @ moved, derivative.T @ moved)


_VECTORS = (slice(0, 3), slice(3, 6))


def _integrated(discrete: DiscreteBody, full: Array, axis: Array) -> Waves | None:
    size = full.shape[1]
    forms = [np.zeros((size, size)) for _ in range(3)]
    nodal = discrete.dofs.nodal(full)[:, :3]  # (nodes, 3, r)
    for batch in discrete.batches:
        family = batch.family
        assert is_interpolated(family)
        dimension = family.cell.dimension
        if dimension == 2 and abs(axis[2]) < 1 - 1e-12:
            return None
        rule = family.mass_rule
        phi = family.shape(rule.points)
        for start in range(0, batch.count, _CHUNK):
            part = batch.taken(slice(start, start + _CHUNK))
            weights = np.sqrt(volume_weights(family, part, rule) * part.prop.material.density)
            swirl = np.einsum("ga,eai->egi", phi, part.coordinates) @ skew(axis).T
            slope = gradients(family, part, rule).gradient
            along = np.einsum("egad,egd->ega", slope, swirl[..., :dimension], optimize=True)
            corners = nodal[part.nodes]  # (e, a, 3, r)
            u = np.einsum("eg,ga,eair->egir", weights, phi, corners, optimize=True)
            change = np.einsum("eg,ega,eair->egir", weights, along, corners, optimize=True)
            change -= np.einsum("ij,egjr->egir", skew(axis), u)
            u, change = u.reshape(-1, size), change.reshape(-1, size)
            forms = [forms[0] + u.T @ u, forms[1] + u.T @ change, forms[2] + change.T @ change]
    return Waves(*forms)

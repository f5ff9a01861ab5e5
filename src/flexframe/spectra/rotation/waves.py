"""Waves around the spin axis: signed nodal diameters of complex shapes, and what they are in space.

The displacement of a turned body, in cylindrical components, changes by ∂_θu = (a × x)·∇u − a × u with the angle.
A wave e^{i(nθ + ωt)} of the turning frame is e^{i(nθ + (ω − nΩ)t)} in space.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.angular import AngularContent, angular_content
from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.contract import ElementBatch, InterpolatedFamily, is_interpolated
from flexframe.elements.integration import gradients, volume_weights
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.quadrature import Quadrature
from flexframe.maths.rotations import skew

_PURE = 0.1
_MANY = 2_000  # elements
_VECTORS = (slice(0, 3), slice(3, 6))


@dataclass(frozen=True, eq=False)
class Waves:
    """How shapes vary around the axis; `content` takes coordinates in a basis: (r, m)."""

    content: Callable[[ComplexArray], AngularContent]

    def diameters(self, vectors: ComplexArray) -> Array:
        """Nodal diameters, NaN for shapes that mix several: (m,)."""
        return _diameters(self.content(vectors))

    def travelling(self, vectors: ComplexArray) -> Array:
        """Signed n of waves e^{inθ} that travel with one number of nodal diameters, NaN for others: (m,)."""
        content = self.content(vectors)
        number = _diameters(content)
        return np.where(
            np.abs(np.abs(content.signed) - number) < 0.25, np.copysign(number, content.signed), np.nan
        )


def _diameters(content: AngularContent) -> Array:
    number = np.rint(np.sqrt(np.maximum(content.squared, 0.0)))
    return np.where(np.abs(content.squared - number**2) <= _PURE * np.maximum(1, number), number, np.nan)


@dataclass(frozen=True, eq=False)
class _Forms:
    """∫ρ|u|², ∫ρ u·∂_θu and ∫ρ|∂_θu|² as matrices of the basis: (r, r) each."""

    size: Array
    first: Array
    second: Array

    def content(self, vectors: ComplexArray) -> AngularContent:
        size, first, second = (
            np.einsum("im,ij,jm->m", vectors.conj(), form, vectors, optimize=True)
            for form in (self.size, self.first, self.second)
        )
        return AngularContent(first.imag / size.real, second.real / size.real)


def waves(discrete: DiscreteBody, basis: Array, axis: Array) -> Waves | None:
    """Waves in the columns of a basis (n, r) of the supported body; None where the body does not fill circles.

    Bodies of plane or solid elements are integrated once for the whole basis, shells shape by shape. A shaft of
    beams on the axis turns with its nodes; beams elsewhere do not fill circles.
    """
    lines = [batch.family.cell.dimension < 2 for batch in discrete.batches]
    full = discrete.supports.expand(basis)
    if not any(lines):
        if all(is_interpolated(batch.family) for batch in discrete.batches):
            forms = _integrate(discrete, full, axis)
            return None if forms is None else Waves(forms.content)
        return _by_shape(discrete, full, axis)
    used = (discrete.dofs.numbers >= 0).any(axis=1)
    away = np.abs(discrete.body.mesh.points[used] @ skew(axis)).max()
    if not all(lines) or discrete.body.space == "planar" or away > 1e-9 * discrete.size:
        return None
    return Waves(_on_the_axis(discrete, full, axis).content)


def _by_shape(discrete: DiscreteBody, full: Array, axis: Array) -> Waves | None:
    """Each shape by itself."""

    def content(vectors: ComplexArray) -> AngularContent:
        nodal = np.moveaxis(discrete.dofs.nodal(full @ vectors), -1, 0)[:, :, :3]
        found = angular_content(discrete, nodal, axis)
        assert found is not None, "tried out below"
        return found

    trial = np.moveaxis(discrete.dofs.nodal(full[:, :1]), -1, 0)[:, :, :3]
    return None if angular_content(discrete, trial, axis) is None else Waves(content)


def _on_the_axis(discrete: DiscreteBody, full: Array, axis: Array) -> _Forms:
    """Nodes on the axis stay where they are when the body turns: ∂_θu = −a × u, rotations alike."""
    nodal = discrete.dofs.nodal(full)  # (nodes, 6, r)
    turned = np.concatenate([-np.einsum("ij,njr->nir", skew(axis), nodal[:, s]) for s in _VECTORS], axis=1)
    present = discrete.dofs.numbers >= 0
    derivative = np.zeros_like(full)
    derivative[discrete.dofs.numbers[present]] = turned[present]
    own, moved = np.asarray(discrete.mass @ full), np.asarray(discrete.mass @ derivative)
    return _Forms(full.T @ own, full.T @ moved, derivative.T @ moved)


def _integrate(discrete: DiscreteBody, full: Array, axis: Array) -> _Forms | None:
    """Integrals over plane and solid elements."""
    size = full.shape[1]
    forms = [np.zeros((size, size)) for _ in range(3)]
    nodal = discrete.dofs.nodal(full)[:, :3]  # (nodes, 3, r)
    for batch in discrete.batches:
        family = batch.family
        assert is_interpolated(family)
        dimension = family.cell.dimension
        if dimension == 2 and abs(axis[2]) < 1 - 1e-12:
            return None
        rule = _rule(family, batch.count)
        phi = family.shape(rule.points)
        for part in _pieces(batch, size):
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
    return _Forms(*forms)


def _pieces(batch: ElementBatch, columns: int) -> Iterator[ElementBatch]:
    """Parts of a batch that take about 200 MB with all columns of a basis."""
    length = max(1, 8_000_000 // (columns * batch.nodes.shape[1] * 9))
    for start in range(0, batch.count, length):
        yield batch.take(slice(start, start + length))


def _rule(family: InterpolatedFamily, count: int) -> Quadrature:
    """A mean over many elements needs few points in each: one, at the centre, where there are thousands."""
    rule = family.stiffness_rule
    if count < _MANY:
        return rule
    return Quadrature(rule.points.mean(axis=0)[None], np.array([rule.weights.sum()]))

"""Gradients of the shape functions at quadrature points, for all elements of a batch at once."""

from dataclasses import dataclass

import numpy as np

from flexframe.elements.contract import ElementBatch, InterpolatedFamily
from flexframe.elements.properties import AxisymmetricProperty
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature


@dataclass(frozen=True)
class Gradients:
    """∂φ_a/∂x_i at the points of a rule, with the volume that each point stands for.

    For bars the gradient is along the bar, ∂φ/∂s, and `tangents` holds the unit vectors.
    """

    weights: Array  # dV: (elements, points)
    gradient: Array  # (elements, points, nodes, dimension)
    tangents: Array | None = None  # (elements, points, 3), bars only


def inverse_and_determinant(jacobian: Array) -> tuple[Array, Array]:
    """J⁻¹ and det J of (..., 2, 2) or (..., 3, 3) by cofactors, much faster than a batched LAPACK call."""
    inverse = np.empty_like(jacobian)
    if jacobian.shape[-1] == 2:
        a, b, c, d = (jacobian[..., i, j] for i in (0, 1) for j in (0, 1))
        determinant = a * d - b * c
        inverse[..., 0, 0], inverse[..., 0, 1] = d, -b
        inverse[..., 1, 0], inverse[..., 1, 1] = -c, a
    else:
        for i in range(3):
            for j in range(3):
                p, q = (j + 1) % 3, (j + 2) % 3
                r, s = (i + 1) % 3, (i + 2) % 3
                inverse[..., i, j] = (
                    jacobian[..., p, r] * jacobian[..., q, s] - jacobian[..., p, s] * jacobian[..., q, r]
                )
        determinant = np.einsum("...i,...i->...", jacobian[..., 0, :], inverse[..., :, 0])
    inverse /= determinant[..., None, None]
    return inverse, determinant


def volume_weights(family: InterpolatedFamily, batch: ElementBatch, rule: Quadrature) -> Array:
    """dV at the points of a rule: (elements, points)."""
    gradient = family.shape_gradient(rule.points)
    dimension = family.cell.dimension
    if dimension == 1:
        tangent = np.einsum("gad,eai->egi", gradient, batch.coordinates)
        measure = np.linalg.norm(tangent, axis=-1)
    else:
        jacobian = np.einsum("gad,eai->egid", gradient, batch.coordinates[:, :, :dimension], optimize=True)
        if dimension == 2:
            measure = jacobian[..., 0, 0] * jacobian[..., 1, 1] - jacobian[..., 0, 1] * jacobian[..., 1, 0]
        else:
            measure = np.einsum("...i,...i->...", jacobian[..., 0], np.cross(jacobian[..., 1], jacobian[..., 2]))
    return measure * rule.weights * _extent(family, batch, rule)


def _extent(family: InterpolatedFamily, batch: ElementBatch, rule: Quadrature) -> Array | float:
    """What the measure of the cell is multiplied by: that of the property, or 2πr in a section: (e, g) there."""
    if not isinstance(batch.prop, AxisymmetricProperty):
        return batch.prop.extent
    return np.asarray(2 * np.pi * batch.coordinates[:, :, 0] @ family.shape(rule.points).T)


def gradients(family: InterpolatedFamily, batch: ElementBatch, rule: Quadrature) -> Gradients:
    """Gradients in body axes at the points of a rule."""
    reference = family.shape_gradient(rule.points)
    dimension = family.cell.dimension
    scale = rule.weights * _extent(family, batch, rule)
    if dimension == 1:
        tangent = np.einsum("gad,eai->egi", reference, batch.coordinates)
        length = np.linalg.norm(tangent, axis=-1)
        gradient = reference[None] / length[:, :, None, None]
        return Gradients(length * scale, gradient, tangent / length[..., None])
    # J_id = ∂x_i/∂ξ_d and ∂φ/∂x_i = ∂φ/∂ξ_d (J⁻¹)_di
    jacobian = np.einsum("gad,eai->egid", reference, batch.coordinates[:, :, :dimension], optimize=True)
    inverse, determinant = inverse_and_determinant(jacobian)
    return Gradients(determinant * scale, np.matmul(reference[None], inverse))

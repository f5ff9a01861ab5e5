"""Angular content of displacement fields: how they vary along the circumference about an axis.

With ∂_θ u the derivative of the cylindrical components, n = ∫ρ ū·(−i∂_θ u) / ∫ρ|u|² is the signed number of nodal
diameters of a travelling wave e^{inθ}, and ∫ρ|∂_θ u|² / ∫ρ|u|² is n² for standing waves too. No rings of nodes are
needed, so this works on any mesh.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.contract import ElementBatch, InterpolatedFamily, is_interpolated
from flexframe.elements.integration import gradients, volume_weights
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.rotations import skew


@dataclass(frozen=True, eq=False)
class AngularContent:
    """Mean of n and of n² over the mass of the body, for each field."""

    signed: Array  # (fields,)
    squared: Array  # (fields,)


def angular_content(discrete: DiscreteBody, nodal: ComplexArray, axis: Array) -> AngularContent | None:
    """Angular content of nodal displacement fields (fields, nodes, 3) about a unit axis through the origin.

    None for bodies with elements that do not fill the circumference (beams, bars).
    """
    size = np.zeros(len(nodal))
    first = np.zeros(len(nodal), dtype=complex)
    second = np.zeros(len(nodal))
    for batch in discrete.batches:
        family = batch.family
        if not is_interpolated(family) or family.cell.dimension < 2:
            return None
        if family.cell.dimension == 2 and abs(axis[2]) < 1:
            return None
        for start in range(0, batch.count, 2000):
            part = batch.taken(slice(start, start + 2000))
            u, derivative, weights = _fields(family, part, nodal[:, part.nodes], axis)
            size += np.einsum("eg,fegi->f", weights, np.abs(u) ** 2, optimize=True)
            second += np.einsum("eg,fegi->f", weights, np.abs(derivative) ** 2, optimize=True)
            first += np.einsum("eg,fegi,fegi->f", weights, u.conj(), derivative, optimize=True)
    return AngularContent((first / size).imag, second / size)


def _fields(
    family: InterpolatedFamily, batch: ElementBatch, nodal: ComplexArray, axis: Array
) -> tuple[ComplexArray, ComplexArray, Array]:
    """u and ∂_θ u at the mass points, (fields, elements, points, 3), with ρ dV."""
    rule = family.mass_rule
    phi = family.shape(rule.points)
    dimension = family.cell.dimension
    positions = np.einsum("ga,eai->egi", phi, batch.coordinates)
    u = np.einsum("ga,feai->fegi", phi, nodal, optimize=True)
    # ∂_θ u = (axis × x)·∇u − axis × u
    swirl = positions @ skew(axis).T
    along = np.einsum(
        "egad,egd->ega", gradients(family, batch, rule).gradient, swirl[..., :dimension], optimize=True
    )
    derivative = np.einsum("ega,feai->fegi", along, nodal, optimize=True) - u @ skew(axis).T
    return u, derivative, volume_weights(family, batch, rule) * batch.prop.material.density

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
from flexframe.mesh.shapes import cell_geometry, volume_rule


@dataclass(frozen=True, eq=False)
class AngularContent:
    """Mean of n and of n² over the mass of the body, for each field."""

    signed: Array  # (fields,)
    squared: Array  # (fields,)


def angular_content(discrete: DiscreteBody, nodal: ComplexArray | Array, axis: Array) -> AngularContent | None:
    """Angular content of nodal displacement fields (fields, nodes, 3) about a unit axis through the origin.

    None for bodies with elements that do not fill the circumference (beams, bars).
    """
    nodal = nodal if np.iscomplexobj(nodal) and nodal.imag.any() else nodal.real  # standing waves: half the work
    size = np.zeros(len(nodal))
    first = np.zeros(len(nodal), dtype=complex)
    second = np.zeros(len(nodal))
    for batch in discrete.batches:
        family = batch.family
        if family.cell.dimension < 2:
            return None
        if is_interpolated(family) and family.cell.dimension == 2 and abs(axis[2]) < 1:
            return None
        for part in batch.pieces():
            if is_interpolated(family):
                u, derivative, weights = _fields(family, part, nodal[:, part.nodes], axis)
            else:
                u, derivative, weights = _surface_fields(part, nodal[:, part.nodes], axis)
            size += np.einsum("eg,fegi->f", weights, np.abs(u) ** 2, optimize=True)
            second += np.einsum("eg,fegi->f", weights, np.abs(derivative) ** 2, optimize=True)
            first += np.einsum("eg,fegi,fegi->f", weights, u.conj(), derivative, optimize=True)
    return AngularContent((first / size).imag, second / size)


def _fields(
    family: InterpolatedFamily, batch: ElementBatch, nodal: ComplexArray | Array, axis: Array
) -> tuple[ComplexArray | Array, ComplexArray | Array, Array]:
    """u and ∂_θ u at the mass points, (fields, elements, points, 3), with ρ dV."""
    dimension = family.cell.dimension
    # a mean over many elements: the mass rule of curved solids has several times more points than it needs
    rule = family.mass_rule if dimension == 2 else family.stiffness_rule
    phi = family.shape(rule.points)
    positions = np.einsum("ga,eai->egi", phi, batch.coordinates)
    u = np.einsum("ga,feai->fegi", phi, nodal, optimize=True)
    # ∂_θ u = (axis × x)·∇u − axis × u
    swirl = positions @ skew(axis).T
    along = np.einsum(
        "egad,egd->ega", gradients(family, batch, rule).gradient, swirl[..., :dimension], optimize=True
    )
    derivative = np.einsum("ega,feai->fegi", along, nodal, optimize=True) - u @ skew(axis).T
    return u, derivative, volume_weights(family, batch, rule) * batch.prop.material.density


def _surface_fields(
    batch: ElementBatch, nodal: ComplexArray | Array, axis: Array
) -> tuple[ComplexArray | Array, ComplexArray | Array, Array]:
    """The same for shells, from the nodal displacements along the surface; the weights are areas times mass.

    The swirl axis × x of a shell of revolution lies in the surface, so that the gradient along it is enough.
    """
    geometry, rule = cell_geometry(batch.family.cell), volume_rule(batch.family.cell)
    phi, reference = geometry.shape(rule.points), geometry.shape_gradient(rule.points)
    positions = np.einsum("ga,eai->egi", phi, batch.coordinates)
    u = np.einsum("ga,feai->fegi", phi, nodal, optimize=True)
    tangents = np.einsum("gad,eai->egid", reference, batch.coordinates)
    metric = np.matmul(tangents.swapaxes(2, 3), tangents)
    swirl = positions @ skew(axis).T
    # rates of ξ along the swirl: (JᵀJ)⁻¹ Jᵀ s
    rates = np.linalg.solve(metric, np.einsum("egid,egi->egd", tangents, swirl)[..., None])[..., 0]
    along = np.einsum("gad,egd->ega", reference, rates)
    derivative = np.einsum("ega,feai->fegi", along, nodal, optimize=True) - u @ skew(axis).T
    areas = np.sqrt(np.linalg.det(metric)) * rule.weights
    return u, derivative, areas * batch.prop.material.density * batch.prop.extent

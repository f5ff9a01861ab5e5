"""Four-node flat shell: bilinear membrane with incompatible modes, plate with assumed edge shear (MITC4).

Membrane: bilinear displacements with the incompatible modes of Taylor, Beresford and Wilson (1976), condensed
element by element, and θz tied to the rotation of the plane by a stiffness of its own. Plate: bilinear rotations,
shear interpolated from the middles of the edges (Dvorkin and Bathe 1984). A warped element is flat in its mean
plane and joined to its nodes by rigid arms across that plane.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.elements.contract import StrainFields
from flexframe.elements.properties import Property, ShellProperty
from flexframe.elements.shell_common import (
    Compatible,
    EdgeRule,
    FlatShell,
    MembranePart,
    ShellElasticity,
    Surface,
    compatible,
    drilling_factors,
    local_axes,
    shell_elasticity,
    shell_fields,
    shell_property,
    surface,
)
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature, gauss_square
from flexframe.mesh.cells import QUAD, Cell
from flexframe.mesh.shapes import cell_geometry


@dataclass(frozen=True)
class ShellQuadrilateral(FlatShell):
    """Flat shell with four nodes and six degrees of freedom at each."""

    name: ClassVar[str] = "shell_quadrilateral"
    cell: ClassVar[Cell] = QUAD
    rule: ClassVar[Quadrature] = gauss_square(2)
    wide: ClassVar[float] = 10.0

    def arms(self, coordinates: Array, prop: Property) -> Array:
        """From the nodes to the mean plane, along its normal: (elements, 4, 3)."""
        normal = local_axes(coordinates)[:, 2]
        height = np.einsum("eai,ei->ea", coordinates - coordinates.mean(axis=1, keepdims=True), normal)
        return (shell_property(prop).lift - height)[..., None] * normal[:, None]

    def strain_fields(self, coordinates: Array, prop: Property) -> StrainFields:
        """Strains and slopes at 2 × 2 Gauss points; the edge and point of one number share a place."""
        prop = shell_property(prop)
        at = surface(coordinates, self.cell, self.rule)
        fields = compatible(at, at.shape)
        elasticity = shell_elasticity(prop, at.axes)
        membrane = _membrane(at, fields, prop, elasticity)
        return shell_fields(at, fields, membrane, EdgeRule(None, _edge_shear(at)), elasticity)


_CENTRE = cell_geometry(QUAD).shape_gradient(np.zeros((1, 2)))[0]
# ∂P/∂ξ of P = 1 − ξ², 1 − η²: (points, modes, 2)
_MODES = -2.0 * ShellQuadrilateral.rule.points[:, :, None] * np.eye(2)


def _membrane(at: Surface, fields: Compatible, prop: ShellProperty, elasticity: ShellElasticity) -> MembranePart:
    """Incompatible modes condensed: B = B_u − B_α k_αα⁻¹ k_αu, in the drilling strain and of laminates in κ too.

    ∂P/∂x = (det J₀/det J) ∂P/∂ξ J₀⁻¹, J₀ at the centre, has zero mean, so that constant stress does no work on it.
    """
    elements, points = at.weights.shape
    jacobian = np.einsum("ad,eai->eid", _CENTRE, at.plane)
    scale = np.linalg.det(jacobian)[:, None] / at.weights  # the weights of the rule are 1
    gradient = np.matmul(_MODES[None], np.linalg.inv(jacobian)[:, None]) * scale[..., None, None]
    modes = np.zeros((elements, points, 4, 4))  # εxx, εyy, γxy, drilling over (u₁, u₂, v₁, v₂)
    modes[:, :, 0, :2] = modes[:, :, 2, 2:] = gradient[..., 0]
    modes[:, :, 1, 2:] = modes[:, :, 2, :2] = gradient[..., 1]
    modes[:, :, 3, :2], modes[:, :, 3, 2:] = gradient[..., 1] / 2, -gradient[..., 0] / 2
    D = np.zeros((elements, 1, 4, 4))
    D[:, 0, :3, :3] = elasticity.membrane
    D[:, 0, 3, 3] = drilling_factors(at, prop, ShellQuadrilateral.wide) * elasticity.drilling
    nodal = np.concatenate([fields.membrane, fields.drilling[:, :, None]], axis=2)
    weighted = np.matmul(D, modes) * at.weights[..., None, None]
    inner = np.einsum("egri,egrj->eij", weighted, modes, optimize=True)
    coupling = np.einsum("egri,egrp->eip", weighted, nodal, optimize=True)
    bent = 0.0 if elasticity.coupling is None else np.matmul(elasticity.coupling[:, None], fields.bending)
    if elasticity.coupling is not None:
        weights = at.weights[..., None, None]
        coupling = coupling + np.einsum("egri,egrp->eip", weights * modes[:, :, :3], bent, optimize=True)
    strain = nodal - np.matmul(modes, np.linalg.solve(inner, coupling)[:, None])
    resultant = np.matmul(D, strain)
    stretched = strain[:, :, :3]
    return MembranePart(stretched, stretched, resultant[:, :, :3] + bent, strain[:, :, 3], resultant[:, :, 3])


def _edge_shear(at: Surface) -> Array:
    """c of γ = c e: covariant shear linear between opposite edges, (elements, points, 2, 4)."""
    xi, eta = ShellQuadrilateral.rule.points.T
    covariant = np.zeros((len(xi), 2, 4))
    # an edge is two units of ξ or η long, the last two run backwards
    covariant[:, 0, 0], covariant[:, 0, 2] = (1 - eta) / 4, -(1 + eta) / 4
    covariant[:, 1, 1], covariant[:, 1, 3] = (1 + xi) / 4, -(1 - xi) / 4
    return np.matmul(at.inverse.swapaxes(2, 3), covariant)

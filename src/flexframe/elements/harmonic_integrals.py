"""Integrals over the section of a body of revolution, for every number n of nodal diameters at once.

The body turns about its y axis; its section lies in the x–y plane with x = r, and z points against the angle θ.
In the axes of the meridian at θ, turned with it about y, the displacement is

    u = Re[(u_x, u_y, i w) e^{inθ}],   ∂u/∂z = −(1/r) ∂u/∂θ,

so that the gradient H_ij = ∂u_i/∂x_j has the real amounts G = G₀ + n G₁ of u_x, u_y, w, times i where one of i, j
is z. Stiffness and geometric stiffness never couple amounts with and without i, are real therefore, and are
polynomials of n: K = K₀ + n K₁ + n² K₂.

    G_xz = −(n u_x + w)/r,   G_yz = −n u_y/r,   G_zz = (u_x + n w)/r,   G_zx = ∂w/∂x,   G_zy = ∂w/∂y
"""

from dataclasses import dataclass

import numpy as np

from flexframe.elements.continuum import elasticity_tensor
from flexframe.elements.contract import ElementBatch, InterpolatedFamily
from flexframe.elements.gradients import gradients
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature, gauss_square, triangle

_AXES = 3


def harmonic_rule(family: InterpolatedFamily) -> Quadrature:
    """p + 2 Gauss points in each direction of quadrilaterals, degree 4p in triangles, p the degree of the family.

    On parallelograms and on triangles with straight edges everything without 1/r is integrated exactly, and what
    has 1/r too where an edge lies on the axis, since regular displacements leave polynomials there. Elsewhere the
    relative error of the terms with 1/r is of the order of 34^−(p+2) in a rectangle as far from the axis as it is
    wide, and less farther out. Mass is integrated with the same rule, exactly in all cells with straight edges.
    """
    if family.cell.corners == 3:
        return triangle(4 * family.degree)
    return gauss_square(family.degree + 2)


@dataclass(frozen=True, eq=False)
class HarmonicGradients:
    """G₀ and G₁ at the points of the rule: (elements, points, 9, 3 nodes) each, row 3i + j for ∂u_i/∂x_j."""

    weights: Array  # dV of the whole circumference: (elements, points)
    still: Array  # G₀
    waved: Array  # G₁

    @classmethod
    def of(cls, family: InterpolatedFamily, batch: ElementBatch) -> "HarmonicGradients":
        """At the points of the rule."""
        rule = harmonic_rule(family)
        at = gradients(family, batch, rule)
        phi = family.shape(rule.points)
        over_r = phi[None] / (batch.coordinates[:, :, 0] @ phi.T)[..., None]  # φ/r: (e, g, a)
        elements, points, nodes, _ = at.gradient.shape
        still = np.zeros((elements, points, _AXES, _AXES, nodes, _AXES))
        waved = np.zeros_like(still)
        for i in range(_AXES):
            still[:, :, i, 0, :, i] = at.gradient[..., 0]
            still[:, :, i, 1, :, i] = at.gradient[..., 1]
        still[:, :, 0, 2, :, 2] = -over_r
        still[:, :, 2, 2, :, 0] = over_r
        waved[:, :, 0, 2, :, 0] = waved[:, :, 1, 2, :, 1] = -over_r
        waved[:, :, 2, 2, :, 2] = over_r
        flat = (elements, points, _AXES**2, nodes * _AXES)
        return cls(at.weights, still.reshape(flat), waved.reshape(flat))

    def powers(self, kernel: Array) -> Array:
        """K₀, K₁, K₂ of ∫ GᵀSG with S (9, 9) or one for each point: (3, elements, nodes, nodes, 3, 3)."""
        weighted = kernel * self.weights[..., None, None]
        left = [np.matmul(weighted, part) for part in (self.still, self.waved)]
        elements, points, rows, columns = self.still.shape
        still, waved, left_still, left_waved = (
            part.reshape(elements, points * rows, columns) for part in (self.still, self.waved, *left)
        )
        mixed = np.matmul(still.swapaxes(1, 2), left_waved)
        found = np.stack(
            [
                np.matmul(still.swapaxes(1, 2), left_still),
                mixed + mixed.swapaxes(1, 2),
                np.matmul(waved.swapaxes(1, 2), left_waved),
            ]
        )
        nodes = columns // _AXES
        return found.reshape(3, elements, nodes, _AXES, nodes, _AXES).transpose(0, 1, 2, 4, 3, 5)


def harmonic_stiffness(family: InterpolatedFamily, batch: ElementBatch) -> Array:
    """K₀, K₁, K₂ of ∫ C_ikjl H̄_ik H_jl dV: (3, elements, nodes, nodes, 3, 3)."""
    return HarmonicGradients.of(family, batch).powers(_elasticity(batch))


def harmonic_geometric(family: InterpolatedFamily, batch: ElementBatch, displacements: Array) -> Array:
    """K₀, K₁, K₂ of ∫ σ_kl H̄_ik H_il dV, of the stress of displacements with n = 0 (elements, 3 nodes).

    All nine gradients take part, also those that only the turning of the axes brings. (3, elements, nodes, nodes,
    3, 3).
    """
    at = HarmonicGradients.of(family, batch)
    stress = (at.still @ displacements[:, None, :, None])[..., 0] @ _elasticity(batch)
    stress = stress.reshape(*stress.shape[:2], _AXES, _AXES)
    return at.powers(np.asarray(np.kron(np.eye(_AXES), stress), dtype=float))


def harmonic_strain(family: InterpolatedFamily, batch: ElementBatch, displacements: Array) -> Array:
    """ε of displacements with n = 0 (elements, 3 nodes): (elements, points, 3, 3)."""
    gradient = (HarmonicGradients.of(family, batch).still @ displacements[:, None, :, None])[..., 0]
    gradient = gradient.reshape(*gradient.shape[:2], _AXES, _AXES)
    return np.asarray((gradient + gradient.swapaxes(2, 3)) / 2)


def _elasticity(batch: ElementBatch) -> Array:
    """C with σ_ik = C_ikjl u_j,l: (9, 9)."""
    return elasticity_tensor(batch.prop.elasticity()).reshape(_AXES**2, _AXES**2)

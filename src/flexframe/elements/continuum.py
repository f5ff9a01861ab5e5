"""Plane and solid elements at quadrature points: gradients, incompatible modes, bodies of revolution.

A body of revolution turns about its y axis; its section lies in the x–y plane with x = r, and z points against the
angle θ. In the axes of the meridian at θ, turned with it about y, the displacement with n nodal diameters is

    u = Re[(u_x, u_y, i w) e^{inθ}],   ∂u/∂z = −(1/r) ∂u/∂θ,

so that the gradient H_ij = ∂u_i/∂x_j has the real amounts G = G₀ + n G₁ of u_x, u_y, w, times i where one of i, j
is z. Stiffness and geometric stiffness never couple amounts with and without i, are real therefore, and are
polynomials of n: K = K₀ + n K₁ + n² K₂, for every n at once.

    G_xz = −(n u_x + w)/r,   G_yz = −n u_y/r,   G_zz = (u_x + n w)/r,   G_zx = ∂w/∂x,   G_zy = ∂w/∂y
"""

from dataclasses import dataclass

import numpy as np

from flexframe.elements.contract import ElementBatch, EnhancedFamily, InterpolatedFamily, is_enhanced
from flexframe.elements.properties import AxisymmetricProperty
from flexframe.elements.stress_measures import VOIGT_PLANE, VOIGT_SOLID
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature, gauss_square, triangle


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


def continuum_stiffness(at: Gradients, D: Array) -> Array:
    """∫ C_ikjl φ_a,k φ_b,l of plane or solid elements: (elements, n, n, d, d)."""
    elements, points, functions, dimension = at.gradient.shape
    # K_ai,bj = C_ikjl S_kl,ab with S_kl,ab = ∫ φ_a,k φ_b,l: two matrix products for all elements
    flat = at.gradient.reshape(elements, points, functions * dimension)
    products = np.matmul(np.swapaxes(flat * at.weights[..., None], 1, 2), flat)
    products = products.reshape(elements, functions, dimension, functions, dimension).transpose(0, 1, 3, 2, 4)
    contraction = elasticity_tensor(D).transpose(1, 3, 0, 2).reshape(dimension**2, dimension**2)
    blocks = products.reshape(-1, dimension**2) @ contraction
    return blocks.reshape(elements, functions, functions, dimension, dimension)


def strain_gradients(family: InterpolatedFamily, batch: ElementBatch) -> Gradients:
    """Gradients at the stiffness points of the functions φ and, after them, of the incompatible modes."""
    at = gradients(family, batch, family.stiffness_rule)
    if not is_enhanced(family):
        return at
    return Gradients(at.weights, np.concatenate([at.gradient, _mode_gradients(family, batch, at)], axis=2))


def _mode_gradients(family: EnhancedFamily, batch: ElementBatch, at: Gradients) -> Array:
    """∂P/∂x = (det J₀ / det J) ∂P/∂ξ J₀⁻¹ with J₀ at the centre: (elements, points, modes, dimension).

    As ∂P/∂ξ has zero mean so has this over the element, and constant stress does no work on the modes.
    """
    rule, dimension = family.stiffness_rule, family.cell.dimension
    centre = family.shape_gradient(rule.weights[None] @ rule.points / rule.weights.sum())
    jacobian = np.einsum("gad,eai->eid", centre, batch.coordinates[:, :, :dimension], optimize=True)
    inverse, determinant = inverse_and_determinant(jacobian)
    scale = determinant[:, None] * (rule.weights * batch.prop.extent) / at.weights
    reference = family.incompatible_gradient(rule.points)
    return np.matmul(reference[None], inverse[:, None]) * scale[..., None, None]


def mode_amounts(blocks: Array, nodes: int) -> tuple[Array, Array]:
    """k_uα and −k_αα⁻¹ k_αu, the incompatible modes that nodal displacements bring: (e, p, m), (e, m, p)."""
    elements, functions, _, dimension, _ = blocks.shape
    own = (functions - nodes) * dimension
    inner = blocks[:, nodes:, nodes:].transpose(0, 1, 3, 2, 4).reshape(elements, own, own)
    coupling = blocks[:, :nodes, nodes:].transpose(0, 1, 3, 2, 4).reshape(elements, nodes * dimension, own)
    return coupling, -np.asarray(np.linalg.solve(inner, coupling.swapaxes(1, 2)), dtype=float)


def elasticity_tensor(D: Array) -> Array:
    """C_ikjl of D in Voigt order, so that σ_ik = C_ikjl u_j,l: (d, d, d, d)."""
    voigt = VOIGT_PLANE if len(D) == 3 else VOIGT_SOLID
    dimension = 2 if len(D) == 3 else 3
    tensor = np.zeros((dimension,) * 4)
    for row, (i, k) in enumerate(voigt):
        for column, (j, m) in enumerate(voigt):
            for first in {(i, k), (k, i)}:
                for second in {(j, m), (m, j)}:
                    tensor[(*first, *second)] = D[row, column]
    return tensor


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

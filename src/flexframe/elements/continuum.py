"""Stiffness of plane and solid elements before condensation, with the incompatible modes of enhanced families."""

import numpy as np

from flexframe.elements.contract import ElementBatch, EnhancedFamily, InterpolatedFamily, is_enhanced
from flexframe.elements.gradients import Gradients, gradients, inverse_and_determinant
from flexframe.elements.stress_measures import VOIGT_PLANE, VOIGT_SOLID
from flexframe.maths.arrays import Array


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

"""Geometric stiffness of elements from the stress at their quadrature points."""

import numpy as np

from flexframe.elements.contract import ElementBatch, InterpolatedFamily, StructuralFamily
from flexframe.elements.gradients import gradients
from flexframe.elements.rigid_arms import at_nodes, element_ends, rows_of_pieces
from flexframe.elements.stress_measures import VOIGT_PLANE, VOIGT_SOLID
from flexframe.maths.arrays import Array


def scalar_geometric(family: InterpolatedFamily, batch: ElementBatch, stresses: Array) -> Array:
    """g_s = ∫ σ_ij φ_a,i φ_b,j dV of the stresses at the stiffness points: (elements, nodes, nodes)."""
    at = gradients(family, batch, family.stiffness_rule)
    dimension = family.cell.dimension
    if dimension == 1:
        tensor = stresses[..., None]
    else:
        tensor = np.empty((*stresses.shape[:2], dimension, dimension))
        voigt = VOIGT_PLANE if dimension == 2 else VOIGT_SOLID
        for component, (i, k) in enumerate(voigt):
            tensor[..., i, k] = tensor[..., k, i] = stresses[..., component]
    # out-of-plane stress of plane strain does no work on a field that does not depend on z
    weighted = np.matmul(at.gradient, tensor * at.weights[..., None, None])
    elements, points, nodes, _ = weighted.shape
    left = weighted.transpose(0, 2, 1, 3).reshape(elements, nodes, points * dimension)
    right = at.gradient.transpose(0, 2, 1, 3).reshape(elements, nodes, points * dimension)
    return np.matmul(left, right.swapaxes(1, 2))


def structural_geometric(
    family: StructuralFamily,
    batch: ElementBatch,
    resultants: Array,
    gradient: Array,
    constant: Array | None = None,
) -> Array:
    """k_g = ∫ Γᵀ (Σ_r S_r H_r + K) Γ of the resultants S and of the body force in the sections: (elements, p, p).

    `gradient` (3, 3) is A and `constant` (3,) or (elements, 3) is b of the body force b + A x per mass that acts
    inside the elements. The ends of rigid arms move by θ×arm + ½θ×(θ×arm) with a node that turns; the force that
    the element puts on them does work on the second part.
    """
    force = np.broadcast_to(0.0 if constant is None else constant, (batch.count, 3))
    return np.concatenate(
        [
            _geometric_of_piece(family, part, resultants[rows], gradient, force[rows])
            for part, rows in rows_of_pieces(batch)
        ]
    )


def _geometric_of_piece(
    family: StructuralFamily, batch: ElementBatch, resultants: Array, gradient: Array, constant: Array
) -> Array:
    arms = family.arms(batch.coordinates, batch.prop)
    ends = element_ends(batch, arms)
    fields = family.strain_fields(ends, batch.prop)
    kernel = np.tensordot(family.working_resultants(resultants, batch.prop), family.quadratic, axes=1)
    kernel += family.section_kernel(ends, batch.prop, gradient)
    kernel *= fields.weights[..., None, None]
    elements, points, slopes, dofs = fields.slope.shape
    right = np.matmul(kernel, fields.slope).reshape(elements, points * slopes, dofs)
    matrices = np.matmul(fields.slope.reshape(elements, points * slopes, dofs).swapaxes(1, 2), right)
    if arms is None:
        return matrices
    matrices = at_nodes(at_nodes(matrices, arms).swapaxes(1, 2), arms)
    forces = np.einsum("eg,egr,egrp->ep", fields.weights, resultants, fields.strain, optimize=True)
    samples = family.inertia_fields(ends, batch.prop)
    load = samples.positions @ gradient.T + constant[:, None]
    forces -= np.einsum("eg,egi,egip->ep", samples.weights, load, samples.shape, optimize=True)
    product = forces.reshape(arms.shape[0], -1, 6)[..., :3, None] * arms[..., None, :]
    turned = (product + product.swapaxes(2, 3)) / 2
    turned -= np.trace(product, axis1=2, axis2=3)[..., None, None] * np.eye(3)
    for node in range(arms.shape[1]):
        rotations = slice(6 * node + 3, 6 * node + 6)
        matrices[:, rotations, rotations] += turned[:, node]
    return matrices

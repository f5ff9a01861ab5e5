"""Element integrals by quadrature, for all elements of a batch at once.

Interpolated families give scalar matrices: mass m_s = ∫ρ φ_a φ_b, so that ∫ρ N_kᵀ N_n = m_s ⊗ e_k e_nᵀ, and
geometric stiffness g_s = ∫ σ_ij φ_a,i φ_b,j, so that k_g = g_s ⊗ 1. Structural families give full matrices. Stress
and geometric stiffness have modules of their own and are named here for those who integrate.
"""

from dataclasses import replace

import numpy as np

from flexframe.elements.continuum import (
    Gradients,
    continuum_stiffness,
    gradients,
    harmonic_rule,
    harmonic_stiffness,
    mode_amounts,
    strain_gradients,
    volume_weights,
)
from flexframe.elements.contract import (
    ElementBatch,
    InertiaFields,
    InterpolatedFamily,
    StructuralFamily,
    at_nodes,
    element_ends,
    is_enhanced,
    is_structural,
    node_dofs,
    rows_of_pieces,
)
from flexframe.elements.properties import AxisymmetricProperty
from flexframe.elements.stress_measures import VOIGT_PLANE, VOIGT_SOLID
from flexframe.elements.stresses import (
    StressField,
    equivalent_stress,
    measure_unit,
    recovery_field,
    recovery_points,
    stiffness_points,
    stress,
    stress_measures,
    stress_names,
)
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


__all__ = [
    "VOIGT_PLANE",
    "VOIGT_SOLID",
    "Gradients",
    "StressField",
    "equivalent_stress",
    "gradients",
    "inertia_points",
    "measure_unit",
    "recovery_field",
    "recovery_points",
    "scalar_geometric",
    "scalar_mass",
    "stiffness",
    "stiffness_points",
    "stress",
    "stress_measures",
    "stress_names",
    "structural_geometric",
    "volume_weights",
]


def stiffness(batch: ElementBatch) -> Array:
    """k = ∫BᵀDB dV as node blocks: (elements, nodes, nodes, node dofs, node dofs).

    That of a section is for motions alike all around the axis.
    """
    family = batch.family
    if is_structural(family):
        return _node_blocks(batch, _structural_stiffness(family, batch))
    if isinstance(batch.prop, AxisymmetricProperty):
        return np.asarray(harmonic_stiffness(family, batch)[0])
    D = batch.prop.elasticity()
    at = strain_gradients(family, batch)
    if at.tangents is not None:
        # ε = t·∂u/∂s
        strain = at.gradient[..., 0, None] * at.tangents[:, :, None, :]
        return np.einsum("egai,egbj,eg->eabij", strain, strain, at.weights * D[0, 0], optimize=True)
    blocks = continuum_stiffness(at, D)
    if not is_enhanced(family):
        return blocks
    nodes = family.cell.nodes
    coupling, amounts = mode_amounts(blocks, nodes)
    # k_uu − k_uα k_αα⁻¹ k_αu
    condensed = np.matmul(coupling, amounts)
    dimension = family.cell.dimension
    condensed = condensed.reshape(batch.count, nodes, dimension, nodes, dimension).transpose(0, 1, 3, 2, 4)
    return blocks[:, :nodes, :nodes] + condensed


def _node_blocks(batch: ElementBatch, matrices: Array) -> Array:
    """Element matrices (elements, p, p) as node blocks (elements, nodes, nodes, node dofs, node dofs)."""
    nodes, dofs = batch.family.cell.nodes, len(node_dofs(batch.family))
    return matrices.reshape(-1, nodes, dofs, nodes, dofs).transpose(0, 1, 3, 2, 4)


def _structural_stiffness(family: StructuralFamily, batch: ElementBatch) -> Array:
    return np.concatenate([_stiffness_of_piece(family, part) for part in batch.pieces()])


def _stiffness_of_piece(family: StructuralFamily, batch: ElementBatch) -> Array:
    arms = family.arms(batch.coordinates, batch.prop)
    fields = family.strain_fields(element_ends(batch, arms), batch.prop)
    elements, points, strains, dofs = fields.strain.shape
    left = (fields.strain * fields.weights[..., None, None]).reshape(elements, points * strains, dofs)
    right = fields.resultant.reshape(elements, points * strains, dofs)
    matrices = np.matmul(left.swapaxes(1, 2), right)
    matrices = at_nodes(at_nodes(matrices, arms).swapaxes(1, 2), arms)
    return (matrices + matrices.swapaxes(1, 2)) / 2


def scalar_mass(family: InterpolatedFamily, batch: ElementBatch) -> Array:
    """m_s = ∫ρ φ_a φ_b dV: (elements, nodes, nodes)."""
    rule = harmonic_rule(family) if isinstance(batch.prop, AxisymmetricProperty) else family.mass_rule
    phi = family.shape(rule.points)
    weights = volume_weights(family, batch, rule) * batch.prop.material.density
    products = np.einsum("ga,gb->gab", phi, phi).reshape(len(rule.weights), -1)
    return (weights @ products).reshape(batch.count, phi.shape[1], phi.shape[1])


def inertia_points(batch: ElementBatch) -> InertiaFields:
    """Mass-weighted points with N in body axes, for any family: what the formalisms start from."""
    family = batch.family
    if is_structural(family):
        arms = family.arms(batch.coordinates, batch.prop)
        samples = family.inertia_fields(element_ends(batch, arms), batch.prop)
        return replace(samples, shape=at_nodes(samples.shape, arms))
    rule = family.mass_rule
    phi = family.shape(rule.points)
    components = len(node_dofs(family))
    single = np.zeros((len(phi), 3, phi.shape[1], components))
    for i in range(components):
        single[:, i, :, i] = phi
    shape = np.broadcast_to(single.reshape(len(phi), 3, -1), (batch.count, len(phi), 3, batch.element_dofs))
    weights = volume_weights(family, batch, rule) * batch.prop.material.density
    positions = np.einsum("ga,eai->egi", phi, batch.coordinates)
    return InertiaFields(weights, positions, shape)

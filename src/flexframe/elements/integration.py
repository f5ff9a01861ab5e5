"""Element integrals by quadrature, for all elements of a batch at once.

Interpolated families give scalar matrices: mass m_s = ∫ρ φ_a φ_b, so that ∫ρ N_kᵀ N_n = m_s ⊗ e_k e_nᵀ, and
geometric stiffness g_s = ∫ σ_ij φ_a,i φ_b,j, so that k_g = g_s ⊗ 1. Structural families give full matrices.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from flexframe.elements.contract import (
    ElementBatch,
    EnhancedFamily,
    InertiaFields,
    InterpolatedFamily,
    StructuralFamily,
    is_enhanced,
    is_structural,
    node_dofs,
)
from flexframe.elements.orthotropic import in_body_axes, plane_elasticity
from flexframe.elements.properties import (
    BarProperty,
    Material,
    PlaneProperty,
    Property,
    ShellProperty,
    SolidProperty,
)
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature

VOIGT_PLANE = ((0, 0), (1, 1), (0, 1))
VOIGT_SOLID = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


@dataclass(frozen=True)
class Gradients:
    """∂φ_a/∂x_i at the points of a rule, with the volume that each point stands for.

    For bars the gradient is along the bar, ∂φ/∂s, and `tangents` holds the unit vectors.
    """

    weights: Array  # dV: (elements, points)
    gradient: Array  # (elements, points, nodes, dimension)
    tangents: Array | None = None  # (elements, points, 3), bars only


def thickness_of(prop: Property) -> float:
    """The factor that makes a volume of the cell's own measure: thickness, area or 1."""
    match prop:
        case PlaneProperty(thickness=thickness) | ShellProperty(thickness=thickness):
            return thickness
        case BarProperty(area=area):
            return area
        case SolidProperty():
            return 1.0
    raise InputError(f"{type(prop).__name__} does not fit a bar, plane or solid element; give its own property")


def _inverse_and_determinant(jacobian: Array) -> tuple[Array, Array]:
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
    return measure * (rule.weights * thickness_of(batch.prop))


def gradients(family: InterpolatedFamily, batch: ElementBatch, rule: Quadrature) -> Gradients:
    """Gradients in body axes at the points of a rule."""
    reference = family.shape_gradient(rule.points)
    dimension = family.cell.dimension
    scale = rule.weights * thickness_of(batch.prop)
    if dimension == 1:
        tangent = np.einsum("gad,eai->egi", reference, batch.coordinates)
        length = np.linalg.norm(tangent, axis=-1)
        gradient = reference[None] / length[:, :, None, None]
        return Gradients(length * scale, gradient, tangent / length[..., None])
    # J_id = ∂x_i/∂ξ_d and ∂φ/∂x_i = ∂φ/∂ξ_d (J⁻¹)_di
    jacobian = np.einsum("gad,eai->egid", reference, batch.coordinates[:, :, :dimension], optimize=True)
    inverse, determinant = _inverse_and_determinant(jacobian)
    return Gradients(determinant * scale, np.matmul(reference[None], inverse))


def elasticity(prop: Property) -> Array:
    """D of an interpolated element in Voigt order."""
    match prop:
        case PlaneProperty(material=Material() as material, state=state):
            return material.plane_elasticity(state)
        case PlaneProperty(material=material, state=state):
            return plane_elasticity(_solid_elasticity(prop), state, material.name)
        case SolidProperty():
            return _solid_elasticity(prop)
        case BarProperty(material=material):
            return np.array([[material.young]])
    raise InputError(f"{type(prop).__name__} does not fit a bar, plane or solid element; give its own property")


def _solid_elasticity(prop: PlaneProperty | SolidProperty) -> Array:
    """D of the material in body axes: (6, 6)."""
    D = prop.material.solid_elasticity()
    return D if isinstance(prop.material, Material) else in_body_axes(D, prop.orientation)


def stress_across(prop: PlaneProperty) -> Array:
    """c with σzz = c·(σxx, σyy, σxy) in plane strain: (3,)."""
    D, plane = _solid_elasticity(prop), [0, 1, 3]
    return np.asarray(np.linalg.solve(D[np.ix_(plane, plane)], D[2, plane]), dtype=float)


def _elasticity_tensor(D: Array) -> Array:
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


def stiffness(batch: ElementBatch) -> Array:
    """k = ∫BᵀDB dV as node blocks: (elements, nodes, nodes, node dofs, node dofs)."""
    family = batch.family
    if is_structural(family):
        return _node_blocks(batch, _structural_stiffness(family, batch))
    D = elasticity(batch.prop)
    at = _strain_gradients(family, batch)
    if at.tangents is not None:
        # ε = t·∂u/∂s
        strain = at.gradient[..., 0, None] * at.tangents[:, :, None, :]
        return np.einsum("egai,egbj,eg->eabij", strain, strain, at.weights * D[0, 0], optimize=True)
    blocks = _continuum_stiffness(at, D)
    if not is_enhanced(family):
        return blocks
    nodes = family.cell.nodes
    coupling, amounts = _mode_amounts(blocks, nodes)
    # k_uu − k_uα k_αα⁻¹ k_αu
    condensed = np.matmul(coupling, amounts)
    dimension = family.cell.dimension
    condensed = condensed.reshape(batch.count, nodes, dimension, nodes, dimension).transpose(0, 1, 3, 2, 4)
    return blocks[:, :nodes, :nodes] + condensed


def _continuum_stiffness(at: Gradients, D: Array) -> Array:
    """∫ C_ikjl φ_a,k φ_b,l of plane or solid elements: (elements, n, n, d, d)."""
    elements, points, functions, dimension = at.gradient.shape
    # K_ai,bj = C_ikjl S_kl,ab with S_kl,ab = ∫ φ_a,k φ_b,l: two matrix products for all elements
    flat = at.gradient.reshape(elements, points, functions * dimension)
    products = np.matmul(np.swapaxes(flat * at.weights[..., None], 1, 2), flat)
    products = products.reshape(elements, functions, dimension, functions, dimension).transpose(0, 1, 3, 2, 4)
    contraction = _elasticity_tensor(D).transpose(1, 3, 0, 2).reshape(dimension**2, dimension**2)
    blocks = products.reshape(-1, dimension**2) @ contraction
    return blocks.reshape(elements, functions, functions, dimension, dimension)


def _strain_gradients(family: InterpolatedFamily, batch: ElementBatch) -> Gradients:
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
    inverse, determinant = _inverse_and_determinant(jacobian)
    scale = determinant[:, None] * (rule.weights * thickness_of(batch.prop)) / at.weights
    reference = family.incompatible_gradient(rule.points)
    return np.matmul(reference[None], inverse[:, None]) * scale[..., None, None]


def _mode_amounts(blocks: Array, nodes: int) -> tuple[Array, Array]:
    """k_uα and −k_αα⁻¹ k_αu, the incompatible modes that nodal displacements bring: (e, p, m), (e, m, p)."""
    elements, functions, _, dimension, _ = blocks.shape
    own = (functions - nodes) * dimension
    inner = blocks[:, nodes:, nodes:].transpose(0, 1, 3, 2, 4).reshape(elements, own, own)
    coupling = blocks[:, :nodes, nodes:].transpose(0, 1, 3, 2, 4).reshape(elements, nodes * dimension, own)
    return coupling, -np.asarray(np.linalg.solve(inner, coupling.swapaxes(1, 2)), dtype=float)


def _node_blocks(batch: ElementBatch, matrices: Array) -> Array:
    """Element matrices (elements, p, p) as node blocks (elements, nodes, nodes, node dofs, node dofs)."""
    nodes, dofs = batch.family.cell.nodes, len(node_dofs(batch.family))
    return matrices.reshape(-1, nodes, dofs, nodes, dofs).transpose(0, 1, 3, 2, 4)


def _structural_stiffness(family: StructuralFamily, batch: ElementBatch) -> Array:
    return np.concatenate([_stiffness_of_piece(family, part) for part in batch.pieces()])


def _stiffness_of_piece(family: StructuralFamily, batch: ElementBatch) -> Array:
    arms = family.arms(batch.coordinates, batch.prop)
    fields = family.strain_fields(_ends(batch, arms), batch.prop)
    elements, points, strains, dofs = fields.strain.shape
    left = (fields.strain * fields.weights[..., None, None]).reshape(elements, points * strains, dofs)
    right = fields.resultant.reshape(elements, points * strains, dofs)
    matrices = np.matmul(left.swapaxes(1, 2), right)
    matrices = _at_nodes(_at_nodes(matrices, arms).swapaxes(1, 2), arms)
    return (matrices + matrices.swapaxes(1, 2)) / 2


def _ends(batch: ElementBatch, arms: Array | None) -> Array:
    """Places of the element ends, which rigid arms join to the nodes: (elements, nodes, 3)."""
    return batch.coordinates if arms is None else batch.coordinates + arms


def _at_nodes(columns: Array, arms: Array | None) -> Array:
    """Columns for displacements of the ends as columns for those of the nodes, u_end = u + θ × arm: (e, …, p)."""
    if arms is None:
        return columns
    elements, nodes, _ = arms.shape
    moved = columns.reshape(elements, -1, nodes, 6).copy()
    moved[..., 3:] += np.cross(arms[:, None], moved[..., :3])  # c·(θ × arm) = θ·(arm × c)
    return moved.reshape(columns.shape)


def scalar_mass(family: InterpolatedFamily, batch: ElementBatch) -> Array:
    """m_s = ∫ρ φ_a φ_b dV: (elements, nodes, nodes)."""
    rule = family.mass_rule
    phi = family.shape(rule.points)
    weights = volume_weights(family, batch, rule) * batch.prop.material.density
    products = np.einsum("ga,gb->gab", phi, phi).reshape(len(rule.weights), -1)
    return (weights @ products).reshape(batch.count, phi.shape[1], phi.shape[1])


def inertia_points(batch: ElementBatch) -> InertiaFields:
    """Mass-weighted points with N in body axes, for any family: what the formalisms start from."""
    family = batch.family
    if is_structural(family):
        arms = family.arms(batch.coordinates, batch.prop)
        samples = family.inertia_fields(_ends(batch, arms), batch.prop)
        return replace(samples, shape=_at_nodes(samples.shape, arms))
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


@dataclass(frozen=True)
class StressField:
    """Stress (Pa, Voigt order) or stress resultants at the quadrature points of the stiffness."""

    names: tuple[str, ...]
    positions: Array  # (elements, points, 3)
    values: Array  # (elements, points, components)


def stress_names(batch: ElementBatch) -> tuple[str, ...]:
    """Names of the stress components that a batch recovers."""
    family = batch.family
    if is_structural(family):
        return family.resultants
    return {1: ("sxx",), 2: ("sxx", "syy", "sxy"), 3: ("sxx", "syy", "szz", "sxy", "syz", "szx")}[
        family.cell.dimension
    ]


def stress(
    batch: ElementBatch, displacements: Array, load: Array | None = None, gradient: Array | None = None
) -> StressField:
    """Stress of element displacements (elements, p) at the stiffness points.

    `load` is the force density (elements, points, 3) in N/m³ that acts inside the elements, `gradient` (3, 3) in
    1/s² how the force per mass varies across a section; beams complete their resultants with them.
    """
    family = batch.family
    names = stress_names(batch)
    if is_structural(family):
        across = np.zeros((3, 3)) if gradient is None else gradient
        made = [
            _resultants(family, part, displacements[rows], None if load is None else load[rows], across)
            for part, rows in _rows_of_pieces(batch)
        ]
        positions, values = (np.concatenate(kind) for kind in zip(*made, strict=True))
        return StressField(names, positions, values)
    positions = stiffness_points(batch)
    at = _strain_gradients(family, batch)
    nodal = displacements.reshape(batch.count, family.cell.nodes, -1)
    D = elasticity(batch.prop)
    if is_enhanced(family):
        _, amounts = _mode_amounts(_continuum_stiffness(at, D), family.cell.nodes)
        modes = np.einsum("emp,ep->em", amounts, displacements).reshape(batch.count, -1, nodal.shape[2])
        nodal = np.concatenate([nodal, modes], axis=1)
    if at.tangents is not None:
        strain = np.einsum("ega,egi,eai->eg", at.gradient[..., 0], at.tangents, nodal, optimize=True)[..., None]
        return StressField(names, positions, strain * D[0, 0])
    grad_u = np.einsum("egad,eai->egid", at.gradient, nodal, optimize=True)
    voigt = VOIGT_PLANE if family.cell.dimension == 2 else VOIGT_SOLID
    strain = np.stack([grad_u[..., i, k] + (grad_u[..., k, i] if i != k else 0.0) for i, k in voigt], axis=-1)
    return StressField(names, positions, strain @ D)


def _rows_of_pieces(batch: ElementBatch) -> Iterator[tuple[ElementBatch, slice]]:
    """The pieces of a batch with their rows in its arrays."""
    start = 0
    for part in batch.pieces():
        yield part, slice(start, start + part.count)
        start += part.count


def _resultants(
    family: StructuralFamily, batch: ElementBatch, displacements: Array, load: Array | None, gradient: Array
) -> tuple[Array, Array]:
    """Positions (elements, points, 3) and resultants (elements, points, strains)."""
    arms = family.arms(batch.coordinates, batch.prop)
    ends = _ends(batch, arms)
    fields = family.strain_fields(ends, batch.prop)
    elements, points, strains, dofs = fields.resultant.shape
    operator = _at_nodes(fields.resultant, arms).reshape(elements, points * strains, dofs)
    values = np.matmul(operator, displacements[..., None]).reshape(elements, points, strains)
    if load is not None:
        values = values + family.particular_resultants(ends, batch.prop, load, gradient)
    return fields.positions, values


def stiffness_points(batch: ElementBatch) -> Array:
    """Positions of the points where stress is recovered: (elements, points, 3)."""
    family = batch.family
    if is_structural(family):
        return np.concatenate(
            [
                family.strain_fields(_ends(part, family.arms(part.coordinates, part.prop)), part.prop).positions
                for part in batch.pieces()
            ]
        )
    return np.einsum("ga,eai->egi", family.shape(family.stiffness_rule.points), batch.coordinates)


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
            for part, rows in _rows_of_pieces(batch)
        ]
    )


def _geometric_of_piece(
    family: StructuralFamily, batch: ElementBatch, resultants: Array, gradient: Array, constant: Array
) -> Array:
    arms = family.arms(batch.coordinates, batch.prop)
    ends = _ends(batch, arms)
    fields = family.strain_fields(ends, batch.prop)
    kernel = np.tensordot(resultants, family.quadratic, axes=1)
    kernel += family.section_kernel(ends, batch.prop, gradient)[:, None]
    kernel *= fields.weights[..., None, None]
    elements, points, slopes, dofs = fields.slope.shape
    right = np.matmul(kernel, fields.slope).reshape(elements, points * slopes, dofs)
    matrices = np.matmul(fields.slope.reshape(elements, points * slopes, dofs).swapaxes(1, 2), right)
    if arms is None:
        return matrices
    matrices = _at_nodes(_at_nodes(matrices, arms).swapaxes(1, 2), arms)
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

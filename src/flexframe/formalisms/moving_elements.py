"""A discrete body as moving mass points with the forces between them: the common start of all formalisms."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly.attachments import spring_matrix
from flexframe.assembly.couplings import rigid_joins, rigid_kernel
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.pattern import assembled
from flexframe.elements.contract import ElementBatch, InertiaFields, is_interpolated, is_structural, node_dofs
from flexframe.elements.integration import (
    inertia_points,
    scalar_geometric,
    stiffness,
    stiffness_points,
    stress,
    structural_geometric,
)
from flexframe.equations.damping import proportional, rayleigh_damping
from flexframe.formalisms.contract import MovingElements
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.motion.frame import FrameMotion

ROOM = 8_000_000  # numbers that the widest array of a group may hold


@dataclass(frozen=True, eq=False)
class ElementGroup:
    """Elements of one family with the equation numbers of their degrees of freedom, −1 where there is none."""

    family: str
    cells: IntArray  # numbers of the cells in the mesh; point masses count for themselves
    numbers: IntArray  # (elements, p)
    elements: MovingElements


@dataclass(frozen=True, eq=False)
class _Prestress:
    """Quasi-static displacements under all loads and the body force b + Ax per mass that causes them."""

    displacements: Array  # (dofs + 1,), the last one zero
    constant: Array  # b: (3,)
    gradient: Array  # A: (3, 3)
    carried: Array  # forces that supports and couplings carry: (dofs,)


def element_groups(
    discrete: DiscreteBody, motion: FrameMotion, *, geometric: float = 1.0, chosen: IntArray | None = None
) -> Iterator[ElementGroup]:
    """All elements of a body (or the `chosen` cells) in groups that fit into memory, and its point masses.

    Applied forces and springs at a node are shared equally by the elements and point masses there; what acts where
    there is none is in `loose_terms`. `geometric` scales the geometric stiffness.
    """
    prestress = _prestress(discrete, motion) if geometric else None
    shared = _share(discrete)
    for batch in discrete.batches:
        wanted = np.arange(batch.count) if chosen is None else np.flatnonzero(np.isin(batch.cells, chosen))
        size = batch.element_dofs
        points = inertia_points(batch.take(wanted[:1])).weights.shape[1] if len(wanted) else 1
        step = max(1, ROOM // max(9 * points * size, 9 * size**2))
        for start in range(0, len(wanted), step):
            part = batch.take(wanted[start : start + step])
            yield _group(discrete, part, shared, prestress, geometric)
    if chosen is None:
        yield from _point_masses(discrete, shared, prestress, geometric)


@dataclass(frozen=True, eq=False)
class LooseTerms:
    """Forces −stiffness δ − damping δ̇ + load on a body that belong to none of its elements and point masses."""

    damping: SparseMatrix  # (p, p)
    stiffness: SparseMatrix  # (p, p)
    load: Array  # (p,)


def loose_terms(discrete: DiscreteBody, motion: FrameMotion, *, geometric: float = 1.0) -> LooseTerms:
    """What hangs on references of couplings, geometric stiffness of rigid arms, damping of a free body."""
    size = discrete.dofs.count
    load, spring, damper = np.where(_sharing(discrete) > 0, 0.0, _nodal(discrete)[:, :-1])
    damping, stiffness = (sparse.diags_array(values, format="csr") for values in (damper, spring))
    structural = rayleigh_damping(discrete)
    whole = None if structural is None else structural.free_part
    if whole is not None:
        damping = damping + whole
    joins = rigid_joins(discrete.body, discrete.dofs)
    prestress = _prestress(discrete, motion) if geometric and joins else None
    if prestress is not None:
        for join in joins:
            kernel = geometric * rigid_kernel(join, prestress.carried)
            stiffness = stiffness + assembled(kernel[None], join.rotations[None], size)
    return LooseTerms(sparse.csr_array(damping), sparse.csr_array(stiffness), load)


def _group(
    discrete: DiscreteBody, batch: ElementBatch, shared: Array, prestress: _Prestress | None, geometric: float
) -> ElementGroup:
    numbers = discrete.dofs.of_elements(batch)
    size = batch.element_dofs
    points = inertia_points(batch)
    k = stiffness(batch).transpose(0, 1, 3, 2, 4).reshape(-1, size, size)
    d = np.zeros_like(k)
    if discrete.body.damping.mass or discrete.body.damping.stiffness:
        weighted = points.shape * points.weights[..., None, None]
        m = np.einsum("egip,egiq->epq", weighted, points.shape, optimize=True)
        d = proportional(discrete.body.damping, m, k)
    if prestress is not None:
        k = k + geometric * _geometric(discrete, batch, numbers, prestress)
    load, spring, damper = shared[:, numbers]
    k = k + spring[..., None] * np.eye(size)
    d = d + damper[..., None] * np.eye(size)
    elements = MovingElements(points.weights, points.positions, points.shape, k, d, load)
    return ElementGroup(batch.family.name, batch.cells, numbers, elements)


def _nodal(discrete: DiscreteBody) -> Array:
    """Loads, springs and dampers of each degree of freedom, and zeros for one that does not exist: (3, p + 1)."""
    values = np.zeros((3, discrete.dofs.count + 1))
    values[0, :-1] = discrete.loads.forces
    for row, which in ((1, "stiffness"), (2, "damping")):
        springs = spring_matrix(discrete.body, discrete.dofs, which)
        if springs is not None:
            values[row, :-1] = springs.diagonal()
    return values


def _sharing(discrete: DiscreteBody) -> Array:
    """How many elements and point masses meet at each degree of freedom: (p,)."""
    count = np.zeros(discrete.dofs.count)
    numbers = [discrete.dofs.of_elements(batch) for batch in discrete.batches]
    numbers.append(discrete.dofs.numbers[_particles(discrete)[0]][:, :3])
    if discrete.point_bodies is not None:
        numbers.append(discrete.point_bodies.numbers)
    for some in numbers:
        np.add.at(count, some[some >= 0], 1.0)
    return count


def _share(discrete: DiscreteBody) -> Array:
    """What acts at each degree of freedom over how many elements and masses share it: (3, p + 1)."""
    values = _nodal(discrete)
    values[:, :-1] /= np.maximum(_sharing(discrete), 1)
    return values


def _particles(discrete: DiscreteBody) -> tuple[IntArray, Array]:
    """Nodes and masses of the points without rotary inertia."""
    body = discrete.body
    masses = [mass for mass in body.point_masses if mass.inertia is None]
    nodes = [body.selected_nodes(mass.on) for mass in masses]
    weights = [np.full(len(some), mass.mass) for some, mass in zip(nodes, masses, strict=True)]
    return np.concatenate([np.empty(0, dtype=np.int64), *nodes]), np.concatenate([np.empty(0), *weights])


def _point_masses(
    discrete: DiscreteBody, shared: Array, prestress: _Prestress | None, geometric: float
) -> Iterator[ElementGroup]:
    body = discrete.body
    nodes, weights = _particles(discrete)
    if len(nodes):
        numbers = discrete.dofs.numbers[nodes][:, :3]
        shape = np.broadcast_to(np.eye(3), (len(nodes), 1, 3, 3))
        points = InertiaFields(weights[:, None], body.mesh.points[nodes][:, None], shape)
        yield _points_group(numbers, points, shared, np.zeros((len(nodes), 3, 3)))
    bodies = discrete.point_bodies
    if bodies is not None:
        k = np.zeros((len(bodies.numbers), 6, 6))
        if prestress is not None:
            k[:, 3:, 3:] = geometric * bodies.geometric_kernel(prestress.gradient)
        yield _points_group(bodies.numbers, bodies.fields, shared, k)


def _points_group(numbers: IntArray, points: InertiaFields, shared: Array, k: Array) -> ElementGroup:
    load, spring, damper = shared[:, numbers]
    unit = np.eye(numbers.shape[1])
    k, d = k + spring[..., None] * unit, damper[..., None] * unit
    elements = MovingElements(points.weights, points.positions, points.shape, k, d, load)
    return ElementGroup("point mass", np.arange(len(numbers)), numbers, elements)


def _prestress(discrete: DiscreteBody, motion: FrameMotion) -> _Prestress | None:
    """Equilibrium of the supported body under its loads and the inertia of the frozen motion."""
    if not discrete.geometric.coefficients(motion):
        return None
    transport = motion.E + motion.W @ motion.W
    inertia = discrete.inertia
    load = discrete.loads.forces - inertia.position_load(transport)
    load = load - inertia.origin_load(motion.origin_acceleration)
    solution = discrete.equilibrium.solve(load)
    relief = solution.relief[:, 0]
    balanced = load + inertia.origin_load(relief[:3]) + inertia.position_load(skew(relief[3:]))
    return _Prestress(
        displacements=np.append(solution.displacements[:, 0], 0.0),
        constant=discrete.loads.gravity - motion.origin_acceleration + relief[:3],
        gradient=skew(relief[3:]) - transport,
        carried=discrete.supports.carry(np.asarray(discrete.stiffness @ solution.displacements[:, 0]) - balanced),
    )


def _geometric(discrete: DiscreteBody, batch: ElementBatch, numbers: IntArray, prestress: _Prestress) -> Array:
    """k_g of the quasi-static stress: (elements, p, p)."""
    displacements = prestress.displacements[numbers]
    if is_interpolated(batch.family):
        values = stress(batch, displacements).values
        scalar = scalar_geometric(batch.family, batch, values)
        unit = np.eye(len(node_dofs(batch.family)))
        blocks = np.einsum("eab,ij->eaibj", scalar, unit)
        return blocks.reshape(batch.count, batch.element_dofs, batch.element_dofs)
    assert is_structural(batch.family)
    force = prestress.constant + stiffness_points(batch) @ prestress.gradient.T
    along = discrete.loads.line_density(batch)
    density = batch.prop.material.density * force + along[:, None]
    constant = prestress.constant + along / batch.prop.material.density
    resultants = stress(batch, displacements, density, prestress.gradient).values
    return structural_geometric(batch.family, batch, resultants, prestress.gradient, constant)

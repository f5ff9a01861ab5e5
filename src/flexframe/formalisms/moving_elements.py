"""A discrete body as moving mass points with the forces between them: the common start of all formalisms."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.attachments import spring_matrix
from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.contract import ElementBatch, InertiaFields, is_interpolated, is_structural, node_dofs
from flexframe.elements.integration import (
    inertia_points,
    scalar_geometric,
    stiffness,
    stiffness_points,
    stress,
    structural_geometric,
)
from flexframe.formalisms.contract import MovingElements
from flexframe.maths.arrays import Array, IntArray
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


def element_groups(
    discrete: DiscreteBody, motion: FrameMotion, *, geometric: float = 1.0, chosen: IntArray | None = None
) -> Iterator[ElementGroup]:
    """All elements of a body (or the `chosen` cells) in groups that fit into memory, and its point masses.

    Applied forces and springs at a node are shared equally by the elements and point masses there. `geometric`
    scales the geometric stiffness.
    """
    prestress = _prestress(discrete, motion) if geometric else None
    shared = _shared(discrete)
    for batch in discrete.batches:
        wanted = np.arange(batch.count) if chosen is None else np.flatnonzero(np.isin(batch.cells, chosen))
        size = batch.element_dofs
        points = inertia_points(batch.taken(wanted[:1])).weights.shape[1] if len(wanted) else 1
        step = max(1, ROOM // max(9 * points * size, 9 * size**2))
        for start in range(0, len(wanted), step):
            part = batch.taken(wanted[start : start + step])
            yield _group(discrete, part, shared, prestress, geometric)
    if chosen is None:
        yield from _point_masses(discrete, shared, prestress, geometric)


def _group(
    discrete: DiscreteBody, batch: ElementBatch, shared: Array, prestress: _Prestress | None, geometric: float
) -> ElementGroup:
    numbers = discrete.dofs.of_elements(batch)
    size = batch.element_dofs
    points = inertia_points(batch)
    k = stiffness(batch).transpose(0, 1, 3, 2, 4).reshape(-1, size, size)
    damping = discrete.body.damping
    d = damping.stiffness * k
    if damping.mass:
        weighted = points.shape * points.weights[..., None, None]
        d = d + damping.mass * np.einsum("egip,egiq->epq", weighted, points.shape, optimize=True)
    if prestress is not None:
        k = k + geometric * _geometric(discrete, batch, numbers, prestress)
    load, spring, damper = shared[:, numbers]
    k = k + spring[..., None] * np.eye(size)
    d = d + damper[..., None] * np.eye(size)
    elements = MovingElements(points.weights, points.positions, points.shape, k, d, load)
    return ElementGroup(batch.family.name, batch.cells, numbers, elements)


def _shared(discrete: DiscreteBody) -> Array:
    """Loads, springs and dampers of each degree of freedom over how many elements and masses meet there.

    Three rows with a last column of zeros, for degrees of freedom that do not exist: (3, p + 1).
    """
    count = np.zeros(discrete.dofs.count)
    numbers = [discrete.dofs.of_elements(batch) for batch in discrete.batches]
    numbers.append(discrete.dofs.numbers[_particles(discrete)[0]][:, :3])
    if discrete.point_bodies is not None:
        numbers.append(discrete.point_bodies.numbers)
    for some in numbers:
        np.add.at(count, some[some >= 0], 1.0)
    values = np.zeros((3, discrete.dofs.count + 1))
    values[0, :-1] = discrete.loads.forces
    for row, which in ((1, "stiffness"), (2, "damping")):
        springs = spring_matrix(discrete.body, discrete.dofs, which)
        if springs is not None:
            values[row, :-1] = springs.diagonal()
    values[:, :-1] /= np.maximum(count, 1)
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
        yield _points_group(body.damping.mass, numbers, points, shared, np.zeros((len(nodes), 3, 3)))
    bodies = discrete.point_bodies
    if bodies is not None:
        k = np.zeros((len(bodies.numbers), 6, 6))
        if prestress is not None:
            k[:, 3:, 3:] = geometric * bodies.geometric_kernel(prestress.gradient)
        yield _points_group(body.damping.mass, bodies.numbers, bodies.fields, shared, k)


def _points_group(
    mass_damping: float, numbers: IntArray, points: InertiaFields, shared: Array, k: Array
) -> ElementGroup:
    load, spring, damper = shared[:, numbers]
    unit = np.eye(numbers.shape[1])
    weighted = points.shape * points.weights[..., None, None]
    d = (
        mass_damping * np.einsum("egip,egiq->epq", weighted, points.shape, optimize=True)
        + damper[..., None] * unit
    )
    elements = MovingElements(
        points.weights, points.positions, points.shape, k + spring[..., None] * unit, d, load
    )
    return ElementGroup("point mass", np.arange(len(numbers)), numbers, elements)


def _prestress(discrete: DiscreteBody, motion: FrameMotion) -> _Prestress | None:
    """Equilibrium of the supported body under its loads and the inertia of the frozen motion."""
    if not discrete.geometric.coefficients(motion):
        return None
    transport = motion.E + motion.W @ motion.W
    inertia = discrete.inertia
    load = discrete.loads.forces - inertia.position_load(transport)
    solution = discrete.equilibrium.solve(load - inertia.origin_load(motion.origin_acceleration))
    relief = solution.relief[:, 0]
    return _Prestress(
        displacements=np.append(solution.displacements[:, 0], 0.0),
        constant=discrete.loads.gravity - motion.origin_acceleration + relief[:3],
        gradient=skew(relief[3:]) - transport,
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

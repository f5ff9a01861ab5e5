"""A discrete body as moving mass points with the forces between them: the common start of all formalisms."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.contract import ElementBatch, is_interpolated, is_structural, node_dofs
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
    cells: IntArray  # numbers of the cells in the mesh; of the nodes for point masses
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

    Applied forces at a node are shared equally by the elements there. `geometric` scales the geometric stiffness.
    """
    prestress = _prestress(discrete, motion) if geometric else None
    load = discrete.loads.forces / np.maximum(_sharing(discrete), 1)
    for batch in discrete.batches:
        wanted = np.arange(batch.count) if chosen is None else np.flatnonzero(np.isin(batch.cells, chosen))
        size = batch.element_dofs
        points = inertia_points(batch.taken(wanted[:1])).weights.shape[1] if len(wanted) else 1
        step = max(1, ROOM // max(9 * points * size, 9 * size**2))
        for start in range(0, len(wanted), step):
            part = batch.taken(wanted[start : start + step])
            yield _group(discrete, part, load, prestress, geometric)
    if chosen is None and discrete.body.point_masses:
        yield _point_masses(discrete)


def _group(
    discrete: DiscreteBody, batch: ElementBatch, load: Array, prestress: _Prestress | None, geometric: float
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
    own = np.append(load, 0.0)[numbers]
    elements = MovingElements(points.weights, points.positions, points.shape, k, d, own)
    return ElementGroup(batch.family.name, batch.cells, numbers, elements)


def _sharing(discrete: DiscreteBody) -> Array:
    """How many elements meet at each degree of freedom."""
    count = np.zeros(discrete.dofs.count)
    for batch in discrete.batches:
        numbers = discrete.dofs.of_elements(batch)
        np.add.at(count, numbers[numbers >= 0], 1.0)
    return count


def _point_masses(discrete: DiscreteBody) -> ElementGroup:
    body = discrete.body
    nodes = np.concatenate([body.selected_nodes(mass.on) for mass in body.point_masses])
    weights = np.concatenate([np.full(len(body.selected_nodes(mass.on)), mass.mass) for mass in body.point_masses])
    count = len(nodes)
    zero = np.zeros((count, 3, 3))
    m = weights[:, None, None] * np.eye(3)
    elements = MovingElements(
        weights[:, None],
        body.mesh.points[nodes][:, None],
        np.broadcast_to(np.eye(3), (count, 1, 3, 3)),
        zero,
        body.damping.mass * m,
        np.zeros((count, 3)),
    )
    return ElementGroup("point mass", nodes, discrete.dofs.numbers[nodes][:, :3], elements)


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

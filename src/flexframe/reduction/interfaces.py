"""Points where a body is joined, loaded or watched, as linear functionals of its displacements."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import sparse

from flexframe.assembly.dofs import DofMap, rigid_displacements
from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array, BoolArray, IntArray, SparseMatrix
from flexframe.mesh.reference_points import with_points
from flexframe.model.body import Body
from flexframe.model.supports import NodeSelection, RigidCoupling
from flexframe.motion.frame import vector3

_FLAT = 1e-9  # singular value, relative to the largest, below which nodes do not define a rotation


@dataclass(frozen=True)
class Interface(Described):
    """A point of a body that joints and forces act on.

    `on` selects one node, or several that belong to the point: "rigid" makes them one piece with it, "mean" lets
    the point follow the rigid motion nearest to theirs (least squares, as in `MeanCoupling`). `at` is the place of
    the point [m], for one node the node itself, else the centre of the nodes unless it is given.
    """

    name: str
    on: NodeSelection
    coupling: Literal["rigid", "mean"] = "mean"
    at: tuple[float, ...] | None = None


@dataclass(frozen=True, eq=False)
class PointRows:
    """u_P and θ_P of a point as rows · δ; rows that the body does not define are zero."""

    name: str
    position: Array  # x_P: (3,)
    rows: SparseMatrix  # ux … rz: (6, p)
    present: BoolArray  # which rows are defined: (6,)
    offset: Array  # from the centre of the nodes to the point: (3,)


def with_rigid_interfaces(body: Body, interfaces: Sequence[Interface]) -> tuple[Body, tuple[Interface, ...]]:
    """The body with a reference point and a rigid coupling for every rigid interface, which becomes that point."""
    made: list[Interface] = []
    for interface in interfaces:
        nodes = body.selected_nodes(interface.on)
        if interface.coupling != "rigid" or len(nodes) < 2:
            made.append(interface)
            continue
        reference = f"{interface.name} interface"
        mesh = with_points(body.mesh, {reference: _place(body, interface, nodes)})
        coupling = RigidCoupling(reference, interface.on)
        body = replace(body, mesh=mesh, couplings=(*body.couplings, coupling))
        made.append(Interface(interface.name, reference))
    return body, tuple(made)


def point_rows(body: Body, dofs: DofMap, interface: Interface) -> PointRows:
    """The functionals of one interface or sensor."""
    nodes = body.selected_nodes(interface.on)
    if not nodes.size:
        raise InputError(f"interface {interface.name}: '{interface.on}' has no node; choose another set")
    if len(nodes) == 1 and interface.at is None:
        return _node_rows(body, dofs, interface, int(nodes[0]))
    return _mean_rows(body, dofs, interface, nodes)


def _place(body: Body, interface: Interface, nodes: IntArray) -> Array:
    centre = body.mesh.points[nodes].mean(axis=0)
    return centre if interface.at is None else vector3(interface.at, f"place of interface {interface.name}")


def _node_rows(body: Body, dofs: DofMap, interface: Interface, node: int) -> PointRows:
    numbers = dofs.numbers[node]
    present = numbers >= 0
    if not present.any():
        raise InputError(
            f"interface {interface.name}: node {body.mesh.node_label(node)} belongs to no element and no "
            "coupling; choose a node of the body"
        )
    ones = np.ones(int(present.sum()))
    triplets = (ones, (np.flatnonzero(present), numbers[present]))
    rows = sparse.csr_array(sparse.coo_array(triplets, shape=(6, dofs.count)))
    return PointRows(interface.name, body.mesh.points[node], rows, present, np.zeros(3))


def _mean_rows(body: Body, dofs: DofMap, interface: Interface, nodes: IntArray) -> PointRows:
    """(FᵀF)⁻¹Fᵀ with F the rigid displacements of the nodes for a motion of the point."""
    place = _place(body, interface, nodes)
    offset = place - body.mesh.points[nodes].mean(axis=0)
    numbers = dofs.numbers[nodes, :3]
    used = numbers[numbers >= 0]
    if not used.size:
        raise InputError(f"interface {interface.name}: its nodes do not move; choose nodes of the body")
    fields = rigid_displacements(dofs, body.mesh.points, place)[used]
    moving = np.asarray((numbers >= 0).any(axis=0), dtype=bool)
    turning = np.array([moving[1] and moving[2], moving[2] and moving[0], moving[0] and moving[1]])
    present = np.concatenate([moving, turning])
    size = max(float(np.ptp(body.mesh.points[nodes], axis=0).max()), float(np.linalg.norm(offset)))
    scale = np.array([1.0, 1, 1, *[1 / size if size else 1.0] * 3])[present]
    values = np.linalg.svd(fields[:, present] * scale, compute_uv=False)
    if len(values) < present.sum() or values[-1] <= _FLAT * values[0]:
        if np.linalg.norm(offset) > _FLAT * size:
            raise InputError(
                f"interface {interface.name}: nodes on one line or at one point do not define the rotation that "
                "an offset point needs; add nodes beside them, or leave the place out"
            )
        present[3:] = False
        scale = np.ones(int(present.sum()))
    weights = scale[:, None] * np.linalg.pinv(fields[:, present] * scale)
    places = (np.repeat(np.flatnonzero(present), len(used)), np.tile(used, len(weights)))
    rows = sparse.csr_array(sparse.coo_array((weights.ravel(), places), shape=(6, dofs.count)))
    return PointRows(interface.name, place, rows, present, offset)


def row_names(rows: PointRows) -> tuple[str, ...]:
    """Names of the rows that are defined."""
    return tuple(f"{rows.name} {name}" for name, there in zip(NODE_DOFS, rows.present, strict=True) if there)

"""A chain of beams cut at nodes into floating frames of about equal length that are welded together."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from flexframe.assembly.discrete import element_batches
from flexframe.elements.contract import is_beam
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.null_spaces import null_space
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.joints import Weld
from flexframe.model.loads import Gravity, LineLoad, Load, NodeForce
from flexframe.model.supports import Clamp, NodeSelection, Support
from flexframe.multibody.division.pieces import Division, FittedFrame, Piece, owners
from flexframe.reduction.attached import ClampedFrame, Reference

_INDEPENDENT = 1e-9  # part of a condition on the frame that is its own, relative


def cut_beam(body: Body, parts: int, reference: Reference | None = None) -> Division:
    """The body in so many parts, each with its share of loads, masses and sets.

    Supports, and a frame clamped to nodes, say where the frame of the whole body is, which is fitted to all parts.
    Only where they hold one part and more than its section at the origin do they stay there, and the frame of the
    body is that of this part.
    """
    order, lengths = _chain(body)
    if not 1 <= parts <= len(order) - 1:
        raise InputError(
            f"body {body.name} has {len(order) - 1} elements in line and cannot be divided into {parts} parts; "
            "give fewer, or a finer mesh",
            field="parts",
        )
    _require_divisible(body)
    cuts = _cuts(lengths, parts)
    nodes = [order[first : last + 1] for first, last in pairwise(cuts)]
    held = body.supports
    if isinstance(reference, ClampedFrame):
        held = (*held, Clamp(reference.on))
    frame = _frame(body, held, nodes)
    answers = owners(nodes, body.mesh.node_count)
    pieces = [
        _piece(body, number, own, answers, held if number == frame else ()) for number, own in enumerate(nodes)
    ]
    bonds = [
        Weld(f"weld {k + 1} of {body.name}", _end(pieces[k], order[cut]), _end(pieces[k + 1], order[cut]))
        for k, cut in enumerate(cuts[1:-1])
    ]
    return Division(body, tuple(pieces), tuple(bonds), frame)


def _require_divisible(body: Body) -> None:
    """Values relative to the one frame of a body have no meaning where there are several."""
    name = body.name
    if body.couplings:
        raise InputError(
            f"body {name} has couplings, which may tie several parts; take couplings out, or divide it by hand",
            field="parts",
        )
    if body.springs:
        raise InputError(
            f"body {name} has springs to its frame, and each of its parts has another one; give springs to the "
            "system instead",
            field="parts",
        )
    if body.damping.mass:
        raise InputError(
            f"damping by mass of body {name} is relative to its frame, and each of its parts has another one; "
            "give damping by stiffness, or damping to the analysis",
            field="parts",
        )


def _chain(body: Body) -> tuple[IntArray, Array]:
    """Nodes one after the other along a chain of beams, and the length up to each [m]."""
    mesh = body.mesh
    batches = element_batches(body)
    if not batches or not all(is_beam(batch.family) for batch in batches):
        raise InputError(
            f"body {body.name} is not made of beams alone: a cut through shells or solids would make "
            "its section rigid; leave parts out, or make it several bodies joined at rigid interfaces",
            field="parts",
        )
    pairs = np.concatenate([block.nodes[:, :2] for block in mesh.blocks if block.cell.dimension == 1])
    degree = np.bincount(pairs.ravel(), minlength=mesh.node_count)
    if (degree > 2).any():
        node = int(np.argmax(degree > 2))
        raise InputError(
            f"body {body.name} has a branch at node {mesh.node_label(node)}; parts are cut from a single chain of "
            "beams: make the branches bodies of their own",
            field="parts",
        )
    if np.count_nonzero(degree == 1) != 2:
        raise InputError(
            f"body {body.name} is no single chain of beams with two ends; divide it by hand", field="parts"
        )
    order = [int(np.argmax(degree == 1))]
    before = -1
    neighbours: dict[int, list[int]] = {}
    for a, b in pairs.tolist():
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    while True:
        onward = [node for node in neighbours[order[-1]] if node != before]
        if not onward:
            break
        before = order[-1]
        order.append(onward[0])
    points = mesh.points[order]
    return np.array(order), np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])


def _cuts(lengths: Array, parts: int) -> list[int]:
    """Places in the chain where parts begin and end, every one with an element at least."""
    cuts, last = [0], len(lengths) - 1
    for k in range(1, parts):
        wanted = int(np.argmin(np.abs(lengths - lengths[-1] * k / parts)))
        cuts.append(min(max(wanted, cuts[-1] + 1), last - (parts - k)))
    return [*cuts, last]


def _piece(body: Body, number: int, nodes: IntArray, answers: IntArray, held: Sequence[Support]) -> Piece:
    """One part, with the supports that it keeps."""
    mesh, cells = _part_of_mesh(body.mesh, nodes)
    own = {int(node): k for k, node in enumerate(nodes)}

    def taken_nodes(on: NodeSelection) -> list[int]:
        """Own numbers of the selected nodes that this part answers for."""
        return [own[int(n)] for n in body.selected_nodes(on) if answers[n] == number]

    masses = [replace(mass, on=node) for mass in body.point_masses for node in taken_nodes(mass.on)]
    supports = [replace(s, on=own[int(n)]) for s in held for n in body.selected_nodes(s.on)]  # type: ignore[type-var]
    part = replace(
        body,
        name=f"{body.name}/{number + 1}",
        mesh=mesh,
        regions=tuple(r for r in body.regions if r.cells is None or r.cells in mesh.cell_sets),
        supports=tuple(supports),
        loads=tuple(own_load for load in body.loads for own_load in _loads(body, load, mesh, taken_nodes)),
        point_masses=tuple(masses),
    )
    return Piece(part, nodes, cells, ends=(0, len(nodes) - 1))


def _loads(body: Body, load: Load, mesh: Mesh, taken: Callable[[NodeSelection], list[int]]) -> list[Load]:
    """What of a load acts on one part."""
    match load:
        case NodeForce():
            return [replace(load, on=node) for node in taken(load.on)]
        case LineLoad():
            return [load] if load.on is None or load.on in mesh.cell_sets else []
        case Gravity():
            return [load]
        case _:
            raise InputError(
                f"body {body.name}: a {type(load).__name__} has no place on beams; take it out", field="parts"
            )


def _part_of_mesh(mesh: Mesh, nodes: IntArray) -> tuple[Mesh, IntArray]:
    """The cells all of whose nodes are wanted, with what is left of the sets, and the numbers of the cells."""
    own = np.full(mesh.node_count, -1, dtype=np.int64)
    own[nodes] = np.arange(len(nodes))
    blocks, cells = [], []
    for block, first in zip(mesh.blocks, mesh.block_starts[:-1], strict=True):
        rows = np.flatnonzero((own[block.nodes] >= 0).all(axis=1))
        blocks.append(CellBlock(block.cell, own[block.nodes[rows]]))
        cells.append(first + rows)
    chosen = np.concatenate(cells)
    node_sets = {name: own[found][own[found] >= 0] for name, found in mesh.node_sets.items()}
    cell_sets = {name: np.flatnonzero(np.isin(chosen, found)) for name, found in mesh.cell_sets.items()}
    part = Mesh(
        points=mesh.points[nodes],
        blocks=tuple(blocks),
        node_sets={name: found for name, found in node_sets.items() if found.size},
        cell_sets={name: found for name, found in cell_sets.items() if found.size},
        node_labels=np.array([mesh.node_label(int(node)) for node in nodes]),
        cell_labels=np.array([mesh.cell_label(int(cell)) for cell in chosen]),
    )
    return part, chosen


def _end(piece: Piece, node: int) -> str:
    return f"{piece.name}.{int(np.flatnonzero(piece.nodes == node)[0])}"


def _frame(body: Body, supports: Sequence[Support], parts: Sequence[IntArray]) -> int | FittedFrame:
    """The part that the supports hold, or conditions for a frame that fits all parts."""
    dofs = np.array([0, 1, 5]) if body.space == "planar" else np.arange(6)
    kept = np.isin(np.arange(6), dofs)
    conditions = [
        (int(node), row * kept)
        for support in supports
        for node in body.selected_nodes(support.on)
        for row in np.atleast_2d(support.constraints())
        if (row * kept).any()
    ]
    nodes, rows = np.array([n for n, _ in conditions], dtype=np.int64), np.array([r for _, r in conditions])
    rows = rows.reshape(-1, 6)
    centre, size = body.mesh.points.mean(axis=0), float(np.linalg.norm(np.ptp(body.mesh.points, axis=0)))
    arms = (body.mesh.points[nodes] - centre) / size
    # what a condition sees of rigid motions (d/size, φ) about the centre: a·(d + φ × x) + b·φ
    sees = np.concatenate([rows[:, :3], np.cross(arms, rows[:, :3]) + rows[:, 3:] / size], axis=1)[:, dofs]
    sees = sees / np.linalg.norm(sees, axis=1, keepdims=True)
    independent = int(np.linalg.matrix_rank(sees, tol=_INDEPENDENT)) if len(sees) else 0
    held = np.unique(nodes)
    clamped = independent == len(dofs) == len(sees) and len(held) == 1
    origin = int(held[0]) if clamped and not body.mesh.points[held[0]].any() else None
    if independent == len(dofs) and origin is None:
        for number, own in enumerate(parts):
            if np.isin(nodes, own).all():
                return number
    if independent < len(sees):
        raise InputError(
            f"the supports of body {body.name} hold points of several parts in one frame, and each part has its "
            "own; leave supports that place the frame and no more, and join the other points to a body or the "
            "ground",
            field="parts",
        )
    free = null_space(sees).basis if len(sees) else np.eye(len(dofs))  # (dofs, k)
    mean = np.zeros((free.shape[1], 6))
    mean[:, dofs] = free.T
    # a motion (d, φ) about the centre c is (d − φ × c, φ) about the origin
    mean[:, :3] = mean[:, :3] * size - np.cross(mean[:, 3:], centre)
    return FittedFrame(nodes, rows, mean, size, origin)

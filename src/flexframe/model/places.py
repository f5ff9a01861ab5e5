"""Places on a body given by coordinates: the node that is meant, or why none can be."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh

_OFF_PLANE = 1e-9  # of the size of the mesh: out-of-plane coordinate of a planar place that is no round-off
_UNITS = ((1e-3, "mm"), (1e-2, "cm"))  # forgotten units of a place


@dataclass(frozen=True, eq=False)
class NodePlace:
    """The node that a point [m] of body axes stands for."""

    point: Array  # (3,)
    node: int
    position: Array  # of the node: (3,)
    distance: float  # m
    element_size: float  # of the cells at the node, m


def node_place(owner: str, mesh: Mesh, point: Sequence[float], *, planar: bool, depth: float = 0.0) -> NodePlace:
    """The node nearest to a point; a point that is farther from it than the size of its element is refused.

    `depth` [m] is how far the material reaches beyond the nodes (half a section, half a thickness). A planar body
    has no place beside its plane.
    """
    found = _nearest(mesh, point)
    beside = planar and abs(found.point[2] - found.position[2]) > depth + _OFF_PLANE * _size(mesh)
    if not beside and found.distance <= found.element_size + depth:
        return found
    label, at = mesh.node_label(found.node), _numbers(found.position)
    raise InputError(
        f"{_show(found.point)} is {found.distance:.4g} m from body {owner}: its nearest node is "
        f"{label} at ({at}) m, with elements of {found.element_size:.3g} m; "
        f"{_remedy(mesh, found, planar=planar, depth=depth)}"
    )


def _nearest(mesh: Mesh, point: Sequence[float]) -> NodePlace:
    node = mesh.nearest_node(point)
    place = np.zeros(3)
    place[: len(point)] = point
    position = mesh.points[node]
    return NodePlace(place, node, position, float(np.linalg.norm(place - position)), _element_size(mesh, node))


def _element_size(mesh: Mesh, node: int) -> float:
    """Largest diagonal of the boxes around the cells at a node; of all cells where it has none.

    A body that is only nodes has no elements to compare with: as large as all of it, no limit for a single node.
    """
    own = largest = 0.0
    for block in mesh.blocks:
        if block.cell.dimension == 0:
            continue
        corners = mesh.points[block.nodes]
        sizes = np.linalg.norm(corners.max(axis=1) - corners.min(axis=1), axis=1)
        here = sizes[(block.nodes == node).any(axis=1)]
        own, largest = max(own, float(here.max(initial=0.0))), max(largest, float(sizes.max()))
    return own or largest or _size(mesh) or float("inf")


def _size(mesh: Mesh) -> float:
    low, high = mesh.bounding_box
    return float(np.linalg.norm(high - low))


def _remedy(mesh: Mesh, found: NodePlace, *, planar: bool, depth: float) -> str:
    def fits(candidate: Sequence[float]) -> bool:
        near = _nearest(mesh, candidate)
        return near.distance <= near.element_size + depth

    if planar and found.point[2] != 0:
        for text, candidate in _with_decimal_points(found.point):
            if fits(candidate):
                return f"a place in the plane has two numbers: was a decimal comma meant as a point, {text}?"
    for factor, unit in _UNITS:
        if fits(tuple(factor * found.point)):
            texts = ", ".join(f"{value:g} {unit}" for value in found.point[: 2 if found.point[2] == 0 else 3])
            return f"a place without a unit is in metres: was [{texts}] meant?"
    if fits(tuple(1000 * found.point)):
        return "1000 times that is on the body: is its mesh in millimetres? Give it in metres (scale: 0.001)"
    if planar and found.point[2] != 0:
        return "a place in the plane has two numbers; give a place on the body"
    return "give a place on the body, the number of a node, or the name of a set"


def _with_decimal_points(point: Array) -> Iterator[tuple[str, tuple[float, float]]]:
    """Two numbers that three could be the halves of: 1, 1, 5 was 1 and 1,5, or 1,1 and 5."""
    a, b, c = point
    whole = [value == round(value) and abs(value) < 1e9 for value in point]
    if whole[1] and whole[2] and c >= 0:
        second = float(f"{b:.0f}.{c:.0f}")
        yield f"[{a:g}, {second:g}]", (float(a), second)
    if whole[0] and whole[1] and b >= 0:
        first = float(f"{a:.0f}.{b:.0f}")
        yield f"[{first:g}, {c:g}]", (first, float(c))


def _numbers(point: Array) -> str:
    return ", ".join(f"{value:.6g}" for value in point)


def _show(point: Array) -> str:
    return f"[{_numbers(point if point[2] else point[:2])}]"

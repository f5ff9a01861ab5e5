"""Element types of Ansys as cells: which numbers are which shape, and shapes that share the nodes of others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from flexframe.maths.arrays import BoolArray, IntArray
from flexframe.mesh.cells import (
    HEXAHEDRON,
    HEXAHEDRON20,
    LINE,
    LINE3,
    QUAD,
    QUAD8,
    TETRA,
    TETRA10,
    TRIANGLE,
    TRIANGLE6,
    VERTEX,
    WEDGE,
    WEDGE15,
    Cell,
)

MadeOf = Literal["solid", "shell", "plane", "beam", "bar", "mass", "spring", "rigid", "mesh", "none"]
"""What elements are here: "mesh" are cells without properties, "none" surfaces, contact and other helpers."""

_TYPES: dict[MadeOf, tuple[int, ...]] = {
    "solid": (45, 46, 64, 65, 73, 92, 95, 185, 186, 187, 190, 285),
    "shell": (28, 43, 63, 93, 131, 132, 143, 157, 163, 181, 281),
    "plane": (2, 42, 82, 182, 183),
    "beam": (3, 4, 23, 24, 44, 54, 188, 189),
    "bar": (1, 8, 10, 180),
    "mass": (21,),
    "spring": (14,),
    "rigid": (184,),
    "mesh": (200,),
    "none": (*range(151, 157), *range(169, 180), 201, 202, 208, 209),
}
_WITH_ORIENTATION = {4: 2, 44: 2, 24: 2, 188: 2, 189: 3}
"""Nodes of a beam's line; one more gives its direction."""


def made_of(number: int) -> MadeOf | None:
    """What elements of a type number are here; None where flexframe has nothing like them."""
    return next((made for made, numbers in _TYPES.items() if number in numbers), None)


def line_nodes(number: int) -> int:
    """How many of the nodes of a beam lie on its line."""
    return _WITH_ORIENTATION.get(number, 2)


@dataclass(frozen=True, eq=False)
class Shape:
    """A cell that elements of some nodes may be: which of their nodes are the cell's, by its own order."""

    cell: Cell
    nodes: Sequence[int]
    equal: tuple[tuple[int, ...], ...] = ()  # places in the list that have the same node


_SOLIDS = (
    Shape(TETRA10, (0, 1, 2, 4, 8, 9, 11, 16, 17, 18), ((2, 3), (4, 5, 6, 7))),
    Shape(WEDGE15, (0, 1, 2, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16, 17, 18), ((2, 3), (6, 7))),
    Shape(HEXAHEDRON20, range(20)),
)
_BRICKS = (
    Shape(TETRA, (0, 1, 2, 4), ((2, 3), (4, 5, 6, 7))),
    Shape(WEDGE, (0, 1, 2, 4, 5, 6), ((2, 3), (6, 7))),
    Shape(HEXAHEDRON, range(8)),
)
_FLAT8 = (Shape(TRIANGLE6, (0, 1, 2, 4, 5, 7), ((2, 3),)), Shape(QUAD8, range(8)))
_FLAT4 = (Shape(TRIANGLE, (0, 1, 2), ((2, 3),)), Shape(QUAD, range(4)))


# Cells of MESH200 by KEYOPT(1), and of element types that have one shape only.
_OF_MESH = (LINE, LINE3, LINE, LINE3, TRIANGLE, TRIANGLE6, QUAD, QUAD8, TETRA, TETRA10, HEXAHEDRON, HEXAHEDRON20)
_OF_TYPE = {2: TRIANGLE6, 92: TETRA10, 187: TETRA10, 285: TETRA, 189: LINE3}


def shapes_of(made: MadeOf, number: int, count: int, option: int = 0) -> tuple[Shape, ...]:
    """The cells that elements of so many nodes may be, those with fewer corners first; `option` is KEYOPT(1)."""
    single = _OF_TYPE.get(number)
    if made == "mesh":
        single = _OF_MESH[option] if 0 <= option < len(_OF_MESH) else None
    elif made in ("beam", "bar") and single is None:
        single = LINE
    elif made == "mass":
        single = VERTEX
    elif made in ("shell", "plane") and count in (3, 6):
        single = TRIANGLE if count == 3 else TRIANGLE6
    if single is not None:
        return (Shape(single, range(single.nodes)),)
    if made == "solid":
        return _SOLIDS if count > 8 else _BRICKS
    return (_FLAT8 if count > 4 else _FLAT4) if made in ("shell", "plane") else ()


def fits(shape: Shape, nodes: IntArray) -> BoolArray:
    """Which elements (n, nodes) are of a shape: corners that coincide, and no others."""
    found = np.ones(len(nodes), dtype=bool)
    if shape.equal and nodes.shape[1] <= max(max(places) for places in shape.equal):
        return np.zeros(len(nodes), dtype=bool)
    for places in shape.equal:
        found &= (nodes[:, places[1:]] == nodes[:, places[:1]]).all(axis=1)
    corners = nodes[:, list(shape.nodes)[: shape.cell.corners]]
    ordered = np.sort(corners, axis=1)
    return np.asarray(found & (ordered[:, 1:] != ordered[:, :-1]).all(axis=1))


def linear(shape: Shape) -> Shape:
    """The shape without its mid-side nodes."""
    cell = shape.cell.of_order(1)
    return Shape(cell, list(shape.nodes)[: cell.nodes], shape.equal)

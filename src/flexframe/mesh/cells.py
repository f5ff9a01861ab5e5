"""Cell shapes: names and node order of VTK and meshio, with their facets.

Corners come first, then the mid-side nodes in the order of the edges. Solids are numbered so that the
Jacobian is positive: the first face of a tetrahedron, hexahedron or wedge, walked in node order, turns
its normal towards the rest of the cell (as in Abaqus and gmsh, and as meshio writes wedges).
Facet k of a cell is face S(k+1) of the Abaqus element of the same shape.
"""

from dataclasses import dataclass
from difflib import get_close_matches

from flexframe.errors import InputError

Facet = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class Cell:
    """A cell shape: what its nodes mean and what bounds it.

    `nodes` and `corners` are counts. A facet is (cell name, local node numbers with the mid-side nodes);
    edges of plane cells run counter-clockwise, faces of solids have their normal outwards.
    """

    name: str
    dimension: int
    nodes: int
    corners: int
    facets: tuple[Facet, ...]

    @property
    def order(self) -> int:
        """Degree of the edges: 1 straight, 2 with mid-side nodes."""
        return 1 if self.nodes == self.corners else 2

    def of_order(self, order: int) -> "Cell":
        """The cell of the same shape with straight (1) or three-node (2) edges."""
        if order == 1 or self.dimension == 0:
            return cell_named(self.linear_name)
        return next(c for c in CELLS if c.linear_name == self.linear_name and c.order == order)

    @property
    def linear_name(self) -> str:
        """Name of the cell that has only the corners of this one."""
        return self.name.rstrip("0123456789")

    @property
    def edges(self) -> tuple[tuple[int, ...], ...]:
        """Edges as (first corner, last corner) or, with mid-side nodes, (first, last, middle node).

        Edge k has the middle node corners + k.
        """
        ends = _EDGES[self.linear_name]
        if self.order == 1:
            return ends
        return tuple((first, last, self.corners + k) for k, (first, last) in enumerate(ends))


_EDGES: dict[str, tuple[tuple[int, int], ...]] = {
    "vertex": (),
    "line": ((0, 1),),
    "triangle": ((0, 1), (1, 2), (2, 0)),
    "quad": ((0, 1), (1, 2), (2, 3), (3, 0)),
    "tetra": ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)),
    "hexahedron": (
        *((0, 1), (1, 2), (2, 3), (3, 0)),
        *((4, 5), (5, 6), (6, 7), (7, 4)),
        *((0, 4), (1, 5), (2, 6), (3, 7)),
    ),
    "wedge": ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)),
}

VERTEX = Cell("vertex", 0, 1, 1, ())
LINE = Cell("line", 1, 2, 2, (("vertex", (0,)), ("vertex", (1,))))
LINE3 = Cell("line3", 1, 3, 2, (("vertex", (0,)), ("vertex", (1,))))
TRIANGLE = Cell("triangle", 2, 3, 3, (("line", (0, 1)), ("line", (1, 2)), ("line", (2, 0))))
TRIANGLE6 = Cell("triangle6", 2, 6, 3, (("line3", (0, 1, 3)), ("line3", (1, 2, 4)), ("line3", (2, 0, 5))))
QUAD = Cell("quad", 2, 4, 4, (("line", (0, 1)), ("line", (1, 2)), ("line", (2, 3)), ("line", (3, 0))))
QUAD8 = Cell(
    "quad8",
    2,
    8,
    4,
    (("line3", (0, 1, 4)), ("line3", (1, 2, 5)), ("line3", (2, 3, 6)), ("line3", (3, 0, 7))),
)
TETRA = Cell(
    "tetra",
    3,
    4,
    4,
    (("triangle", (0, 2, 1)), ("triangle", (0, 1, 3)), ("triangle", (1, 2, 3)), ("triangle", (2, 0, 3))),
)
TETRA10 = Cell(
    "tetra10",
    3,
    10,
    4,
    (
        ("triangle6", (0, 2, 1, 6, 5, 4)),
        ("triangle6", (0, 1, 3, 4, 8, 7)),
        ("triangle6", (1, 2, 3, 5, 9, 8)),
        ("triangle6", (2, 0, 3, 6, 7, 9)),
    ),
)
HEXAHEDRON = Cell(
    "hexahedron",
    3,
    8,
    8,
    (
        ("quad", (0, 3, 2, 1)),
        ("quad", (4, 5, 6, 7)),
        ("quad", (0, 1, 5, 4)),
        ("quad", (1, 2, 6, 5)),
        ("quad", (2, 3, 7, 6)),
        ("quad", (3, 0, 4, 7)),
    ),
)
HEXAHEDRON20 = Cell(
    "hexahedron20",
    3,
    20,
    8,
    (
        ("quad8", (0, 3, 2, 1, 11, 10, 9, 8)),
        ("quad8", (4, 5, 6, 7, 12, 13, 14, 15)),
        ("quad8", (0, 1, 5, 4, 8, 17, 12, 16)),
        ("quad8", (1, 2, 6, 5, 9, 18, 13, 17)),
        ("quad8", (2, 3, 7, 6, 10, 19, 14, 18)),
        ("quad8", (3, 0, 4, 7, 11, 16, 15, 19)),
    ),
)
WEDGE = Cell(
    "wedge",
    3,
    6,
    6,
    (
        ("triangle", (0, 2, 1)),
        ("triangle", (3, 4, 5)),
        ("quad", (0, 1, 4, 3)),
        ("quad", (1, 2, 5, 4)),
        ("quad", (2, 0, 3, 5)),
    ),
)
WEDGE15 = Cell(
    "wedge15",
    3,
    15,
    6,
    (
        ("triangle6", (0, 2, 1, 8, 7, 6)),
        ("triangle6", (3, 4, 5, 9, 10, 11)),
        ("quad8", (0, 1, 4, 3, 6, 13, 9, 12)),
        ("quad8", (1, 2, 5, 4, 7, 14, 10, 13)),
        ("quad8", (2, 0, 3, 5, 8, 12, 11, 14)),
    ),
)

CELLS: tuple[Cell, ...] = (
    VERTEX,
    LINE,
    LINE3,
    TRIANGLE,
    TRIANGLE6,
    QUAD,
    QUAD8,
    TETRA,
    TETRA10,
    HEXAHEDRON,
    HEXAHEDRON20,
    WEDGE,
    WEDGE15,
)
_BY_NAME = {cell.name: cell for cell in CELLS}


def cell_named(name: str) -> Cell:
    """The cell shape of that name; InputError with the known names otherwise."""
    try:
        return _BY_NAME[name]
    except KeyError:
        near = get_close_matches(name, _BY_NAME, n=1)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        raise InputError(f"unknown cell shape '{name}'{hint}; use one of {', '.join(_BY_NAME)}") from None

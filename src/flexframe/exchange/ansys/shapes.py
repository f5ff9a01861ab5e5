"""Elements of Ansys sorted by the cells that their nodes make."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexframe.exchange.ansys.elements import MadeOf, Shape, fits, linear, shapes_of
from flexframe.exchange.numbering import Numbering
from flexframe.maths.arrays import IntArray
from flexframe.mesh.cells import Cell

_TETRAHEDRA = (92, 187, 285)


@dataclass(frozen=True, eq=False)
class ShapedElements:
    """Elements of one type and shape: cell, labels, node numbers in its order, and rows among those given."""

    number: int  # of the element type
    made: MadeOf
    cell: Cell
    labels: IntArray  # (n,)
    nodes: IntArray  # (n, nodes)
    rows: IntArray  # (n,)


def shaped_elements(
    number: int,
    made: MadeOf,
    labels: IntArray,
    given: IntArray,
    *,
    nodes: Numbering,
    option: int,
    place: Callable[[int], str],
) -> tuple[list[ShapedElements], IntArray]:
    """Elements of a type by shape, and rows of those that are none; `given` are node labels, 0 for none: (n, 20).

    Corners that coincide make a wedge of a hexahedron and a triangle of a quadrilateral. `option` is KEYOPT(1).
    """
    width = int((given != 0).sum(axis=1).max(initial=0))
    most = 20 if made == "solid" and width > 8 else 8 if made in ("shell", "plane") and width > 6 else width
    found: list[ShapedElements] = []
    rest = np.ones(len(given), dtype=bool)
    for shape in _candidates(made, number, most, option):
        needed = list(shape.nodes)
        whole = rest & (given[:, needed] > 0).all(axis=1) & fits(shape, given)
        if shape.cell.order == 1 and shape.cell.dimension > 1:  # then there are no mid-side nodes at all
            whole &= (given[:, _corners(made, number, shape) :] == 0).all(axis=1)
        rows = np.flatnonzero(whole)
        if rows.size:

            def where(entry: int, rows: IntArray = rows, columns: int = len(needed)) -> str:
                return place(int(rows[entry // columns]))

            numbers = nodes.of(given[rows][:, needed], where)
            found.append(ShapedElements(number, made, shape.cell, labels[rows], numbers, rows))
            rest &= ~whole
    return found, np.flatnonzero(rest)


def _candidates(made: MadeOf, number: int, count: int, option: int) -> list[Shape]:
    """The shapes that elements may have, those without mid-side nodes at the end."""
    shapes = list(shapes_of(made, number, count, option))
    return [*shapes, *(linear(shape) for shape in shapes if shape.cell.order == 2 and shape.cell.dimension > 1)]


def _corners(made: MadeOf, number: int, shape: Shape) -> int:
    """How many places of the list of nodes are corners."""
    if made == "solid" and number not in _TETRAHEDRA:
        return 8
    return shape.cell.corners if made in ("mesh", "solid") else max(4, shape.cell.corners)

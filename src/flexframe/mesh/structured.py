"""A rectangular grid of quadrilaterals mapped onto a plane region."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import QUAD, QUAD8

PlaneMap = Callable[[Array, Array], tuple[Array, Array]]
"""Grid coordinates u, v ∈ [0, 1] → x, y; mid-side nodes go through it too, so they lie on curved edges."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Points (n, 2), quadrilaterals, and the node number at each grid place (−1 where there is none).

    The first index of `numbers` runs along u, the second along v, by half divisions when of order 2.
    """

    points: Array
    block: CellBlock
    numbers: IntArray


def grid(divisions: tuple[int, int], order: int, plane_map: PlaneMap, *, closed: bool = False) -> Grid:
    """Quadrilaterals on a grid of divisions (along u, along v); `closed` joins v = 1 to v = 0."""
    shape = (order * divisions[0] + 1, order * divisions[1] + 1)
    present = np.ones(shape, dtype=bool)
    if order == 2:
        present[1::2, 1::2] = False
    if closed:
        present[:, -1] = False
    numbers = np.full(shape, -1, dtype=np.int64)
    numbers[present] = np.arange(present.sum())
    along_u, along_v = np.nonzero(present)
    x, y = plane_map(along_u / (shape[0] - 1), along_v / (shape[1] - 1))
    if closed:
        numbers[:, -1] = numbers[:, 0]
    return Grid(np.column_stack([x, y]), _quadrilaterals(numbers, order), numbers)


def _quadrilaterals(numbers: IntArray, order: int) -> CellBlock:
    """Corners counter-clockwise from (low u, low v), then the middles of the edges."""
    low, high, middle = slice(None, -1, order), slice(order, None, order), slice(1, None, 2)
    places = [(low, low), (high, low), (high, high), (low, high)]
    if order == 2:
        places += [(middle, low), (high, middle), (middle, high), (low, middle)]
    nodes = np.column_stack([numbers[place].ravel() for place in places])
    return CellBlock(QUAD if order == 1 else QUAD8, nodes)

"""Meshes of plane regions made from a few sizes, with named sets.

The regions lie in z = 0; their sides have node and facet sets of the same names, and the cell set "all"
has every cell.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import QUAD, QUAD8
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.subdivision import triangles
from flexframe.mesh.validation import (
    coordinates,
    point_rows,
    require_choice,
    require_counts,
    require_positive,
)

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


_PLANE_SHAPES = ("quad", "triangle")


def rectangle(length: float, height: float, divisions: Sequence[int], order: int = 2, shape: str = "quad") -> Mesh:
    """Rectangle from the origin to (length, height); sets as in `quadrilateral`.

    Parameters
    ----------
    length, height
        Sizes along x and y [m].
    divisions
        Cells along x and y.
    order
        1 or 2, the degree of the edges.
    shape
        "quad" or "triangle".

    Returns
    -------
    Mesh
        The mesh in the x–y plane.

    Examples
    --------
    >>> ff.mesh.rectangle(2.0, 1.0, (4, 2), order=1).points.shape
    (15, 3)
    """
    require_positive(length=length, height=height)
    return quadrilateral([(0, 0), (length, 0), (length, height), (0, height)], divisions, order, shape)


def quadrilateral(corners: ArrayLike, divisions: Sequence[int], order: int = 2, shape: str = "quad") -> Mesh:
    """Bilinear grid inside four corners (4, 2), counter-clockwise from the bottom left.

    Divisions are (along bottom and top, along left and right). Node and facet sets "bottom", "right",
    "top", "left"; node sets "bottom_left" … for the corners and "corners" for all four.

    Parameters
    ----------
    corners
        Corners [m]: (4, 2).
    divisions
        Cells along bottom and top, and along left and right.
    order
        1 or 2, the degree of the edges.
    shape
        "quad" or "triangle".

    Returns
    -------
    Mesh
        The mesh in the x–y plane.

    Examples
    --------
    >>> trapezium = ff.mesh.quadrilateral([[0, 0], [2, 0], [1.5, 1], [0.5, 1]], (4, 2))
    >>> round(ff.mesh.check_mesh(trapezium).area, 9)
    1.5
    """
    counts = _plane_arguments(divisions, order, shape)
    c = np.array([coordinates(f"corner {i}", p)[:2] for i, p in enumerate(point_rows(corners))])
    if c.shape != (4, 2):
        raise InputError(f"a quadrilateral has four corners, not {len(c)}")
    sides = np.roll(c, -1, axis=0) - c
    turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1] - sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
    if turns.min() <= 1e-12 * (sides**2).sum(axis=1).max():
        raise InputError("the corners are not those of a convex quadrilateral, counter-clockwise; reorder them")

    def bilinear(u: Array, v: Array) -> tuple[Array, Array]:
        # Differences first: the sides of a rectangle from the origin are then met without rounding.
        low = c[0] + u[:, None] * (c[1] - c[0])
        high = c[3] + u[:, None] * (c[2] - c[3])
        x, y = (low + v[:, None] * (high - low)).T
        return x, y

    made = grid(counts, order, bilinear)
    n = made.numbers
    sides_of = {"bottom": n[:, 0], "right": n[-1, :], "top": n[:, -1], "left": n[0, :]}
    corner_nodes = {
        "bottom_left": n[0, 0],
        "bottom_right": n[-1, 0],
        "top_right": n[-1, -1],
        "top_left": n[0, -1],
    }
    points_of = {name: np.array([node]) for name, node in corner_nodes.items()}
    points_of["corners"] = np.array(list(corner_nodes.values()))
    return _plane_mesh(made.points, made.block, shape, sides_of, points_of)


def annulus(
    inner_radius: float, outer_radius: float, divisions: Sequence[int], order: int = 2, shape: str = "quad"
) -> Mesh:
    """Ring about the origin; divisions are (along the radius, around); sets "inner" and "outer".

    Nodes of both circles, mid-side nodes too, lie on them exactly.

    Parameters
    ----------
    inner_radius, outer_radius
        Radii [m].
    divisions
        Cells along the radius and around.
    order
        1 or 2, the degree of the edges.
    shape
        "quad" or "triangle".

    Returns
    -------
    Mesh
        The mesh in the x–y plane.

    Examples
    --------
    >>> sorted(ff.mesh.annulus(0.05, 0.2, (2, 12)).facet_sets)
    ['inner', 'outer']
    """
    require_positive(inner_radius=inner_radius, outer_radius=outer_radius)
    if inner_radius >= outer_radius:
        raise InputError(f"inner radius {inner_radius} is not below outer radius {outer_radius}; swap them")
    counts = _plane_arguments(divisions, order, shape)
    if counts[1] < 3:
        raise InputError(f"{counts[1]} divisions around make no ring; give 3 or more")

    def polar(u: Array, v: Array) -> tuple[Array, Array]:
        radius = inner_radius + (outer_radius - inner_radius) * u
        return radius * np.cos(2 * np.pi * v), radius * np.sin(2 * np.pi * v)

    made = grid(counts, order, polar, closed=True)
    return _plane_mesh(made.points, made.block, shape, {"inner": made.numbers[0], "outer": made.numbers[-1]}, {})


def disc(radius: float, divisions: int | Sequence[int], order: int = 2, shape: str = "quad") -> Mesh:
    """Disc about the origin: a rounded square core inside four patches that reach the circle.

    `divisions` is the number of cells from the centre to the side of the core, so that 8 × divisions cells
    lie around the circle, or a pair of it and the number of rings outside the core. Node and facet set
    "outer", node set "centre". The mesh is the same after a quarter turn. With the rings left to choose
    the scaled Jacobian is at least 0.79 for quadrilaterals and 0.53 for triangles.

    Parameters
    ----------
    radius
        Radius [m].
    divisions
        Cells from the centre to the side of the core, or a pair with the number of rings.
    order
        1 or 2, the degree of the edges.
    shape
        "quad" or "triangle".

    Returns
    -------
    Mesh
        The mesh in the x–y plane.

    Examples
    --------
    >>> round(ff.mesh.check_mesh(ff.mesh.disc(1.0, 3)).area, 3)  # π r²
    3.142
    """
    require_positive(radius=radius)
    pair = (divisions, _rings(divisions)) if isinstance(divisions, int | np.integer) else divisions
    half, rings = _plane_arguments(pair, order, shape)
    core = grid((2 * half, 2 * half), order, _core)
    patch = grid((rings, 2 * half), order, _patch)
    points, nodes = [core.points], [core.block.nodes]
    x, y = patch.points.T
    for turned in ((x, y), (-y, x), (-x, -y), (y, -x)):
        nodes.append(patch.block.nodes + sum(len(p) for p in points))
        points.append(np.column_stack(turned))
    cells = CellBlock(core.block.cell, np.concatenate(nodes))
    unit = Mesh(np.concatenate(points), (cells,)).merged_nodes(1e-9)
    on_circle = np.flatnonzero(np.linalg.norm(unit.points, axis=1) > 1 - 1e-12)
    centre = np.array([unit.nearest_node((0.0, 0.0))])
    return _plane_mesh(
        radius * unit.points[:, :2], unit.blocks[0], shape, {"outer": on_circle}, {"centre": centre}
    )


# Half width of the core's square before it is rounded, and how far it is rounded towards a circle.
_CORE_WIDTH = 0.5
_CORE_ROUNDING = 0.4


def _core(u: Array, v: Array) -> tuple[Array, Array]:
    """Square [−1, 1]² blended with its elliptical image in the unit disc: x √(1 − y²/2), y √(1 − x²/2)."""
    x, y = 2 * u - 1, 2 * v - 1
    round_x, round_y = x * np.sqrt(1 - y**2 / 2), y * np.sqrt(1 - x**2 / 2)
    return (
        _CORE_WIDTH * (x + _CORE_ROUNDING * (round_x - x)),
        _CORE_WIDTH * (y + _CORE_ROUNDING * (round_y - y)),
    )


def _patch(u: Array, v: Array) -> tuple[Array, Array]:
    """From the core's right side (u = 0) straight to the circle (u = 1)."""
    core_x, core_y = _core(np.ones_like(v), v)
    angle = (v - 0.5) * np.pi / 2
    return core_x + u * (np.cos(angle) - core_x), core_y + u * (np.sin(angle) - core_y)


def _rings(half: int) -> int:
    return max(1, round(0.75 * half))


def _plane_mesh(
    points: Array,
    block: CellBlock,
    shape: str,
    sides: Mapping[str, IntArray],
    places: Mapping[str, IntArray],
) -> Mesh:
    """Mesh with node sets and, of the sides, facet sets of the same names."""
    sides = {name: nodes[nodes >= 0] for name, nodes in sides.items()}
    mesh = Mesh(points, (block,), node_sets={**sides, **places}, cell_sets={"all": np.arange(len(block))})
    mesh = mesh.with_sets(facet_sets={name: mesh.facets_on(nodes) for name, nodes in sides.items()})
    return triangles(mesh) if shape == "triangle" else mesh


def _plane_arguments(divisions: Sequence[int], order: int, shape: str) -> tuple[int, int]:
    require_choice("order", order, (1, 2))
    require_choice("shape", shape, _PLANE_SHAPES)
    first, second = require_counts("divisions", divisions, 2)
    return first, second

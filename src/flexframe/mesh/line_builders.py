"""Meshes of two-node lines, for bars and beams, with named sets; the cell set "all" has every cell."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import LINE
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.validation import (
    coordinates,
    point_rows,
    require_count,
    require_counts,
    require_positive,
)


def line(
    length: float,
    divisions: int,
    start: ArrayLike = (0.0, 0.0, 0.0),
    direction: ArrayLike = (1.0, 0.0, 0.0),
) -> Mesh:
    """Two-node lines of equal length from `start` along `direction`; node sets "start" and "end".

    Parameters
    ----------
    length
        Length [m].
    divisions
        Number of cells.
    start, direction
        First point [m] and direction; the length of the direction does not matter.

    Returns
    -------
    Mesh
        Lines with the node sets "start" and "end".

    Examples
    --------
    >>> ff.mesh.line(1.2, 4).points[:, 0]
    array([0. , 0.3, 0.6, 0.9, 1.2])
    """
    require_positive(length=length)
    require_count(divisions=divisions)
    origin, along = coordinates("start", start), coordinates("direction", direction)
    size = float(np.linalg.norm(along))
    if size == 0:
        raise InputError("direction is zero; give a vector that points along the line")
    return polyline([origin, origin + length * along / size], divisions)


def polyline(
    points: ArrayLike, divisions: int | Sequence[int] | None = None, *, size: float | None = None
) -> Mesh:
    """Two-node lines along straight segments between points (n, 2 or 3).

    Give `divisions` (one number for all segments or one for each) or the largest `size` of a cell [m].
    Node sets "start", "end", "corner1" … for the points between; cell sets "segment1" … . A last point
    equal to the first closes the line: "start" and "end" are then the same node.

    Parameters
    ----------
    points
        Corners [m]: (n, 2) or (n, 3).
    divisions
        Number of cells of each segment.
    size
        Largest length of a cell [m].

    Returns
    -------
    Mesh
        Lines with sets for corners and segments.

    Examples
    --------
    >>> sorted(ff.mesh.polyline([[0, 0], [1, 0], [1, 1]], 2).node_sets)
    ['corner1', 'end', 'start']
    """
    corners = np.array([coordinates(f"point {i}", p) for i, p in enumerate(point_rows(points))])
    if len(corners) < 2:
        raise InputError(f"a polyline of {len(corners)} point(s) has no segment; give two points or more")
    lengths = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    if (lengths == 0).any():
        raise InputError(f"segment {int(np.argmin(lengths)) + 1} has no length; give each point once in a row")
    counts = _segment_divisions(lengths, divisions, size)
    pieces = [
        low + (high - low) * np.linspace(0.0, 1.0, count + 1)[1:, None]
        for (low, high), count in zip(pairwise(corners), counts, strict=True)
    ]
    nodes = np.vstack([corners[:1], *pieces])
    ends = np.cumsum([0, *counts])
    cells = np.column_stack([np.arange(ends[-1]), np.arange(1, ends[-1] + 1)])
    if (corners[0] == corners[-1]).all():
        nodes, cells[-1, 1], ends[-1] = nodes[:-1], 0, 0
    sets = {"start": [0], "end": [ends[-1]]}
    sets |= {f"corner{i + 1}": [node] for i, node in enumerate(ends[1:-1])}
    starts = np.cumsum([0, *counts])
    segments = {f"segment{i + 1}": np.arange(a, b) for i, (a, b) in enumerate(pairwise(starts))}
    return Mesh(
        nodes,
        (CellBlock(LINE, cells),),
        node_sets={name: np.array(numbers) for name, numbers in sets.items()},
        cell_sets={"all": np.arange(len(cells)), **segments},
    )


def arc(
    radius: float,
    angle: float,
    divisions: int,
    *,
    start: ArrayLike = (0.0, 0.0, 0.0),
    direction: ArrayLike = (1.0, 0.0, 0.0),
    towards: ArrayLike = (0.0, 1.0, 0.0),
) -> Mesh:
    """Lines with their nodes on an arc, and its tangents; exact beams between them are curved.

    Other elements are the straight sides of the polygon. An angle of 2π closes the circle: "start" and "end" are
    then the same node.

    Parameters
    ----------
    radius
        Radius [m].
    angle
        From the first to the last node [rad], up to 2π.
    divisions
        Number of cells.
    start, direction
        First point [m] and the tangent there.
    towards
        A direction in the plane of the arc, on the side of its centre.

    Returns
    -------
    Mesh
        Lines with the node sets "start" and "end".

    Examples
    --------
    >>> ff.mesh.arc(2.0, np.pi / 2, 3).points[-1].round(9)
    array([2., 2., 0.])
    """
    require_positive(radius=radius, angle=angle)
    require_count(divisions=divisions)
    whole = bool(np.isclose(angle, 2 * np.pi, rtol=1e-9))
    if angle > 2 * np.pi and not whole:
        raise InputError(f"angle is {angle:g} rad; an arc has up to a whole turn, 2π")
    if angle / divisions >= np.pi / 2:
        raise InputError(f"each of {divisions} cells turns by a right angle or more; give more divisions")
    origin, along, side = (
        coordinates(name, given)
        for name, given in (("start", start), ("direction", direction), ("towards", towards))
    )
    if np.linalg.norm(along) == 0:
        raise InputError("direction is zero; give a vector along the beginning of the arc")
    x = along / np.linalg.norm(along)
    y = side - (side @ x) * x
    if np.linalg.norm(y) <= 1e-9 * np.linalg.norm(side):
        raise InputError("towards is along direction; give a vector on the side of the centre")
    y /= np.linalg.norm(y)
    turn = np.linspace(0.0, angle, divisions + 1)[:, None]
    points = origin + radius * (np.sin(turn) * x + (1 - np.cos(turn)) * y)
    if whole:
        points[-1] = points[0]
    return _curve(points, np.cos(turn) * x + np.sin(turn) * y)


def spline(points: ArrayLike, divisions: int) -> Mesh:
    """Lines with their nodes on a smooth curve through points, and its tangents; exact beams there are curved.

    The curve is a cubic spline with continuous curvature, its parameter the distance between the points; a last
    point equal to the first closes it. Other elements are the straight sides of the polygon.

    Parameters
    ----------
    points
        Points that the curve meets [m]: (n, 2) or (n, 3).
    divisions
        Number of cells between two points.

    Returns
    -------
    Mesh
        Lines with the node sets "start", "end" and "point1" … for the points between.

    Examples
    --------
    >>> bow = ff.mesh.spline([[0, 0], [1, 0.2], [2, 0]], 4)
    >>> abs(bow.tangents[4]).round(9)  # along x
    array([1., 0., 0.])
    """
    from scipy.interpolate import CubicSpline

    given = np.array([coordinates(f"point {i}", p) for i, p in enumerate(point_rows(points))])
    require_count(divisions=divisions)
    if len(given) < 3:
        raise InputError(f"a spline of {len(given)} point(s) has no curve; give three points or more")
    lengths = np.linalg.norm(np.diff(given, axis=0), axis=1)
    if (lengths == 0).any():
        raise InputError(f"segment {int(np.argmin(lengths)) + 1} has no length; give each point once in a row")
    knots = np.concatenate([[0.0], np.cumsum(lengths)])
    closed = bool((given[0] == given[-1]).all())
    curve = CubicSpline(knots, given, bc_type="periodic" if closed else "not-a-knot")
    shares = np.arange(len(lengths) * divisions + 1) / divisions
    at = np.interp(shares, np.arange(len(knots)), knots)
    places = curve(at)
    places[::divisions] = given
    made = _curve(places, curve(at, 1))
    between = {f"point{i}": np.array([i * divisions]) for i in range(1, len(given) - 1)}
    return made.with_sets(node_sets=between)


def _curve(points: Array, tangents: Array) -> Mesh:
    """Cells between points in a row; tangents do not meet between them at a corner."""
    mesh = polyline(points, 1)
    count = mesh.node_count
    corners = {name for name in mesh.node_sets if name.startswith("corner")}
    return Mesh(
        mesh.points,
        mesh.blocks,
        node_sets={name: nodes for name, nodes in mesh.node_sets.items() if name not in corners},
        cell_sets={"all": mesh.cell_sets["all"]},
        tangents=tangents[:count],
    )


def _segment_divisions(
    lengths: Array, divisions: int | Sequence[int] | None, size: float | None
) -> tuple[int, ...]:
    if (divisions is None) == (size is None):
        raise InputError("give either divisions or size for a polyline")
    if size is not None:
        require_positive(size=size)
        return tuple(int(np.ceil(length / size * (1 - 1e-9))) for length in lengths)
    if isinstance(divisions, int | np.integer):
        require_count(divisions=int(divisions))
        return (int(divisions),) * len(lengths)
    assert divisions is not None
    return require_counts("divisions", divisions, len(lengths))

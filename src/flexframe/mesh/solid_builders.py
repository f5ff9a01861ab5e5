"""Meshes of solids made from a few sizes, with named sets.

Every mesh has the cell set "all"; the sides have node and facet sets of the same names. Tetrahedra are
cut from hexahedra; their middle nodes lie on the curved surface.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from flexframe.errors import InputError
from flexframe.mesh.extrusion import extrude
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.plane_builders import annulus, disc, rectangle
from flexframe.mesh.subdivision import tetrahedra
from flexframe.mesh.validation import require_choice, require_count, require_counts, require_positive

_SOLID_SHAPES = ("hexahedron", "tetra", "wedge")


def block(lengths: Sequence[float], divisions: Sequence[int], order: int = 2, shape: str = "hexahedron") -> Mesh:
    """Box from the origin to `lengths` (x, y, z).

    Sets "left", "right" (x), "front", "back" (y), "bottom", "top" (z), the first at the lower coordinate.

    Parameters
    ----------
    lengths
        Sizes along x, y and z [m].
    divisions
        Cells along x, y and z.
    order
        1 or 2, the degree of the edges.
    shape
        "hexahedron", or another solid cell that it is split into.

    Returns
    -------
    Mesh
        The mesh.

    Examples
    --------
    >>> sorted(ff.mesh.block((0.4, 0.1, 0.1), (4, 1, 1)).facet_sets)
    ['back', 'bottom', 'front', 'left', 'right', 'top']
    """
    require_choice("shape", shape, _SOLID_SHAPES)
    counts = require_counts("divisions", divisions, 3)
    x, y, z = _three_lengths(lengths)
    base = rectangle(x, y, counts[:2], order, _plane_shape(shape))
    sides = {"left": "left", "right": "right", "bottom": "front", "top": "back"}
    return _draw(_with_only(base, sides), z, counts[2], shape)


def cylinder(
    radius: float,
    height: float,
    divisions: Sequence[int],
    order: int = 2,
    shape: str = "hexahedron",
) -> Mesh:
    """Solid cylinder (or thick disc) about the z-axis from z = 0 to `height`; sets "outer", "bottom", "top".

    Divisions are (from the centre to the side of the core as in `disc`, along the height), or with the
    number of rings between them. The node set "centre" is the axis.

    Parameters
    ----------
    radius, height
        Radius, and height along z [m].
    divisions
        Cells from the centre to the side of the core, (rings,) and cells along the height.
    order
        1 or 2, the degree of the edges.
    shape
        "hexahedron" or "wedge".

    Returns
    -------
    Mesh
        The mesh.

    Examples
    --------
    >>> round(ff.mesh.check_mesh(ff.mesh.cylinder(1.0, 0.5, (3, 1))).volume, 3)  # π r² h
    1.571
    """
    require_choice("shape", shape, _SOLID_SHAPES)
    counts = require_counts("divisions", divisions, 2 if len(divisions) == 2 else 3)
    around = counts[0] if len(counts) == 2 else counts[:2]
    return _draw(disc(radius, around, order, _plane_shape(shape)), height, counts[-1], shape)


def tube(
    inner_radius: float,
    outer_radius: float,
    height: float,
    divisions: Sequence[int],
    order: int = 2,
    *,
    shape: str = "hexahedron",
) -> Mesh:
    """Hollow cylinder about the z-axis from z = 0 to `height`; sets "inner", "outer", "bottom", "top".

    Divisions are (along the radius, around, along the height).

    Parameters
    ----------
    inner_radius, outer_radius, height
        Radii, and height along z [m].
    divisions
        Cells along the radius, around and along the height.
    order
        1 or 2, the degree of the edges.
    shape
        "hexahedron", or another solid cell that it is split into.

    Returns
    -------
    Mesh
        The mesh.

    Examples
    --------
    >>> sorted(ff.mesh.tube(0.05, 0.2, 0.01, (2, 12, 1)).facet_sets)
    ['bottom', 'inner', 'outer', 'top']
    """
    require_choice("shape", shape, _SOLID_SHAPES)
    counts = require_counts("divisions", divisions, 3)
    base = annulus(inner_radius, outer_radius, counts[:2], order, _plane_shape(shape))
    return _draw(base, height, counts[2], shape)


def blade(
    length: float,
    root_chord: float,
    tip_chord: float,
    thickness: float,
    twist_angle: float,
    *,
    divisions: Sequence[int],
    order: int = 2,
    shape: str = "hexahedron",
) -> Mesh:
    """Straight-tapered plate along x, twisted about the x-axis by `twist_angle` [rad] from root to tip.

    At the root the chord lies along y and the thickness along z, both centred on the x-axis; a positive
    angle turns y towards z. Divisions are (along the span, chord, thickness). Sets "root", "tip",
    "leading" (+y), "trailing" (−y), "upper" (+z), "lower" (−z). All nodes lie on the twisted surfaces.

    Parameters
    ----------
    length, root_chord, tip_chord, thickness
        Sizes [m].
    twist_angle
        Angle between root and tip [rad].
    divisions
        Cells along the span, the chord and the thickness.
    order
        1 or 2, the degree of the edges.
    shape
        "hexahedron", or another solid cell that it is split into.

    Returns
    -------
    Mesh
        The mesh.

    Examples
    --------
    >>> sorted(ff.mesh.blade(0.3, 0.08, 0.05, 0.004, 0.3, divisions=(8, 3, 1)).facet_sets)
    ['leading', 'lower', 'root', 'tip', 'trailing', 'upper']
    """
    require_positive(length=length, root_chord=root_chord, tip_chord=tip_chord, thickness=thickness)
    if not np.isfinite(twist_angle):
        raise InputError(f"twist angle is {twist_angle}; give a finite angle in radians")
    names = {"left": "root", "right": "tip", "front": "trailing", "back": "leading"}
    names |= {"bottom": "lower", "top": "upper"}
    straight = _with_only(block((1.0, 1.0, 1.0), divisions, order, shape), names)
    span, across, through = straight.points.T
    chord = root_chord + (tip_chord - root_chord) * span
    y, z = (across - 0.5) * chord, (through - 0.5) * thickness
    cosine, sine = np.cos(twist_angle * span), np.sin(twist_angle * span)
    points = np.column_stack([length * span, y * cosine - z * sine, y * sine + z * cosine])
    return replace(straight, points=points)


def _draw(base: Mesh, height: float, layers: int, shape: str) -> Mesh:
    require_positive(height=height)
    require_count(layers=layers)
    solid = extrude(base, height, layers)
    return tetrahedra(solid) if shape == "tetra" else solid


def _plane_shape(shape: str) -> str:
    return "triangle" if shape == "wedge" else "quad"


def _three_lengths(lengths: Sequence[float]) -> tuple[float, float, float]:
    if len(lengths) != 3:
        raise InputError(f"lengths are {lengths}; give three, along x, y and z")
    x, y, z = lengths
    require_positive(length_x=x, length_y=y, length_z=z)
    return x, y, z


def _with_only(mesh: Mesh, names: Mapping[str, str]) -> Mesh:
    """The mesh with its side sets renamed, and without the other node and facet sets."""
    return replace(
        mesh,
        node_sets={new: mesh.node_sets[old] for old, new in names.items()},
        facet_sets={new: mesh.facet_sets[old] for old, new in names.items()},
    )

"""Meshes made from a few sizes: lines, plane regions and solids, with named sets."""

from flexframe.mesh.extrusion import extrude
from flexframe.mesh.line_builders import arc, line, polyline, spline
from flexframe.mesh.plane_builders import annulus, disc, quadrilateral, rectangle
from flexframe.mesh.solid_builders import blade, block, cylinder, tube

__all__ = [
    "annulus",
    "arc",
    "blade",
    "block",
    "cylinder",
    "disc",
    "extrude",
    "line",
    "polyline",
    "quadrilateral",
    "rectangle",
    "spline",
    "tube",
]

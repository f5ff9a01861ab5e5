"""Sections of bodies of revolution for tests."""

from dataclasses import replace

import numpy as np

from flexframe.elements.properties import STEEL, Material
from flexframe.mesh.builders import rectangle
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.supports import Clamp, Support

AXIS = (0.0, 1.0, 0.0)
INNER, OUTER, HEIGHT = 0.02, 0.2, 0.04  # m, of the disc on a hub


def section(
    inner: float, outer: float, height: float, divisions: tuple[int, int], order: int = 2, shape: str = "quad"
) -> Mesh:
    """A rectangle between two radii."""
    mesh = rectangle(outer - inner, height, divisions, order=order, shape=shape)
    return replace(mesh, points=mesh.points + np.array([inner, 0.0, 0.0]))


def skewed(mesh: Mesh) -> Mesh:
    """Corners inside moved, so that cells are no rectangles; edges stay straight and the boundary where it is."""
    low, high = mesh.bounding_box
    size = (high - low)[:2]
    x, y = ((mesh.points - low)[:, :2] / size).T
    inside = 16 * x * (1 - x) * y * (1 - y)
    moved = mesh.points.copy()
    moved[:, 0] += size[0] / 12 * inside * np.sin(7 * x + 3 * y)
    moved[:, 1] += size[1] / 12 * inside * np.cos(5 * x - 4 * y)
    for block in mesh.blocks:
        for edge in block.cell.edges:
            if len(edge) == 3:
                first, second, middle = (block.nodes[:, local] for local in edge)
                moved[middle] = (moved[first] + moved[second]) / 2
    return replace(mesh, points=moved)


def hub_disc(divisions: tuple[int, int] = (6, 2), material: Material = STEEL) -> Body:
    """A thick disc clamped at its bore."""
    return revolved(section(INNER, OUTER, HEIGHT, divisions), material, (Clamp("left"),))


def revolved(mesh: Mesh, material: Material = STEEL, supports: tuple[Support, ...] = ()) -> Body:
    """The body of a section."""
    return Body.of_revolution("disc", mesh, material=material, supports=supports)

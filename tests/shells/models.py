"""Shell meshes on mapped rectangles, and short ways from them to displacements."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import Material, ShellProperty
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import rectangle
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region
from flexframe.model.loads import NodeForce
from flexframe.model.supports import Symmetric

SHAPES = ("quad", "triangle")
every_shape = pytest.mark.parametrize("shape", SHAPES)
IN_PLANE_DOFS = ("ux", "uy", "rz")
FAMILY = {"quad": "shell_quadrilateral", "triangle": "shell_triangle"}


@dataclass(frozen=True)
class Solved:
    """A body with its static solution: (nodes, 6)."""

    discrete: DiscreteBody
    nodal: Array

    def at(self, *place: float) -> Array:
        """Displacements and rotations of the node nearest to a place: (6,)."""
        return self.nodal[self.discrete.body.mesh.nearest_node(place)]


def shell_body(mesh: Mesh, prop: ShellProperty, supports=(), loads=()) -> Body:
    """A body of shells of one property."""
    return Body("shell", mesh, (Region(prop),), supports=tuple(supports), loads=tuple(loads), space="spatial")


def solved(mesh: Mesh, prop: ShellProperty, supports, loads) -> Solved:
    """Statics under the applied loads."""
    discrete = discretise(shell_body(mesh, prop, supports, loads))
    delta = discrete.equilibrium.solve(discrete.loads.forces).displacements[:, 0]
    return Solved(discrete, discrete.dofs.nodal(delta))


def mapped(shape: str, divisions: tuple[int, int], place: Callable[[Array, Array], tuple[Array, ...]]) -> Mesh:
    """A grid of the unit square at place(u, v); its sets are "left" (u = 0), "right", "bottom" (v = 0), "top"."""
    mesh = rectangle(1.0, 1.0, divisions, order=1, shape=shape)
    return replace(mesh, points=np.column_stack(place(*mesh.points[:, :2].T)))


def shaken(mesh: Mesh, size: float, seed: int = 0) -> Mesh:
    """Inner nodes of a flat mesh displaced at random in its plane by up to `size` in both directions."""
    edge = np.zeros(mesh.node_count, dtype=bool)
    for name in ("left", "right", "bottom", "top"):
        edge[mesh.nodes_of(name)] = True
    points = mesh.points.copy()
    points[~edge, :2] += size * np.random.default_rng(seed).uniform(-1, 1, (int((~edge).sum()), 2))
    return replace(mesh, points=points)


def symmetry(on: str, axis: int) -> Symmetric:
    """Symmetry about the plane across a body axis."""
    return Symmetric(on, tuple(float(axis == i) for i in range(3)))


def shared(mesh: Mesh, on: str, force: tuple[float, float, float]) -> list[NodeForce]:
    """A force spread evenly along the straight and evenly divided side `on`."""
    nodes = mesh.nodes_of(on)
    along = mesh.points[nodes] @ np.ptp(mesh.points[nodes], axis=0)
    weights = np.ones(len(nodes))
    weights[[np.argmin(along), np.argmax(along)]] = 0.5
    weights /= weights.sum()
    return [
        NodeForce(int(node), tuple(weight * np.array(force))) for node, weight in zip(nodes, weights, strict=True)
    ]


def material(young: float, poisson: float) -> Material:
    """A material of unit density."""
    return Material(young, poisson, 1.0)

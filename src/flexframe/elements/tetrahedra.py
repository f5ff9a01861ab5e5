"""Tetrahedra with 4 and 10 nodes on the reference tetrahedron (0,0,0), (1,0,0), (0,1,0), (0,0,1)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature, tetrahedron
from flexframe.mesh.cells import TETRA, TETRA10, Cell

_CORNER_GRADIENT = np.array([[-1.0, -1, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
_EDGES = np.array(TETRA.edges)


def _volume_coordinates(points: Array) -> Array:
    """L = (1−ξ−η−ζ, ξ, η, ζ): (points, 4)."""
    return np.concatenate([1 - points.sum(axis=1, keepdims=True), points], axis=1)


@dataclass(frozen=True)
class Tetrahedron4:
    """Linear tetrahedron, constant strain: stiff in bending, for transitions and coarse looks only."""

    name: ClassVar[str] = "tetrahedron4"
    cell: ClassVar[Cell] = TETRA
    degree: ClassVar[int] = 1
    stiffness_rule: ClassVar[Quadrature] = tetrahedron(1)
    mass_rule: ClassVar[Quadrature] = tetrahedron(2)

    def shape(self, points: Array) -> Array:
        """φ_a = L_a: (points, 4)."""
        return _volume_coordinates(points)

    def shape_gradient(self, points: Array) -> Array:
        """∂L_a/∂ξ_i: (points, 4, 3)."""
        return np.broadcast_to(_CORNER_GRADIENT, (len(points), 4, 3)).copy()


@dataclass(frozen=True)
class Tetrahedron10:
    """Quadratic tetrahedron; nodes 5–10 between corners 1–2, 2–3, 3–1, 1–4, 2–4, 3–4. Edges may be curved."""

    name: ClassVar[str] = "tetrahedron10"
    cell: ClassVar[Cell] = TETRA10
    degree: ClassVar[int] = 2
    stiffness_rule: ClassVar[Quadrature] = tetrahedron(3)  # ∇φ adj J of a curved cell, for the patch test
    mass_rule: ClassVar[Quadrature] = tetrahedron(7)  # φφ det J of a curved cell

    def shape(self, points: Array) -> Array:
        """L_a(2L_a − 1) at corners, 4 L_a L_b at mid-sides: (points, 10)."""
        L = _volume_coordinates(points)
        return np.concatenate([L * (2 * L - 1), 4 * L[:, _EDGES[:, 0]] * L[:, _EDGES[:, 1]]], axis=1)

    def shape_gradient(self, points: Array) -> Array:
        """(4L_a − 1)∇L_a at corners, 4(L_a∇L_b + L_b∇L_a) at mid-sides: (points, 10, 3)."""
        L, G = _volume_coordinates(points)[..., None], _CORNER_GRADIENT
        a, b = _EDGES.T
        return np.concatenate([(4 * L - 1) * G, 4 * (L[:, a] * G[b] + L[:, b] * G[a])], axis=1)

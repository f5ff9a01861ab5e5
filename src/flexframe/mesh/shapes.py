"""Isoparametric geometry of the cells: reference nodes, shape functions, Jacobians.

Reference cells: lines, squares and cubes on [−1, 1]; triangles and tetrahedra with corners at the origin
and the unit points; wedges are triangle × [−1, 1].
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from flexframe.maths import quadrature
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature
from flexframe.mesh.cells import Cell

_CORNERS: dict[str, tuple[tuple[float, ...], ...]] = {
    "line": ((-1,), (1,)),
    "triangle": ((0, 0), (1, 0), (0, 1)),
    "quad": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "tetra": ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "hexahedron": (
        *((-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1)),
        *((-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)),
    ),
    "wedge": ((0, 0, -1), (1, 0, -1), (0, 1, -1), (0, 0, 1), (1, 0, 1), (0, 1, 1)),
}


@dataclass(frozen=True, eq=False)
class CellGeometry:
    """φ_a(ξ) = Σ_m coefficients[m, a] ξ^exponents[m]: the polynomial that is 1 at node a, 0 at the others.

    Shapes: nodes (nodes, d), exponents (monomials, d), coefficients (monomials, nodes).
    """

    nodes: Array
    exponents: Array
    coefficients: Array

    def shape(self, points: Array) -> Array:
        """φ_a at reference points (points, d): (points, nodes)."""
        return np.asarray(_monomials(points, self.exponents) @ self.coefficients)

    def shape_gradient(self, points: Array) -> Array:
        """∂φ_a/∂ξ_i at reference points (points, d): (points, nodes, d)."""
        parts = []
        for axis in range(self.nodes.shape[1]):
            lowered = self.exponents.copy()
            lowered[:, axis] = np.maximum(lowered[:, axis] - 1, 0)
            slopes = self.exponents[:, axis] * _monomials(points, lowered)
            parts.append(slopes @ self.coefficients)
        return np.stack(parts, axis=-1)


@lru_cache
def cell_geometry(cell: Cell) -> CellGeometry:
    """Reference nodes and shape functions of a cell of dimension one to three."""
    corners = np.array(_CORNERS[cell.linear_name], dtype=float)
    middles = [corners[list(edge[:2])].mean(axis=0) for edge in cell.edges if len(edge) == 3]
    nodes = np.vstack([corners, *middles])
    exponents = np.array([e for e in product(range(3), repeat=cell.dimension) if _belongs(cell, e)], float)
    coefficients = np.linalg.inv(_monomials(nodes, exponents)).astype(np.float64)
    return CellGeometry(nodes, exponents, coefficients)


@lru_cache
def volume_rule(cell: Cell) -> Quadrature:
    """Integration rule that is exact for det J of a cell lying flat (plane) or of a solid."""
    rules = {
        "line": lambda: quadrature.gauss_line(4),
        "triangle": lambda: quadrature.triangle(2 * cell.order),
        "quad": lambda: quadrature.gauss_square(cell.order + 1),
        "tetra": lambda: quadrature.tetrahedron(3),
        "hexahedron": lambda: quadrature.gauss_cube(cell.order + 1),
        "wedge": lambda: quadrature.wedge(2 * cell.order + 1),
    }
    return rules[cell.linear_name]()


def jacobians(coordinates: Array, cell: Cell, points: Array) -> Array:
    """∂x_i/∂ξ_j of cells with coordinates (cells, nodes, 3) at reference points: (cells, points, 3, d)."""
    gradient = cell_geometry(cell).shape_gradient(points)
    return np.asarray(np.einsum("cai,paj->cpij", coordinates, gradient, optimize=True))


def _belongs(cell: Cell, exponent: tuple[int, ...]) -> bool:
    """Whether a monomial is in the cell's space: complete, tensor or serendipity polynomials."""
    shape, order = cell.linear_name, cell.order
    if shape in ("line", "triangle", "tetra"):
        return sum(exponent) <= order
    if shape in ("quad", "hexahedron"):
        # The superlinear degree counts only the powers above one (Arnold and Awanou).
        return sum(e for e in exponent if e > 1) <= order and (order > 1 or max(exponent) <= 1)
    in_plane, along = exponent[0] + exponent[1], exponent[2]
    if order == 1:
        return in_plane <= 1 and along <= 1
    return (in_plane <= 2 and along <= 1) or (in_plane <= 1 and along <= 2)


def _monomials(points: Array, exponents: Array) -> Array:
    return np.asarray(np.prod(points[:, None, :] ** exponents[None, :, :], axis=2))

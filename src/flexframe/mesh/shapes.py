"""Isoparametric geometry of the cells: shape functions, Jacobians, size and shape.

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
from flexframe.mesh.blocks import CellBlock
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


_CELLS_AT_ONCE = 20_000
_OUTERMOST = 0.906  # how far the points of the richest integration rule (five on a line) reach out
# Scaled Jacobian of a corner of the ideal cell: sin 60° in triangles and wedges, 1/√2 in tetrahedra.
_IDEAL_CORNER = {"triangle": np.sqrt(0.75), "wedge": np.sqrt(0.75), "tetra": np.sqrt(0.5)}


@dataclass(frozen=True, eq=False)
class CellMeasures:
    """What was measured on each cell of a block, all of shape (cells,).

    `size` is the length, area or volume, the integral of det J; `smallest_jacobian` is the smallest det J
    at the nodes (in solids a little inside of them) and integration points over (longest edge)^d;
    `scaled_jacobian` is the smallest over the corners of det(t₁ … t_d) / (|t₁| … |t_d|) of the tangents of
    the edges, 1 for an ideal cell;
    `aspect_ratio` is the longest over the shortest edge.
    """

    size: Array
    smallest_jacobian: Array
    scaled_jacobian: Array
    aspect_ratio: Array


def cell_measures(points: Array, block: CellBlock, flat: bool) -> CellMeasures:
    """Measure the cells of one block.

    In a `flat` mesh plane cells count their area positive when they run counter-clockwise seen from +z;
    otherwise a surface cell is judged against its own mean normal, and so never counts as inverted whole.
    """
    if block.cell.dimension == 0:
        nothing, ideal = np.zeros(len(block)), np.ones(len(block))
        return CellMeasures(nothing, ideal, ideal, ideal)
    parts = [
        _measure(points[block.nodes[start : start + _CELLS_AT_ONCE]], block.cell, flat)
        for start in range(0, len(block), _CELLS_AT_ONCE)
    ]
    size, smallest, scaled, aspect = (np.concatenate(values) for values in zip(*parts, strict=True))
    return CellMeasures(size, smallest, scaled, aspect)


def _measure(coordinates: Array, cell: Cell, flat: bool) -> tuple[Array, Array, Array, Array]:
    rule, reference = volume_rule(cell), cell_geometry(cell).nodes
    samples = np.vstack([reference, rule.points])
    tangents = jacobians(coordinates, cell, samples)
    normal = _normal(tangents, flat)
    determinant = _signed_size(tangents, normal)
    size = determinant[:, len(reference) :] @ rule.weights
    if cell.dimension == 3:
        # elements are integrated inside: a corner of a warped cell may turn over beyond the outermost points
        inside = reference.mean(axis=0) + _OUTERMOST * (reference - reference.mean(axis=0))
        determinant[:, : len(reference)] = _signed_size(jacobians(coordinates, cell, inside), normal)

    ends = np.array([edge[:2] for edge in cell.edges])
    chords = np.linalg.norm(coordinates[:, ends[:, 1]] - coordinates[:, ends[:, 0]], axis=2)
    longest, shortest = chords.max(axis=1), chords.min(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        smallest = np.nan_to_num(determinant.min(axis=1) / longest**cell.dimension)
        aspect = np.where(shortest > 0, longest / shortest, np.inf)

    directions = _corner_directions(cell)
    corner_tangents = np.einsum("cpij,pjk->cpik", tangents[:, : cell.corners], directions)
    lengths = np.linalg.norm(corner_tangents, axis=2).prod(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.nan_to_num(_signed_size(corner_tangents, normal) / lengths)
    return size, smallest, scaled.min(axis=1) / _IDEAL_CORNER.get(cell.linear_name, 1.0), aspect


def _normal(tangents: Array, flat: bool) -> Array:
    """Unit direction that orients a cell: tangent of a line, normal of a surface, unused (0) in solids."""
    dimension = tangents.shape[3]
    if dimension == 2 and flat:
        return np.broadcast_to([0.0, 0.0, 1.0], (len(tangents), 3))
    if dimension == 3:
        return np.zeros((len(tangents), 3))
    mean = (tangents[..., 0] if dimension == 1 else _cross(tangents)).mean(axis=1)
    length = np.linalg.norm(mean, axis=1, keepdims=True)
    return np.asarray(np.divide(mean, length, out=np.zeros_like(mean), where=length > 0))


def _signed_size(tangents: Array, normal: Array) -> Array:
    """Length, area or volume spanned by tangents (cells, points, 3, d), negative where turned over."""
    dimension = tangents.shape[3]
    if dimension == 3:
        return np.asarray(np.einsum("cpi,cpi->cp", _cross(tangents), tangents[..., 2]))
    vector = tangents[..., 0] if dimension == 1 else _cross(tangents)
    along = np.einsum("cpi,ci->cp", vector, normal)
    return np.asarray(np.linalg.norm(vector, axis=2) * np.sign(along))


def _cross(tangents: Array) -> Array:
    """t₁ × t₂, written out because it is faster than numpy's: (cells, points, 3)."""
    a, b = tangents[..., 0], tangents[..., 1]
    result = np.empty_like(a)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        result[..., i] = a[..., j] * b[..., k] - a[..., k] * b[..., j]
    return result


@lru_cache
def _corner_directions(cell: Cell) -> Array:
    """Reference directions of the edges that leave each corner, right-handed: (corners, d, d) as columns."""
    if cell.dimension == 1:
        return np.ones((2, 1, 1))
    nodes = cell_geometry(cell).nodes
    directions = []
    for corner in range(cell.corners):
        far = [sum(edge[:2]) - corner for edge in cell.edges if corner in edge[:2]]
        columns = (nodes[far] - nodes[corner]).T
        directions.append(columns if np.linalg.det(columns) > 0 else columns[:, ::-1])
    return np.array(directions)

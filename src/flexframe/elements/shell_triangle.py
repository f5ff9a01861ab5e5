"""Three-node flat shell: membrane with drilling rotations (ANDES, optimal), plate with discrete edge shear (DKMT).

Membrane: constant strain with the corner rotations of Bergan and Felippa (α = 3/2), and linear strains of zero
mean from the rotations of the corners relative to the plane, in the optimal template of Felippa (2003). Plate:
linear rotations, and on each side a quadratic one that the shear of that side decides (Katili 1993); thin plates
become the discrete Kirchhoff triangle.

On a curved surface the corner rotations of one facet are partly bending of its neighbours. If the facets are wide,
beside √(radius × thickness), that coupling locks, and a membrane of constant strain (α = 0) is the better one.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from flexframe.elements.contract import ElementBatch, StrainFields
from flexframe.elements.properties import Property
from flexframe.elements.shell_common import (
    Compatible,
    EdgeRule,
    FlatShell,
    MembranePart,
    ShellElasticity,
    Surface,
    compatible,
    curvature,
    drilling_factors,
    local_axes,
    shell_elasticity,
    shell_fields,
    shell_property,
    surface,
)
from flexframe.maths.arrays import Array, BoolArray
from flexframe.maths.quadrature import Quadrature, triangle
from flexframe.mesh.blocks import row_keys
from flexframe.mesh.cells import TRIANGLE, Cell

_FOLD = np.cos(np.radians(30))  # sharper edges are edges of the body, not of a mesh
_LOCKING = 0.7  # tilt × width / thickness above which corner rotations would stiffen the membrane


def is_wide_facet(batch: ElementBatch) -> BoolArray:
    """Which shell triangles would lock by their corner rotations: (elements,).

    Neighbours at an angle 2τ bend against each other: their curvature κ gives corner rotations of about κ h τ
    relative to the plane, and a membrane strain of the same order, beside the bending strain κ t.
    """
    width = np.sqrt(np.linalg.norm(_doubled_areas(batch.coordinates), axis=1))
    return np.asarray(_tilts(batch) * width > _LOCKING * batch.prop.extent)


def _doubled_areas(coordinates: Array) -> Array:
    """Normals of the triangles, of twice their area: (elements, 3)."""
    return np.cross(coordinates[:, 1] - coordinates[:, 0], coordinates[:, 2] - coordinates[:, 0])


def _tilts(batch: ElementBatch) -> Array:
    """Half of the largest angle to a neighbour across an edge, folds left out: (elements,)."""
    ends = np.sort(batch.nodes[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    keys = row_keys(ends)
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    first, second = order[:-1][same] // 3, order[1:][same] // 3
    normals = local_axes(batch.coordinates)[:, 2]
    cosine = np.abs(np.einsum("ei,ei->e", normals[first], normals[second]))
    smooth: BoolArray = cosine > _FOLD
    half = np.arccos(np.minimum(cosine[smooth], 1.0)) / 2
    tilts = np.zeros(batch.count)
    np.maximum.at(tilts, first[smooth], half)
    np.maximum.at(tilts, second[smooth], half)
    return tilts


@dataclass(frozen=True)
class ShellTriangle(FlatShell):
    """Flat shell with three nodes and six degrees of freedom at each, whose rotations bend the sides or do not."""

    membrane: Literal["rotations", "constant"] = "rotations"

    cell: ClassVar[Cell] = TRIANGLE
    rule: ClassVar[Quadrature] = triangle(2)

    @property
    def name(self) -> str:
        return "shell_triangle" if self.membrane == "rotations" else "shell_facet"

    @property
    def bending_of_sides(self) -> float:
        """α of Bergan and Felippa."""
        return 1.5 if self.membrane == "rotations" else 0.0

    @property
    def wide(self) -> float:
        """Width over thickness that halves the drilling stiffness."""
        return 10.0 if self.membrane == "rotations" else 1.0

    def strain_fields(self, coordinates: Array, prop: Property) -> StrainFields:
        """Strains and slopes at three points; the point, the edge and the corner of one number share a place."""
        prop = shell_property(prop)
        at = surface(coordinates, self.cell, self.rule)
        fields = compatible(at, np.eye(3))
        elasticity = shell_elasticity(prop, at.axes)
        factors = drilling_factors(at, prop, self.wide)
        by_rotation = self.bending_of_sides * _mean_strain(at)[:, None] + _linear_strain(at, elasticity, factors)
        edges = _edge_rule(at, elasticity)
        membrane = _membrane(at, fields, by_rotation, edges, elasticity)
        return shell_fields(at, fields, membrane, edges, elasticity)

    def edge_moment(self, edge: Array, force: Array) -> Array:
        """± αL/12 of the force: what it does on the bending of its edge, [N m]: (edges,)."""
        return np.asarray(self.bending_of_sides / 12 * np.linalg.norm(edge, axis=1) * force)

    def divide(self, batch: ElementBatch) -> tuple[ElementBatch, ...]:
        """With corner rotations, and as facets of constant membrane strain where the surface is curved."""
        if self.membrane == "constant":
            return (batch,)
        curved = is_wide_facet(batch)
        if not curved.any():
            return (batch,)
        flat, facets = batch.take(np.flatnonzero(~curved)), batch.take(np.flatnonzero(curved))
        constant = replace(facets, family=ShellTriangle("constant"))
        return (flat, constant) if flat.count else (constant,)


# ---------------------------------------------------------------------- membrane

# natural strains along the sides 1–2, 2–3, 3–1 at corner 1 from the three relative rotations; the other corners by
# turning the numbers. The mean over the corners vanishes.
_CORNER_1 = np.array([[1.0, 2, 1], [0, 1, -1], [-1, -1, -2]])
_CORNERS = np.stack([np.roll(_CORNER_1, (k, k), axis=(0, 1)) for k in range(3)])


def _membrane(
    at: Surface, fields: Compatible, by_rotation: Array, edges: EdgeRule, elasticity: ShellElasticity
) -> MembranePart:
    """ε = ε(u) + Σ_k (α m_k + h_k(x)) ω_k with ω_k the rotation of corner k relative to the plane."""
    # point k of `fields.drilling` is corner k
    strain = fields.membrane + np.matmul(by_rotation, fields.drilling[:, None])
    resultant = np.matmul(elasticity.membrane[:, None], strain)
    if elasticity.coupling is not None:
        resultant = resultant + np.matmul(elasticity.coupling[:, None], curvature(fields, edges))
    partner = np.einsum("eg,egik,egip->ekp", at.weights, by_rotation, resultant, optimize=True)
    return MembranePart(fields.membrane, strain, resultant, fields.drilling, partner / at.weights[..., None])


def _mean_strain(at: Surface) -> Array:
    """m_k: a corner rotation ω bends the two sides there by αωL/12 on the average; for α = 1: (elements, 3, 3)."""
    area = at.weights.sum(axis=1)
    mean = np.zeros((len(area), 3, 3))
    edges = at.edges
    for corner in range(3):
        for side, sign in ((corner, -1.0), ((corner + 2) % 3, 1.0)):
            g = edges[:, side]
            # ∮ u_n n_i n_j with u_n = ± ωL/12; the outward normal times the length of the side is (g_y, −g_x)
            nx, ny = g[:, 1], -g[:, 0]
            factor = sign / 12 / area
            mean[:, 0, corner] += factor * nx * nx
            mean[:, 1, corner] += factor * ny * ny
            mean[:, 2, corner] += factor * 2 * nx * ny
    return mean


def _linear_strain(at: Surface, elasticity: ShellElasticity, factors: Array) -> Array:
    """h_k(x), of zero mean: (elements, points, 3, 3)."""
    edges = at.edges
    squares = (edges**2).sum(axis=2)
    area = at.weights.sum(axis=1)
    # ε along a side is t·ε·t; its inverse gives the Cartesian strains
    tangent = edges / np.sqrt(squares)[..., None]
    natural = np.stack([tangent[..., 0] ** 2, tangent[..., 1] ** 2, tangent[..., 0] * tangent[..., 1]], axis=2)
    # β₀ = ½(1 − 4ν²) makes bending in the plane exact; it must stay positive
    stiff = max(0.5 * (1 - 4 * elasticity.poisson**2), 0.01)
    size = area * np.sqrt(stiff * factors)
    corners = size[:, None, None, None] * _CORNERS / squares[:, None, :, None]
    linear = np.einsum("gk,ekij->egij", at.shape, corners)
    return np.asarray(np.linalg.solve(natural[:, None], linear))


# ---------------------------------------------------------------------- plate


def _edge_rule(at: Surface, elasticity: ShellElasticity) -> EdgeRule:
    """Curvature and shear from the edge shear e = Δw + g·(θ×n).

    With Φ = 12 D_b/(κGt L²), stiffness along it, a side has the quadratic rotation Δβ = −(3/2) e/(L(1+Φ)) and the
    shear γ_s = Φ/(1+Φ) e/L; shear inside is linear between the corners, where two sides decide it.
    """
    edges = at.edges
    square = (edges**2).sum(axis=2)
    bending, shear = elasticity.along(edges / np.sqrt(square)[..., None])
    phi = 12 * bending / (shear * square)
    curvature = np.empty((*at.weights.shape, 3, 3))
    for side, (first, last) in enumerate(at.ends):
        # ∇(4 φ_a φ_b) s with s = g/L
        slope = 4 * (
            at.shape[None, :, first, None] * at.gradient[:, :, last]
            + at.shape[None, :, last, None] * at.gradient[:, :, first]
        )
        g = edges[:, None, side] * (-1.5 / (square[:, side] * (1 + phi[:, side])))[:, None, None]
        curvature[..., 0, side] = slope[..., 0] * g[..., 0]
        curvature[..., 1, side] = slope[..., 1] * g[..., 1]
        curvature[..., 2, side] = slope[..., 0] * g[..., 1] + slope[..., 1] * g[..., 0]
    corners = np.zeros((len(edges), 3, 2, 3))
    for corner in range(3):
        sides = [corner, (corner + 2) % 3]
        # g·γ = Φ/(1+Φ) e on both sides that meet here
        inverse = np.linalg.inv(edges[:, sides])
        corners[:, corner, :, sides] = (inverse * (phi / (1 + phi))[:, None, sides]).transpose(2, 0, 1)
    return EdgeRule(curvature, np.einsum("ga,eaik->egik", at.shape, corners))

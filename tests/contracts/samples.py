"""Sample elements and meshes of any family, made from what the family itself declares."""

from dataclasses import MISSING, fields, replace
from typing import Any

import numpy as np
import pytest

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.beam import Beam
from flexframe.elements.contract import ElementBatch, Family, is_interpolated, is_structural, is_surface, node_dofs
from flexframe.elements.families import FAMILIES, property_type
from flexframe.elements.properties import BeamProperty, Material, Property, Rectangle
from flexframe.elements.section_matrices import SectionMatrices
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import block, polyline, rectangle
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.shapes import cell_geometry
from flexframe.model.body import Body, PointMass, Region, Space

# numbers of order one, so that errors of round-off are of the order of 1e-16
MATERIAL = Material(young=2.1, poisson=0.3, density=1.7, name="sample")
SECTION = Rectangle(width=0.3, height=0.5)


def _full_section() -> SectionMatrices:
    """All couplings of strains, and a centre of mass beside the line, of the size of the other section."""
    area, polar = SECTION.area, SECTION.inertia_y + SECTION.inertia_z
    K = np.diag(
        [2.1 * area, 0.7 * area, 0.6 * area, 0.4 * polar, 2.1 * SECTION.inertia_y, 2.1 * SECTION.inertia_z]
    )
    size = np.sqrt(np.diag(K))
    shares = np.array([0.1, -0.2, 0.15, 0.1, 0.2, -0.1, 0.2, 0.15, -0.1, 0.1, 0.05, 0.2, -0.15, 0.1, 0.2])
    K[np.triu_indices(6, 1)] = shares * np.outer(size, size)[np.triu_indices(6, 1)]
    K = np.triu(K) + np.triu(K, 1).T
    mass, centre = 1.7 * area, np.array([0.0, 0.03, -0.05])
    J = 1.7 * np.array([[polar, 0, 0], [0, SECTION.inertia_y, 0.001], [0, 0.001, SECTION.inertia_z]])
    J += mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    M = np.block([[mass * np.eye(3), -mass * skew(centre)], [mass * skew(centre), J]])
    stiffness, inertia = (tuple(map(tuple, matrix.tolist())) for matrix in (K, M))
    return SectionMatrices(0.3, 0.5, stiffness=stiffness, mass=inertia)


FULL_SECTION = _full_section()
UP = (0.3, 0.8, 0.9)

INTERPOLATED = tuple(family for family in FAMILIES if is_interpolated(family))
STRUCTURAL = tuple(family for family in FAMILIES if not is_interpolated(family))

every_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
every_interpolated_family = pytest.mark.parametrize("family", INTERPOLATED, ids=lambda family: family.name)
every_beam_family = pytest.mark.parametrize(
    "family", [f for f in STRUCTURAL if isinstance(f, Beam)], ids=lambda family: family.name
)
every_shell_family = pytest.mark.parametrize(
    "family", [family for family in STRUCTURAL if is_surface(family)], ids=lambda family: family.name
)


def sample_property(family: Family) -> Property:
    """A property that the family accepts, with values for whatever the property asks."""
    kind: type[Any] = property_type(family)
    known = {"material": MATERIAL, "section": SECTION}
    required = [f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING]
    prop = kind(**{name: known.get(name, 0.4 / 2**i) for i, name in enumerate(required, -1)})  # material first
    if not isinstance(prop, BeamProperty):
        return prop
    assert is_structural(family)
    return replace(prop, up=UP) if family.suits(prop) else replace(prop, up=UP, section=FULL_SECTION)


# ---------------------------------------------------------------------- single elements


def random_rotation(rng: np.random.Generator) -> Array:
    """A proper rotation of space, uniformly distributed."""
    q, r = np.linalg.qr(rng.standard_normal((3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else q[:, ::-1]


def straight_element(family: Family, rng: np.random.Generator) -> Array:
    """An affine image of the reference cell, lines and surfaces turned in space where they live there."""
    reference = cell_geometry(family.cell).nodes
    d = family.cell.dimension
    stretch = np.eye(d) + 0.35 * rng.uniform(-1, 1, (d, d)) if d > 1 else np.array([[0.7]])
    coordinates = np.zeros((len(reference), 3))
    coordinates[:, :d] = reference @ stretch.T + rng.uniform(-1, 1, d)
    lives_in_space = d == 1 or not is_interpolated(family)
    return coordinates @ random_rotation(rng).T if lives_in_space else coordinates


def distorted_element(family: Family, rng: np.random.Generator) -> Array:
    """As `straight_element`, with every node moved, so that angles differ and edges are curved."""
    coordinates = straight_element(family, rng)
    d = family.cell.dimension
    if is_interpolated(family) and d > 1:
        coordinates[:, :d] += {2: 0.12, 3: 0.05}[d] * rng.uniform(-1, 1, (len(coordinates), d))
    elif d == 2:
        tangents = coordinates[1:3] - coordinates[0]  # a flat shell stays flat
        coordinates += 0.12 * rng.uniform(-1, 1, (len(coordinates), 2)) @ tangents
    return coordinates


def element_batch(family: Family, coordinates: Array, prop: Property | None = None) -> ElementBatch:
    """One element as a batch."""
    nodes = np.arange(len(coordinates))[None]
    return ElementBatch(family, prop or sample_property(family), nodes, coordinates[None], np.zeros(1, np.int64))


def element_dofs(family: Family) -> int:
    """Degrees of freedom of one element."""
    return family.cell.nodes * len(node_dofs(family))


# ---------------------------------------------------------------------- bodies


def body_of(
    family: Family, mesh: Mesh, prop: Property | None = None, point_masses: tuple[PointMass, ...] = ()
) -> Body:
    """A free body of one family, in space unless its elements are plane."""
    region = Region(prop or sample_property(family), family=family.name)
    space: Space = "planar" if lives_in_plane(family) else "spatial"
    return Body("sample", mesh, (region,), space=space, point_masses=point_masses)


def one_element_body(family: Family, coordinates: Array) -> DiscreteBody:
    """A body of a single element."""
    cells = CellBlock(family.cell, np.arange(len(coordinates))[None])
    return discretise(body_of(family, Mesh(coordinates, (cells,))))


def sample_mesh(family: Family, divisions: int, *, distorted: bool = True, curved: bool = False) -> Mesh:
    """The unit line, square or cube with displaced inner corners; `curved` moves inner mid-side nodes too."""
    cell = family.cell
    distortion = {1: 0.25, 2: 0.25, 3: 0.12}[cell.dimension] if distorted else 0.0
    rng = np.random.default_rng(divisions)
    if cell.dimension == 1:
        inner = np.arange(1, divisions) + distortion * rng.uniform(-1, 1, divisions - 1)
        places = np.concatenate([[0], inner, [divisions]]) / divisions
        return polyline(np.column_stack([places, 0 * places, 0 * places]), 1)
    if cell.dimension == 2:
        mesh = rectangle(1.0, 1.0, (divisions, divisions), order=cell.order, shape=cell.linear_name)
    else:
        mesh = block((1.0,) * 3, (divisions,) * 3, order=cell.order, shape=cell.linear_name)
    # six tetrahedra share a cube, so that their heights are a fraction of its edge
    d, size = cell.dimension, distortion / divisions * (0.4 if cell.linear_name == "tetra" else 1.0)
    points = mesh.points.copy()
    inside = ~on_unit_boundary(points, d)
    points[inside, :d] += size * rng.uniform(-1, 1, (int(inside.sum()), d))
    displacement = points - mesh.points
    for edge in cell.edges:
        if len(edge) == 3:
            first, last, middle = (mesh.blocks[0].nodes[:, i] for i in edge)
            points[middle] = (points[first] + points[last]) / 2 + 0.3 * curved * displacement[middle]
    return replace(mesh, points=points)


def rigid_mesh(family: Family) -> Mesh:
    """A mesh that is no mechanism without supports: bars form a tetrahedron, the others a `sample_mesh`."""
    if family.cell.dimension > 1 or len(node_dofs(family)) == 6:
        return sample_mesh(family, 3)
    corners = np.array([[0, 0, 0], [1, 0.2, 0], [0.3, 0.9, 0.1], [0.4, 0.3, 1.1]])
    bars = np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
    return Mesh(corners, (CellBlock(family.cell, bars),))


def lives_in_plane(family: Family) -> bool:
    """Whether the family's elements move in the x–y plane only."""
    return is_interpolated(family) and family.cell.dimension == 2


def on_unit_boundary(points: Array, dimension: int) -> Array:
    """Which points lie on the boundary of the unit line, square or cube."""
    x = points[:, :dimension]
    return ((np.abs(x) < 1e-12) | (np.abs(x - 1) < 1e-12)).any(axis=1)

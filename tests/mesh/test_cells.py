"""Cells: node order and facets, by geometry."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.errors import InputError
from flexframe.mesh.blocks import CellBlock, facets_of_cells
from flexframe.mesh.cells import CELLS, cell_named
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.shapes import cell_geometry

from .oracle import SHAPES, gradients, measured_size, outward_flux, rule

WITH_EXTENT = [cell for cell in CELLS if cell.dimension > 0]
BULK = [cell for cell in CELLS if cell.dimension > 1]


def one_cell(cell):
    """A mesh of the reference cell, sheared so that nothing is symmetric by accident."""
    nodes = np.zeros((cell.nodes, 3))
    nodes[:, : cell.dimension] = cell_geometry(cell).nodes
    shear = np.array([[1.0, 0.2, 0.1], [0.0, 1.3, 0.3], [0.0, 0.0, 0.8]])
    return Mesh(nodes @ shear.T, (CellBlock(cell, np.arange(cell.nodes)[None]),))


@pytest.mark.parametrize("cell", WITH_EXTENT, ids=lambda cell: cell.name)
def test_the_shape_functions_are_those_of_the_textbook(cell):
    points = rule(cell.name)[0]
    geometry = cell_geometry(cell)
    textbook = np.array(np.broadcast_arrays(*SHAPES[cell.name](*points.T))).T
    # Rounding of an inverted 20 × 20 matrix of small integers.
    np.testing.assert_allclose(geometry.shape(points), textbook, atol=1e-13)
    np.testing.assert_allclose(geometry.shape_gradient(points), gradients(cell.name, points), atol=1e-12)


@pytest.mark.parametrize("cell", BULK, ids=lambda cell: cell.name)
def test_the_facets_close_the_cell_with_their_normals_outwards(cell):
    mesh = one_cell(cell)
    flux = outward_flux(mesh, facets_of_cells(mesh.blocks, cell.dimension))
    # Divergence theorem: ∫ x·n = d V; straight sides, so only rounding.
    assert flux == pytest.approx(cell.dimension * measured_size(mesh), rel=1e-13)


@pytest.mark.parametrize("cell", BULK, ids=lambda cell: cell.name)
def test_each_facet_by_itself_points_away_from_the_middle_of_the_cell(cell):
    mesh = one_cell(cell)
    middle = mesh.points.mean(axis=0)
    moved = Mesh(mesh.points - middle, mesh.blocks)
    for block in facets_of_cells(moved.blocks, cell.dimension):
        assert outward_flux(moved, [block]) > 0


@pytest.mark.parametrize("cell", [c for c in CELLS if c.order == 2], ids=lambda cell: cell.name)
def test_middle_nodes_lie_between_the_ends_of_their_edges(cell):
    points = one_cell(cell).points
    for start, end, middle in cell.edges:
        np.testing.assert_allclose(points[middle], (points[start] + points[end]) / 2, atol=ROUNDING)
    for name, local in cell.facets:
        facet = cell_named(name)
        for edge in facet.edges:
            start, end, middle = (local[i] for i in edge)
            np.testing.assert_allclose(points[middle], (points[start] + points[end]) / 2, atol=ROUNDING)


def test_euler_formula_of_the_solids():
    for cell in CELLS:
        if cell.dimension == 3:
            assert cell.corners - len(cell.edges) + len(cell.facets) == 2


def test_orders_of_a_shape_belong_together():
    for cell in CELLS:
        assert cell.of_order(1).corners == cell.corners
        assert cell.of_order(1).order == 1
        if cell.dimension:
            assert cell.of_order(2).order == 2
            assert cell.of_order(cell.order) == cell


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(InputError, match=r"'quad9'.*did you mean 'quad8?'.*hexahedron20"):
        cell_named("quad9")

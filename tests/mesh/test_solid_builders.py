"""Solids: volumes, surfaces, sets, middle nodes on curved surfaces, extrusion and cutting."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.errors import InputError
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import annulus, blade, block, cylinder, disc, extrude, rectangle, tube
from flexframe.mesh.cells import QUAD, TRIANGLE
from flexframe.mesh.checks import require_valid
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.subdivision import tetrahedra, triangles

from .oracle import measured_size, outward_flux, smallest_determinant
from .test_plane_builders import nodes_of_facets, parabolic_disc, polygon_ring

ORDERS = pytest.mark.parametrize("order", [1, 2])
SHAPES = pytest.mark.parametrize("shape", ["hexahedron", "wedge", "tetra"])


def assert_sound(mesh, volume, rel=1e-12):
    """Valid, positive by an independent quadrature, closed by its named sides, sets agree."""
    assert require_valid(mesh).volume == pytest.approx(volume, rel=rel)
    assert measured_size(mesh) == pytest.approx(volume, rel=rel)
    assert smallest_determinant(mesh) > 0
    sides = [facet for facets in mesh.facet_sets.values() for facet in facets]
    assert sum(map(len, sides)) == sum(map(len, mesh.boundary()))
    assert outward_flux(mesh, sides) == pytest.approx(3 * measured_size(mesh), rel=1e-12)
    for name in mesh.facet_sets:
        assert nodes_of_facets(mesh, name).tolist() == mesh.nodes_of(name).tolist()
    assert mesh.cells_of("all").tolist() == list(range(mesh.cell_count))


@ORDERS
@SHAPES
def test_a_block(order, shape):
    mesh = block((1, 2, 3), (2, 3, 4), order, shape)
    assert_sound(mesh, 6.0)
    assert mesh.cell_count == 24 * {"hexahedron": 1, "wedge": 2, "tetra": 6}[shape]
    for axis, (low, high) in enumerate((("left", "right"), ("front", "back"), ("bottom", "top"))):
        assert (mesh.points[mesh.nodes_of(low)][:, axis] == 0).all()
        np.testing.assert_allclose(mesh.points[mesh.nodes_of(high)][:, axis], axis + 1, rtol=ROUNDING)
        one_flux = outward_flux(mesh, mesh.facets_of(high))
        # x·n of a high side is its coordinate, so the flux is the whole volume.
        assert one_flux == pytest.approx(6.0, rel=1e-13)
        assert outward_flux(mesh, mesh.facets_of(low)) == pytest.approx(0.0, abs=1e-13)


@ORDERS
@SHAPES
def test_a_cylinder(order, shape):
    mesh = cylinder(1.0, 2.0, (2, 3), order, shape)
    base = polygon_ring(0, 1, 16) if order == 1 else parabolic_disc(1, 16)
    assert_sound(mesh, 2 * base)
    np.testing.assert_allclose(
        np.linalg.norm(mesh.points[mesh.nodes_of("outer")][:, :2], axis=1), 1, rtol=ROUNDING
    )
    assert np.abs(mesh.points[mesh.nodes_of("centre")][:, :2]).max() < ROUNDING
    assert len(mesh.nodes_of("centre")) == 3 * order + 1


@ORDERS
@SHAPES
def test_a_tube(order, shape):
    mesh = tube(0.5, 1.0, 0.3, (2, 12, 1), order, shape=shape)
    inner, outer = ((polygon_ring(0, r, 12) if order == 1 else parabolic_disc(r, 12)) for r in (0.5, 1.0))
    assert_sound(mesh, 0.3 * (outer - inner))
    for name, radius in (("inner", 0.5), ("outer", 1.0)):
        radii = np.linalg.norm(mesh.points[mesh.nodes_of(name)][:, :2], axis=1)
        # Middle nodes of the cuts across the curved faces lie on the cylinder as well.
        np.testing.assert_allclose(radii, radius, rtol=ROUNDING)


@SHAPES
def test_cylinder_volume_converges_with_the_fourth_power(shape):
    errors = [np.pi - require_valid(cylinder(1.0, 1.0, (n, 1), 2, shape)).volume for n in (1, 2, 4)]
    np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 4, atol=0.1)


@ORDERS
@SHAPES
def test_a_blade(order, shape):
    mesh = blade(1.0, 0.3, 0.2, 0.02, 0.6, divisions=(12, 3, 1), order=order, shape=shape)
    # Twisting turns sections about the span, which keeps the volume ½ (0.3 + 0.2) × 0.02 × 1; cells with
    # straight or parabolic edges miss it by the square or fourth power of the twist of one cell.
    twist = 0.6 / 12
    assert_sound(mesh, 0.005, rel=twist ** (2 * order))
    tip = mesh.points[mesh.nodes_of("tip")]
    turned = tip[:, 1] * np.cos(0.6) + tip[:, 2] * np.sin(0.6)
    assert turned.max() == pytest.approx(0.1, rel=1e-13)
    np.testing.assert_allclose(mesh.points[mesh.nodes_of("root")][:, 0], 0, atol=ROUNDING)
    upper = mesh.points[mesh.nodes_of("upper")]
    angle = 0.6 * upper[:, 0]
    np.testing.assert_allclose(-upper[:, 1] * np.sin(angle) + upper[:, 2] * np.cos(angle), 0.01, rtol=1e-12)


@ORDERS
def test_extruding_carries_all_sets(order):
    plane = rectangle(2, 1, (2, 1), order).with_sets(cell_sets={"second": [1]})
    solid = extrude(plane, 0.5, 3, end_names=("back", "front"))
    assert require_valid(solid).volume == pytest.approx(1.0, rel=1e-13)
    assert len(solid.cells_of("second")) == 3
    centres = [solid.points[solid.cell(c)[1]].mean(axis=0)[0] for c in solid.cells_of("second")]
    np.testing.assert_allclose(centres, 1.5, rtol=ROUNDING)
    assert (solid.points[solid.nodes_of("right")][:, 0] == 2).all()
    assert len(solid.facets_of("right")[0]) == 3
    np.testing.assert_allclose(solid.points[solid.nodes_of("front")][:, 2], 0.5, rtol=ROUNDING)
    assert len(solid.nodes_of("bottom_left")) == 3 * order + 1


def test_extruding_a_mixed_mesh_makes_hexahedra_and_wedges():
    points = [[0, 0], [1, 0], [1, 1], [0, 1], [2, 0.5]]
    plane = Mesh(points, (CellBlock(TRIANGLE, [[1, 4, 2]]), CellBlock(QUAD, [[0, 1, 2, 3]])), cell_sets={"q": [1]})
    solid = extrude(plane, 2.0, 2)
    assert [(b.cell.name, len(b)) for b in solid.blocks] == [("wedge", 2), ("hexahedron", 2)]
    assert require_valid(solid).volume == pytest.approx(3.0, rel=ROUNDING)
    assert solid.cells_of("q").tolist() == [2, 3]
    cut = tetrahedra(solid)
    assert require_valid(cut).volume == pytest.approx(3.0, rel=ROUNDING)
    assert cut.cell_count == 2 * 3 + 2 * 6
    assert measured_size(cut.part("q")) == pytest.approx(2.0, rel=ROUNDING)


def test_cutting_leaves_no_gap_between_neighbours():
    mesh = tetrahedra(extrude(disc(1.0, 2, 1), 1.0, 3))
    # Conforming: the free faces are exactly those of the cut boundary, and they close the volume.
    flux = outward_flux(mesh, mesh.boundary())
    assert flux == pytest.approx(3 * measured_size(mesh), rel=1e-13)
    on_surface = {frozenset(f) for f in mesh.boundary()[0].nodes.tolist()}
    named = {frozenset(f) for facets in mesh.facet_sets.values() for b in facets for f in b.nodes.tolist()}
    assert on_surface == named


def test_cutting_shuffled_node_numbers_stays_conforming():
    mesh = block((1, 1, 1), (3, 3, 3), 2)
    shuffle = np.random.default_rng(1).permutation(mesh.node_count)
    points = np.empty_like(mesh.points)
    points[shuffle] = mesh.points
    shuffled = Mesh(points, tuple(CellBlock(b.cell, shuffle[b.nodes]) for b in mesh.blocks))
    cut = tetrahedra(shuffled)
    assert require_valid(cut).volume == pytest.approx(1.0, rel=1e-13)
    assert sum(map(len, cut.boundary())) == 6 * 9 * 2
    assert outward_flux(cut, cut.boundary()) == pytest.approx(3.0, rel=1e-13)


def test_cutting_triangles_or_nothing():
    ring = annulus(1, 2, (1, 8), 2, "triangle")
    assert triangles(ring) is ring
    mixed = Mesh(
        np.array([[0, 0], [1, 0], [1, 1], [0, 1], [2, 0.5]]),
        (CellBlock(TRIANGLE, [[1, 4, 2]]), CellBlock(QUAD, [[0, 1, 2, 3]])),
    )
    assert [len(b) for b in triangles(mixed).blocks] == [1, 2]
    assert measured_size(triangles(mixed)) == pytest.approx(1.5, rel=ROUNDING)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: block((1, 1), (1, 1, 1)), "give three, along x, y and z"),
        (lambda: block((1, 1, -1), (1, 1, 1)), "length z is -1"),
        (lambda: block((1, 1, 1), (1, 1)), "give 3 whole numbers"),
        (lambda: block((1, 1, 1), (1, 1, 1), shape="quad"), "choose one of 'hexahedron'"),
        (lambda: cylinder(1, 0, (1, 1)), "height is 0"),
        (lambda: cylinder(1, 1, (1,)), "give 3 whole numbers"),
        (lambda: tube(1, 1, 1, (1, 8, 1)), "swap them"),
        (lambda: blade(1, 1, 1, 0, 0, divisions=(1, 1, 1)), "thickness is 0"),
        (lambda: blade(1, 1, 1, 1, float("inf"), divisions=(1, 1, 1)), "twist angle"),
        (lambda: extrude(rectangle(1, 1, (1, 1)), 1, 1), "'bottom' would have two meanings"),
        (lambda: extrude(disc(1, 1), 1, 0), "layers is 0"),
        (lambda: extrude(disc(1, 1), 0, 1), "height is 0"),
        (lambda: extrude(block((1, 1, 1), (1, 1, 1)), 1, 1), "plane cells only, not hexahedron20"),
        (lambda: extrude(disc(1, 1).moved([[1, 0, 0], [0, 0, -1], [0, 1, 0]]), 1, 1), "z = constant"),
    ],
)
def test_what_makes_no_solid_is_refused(build, message):
    with pytest.raises(InputError, match=message):
        build()

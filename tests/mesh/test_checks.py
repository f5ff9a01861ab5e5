"""Checks: each fault is found with its place, sizes and quality are those of known cells."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.errors import InputError
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import annulus, block, line, rectangle
from flexframe.mesh.cells import HEXAHEDRON, LINE, LINE3, QUAD, QUAD8, TETRA, TRIANGLE, VERTEX, WEDGE
from flexframe.mesh.checks import _near_pairs, check_mesh, mirrored_nodes, reorient_cells, require_valid
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.shapes import cell_geometry

from .oracle import measured_size, outward_flux, smallest_determinant

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def single(cell, points, **sets):
    return Mesh(points, (CellBlock(cell, np.arange(len(points))[None]),), **sets)


def faults_of(mesh):
    faults = check_mesh(mesh).faults
    with pytest.raises(InputError) as caught:
        require_valid(mesh)
    assert str(caught.value) == "\n".join(faults)
    return faults


def test_a_sound_mesh_has_sizes_and_no_fault():
    quality = require_valid(rectangle(3, 2, (3, 4)))
    assert (quality.length, quality.volume) == (0.0, 0.0)
    assert quality.area == pytest.approx(6.0, rel=ROUNDING)
    assert quality.min_scaled_jacobian == pytest.approx(1.0, rel=ROUNDING)
    assert quality.max_aspect_ratio == pytest.approx(2.0, rel=ROUNDING)
    assert require_valid(line(2.5, 7)).length == pytest.approx(2.5, rel=ROUNDING)
    assert require_valid(block((1, 2, 3), (2, 2, 2))).volume == pytest.approx(6.0, rel=ROUNDING)


def test_scaled_jacobian_of_ideal_cells_is_one():
    height = np.sqrt(3) / 2
    triangle = np.array([[0, 0, 0], [1, 0, 0], [0.5, height, 0]])
    tetra = np.vstack([triangle, [[0.5, height / 3, np.sqrt(2 / 3)]]])
    wedge = np.vstack([triangle, triangle + np.array([0, 0, 1])])
    for cell, points in ((TRIANGLE, triangle), (TETRA, tetra), (WEDGE, wedge)):
        assert check_mesh(single(cell, points)).min_scaled_jacobian == pytest.approx(1.0, rel=ROUNDING)


def test_scaled_jacobian_of_a_rhombus_is_the_sine_of_its_angle():
    angle = np.radians(40)
    rhombus = np.array([[0, 0], [1, 0], [1 + np.cos(angle), np.sin(angle)], [np.cos(angle), np.sin(angle)]])
    quality = check_mesh(single(QUAD, rhombus))
    assert quality.min_scaled_jacobian == pytest.approx(np.sin(angle), rel=ROUNDING)
    assert quality.mean_scaled_jacobian == pytest.approx(np.sin(angle), rel=ROUNDING)


def test_the_worst_cell_is_named():
    points = np.array([[0, 0], [1, 0], [2, 0.9], [0, 1], [1, 1], [2, 1]])
    mesh = Mesh(points, (CellBlock(QUAD, [[0, 1, 4, 3], [1, 2, 5, 4]]),))
    quality = check_mesh(mesh)
    assert quality.worst_cell == 1
    assert quality.worst_place == pytest.approx((1.5, 0.725, 0.0), rel=ROUNDING)


def test_a_clockwise_cell_is_refused_with_the_way_out():
    mesh = Mesh(SQUARE, (CellBlock(QUAD, [[3, 2, 1, 0]]),), cell_sets={"web": [0]}, cell_labels=[77])
    (fault,) = faults_of(mesh)
    assert fault.startswith("cell 77 (quad) of set 'web' at (0.5, 0.5, 0) runs clockwise;")
    assert "reorient=True" in fault


def test_an_inside_out_solid_is_refused():
    cube = cell_geometry(HEXAHEDRON).nodes * (1, 1, -1)
    (fault,) = faults_of(single(HEXAHEDRON, cube))
    assert "cell 0 (hexahedron) at (0, 0, 0) is inside out" in fault


def test_a_folded_cell_is_refused():
    arrow = np.array([[0.0, 0.0], [1.0, 0.0], [0.2, 0.2], [0.0, 1.0]])
    assert "is folded" in faults_of(single(QUAD, arrow))[0]
    bent = cell_geometry(QUAD8).nodes.copy()
    bent[4] = (0.8, -1.0)
    assert "is folded" in faults_of(single(QUAD8, bent))[0]
    beyond = np.array([[0.0, 0.0], [1.0, 0.0], [1.2, 0.0]])
    assert "is folded" in faults_of(single(LINE3, beyond))[0]


def test_a_collapsed_cell_is_refused():
    flat = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    assert "has collapsed" in faults_of(single(TRIANGLE, flat))[0]
    needle = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert "cell 0 (line) at (0, 0, 0) has no length" in faults_of(single(LINE, needle))[0]


def test_a_thin_but_sound_cell_passes():
    sliver = np.array([[0, 0], [1, 0], [1, 1e-4], [0, 1e-4]])
    quality = require_valid(single(QUAD, sliver))
    assert quality.max_aspect_ratio == pytest.approx(1e4, rel=1e-12)


def test_a_surface_in_space_is_judged_by_its_own_normal():
    wall = np.column_stack([SQUARE[:, 0], np.zeros(4), SQUARE[:, 1]])
    assert require_valid(single(QUAD, wall[::-1])).area == pytest.approx(1.0, rel=ROUNDING)


def test_a_node_used_twice_is_refused():
    mesh = Mesh(SQUARE[:3], (CellBlock(QUAD, [[0, 1, 2, 2]]),))
    assert "cell 0 (quad)" in faults_of(mesh)[0]
    assert "uses a node twice" in faults_of(mesh)[0]


def test_a_repeated_cell_is_refused_whatever_its_first_node():
    mesh = Mesh(SQUARE, (CellBlock(QUAD, [[0, 1, 2, 3], [1, 2, 3, 0]]),), cell_labels=[5, 9])
    (fault,) = faults_of(mesh)
    assert fault.startswith("cell 9 (quad)")
    assert "repeats cell 5" in fault


def test_unused_and_coincident_nodes_are_refused_with_their_places():
    loose = Mesh(np.vstack([SQUARE, [(7, 8)]]), (CellBlock(QUAD, [[0, 1, 2, 3]]),))
    assert "node 4 at (7, 8, 0) belongs to no cell" in faults_of(loose)[0]
    apart = np.vstack([SQUARE, SQUARE + np.array([1, 0])])
    for gap in (0.0, 1e-8):
        points = apart + np.where(np.arange(8)[:, None] > 3, gap, 0.0)
        touching = Mesh(points, (CellBlock(QUAD, [[0, 1, 2, 3], [4, 5, 6, 7]]),))
        (fault,) = faults_of(touching)
        assert fault.startswith("nodes 1 and 4 are both at (1, 0, 0); merge them (merged_nodes)")
        assert fault.endswith("[and 1 more]")
        assert check_mesh(touching, allow_coincident_nodes=True).faults == ()
        require_valid(touching.merged_nodes(1e-6))


def test_small_cells_beside_large_ones_are_not_taken_for_coincident():
    points = np.array([[0, 0, 0], [1, 0, 0], [1 + 1e-4, 0, 0], [1 + 2e-4, 0, 0]])
    mesh = Mesh(points, (CellBlock(LINE, [[0, 1], [1, 2], [2, 3]]),))
    assert check_mesh(mesh).faults == ()


def test_neighbours_of_different_order_are_refused():
    corners = np.array([[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]])
    middles = np.array([[0.5, 0], [1, 0.5], [0.5, 1], [0, 0.5]])
    mesh = Mesh(
        np.vstack([corners, middles]),
        (CellBlock(QUAD8, [[0, 1, 4, 3, 6, 7, 8, 9]]), CellBlock(QUAD, [[1, 2, 5, 4]])),
    )
    (fault,) = faults_of(mesh)
    assert "between nodes 4 and 1 near (1, 0.5, 0) have different middle nodes" in fault


def test_a_facet_that_no_cell_has_is_refused():
    mesh = single(QUAD, SQUARE, facet_sets={"cut": (CellBlock(LINE, [[0, 1], [0, 2]]),)})
    assert faults_of(mesh) == (
        "facet set 'cut': no cell has the facet with corner nodes [0, 2]; use facets of the mesh (facets_on)",
    )


def test_point_masses_are_no_fault():
    mesh = Mesh([[0, 0, 0], [1, 0, 0]], (CellBlock(LINE, [[0, 1]]), CellBlock(VERTEX, [[1]])))
    assert require_valid(mesh).length == pytest.approx(1.0, rel=ROUNDING)


def test_a_mesh_without_cells_is_refused():
    with pytest.raises(InputError, match="no cells"):
        check_mesh(Mesh(SQUARE, ()))


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("shape", ["hexahedron", "wedge", "tetra"])
def test_reorienting_repairs_mirrored_solids_and_their_facets(order, shape):
    sound = block((1, 1, 1), (2, 1, 1), order, shape)
    mirrored = Mesh(sound.points * (-1, 1, 1), sound.blocks, sound.node_sets, sound.facet_sets, sound.cell_sets)
    assert check_mesh(mirrored).faults
    repaired = reorient_cells(mirrored)
    require_valid(repaired)
    assert measured_size(repaired) == pytest.approx(1.0, rel=1e-13)
    sides = [facet for facets in repaired.facet_sets.values() for facet in facets]
    assert outward_flux(repaired, sides) == pytest.approx(3.0, rel=1e-13)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("shape", ["quad", "triangle"])
def test_reorienting_repairs_clockwise_plane_cells(order, shape):
    ring = annulus(1, 2, (2, 8), order, shape)
    clockwise = Mesh(ring.points * (1, -1, 1), ring.blocks, facet_sets=ring.facet_sets)
    repaired = reorient_cells(clockwise)
    assert smallest_determinant(clockwise) < 0 < smallest_determinant(repaired)
    assert measured_size(repaired) == pytest.approx(measured_size(ring), rel=1e-13)
    sides = [*repaired.facet_sets["inner"], *repaired.facet_sets["outer"]]
    assert outward_flux(repaired, sides) == pytest.approx(2 * measured_size(ring), rel=1e-13)


def test_mirroring_twice_is_nothing():
    for cell in (TRIANGLE, QUAD8, TETRA, HEXAHEDRON, WEDGE):
        order = mirrored_nodes(cell)
        assert order[order].tolist() == list(range(cell.nodes))


@pytest.mark.parametrize("kind", ["lot", "grid", "shifted grid"])
def test_near_pairs(kind):
    """Against all distances; also where many points are side by side, and far from the origin."""
    rng = np.random.default_rng(5)
    points = rng.random((400, 3))
    if kind != "lot":
        points = np.repeat(np.stack(np.meshgrid(*[np.arange(6.0)] * 3), axis=-1).reshape(-1, 3), 2, axis=0)
        points += 0.03 * rng.standard_normal(points.shape)
    if kind == "shifted grid":
        points += [1e6, -2e5, 3e7]
    reach = 0.06
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    expected = {(i, j) for i, j in np.argwhere(apart <= reach).tolist() if i < j}
    assert len(expected) > 20
    assert {tuple(pair) for pair in _near_pairs(points, reach).tolist()} == expected
    assert not _near_pairs(points[:1], reach).size

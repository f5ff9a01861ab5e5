"""Meshes: what is accepted, sets, boundary, drawing, changed copies."""

import pickle

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.errors import InputError
from flexframe.mesh.blocks import CellBlock, row_keys
from flexframe.mesh.builders import block, line, rectangle
from flexframe.mesh.cells import LINE, QUAD, TRIANGLE, VERTEX
from flexframe.mesh.checks import check_mesh
from flexframe.mesh.mesh import Mesh

from .oracle import measured_size, outward_flux

SQUARES = np.array([[0, 1, 4, 3], [1, 2, 5, 4]])
POINTS = np.array([[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]])


def two_squares(**changes):
    data = {"points": POINTS, "blocks": (CellBlock(QUAD, SQUARES),), **changes}
    return Mesh(**data)


def test_points_have_three_coordinates_and_nothing_can_be_written():
    mesh = two_squares(node_sets={"low": [2, 0, 0]})
    assert mesh.points.shape == (6, 3)
    assert mesh.points.dtype == np.float64
    assert mesh.node_sets["low"].tolist() == [0, 2]
    for array in (mesh.points, mesh.blocks[0].nodes, mesh.node_sets["low"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_the_given_arrays_stay_apart():
    points = POINTS.astype(float)
    mesh = two_squares(points=points)
    points[0] = 9
    assert mesh.points[0].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"points": np.zeros((6, 4))}, r"shape \(6, 4\)"),
        ({"points": np.where(POINTS > 1, np.nan, POINTS)}, "node 2 has coordinates"),
        ({"points": np.where(POINTS > 1, np.inf, POINTS)}, "node 2 has coordinates"),
        ({"points": POINTS[:4]}, "quad cells: there is no node 4; the mesh has nodes 0 to 3"),
        ({"blocks": (CellBlock(QUAD, SQUARES - 1),)}, "there is no node -1"),
        ({"node_sets": {"a": [0, 6]}}, "node set 'a': there is no node 6"),
        ({"node_sets": {"a": [0.5]}}, "node set 'a' are of type float64"),
        ({"cell_sets": {"b": [2]}}, "cell set 'b': there is no cell 2"),
        ({"facet_sets": {"c": (CellBlock(LINE, [[0, 7]]),)}}, "facet set 'c': there is no node 7"),
        ({"node_labels": [1, 2]}, "2 node labels for 6"),
        ({"cell_labels": [1]}, "1 cell labels for 2"),
    ],
)
def test_what_does_not_fit_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        two_squares(**changes)


def test_a_block_has_the_nodes_of_its_cell():
    with pytest.raises(InputError, match=r"quad cells have shape \(1, 3\)"):
        CellBlock(QUAD, [[0, 1, 2]])
    with pytest.raises(InputError, match="whole numbers"):
        CellBlock(LINE, [[0.0, 1.0]])


def test_counts_cells_and_labels():
    mesh = two_squares(
        blocks=(CellBlock(TRIANGLE, [[0, 1, 3]]), CellBlock(QUAD, [[1, 2, 5, 4]])),
        node_labels=[10, 20, 30, 40, 50, 60],
        cell_labels=[7, 8],
    )
    assert (mesh.node_count, mesh.cell_count, mesh.dimension) == (6, 2, 2)
    cell, nodes = mesh.cell(1)
    assert (cell, nodes.tolist()) == (QUAD, [1, 2, 5, 4])
    assert mesh.block_starts.tolist() == [0, 1, 2]
    assert (mesh.node_label(2), mesh.cell_label(1)) == (30, 8)
    low, high = mesh.bounding_box
    assert (low.tolist(), high.tolist()) == ([0, 0, 0], [2, 1, 0])


def test_sets_are_found_by_name_in_the_order_nodes_facets_cells():
    edges = (CellBlock(LINE, [[0, 1]]),)
    mesh = two_squares(node_sets={"a": [5]}, facet_sets={"b": edges}, cell_sets={"c": [1]})
    assert mesh.nodes_of("a").tolist() == [5]
    assert mesh.nodes_of("b").tolist() == [0, 1]
    assert mesh.nodes_of("c").tolist() == [1, 2, 4, 5]
    assert mesh.facets_of("b") == edges
    assert mesh.cells_of("c").tolist() == [1]


def test_an_unknown_set_is_answered_with_the_nearest_name():
    mesh = rectangle(2, 1, (2, 1))
    with pytest.raises(InputError, match=r"unknown set 'lefft' \(did you mean 'left'\?\); the mesh has"):
        mesh.nodes_of("lefft")
    with pytest.raises(InputError, match=r"unknown facet set 'topp' \(did you mean 'top'\?\)"):
        mesh.facets_of("topp")
    with pytest.raises(InputError, match="the mesh has no cell sets"):
        two_squares().cells_of("all")


def test_with_sets_adds_and_replaces():
    mesh = two_squares(node_sets={"a": [0], "b": [1]}).with_sets({"b": [2], "c": [3]}, cell_sets={"d": [0]})
    assert {k: v.tolist() for k, v in mesh.node_sets.items()} == {"a": [0], "b": [2], "c": [3]}
    assert mesh.cell_sets["d"].tolist() == [0]


def test_the_nearest_node():
    mesh = rectangle(2, 1, (2, 1), order=1)
    node = mesh.nearest_node((1.9, 0.8))
    assert mesh.points[node].tolist() == [2, 1, 0]
    with pytest.raises(InputError, match="finite coordinates"):
        mesh.nearest_node((1, np.nan))


def test_the_boundary_of_two_squares_is_six_edges():
    boundary = two_squares().boundary()
    assert [(b.cell, len(b)) for b in boundary] == [(LINE, 6)]
    # Divergence theorem in the plane: 2 × area 2.
    assert outward_flux(two_squares(), boundary) == pytest.approx(4.0, rel=ROUNDING)


def test_the_boundary_of_a_line_is_its_ends():
    mesh = line(1.0, 5)
    assert [(b.cell, b.nodes.ravel().tolist()) for b in mesh.boundary()] == [(VERTEX, [0, 5])]


def test_facets_on_nodes_a_name_or_a_test_of_points():
    mesh = rectangle(2, 1, (3, 2))
    by_name = mesh.facets_on("right")
    by_nodes = mesh.facets_on(mesh.nodes_of("right"))
    by_test = mesh.facets_on(lambda points: points[:, 0] > 2 - 1e-9)
    assert by_name[0].nodes.tolist() == by_nodes[0].nodes.tolist() == by_test[0].nodes.tolist()
    assert len(by_name[0]) == 2
    assert mesh.facets_on(lambda points: points[:, 0] > 5) == ()
    assert mesh.nodes_on(lambda points: points[:, 1] == 0).tolist() == mesh.nodes_of("bottom").tolist()


def triangle_area(mesh):
    a, b, c = (mesh.points[mesh.surface_triangles()[:, i]] for i in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("shape", ["quad", "triangle"])
def test_drawn_triangles_cover_plane_cells(order, shape):
    mesh = rectangle(3, 2, (3, 2), order, shape)
    # 2 or 6 triangles a quadrilateral, 1 or 4 a triangle.
    each = {("quad", 1): 2, ("quad", 2): 6, ("triangle", 1): 1, ("triangle", 2): 4}[shape, order]
    assert len(mesh.surface_triangles()) == each * mesh.cell_count
    assert triangle_area(mesh) == pytest.approx(6.0, rel=ROUNDING)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("shape", ["hexahedron", "wedge", "tetra"])
def test_drawn_triangles_cover_the_surface_of_solids(order, shape):
    mesh = block((1, 2, 3), (2, 2, 2), order, shape)
    assert triangle_area(mesh) == pytest.approx(2 * (1 * 2 + 2 * 3 + 3 * 1), rel=1e-13)


def test_drawn_lines():
    assert line(1.0, 3).lines().tolist() == [[0, 1], [1, 2], [2, 3]]
    plane = rectangle(2, 1, (2, 1), order=1)
    assert len(plane.lines()) == 7
    curved = rectangle(2, 1, (2, 1), order=2)
    assert len(curved.lines()) == 14
    solid = block((1, 1, 1), (2, 2, 2), order=1)
    # A 2 × 2 × 2 cube has 54 edges of which the 6 at the centre are inside.
    assert len(solid.lines()) == 48
    lengths = np.linalg.norm(np.diff(curved.points[curved.lines()], axis=1), axis=2)
    # Edges of two unit squares: 7 of length 1.
    assert lengths.sum() == pytest.approx(7.0, rel=ROUNDING)


def test_moved_turns_then_shifts():
    quarter = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    mesh = two_squares().moved(quarter, (10, 0, 0))
    assert mesh.points[2].tolist() == [10, 2, 0]
    assert measured_size(mesh) == pytest.approx(2.0, rel=ROUNDING)
    with pytest.raises(InputError, match="not an orthonormal"):
        two_squares().moved(2 * np.eye(3))
    with pytest.raises(InputError, match="mirrors"):
        two_squares().moved(np.diag([1, 1, -1]))


def test_merging_joins_two_squares_that_only_touch():
    apart = Mesh(
        np.vstack([POINTS[[0, 1, 4, 3]], POINTS[[1, 2, 5, 4]] + 1e-9]),
        (CellBlock(QUAD, [[0, 1, 2, 3], [4, 5, 6, 7]]),),
        node_sets={"second": [4, 5, 6, 7]},
        node_labels=np.arange(8) + 1,
    )
    assert len(apart.boundary()[0]) == 8
    joined = apart.merged_nodes(1e-6)
    assert joined.node_count == 6
    assert len(joined.boundary()[0]) == 6
    assert joined.node_labels.tolist() == [1, 2, 3, 4, 6, 7]
    assert joined.points[joined.nodes_of("second")][:, 0].min() == 1.0
    with pytest.raises(InputError, match="collapses the quad cell with nodes"):
        apart.merged_nodes(1.1)


def test_a_part_keeps_its_share_of_the_sets():
    mesh = two_squares(
        node_sets={"left": [0, 3], "right": [2, 5]},
        facet_sets={"ends": (CellBlock(LINE, [[3, 0], [2, 5]]),)},
        cell_sets={"second": [1]},
        node_labels=np.arange(6) + 1,
        cell_labels=[11, 12],
    )
    part = mesh.part("second")
    assert (part.node_count, part.cell_count) == (4, 1)
    assert part.node_labels.tolist() == [2, 3, 5, 6]
    assert part.cell_labels.tolist() == [12]
    assert part.nodes_of("left").size == 0
    assert part.points[part.nodes_of("right")][:, 0].tolist() == [2, 2]
    assert len(part.facets_of("ends")[0]) == 1
    assert check_mesh(part).faults == ()
    with pytest.raises(InputError, match="at least one cell"):
        mesh.part([])


def test_unused_nodes_can_be_left_out():
    mesh = two_squares(points=np.vstack([POINTS, [(9, 9)]]), node_sets={"a": [6, 0], "b": [6]})
    assert mesh.without_unused_nodes().node_count == 6
    assert mesh.without_unused_nodes().nodes_of("a").tolist() == [0]
    assert mesh.without_unused_nodes(keep_named=True).node_count == 7


def test_describe_and_pickle():
    mesh = rectangle(2, 1, (2, 1))
    assert mesh.describe().splitlines()[0] == "13 nodes, 2 quad8"
    again = pickle.loads(pickle.dumps(mesh))
    assert again.describe() == mesh.describe()


def test_row_keys_tell_rows_apart_even_when_numbers_do_not_fit_one_integer():
    random = np.random.default_rng(3)
    rows = random.integers(0, 2**31, size=(500, 8))
    rows[::7] = rows[0]
    rows[5, 7] += 1
    keys = row_keys(rows)
    same_keys = keys[:, None] == keys[None, :]
    same_rows = (rows[:, None, :] == rows[None, :, :]).all(axis=2)
    assert (same_keys == same_rows).all()

"""Faces of the surface of a mesh: found by their sharp edges, with the plane or cylinder that they lie on."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mesh.facets import Cylinder, Plane, faces
from flexframe.mesh.mesh import Mesh


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.3, -1.1, 0.7)])
def test_a_tube_has_two_cylinders_and_two_rings(turn: tuple[float, float, float]) -> None:
    R, t = rotation_from_vector(np.array(turn)), np.array([2.0, -1.0, 0.5])
    mesh = ff.mesh.tube(0.05, 0.1, 0.3, (2, 12, 3)).moved(R, t)
    found = faces(mesh)
    assert sum(len(face.triangles) for face in found) == len(mesh.surface_triangles())
    round_ones = [face.place for face in found if isinstance(face.place, Cylinder)]
    flat = [face.place for face in found if isinstance(face.place, Plane)]
    assert (len(round_ones), len(flat)) == (2, 2)
    # corners and mid-side nodes lie on the circles, so that only rounding of the coordinates is left
    assert sorted(place.radius for place in round_ones) == pytest.approx([0.05, 0.1], rel=1e-9)
    for place in round_ones:
        assert abs(place.axis @ R[:, 2]) == pytest.approx(1, abs=1e-9)
        off = place.point - t
        assert np.linalg.norm(off - (off @ R[:, 2]) * R[:, 2]) < 1e-9
    heights = sorted(float((place.point - t) @ R[:, 2]) for place in flat)
    assert heights == pytest.approx([0.0, 0.3], abs=1e-9)


def test_a_block_has_six_planes_and_their_nodes_are_those_of_its_sets() -> None:
    mesh = ff.mesh.block((0.4, 0.1, 0.1), (4, 1, 1))
    found = faces(mesh)
    assert all(isinstance(face.place, Plane) for face in found)
    sets = {tuple(sorted(mesh.nodes_of(name).tolist())) for name in mesh.facet_sets}
    assert sets == {tuple(face.nodes.tolist()) for face in found}


def test_a_ball_is_neither() -> None:
    """A surface that bends both ways: the middle nodes of a block pushed out to a sphere."""
    mesh = ff.mesh.block((2.0, 2.0, 2.0), (6, 6, 6), order=1)
    points = mesh.points - 1.0
    size = np.abs(points).max(axis=1) / np.maximum(np.linalg.norm(points, axis=1), 1e-12)
    (whole,) = faces(Mesh(points * size[:, None], mesh.blocks))
    assert whole.place is None


def test_lines_have_no_faces() -> None:
    assert faces(ff.mesh.line(1.0, 4)) == ()

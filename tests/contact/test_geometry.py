"""Gaps, normals and points of pairs of shapes against dense sampling and finite differences."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize_scalar
from tests.contact.systems import touches_at
from tests.rounding import rounding

from flexframe.errors import InputError
from flexframe.maths.rotations import rotation_from_vector
from flexframe.model.contacts import (
    CONTACTS,
    Contact,
    CylinderPlane,
    JournalBearing,
    NormalLaw,
    SphereInSphere,
    SpherePlane,
    SpherePolyline,
    SphereProfile,
    SphereSphere,
)

LAW = NormalLaw("restitution", 1e5, restitution=0.8)
ENDS = {"name": "contact", "first": "a", "second": "b", "law": LAW}
ANGLES = np.linspace(0.0, 2 * np.pi, 41)[:-1]
EGG = np.column_stack([np.cos(ANGLES) * (1 + 0.2 * np.sin(3 * ANGLES)), 0.7 * np.sin(ANGLES)])
NOTCH = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.2, 1.0), (1.2, 0.4), (0.8, 0.4), (0.8, 1.0), (0.0, 1.0)]
SAMPLES: dict[str, Contact] = {
    "sphere_plane": SpherePlane(**ENDS, radius=0.3, normal=(0.2, 1.0, -0.3)),
    "sphere_sphere": SphereSphere(**ENDS, radii=(0.4, 0.3)),
    "sphere_in_sphere": SphereInSphere(**ENDS, radius=0.3, clearance=0.2),
    "cylinder_plane": CylinderPlane(**ENDS, radius=0.2, length=0.6, normal=(0.2, 1.0, -0.3), axis=(1.0, 0.2, 0.1)),
    "journal_bearing": JournalBearing(**ENDS, radius=0.2, clearance=0.05, length=0.4),
    "sphere_polyline": SpherePolyline(**ENDS, points=NOTCH, radius=0.1, closed=True),
    "sphere_profile": SphereProfile(**ENDS, points=EGG, radius=0.1),
}
PLACES = {
    "sphere_plane": (0.1, 0.29, 0.05),
    "sphere_sphere": (0.5, 0.4, 0.2),
    "sphere_in_sphere": (0.12, -0.13, 0.11),
    "cylinder_plane": (0.1, 0.2, 0.05),
    "journal_bearing": (0.03, -0.035, 0.02),
    "sphere_polyline": (1.05, 1.02, 0.3),
    "sphere_profile": (0.9, 0.5, 0.2),
}


def test_every_pair_has_a_sample() -> None:
    assert sorted(kind.kind for kind in CONTACTS) == sorted(SAMPLES)


@pytest.mark.parametrize("kind", SAMPLES)
def test_rate_of_the_gap_is_its_derivative(kind: str) -> None:
    """n · (v_b − v_a) at the point against central differences, also when the second body turns."""
    contact, place, h = SAMPLES[kind], np.array(PLACES[kind]), 1e-5
    spin = np.array([0.1, -0.05, 0.2])
    here = touches_at(contact, np.zeros(3), place, spin=spin)
    for direction in np.eye(3):
        ends = [touches_at(contact, np.zeros(3), place + s * h * direction, spin=spin)[:, 0] for s in (-1, 1)]
        for touch, before, after in zip(here, *ends, strict=True):
            if touch[0] < 1e300:
                # second order in h, third derivatives of a few units; rounding over h
                assert (after - before) / (2 * h) == pytest.approx(
                    touch[4:7] @ direction, abs=100 * h**2 + rounding(100) / h
                )
    for axis in np.eye(3):
        turns = [_turned(spin, s * h * axis) for s in (-1, 1)]
        ends = [touches_at(contact, np.zeros(3), place, spin=turn)[:, 0] for turn in turns]
        for touch, before, after in zip(here, *ends, strict=True):
            if touch[0] < 1e300:
                arm = touch[7:10] - place
                assert (after - before) / (2 * h) == pytest.approx(
                    touch[4:7] @ np.cross(axis, arm), abs=100 * h**2 + rounding(100) / h
                )


def _turned(spin: np.ndarray, by: np.ndarray) -> np.ndarray:
    """The rotation vector of a rotation and a further one in space."""
    from scipy.spatial.transform import Rotation

    both = rotation_from_vector(by) @ rotation_from_vector(spin)
    return np.asarray(Rotation.from_matrix(both).as_rotvec())


def test_spheres_and_plane_by_formula() -> None:
    place = np.array(PLACES["sphere_plane"])
    n = np.array([0.2, 1.0, -0.3]) / np.sqrt(1.13)
    tolerance = rounding(100)
    assert touches_at(SAMPLES["sphere_plane"], np.zeros(3), place)[0, 0] == pytest.approx(
        n @ place - 0.3, abs=tolerance
    )
    place = np.array(PLACES["sphere_sphere"])
    assert touches_at(SAMPLES["sphere_sphere"], np.zeros(3), place)[0, 0] == pytest.approx(
        np.linalg.norm(place) - 0.7, abs=tolerance
    )
    place = np.array(PLACES["sphere_in_sphere"])
    touch = touches_at(SAMPLES["sphere_in_sphere"], np.zeros(3), place)[0]
    assert touch[0] == pytest.approx(0.2 - np.linalg.norm(place), abs=tolerance)
    assert touch[4:7] == pytest.approx(-place / np.linalg.norm(place), abs=tolerance)


@pytest.mark.parametrize("kind", ["cylinder_plane", "journal_bearing"])
def test_ends_of_cylinders_against_sampled_rims(kind: str) -> None:
    contact, place, spin = SAMPLES[kind], np.array(PLACES[kind]), np.array([0.04, -0.03, 0.7])
    R = rotation_from_vector(spin)
    (surface, body), found = contact.shapes(), touches_at(contact, np.zeros(3), place, spin=spin)
    angles = np.linspace(0.0, 2 * np.pi, 20001)
    circle = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
    for end, sign in enumerate((-1, 1)):
        if kind == "cylinder_plane":
            rim = circle * body.radius + sign * body.length / 2 * np.array([[0.0], [0.0], [1.0]])
            heights = surface.axes[:, 0] @ (R @ body.axes @ rim + place[:, None])
            least = heights.min()
        else:
            rim = circle * surface.radius + sign * surface.length / 2 * np.array([[0.0], [0.0], [1.0]])
            from_axis = (R @ body.axes).T @ (surface.axes @ rim - place[:, None])
            least = np.hypot(*from_axis[:2]).min() - body.radius
        # samples miss the least distance by ½ r (π/20000)² at most
        assert found[end, 0] == pytest.approx(least, abs=contact.radius * (np.pi / 20000) ** 2)  # type: ignore[attr-defined]


def _signed_distance(point: np.ndarray, curve: np.ndarray) -> float:
    """Of a closed curve of many points, positive outside."""
    distance = np.linalg.norm(curve - point, axis=1).min()
    angle = np.unwrap(np.arctan2(*(np.vstack([curve, curve[:1]]) - point).T[::-1]))
    return float(-distance if abs(angle[-1] - angle[0]) > np.pi else distance)


@pytest.mark.parametrize("seed", range(20))
def test_profile_against_dense_sampling(seed: int) -> None:
    rng = np.random.default_rng(seed)
    closed = np.vstack([EGG, EGG[:1]])
    s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    spline = CubicSpline(s, closed, bc_type="periodic")
    near = rng.uniform(0, s[-1])
    tangent = spline(near, 1) / np.linalg.norm(spline(near, 1))
    point = spline(near) + rng.uniform(-0.05, 0.4) * np.array([tangent[1], -tangent[0]])
    dense = spline(np.linspace(0.0, s[-1], 20001)[:-1])
    found = touches_at(SAMPLES["sphere_profile"], np.zeros(3), np.array([*point, 0.7]))
    around = np.linspace(0.0, s[-1], 20001)[np.linalg.norm(dense - point, axis=1).argmin()]
    step = s[-1] / 20000
    best = minimize_scalar(
        lambda t: np.linalg.norm(spline(t) - point),
        bounds=(around - 2 * step, around + 2 * step),
        method="bounded",
    )
    expected = np.copysign(best.fun, _signed_distance(point, dense))
    # bounded minimisation finds the place to 1e-5 and the distance to its square
    assert found[0, 0] + 0.1 == pytest.approx(expected, abs=1e-9)
    normal = spline(best.x, 1) / np.linalg.norm(spline(best.x, 1))
    assert found[0, 4:7] == pytest.approx([normal[1], -normal[0], 0.0], abs=1e-4)


@pytest.mark.parametrize("seed", range(20))
def test_polyline_against_dense_sampling(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = np.array([*NOTCH, NOTCH[0]])
    parts = np.linspace(0.0, 1.0, 5001)[:-1, None]
    dense = np.concatenate([a + parts * (b - a) for a, b in pairwise(corners)])
    point = rng.uniform([-0.5, -0.5], [2.5, 1.5])
    found = touches_at(SAMPLES["sphere_polyline"], np.zeros(3), np.array([*point, 0.2]))
    expected = _signed_distance(point, dense)
    # samples are 4e-4 apart at most: their error is (2e-4)²/2d, or 2e-4 near the line
    assert found[0, 0] + 0.1 == pytest.approx(expected, abs=min(2e-4, 2e-8 / max(abs(expected), 1e-9)) + 1e-12)


def test_pin_in_a_slot_touches_both_sides() -> None:
    """The slot of 0.4 with a pin of 0.41: two places, each 5 mm deep, forces that cancel."""
    pin = replace(SAMPLES["sphere_polyline"], radius=0.205)  # type: ignore[call-arg]
    found = touches_at(pin, np.zeros(3), np.array([1.0, 0.75, 0.0]))
    touching = found[found[:, 0] < 0]
    assert touching[:, 0] == pytest.approx([-0.005, -0.005], abs=rounding(100))
    assert sorted(touching[:, 4]) == pytest.approx([-1.0, 1.0], abs=rounding(100))
    assert touching[:, 10:13].sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)


def test_inside_of_a_closed_curve() -> None:
    """A circle as a curve: the free side inside gives the gap of a ball in a ring."""
    ring = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
    contact = SphereProfile(**ENDS, points=ring, radius=0.2, free="inside")
    found = touches_at(contact, np.zeros(3), np.array([0.3, 0.4, 0.0]))
    # a spline through 40 points of a unit circle is within (π/20)⁴/384 · 3 of it
    assert found[0, 0] == pytest.approx(0.5 - 0.2, abs=5e-6)
    assert found[0, 4:6] == pytest.approx([-0.6, -0.8], abs=1e-4)


def test_open_curve_is_free_to_the_right() -> None:
    line = SpherePolyline(**ENDS, points=[(1.0, 0.0), (0.0, 0.0)], radius=0.1)
    assert touches_at(line, np.zeros(3), np.array([0.5, 0.3, 0.0]))[0, 0] == pytest.approx(0.2, abs=rounding(10))
    below = replace(line, free="left")
    assert touches_at(below, np.zeros(3), np.array([0.5, -0.3, 0.0]))[0, 0] == pytest.approx(0.2, abs=rounding(10))
    # beyond the end the end itself is the nearest
    beside = touches_at(line, np.zeros(3), np.array([1.3, 0.4, 0.0]))[0]
    assert beside[0] == pytest.approx(0.4, abs=rounding(10))


def test_points_that_make_no_curve_are_refused() -> None:
    with pytest.raises(InputError, match="give pairs of x and y"):
        SpherePolyline(**ENDS, points=[1.0, 2.0])
    with pytest.raises(InputError, match="leave one out"):
        SpherePolyline(**ENDS, points=[(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)])
    with pytest.raises(InputError, match="a closed curve has outside or inside"):
        SphereProfile(**ENDS, points=EGG, free="left")

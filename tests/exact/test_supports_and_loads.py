"""Supports hold what they say and carry what the loads leave; loads have the right resultants."""

from dataclasses import replace

import numpy as np
import pytest
from tests.rounding import ROUNDING, rounding

from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import PlaneProperty
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import annulus, line, polyline, quadrilateral, rectangle
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region
from flexframe.model.loads import Gravity, LineLoad, NodeForce, Pressure, Traction
from flexframe.model.supports import Clamp, Fix, Pin, Roller, Support, Symmetric

from .solving import MATERIAL, Solved, beam_body, recovered, solve

THICKNESS = 0.3

# plates of a few elements have condition numbers below 1e4
ROUND_OFF = 1e-11


def plate(mesh: Mesh, supports: tuple[Support, ...] = (), loads=(), thickness: float = THICKNESS) -> Body:
    region = Region(PlaneProperty(MATERIAL, thickness))
    return Body("plate", mesh, (region,), supports=supports, loads=tuple(loads))


def resultant(points: Array, forces: Array) -> Array:
    """Force and moment about the origin of nodal forces (nodes, 6)."""
    moment = np.cross(points, forces[:, :3]).sum(axis=0) + forces[:, 3:].sum(axis=0)
    return np.concatenate([forces[:, :3].sum(axis=0), moment])


def applied(body: Body) -> Array:
    discrete = discretise(body)
    return discrete.dofs.nodal(discrete.loads.forces)


def assert_balanced(solved: Solved) -> None:
    """Support forces and loads have no resultant together."""
    points = solved.discrete.body.mesh.points
    loads = solved.discrete.dofs.nodal(solved.discrete.loads.forces)
    total = resultant(points, loads + solved.reaction)
    assert np.abs(total).max() < ROUND_OFF * np.abs(loads).max() * len(points)


# ---------------------------------------------------------------------- supports

LOADS = [NodeForce("top_right", (0.4, -0.7)), Gravity((0.2, -0.5, 0))]


@pytest.mark.parametrize(
    ("supports", "held"),
    [
        ((Clamp("left"),), [("left", "ux"), ("left", "uy")]),
        ((Pin("bottom_left"), Roller("bottom_right", (0, 1))), [("bottom_left", "ux"), ("bottom_right", "uy")]),
        ((Symmetric("left", (1, 0)), Symmetric("bottom", (0, 1))), [("left", "ux"), ("bottom", "uy")]),
        ((Fix("left", ("ux",)), Fix("bottom_left", ("uy",))), [("left", "ux"), ("bottom_left", "uy")]),
    ],
    ids=["clamp", "pin and roller", "symmetric", "hold"],
)
def test_supports_hold_and_balance(supports: tuple[Support, ...], held: list[tuple[str, str]]) -> None:
    """Held degrees of freedom do not move, forces act only where something is held, and all is in balance."""
    solved = solve(plate(rectangle(1.2, 0.8, (3, 2)), supports, LOADS))
    mesh = solved.discrete.body.mesh
    for place, dof in held:
        column = ("ux", "uy").index(dof)
        assert np.abs(solved.nodal[mesh.nodes_of(place), column]).max() == 0
    free = np.ones(mesh.node_count, dtype=bool)
    for support in supports:
        free[solved.discrete.body.selected_nodes(support.on)] = False
    assert np.abs(solved.reaction[free]).max() == 0
    assert_balanced(solved)


def test_skew_roller() -> None:
    """The roller carries a force along its direction only and lets its node slide across it."""
    direction = np.array([0.6, 0.8])
    supports = (Pin("bottom_left"), Roller("bottom_right", tuple(3 * direction)))
    solved = solve(plate(rectangle(1.2, 0.8, (3, 2)), supports, LOADS))
    u = solved.at("bottom_right")[:2]
    # a unit vector, two products with it and their sums: 8 roundings of numbers of the size of u
    assert abs(u @ direction) < rounding(8) * np.linalg.norm(u)
    assert abs(u @ [-0.8, 0.6]) > 1e-3
    (node,) = solved.discrete.body.mesh.nodes_of("bottom_right")
    force = solved.reaction[node, :2]
    assert force @ [-0.8, 0.6] == pytest.approx(0, abs=ROUND_OFF)
    # moments about the pin: the roller's force has the arm 1.2 × 0.8 across its line
    loads = solved.discrete.dofs.nodal(solved.discrete.loads.forces)
    moment = resultant(solved.discrete.body.mesh.points, loads)[5]
    assert force @ direction == pytest.approx(-moment / (1.2 * 0.8), rel=ROUND_OFF)
    assert_balanced(solved)


def test_whole_problem_may_be_turned() -> None:
    """Skew supports, loads and mesh turned together give the turned answer."""
    angle = 0.7
    Q = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])

    def turned(vector: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(Q @ np.array([*vector, 0.0]))

    mesh = rectangle(1.2, 0.8, (3, 2))
    straight = solve(
        plate(mesh, (Roller("left", (1, 0)), Roller("bottom", (0, 1))), [NodeForce("top_right", (0.4, -0.7))])
    )
    supports = (Roller("left", turned((1, 0))), Symmetric("bottom", turned((0, 1))))
    body = plate(mesh.moved(Q), supports, [NodeForce("top_right", turned((0.4, -0.7)))])
    np.testing.assert_allclose(solve(body).nodal[:, :3], straight.nodal[:, :3] @ Q.T, atol=ROUND_OFF)


def test_axis_direction_with_rounding() -> None:
    """cos 90° is 6e-17 in floating point: a roller that means y must leave x free."""
    direction = (float(np.cos(np.pi / 2)), float(np.sin(np.pi / 2)))
    mesh = rectangle(1.2, 0.8, (2, 2))
    loads = [NodeForce("bottom_right", (0.4, 0.0))]
    meant = solve(plate(mesh, (Pin("bottom_left"), Roller("bottom_right", (0, 1))), loads))
    rounded = solve(plate(mesh, (Pin("bottom_left"), Roller("bottom_right", direction)), loads))
    assert meant.at("bottom_right", "ux") > 1e-3
    np.testing.assert_allclose(rounded.nodal, meant.nodal, atol=ROUND_OFF)


def test_several_supports_on_a_node() -> None:
    """Conditions add up: two skew rollers make a pin, a third one changes nothing."""
    mesh = rectangle(1.2, 0.8, (2, 2))
    pinned = solve(plate(mesh, (Pin("bottom_left"), Roller("bottom_right", (0, 1))), LOADS))
    rollers = (
        Roller("bottom_left", (1, 1)),
        Roller("bottom_left", (1, -0.3)),
        Roller("bottom_left", (0.2, 2.0)),
        Roller("bottom_right", (0, 1)),
    )
    same = solve(plate(mesh, rollers, LOADS))
    np.testing.assert_allclose(same.nodal, pinned.nodal, atol=ROUND_OFF)


def test_symmetric_half_of_a_beam() -> None:
    """Half of a clamped beam with a plane of symmetry at its middle moves as the whole."""
    q = LineLoad((0.0, -0.6, 0.3))
    whole = solve(beam_body(line(2.0, 4), "timoshenko", [Clamp("start"), Clamp("end")], [q]))
    half = solve(beam_body(line(1.0, 2), "timoshenko", [Clamp("start"), Symmetric("end", (1, 0, 0))], [q]))
    np.testing.assert_allclose(half.nodal, whole.nodal[:3], atol=ROUND_OFF)


def test_skew_symmetry_plane_of_a_beam_in_space() -> None:
    """A plane of symmetry across a skew beam: it moves in the plane and turns about its normal only."""
    direction = np.array([1.0, 2.0, -0.5]) / np.linalg.norm([1.0, 2.0, -0.5])
    mesh = line(1.0, 2, direction=direction)
    supports = [Clamp("start"), Symmetric("end", tuple(direction))]
    body = beam_body(
        mesh, "timoshenko", supports, [LineLoad((0.3, -0.6, 0.4)), NodeForce("end", (0, 0, 0), (0.2, 0.1, 0.3))]
    )
    solved = solve(body)
    end = solved.at("end")
    assert end[:3] @ direction == pytest.approx(0, abs=1e-13)
    np.testing.assert_allclose(np.cross(end[3:], direction), 0, atol=1e-13)
    assert abs(end[3:] @ direction) > 1e-3
    assert_balanced(solved)


def test_supports_of_a_frame_balance() -> None:
    """A portal with a pin and a skew roller in space: six resultants vanish."""
    mesh = polyline([(0, 0, 0), (0, 1.1, 0), (1.3, 1.2, 0.2), (1.4, 0, 0.1)], (1, 2, 2))
    supports = [Clamp("start"), Roller("end", (0.3, 1.0, 0.2))]
    loads = [LineLoad((0.2, -0.9, 0.4), on="segment2"), NodeForce("corner1", (0.5, 0, 0), (0, 0.2, 0.3))]
    assert_balanced(solve(beam_body(mesh, "timoshenko", supports, loads)))


# ---------------------------------------------------------------------- loads


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("shape", ["quad", "triangle"])
def test_traction_has_its_resultant(order: int, shape: str) -> None:
    """t × length × thickness through the middle of a straight edge."""
    corners = [(0, 0), (1.2, 0.1), (1.0, 0.9), (0.1, 0.7)]
    mesh = quadrilateral(corners, (3, 2), order=order, shape=shape)
    t = np.array([0.4, -0.9])
    forces = applied(plate(mesh, loads=[Traction("right", tuple(t))]))
    a, b = np.array(corners[1]), np.array(corners[2])
    total = t * np.linalg.norm(b - a) * THICKNESS
    middle = (a + b) / 2
    expected = [*total, 0, 0, 0, middle[0] * total[1] - middle[1] * total[0]]
    np.testing.assert_allclose(resultant(mesh.points, forces), expected, atol=ROUNDING)
    # uniform traction on one quadratic edge: 1/6, 4/6, 1/6
    if order == 2:
        share = forces[mesh.nodes_of("right"), 1] / (total[1] / 2)
        np.testing.assert_allclose(np.sort(share), np.sort([1 / 6, 4 / 6, 2 / 6, 4 / 6, 1 / 6]), rtol=1e-12)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("shape", ["quad", "triangle"])
def test_pressure_all_around_has_no_resultant(order: int, shape: str) -> None:
    """A uniform pressure on a closed boundary is in balance, and does the work −p ΔA on u = x."""
    mesh = annulus(0.4, 1.0, (2, 12), order=order, shape=shape)
    p = 0.7
    body = plate(mesh, loads=[Pressure("outer", p), Pressure("inner", p)])
    forces = applied(body)
    np.testing.assert_allclose(resultant(mesh.points, forces), 0, atol=1e-13)
    area = discretise(body).inertia.mass / (MATERIAL.density * THICKNESS)
    # ∫p n·x ds = p ∫div x dA = 2pA, of the meshed area exactly
    assert np.sum(forces[:, :2] * mesh.points[:, :2]) == pytest.approx(-2 * p * area * THICKNESS, rel=1e-12)


def test_pressure_pushes_towards_the_body() -> None:
    """On the right side of a rectangle a pressure acts along −x."""
    forces = applied(plate(rectangle(1.2, 0.8, (2, 2)), loads=[Pressure("right", 2.0)]))
    np.testing.assert_allclose(forces.sum(axis=0)[:2], [-2.0 * 0.8 * THICKNESS, 0], atol=ROUNDING)


def test_pressure_is_hydrostatic() -> None:
    """Pressure on all sides makes σ = −p 1 everywhere, on a distorted mesh too (patch test)."""
    mesh = quadrilateral([(0, 0), (1.2, 0.1), (1.0, 0.9), (0.1, 0.7)], (2, 2))
    sides = ("left", "right", "top", "bottom")
    solved = solve(plate(mesh, loads=[Pressure(side, 0.7) for side in sides]))
    _, values = recovered(solved)
    np.testing.assert_allclose(values, np.broadcast_to([-0.7, -0.7, 0], values.shape), atol=1e-12)


def test_traction_takes_the_thickness_of_its_region() -> None:
    """Two regions of different thickness side by side: each edge has its own."""
    mesh = rectangle(2.0, 1.0, (2, 1), order=1).with_sets(cell_sets={"first": [0], "second": [1]})
    regions = (
        Region(PlaneProperty(MATERIAL, 0.2), "first"),
        Region(PlaneProperty(MATERIAL, 0.5), "second"),
    )
    forces = applied(Body("plate", mesh, regions, loads=(Traction("bottom", (0.0, -1.0)),)))
    np.testing.assert_allclose(forces[mesh.nodes_of("bottom"), 1], [-0.1, -0.1 - 0.25, -0.25], atol=ROUNDING)


def test_gravity_is_mass_times_acceleration() -> None:
    """Resultant m g through the centre of mass."""
    mesh = quadrilateral([(0, 0), (1.2, 0.1), (1.0, 0.9), (0.1, 0.7)], (2, 2))
    body = plate(mesh, loads=[Gravity((0.3, -9.81, 0))])
    inertia = discretise(body).inertia
    c, m = inertia.centre_of_mass, inertia.mass
    expected = [0.3 * m, -9.81 * m, 0, 0, 0, m * (-9.81 * c[0] - 0.3 * c[1])]
    np.testing.assert_allclose(resultant(mesh.points, applied(body)), expected, atol=1e-13)


def test_loads_add_up() -> None:
    """The same load twice is twice the load; a set of nodes gets the force at each node."""
    mesh = rectangle(1.0, 1.0, (2, 2), order=1)
    once = applied(plate(mesh, loads=[NodeForce("right", (0.3, 0.1)), Traction("top", (0, 1))]))
    twice = applied(plate(mesh, loads=[NodeForce("right", (0.3, 0.1)), Traction("top", (0, 1))] * 2))
    np.testing.assert_allclose(twice, 2 * once, atol=ROUNDING)
    assert once[:, 0].sum() == pytest.approx(3 * 0.3)


def test_sliding_body_keeps_its_freedom() -> None:
    """A plate on a bed of rollers slides: one rigid motion remains, found from the geometry."""
    body = plate(rectangle(1.2, 0.8, (3, 2)), (Roller("bottom", (0, 1)),))
    assert discretise(body).equilibrium.rigid.shape[1] == 1
    hinged = replace(body, supports=(Pin("bottom_left"),))
    discrete = discretise(hinged)
    assert discrete.equilibrium.rigid.shape[1] == 1
    # the remaining motion is the rotation about the pin: α about z, a = −α × x of the pin (the origin)
    frame = discrete.equilibrium.rigid_frame[:, 0]
    np.testing.assert_allclose(frame[:5], 0, atol=1e-9 * abs(frame[5]))
    assert discretise(replace(body, supports=(Clamp("left"),))).equilibrium.rigid.shape[1] == 0

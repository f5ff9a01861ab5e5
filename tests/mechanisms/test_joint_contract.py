"""Every joint and drive: its Jacobian and bias are the derivatives of its constraints, and its forces balance."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.errors import InputError
from flexframe.maths.null_spaces import rank
from flexframe.multibody.mechanism import mechanism
from flexframe.multibody.states import Configuration, Rates, cross, move

from .samples import EXTRA, PLACES, every_link, slope, smooth_motion, two_bodies

LINKS = every_link()
ROWS = {
    "revolute": 5,
    "prismatic": 5,
    "cylindrical": 4,
    "spherical": 3,
    "universal": 4,
    "fixed": 6,
    "planar": 3,
    "point_on_line": 2,
    "rod": 1,
    "rolling": 3,
    "knife_edge": 1,
    "angle": 1,
    "position": 1,
    "distance": 1,
    "path": 3,
    "constant_velocity": 4,
    "screw": 5,
    "gear": 1,
    "rack": 1,
    "cam": 1,
    "belt": 1,
    "mimic": 1,
    "cable": 0,  # a force where it has a stiffness
}


def named(links=LINKS):
    return pytest.mark.parametrize("link", links, ids=lambda link: link.kind)


def applied(J, rates):
    return np.einsum("tmbk,tbk->tm", J, np.concatenate([rates.linear, rates.angular], axis=-1))


@named()
def test_velocity_is_the_jacobian_times_velocities(link):
    constraints = mechanism(two_bodies(link)).constraints
    t = 0.37

    def value(s):
        return constraints.values(smooth_motion(s)[0])[0][0]

    c, u, _ = smooth_motion(t)
    _, J = constraints.values(c)
    rate = applied(J, u)
    holonomic = constraints.holonomic
    # the difference of order six leaves 1e-12 of round-off in the slope
    np.testing.assert_allclose(rate[0, holonomic], slope(value, t)[holonomic], atol=1e-10)
    np.testing.assert_allclose(constraints.rates(c, u)[0], rate, atol=1e-13)


@named()
def test_acceleration_is_the_jacobian_times_accelerations_plus_bias(link):
    constraints = mechanism(two_bodies(link)).constraints
    t = 0.37

    def rate(s):
        c, u, _ = smooth_motion(s)
        return applied(constraints.values(c)[1], u)[0]

    c, u, a = smooth_motion(t)
    second = applied(constraints.values(c)[1], a) + constraints.rates(c, u)[1]
    np.testing.assert_allclose(second[0], slope(rate, t), atol=2e-9)  # ε itself is a difference: 1e-10


@named()
def test_jacobian_row_by_row_against_single_steps(link):
    constraints = mechanism(two_bodies(link)).constraints
    c = smooth_motion(0.37)[0]
    _, J = constraints.values(c)
    reduced = constraints.reduce_jacobian(J)[0]
    for column in range(12):

        def value(h, column=column):
            step = np.zeros((1, 12))
            step[0, column] = h
            return constraints.values(move(c, step))[0][0]

        holonomic = constraints.holonomic
        np.testing.assert_allclose(reduced[holonomic, column], slope(value, 0.0)[holonomic], atol=1e-11)


@named()
def test_rows_are_independent_at_a_generic_position(link):
    constraints = mechanism(two_bodies(link)).constraints
    assert constraints.count == ROWS[link.kind]
    _, J = constraints.values(smooth_motion(0.37)[0])
    assert rank(np.linalg.svd(constraints.reduce_jacobian(J)[0], compute_uv=False)) == ROWS[link.kind]


@named()
def test_reactions_on_both_bodies_are_opposite_and_do_no_work_in_a_common_motion(link):
    """J annihilates every rigid motion of both bodies together: v = v_0 + ω × r."""
    constraints = mechanism(two_bodies(link)).constraints
    c = smooth_motion(0.37)[0]
    omega, v = np.array([0.3, -1.1, 0.7]), np.array([0.2, 0.5, -0.4])
    together = Rates(v + cross(np.broadcast_to(omega, c.positions.shape), c.positions), np.tile(omega, (1, 3, 1)))
    _, J = constraints.values(c)
    ground_is_not_needed = applied(J[:, :, :2], Rates(together.linear[:, :2], together.angular[:, :2]))
    if hasattr(link, "carrier"):  # which is the ground here
        ground_is_not_needed = applied(J, together)
    fixed_in_space = link.kind in ("revolute", "spherical", "universal", "fixed", "constant_velocity")
    if fixed_in_space:  # rows along space axes: the coincident points are still apart here, so close them first
        gap = constraints.values(c)[0][0, :3]
        c = Configuration(c.positions - np.array([[[0, 0, 0], gap, [0, 0, 0]]]), c.rotations, None)
        together = Rates(v + cross(np.broadcast_to(omega, c.positions.shape), c.positions), together.angular)
        _, J = constraints.values(c)
        ground_is_not_needed = applied(J[:, :, :2], Rates(together.linear[:, :2], together.angular[:, :2]))
    np.testing.assert_allclose(ground_is_not_needed, 0.0, atol=ROUNDING)


@named([link for link in LINKS if link.kind not in ("universal", "constant_velocity")])
def test_planar_rows_are_the_spatial_ones_that_do_not_vanish(link):
    """The planar system keeps the same constraints; those left out hold by themselves."""
    spatial = mechanism(two_bodies(link, space="spatial"))
    expected = {
        "revolute": 2,
        "prismatic": 2,
        "cylindrical": 2,
        "spherical": 2,
        "fixed": 3,
        "planar": 0,
        "point_on_line": 1,
        "rod": 1,
        "rolling": 2,
        "knife_edge": 1,
        "angle": 1,
        "position": 1,
        "distance": 1,
        "path": 2,
        "screw": 3,
        "gear": 1,
        "rack": 1,
        "cam": 1,
        "belt": 1,
        "mimic": 1,
        "cable": 0,
    }
    if link.kind == "path":  # its third component would leave the plane
        with pytest.raises(InputError, match="cannot hold while the bodies move in the x–y plane"):
            mechanism(two_bodies(link, space="planar"))
        link = type(link)("path", *PLACES, path=EXTRA["path"]["path"][:2])
    planar = mechanism(two_bodies(link, space="planar"))
    assert planar.constraints.count == expected[link.kind]
    assert spatial.constraints.count == ROWS[link.kind]

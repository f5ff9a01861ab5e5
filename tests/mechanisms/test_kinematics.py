"""Positions, velocities and accelerations of driven linkages against closed forms."""

import numpy as np
import pytest

from flexframe.errors import AnalysisError, InputError
from flexframe.model.drives import AngleDrive, PositionDrive
from flexframe.model.joints import Prismatic, Revolute, Rod
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.multibody.closure import assembly_branches
from flexframe.multibody.kinematics import follow
from flexframe.multibody.mechanism import mechanism

from .linkages import four_bar, slider_crank, two_freedom_linkage


def motion_of(system, times):
    return follow(mechanism(system), times)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_slider_at_sixty_degrees(space):
    """Reference figures of the slider-crank r 0.15, l 0.3, ω 150; thirteen digits are given."""
    motion = motion_of(slider_crank(space=space), np.radians([0, 60]) / 150)
    x, v, a = motion.marker("slider.C")
    assert x[1, 0] == pytest.approx(0.3454163456598, rel=1e-12)
    assert v[1, 0] == pytest.approx(-24.889896776072, rel=1e-12)
    assert a[1, 0] == pytest.approx(-859.44994746186, rel=1e-11)


def test_slider_over_three_turns_in_closed_form():
    r, rod, w = 0.15, 0.3, 150.0
    t = np.linspace(0, 3 * 2 * np.pi / w, 2001)
    motion = motion_of(slider_crank(), t)
    q = w * t
    root = np.sqrt(rod**2 - (r * np.sin(q)) ** 2)
    x = r * np.cos(q) + root
    v = w * (-r * np.sin(q) - r**2 * np.sin(q) * np.cos(q) / root)
    found = motion.marker("slider.C")
    np.testing.assert_allclose(found[0][:, 0], x, atol=1e-13)
    np.testing.assert_allclose(found[1][:, 0], v, atol=1e-9)
    # counted through all turns
    np.testing.assert_allclose(motion.body("crank").angles, q, atol=1e-12)


def test_few_samples_per_turn_stay_on_the_branch():
    """Steps of 170° between the wanted times: the walk divides them."""
    t = np.radians(np.arange(0, 1700, 170)) / 150
    motion = motion_of(slider_crank(), t)
    q = 150 * t
    x = 0.15 * np.cos(q) + np.sqrt(0.09 - (0.15 * np.sin(q)) ** 2)
    np.testing.assert_allclose(motion.marker("slider.C")[0][:, 0], x, atol=1e-13)
    np.testing.assert_allclose(motion.body("crank").angles, q, atol=1e-12)


def test_linkage_with_two_freedoms():
    """Reference figures to thirteen digits; q1 = 60° with rates 10, 5, ψ = 110° with rates −2, 3."""
    q1 = "pi/3 + 10*t + 2.5*t^2"
    psi = "110*pi/180 - 2*t + 1.5*t^2"
    motion = motion_of(two_freedom_linkage(q1, psi), [0.0, 1e-3])
    coupler, guide = motion.body("coupler"), motion.body("guide")
    assert motion.mobility.degrees_of_freedom == 2
    assert coupler.angles[0] == pytest.approx(0.82335543741292, abs=1e-13)
    assert coupler.angular_velocities[0, 2] == pytest.approx(-9.7300220302389, rel=1e-12)
    assert coupler.angular_accelerations[0, 2] == pytest.approx(-199.1961614238, rel=1e-11)
    end, velocity, acceleration = motion.marker("coupler.end")
    along = guide.rotations[0, :, 0]
    across = guide.rotations[0, :, 1]
    s = (end[0] - guide.positions[0]) @ along
    rate = velocity[0] @ along
    assert s == pytest.approx(0.23407681460907, rel=1e-12)
    assert rate == pytest.approx(-1.3979547731492, rel=1e-12)
    # s̈ = a·e + s ψ̇², since a·e = s̈ − s ψ̇²
    assert acceleration[0] @ along + s * 4 == pytest.approx(-60.220121968432, rel=1e-11)
    assert velocity[0] @ across == pytest.approx(-2 * s, rel=1e-12)


def freudenstein(q, ground=0.254, crank=0.108, coupler=0.2794, follower=0.2705):
    """Angle of the follower above the ground link, by the triangle from B to D."""
    B = crank * np.exp(1j * q)
    to_D = ground - B
    d = np.abs(to_D)
    at_D = np.arccos((follower**2 + d**2 - coupler**2) / (2 * follower * d))
    return np.angle(-to_D) - at_D


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_four_bar_in_closed_form(space):
    q = np.radians(np.linspace(0, 360, 361))
    motion = motion_of(four_bar(space=space), q)
    expected = freudenstein(q)
    R = motion.body("follower").rotations
    np.testing.assert_allclose(np.exp(1j * np.arctan2(R[:, 1, 0], R[:, 0, 0])), np.exp(1j * expected), atol=1e-12)
    assert motion.mobility.degrees_of_freedom == 1
    # four parallel hinges in space: two rotations and one translation are said twice
    assert motion.mobility.redundant == (0 if space == "planar" else 3)
    if space == "spatial":
        assert motion.mobility.redundant_joints == ("A", "B", "C", "D")


def test_both_assemblies_of_a_four_bar_are_found():
    branches = assembly_branches(mechanism(four_bar()), 0.7, starts=60)
    assert [branch.name for branch in branches] == ["branch 1", "branch 2"]
    motions = [follow(mechanism(four_bar()), [0.7], branch.configuration) for branch in branches]
    heights = [motion.marker("coupler.end")[0][0, 1] for motion in motions]
    assert heights[0] > 0 > heights[1]  # the start lies above the ground link
    angle = motions[0].body("follower").angles[0]
    assert np.exp(1j * angle) == pytest.approx(np.exp(1j * freudenstein(np.array(0.7))), abs=1e-12)


def test_six_bar_chain():
    """Watt's chain: a four-bar with a further dyad on its follower; the dyad is a triangle of known sides."""
    base = four_bar()
    bodies = [
        *base.bodies,
        RigidBody.rod("arm", length=0.2, mass=1),
        RigidBody("output", 1.0, 0.1, points={"P": (0, 0)}),
    ]
    joints = [
        *base.joints,
        Revolute("E", "follower.end", "arm.start"),
        Revolute("F", "arm.end", "output.P"),
        Prismatic("G", "ground.G", "output.P"),
    ]
    start = {**base.start, "arm": Placement((0.3, 0.27), -0.8), "output": Placement((0.45, 0.1))}
    system = System(
        bodies, joints, base.drives, ground={"A": (0, 0), "D": (0.254, 0), "G": (0, 0.15)}, start=start
    )
    q = np.radians(np.arange(0, 361, 3.0))
    motion = motion_of(system, q)
    pin = 0.254 + 0.2705 * np.exp(1j * freudenstein(q))
    expected = pin.real + np.sqrt(0.2**2 - (pin.imag - 0.15) ** 2)
    np.testing.assert_allclose(motion.marker("output.P")[0][:, 0], expected, atol=1e-12)
    assert motion.mobility.degrees_of_freedom == 1


def parallelogram(law):
    """Two equal cranks and a coupler, and a third equal crank in the middle: one condition too many."""
    rod = RigidBody.rod
    bodies = [rod("left", length=0.1, mass=1), rod("middle", length=0.1, mass=1), rod("right", length=0.1, mass=1)]
    bodies.append(rod("coupler", length=0.4, mass=1, points={"M": (0.2, 0)}))
    joints = [
        Revolute("A", "ground.A", "left.start"),
        Revolute("B", "ground.B", "middle.start"),
        Revolute("C", "ground.C", "right.start"),
        Revolute("a", "left.end", "coupler.start"),
        Revolute("b", "middle.end", "coupler.M"),
        Revolute("c", "right.end", "coupler.end"),
    ]
    up = {name: Placement(at, 1.0) for name, at in (("left", (0, 0)), ("middle", (0.2, 0)), ("right", (0.4, 0)))}
    return System(
        bodies,
        joints,
        [AngleDrive("motor", "ground.A", "left.start", law)],
        ground={"A": (0, 0), "B": (0.2, 0), "C": (0.4, 0)},
        start={**up, "coupler": Placement((0.05, 0.08))},
    )


def test_parallelogram_with_a_superfluous_crank():
    motion = motion_of(parallelogram("0.4 + t"), np.linspace(0, 2.2, 45))
    assert motion.mobility.degrees_of_freedom == 1
    assert motion.mobility.redundant == 1
    np.testing.assert_allclose(motion.body("coupler").angles, 0.0, atol=1e-12)
    np.testing.assert_allclose(motion.body("right").angles, 0.4 + motion.times, atol=1e-12)
    assert "redundant" in motion.notices[0]


def test_parallelogram_cannot_pass_the_flat_position():
    """At 180° every crank lies along the coupler; the branch is not determined there."""
    with pytest.raises(AnalysisError, match=r"singular position.*motor at 1(80|79\.99)"):
        motion_of(parallelogram("0.4 + t"), np.linspace(0, 3.4, 35))


# ---------------------------------------------------------------------- what cannot be done


def test_rocker_driven_beyond_its_dead_point():
    """The follower of this crank-rocker turns back where crank and coupler lie in line."""
    a, b, c, d = 0.108, 0.2794, 0.2705, 0.254
    drives = [AngleDrive("motor", "ground.D", "follower.start", "1.9 + t")]
    system = four_bar(drives=drives)
    limit = np.pi - np.arccos((c**2 + d**2 - (b - a) ** 2) / (2 * c * d))
    with pytest.raises(AnalysisError, match="dead point") as caught:
        motion_of(system, np.linspace(0, 2, 50))
    angle = float(str(caught.value).split("motor at ")[1].split("°")[0])
    assert angle == pytest.approx(np.degrees(limit), abs=1e-4)


def test_impossible_linkage_names_the_joint():
    with pytest.raises(AnalysisError, match=r"cannot be assembled at t = 0 s: (A|B|C|D|motor) stays .* mm apart"):
        motion_of(four_bar(coupler=0.02, follower=0.02), [0.0])


def test_lost_assembly_of_a_short_rod():
    """Rod shorter than the crank: the linkage opens where r sin q = l."""
    with pytest.raises(AnalysisError, match="dead point") as caught:
        motion_of(slider_crank("t", crank=0.15, rod=0.1), np.linspace(0, 3, 40))
    angle = float(str(caught.value).split("motor at ")[1].split("°")[0])
    assert angle == pytest.approx(np.degrees(np.arcsin(0.1 / 0.15)), abs=1e-4)


def test_missing_drive_names_the_bodies():
    with pytest.raises(InputError, match="1 degree of freedom has no drive: crank, rod, slider"):
        motion_of(slider_crank(drives=[]), [0.0])


def test_overdriven_chain_names_the_drives():
    x = "0.15*cos(0.5 + t) + sqrt(0.09 - (0.15*sin(0.5 + t))^2)"
    drives = [
        AngleDrive("motor", "ground.A", "crank.A", "0.5 + t"),
        PositionDrive("piston", "ground.A", "slider.C", x),
    ]
    with pytest.raises(InputError, match="driven more than its freedom allows: motor and piston"):
        motion_of(slider_crank(drives=drives), [0.0, 0.1])


def test_contradictory_drives():
    drives = [
        AngleDrive("motor", "ground.A", "crank.A", "0.5"),
        PositionDrive("piston", "ground.A", "slider.C", "0.1"),
    ]
    with pytest.raises(AnalysisError, match="cannot be assembled"):
        motion_of(slider_crank(drives=drives), [0.0])


def test_slide_driven_from_its_dead_centre():
    """At 0° the slider cannot tell the crank which way to turn."""
    drives = [PositionDrive("piston", "ground.A", "slider.C", "0.45 - t")]
    with pytest.raises(AnalysisError, match="singular position"):
        motion_of(slider_crank(drives=drives), [0.0, 0.01])


def test_unknown_names():
    base = slider_crank()
    with pytest.raises(InputError, match=r"A: unknown body 'crnk' .did you mean 'crank'"):
        System(base.bodies, [Revolute("A", "ground.A", "crnk.A")], ground={"A": (0, 0)})
    with pytest.raises(InputError, match="unknown point of crank 'Q'"):
        System(base.bodies, [Rod("r", "ground.A", "crank.Q", 1.0)], ground={"A": (0, 0)})
    with pytest.raises(InputError, match="links crank to itself"):
        System(base.bodies, [Rod("r", "crank.B", "crank.A", 1.0)])


def test_times_must_increase():
    with pytest.raises(InputError, match="must increase"):
        motion_of(slider_crank(), [0.0, 0.0])

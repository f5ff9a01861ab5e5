"""Paths of a tool: their geometry, the joints that follow them, torques, limits, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

import flexframe as ff
from flexframe.maths.rotations import rotation_from_vector, vector_from_rotation
from flexframe.multibody.robots.joint_space import JointSpace

from .arms import plane_arm, robot, undamped

Pose, Line, Arc, Spline, Path = (
    ff.motion.ToolPose,
    ff.motion.Line,
    ff.motion.Arc,
    ff.motion.Spline,
    ff.motion.ToolPath,
)


def _law(ways: object) -> ff.motion.Trajectory:
    return ff.motion.trapezoid(ways, speed=0.5, acceleration=2.0)  # type: ignore[arg-type]


def test_arc_is_on_the_circle_through_its_points() -> None:
    """A quarter of a circle of radius 2 about (1, 0, 0), by its length π and equal radii."""
    via = (1 + np.sqrt(2), np.sqrt(2), 0.0)
    path = Path(Pose((3, 0, 0)), [Arc(Pose((1, 2, 0)), via)], _law)
    assert path.pieces[0].curve.length == pytest.approx(np.pi, rel=1e-14)
    points = path.position(np.linspace(0.0, path.way.end, 50))
    assert np.linalg.norm(points - [1, 0, 0], axis=1) == pytest.approx(np.full(50, 2.0), rel=1e-14)
    with pytest.raises(ff.InputError, match="lie on one line"):
        Path(Pose((0, 0, 0)), [Arc(Pose((2, 0, 0)), (1, 0, 0))], _law)


def test_spline_is_passed_with_the_speed_of_its_law() -> None:
    """|dp/dt| is ds/dt at every instant: the parameter is the arc length. By central differences."""
    path = Path(Pose((0, 0, 0)), [Spline(Pose((1, 1, 0)), [(0.2, 0.5, 0.1), (0.7, 0.4, -0.2)])], _law)
    t = np.linspace(0.05, path.way.end - 0.05, 60)
    h = 1e-5
    speed = np.linalg.norm(path.position(t + h) - path.position(t - h), axis=1) / (2 * h)
    assert speed == pytest.approx(path.way.jet(t)[1], rel=1e-6)  # h² of the curvature and its change
    ends = path.position(np.array([0.0, path.way.end]))
    assert ends == pytest.approx(np.array([[0, 0, 0], [1, 1, 0]]), abs=1e-12)


def test_it_rests_at_corners_and_nowhere_else() -> None:
    """Two lines at an angle: one stop; a line into a tangent arc: none."""
    corner = Path(Pose((0, 0, 0)), [Line(Pose((1, 0, 0))), Line(Pose((1, 1, 0)))], _law)
    stops = [t for t in corner.way.breaks[1:-1] if abs(corner.way.jet(t)[1]) < 1e-12]
    assert len(stops) == 1 and corner.way.jet(stops[0])[0] == pytest.approx(1.0)
    smooth = Path(
        Pose((0, 0, 0)),
        [Line(Pose((1, 0, 0))), Arc(Pose((2, 1, 0)), (1 + np.sqrt(0.5), 1 - np.sqrt(0.5), 0))],
        _law,
    )
    assert not [t for t in smooth.way.breaks[1:-1] if abs(smooth.way.jet(t)[1]) < 1e-12]
    # the line and the quarter circle meet when one metre is passed
    meets = [t for t in smooth.breaks if abs(smooth.way.jet(t)[0] - 1.0) < 1e-9]
    assert len(meets) == 1


def test_tool_turns_evenly_about_one_axis() -> None:
    """Halfway along a line the rotation from one pose to the other is half done."""
    first, last = (0.3, -0.2, 0.5), (1.0, 0.4, -0.6)
    path = Path(Pose((0, 0, 0), first), [Line(Pose((1, 0, 0), last))], _law)
    R0, R1 = (rotation_from_vector(np.array(v)) for v in (first, last))
    middle = path.rotation(np.array([(path.way.begin + path.way.end) / 2]))[0]
    half = rotation_from_vector(vector_from_rotation(R1 @ R0.T) / 2) @ R0
    assert middle == pytest.approx(half, abs=1e-14)


def test_joints_of_two_links_follow_the_law_of_cosines() -> None:
    """The elbow on a straight path: its closed form, with derivatives by differences of fourth order."""
    path = Path(Pose((1.2, 0.8)), [Line(Pose((1.2, -0.2)))], lambda w: ff.motion.polynomial(w, duration=2.0))
    drives = ff.drives.tool_drives(plane_arm(), "two.end", path)
    t = np.linspace(0.1, 1.9, 19)
    y, v, a = path.way.jet(t)
    found = [drive.laws[0].jet(t) for drive in drives]  # type: ignore[union-attr]

    def elbow(s: np.ndarray) -> np.ndarray:
        return np.arccos((1.2**2 + (0.8 - s) ** 2 - 2) / 2)

    h = 1e-3
    first = (elbow(y + h) - elbow(y - h)) / (2 * h) - (
        elbow(y + 2 * h) - 2 * elbow(y + h) + 2 * elbow(y - h) - elbow(y - 2 * h)
    ) / (12 * h)
    second = (-elbow(y + 2 * h) + 16 * elbow(y + h) - 30 * elbow(y) + 16 * elbow(y - h) - elbow(y - 2 * h)) / (
        12 * h**2
    )
    assert found[1][0] == pytest.approx(elbow(y), abs=1e-7)
    # splines through 24 to 96 solutions: derivatives lose two orders of the spacing each
    assert found[1][1] == pytest.approx(first * v, abs=1e-5)
    assert found[1][2] == pytest.approx(second * v**2 + first * a, abs=1e-3)


@pytest.mark.parametrize(("axes", "tool"), [("six", "flange.tool"), ("seven", "link_7.tool")])
def test_arms_follow_a_path_with_corners(axes: str, tool: str) -> None:
    """Line, arc and spline with the tool held: on the path at other instants, too, with continuous speeds."""
    start = {"six": {"shoulder_lift": -1.2, "elbow": 1.4, "wrist_1": -1.8, "wrist_2": -1.57}}.get(
        axes, {"axis_2": -0.5, "axis_4": -2.0, "axis_6": 1.6}
    )
    system = robot(axes).system(values=start)
    space = JointSpace(system, tool)
    place, turned = space.pose(space.start)
    p, r = place[0], vector_from_rotation(turned[0])
    path = Path(
        Pose(p, r),
        [
            Line(Pose(p + np.array([0, -0.1, 0.05]))),
            Arc(Pose(p + np.array([0, -0.1, -0.05])), p + np.array([0, -0.15, 0])),
            Spline(Pose(p, r), [p + np.array([0.02, -0.05, -0.03])]),
        ],
        _law,
    )
    drives = ff.drives.tool_drives(system, tool, path, starts=1)
    times = np.linspace(*path.breaks[[0, -1]], 83)
    motion = ff.kinematics(replace(system, drives=drives), times).motion
    apart = np.linalg.norm(motion.marker(tool)[0] - path.position(times), axis=1)
    assert apart.max() < 1e-6  # 1e-7 lengths at the middles, somewhat more beside them
    owner, frame = system.frame(tool)
    axes_there = motion.body(owner).rotations @ frame.axes
    assert np.abs(vector_from_rotation(axes_there @ turned[0].T)).max() < 1e-6
    for drive in drives:
        law = drive.laws[0]
        inner = path.breaks[1:-1]
        before, after = law.jet(inner - 1e-12), law.jet(inner + 1e-12)  # type: ignore[union-attr]
        assert before[1] == pytest.approx(after[1], abs=1e-8)


def test_torques_do_the_work_of_the_motion() -> None:
    """Power of the drives is the rate of kinetic and potential energy, by differences of both along the path."""
    system = undamped(
        robot("six").system(values={"shoulder_lift": -1.2, "elbow": 1.4, "wrist_1": -1.8, "wrist_2": -1.57})
    )
    space = JointSpace(system, "flange.tool")
    place, turned = space.pose(space.start)
    path = Path(
        Pose(place[0], vector_from_rotation(turned[0])),
        [Line(Pose(place[0] + [0.0, -0.2, 0.1]))],
        lambda w: ff.motion.polynomial(w, duration=1.0, order=7),
    )
    found = ff.robots.tool_motion(system, "flange.tool", path, samples=401)
    _, speeds, torques = found.joint_histories()
    work = np.concatenate(
        [
            [0.0],
            np.cumsum(
                ((torques * speeds).sum(axis=1)[1:] + (torques * speeds).sum(axis=1)[:-1])
                / 2
                * np.diff(found.times)
            ),
        ]
    )
    # from rest to rest the work is that against gravity: m g of every centre of mass
    heights = 0.0
    for body in system.bodies:
        assert isinstance(body, ff.RigidBody)
        moving = found.motion.body(body.name)
        centre = moving.positions + moving.rotations @ body.centre
        heights += body.mass * 9.81 * (centre[-1, 2] - centre[0, 2])
    assert work[-1] == pytest.approx(heights, rel=1e-5)  # trapezoids of 400 intervals


def test_limits_of_speed_and_torque_are_reported() -> None:
    """A tenth of the time: a hundred times the acceleration; which limit is passed, and by how much."""
    limits = [ff.joints.JointLimits("A", speed=1.0, force=100.0), ff.joints.JointLimits("B", -3.0, 3.0, speed=1.0)]
    slow = Path(Pose((1.2, 0.8)), [Line(Pose((1.2, -0.2)))], lambda w: ff.motion.polynomial(w, duration=2.0))
    fast = replace(slow, law=lambda w: ff.motion.polynomial(w, duration=0.2))
    found = ff.robots.tool_motion(plane_arm(limits=limits), "two.end", slow)
    assert found.within_limits and not found.notices
    quick = ff.robots.tool_motion(plane_arm(limits=limits), "two.end", fast)
    assert not quick.within_limits
    assert [joint.speed for joint in quick.joints] == pytest.approx([10 * j.speed for j in found.joints], rel=1e-6)
    assert [joint.force for joint in quick.joints] == pytest.approx(
        [100 * j.force for j in found.joints], rel=1e-3
    )
    assert any("A moves with up to" in text and "slow the path down" in text for text in quick.notices)


def test_path_out_of_reach_says_when_and_how_far() -> None:
    """At two metres from the shoulder the arm is stretched."""
    path = Path(Pose((1.2, 0.8)), [Line(Pose((3.0, 0.8)))], lambda w: ff.motion.polynomial(w, duration=2.0))
    with pytest.raises(ff.AnalysisError, match="at 1 s the tool") as caught:
        ff.drives.tool_drives(plane_arm(), "two.end", path)
    last = float(str(caught.value).split("up to t = ")[1].split(" s;")[0])
    # x² + 0.8² = 4 there; near a stretched arm the last solution is found within 1e-5 of the way
    assert path.position(np.array([last]))[0, 0] == pytest.approx(np.sqrt(4 - 0.64), abs=1e-4)


def test_recorded_path_is_followed(tmp_path: object) -> None:
    """A circle given by samples through a spline: on the circle to the order of the spline."""
    t = np.linspace(0.0, 2.0, 41)
    laws = [
        ff.motion.smooth(t, values, noise=0.0)
        for values in (1.2 + 0.2 * np.cos(np.pi * t), 0.3 + 0.2 * np.sin(np.pi * t))
    ]
    path = ff.motion.RecordedPath([*laws, ff.motion.polynomial((0.0, 0.0), duration=1.0)], (), (0.0, 2.0))
    found = ff.robots.tool_motion(plane_arm(), "two.end", path)
    position = found.tool()[0]
    assert np.hypot(position[:, 0] - 1.2, position[:, 1] - 0.3) == pytest.approx(np.full(361, 0.2), abs=1e-5)

"""Joint values of poses: against closed forms of two links, Pinocchio's places of the tool, and each other."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.maths.rotations import rotation_from_vector, vector_from_rotation
from flexframe.multibody.robots.joint_space import JointSpace

from .arms import plane_arm, robot
from .pinocchio_values import SEVEN_AXES, SIX_AXES, State

# by rounding: residuals of 1e-15 lengths over singular values above 0.05
NEAR = 1e-9


def _elbow(x: float, y: float) -> tuple[float, float]:
    """Two links of one metre, elbow positive: cos b = (r² − 2)/2, a = φ − atan2(sin b, 1 + cos b)."""
    b = float(np.arccos((x**2 + y**2 - 2) / 2))
    return float(np.arctan2(y, x) - np.arctan2(np.sin(b), 1 + np.cos(b))), b


@pytest.mark.parametrize("place", [(1.0, 1.0), (0.3, -0.8), (-1.2, 0.5)])
def test_two_links_by_the_law_of_cosines(place: tuple[float, float]) -> None:
    """Both elbows are found."""
    found = ff.robots.inverse_kinematics(plane_arm(), "two.end", place)
    expected = np.array(_elbow(*place))
    a, b = expected
    mirrored = np.array([a + 2 * np.arctan2(np.sin(b), 1 + np.cos(b)), -b])
    solutions = np.array([found.values, *found.others])
    for wanted in (expected, mirrored):
        apart = (solutions - wanted + np.pi) % (2 * np.pi) - np.pi
        assert np.abs(apart).max(axis=1).min() < NEAR
    assert found.reached and found.distance < NEAR


@pytest.mark.parametrize(
    ("axes", "tool", "state"),
    [
        ("six", "flange.tool", SIX_AXES[0]),
        ("six", "flange.tool", SIX_AXES[2]),
        ("seven", "link_7.tool", SEVEN_AXES[1]),
    ],
)
def test_poses_of_arms_are_met(axes: str, tool: str, state: State) -> None:
    """Joint values found for Pinocchio's pose of the tool give that pose, within the limits of the joints."""
    arm = robot(axes)
    rotation = vector_from_rotation(np.array(state.axes))
    found = ff.robots.inverse_kinematics(arm.system(), tool, state.place, rotation=rotation, starts=12)
    assert found.reached
    for values in (found.values, *found.others):
        pose = arm.poses(dict(zip(arm.driven, values.tolist(), strict=True)))["tool"]
        assert pose.place == pytest.approx(state.place, abs=NEAR)
        assert pose.rotation == pytest.approx(np.array(state.axes), abs=NEAR)
        for joint, value in zip(found.joints, values, strict=True):
            assert joint.limits[0] - 1e-12 <= value <= joint.limits[1] + 1e-12
    assert len(found.others) >= (axes == "six")


def test_jacobian_is_the_slope_of_the_pose() -> None:
    """Velocity and angular velocity of the tool by central differences along the tree."""
    arm, state = robot("six"), SIX_AXES[1]
    space = JointSpace(arm.system(values=dict(zip(arm.driven, state.q, strict=True))), "flange.tool")
    J = space.jacobian(space.start)
    for k, name in enumerate(arm.driven):
        sides = []
        for sign in (1.0, -1.0):
            values = {n: q + sign * 1e-6 * (n == name) for n, q in zip(arm.driven, state.q, strict=True)}
            sides.append(arm.poses(values)["tool"])
        slope = (sides[0].place - sides[1].place) / 2e-6
        turn = vector_from_rotation(sides[0].rotation @ sides[1].rotation.T) / 2e-6
        # differences of second order: 1e-12 of the third derivative, and rounding over the step
        assert J[:, k] == pytest.approx(np.concatenate([slope, turn]), abs=1e-8)


def test_out_of_reach_names_the_nearest_pose() -> None:
    """Two links reach two metres: the nearest place is on the line from the shoulder, singular."""
    with pytest.raises(
        ff.AnalysisError, match=r"nearest is \[1.6, 1.2\], 500 mm away.*singular.*A, B move without"
    ):
        ff.robots.inverse_kinematics(plane_arm(), "two.end", (2.0, 1.5))
    found = ff.robots.inverse_kinematics(plane_arm(), "two.end", (2.0, 1.5), nearest=True)
    assert not found.reached
    # the approach to a stretched arm is slow: its distance is least to second order in the angles
    assert found.distance == pytest.approx(0.5, abs=1e-9)
    assert found.place[:2] == pytest.approx([1.6, 1.2], abs=1e-4)


def test_limits_are_kept_and_named() -> None:
    """The elbow may bend by 60° only: a place that wants 90° is missed, as near as the limit lets."""
    limits = [ff.joints.JointLimits("B", -np.pi / 3, np.pi / 3)]
    start = {"two": ff.Placement([1, 0], [0, 0, 0.5])}
    with pytest.raises(ff.AnalysisError, match=r"with B at -?1\.0472 rad at a limit"):
        ff.robots.inverse_kinematics(plane_arm(limits=limits, start=start), "two.end", (1.0, 1.0))
    found = ff.robots.inverse_kinematics(
        plane_arm(limits=limits, start=start), "two.end", (1.0, 1.0), nearest=True
    )
    # |p| = 2 cos 30° at the limit
    assert found.distance == pytest.approx(np.sqrt(3) - np.sqrt(2), abs=1e-9)


def test_redundant_arm_stays_next_to_its_start() -> None:
    """Of all values that put the tool there, those with the least sum of squares: none along the null space."""
    arm, state = robot("seven"), SEVEN_AXES[0]
    start = {name: q + 0.1 for name, q in zip(arm.driven, state.q, strict=True)}
    system = arm.system(values=start, limits="none")
    rotation = vector_from_rotation(np.array(state.axes))
    found = ff.robots.inverse_kinematics(system, "link_7.tool", state.place, rotation=rotation, starts=1)
    space = JointSpace(system, "link_7.tool")
    c = space.configuration(found.values[None], space.start)
    free = np.linalg.svd(space.jacobian(c))[2][6]
    away = found.values - np.array(list(start.values()))
    assert abs(free @ away) < 1e-9
    assert "1 joint more than the pose needs" in found.notices[0]


def test_chosen_joints_and_closed_loops() -> None:
    """A parallelogram carries a tool: one joint is driven, the loop follows."""
    bar = {"A": (0.0, 0.0), "B": (1.0, 0.0)}
    bodies = [ff.RigidBody(name, 1.0, 0.1, points=bar) for name in ("left", "right")]
    bodies.append(ff.RigidBody("top", 1.0, 0.1, points={"A": (0, 0), "B": (1, 0), "tool": (0.5, 0.5)}))
    system = ff.System(
        bodies,
        [
            ff.Revolute("P", "ground", "left.A"),
            ff.Revolute("Q", "ground.Q", "right.A"),
            ff.Revolute("R", "left.B", "top.A"),
            ff.Revolute("S", "right.B", "top.B"),
        ],
        ground={"Q": (1.0, 0.0)},
        start={
            "left": ff.Placement([0, 0], [0, 0, 1.0]),
            "right": ff.Placement([1, 0], [0, 0, 1.0]),
            "top": ff.Placement([np.cos(1.0), np.sin(1.0)]),
        },
    )
    angle = 1.3
    place = (0.5 + np.cos(angle), 0.5 + np.sin(angle))
    found = ff.robots.inverse_kinematics(system, "top.tool", place, joints=["P"])
    assert found.values == pytest.approx([angle], abs=NEAR)
    with pytest.raises(ff.InputError, match="name the joints that motors drive"):
        ff.robots.inverse_kinematics(system, "top.tool", place)


def test_rotation_alone_is_turned() -> None:
    """A wrist of three axes at one point: values of a rotation, by its matrix."""
    bodies = [ff.RigidBody(name, 1.0, np.ones(3), points={"tool": (0, 0, 0.1)}) for name in "abc"]
    axes = ((0, 0, 1.0), (0, 1.0, 0), (1.0, 0, 0))
    ends = ("ground", "a", "b", "c")
    joints = [ff.Revolute(f"J{k}", ends[k], ends[k + 1], axes[k]) for k in range(3)]
    system = ff.System(bodies, joints, space="spatial")
    wanted = rotation_from_vector(np.array([0.4, -0.7, 0.9]))
    found = ff.robots.inverse_kinematics(system, "c.tool", wanted @ [0, 0, 0.1], rotation=(0.4, -0.7, 0.9))
    made = np.eye(3)
    for axis, value in zip(axes, found.values, strict=True):
        made = made @ rotation_from_vector(np.array(axis) * value)
    assert made == pytest.approx(wanted, abs=NEAR)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tool": "ground"}, "is fixed in space"),
        ({"tool": "two.nose"}, "unknown point of two 'nose'"),
        ({"joints": ["C"]}, "unknown joint 'C'"),
        ({"joints": ["A", "A"]}, "named twice"),
    ],
)
def test_wrong_questions(change: dict[str, object], words: str) -> None:
    given: dict[str, object] = {"tool": "two.end", "position": (1.0, 1.0), **change}
    with pytest.raises(ff.InputError, match=words):
        ff.robots.inverse_kinematics(plane_arm(), **given)  # type: ignore[arg-type]

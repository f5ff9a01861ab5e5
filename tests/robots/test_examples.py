"""The examples of robots against statics, forward kinematics and what their reports promise."""

import numpy as np
import pytest

import flexframe as ff

from .arms import robot

STRIDE = 1e-6  # rad, of differences of potentials


def _held(values: dict[str, float]) -> dict[str, float]:
    """Torques that hold the six-axis arm against its weight: ∂/∂q of Σ m g z, by differences."""
    arm = robot("six")

    def potential(joints: dict[str, float]) -> float:
        poses = arm.poses(joints)
        return sum(
            9.81 * link.mass * float((poses[name].place + poses[name].rotation @ np.asarray(link.centre))[2])
            for name, link in arm.links.items()
            if link.mass
        )

    held = {}
    for name in arm.driven:
        ends = [potential({**values, name: values[name] + sign * STRIDE}) for sign in (1.0, -1.0)]
        held[name] = (ends[0] - ends[1]) / (2 * STRIDE)
    return held


def test_robot_arm_path() -> None:
    """At rest before and after the path the torques carry the weight, and the tool is at both ends of the path."""
    case = ff.load_case(ff.example_paths()["robot_arm_path"])
    found = case.analyses["path"].run(case)
    assert isinstance(found, ff.results.ToolMotion)
    arm = robot("six")
    names = [drive.name.removeprefix("weld ") for drive in found.drives]
    joints, _, torques = found.joint_histories()
    for place in (0, -1):
        values = dict(zip(names, joints[place].tolist(), strict=True))
        held = _held(values)
        # splines of joints have some 1e-5 rad/s² where the tool rests, and the arm about 5 kg m²
        assert torques[place] == pytest.approx([held[name] for name in names], abs=5e-4)
    assert arm.poses(values)["tool"].place == pytest.approx([0.8, 0.2, 0.45], abs=1e-7)
    pose = case.analyses["pose"].run(case)
    assert isinstance(pose, ff.results.InverseKinematics)
    reached = arm.poses({each.name: each.value for each in pose.joints})["tool"]
    assert reached.place == pytest.approx([0.6, 0.3, 0.5], abs=1e-9)


def test_robot_arm_shaping() -> None:
    """What the page about robots says of the commands, to its digits."""
    case = ff.load_case(ff.example_paths()["robot_arm_shaping"])
    found = case.analyses["settle"].run(case)
    assert isinstance(found, ff.results.FeedForward)
    left = {name: 1e3 * command.residual for name, command in found.commands.items()}
    assert left["none"] == pytest.approx(0.52, rel=0.02)
    assert left["zv"] == pytest.approx(0.023, rel=0.02)
    assert left["zvd"] == pytest.approx(0.0067, rel=0.02)
    assert left["stable_inversion"] < 1e-5

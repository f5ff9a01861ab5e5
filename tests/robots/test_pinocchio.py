"""Arms of six and seven axes from their URDF files against Pinocchio: rnea, aba and forward kinematics."""

from dataclasses import replace

import numpy as np
import pytest

import flexframe as ff
from flexframe.maths.arrays import Array

from .arms import robot, undamped
from .pinocchio_values import SEVEN_AXES, SIX_AXES, State

CASES = [("six", "flange.tool", state) for state in SIX_AXES]
CASES += [("seven", "link_7.tool", state) for state in SEVEN_AXES]
WANTED = 1e-10


def _driven(system: ff.System, names: tuple[str, ...], laws: list[str]) -> ff.System:
    joints = {joint.name: joint for joint in system.joints}
    drives = [ff.drives.joint_drive(joints[name], law) for name, law in zip(names, laws, strict=True)]
    return replace(system, drives=drives)


def _start(axes: str, state: State) -> tuple[ff.System, tuple[str, ...]]:
    arm = robot(axes)
    values = dict(zip(arm.driven, state.q, strict=True))
    return undamped(arm.system(values=values)), arm.driven


@pytest.mark.parametrize(("axes", "tool", "state"), CASES)
def test_inverse_dynamics_is_rnea(axes: str, tool: str, state: State) -> None:
    """Torques of drives that give joint values, rates and accelerations; and where the tool then is."""
    system, names = _start(axes, state)
    laws = [f"({q!r}) + ({v!r})*t + ({a / 2!r})*t^2" for q, v, a in zip(state.q, state.v, state.a, strict=True)]
    found = ff.joint_forces(_driven(system, names, laws), [0.0, 1e-3])
    torques = np.array([found.forces.joints[f"drive of {name}"].values[0, 0] for name in names])
    assert np.abs(torques - state.torque).max() < WANTED * np.abs(state.torque).max()
    assert found.motion.marker(tool)[0][0] == pytest.approx(state.place, abs=WANTED)


@pytest.mark.parametrize(("axes", "tool", "state"), CASES)
def test_forward_dynamics_is_aba(axes: str, tool: str, state: State) -> None:
    """Accelerations of the joints under torques of motors, in the first instant of a computed motion."""
    system, names = _start(axes, state)
    joints = {joint.name: joint for joint in system.joints}
    moving = [
        ff.drives.joint_drive(joints[n], f"({q!r}) + ({v!r})*t", f"{n} at first") for n, q, v in _of(names, state)
    ]
    motors = [
        ff.loads.Actuator(f"motor {n}", joints[n].first, joints[n].second, u, axis=_axis(joints[n]))
        for n, u in zip(names, state.u, strict=True)
    ]
    motion = ff.simulate(
        replace(system, initial=moving, loads=[*system.loads, *motors]), duration=1e-3, tolerance=1e-9, samples=2
    )
    bodies = {name: motion.motion.body(name) for name in motion.motion.names}

    def spin(marker: str) -> tuple[Array, Array]:
        """Angular acceleration of the body of a marker, and the axes of the marker, at first."""
        owner, frame = system.frame(marker)
        if owner == "ground":
            return np.zeros(3), frame.axes
        return bodies[owner].angular_accelerations[0], bodies[owner].rotations[0] @ frame.axes

    found = []
    for name in names:
        (first, axes_there), (second, _) = spin(joints[name].first), spin(joints[name].second)
        # d/dt(a·(ω₂ − ω₁)) = a·(ε₂ − ε₁), as ω₂ − ω₁ is along a
        found.append(axes_there @ np.array(_axis(joints[name])) @ (second - first))
    assert np.abs(np.array(found) - state.acceleration).max() < WANTED * np.abs(state.acceleration).max()


def _of(names: tuple[str, ...], state: State) -> list[tuple[str, float, float]]:
    return list(zip(names, state.q, state.v, strict=True))


def _axis(joint: ff.joints.Joint) -> tuple[float, ...]:
    assert isinstance(joint, ff.Revolute)
    return joint.axis


@pytest.mark.parametrize(("axes", "tool", "state"), CASES)
def test_poses_of_the_tree(axes: str, tool: str, state: State) -> None:
    """Forward kinematics along the tree alone, as the start of a system is found."""
    arm = robot(axes)
    pose = arm.poses(dict(zip(arm.driven, state.q, strict=True)))["tool"]
    assert pose.place == pytest.approx(state.place, abs=1e-14)
    assert pose.rotation == pytest.approx(np.array(state.axes), abs=1e-14)

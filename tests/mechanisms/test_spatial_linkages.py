"""Linkages in space, and drives other than angles, against closed forms."""

import numpy as np
import pytest

from flexframe.analyses.joint_forces.analysis import joint_forces
from flexframe.analyses.kinematics.analysis import kinematics
from flexframe.elements.properties import STEEL, Rectangle
from flexframe.errors import AnalysisError, InputError
from flexframe.model.body import Body
from flexframe.model.drives import AngleDrive, DistanceDrive, PathDrive, PositionDrive
from flexframe.model.joints import Cylindrical, InPlane, Prismatic, Revolute, Rod, Spherical, Universal, Weld
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.system import System

from .newton_euler import imbalance

INERTIA = (0.02, 0.03, 0.04)
X = (1.0, 0.0, 0.0)


def test_cardan_joint():
    """Shafts at the angle β: ω₂ = ω₁ cos β/(1 − sin²β cos²θ), θ = 0 with the fork of shaft 1 in their plane."""
    beta, w = np.radians(35), 2.0
    input_shaft = RigidBody("input", 1.0, INERTIA, points={"O": (0, 0, 0)})
    output_shaft = RigidBody("output", 1.0, INERTIA, points={"O": (0, 0, 0)})
    system = System(
        [input_shaft, output_shaft],
        [
            Revolute("first bearing", "ground.first", "input.O", axis=X),
            Universal("cross", "input.O", "output.O", axis=(0.0, 1.0, 0.0), second_axis=(0.0, 0.0, 1.0)),
            # its place is held by the cross already
            Cylindrical("second bearing", "ground.second", "output.O", axis=X),
        ],
        [AngleDrive("motor", "ground.first", "input.O", f"{w}*t", axis=X)],
        ground={"first": (0, 0, 0), "second": BodyFrame((0, 0, 0), (0, 0, beta))},
        start={"output": Placement(rotation=(0, 0, beta))},
        space="spatial",
    )
    motion = kinematics(system, np.linspace(0, np.pi, 91)).motion
    assert motion.mobility.degrees_of_freedom == 1
    axis = np.array([np.cos(beta), np.sin(beta), 0.0])
    speed = motion.body("output").angular_velocities @ axis
    theta = w * motion.times  # the fork starts along y, in the plane of the shafts
    np.testing.assert_allclose(speed, w * np.cos(beta) / (1 - (np.sin(beta) * np.cos(theta)) ** 2), atol=1e-10)
    forces = joint_forces(system, np.linspace(0, np.pi, 31)).forces
    assert imbalance(forces) < 1e-9
    assert motion.mobility.redundant == 2  # both bearings hold the centre across the second shaft


def test_two_cranks_with_crossed_axes_and_a_rod():
    """RSSR linkage: the rod's length gives A cos φ + B sin φ = C for the angle φ of the follower."""
    a, b, length, d = 0.1, 0.25, 0.42, 0.3
    crank = RigidBody("crank", 1.0, INERTIA, points={"O": (0, 0, 0), "P": (a, 0, 0)})
    follower = RigidBody("follower", 1.0, INERTIA, points={"O": (0, 0, 0), "Q": (0, b, 0)})
    system = System(
        [crank, follower],
        [
            Revolute("A", "ground.A", "crank.O"),
            Revolute("D", "ground.D", "follower.O", axis=X),
            Rod("rod", "crank.P", "follower.Q", length),
        ],
        [AngleDrive("motor", "ground.A", "crank.O", "t")],
        ground={"A": (0, 0, 0), "D": (0, d, 0)},
        start={"follower": Placement((0, d, 0), (0.9, 0, 0))},
        space="spatial",
    )
    t = np.linspace(0, 2 * np.pi, 73)
    motion = kinematics(system, t).motion
    P = a * np.stack([np.cos(t), np.sin(t), 0 * t], axis=1)
    # Q = (0, d + b cos φ, b sin φ): |Q − P|² = length²
    A = 2 * b * (d - P[:, 1])
    C = length**2 - b**2 - P[:, 0] ** 2 - (d - P[:, 1]) ** 2
    phi = np.arccos(C / A)  # the branch above the floor
    R = motion.body("follower").rotations
    np.testing.assert_allclose(np.arctan2(R[:, 2, 1], R[:, 1, 1]), phi, atol=1e-11)
    assert motion.mobility.degrees_of_freedom == 1
    forces = joint_forces(system, t[::6]).forces
    assert imbalance(forces) < 1e-10
    pull = forces.joints["rod"].force
    along = (forces.motion.marker("follower.Q")[0] - forces.motion.marker("crank.P")[0]) / length
    np.testing.assert_allclose(np.cross(pull, along), 0.0, atol=1e-10)  # a rod pulls along itself


def test_coupler_with_two_balls_can_spin():
    """The same linkage with a coupler on two balls has one freedom more, which no drive prescribes."""
    bodies = [
        RigidBody("crank", 1.0, INERTIA, points={"O": (0, 0, 0), "P": (0.1, 0, 0)}),
        RigidBody("coupler", 1.0, INERTIA, points={"P": (0, 0, 0), "Q": (0.42, 0, 0)}),
        RigidBody("follower", 1.0, INERTIA, points={"O": (0, 0, 0), "Q": (0, 0.25, 0)}),
    ]
    system = System(
        bodies,
        [
            Revolute("A", "ground.A", "crank.O"),
            Spherical("P", "crank.P", "coupler.P"),
            Spherical("Q", "coupler.Q", "follower.Q"),
            Revolute("D", "ground.D", "follower.O", axis=X),
        ],
        [AngleDrive("motor", "ground.A", "crank.O", "t")],
        ground={"A": (0, 0, 0), "D": (0, 0.3, 0)},
        start={
            "coupler": Placement((0.1, 0, 0), (0, -0.5, 1.7)),
            "follower": Placement((0, 0.3, 0), (0.9, 0, 0)),
        },
        space="spatial",
    )
    with pytest.raises(InputError, match="1 degree of freedom has no drive: coupler can still move"):
        kinematics(system, [0.0])


def test_hydraulic_cylinder_lifts_an_arm():
    """Triangle of two fixed sides and the cylinder: cos φ by the law of cosines."""
    arm = RigidBody("arm", 2.0, 0.1, (0.4, 0), {"O": (0, 0), "P": (0.5, 0)})
    system = System(
        [arm],
        [Revolute("pivot", "ground.O", "arm.O")],
        [DistanceDrive("cylinder", "ground.C", "arm.P", "0.45 + 0.1*t")],
        ground={"O": (0, 0), "C": (0.4, 0)},
        start={"arm": Placement((0, 0), 1.0)},
    )
    motion = kinematics(system, np.linspace(0, 2, 21)).motion
    length = 0.45 + 0.1 * motion.times
    np.testing.assert_allclose(
        motion.body("arm").angles, np.arccos((0.25 + 0.16 - length**2) / (2 * 0.5 * 0.4)), atol=1e-12
    )
    with pytest.raises(AnalysisError, match=r"dead point.*cylinder at 0\.(9|8999)"):  # stretched at 0.9 m
        kinematics(system, np.linspace(0, 6, 61))


def test_path_drive_and_prismatic_pair():
    """A gripper on a path with its angle held by a slide: velocities and accelerations of the path."""
    body = RigidBody("gripper", 1.0, 0.1, points={"P": (0.1, 0.2)})
    carriage = RigidBody("carriage", 1.0, 0.1, points={"P": (0, 0)})
    system = System(
        [carriage, body],
        [
            Prismatic("rail", "ground.O", "carriage.P"),
            Prismatic("lift", "carriage.P", "gripper.P", axis=(0.0, 1.0)),
        ],
        [PathDrive("path", "ground.O", "gripper.P", ("cos(3*t)", "sin(2*t) + 1"))],
        ground={"O": (0, 0)},
    )
    motion = kinematics(system, np.linspace(0, 2, 41)).motion
    t = motion.times
    place, velocity, acceleration = motion.marker("gripper.P")
    np.testing.assert_allclose(place[:, :2], np.stack([np.cos(3 * t), np.sin(2 * t) + 1], axis=1), atol=1e-12)
    np.testing.assert_allclose(velocity[:, 0], -3 * np.sin(3 * t), atol=1e-11)
    np.testing.assert_allclose(acceleration[:, 1], -4 * np.sin(2 * t), atol=1e-10)
    np.testing.assert_allclose(motion.body("carriage").positions[:, 0], np.cos(3 * t), atol=1e-12)


def test_weld_and_plane_keep_their_relative_pose():
    base = RigidBody("base", 1.0, INERTIA, points={"O": (0, 0, 0), "F": BodyFrame((0.1, 0, 0), (0, 0, 0.5))})
    part = RigidBody("part", 1.0, INERTIA, points={"F": BodyFrame((0, 0.2, 0), (0.3, 0, 0))})
    plate = RigidBody("plate", 1.0, INERTIA, points={"O": (0, 0, 0)})
    system = System(
        [base, part, plate],
        [
            Revolute("hinge", "ground.O", "base.O", axis=(0.0, 1.0, 1.0)),
            Weld("weld", "base.F", "part.F"),
            InPlane("table", "base.O", "plate.O"),
        ],
        [
            AngleDrive("motor", "ground.O", "base.O", "t", axis=(0.0, 1.0, 1.0)),
            AngleDrive("turn", "base.O", "plate.O", "2*t"),
            PositionDrive("x", "base.O", "plate.O", "0.1*t"),
            PositionDrive("y", "base.O", "plate.O", "0.2", axis=(0.0, 1.0, 0.0)),
        ],
        ground={"O": (0, 0, 0)},
        space="spatial",
    )
    motion = kinematics(system, np.linspace(0, 1.5, 16)).motion
    base_R, part_R, plate_R = (motion.body(name).rotations for name in ("base", "part", "plate"))
    welded = np.swapaxes(base_R, 1, 2) @ part_R
    np.testing.assert_allclose(welded, np.broadcast_to(welded[0], welded.shape), atol=1e-12)
    turned = np.swapaxes(base_R, 1, 2) @ plate_R
    np.testing.assert_allclose(turned[:, 1, 0], np.sin(2 * motion.times), atol=1e-12)
    np.testing.assert_allclose(turned[:, 2, 2], 1.0, atol=1e-12)
    offset = np.einsum("tji,tj->ti", base_R, motion.body("plate").positions)
    np.testing.assert_allclose(offset[:, 0], 0.1 * motion.times, atol=1e-12)


def test_joints_attach_to_nodes_and_to_the_mean_of_a_set():
    """A meshed bar hinged at node 0 and, by its set "end", guided on a line: an elliptic trammel."""
    bar = Body.beam("bar", length=0.5, divisions=4, section=Rectangle(0.02, 0.01), material=STEEL)
    block = RigidBody("block", 1.0, 0.1, points={"P": (0, 0)})
    system = System(
        [bar, block, RigidBody("foot", 1.0, 0.1, points={"P": (0, 0)})],
        [
            Prismatic("upright", "ground.O", "block.P", axis=(0.0, 1.0)),
            Revolute("pin", "block.P", "bar.0"),
            Prismatic("floor", "ground.O", "foot.P"),
            Revolute("heel", "foot.P", "bar.end"),
        ],
        [AngleDrive("tilt", "ground.O", "bar", "-0.4 - t")],
        ground={"O": (0, 0)},
        start={"bar": Placement((0, 0.2), -0.4), "block": Placement((0, 0.2)), "foot": Placement((0.45, 0))},
    )
    motion = kinematics(system, np.linspace(0, 0.8, 9)).motion
    angle = 0.4 + motion.times
    np.testing.assert_allclose(motion.body("foot").positions[:, 0], 0.5 * np.cos(angle), atol=1e-12)
    np.testing.assert_allclose(motion.body("block").positions[:, 1], 0.5 * np.sin(angle), atol=1e-12)

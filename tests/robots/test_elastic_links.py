"""Links made elastic by one line: mass and inertia stay, stiffness is that of a beam, closed loops are added."""

from dataclasses import replace

import numpy as np
import pytest

import flexframe as ff
from flexframe.maths.rotations import skew

from .arms import GRAVITY, robot, undamped

TUBE = ff.Circle(0.08, 0.072)


def test_mass_centre_and_inertia_of_the_link_stay() -> None:
    """Beam and rigid piece together: those of the URDF file, about the origin of the link."""
    arm = robot("six")
    link = arm.links["upper_arm"]
    body = arm.beam("upper_arm", section=TUBE, material=ff.ALUMINIUM)
    found = ff.discretise(body).inertia
    arm_ = skew(link.centre)
    assert found.mass == pytest.approx(link.mass, rel=1e-12)
    assert found.centre_of_mass == pytest.approx(link.centre, rel=1e-12, abs=1e-14)
    about = link.inertia - link.mass * arm_ @ arm_
    assert found.inertia_tensor == pytest.approx(about, rel=1e-10, abs=1e-12 * np.abs(about).max())


def test_rigid_answers_do_not_change() -> None:
    """Torques of a motion with the elastic link taken as rigid are those of the file."""
    arm = robot("six")
    values = {"shoulder_lift": -1.2, "elbow": 1.4}
    systems = [
        undamped(arm.system(values=values)),
        undamped(
            arm.system(
                values=values, elastic={"upper_arm": arm.beam("upper_arm", section=TUBE, material=ff.ALUMINIUM)}
            )
        ),
    ]
    torques = []
    for system in systems:
        joints = {joint.name: joint for joint in system.joints}
        drives = [
            ff.drives.joint_drive(joints[name], f"({value!r}) + {0.3 + 0.1 * k}*t + {k - 2}*t^2")
            for k, (name, value) in enumerate(arm.values(values).items())
        ]
        found = ff.joint_forces(replace(system, drives=drives), [0.0, 0.1])
        torques.append([found.forces.joints[drive.name].values[:, 0] for drive in drives])
    assert np.array(torques[1]) == pytest.approx(np.array(torques[0]), rel=1e-10, abs=1e-10)


def test_sag_under_the_weight_of_the_rest() -> None:
    """The stretched arm held by its drives: the elbow sinks by that of a cantilever with force, moment and weight.

    F L³/3EI + M L²/2EI about the horizontal axis; Euler–Bernoulli, shear adds 3EI/(κGA L²) = 1 % to the first.
    """
    arm = robot("six")
    body = arm.beam("upper_arm", section=TUBE, material=ff.ALUMINIUM, divisions=6)
    # the file turns the shoulder by 90°: at a lift of 0 the upper arm is horizontal, along x
    system = arm.system(elastic={"upper_arm": body}, loads=[GRAVITY])
    joints = {joint.name: joint for joint in system.joints}
    held = [ff.drives.joint_drive(joints[name], value) for name, value in arm.values().items()]
    system = replace(system, drives=held)
    choice = {"upper_arm": ff.reduction.ReductionChoice(ff.reduction.CraigBampton(4))}
    rest = ff.system_statics(system, reductions=choice)
    rigid = arm.poses()["forearm"].place
    sag = rest.forces.motion.marker("forearm")[0][-1] - rigid
    # weight beyond the elbow with its moment about it, and of the link itself as a force at its centre
    poses = arm.poses()
    beyond = ("forearm", "wrist_1_link", "wrist_2_link", "flange", "gripper")
    F = sum(arm.links[name].mass for name in beyond) * 9.81
    M = sum(
        arm.links[name].mass
        * 9.81
        * (poses[name].place + poses[name].rotation @ arm.links[name].centre - rigid)[0]
        for name in beyond
    )
    L, EI = 0.612, ff.ALUMINIUM.young * np.pi / 64 * (0.08**4 - 0.072**4)
    own, centre = arm.links["upper_arm"].mass * 9.81, arm.links["upper_arm"].centre[2]
    bent = F * L**3 / (3 * EI) + M * L**2 / (2 * EI) + own * centre**2 * (3 * L - centre) / (6 * EI)
    # the line of the beam leans by 0.128 m across: its true length is 2 % more, 6 % of the cube; shear 1 %
    assert -sag[2] == pytest.approx(bent, rel=0.08)
    assert bent > 1e-4


def test_joints_of_two_elastic_links_with_turned_frames() -> None:
    """Both links of an elbow whose frame is turned are elastic: stiff ones move as rigid ones."""
    arm = robot("six")
    stiff = replace(ff.STEEL, young=2e13, density=100.0)  # light, so that the rest of each link is a solid
    section = ff.Circle(0.06, 0.05)
    elastic = {
        name: arm.beam(name, section=section, material=stiff, divisions=2) for name in ("forearm", "wrist_1_link")
    }
    choice = {name: ff.reduction.ReductionChoice(ff.reduction.CraigBampton(0)) for name in elastic}
    motions = []
    for links, reductions in (({}, None), (elastic, choice)):
        system = undamped(arm.system(elastic=links, values={"elbow": 0.7, "wrist_1": -0.4}))
        motions.append(ff.simulate(system, duration=0.2, step=1e-3, samples=2, reductions=reductions))
    ends = [motion.motion.marker("flange.tool")[0][-1] for motion in motions]
    # the beams give by a hundredth of what steel does, some 1e-8 m; the motion itself is 0.2 m
    assert ends[1] == pytest.approx(ends[0], abs=1e-6)


def test_mesh_in_the_place_of_a_link() -> None:
    """A block in the axes of the link, joints at its ends; a set that is missing is asked for."""
    arm = robot("six")
    mesh = ff.mesh.block((0.08, 0.16, 0.7), (1, 1, 3)).moved(translation=(-0.04, -0.14, -0.04))
    low = mesh.nodes_on(lambda points: points[:, 2] < -0.03)
    high = mesh.nodes_on(lambda points: points[:, 2] > 0.6)
    body = ff.Body.solid("upper_arm", mesh.with_sets(node_sets={"low": low, "high": high}), material=ff.ALUMINIUM)
    with pytest.raises(ff.InputError, match="has no set 'shoulder_lift' for the joint"):
        arm.link("upper_arm", body)
    made = arm.link("upper_arm", body, keep_mass=False, attach={"shoulder_lift": "low", "elbow": "high"})
    system = undamped(arm.system(elastic={"upper_arm": made}))
    assert (
        ff.kinematics(
            replace(
                system,
                drives=[ff.drives.joint_drive(j, 0.1) for j in system.joints if isinstance(j, ff.Revolute)],
            ),
            [0.0, 1.0],
        ).motion.mobility.degrees_of_freedom
        == 6
    )


def test_beam_of_a_link_whose_joints_meet_is_refused() -> None:
    """Axes 1 and 2 of the seven-axis arm cross: there is no beam between them."""
    with pytest.raises(ff.InputError, match="lie at one point"):
        robot("seven").beam("link_1", section=TUBE, material=ff.ALUMINIUM)


def test_closed_loop_added_to_a_robot() -> None:
    """A rod from the shoulder to the forearm fixes the elbow: five freedoms of six are left."""
    arm = robot("six")
    system = undamped(arm.system(values={"elbow": 0.7}))
    apart = np.linalg.norm(
        np.subtract(*(arm.poses({"elbow": 0.7})[name].place for name in ("wrist_1_link", "upper_arm")))
    )
    rod = ff.joints.Rod("strut", "upper_arm.shoulder_lift", "forearm.wrist_1", float(apart))
    model = ff.linearise(replace(system, joints=[*system.joints, rod]), point="start")
    assert model.order == 10

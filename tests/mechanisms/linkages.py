"""Linkages that several tests share."""

import numpy as np

from flexframe.model.drives import AngleDrive, PositionDrive
from flexframe.model.joints import PointOnLine, Prismatic, Revolute
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.system import System


def slider_crank(law="150*t", *, crank=0.15, rod=0.3, loads=(), drives=None, space="planar", **extra):
    """Crank at the origin, slider along x; masses of the crank problem of the IVP test set."""
    bodies = [
        RigidBody("crank", 0.36, (1e-5, 0.002727, 0.002727), (crank / 2, 0, 0), {"A": (0, 0), "B": (crank, 0)}),
        RigidBody(
            "rod", 0.151104, (1e-6, 0.0045339259, 0.0045339259), (rod / 2, 0, 0), {"B": (0, 0), "C": (rod, 0)}
        ),
        RigidBody("slider", 0.075552, (1e-5, 1e-5, 1e-5), points={"C": (0, 0)}),
    ]
    joints = [
        Revolute("A", "ground.A", "crank.A"),
        Revolute("B", "crank.B", "rod.B"),
        Revolute("C", "rod.C", "slider.C"),
        Prismatic("slide", "ground.A", "slider.C"),
    ]
    drives = [AngleDrive("motor", "ground.A", "crank.A", law)] if drives is None else drives
    start = {"rod": Placement((crank, 0), -0.1), "slider": Placement((crank + rod, 0))}
    return System(bodies, joints, drives, loads, ground={"A": (0, 0)}, start=start, space=space, **extra)


def four_bar(
    law="t", *, ground=0.254, crank=0.108, coupler=0.2794, follower=0.2705, above=True, space="planar", drives=None
):
    """Geometry of the elastic four-bar of the references."""
    lengths = {"crank": crank, "coupler": coupler, "follower": follower}
    bodies = [RigidBody.rod(name, length=length, mass=1.0) for name, length in lengths.items()]
    joints = [
        Revolute("A", "ground.A", "crank.start"),
        Revolute("B", "crank.end", "coupler.start"),
        Revolute("C", "coupler.end", "follower.end"),
        Revolute("D", "ground.D", "follower.start"),
    ]
    side = 1.0 if above else -1.0
    drives = [AngleDrive("motor", "ground.A", "crank.start", law)] if drives is None else drives
    start = {"coupler": Placement((crank, 0), side * 1.0), "follower": Placement((ground, 0), side * 1.4)}
    return System(bodies, joints, drives, ground={"A": (0, 0), "D": (ground, 0)}, start=start, space=space)


def two_freedom_linkage(q1, psi, *, start_s=0.2):
    """a e^{iq1} + b e^{iφ} = C + s e^{iψ}: crank, coupler, and a block on a guide that turns about C."""
    a, b, C = 0.1, 0.25, (0.3, 0.05)
    bodies = [
        RigidBody.rod("crank", length=a, mass=1.0),
        RigidBody.rod("coupler", length=b, mass=1.0),
        RigidBody("guide", 1.0, 0.01, points={"O": (0, 0)}),
    ]
    joints = [
        Revolute("A", "ground.A", "crank.start"),
        Revolute("B", "crank.end", "coupler.start"),
        Revolute("C", "ground.C", "guide.O"),
        PointOnLine("block", "guide.O", "coupler.end"),
    ]
    drives = [
        AngleDrive("crank drive", "ground.A", "crank.start", q1),
        AngleDrive("guide drive", "ground.C", "guide.O", psi),
    ]
    start = {
        "crank": Placement((0, 0), np.pi / 3),
        "coupler": Placement((0.05, 0.0866), 0.8),
        "guide": Placement(C, np.radians(110)),
    }
    return System(bodies, joints, drives, ground={"A": (0, 0), "C": C}, start=start)


__all__ = ["BodyFrame", "PositionDrive", "four_bar", "slider_crank", "two_freedom_linkage"]

"""Links and mechanisms that several tests share."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

import flexframe as ff
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.supports import NodeSelection
from flexframe.model.system import System
from flexframe.multibody.links.link import MarkerLoad

ROD_STEEL = ff.Material(young=2e11, poisson=0.3, density=7870)
BAR_ALUMINIUM = ff.Material(young=71e9, poisson=0.33, density=2710)
PINNED = (ff.Pin("start"), ff.supports.Roller("end", (0, 1, 0)))
TURN = 2 * np.pi / 150


def pinned_beam(divisions=10, *, theory="euler_bernoulli", rotary_inertia=0.0, length=1.0, **extra):
    """A steel beam of 20 mm by 30 mm, pinned at its start, on a roller at its end."""
    return ff.Body.beam(
        "lever",
        length=length,
        divisions=divisions,
        section=ff.Rectangle(0.02, 0.03),
        material=ff.STEEL,
        theory=theory,
        rotary_inertia=rotary_inertia,
        supports=PINNED,
        **extra,
    )


def slider_crank(*, supports=(), divisions=8, theory="timoshenko", loads=(), slider=0.075552):
    """Rigid crank at 150 rad/s, elastic rod of 8 mm by 8 mm, rigid slider."""
    rod = ff.Body.beam(
        "rod",
        length=0.3,
        divisions=divisions,
        section=ff.Rectangle(0.008, 0.008),
        material=ROD_STEEL,
        theory=theory,
        supports=supports,
    )
    bodies = [
        RigidBody("crank", 0.36, 0.002727, (0.075, 0, 0), {"A": (0, 0), "B": (0.15, 0)}),
        rod,
        RigidBody("slider", slider, 1e-5, points={"C": (0, 0)}),
    ]
    return System(
        bodies,
        [
            Revolute("A", "ground.A", "crank.A"),
            Revolute("B", "crank.B", "rod.start"),
            Revolute("C", "rod.end", "slider.C"),
            Prismatic("guide", "ground.A", "slider.C"),
        ],
        [AngleDrive("motor", "ground.A", "crank.A", "150*t")],
        loads,
        ground={"A": (0, 0)},
        start={"rod": Placement((0.15, 0), -0.1), "slider": Placement((0.45, 0))},
    )


def elastic_four_bar(divisions, *, law="t", above=True, theory="timoshenko"):
    """Aluminium bars with 42 g at both moving pins; the motor clamps the crank at its root."""
    sizes = {
        "crank": (0.108, 1.0774e-4, 1.6194e-10),
        "coupler": (0.2794, 4.0645e-5, 8.674e-12),
        "follower": (0.2705, 4.0645e-5, 8.674e-12),
    }
    bodies = []
    for name, (length, area, inertia) in sizes.items():
        bar = ff.Body.beam(
            name,
            length=length,
            divisions=divisions,
            section=ff.sections.GeneralSection(area, inertia, inertia, 2 * inertia),
            material=BAR_ALUMINIUM,
            theory=theory,
        )
        bodies.append(bar if name == "follower" else replace(bar, point_masses=(ff.PointMass("end", 0.042),)))
    side = 1.0 if above else -1.0
    return System(
        bodies,
        [
            Revolute("A", "ground.A", "crank.start"),
            Revolute("B", "crank.end", "coupler.start"),
            Revolute("C", "coupler.end", "follower.end"),
            Revolute("D", "ground.D", "follower.start"),
        ],
        [AngleDrive("motor", "ground.A", "crank.start", law)],
        ground={"A": (0, 0), "D": (0.254, 0)},
        start={"coupler": Placement((0.108, 0), side), "follower": Placement((0.254, 0), 1.4 * side)},
    )


def marker_load(
    body: ff.Body, on: NodeSelection, times: ArrayLike, *, force: ArrayLike, moment: ArrayLike = (0.0, 0.0, 0.0)
) -> MarkerLoad:
    """A load at nodes of a body from vectors in body axes, each constant (3,) or over time (T, 3)."""
    shape = (len(np.asarray(times)), 3)
    vectors = (np.broadcast_to(np.asarray(v, dtype=float), shape).copy() for v in (force, moment))
    nodes = body.selected_nodes(on)
    return MarkerLoad(str(on), f"{body.name}.{on}", body.mesh.points[nodes].mean(axis=0), nodes, *vectors)

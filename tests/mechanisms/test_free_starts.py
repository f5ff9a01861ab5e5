"""A load that hangs on a moving trolley: whether it moves along is said."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.model.rigid_body import Placement

SPEED, ROPE = 1.5, 2.0


def crane(velocity=(0.0, 0.0, 0.0), law=f"{SPEED}*t") -> ff.System:
    trolley = ff.RigidBody("trolley", mass=10.0, inertia=1.0)
    load = ff.RigidBody("load", mass=5.0, inertia=0.01, points={"top": (0.0, ROPE, 0.0)})
    return ff.System(
        [trolley, load],
        [
            ff.Prismatic("rail", "ground", "trolley", axis=(1.0, 0.0, 0.0)),
            ff.Revolute("hook", "trolley", "load.top"),
        ],
        [ff.PositionDrive("push", "ground", "trolley", law)],
        [ff.SystemGravity()],
        start={"load": Placement((0.0, -ROPE, 0.0), velocity=velocity)},
    )


def told(record) -> list[str]:
    return [notice for notice in record.notices if "moving along" in notice]


@pytest.mark.parametrize("coupled", [False, True])
def test_a_load_without_a_velocity_is_told_with_how_much_it_stays_behind(coupled: bool) -> None:
    system, times = crane(), np.linspace(0.0, 0.1, 3)
    record = ff.simulate(system, duration=0.1, step=0.01) if coupled else ff.rigid_motion(system, times)
    (notice,) = told(record)
    behind = SPEED - record.motion.body("load").velocities[0, 0]  # the origin of the load is its mass centre
    assert behind > 0.1
    assert "load is free to move on trolley" in notice
    assert float(notice.split("starts ")[1].split(" m/s")[0]) == pytest.approx(behind, rel=1e-3)  # four digits


def test_one_that_moves_along_or_on_a_trolley_at_rest_is_not() -> None:
    times = np.linspace(0.0, 0.1, 3)
    assert told(ff.rigid_motion(crane((SPEED, 0.0, 0.0)), times)) == []
    assert told(ff.rigid_motion(crane(law="t^2"), times)) == []


def test_bodies_whose_motion_is_driven_are_not() -> None:
    """The rod of a driven slider-crank moves against its crank as it must."""
    crank = ff.RigidBody.rod("crank", length=0.1, mass=1.0)
    rod = ff.RigidBody.rod("rod", length=0.3, mass=1.0)
    slider = ff.RigidBody("slider", mass=1.0, inertia=1.0)
    system = ff.System(
        [crank, rod, slider],
        [
            ff.Revolute("A", "ground", "crank"),
            ff.Revolute("B", "crank.end", "rod"),
            ff.Revolute("C", "rod.end", "slider"),
            ff.Prismatic("guide", "ground", "slider", axis=(1.0, 0.0, 0.0)),
        ],
        [ff.AngleDrive("motor", "ground", "crank", "10*t")],
        start={"rod": Placement((0.1, 0.0, 0.0)), "slider": Placement((0.4, 0.0, 0.0))},
    )
    assert told(ff.rigid_motion(system, np.linspace(0.0, 0.1, 5))) == []

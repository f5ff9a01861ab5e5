"""A rolling contact that is asked to pull is told with its time."""

import numpy as np
import pytest

from flexframe.analyses.rigid_motion.analysis import rigid_motion
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Rolling
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity

MASS, RADIUS, ECCENTRIC, GRAVITY = 2.0, 0.3, 0.05, 9.81


def wheel(speed: float) -> System:
    """A wheel with its centre of mass beside the hub, driven at a steady speed over the floor."""
    body = RigidBody(
        "wheel", MASS, np.diag([0.05, 0.05, 0.1]), np.array([ECCENTRIC, 0, 0]), {"hub": (0.0, 0.0, 0.0)}
    )
    return System(
        [body],
        [Rolling("floor", "ground", "wheel.hub", RADIUS)],
        [AngleDrive("motor", "ground", "wheel", f"{speed}*t")],
        loads=[SystemGravity()],
        start={"wheel": Placement(np.array([0.0, RADIUS, 0.0]))},
    )


@pytest.mark.parametrize("speed", [13.0, 20.0])
def test_an_eccentric_wheel_lifts_off(speed: float) -> None:
    """N = m(g − eω² sin ωt): negative from sin ωt = g/(eω²) on, if at all; the least is m(g − eω²)."""
    times = np.linspace(0.0, 2 * np.pi / speed, 4001)
    found = rigid_motion(wheel(speed), times)
    told = [notice for notice in found.notices if "pulls" in notice]
    ratio = GRAVITY / (ECCENTRIC * speed**2)
    if ratio > 1:
        assert not told
        return
    (notice,) = told
    first = times[np.flatnonzero(np.sin(speed * times) > ratio)[0]]
    assert f"floor pulls from t = {first:.6g} s" in notice
    assert f"{MASS * (ECCENTRIC * speed**2 - GRAVITY):.4g} N" in notice

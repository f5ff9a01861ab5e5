"""Peaks over the divisions of steps: of joints, drives and sensors those of the contact that causes them."""

import numpy as np
import pytest
from tests.contact.systems import HERTZ, MASS, RADIUS
from tests.rounding import rounding

from flexframe.analyses.simulate import simulate
from flexframe.model.contacts import NormalLaw, SpherePlane
from flexframe.model.joints import Prismatic
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.results.peaks import Extremes
from flexframe.sensors.kinds import JointSensor


@pytest.mark.parametrize("step", [5e-3, 1e-3, 1e-5])
def test_peak_of_a_joint_is_that_of_the_contact(step: float) -> None:
    """A ball guided along y on a plane with the normal (sin α, cos α): the guide bears N sin α at any time."""
    slope = np.radians(30)
    law = NormalLaw("restitution", HERTZ, restitution=0.5)
    plane = SpherePlane(
        name="plane",
        first="ground",
        second="ball",
        radius=RADIUS,
        normal=(np.sin(slope), np.cos(slope), 0.0),
        law=law,
    )
    system = System(
        [RigidBody("ball", MASS, 1e-4)],
        [Prismatic("guide", "ground", "ball", axis=(0.0, 1.0, 0.0))],
        contacts=[plane],
        start={"ball": Placement((0.0, 0.02), velocity=(0.0, -1.0))},
    )
    found = simulate(
        system, duration=0.02, samples=3, step=step, sensors={"guide": JointSensor("joint_force", "guide")}
    )
    peak = found.contacts["plane"].peak
    assert peak > 1000
    force = found.force_peaks["guide"][0]
    # constraint forces follow in the same equations, solved to rounding and the iteration
    assert force.largest == pytest.approx(peak * np.sin(slope), rel=1e-6)
    assert force.largest_at == pytest.approx(found.contacts["plane"].peak_at, rel=1e-6)
    seen = found.sensors["guide"].peaks[0]
    assert max(-seen.least, seen.largest) == pytest.approx(peak * np.sin(slope), rel=1e-6)
    assert found.figures.steps >= 40  # divisions are counted


def test_peak_between_three_instants_is_that_of_a_parabola() -> None:
    times = np.array([0.0, 0.1, 0.25, 0.4, 0.5])
    values = np.stack([3.0 - 0.2 * (times - 0.22) ** 2, -5.0 + 0.3 * (times - 0.31) ** 2], axis=1)
    whole, parts = Extremes(), Extremes()
    whole.take_in_order(times, values)
    for k in range(len(times)):
        parts.take_in_order(times[k : k + 1], values[k : k + 1])
        parts = Extremes.from_array(parts.array())
    for found in (whole, parts):
        first, second = found.peaks()
        assert (first.largest, first.largest_at) == pytest.approx((3.0, 0.22), rel=rounding(1e3))
        assert (second.least, second.least_at) == pytest.approx((-5.0, 0.31), rel=rounding(1e3))


def test_what_jumps_is_not_overestimated() -> None:
    found = Extremes()
    found.take_in_order(np.array([0.0, 1.0, 2.0, 3.0]), np.array([[1.0], [1.0001], [0.0], [0.0]]))
    (peaks,) = found.peaks()
    assert peaks.largest == 1.0001
    assert peaks.least == 0.0

"""Shapes that touch are drawn where they are."""

from pathlib import Path

import numpy as np
import pytest
from tests.rounding import rounding

from flexframe.analyses.transient.coupled_presentation import deforming_scene
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.analyses.transient.force_arrows import contact_arrows, following_arrows
from flexframe.cases.case import load_case
from flexframe.presentation.mechanism_shapes import contact_parts

EXAMPLES = Path(__file__).parents[2] / "examples"


def drawn(name: str, analysis: str, *overrides: str) -> list[tuple[str, np.ndarray]]:
    case = load_case(EXAMPLES / f"{name}.yaml", overrides)
    record = case.analyses[analysis].run(case)
    assert isinstance(record, CoupledMotion)
    return [(body, part.nodes) for body, part in contact_parts(record.motion, 1.0, {})]


def test_ball_and_floor() -> None:
    """A circle of the radius of the ball about its centre, and a line along the floor."""
    (ground, plane), (ball, circle) = drawn("bouncing_ball", "bounces", "analyses.bounces.duration=0.1 s")
    assert (ground, ball) == ("ground", "ball")
    np.testing.assert_allclose(plane[:, 1], 0.0, atol=rounding(10))
    np.testing.assert_allclose(np.linalg.norm(circle, axis=1), 0.02, rtol=rounding(10))


def test_cam_and_roller() -> None:
    """The spline through 48 points of a circle, 4 mm beside the axis, is it to (2π/48)⁴/384 of the radius."""
    fast = "analyses.run_up.duration=1 ms"
    (cam, profile), (valve, roller) = drawn("cam_valve", "run_up", fast)
    assert (cam, valve) == ("cam", "valve")
    off = np.linalg.norm(profile - np.array([4e-3, 0.0, 0.0]), axis=1) - 0.03
    # points of the case have six decimals of a millimetre
    assert np.abs(off).max() < (2 * np.pi / 48) ** 4 / 384 * 0.03 * 2 + 1e-9
    assert np.linalg.norm(roller, axis=1) == pytest.approx(0.01, rel=rounding(10))


def test_forces_of_contacts_and_of_loads_that_follow_the_state_are_arrows() -> None:
    """Those of the record: the cam pushes the roller, a formula of the height the valve."""
    case = load_case(
        EXAMPLES / "cam_valve.yaml", ("analyses.run_up.duration=20 ms", "analyses.run_up.samples=201")
    )
    record = case.analyses["run_up"].run(case)
    assert isinstance(record, CoupledMotion)
    instants = np.array([50, 100, 200])
    (arrow,) = contact_arrows(record, instants)
    assert arrow.label == "cam"
    sizes = np.linalg.norm(arrow.vectors, axis=1)
    np.testing.assert_allclose(sizes, record.contacts["cam"].normal[instants], rtol=rounding(100))
    # no friction: from the centre of the cam, 30 mm below, through the point of contact
    centre = record.motion.marker("cam.centre")[0][instants]
    np.testing.assert_allclose(np.linalg.norm(arrow.origins - centre, axis=1), 0.03, atol=1e-5)  # the depth
    assert "contacts" in deforming_scene("scene", record).caption
    short = ("analyses.stroke.duration=20 ms", "events.touch.when=t - 0.01", "controllers.forming.switch=1")
    press = load_case(EXAMPLES / "press.yaml", short)
    found = press.analyses["stroke"].run(press)
    assert isinstance(found, CoupledMotion)
    (push,) = following_arrows(found, instants[:2])
    np.testing.assert_allclose(push.vectors[:, 1], found.sensors["workpiece"].values[instants[:2]].ravel())

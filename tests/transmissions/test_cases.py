"""Transmissions in case files, and by all formalisms."""

import textwrap
from pathlib import Path

import numpy as np
import pytest

from flexframe.analyses.crosscheck.system_analysis import crosscheck_system
from flexframe.cases.case import Case, parse_case
from flexframe.entries.problems import CaseError
from flexframe.model.transmissions.followers import Cam, ProfilePoints
from flexframe.model.transmissions.gears import Gear
from flexframe.multibody.kinematics import follow
from flexframe.multibody.mechanism import mechanism

BODIES = """\
ground: {A: [0, 0], B: [0.3, 0]}
parameters: {lift: 12 mm}
bodies:
  a: {mass: 1 kg, inertia: 0.02 kg m^2}
  b: {mass: 2 kg, inertia: 0.3 kg m^2}
analyses: {m: {kind: kinematics, duration: 1 s}}
"""


def parse(text: str, folder: Path) -> Case:
    return parse_case(textwrap.dedent(text), file="case.yaml", folder=folder)


def geared(gear: str, folder: Path) -> Case:
    joints = f"""\
joints:
  A: {{revolute: [ground.A, a]}}
  B: {{revolute: [ground.B, b]}}
  g: {gear}
drives: {{motor: {{angle: 3*t, joint: A}}}}
start: {{b: {{position: [0.3, 0]}}}}
"""
    return parse(BODIES + joints, folder)


def test_a_gear_of_a_case(tmp_path: Path) -> None:
    full = (
        "{gear: [a, b], teeth: [20, 50], internal: true, stiffness: 2 kN m, backlash: 0.1 deg, damping: 3 N m s}"
    )
    (*_, gear) = geared(full, tmp_path).system().joints
    assert gear == Gear(
        "g", "a", "b", teeth=(20.0, 50.0), internal=True, stiffness=2e3, backlash=np.radians(0.1), damping=3.0
    )
    motion = follow(mechanism(geared("{gear: [a, b], ratio: 2.5}", tmp_path).system()), [0.0, 1.0])
    np.testing.assert_allclose(motion.body("b").angles, [0.0, -1.2], atol=1e-12)
    with pytest.raises(CaseError, match=r"joints\.g\.teeth"):
        geared("{gear: [a, b], teeth: [20]}", tmp_path)


@pytest.mark.parametrize("way", ["formula", "points", "file"])
def test_the_profile_of_a_cam(way: str, tmp_path: Path) -> None:
    """A rocker that turns by lift/2 (1 − cos θ), to the error of a spline through points every 10 degrees."""
    angles = np.linspace(0.0, 360.0, 37)
    values = 0.006 * (1 - np.cos(np.radians(angles)))
    (tmp_path / "cam.csv").write_text(
        "angle,lift\n" + "\n".join(f"{a:.17g},{1e3 * v:.17g}" for a, v in zip(angles, values, strict=True))
    )
    points = ", ".join(f"[{a:.17g} deg, {v:.17g}]" for a, v in zip(angles, values, strict=True))
    profile = {
        "formula": '"lift/2*(1 - cos(angle))"',
        "points": f"{{points: [{points}]}}",
        "file": "{samples: cam.csv, column: lift, angle_unit: deg, scale: 1 mm}",
    }[way]
    system = geared(f"{{cam: [a, b], profile: {profile}, of: rotation}}", tmp_path).system()
    (*_, cam) = system.joints
    assert isinstance(cam, Cam) and isinstance(cam.profile, ProfilePoints) is (way != "formula")
    times = np.linspace(0.0, 9.0, 50)
    motion = follow(mechanism(system), times)
    np.testing.assert_allclose(motion.body("b").angles, 0.006 * (1 - np.cos(3 * times)), atol=1e-8)


def test_all_formalisms_agree_on_gears_and_cams(tmp_path: Path) -> None:
    """At random states, to rounding of some thousand operations; elastic teeth are applied forces there."""
    text = """\
joints:
  A: {revolute: [ground.A, a]}
  B: {revolute: [ground.B, b]}
  C: {prismatic: [ground.A, c], axis: [0, 1]}
  g: {gear: [a, b], ratio: 2.5}
  lobe: {cam: [b, c], profile: "0.02*sin(angle)^2 + 0.01*angle", direction: [0, 1]}
start: {b: {position: [0.3, 0]}}
"""
    system = parse(
        BODIES.replace("analyses", "  c: {mass: 0.5 kg, inertia: 0.01 kg m^2}\nanalyses") + text, tmp_path
    )
    found = crosscheck_system(system.system())
    assert found.agrees

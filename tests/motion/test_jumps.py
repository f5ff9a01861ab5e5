"""Drives whose position or speed jumps: found wherever it is between instants; no smooth law is taken for one."""

from pathlib import Path

import numpy as np
import pytest

from flexframe.cases.case import load_case
from flexframe.cases.checking import check_case
from flexframe.errors import FlexframeError
from flexframe.maths.formula import Formula
from flexframe.multibody.laws import law_jump

TIMES = np.array([0.0, 5.0])
FINEST = 5.0 / 8192 / 2**20  # to which the time of a jump is known

CASE = """
space: planar
bodies:
  a: {{mass: 1, inertia: [1, 1, 1]}}
joints:
  A: {{revolute: [ground, a]}}
drives:
  motor: {{angle: "{law}", joint: A}}
analyses:
  motion: {{kind: {kind}, duration: 5 s{more}}}
"""


@pytest.mark.parametrize(
    ("law", "order", "time", "size"),
    [
        ("mod(3*t, 2*pi)", 0, 2 * np.pi / 3, 2 * np.pi),
        ("0.1*step(t - sqrt(2))", 0, np.sqrt(2), 0.1),
        ("max(0, t - 1.2345)", 1, 1.2345, 1.0),
        ("abs(sin(t + 1))", 1, np.pi - 1, 2.0),
    ],
)
def test_jumps_are_found(law: str, order: int, time: float, size: float) -> None:
    found = law_jump(Formula.parse(law), TIMES, order)
    assert found is not None
    assert found[0] == pytest.approx(time, abs=2 * FINEST)
    assert found[1] == pytest.approx(size, rel=1e-6)  # slopes over the last interval


@pytest.mark.parametrize(
    "law", ["3*t", "0", "sin(300*t)", "exp(t)", "0.1*tanh(1e5*(t - 1.2345))", "1/(1 + (1e4*(t - 2.1))^2)"]
)
def test_smooth_laws_do_not_jump(law: str) -> None:
    assert law_jump(Formula.parse(law), TIMES, 0) is None
    assert law_jump(Formula.parse(law), TIMES, 1) is None


@pytest.mark.parametrize("duration", [1e-3, 1e-5, 1e-7])
def test_rounding_is_no_jump(duration: float) -> None:
    """The usual spin-up begins with t⁴, as a difference of numbers that are 1e6 to 1e22 times as large."""
    law = Formula.parse("4/15*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1))")
    assert law_jump(law, np.array([0.0, duration]), 0) is None
    assert law_jump(law, np.array([0.0, duration]), 1) is None


def test_a_kink_is_no_jump_of_the_position() -> None:
    assert law_jump(Formula.parse("max(0, t - 1.2345)"), TIMES, 0) is None


def made(tmp_path: Path, law: str, kind: str) -> Path:
    path = tmp_path / "case.yaml"
    more = ", step: 1 ms" if kind == "transient" else ""
    path.write_text(CASE.format(law=law, kind=kind, more=more), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["transient", "kinematics", "joint_forces"])
def test_positions_that_jump_are_refused_before_the_run(kind: str, tmp_path: Path) -> None:
    with pytest.raises(FlexframeError) as error:
        check_case(load_case(made(tmp_path, "mod(3*t, 2*pi)", kind)))
    said = str(error.value)
    assert "drives.motor: the position of drive motor jumps by 6.283 at t = 2.0944 s" in said
    assert "angles count through all turns: leave mod out" in said
    with pytest.raises(FlexframeError, match="let a trajectory lead") as error:
        check_case(load_case(made(tmp_path, "0.1*step(t - 2)", kind)))
    assert "turns" not in str(error.value)


def test_speeds_that_jump_are_said(tmp_path: Path) -> None:
    case = load_case(made(tmp_path, "max(0, t - 1)", "transient"))
    (said,) = case.analyses["motion"].doubts(case.system())
    assert "speed of drive motor jumps by 1 at t = 1 s" in said
    case = load_case(made(tmp_path, "3*t", "transient"))
    assert not list(case.analyses["motion"].doubts(case.system()))

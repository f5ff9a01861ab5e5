"""Motions of a case against differentiation by hand."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.cases.sample_cases import PLATE
from tests.rounding import ROUNDING

from flexframe.cases.case import Case
from flexframe.entries.recordings import Sampled
from flexframe.errors import InputError
from flexframe.motion.frame import FrameMotion

Parse = Callable[..., Case]
Problems = Callable[..., list[str]]


def motion_of(parse: Parse, motion: str, time: float = 0.0) -> FrameMotion:
    return parse(PLATE, f"bodies.plate.motion={motion}").frozen(None, None, time).motion


def test_spin(parse: Parse) -> None:
    """200 turns per second about an axis that is made a unit vector."""
    motion = motion_of(parse, "{spin: 200 Hz, axis: [0, 3, 4]}")
    assert motion.angular_velocity == pytest.approx(400 * np.pi * np.array([0, 0.6, 0.8]), rel=ROUNDING)
    assert not motion.angular_acceleration.any()


def test_components(parse: Parse) -> None:
    """All four vectors, with units."""
    motion = motion_of(
        parse,
        "{angular_velocity: [0, 0, 60 rpm], angular_acceleration: [1, 2, 3], origin_velocity: [1 km/h, 0],"
        " origin_acceleration: [0, 9.81]}",
    )
    assert motion.angular_velocity == pytest.approx([0, 0, 2 * np.pi], rel=ROUNDING)
    assert motion.angular_acceleration.tolist() == [1, 2, 3]
    assert motion.origin_velocity == pytest.approx([1 / 3.6, 0, 0], rel=ROUNDING)
    assert motion.origin_acceleration.tolist() == [0, 9.81, 0]


def test_formulas(parse: Parse) -> None:
    """θ = 3t + t², path (cos 2t, sin 2t): ω = 3 + 2t, ε = 2, a = −4 r turned into body axes; round-off 1e-14."""
    t = 0.7
    motion = motion_of(parse, '{angle: "3*t + t^2", path: ["cos(2*t)", "sin(2*t)"]}', t)
    theta = 3 * t + t**2
    assert motion.angular_velocity == pytest.approx([0, 0, 3 + 2 * t], rel=ROUNDING)
    assert motion.angular_acceleration == pytest.approx([0, 0, 2], rel=ROUNDING)
    expected = -4 * np.array([np.cos(2 * t - theta), np.sin(2 * t - theta), 0])
    assert motion.origin_acceleration == pytest.approx(expected, abs=ROUNDING)


def test_two_rotations(parse: Parse) -> None:
    """A precession Ω about z that carries a spin s about x: ε = Ω × s, at t = 0 (0, Ωs, 0)."""
    motion = motion_of(parse, '{rotations: [{angle: "2*t"}, {angle: "5*t", axis: [1, 0, 0]}]}')
    assert motion.angular_velocity == pytest.approx([5, 0, 2], rel=ROUNDING)
    assert motion.angular_acceleration == pytest.approx([0, 10, 0], abs=1e-13)


def test_record(parse: Parse, tmp_path: Path) -> None:
    """A sampled sine: the quintic spline's second derivative errs by about (ωh)⁴ (here 1e-6 of the peak)."""
    t = np.linspace(0, 1, 201)
    rows = [f"{a};{np.sin(6 * a)};{0.1 * np.cos(6 * a)}" for a in t]
    (tmp_path / "record.csv").write_text("time;theta;x\n" + "\n".join(rows) + "\n\n", encoding="utf-8")
    motion = motion_of(parse, "{samples: record.csv, time: time, angle: theta, x: x}", 0.503)
    assert motion.angular_velocity[2] == pytest.approx(6 * np.cos(6 * 0.503), abs=6e-6)
    assert motion.angular_acceleration[2] == pytest.approx(-36 * np.sin(6 * 0.503), abs=36e-6)
    assert np.linalg.norm(motion.origin_acceleration) == pytest.approx(3.6 * abs(np.cos(6 * 0.503)), abs=1e-4)


def test_motion_of_an_analysis_goes_before_that_of_the_body(parse: Parse) -> None:
    """The body spins at 5 rad/s, the analysis rests."""
    case = parse(PLATE, "bodies.plate.motion={spin: 5}", "analyses.vibration.motion=rest")
    entry = case.analyses["vibration"]
    assert case.frozen(None, entry.motion, 0.0).motion.at_rest  # type: ignore[attr-defined]
    assert case.frozen(None, None, 0.0).motion.speed == 5


@pytest.mark.parametrize(
    ("motion", "expected"),
    [
        ("{spin: 3, angle: t}", "spin and angle are given together"),
        ('{angle: "t +"}', "bodies.plate.motion.angle: "),
        ('{angle: "__import__(1)"}', "bodies.plate.motion.angle: "),
        ("{angle: true}", "bodies.plate.motion.angle: true is not a formula"),
        ('{path: ["t"]}', "bodies.plate.motion.path: has too few entries"),
        ('{path: ["t", "0"], axis: [0, 0, 1]}', "axis is given without an angle"),
        ('{angle: t, rotations: [{angle: "t"}]}', "angle and rotations are given together"),
        ("{spin: fast}", "bodies.plate.motion.spin: 'fast' is not an angular velocity"),
        ("still", "bodies.plate.motion: 'still' is not a motion; give 'rest' or one of spin"),
        ("{angular_velocity: [1, 2]}", "bodies.plate.motion.angular_velocity: has too few entries; give 3"),
        ("{samples: none.csv, angle: a}", "bodies.plate.motion.samples: none.csv: there is no such file"),
        ("{samples: bad.csv, time: t, angle: b}", "has no column 'b'; it has t, a"),
        ("{samples: bad.csv, time: t, angle: a}", "bad.csv:3"),
        ("{samples: few.csv, time: t, angle: a}", "there are 2 samples; give at least 6"),
        ("{samples: bad.csv}", "no column moves the body"),
    ],
)
def test_motions_that_are_none(problems: Problems, tmp_path: Path, motion: str, expected: str) -> None:
    """Each with its field and the way out."""
    (tmp_path / "bad.csv").write_text("t,a\n0,1\n1,x\n", encoding="utf-8")
    (tmp_path / "few.csv").write_text("t,a\n0,1\n1,2\n", encoding="utf-8")
    found = problems(PLATE, f"bodies.plate.motion={motion}")
    assert expected in found[0]


def test_samples_that_do_not_increase_or_end() -> None:
    """Unsorted times, numbers that are not finite, and instants outside the record."""
    t = np.arange(8.0)
    with pytest.raises(InputError, match="does not increase at data row 4"):
        Sampled(np.array([0, 1, 2, 2, 3, 4, 5, 6.0]), t)
    with pytest.raises(InputError, match="not a finite number"):
        Sampled(t, np.where(t == 3, np.nan, t))
    with pytest.raises(InputError, match="outside the record, 0 to 7 s"):
        Sampled(t, t).jet(7.5)

"""Events that fall on samples, and starts at which a formula has no value or shapes overlap."""

from pathlib import Path

import numpy as np
import pytest

from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.cases.case import load_case
from flexframe.errors import InputError

BALL = """
bodies:
  ball: {mass: 0.5 kg, inertia: 1e-3, points: {C: [0, 0]}}
start:
  ball: {position: [0, HEIGHT], velocity: [0.2, -0.5]}
loads:
  weight: {gravity: [0, -9.81]}
contacts:
  floor: {sphere_plane: [ground, ball.C], radius: 0.02, normal: [0, 1], law: {impulsive: 0.8}}
sensors:
  height: {position: ball.C, along: [0, 1]}
MORE
analyses:
  fall: {kind: transient, duration: 0.02, step: 0.5 ms, samples: 41}
"""


def fall(folder: Path, height: str, more: str) -> CoupledMotion:
    file = folder / "ball.yaml"
    file.write_text(BALL.replace("HEIGHT", height).replace("MORE", more), encoding="utf-8")
    case = load_case(file)
    record = case.analyses["fall"].run(case)
    assert isinstance(record, CoupledMotion)
    return record


@pytest.mark.parametrize("instant", ["0.004", "0.0042", "0.02"], ids=["at a sample", "between", "at the last"])
def test_an_event_leaves_every_sample_where_it_is(tmp_path: Path, instant: str) -> None:
    """y = h − v t − g t²/2 at all 41 samples; parabolas are followed exactly but for rounding of some 40 steps."""
    found = fall(tmp_path, "1.0", f"events: {{now: {{when: t - {instant}}}}}")
    np.testing.assert_allclose(found.times, np.linspace(0.0, 0.02, 41), rtol=0, atol=1e-15)
    t = found.times
    np.testing.assert_allclose(found.sensors["height"].values, 1 - 0.5 * t - 9.81 * t**2 / 2, rtol=0, atol=1e-12)
    assert [event.time for event in found.events] == pytest.approx([float(instant)], abs=1e-12)


def test_a_motion_that_an_event_ends_at_a_sample_has_it_once(tmp_path: Path) -> None:
    found = fall(tmp_path, "1.0", "events: {now: {when: t - 0.004, stop: true}}")
    np.testing.assert_allclose(found.times, np.linspace(0.0, 0.004, 9), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("height", "more", "part", "message"),
    [
        ("0.01", "", ("contacts", "floor"), r"shapes of floor overlap by 0\.01 m at the start"),
        (
            "1.0",
            "controllers: {gap: {gain: 1/t, factor: 1}}",
            ("controllers", "gap"),
            "gap is infinite at the start",
        ),
        ("1.0", "events: {late: {when: sqrt(t - 0.004)}}", ("events", "late"), "late is no number at the start"),
    ],
)
def test_a_start_that_has_no_meaning_is_refused_where_it_stands(
    tmp_path: Path, height: str, more: str, part: tuple[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message) as refused:
        fall(tmp_path, height, more)
    assert refused.value.part == part

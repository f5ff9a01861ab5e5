"""Events are marked in the curves of a motion."""

from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from tests.rounding import rounding

from flexframe.analyses.transient.coupled_presentation import CHARACTERS, MOST_LINES, event_lines
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.cases.case import load_case
from flexframe.multibody.contract import Occurrence
from flexframe.presentation.blocks import Plot, VerticalLine
from flexframe.presentation.figures import draw

EXAMPLES = Path(__file__).parents[2] / "examples"
G, RESTITUTION = 9.81, 0.8


def bounces(*overrides: str) -> CoupledMotion:
    case = load_case(EXAMPLES / "bouncing_ball.yaml", overrides)
    record = case.analyses["bounces"].run(case)
    assert isinstance(record, CoupledMotion)
    return record


def marks(end: float) -> list[float]:
    """Impacts and highest points of the ball in closed form, in order, up to a time."""
    half, found = np.sqrt(2 / G), []
    time = half
    while time < end:
        half *= RESTITUTION
        found += [time, time + half]
        time += 2 * half
    return [time for time in found if time < end]


def test_lines_are_where_something_happened() -> None:
    """Of an impact of a ball and of its highest points, in closed form, in every plot over time."""
    record = bounces()
    plots = [block for block in record.presentation().blocks("a") if isinstance(block, Plot)]
    over_time = [plot for plot in plots if plot.x.label == "time"]
    assert len(over_time) >= 4
    for plot in over_time:
        lines = [line for line in plot.reference_lines if isinstance(line, VerticalLine)]
        np.testing.assert_allclose([line.x for line in lines], marks(2.8), rtol=rounding(1e4))
        assert [line.label for line in lines[:4]] == ["floor", "top", "floor", "top"]
        assert "Lines mark" not in str(plot.caption)  # all are there


def test_many_events_are_thinned_and_counted() -> None:
    """A line for a fortieth of the time at most, names with room beside each other, and the last one of all."""
    events = [Occurrence("impact", 0, 1e-3 * k) for k in range(1, 1000)] + [
        Occurrence("end", 1, 0.9999, ends=True)
    ]
    lines = event_lines(events, 1.0)
    times = np.array([line.x for line in lines])
    assert len(lines) <= MOST_LINES + 1 and np.diff(times).min() >= 1 / MOST_LINES - rounding(10)
    assert times[0] == 1e-3 and times[-1] == 0.9999
    named = [line for line in lines if line.label]
    for one, other in pairwise(named):
        assert other.x - one.x >= (len(one.label) + 2) / CHARACTERS - rounding(10)
    record = bounces("analyses.bounces.duration=4 s", "contacts.floor.law.least_speed=1e-6 m/s")
    plots = [block for block in record.presentation().blocks("a") if isinstance(block, Plot)]
    plots = [plot for plot in plots if plot.x.label == "time"]
    drawn = len(plots[0].reference_lines)
    assert drawn < len(record.events)
    assert all(f"Lines mark {drawn} of {len(record.events)} events." in str(plot.caption) for plot in plots)


def test_names_do_not_cover_each_other() -> None:
    """In matplotlib they stand along their lines, where there is room."""
    with mpl.rc_context({"backend": "Agg"}):
        from matplotlib import pyplot

        axes = draw(bounces().presentation().figure())
        assert isinstance(axes, list)
        figure = axes[0].figure
        figure.canvas.draw()
        for each in axes:
            boxes = sorted((text.get_window_extent() for text in each.texts), key=lambda box: box.x0)
            assert len(boxes) >= 8
            assert all(one.x1 <= other.x0 for one, other in pairwise(boxes))
        pyplot.close("all")


@pytest.mark.parametrize("way", [{"step": 5e-3}, {"step": None, "tolerance": 1e-8}])
def test_peaks_are_those_of_the_motion(way: dict[str, float | None]) -> None:
    """A step of an explicit method may end after the motion: what is there does not count.

    The ball is lowest at its first impact, and fastest after it; it would be as low again at 1.17 s.
    """
    case = load_case(EXAMPLES / "bouncing_ball.yaml")
    asked = {"duration": 1.1, "samples": 10, **way}
    record = case.analyses["bounces"].model_copy(update=asked).run(case)
    assert isinstance(record, CoupledMotion)
    impact = np.sqrt(2 / G)
    for name, low, high in (("centre", 0.02, 1.02), ("upwards", -G * impact, RESTITUTION * G * impact)):
        (peaks,) = record.sensors[name].peaks
        assert peaks.least == pytest.approx(low, abs=rounding(1e5))
        assert peaks.largest == pytest.approx(high, abs=rounding(1e5))
        assert peaks.least_at == pytest.approx(impact, abs=rounding(1e5))
        assert peaks.largest_at < 1.1

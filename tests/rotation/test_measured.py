"""Measured frequencies beside the branches of a Campbell diagram."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.errors import InputError
from flexframe.presentation.blocks import Plot, Table
from flexframe.results import MeasuredFrequencies


def diagram() -> ff.results.CampbellDiagram:
    blade = ff.Body.beam(
        "blade",
        length=1.0,
        divisions=6,
        section=ff.Rectangle(0.02, 0.01),
        material=ff.STEEL,
        space="spatial",
        supports=(ff.Clamp("start"),),
    )
    return ff.campbell_diagram(blade, np.linspace(0.0, 40.0, 5), modes=3, engine_orders=(1,))


def test_each_has_a_branch_of_its_own() -> None:
    """Two near one branch: the nearer one takes it. Between speeds branches are straight lines."""
    found = diagram()
    first, second, third = (found.frequencies_hz[:2].mean(axis=0)[np.argsort(found.frequencies_hz[0])]).tolist()
    assert second - first > 1.0
    shown = found.with_measured(
        [
            MeasuredFrequencies(5.0, (first * 1.001, first * 1.01)),
            MeasuredFrequencies(50.0, (third,)),  # beyond the speeds
        ]
    )
    points = shown.measured_points
    assert len(points) == 2
    assert points[0].computed_hz == pytest.approx(first, rel=1e-12)
    assert points[0].difference == pytest.approx(1 / 1.001 - 1, rel=1e-9)
    assert points[1].branch != points[0].branch
    assert shown.summary()["measured"][0]["measured_hz"] == first * 1.001
    tables = [table for table in shown.presentation().overview() if "Measured" in str(table.caption)]
    assert len(tables) == 1 and isinstance(tables[0], Table)
    assert "1 outside the speeds" in str(tables[0].caption)
    plots = [block for block in shown.presentation().blocks("c") if isinstance(block, Plot)]
    assert [series.name for series in plots[0].series][-1] == "measured"
    assert not found.measured_points and "measured" not in [s.name for s in _first_plot(found).series]


def _first_plot(found: ff.results.CampbellDiagram) -> Plot:
    return next(block for block in found.presentation().blocks("c") if isinstance(block, Plot))


@pytest.mark.parametrize("frequencies", [(), (0.0,), (-1.0,), (float("inf"),)])
def test_impossible_ones_are_refused(frequencies: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="not all above zero"):
        MeasuredFrequencies(1.0, frequencies)

"""Seconds of an analysis by phase: each counts once, and all of them are there."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from flexframe import phases
from flexframe.cases.case import parse_case
from flexframe.cases.run import run_case
from flexframe.phases import clock_time, phase

PLATE = """\
title: Plate of 1,600 unknowns, enough for sparse solvers
bodies:
  plate:
    mesh: {rectangle: {length: 0.4, height: 0.1, divisions: [40, 20]}}
    material: steel
    thickness: 5 mm
    supports: [{clamp: left}]
analyses:
  rest: {kind: modes, count: 3}
"""


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A clock that goes on by one second at every look."""
    ticks = count()
    monkeypatch.setattr(phases, "perf_counter", lambda: float(next(ticks)))
    yield


@phase("factors")
def _factors() -> None:
    pass


@phase("solves")
def _solves() -> None:
    _factors()


@phase("count")
def _count() -> None:
    _solves()


@pytest.mark.usefixtures("ticking")
def test_inner_phases_are_no_part_of_outer_ones() -> None:
    """Six looks, one second apart: other, solves, factors, solves again, other again."""
    with clock_time() as clock:
        _solves()
    assert clock.seconds == {"other": 2.0, "solves": 2.0, "factors": 1.0}


@pytest.mark.usefixtures("ticking")
def test_a_count_holds_its_own_factors() -> None:
    with clock_time() as clock:
        _count()
    assert clock.seconds == {"other": 2.0, "count": 1.0}


def test_work_without_a_clock_is_done_as_well() -> None:
    _count()


@pytest.mark.usefixtures("ticking")
def test_a_phase_that_fails_ends() -> None:
    @phase("labels")
    def _failing() -> None:
        raise ValueError

    with clock_time() as clock:
        with pytest.raises(ValueError):
            _failing()
        _factors()
    assert clock.seconds == {"other": 3.0, "labels": 1.0, "factors": 1.0}


def test_phases_of_an_analysis_add_up_to_its_time(tmp_path: Path) -> None:
    result = run_case(parse_case(PLATE, file="plate.yaml", folder=tmp_path))
    told = result.summary()["analyses"]["rest"]
    assert set(told["seconds_by_phase"]) >= {"other", "assembly", "factors", "solves", "count"}
    # a sum of at most eight terms in another order
    assert sum(told["seconds_by_phase"].values()) == pytest.approx(told["seconds"], rel=1e-14)

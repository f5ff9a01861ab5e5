"""Modes and harmonic response of whole systems in cases."""

from collections.abc import Callable

import pytest

import flexframe as ff
from flexframe.cases.case import Case
from flexframe.cases.checking import check_case
from flexframe.errors import InputError

CASE = """\
bodies:
  mast:
    mesh: {line: {length: 0.5 m, divisions: 4}}
    material: steel
    section: {rectangle: {width: 20 mm, height: 2 mm}}
    reduction: exact
joints:
  root: {fixed: [ground, mast.start]}
drives: {}
loads:
  push: {force: [0, 1], on: mast.end}
analyses:
  free:
    kind: modes
    count: 2
  shaken:
    kind: frequency_response
    frequencies: {end: 10 Hz, count: 3}
    loads:
      - {force: [0, 1 N], on: mast.end}
      - {load: push, amplitude: 0.1}
    sensors:
      tip: {position: mast.end}
"""


def test_cases_of_systems(parse: Callable[..., Case], problems: Callable[..., list[str]]) -> None:
    """Both run as analyses of the whole system, and refuse at `check` what belongs to one body."""
    case = parse(CASE)
    check_case(case)
    records = ff.run_case(case).records
    assert records["free"].summary()["labels"] == ["motion of mast", "motion of mast"]
    assert set(records["shaken"].summary()["sensors"]) == {"tip x", "tip y"}
    for old, new, words in (
        ("count: 2", "count: 2\n    drive: motor", "drive: names what turns the system; give its speed too"),
        ("count: 2", "terms: {coriolis: 0}", "terms.coriolis: cannot be changed in a system"),
        ("    sensors", "    modes: 3\n    sensors", "modes: belongs to the response of one body"),
        ("load: push", "load: pull", r"loads\[1\]: unknown part of the system 'loads.pull'"),
        ("position: mast.end", "position: mast.ent", "ent"),
    ):
        text = CASE.replace(old, new)
        try:
            case = parse(text)
        except InputError:
            assert any(words in line for line in problems(text))
        else:
            with pytest.raises(InputError, match=words.replace("'", ".")):
                check_case(case)

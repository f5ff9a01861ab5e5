"""Cases of tools.odd_cases: no internal error, no warning of a library, and `check` knows what `run` knows."""

import pytest
from tools.odd_cases import judge, load_everything

SEED = 3  # not the seed of the full run, whose counts are in the documentation
FEW, MACHINES, ALL = 60, 30, 1500


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """What the children then need not import again."""
    load_everything()


@pytest.mark.parametrize("numbers", [range(first, first + 15) for first in range(0, FEW, 15)], ids=str)
def test_odd_cases_are_answered_kindly(numbers: range) -> None:
    faults = [verdict for verdict in (judge(n, SEED) for n in numbers) if verdict.fault]
    assert faults == []


@pytest.mark.parametrize("numbers", [range(first, first + 10) for first in range(0, MACHINES, 10)], ids=str)
def test_odd_machines_are_answered_kindly(numbers: range) -> None:
    faults = [verdict for verdict in (judge(n, SEED, machines=True) for n in numbers) if verdict.fault]
    assert faults == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("numbers", [range(first, first + 100) for first in range(0, ALL, 100)], ids=str)
def test_many_odd_cases_are_answered_kindly(numbers: range) -> None:
    faults = [verdict for verdict in (judge(n, 1) for n in numbers) if verdict.fault]
    assert faults == []

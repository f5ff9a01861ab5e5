"""Extremes over steps: the first of those that differ by rounding, in one pass or in blocks."""

import numpy as np
import pytest

from flexframe.results.peaks import Extremes, peaks_of

TIMES = np.linspace(0.0, 1.0, 401)


def test_a_constant_has_its_peak_at_the_start() -> None:
    """Rounding of a constant speed is no peak; an excess of 1e-9 is one."""
    values = 22.5 + 1e-14 * np.sin(50 * TIMES)
    assert (peaks_of(TIMES, values).largest_at, peaks_of(TIMES, values).least_at) == (0.0, 0.0)
    values[300] += 22.5e-9
    assert peaks_of(TIMES, values).largest_at == TIMES[300]


@pytest.mark.parametrize("block", [1, 7, 400])
def test_blocks_find_what_one_pass_finds(block: int) -> None:
    """A curve of four equal periods: its extremes are those of the first, a quarter and three quarters into it."""
    values = np.stack([np.sin(8 * np.pi * TIMES), -np.sin(8 * np.pi * TIMES) - 3], axis=1)
    seen = Extremes()
    for begin in range(0, len(TIMES), block):
        seen.take(TIMES[begin : begin + block], values[begin : begin + block])
    first, second = seen.peaks()
    assert (first.largest_at, first.least_at) == (TIMES[25], TIMES[75])  # 1/16 and 3/16, exact in the grid
    assert (second.largest_at, second.least_at) == (TIMES[75], TIMES[25])
    assert [first.largest, first.least, second.largest] == pytest.approx([1, -1, -2], abs=1e-12)

"""A word while the compiler works, and none otherwise."""

import time

from flexframe.commands.compiling import MESSAGE, compilation_told


def test_compilation_is_told_once() -> None:
    told: list[str] = []
    with compilation_told(told.append):
        import numba

        until = time.monotonic() + 600
        while not told and time.monotonic() < until:  # the watch looks now and then
            numba.njit(lambda x: x + 1)(1.0)
        numba.njit(lambda x: x + 2)(1.0)
    numba.njit(lambda x: x + 3)(1.0)
    assert told == [MESSAGE]


def test_nothing_is_told_without_compilation() -> None:
    told: list[str] = []
    with compilation_told(told.append):
        time.sleep(0.1)
    assert told == []

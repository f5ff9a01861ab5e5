"""Named tuples by their address in compiled functions, against the same arrays in numpy."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from flexframe.dynamics.addresses import Addressed
from flexframe.dynamics.compiling import entry, inner


class Inside(NamedTuple):
    """A tuple within another."""

    values: Any
    count: int


class Outside(NamedTuple):
    """Arrays of several kinds."""

    weights: Any
    inside: Inside
    numbers: Any
    flags: Any


@inner
def _weight(inside: Any, weights: Any) -> float:
    total = 0.0
    for i in range(inside.count):
        for j in range(inside.values.shape[1]):
            for k in range(inside.values.shape[2]):
                total += weights[i] * inside.values[i, j, k]
    return total


@entry
def _summed(tables: Any, out: Any) -> float:
    for i in range(len(tables.numbers)):
        if tables.flags[i]:
            out[i] = tables.numbers[i]
            tables.weights[i] += 1.0
    return _weight(tables.inside, tables.weights)


def sample() -> Outside:
    random = np.random.default_rng(1)
    values = random.integers(-9, 9, (3, 2, 4)).astype(float)  # whole numbers: sums are exact
    return Outside(np.arange(3.0), Inside(values, 2), np.array([7, 8, 9]), np.array([True, False, True]))


def test_fields_are_those_of_numpy() -> None:
    tables, out = sample(), np.zeros(3)
    expected = np.einsum("i,ijk->", np.array([1.0, 1.0]), tables.inside.values[:2])
    assert _summed(Addressed(tables), out) == expected
    assert out.tolist() == [7, 0, 9]
    assert tables.weights.tolist() == [1, 1, 3]  # written where numpy sees it


def test_shapes_and_protection_do_not_make_another_type() -> None:
    small, large = sample(), sample()._replace(inside=Inside(np.ones((5, 7, 1)), 3), weights=np.zeros(9))
    large.inside.values.setflags(write=False)
    _summed(Addressed(small), np.zeros(3))
    compiled = len(_summed.signatures)  # type: ignore[attr-defined] # of the compiler
    assert _summed(Addressed(large), np.zeros(3)) == 7 * (1 + 0 + 1)
    assert len(_summed.signatures) == compiled == 1  # type: ignore[attr-defined]


def test_arrays_with_gaps_are_refused() -> None:
    gaps = sample()._replace(weights=np.arange(6.0)[::2])
    with pytest.raises(AssertionError, match=r"Outside\.weights"):
        Addressed(gaps)


def test_inner_functions_are_not_for_python() -> None:
    with pytest.raises(TypeError):
        _weight(Addressed(sample().inside), np.zeros(3))

"""Every test of this folder works with fifty digits."""

from collections.abc import Iterator

import pytest
from mpmath import mp, mpf

from .moving_element import Snapshot, planar_element, planar_motion, spatial_element, spatial_motion
from .precision import DIGITS


@pytest.fixture(autouse=True)
def fifty_digits() -> Iterator[None]:
    """Set the working precision for one test and give it back."""
    with mp.workdps(DIGITS):
        yield


@pytest.fixture
def instant() -> mpf:
    """An instant at which no term of the equations happens to vanish."""
    return mpf(47) / 64


@pytest.fixture
def plane(instant: mpf) -> Snapshot:
    """A planar element in general plane motion at one instant."""
    return Snapshot(planar_element(), planar_motion(), instant)


@pytest.fixture
def space(instant: mpf) -> Snapshot:
    """A spatial element in general motion at one instant."""
    return Snapshot(spatial_element(), spatial_motion(), instant)

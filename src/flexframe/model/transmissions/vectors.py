"""Directions as entries of constraint equations take them."""

from collections.abc import Sequence

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.model.constraints import Direction, unit

X, Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
SAME = 1e-9
"""Sine of an angle, and part of a length, that are rounding."""


def as_tuple(vector: Array) -> Direction:
    """A vector as entries hold it."""
    return tuple(vector.tolist())


def same_line(first: Array, second: Array) -> bool:
    """Whether two unit vectors are along one line."""
    return bool(np.linalg.norm(np.cross(first, second)) < SAME)


def of_unit_length(direction: Sequence[float]) -> Direction:
    """The direction with length one."""
    return tuple(unit(direction, "direction").tolist())

"""Refusals shared by the builders: sizes, counts, orders and shapes that make no mesh."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array


def require_positive(**lengths: float) -> None:
    """Refuse a size that is not a positive finite number."""
    for name, value in lengths.items():
        if not isinstance(value, int | float | np.number) or not np.isfinite(value) or value <= 0:
            raise InputError(f"{name.replace('_', ' ')} is {value!r}; give a positive finite number")


def require_count(**counts: int) -> None:
    """Refuse a count that is not a whole number of at least one."""
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise InputError(f"{name.replace('_', ' ')} is {value!r}; give a whole number, 1 or more")


def require_counts(name: str, values: Sequence[int], length: int) -> tuple[int, ...]:
    """The counts as a tuple; refuse another number of them than `length`."""
    if isinstance(values, int) or len(values) != length:
        raise InputError(f"{name} is {values!r}; give {length} whole numbers")
    for value in values:
        require_count(**{name: value})
    return tuple(int(value) for value in values)


def require_choice(name: str, value: object, choices: Sequence[object]) -> None:
    """Refuse a value that is not one of the choices."""
    if value not in choices:
        known = ", ".join(repr(choice) for choice in choices)
        raise InputError(f"{name} is {value!r}; choose one of {known}")


def point_rows(points: ArrayLike) -> list[ArrayLike]:
    """The points one by one; refuse anything but a list of points."""
    if np.ndim(points) != 2:
        raise InputError("the points are not a list of points; give one row of coordinates for each")
    return list(np.asarray(points))


def coordinates(name: str, value: ArrayLike) -> Array:
    """Two or three finite coordinates as three."""
    given = np.asarray(value, dtype=float)
    if given.shape not in ((2,), (3,)) or not np.isfinite(given).all():
        raise InputError(f"{name} is {given.tolist()}; give two or three finite coordinates")
    return np.concatenate([given, np.zeros(3 - given.size)])

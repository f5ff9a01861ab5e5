"""Arrays, names, sizes and counts that a mesh is given: accepted, or refused with the way out."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray

_Set = TypeVar("_Set")

FARTHEST = 1e50
"""Coordinates [m] beyond which moments of inertia, of fourth order in lengths, overflow."""


def frozen_integers(values: ArrayLike, what: str) -> IntArray:
    """A read-only int64 copy; InputError where the values are not whole numbers."""
    given = np.asarray(values)
    if given.size == 0:
        given = given.astype(np.int64)
    if not np.issubdtype(given.dtype, np.integer):
        raise InputError(f"{what} are of type {given.dtype}; give whole numbers")
    if given.dtype == np.uint64 and given.max() > np.iinfo(np.int64).max:
        raise InputError(f"{what} contain {given.max()}, which is too large for a number of a node or cell")
    copy = np.array(given, dtype=np.int64, order="C")
    copy.flags.writeable = False
    return copy


def frozen_tangents(tangents: ArrayLike, count: int) -> Array:
    """Directions (count, 3) of length one as a read-only copy; rows of NaN stay."""
    given = np.array(tangents, dtype=np.float64, order="C")
    if given.shape != (count, 3):
        raise InputError(
            f"the tangents have shape {given.shape}; give three components for each of {count} points"
        )
    length = np.linalg.norm(given, axis=1)
    if (length == 0).any():
        raise InputError(
            f"the tangent at node {int(np.argmin(length))} is zero; give a direction, or NaN for none"
        )
    given /= length[:, None]
    given.flags.writeable = False
    return given


def frozen_points(points: ArrayLike) -> Array:
    """Points (n, 3) as a read-only copy; z = 0 where two coordinates are given."""
    given = np.array(points, dtype=np.float64, order="C")
    if given.size == 0:
        given = np.empty((0, 3))
    if given.ndim != 2 or given.shape[1] not in (2, 3):
        raise InputError(f"the points have shape {given.shape}; give one row of 2 or 3 coordinates for each")
    if given.shape[1] == 2:
        given = np.column_stack([given, np.zeros(len(given))])
    bad = ~(np.abs(given) < FARTHEST).all(axis=1)  # also where a coordinate is not a number
    if bad.any():
        place = int(np.argmax(bad))
        raise InputError(
            f"node {place} has coordinates {given[place].tolist()}; give finite numbers below {FARTHEST:g} m"
        )
    given.flags.writeable = False
    return given


def frozen_set(numbers: ArrayLike, what: str) -> IntArray:
    """Numbers sorted, each once, read-only."""
    found = frozen_integers(numbers, what)
    if (np.diff(found) > 0).all():
        return found
    unique = np.unique(found)
    unique.flags.writeable = False
    return unique


def require_length(labels: IntArray | None, count: int, what: str) -> None:
    """Refuse labels that are not one for each node or cell."""
    if labels is not None and labels.shape != (count,):
        raise InputError(f"there are {labels.size} {what} for {count}; give one for each")


def require_range(numbers: IntArray, count: int, where: str, kind: str) -> None:
    """Refuse numbers that no node or cell has."""
    if numbers.size and (numbers.min() < 0 or numbers.max() >= count):
        bad = int(numbers[(numbers < 0) | (numbers >= count)].flat[0])
        raise InputError(f"{where}: there is no {kind} {bad}; the mesh has {kind}s 0 to {count - 1}")


def find_set(kind: str, name: str, sets: Mapping[str, _Set]) -> _Set:
    """The set of that name; InputError with the known names otherwise."""
    if name not in sets:
        raise unknown_name(kind, name, sets)
    return sets[name]


def unknown_name(kind: str, name: str, sets: Mapping[str, object]) -> InputError:
    """The error for an unknown name: the nearest one and all that are known."""
    if not sets:
        return InputError(f"unknown {kind} '{name}'; the mesh has no {kind}s, add one with with_sets")
    near = get_close_matches(name, sets, n=1)
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    return InputError(f"unknown {kind} '{name}'{hint}; the mesh has {', '.join(sets)}")


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

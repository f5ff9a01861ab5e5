"""Numbers in columns of fixed width, as finite-element programs write them: many at once, and strictly.

Characters are arrays of bytes (…, width). Reals may lack the E of their exponent (1.5-3) or have a D in its place.
"""

from collections.abc import Callable
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray

Characters = NDArray[np.uint8]
Place = Callable[[int], str]
"""Number of an entry, counted through the array → file and line for messages."""

_BLANK, _ZERO, _NINE, _PLUS, _MINUS, _POINT = (ord(c) for c in " 09+-.")
_EXPONENTS = np.frombuffer(b"EeDd", dtype=np.uint8)
_OF_REALS = np.zeros(256, dtype=bool)
_OF_REALS[np.frombuffer(b"0123456789+-.EeDd ", dtype=np.uint8)] = True
_LARGEST = 2**62


def is_blank(chars: Characters) -> BoolArray:
    """Which entries hold nothing."""
    return np.asarray((chars == _BLANK).all(axis=-1))


def integers(chars: Characters, place: Place, default: int | None = None) -> IntArray:
    """Whole numbers; blank ones are the default, and without one they are refused."""
    entries = chars.reshape(-1, chars.shape[-1])
    value = np.zeros(len(entries), dtype=np.int64)
    seen = np.zeros(len(entries), dtype=bool)  # a sign or a digit
    ended = np.zeros(len(entries), dtype=bool)
    digits = np.zeros(len(entries), dtype=np.int8)
    negative = np.zeros(len(entries), dtype=bool)
    wrong = np.zeros(len(entries), dtype=bool)
    for column in entries.T:
        blank = column == _BLANK
        digit = (column >= _ZERO) & (column <= _NINE)
        sign = (column == _PLUS) | (column == _MINUS)
        wrong |= ~(blank | digit | sign) | (sign & seen) | (digit & ended)
        ended |= seen & blank
        negative |= column == _MINUS
        seen |= digit | sign
        value = np.where(digit & (digits < 18), 10 * value + (column - _ZERO).astype(np.int64), value)
        digits += digit & (value > 0)
    empty = ~seen
    wrong |= (digits >= 18) | (seen & (digits == 0) & ~(entries == _ZERO).any(axis=-1))
    if default is None:
        wrong |= empty
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(f"{place(at)}: {shown(entries[at])} is not a whole number; check the line")
    value = np.where(negative, -value, value)
    return np.where(empty, default or 0, value).reshape(chars.shape[:-1])


def reals(chars: Characters, place: Place, default: float | None = None) -> Array:
    """Finite numbers; blank ones are the default, and without one they are refused."""
    entries = chars.reshape(-1, chars.shape[-1])
    count, width = entries.shape
    wrong = ~_OF_REALS[entries].all(axis=1)
    empty = is_blank(entries)
    if default is None:
        wrong |= empty
    if wrong.any():
        _refuse(entries, wrong, place)
    # room for an E before a sign that stands behind a digit or a point
    spread = np.full((count, width + 1), _BLANK, dtype=np.uint8)
    spread[:, :width] = entries
    spread[np.isin(spread, _EXPONENTS)] = ord("E")
    sign = (entries[:, 1:] == _PLUS) | (entries[:, 1:] == _MINUS)
    before = entries[:, :-1]
    behind = sign & (((before >= _ZERO) & (before <= _NINE)) | (before == _POINT))
    rows = np.flatnonzero(behind.any(axis=1))
    if rows.size:
        at = behind[rows].argmax(axis=1) + 1
        columns = np.arange(width + 1)
        moved = spread[rows[:, None], columns - (columns > at[:, None])]
        moved[np.arange(rows.size), at] = ord("E")
        spread[rows] = moved
    spread[empty, 0] = _ZERO
    text = np.ascontiguousarray(spread).view(f"S{width + 1}").ravel()
    try:
        value = text.astype(np.float64)
    except ValueError:
        _refuse(entries, np.array([not _is_real(entry) for entry in text]), place)
    infinite = np.asarray(~np.isfinite(value))
    if infinite.any():
        _refuse(entries, infinite, place)
    if default:
        value[empty] = default
    return np.asarray(value.reshape(chars.shape[:-1]))


def shown(entry: Characters) -> str:
    """An entry for a message."""
    text = entry.tobytes().decode("latin-1").strip()
    return "a blank field" if not text else f"'{text}'"


def _refuse(entries: Characters, wrong: BoolArray, place: Place) -> NoReturn:
    at = int(np.argmax(wrong))
    raise InputError(f"{place(at)}: {shown(entries[at])} is not a finite number; check the line")


def _is_real(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True

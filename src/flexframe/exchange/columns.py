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

_NEW_LINE = 10
_BLANK, _ZERO, _NINE, _PLUS, _MINUS, _POINT = (ord(c) for c in " 09+-.")
_EXPONENTS = np.frombuffer(b"EeDd", dtype=np.uint8)
_OF_REALS = np.zeros(256, dtype=bool)
_OF_REALS[np.frombuffer(b"0123456789+-.EeDd ", dtype=np.uint8)] = True
_LARGEST = 2**62


def text_lines(text: Characters, width: int, stops: IntArray | None = None) -> tuple[Characters, IntArray]:
    """The lines of a text that are not empty, as rows of so many characters, and which they are: (lines, width).

    Lines that are longer are cut, shorter ones filled with blanks; `stops` are places where the rest of their line
    does not count. Control characters are blanks.
    """
    breaks = np.flatnonzero(text == _NEW_LINE)
    begins, ends = np.concatenate([[0], breaks + 1]), np.concatenate([breaks, [len(text)]])
    if stops is not None and stops.size:
        line, first = np.unique(np.searchsorted(breaks, stops), return_index=True)
        ends[line] = stops[first]
    padded = np.concatenate([text, np.full(width, _BLANK, dtype=np.uint8)])
    chars = np.lib.stride_tricks.sliding_window_view(padded, width)[begins]
    chars[np.arange(width) >= (ends - begins)[:, None]] = _BLANK
    np.putmask(chars, chars < _BLANK, _BLANK)
    used = np.flatnonzero((chars != _BLANK).any(axis=1))
    return (chars if len(used) == len(chars) else chars[used]), used


def is_blank(chars: Characters) -> BoolArray:
    """Which entries hold nothing."""
    return np.asarray((chars == _BLANK).all(axis=-1))


def integers(chars: Characters, place: Place, default: int | None = None) -> IntArray:
    """Whole numbers; blank ones are the default, and without one they are refused."""
    entries = chars.reshape(-1, chars.shape[-1])
    filled = ~is_blank(entries)
    if default is not None and not filled.all():  # many fields of a file are blank
        made = np.full(len(entries), default, dtype=np.int64)
        kept = np.flatnonzero(filled)
        made[kept] = integers(entries[kept], lambda at: place(int(kept[at])))
        return made.reshape(chars.shape[:-1])
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
    wrong |= ~filled | (digits >= 18) | ((digits == 0) & ~(entries == _ZERO).any(axis=-1))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(f"{place(at)}: {show_entry(entries[at])} is not a whole number; check the line")
    return np.asarray(np.where(negative, -value, value).reshape(chars.shape[:-1]))


def reals(chars: Characters, place: Place, default: float | None = None) -> Array:
    """Finite numbers; blank ones are the default, and without one they are refused."""
    entries = chars.reshape(-1, chars.shape[-1])
    empty = is_blank(entries)
    if default is not None and empty.any():
        made = np.full(len(entries), default)
        kept = np.flatnonzero(~empty)
        made[kept] = reals(entries[kept], lambda at: place(int(kept[at])))
        return made.reshape(chars.shape[:-1])
    count, width = entries.shape
    wrong = np.asarray(~_OF_REALS[entries].all(axis=1) | empty)
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
    text = np.ascontiguousarray(spread).view(f"S{width + 1}").ravel()
    try:
        value = text.astype(np.float64)
    except ValueError:
        _refuse(entries, np.array([not _is_real(entry) for entry in text]), place)
    infinite = np.asarray(~np.isfinite(value))
    if infinite.any():
        _refuse(entries, infinite, place)
    return np.asarray(value.reshape(chars.shape[:-1]))


def show_entry(entry: Characters) -> str:
    """An entry for a message."""
    text = entry.tobytes().decode("latin-1").strip()
    return "a blank field" if not text else f"'{text}'"


def _refuse(entries: Characters, wrong: BoolArray, place: Place) -> NoReturn:
    at = int(np.argmax(wrong))
    raise InputError(f"{place(at)}: {show_entry(entries[at])} is not a finite number; check the line")


def _is_real(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True

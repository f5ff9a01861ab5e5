"""Which values a field of a case takes: PATH=A:B:N, PATH=A:B (a range to draw from) or PATH=VALUE,VALUE,…"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

from flexframe.cases.overrides import Override
from flexframe.errors import InputError
from flexframe.maths.arrays import Array

MAX_VALUES = 1_000_000

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_UNIT = r"[^\s\d.:,+\-\[\]{}\"'][^:,\[\]{}\"']*"
_END = rf"\s*({_NUMBER})\s*({_UNIT})?"
_RANGE = re.compile(rf"{_END}:{_END}(?::\s*(\d+)\s*({_UNIT})?)?(?::\s*(log)\s*)?")
_OPENING = re.compile(rf"{_END}:")  # only ranges begin like this
_MEASURED = re.compile(_END)
_HOW = "write PATH=A:B:N, PATH=A:B:N:log or PATH=VALUE,VALUE,…"


@dataclass(frozen=True)
class Span:
    """A range of numbers in one unit; on a logarithmic scale its ends have the same sign."""

    low: float
    high: float
    unit: str = ""
    log: bool = False
    whole: bool = False  # both ends were written as whole numbers

    def at(self, fractions: Array) -> tuple[str, ...]:
        """The values that lie these parts (0 to 1) of the way from the low end to the high one, as YAML texts."""
        if self.log:
            numbers = self.low * (self.high / self.low) ** fractions
        else:
            numbers = self.low + (self.high - self.low) * fractions
        # the ends are as given, whatever the round-off
        numbers = np.where(fractions == 0, self.low, np.where(fractions == 1, self.high, numbers))
        return tuple(self._text(float(number)) for number in numbers)

    def _text(self, number: float) -> str:
        text = str(int(number)) if self.whole and number.is_integer() else repr(number)
        return f"{text} {self.unit}".rstrip()


@dataclass(frozen=True)
class Variation:
    """A field by its path, and the YAML texts of its values, or the range that they are to be drawn from."""

    path: tuple[str, ...]
    values: tuple[str, ...] = ()
    span: Span | None = None

    @classmethod
    def parse(cls, text: str) -> "Variation":
        """From PATH=A:B:N (N values from A to B), PATH=A:B (a range) or PATH=VALUE,VALUE,… (a list)."""
        try:
            override = Override.parse(text)
        except InputError:
            raise InputError(f"--vary {text}: this names no field and values; {_HOW}") from None
        return cls.of(override.path, override.value)

    @classmethod
    def of(cls, path: Sequence[str], values: str | Sequence[object]) -> "Variation":
        """From a text like '5 mm:15 mm:11', or a sequence of numbers and texts."""
        name = ".".join(path)
        if isinstance(values, str):
            match = _RANGE.fullmatch(values)
            if match is not None:
                return _ranged(name, tuple(path), match)
            if _OPENING.match(values):
                raise InputError(f"--vary {name}: {values} is no range; {_HOW}")
            texts = _listed(values)
        else:
            texts = tuple(_yaml(value, name) for value in values)
        if not texts or not all(texts):
            raise InputError(f"--vary {name}: a value is missing; {_HOW}")
        if len(set(texts)) < len(texts):
            twice = next(text for text in texts if texts.count(text) > 1)
            raise InputError(f"--vary {name}: {twice} is given twice; keep one")
        return cls(tuple(path), texts)

    @property
    def name(self) -> str:
        """The path as a user writes it."""
        return ".".join(self.path)


def measured(texts: Sequence[str]) -> tuple[Array, str] | None:
    """Values as numbers and their common unit; nothing when they are not numbers in one unit."""
    matches = [_MEASURED.fullmatch(text) for text in texts]
    if not all(matches):
        return None
    units = {(match[2] or "").strip() for match in matches if match}
    if len(units) != 1:
        return None
    return np.array([float(match[1]) for match in matches if match]), units.pop()


def _ranged(name: str, path: tuple[str, ...], match: re.Match[str]) -> Variation:
    low, first, high, second, count, last, log = match.groups()
    units = {unit.strip() for unit in (first, second, last) if unit}
    if len(units) > 1:
        raise InputError(f"--vary {name}: {match[0]} has several units; write both ends in one")
    whole = all(end.lstrip("+-").isdecimal() for end in (low, high))
    span = Span(float(low), float(high), "".join(units), log is not None, whole)
    if not np.isfinite([span.low, span.high]).all() or span.low == span.high:
        raise InputError(f"--vary {name}: the range from {low} to {high} is empty; give two different finite ends")
    if span.log and span.low * span.high <= 0:
        raise InputError(f"--vary {name}: a logarithmic range holds no zero; give ends of the same sign")
    if count is None:
        return Variation(path, (), span)
    if not 2 <= int(count) <= MAX_VALUES:
        raise InputError(
            f"--vary {name}: {count} values from {low} to {high}; give a count from 2 to {MAX_VALUES}"
        )
    return Variation(path, span.at(np.linspace(0.0, 1.0, int(count))), span)


def _listed(text: str) -> tuple[str, ...]:
    """The parts between commas that stand in no brackets or quotes."""
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if letter == "," and not depth and not quote:
            parts.append("")
            continue
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        else:
            depth += (letter in "[{(") - (letter in "]})")
        parts[-1] += letter
    return tuple(part.strip() for part in parts)


def _yaml(value: object, name: str) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return repr(float(value))
    if isinstance(value, list | tuple | np.ndarray):
        return "[" + ", ".join(_yaml(part, name) for part in value) + "]"
    raise InputError(f"{name}: {value!r} is no value of a case; give numbers, texts or lists of them")

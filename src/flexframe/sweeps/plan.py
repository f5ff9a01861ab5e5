"""Which cases a sweep has: every combination of values, or points spread evenly by a Latin hypercube."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np

from flexframe.cases.document import Override
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
                return _range_variation(name, tuple(path), match)
            if _OPENING.match(values):
                raise InputError(f"--vary {name}: {values} is no range; {_HOW}")
            texts = _list_parts(values)
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


def measure(texts: Sequence[str]) -> tuple[Array, str] | None:
    """Values as numbers and their common unit; nothing when they are not numbers in one unit."""
    matches = [_MEASURED.fullmatch(text) for text in texts]
    if not all(matches):
        return None
    units = {(match[2] or "").strip() for match in matches if match}
    if len(units) != 1:
        return None
    return np.array([float(match[1]) for match in matches if match]), units.pop()


def _range_variation(name: str, path: tuple[str, ...], match: re.Match[str]) -> Variation:
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


def _list_parts(text: str) -> tuple[str, ...]:
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


Values = tuple[str, ...]
"""The YAML texts of one case, in the order of the variations."""

SHORTEST = 2
TAKEN = frozenset({"case", "status", "reason", "axis", "part"})
"""Names that the dataset of every sweep has."""


@dataclass(frozen=True)
class SweepPlan:
    """The cases of a sweep in their order; the last variation of a grid changes fastest."""

    kind: Literal["grid", "latin_hypercube"]
    variations: tuple[Variation, ...]
    points: tuple[Values, ...]
    seed: int | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The ends of the paths, as long as it takes to tell them apart."""
        return tuple(_short(variation.path, self.variations) for variation in self.variations)

    @property
    def shape(self) -> tuple[int, ...]:
        """Values of each variation for a grid, else the number of points."""
        if self.kind == "grid":
            return tuple(len(variation.values) for variation in self.variations)
        return (len(self.points),)

    def overrides(self, values: Values) -> tuple[Override, ...]:
        """The fields that a case changes."""
        return tuple(
            Override(variation.path, value) for variation, value in zip(self.variations, values, strict=True)
        )

    def as_json(self) -> dict[str, Any]:
        """Everything that identifies the plan."""
        return {
            "kind": self.kind,
            "seed": self.seed,
            "paths": [variation.name for variation in self.variations],
            "points": [list(point) for point in self.points],
        }


def sweep_plan(
    vary: Mapping[str, str | Sequence[object]] | Sequence[Variation],
    *,
    latin_hypercube: int | None = None,
    seed: int = 0,
) -> SweepPlan:
    """All combinations of the values, or that many points of a Latin hypercube over the ranges."""
    variations = as_variations(vary)
    if not variations:
        raise InputError(
            "nothing is varied; give at least one field, as in --vary bodies.disc.thickness=5mm:9mm:5"
        )
    paths = [variation.path for variation in variations]
    for path in paths:
        if paths.count(path) > 1:
            raise InputError(f"--vary {'.'.join(path)}: this field is varied twice; give all its values at once")
        for other in paths:
            if len(other) > len(path) and other[: len(path)] == path:
                raise InputError(
                    f"--vary {'.'.join(other)}: this lies inside {'.'.join(path)}, which is varied too; "
                    "vary one of them"
                )
    return _grid(variations) if latin_hypercube is None else _hypercube(variations, latin_hypercube, seed)


def as_variations(vary: Mapping[str, str | Sequence[object]] | Sequence[Variation]) -> tuple[Variation, ...]:
    """The fields to vary, from paths and values or as they are."""
    if not isinstance(vary, Mapping):
        return tuple(vary)
    return tuple(Variation.of(Override.parse(f"{path}=").path, values) for path, values in vary.items())


def _grid(variations: tuple[Variation, ...]) -> SweepPlan:
    for variation in variations:
        if not variation.values:
            raise InputError(
                f"--vary {variation.name}: the range has no count; write A:B:N, or draw with --latin-hypercube N"
            )
    total = math.prod(len(variation.values) for variation in variations)
    if total > MAX_VALUES:
        raise InputError(
            f"the grid has {total} cases; give at most {MAX_VALUES}, or draw with --latin-hypercube N"
        )
    return SweepPlan("grid", variations, tuple(product(*(variation.values for variation in variations))))


def _hypercube(variations: tuple[Variation, ...], count: int, seed: int) -> SweepPlan:
    """Each variation is cut into `count` strata of equal size, and each stratum is used once."""
    if not SHORTEST <= count <= MAX_VALUES:
        raise InputError(f"--latin-hypercube {count}: give a number of cases from {SHORTEST} to {MAX_VALUES}")
    if seed < 0:
        raise InputError(f"--seed {seed}: give a whole number from 0 on")
    generator = np.random.default_rng(seed)
    columns: list[Sequence[str]] = []
    for variation in variations:
        fractions = (generator.permutation(count) + generator.random(count)) / count
        if variation.span is None:
            chosen = (fractions * len(variation.values)).astype(int)
            columns.append([variation.values[k] for k in chosen])
        elif variation.values:
            raise InputError(
                f"--vary {variation.name}: a Latin hypercube draws from the range; write A:B without a count"
            )
        else:
            columns.append(variation.span.at(fractions))
    return SweepPlan("latin_hypercube", variations, tuple(zip(*columns, strict=True)), seed)


def _short(path: tuple[str, ...], variations: tuple[Variation, ...]) -> str:
    others = [variation.path for variation in variations if variation.path != path]
    longest = len(path) - (path[0] == "analyses")  # ANALYSIS.FIELD is the name of a result
    for length in range(1, longest):
        name = ".".join(path[-length:])
        clear = not path[-length].isdecimal() and all(other[-length:] != path[-length:] for other in others)
        if clear and name not in TAKEN:
            return name
    return ".".join(path)

"""Named parameters of a case, `parameters: {speed: 150 rad/s}`, and the values of fields that use them."""

import math
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from flexframe.entries import quantities as q
from flexframe.entries.problems import Problems, did_you_mean, show_value
from flexframe.entries.quantities import (
    Dimension,
    Measured,
    MeasureError,
    Measures,
    expectation,
    is_plain,
    measured_plain,
    round_off,
    si_value,
)
from flexframe.errors import InputError
from flexframe.maths.expression import CONSTANTS, FUNCTIONS, parse
from flexframe.maths.formula import Formula

FIELD = "parameters"
"""The field of a case that holds them."""

NAME_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]{0,59}$"
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ARITHMETIC = re.compile(r"[*+^(]|\s-\s")
_INSTEAD = {"m": "mass", "g": "gravity", "t": "thickness", "s": "stroke", "h": "height", "e": "eccentricity",
            "N": "count", "J": "inertia", "turn": "period", "min": "smallest", "max": "largest",
            "step": "step_size"}  # fmt: skip


@dataclass(frozen=True)
class Parameter:
    """A parameter: how the case gives it, and its value."""

    given: str
    measured: Measured

    def __str__(self) -> str:
        value = f"{self.measured.value:.6g} {self.measured.unit}".rstrip()
        return value if value == self.given else f"{self.given} = {value}"


@dataclass(frozen=True, eq=False)
class Parameters:
    """The parameters of a case by name.

    `needs` are those that each is computed from, `used` those that fields name.
    """

    found: Mapping[str, Parameter] = field(default_factory=dict)
    needs: Mapping[str, frozenset[str]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def named_in(self, text: str) -> set[str]:
        """The parameters whose names occur in a text."""
        return self.found.keys() & set(_IDENTIFIER.findall(text)) if self.found else set()

    def evaluate(self, text: str, names: Collection[str] | None = None) -> Measured:
        """What a text is worth: a number with a unit, or an expression; `names` are for messages."""
        names = self.found if names is None else names
        named = self.named_in(text)
        if is_plain(text) and not named:
            with _names_in_mind(text, names):
                return measured_plain(text)
        algebra = Measures({name: self.found[name].measured for name in named}, names)
        measured = parse(text, algebra)
        self.used.update(algebra.used)
        return replace(measured, value=round_off(measured.value))

    def formula(
        self,
        text: str,
        local: Mapping[str, float] | None = None,
        *,
        variables: tuple[str, ...] = ("t",),
        open_to_names: bool = False,
    ) -> Formula:
        """A formula of its variables; parameters stand for their SI values, and `local` names go before them.

        With `open_to_names` other names are those of sensors and controllers.
        """
        named = {name: self.found[name].measured.value for name in self.named_in(text)} | dict(local or {})
        try:
            formula = Formula.parse(text, variables, named, open_to_names=open_to_names)
        except InputError:  # once more, for words that know all names
            every = {name: parameter.measured.value for name, parameter in self.found.items()}
            formula = Formula.parse(text, variables, every | named, open_to_names=open_to_names)
        for name, _ in formula.constants:
            if name in self.found and name not in (local or {}):
                self.used.add(name)
                if self.found[name].measured.turns:
                    raise InputError(
                        f"'{name}' is in Hz, which could mean turns or radians in a formula; give it in rad/s or "
                        "rpm, or in 1/s and write 2*pi*f"
                    )
        return formula

    def beside(self, values: Mapping[str, float]) -> "Parameters":
        """These parameters, and plain numbers in SI that go before them."""
        plain = {name: Parameter(repr(value), Measured(value, bare=True)) for name, value in values.items()}
        return replace(self, found={**self.found, **plain})

    def unused_names(self) -> tuple[str, ...]:
        """Parameters that change nothing."""
        reached, ahead = set(), list(self.used)
        while ahead:
            name = ahead.pop()
            if name not in reached:
                reached.add(name)
                ahead.extend(self.needs.get(name, ()))
        return tuple(name for name in self.found if name not in reached)

    def unit_at(self, path: tuple[str, ...]) -> str:
        """The SI unit of the parameter that a path of the case names, '' for any other field."""
        named = self.found.get(path[-1]) if len(path) == 2 and path[0] == FIELD else None
        return "" if named is None else named.measured.unit

    def as_json(self) -> dict[str, Any]:
        """Value, SI unit and given text of each."""
        return {
            name: {"value": found.measured.value, "unit": found.measured.unit, "given": found.given}
            for name, found in self.found.items()
        }


_NONE = Parameters()
_current: ContextVar[Parameters | None] = ContextVar("parameters", default=None)


def current() -> Parameters:
    """The parameters of the case whose fields are being read."""
    return _current.get() or _NONE


@contextmanager
def reading_with(parameters: Parameters) -> Iterator[None]:
    """Fields that are read inside may name these parameters."""
    token = _current.set(parameters)
    try:
        yield
    finally:
        _current.reset(token)


# ---------------------------------------------------------------------- values of fields


def field_value(value: object, dimension: Dimension) -> float:
    """The value of a field in SI: a number, a text with a unit, or an expression of parameters."""
    if not isinstance(value, str):
        return si_value(value, dimension)
    if _is_plain(value.strip()):
        with _names_in_mind(value, current().found):
            return si_value(value, dimension)
    measured = _expression(value.strip(), dimension)
    if measured is None:  # the words for what is no quantity
        return si_value(value, dimension)
    if not (measured.bare or measured.exponents == dimension.exponents):
        raise InputError(
            f"{show_value(value)} is {measured.kind}, but {dimension.name} is expected; "
            f"give {expectation(dimension)}"
        )
    factor = 2 * math.pi if dimension.turns and measured.turns else 1.0
    return si_value(measured.value * factor, dimension)


@contextmanager
def _names_in_mind(text: str, names: Collection[str]) -> Iterator[None]:
    """An unknown unit may be a parameter with a slip: 1/sped."""
    try:
        yield
    except InputError as error:
        unknown = [name for name in _IDENTIFIER.findall(text) if name not in q.UNITS]
        near = next(filter(None, (did_you_mean(name, tuple(names)) for name in unknown)), "")
        raise InputError(f"{error}{near}") from None


def _is_plain(text: str) -> bool:
    return is_plain(text) and not current().named_in(text)


def _expression(text: str, dimension: Dimension) -> Measured | None:
    """What an expression is worth; nothing for a text that was never meant as one."""
    parameters = current()
    try:
        measured = parameters.evaluate(text)
    except InputError as error:
        measures = isinstance(error, MeasureError) and not text.isidentifier()
        meant = parameters.found or measures or _ARITHMETIC.search(text)
        if not meant:
            return None
        raise InputError(f"{show_value(text)} is not {dimension.name}: {error}") from None
    if not math.isfinite(measured.value):
        raise InputError(f"{show_value(text)} is not a finite number; give {expectation(dimension)}")
    return measured


def any_value(value: object) -> float:
    """The SI value of a number, a text with any unit, or an expression."""
    return any_measured(value).value


def any_measured(value: object) -> Measured:
    """A number, a text with any unit, or an expression: its SI value and what it measures."""
    measured = None
    if isinstance(value, str):
        text = value.strip()
        measured = measured_plain(text) if _is_plain(text) else _expression(text, q.PURE)
        value = value if measured is None else measured.value
    number = si_value(value, q.PURE)
    return Measured(number, bare=True) if measured is None else replace(measured, value=number)


# ---------------------------------------------------------------------- the section of a case


def read_parameters(given: object, before: object, problems: Problems) -> Parameters:
    """The parameters of a case; `before` is the same section as the file has it, without overrides.

    Every one that cannot be read is noted at its line. A plain number that replaces a quantity is in its SI unit.
    """
    if not isinstance(given, dict):
        return Parameters()  # the document says what is wrong
    sorts: Mapping[str, Measured] = {}
    if isinstance(before, dict) and given != before:
        original = _read(before, Problems(problems.file, problems.lines), {}).found
        changed = [name for name in original if name in given and given[name] != before[name]]
        sorts = {name: original[name].measured for name in changed}
    return _read(given, problems, sorts)


def _read(given: Mapping[str, Any], problems: Problems, sorts: Mapping[str, Measured]) -> Parameters:
    texts: dict[str, str] = {}
    for name, value in given.items():
        complaint = _wrong_name(name) or _wrong_value(value)
        if complaint:
            problems.add((FIELD, name), complaint)
        else:
            texts[name] = str(value).strip()
    needs = {name: frozenset(_IDENTIFIER.findall(text)) & given.keys() for name, text in texts.items()}
    return _evaluate(texts, needs, problems, sorts)


def _evaluate(
    texts: Mapping[str, str],
    needs: Mapping[str, frozenset[str]],
    problems: Problems,
    sorts: Mapping[str, Measured],
) -> Parameters:
    """Every parameter after those that it needs; one that needs a refused one is left out without a word."""
    try:
        order = list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        circle = error.args[1][:0:-1]
        start = circle.index(min(circle, key=list(texts).index))
        circle = [*circle[start:], *circle[:start], circle[start]]
        problems.add(
            (FIELD, circle[0]), f"is computed from itself ({' → '.join(circle)}); give one of them a value"
        )
        return Parameters()
    found: dict[str, Parameter] = {}
    known = Parameters(found)
    for name in order:
        if name not in texts or not needs[name] <= found.keys():
            continue
        try:
            measured = _of_sort(known.evaluate(texts[name], _Others(texts, name)), sorts.get(name))
            si_value(measured.value, q.PURE)
        except InputError as error:
            problems.add((FIELD, name), f"{show_value(texts[name])}: {error}")
            continue
        found[name] = Parameter(texts[name], measured)
    return Parameters({name: found[name] for name in texts if name in found}, needs)


@dataclass(frozen=True)
class _Others(Collection[str]):
    """All names but one, without a list for each."""

    names: Mapping[str, str]
    but: str

    def __contains__(self, name: object) -> bool:
        return name != self.but and name in self.names

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.names if name != self.but)

    def __len__(self) -> int:
        return len(self.names) - (self.but in self.names)


def _of_sort(measured: Measured, original: Measured | None) -> Measured:
    """A value that replaces another: a plain number takes its unit, any other must measure the same."""
    if original is None or original.bare:
        return measured
    if measured.bare:
        return replace(original, value=measured.value)
    if measured.exponents == original.exponents:
        return measured
    raise InputError(
        f"this is {measured.kind}, but the case file gives {original.kind}; "
        f"give a number in {original.unit} or a text with such a unit"
    )


def _wrong_name(name: str) -> str:
    """Why a name cannot be that of a parameter, if it cannot."""
    if not re.match(NAME_PATTERN, name):
        return "cannot be the name of a parameter; use letters a to z, digits and _, at most 60, no digit first"
    taken = {"the time in formulas": ("t",), "a constant": CONSTANTS, "a function": FUNCTIONS, "a unit": q.UNITS}
    sort = next((sort for sort, names in taken.items() if name in names), None)
    if sort is None:
        return ""
    return f"is the name of {sort}; choose another, such as {_INSTEAD.get(name, f'{name}_value')}"


def _wrong_value(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return f"{show_value(value)} is no value; give a number, a text with a unit, or an expression"
    return ""

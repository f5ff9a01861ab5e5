"""Arithmetic with units: what an expression such as `0.5*length + 2 mm` is worth, and what it measures."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from flexframe.entries import quantities as q
from flexframe.entries.problems import did_you_mean, listed
from flexframe.entries.quantities import UNITS, Unit, named_measure, named_unit, round_off
from flexframe.errors import InputError
from flexframe.maths.expression import CONSTANTS, FUNCTIONS, Operation
from flexframe.maths.formula import evaluate

Powers = tuple[int | Fraction, ...]
"""Powers of metre, kilogram and second; a root makes fractions."""

_ALIKE = {
    Operation.ADD: "added",
    Operation.SUBTRACT: "subtracted",
    Operation.MIN: "compared",
    Operation.MAX: "compared",
    Operation.MOD: "divided with a remainder",
    Operation.ATAN2: "the sides of an angle",
}
"""Operations on two values of one kind, and how messages say so."""

_KEEP = {Operation.NEGATE, Operation.ABS}
_FORGET = {Operation.SIGN, Operation.STEP}
_ANGULAR = frozenset({"rad", "deg", "°", "rev", "turn", "rpm"})
_LARGEST_POWER = 12
_SHOWN = (
    q.LENGTH, q.AREA, q.AREA_MOMENT, q.TIME, q.RATE, q.VELOCITY, q.ACCELERATION, q.MASS, q.DENSITY, q.FORCE,
    q.MOMENT, q.FORCE_PER_LENGTH, q.STRESS,
    q.Dimension("a moment of inertia", "kg m^2", (2, 1, 0), ""),
    q.Dimension("a damping", "N s/m", (0, 1, -1), ""),
    q.Dimension("a damping of rotation", "N m s", (2, 1, -1), ""),
)  # fmt: skip
_WITH_ANGLE: dict[Powers, str] = {(0, 0, 0): "rad", (0, 0, -1): "rad/s", (0, 0, -2): "rad/s^2"}


class MeasureError(InputError):
    """An expression that can be read but makes no sense: an unknown name, metres added to seconds."""


@dataclass(frozen=True)
class Measured:
    """A value in SI and its powers of metre, kilogram and second.

    `bare`: made of plain numbers only, so that it counts as SI of any dimension, as a plain number does. `turns`:
    in Hz, which counts turns where an angular velocity is wanted. `angular`: its unit has an angle in it, which
    is only shown.
    """

    value: float
    exponents: Powers = (0, 0, 0)
    bare: bool = False
    turns: bool = False
    angular: bool = False

    @property
    def is_pure(self) -> bool:
        """Whether it has no dimension."""
        return not any(self.exponents)

    @property
    def unit(self) -> str:
        """Its SI unit; nothing for a plain number."""
        if self.turns:
            return "Hz"
        if self.angular and self.exponents in _WITH_ANGLE:
            return _WITH_ANGLE[self.exponents]
        known = next((dimension.unit for dimension in _SHOWN if dimension.exponents == self.exponents), None)
        if known is not None:
            return known
        powers = [(base, power) for base, power in zip(("m", "kg", "s"), self.exponents, strict=True) if power]
        return " ".join(base if power == 1 else f"{base}^{power}" for base, power in powers)

    @property
    def kind(self) -> str:
        """What it measures, in words."""
        return named_measure(self.exponents)


def measured_plain(text: str) -> Measured:
    """A number with a unit, as in '20 mm'."""
    number, unit_text = q.plain_parts(text)
    if not unit_text:
        return Measured(number, bare=True)
    unit = q.unit_of(unit_text)
    angular = any(name in unit_text for name in _ANGULAR)
    return _with_unit(number, unit, angular=angular)


def _with_unit(number: float, unit: Unit, *, angular: bool) -> Measured:
    return Measured(round_off(number * unit.factor), unit.exponents, turns=unit.cycles, angular=angular)


@dataclass(frozen=True)
class Measures:
    """Expressions of named quantities become values that know what they measure; `used` collects the names.

    `names` are all that may be meant, for messages.
    """

    known: Mapping[str, Measured]
    names: Collection[str]
    used: set[str] = field(default_factory=set)
    has_units: bool = True

    def number(self, value: float) -> Measured:
        return Measured(value, bare=True)

    def name(self, name: str) -> Measured | None:
        if name in self.known:
            self.used.add(name)
            return self.known[name]
        if name in CONSTANTS or name in FUNCTIONS:
            return None
        if name == "t":
            raise MeasureError(
                "'t' is the time, which only formulas of motions, drives and loads have (of gravity its factor); "
                "use parameters"
            )
        if name in UNITS:
            raise MeasureError(f"'{name}' is a unit and stands after a number; write 1 {name}")
        raise MeasureError(_unknown(name, tuple(self.names)))

    def is_unit(self, name: str) -> bool:
        if name in UNITS:
            return True
        if name in self.known or name in CONSTANTS or name in FUNCTIONS:
            return False
        try:
            named_unit(name)
        except InputError as error:
            near = did_you_mean(name, tuple(self.names))
            raise MeasureError(
                f"'{name}' is no unit{near}; write * before a parameter" if near else str(error)
            ) from None
        return True

    def measured(self, value: float, units: Sequence[tuple[str, int]]) -> Measured:
        product = UNITS["1"]
        for name, power in units:
            product = product.times(named_unit(name), power)
        return _with_unit(value, product, angular=any(name in _ANGULAR for name, _ in units))

    def apply(self, code: Operation, *arguments: Measured) -> Measured:
        with np.errstate(all="ignore"):
            value = float(evaluate(code, [np.array(argument.value) for argument in arguments]))
        first, last = arguments[0], arguments[-1]
        if code in _KEEP:
            return replace(first, value=value)
        bare = first.bare and last.bare
        if code in _ALIKE:
            _require_alike(code, first, last)
            if code is not Operation.ATAN2:
                return replace(first, value=value, bare=bare, angular=first.angular or last.angular)
            return Measured(value, bare=bare)
        _require_no_turns(*arguments)
        angular = code is Operation.MULTIPLY and first.angular != last.angular
        angular |= code is Operation.DIVIDE and first.angular and not last.angular
        return Measured(value, _powers(code, first, last), bare, angular=angular)


def _powers(code: Operation, first: Measured, last: Measured) -> Powers:
    """What the result of an operation on unlike values measures."""
    if code is Operation.MULTIPLY:
        return tuple(a + b for a, b in zip(first.exponents, last.exponents, strict=True))
    if code is Operation.DIVIDE:
        return tuple(a - b for a, b in zip(first.exponents, last.exponents, strict=True))
    if code is Operation.POWER or code is Operation.SQRT:
        power = Fraction(1, 2) if code is Operation.SQRT else _power(first, last)
        return tuple(power * a for a in first.exponents)
    if code not in _FORGET and not first.is_pure:
        raise MeasureError(
            f"{code.name.lower()} of {first.kind} has no meaning; give it a plain number or an angle"
        )
    return (0, 0, 0)


def _require_alike(code: Operation, first: Measured, last: Measured) -> None:
    if first.exponents != last.exponents:
        kinds = f"{first.kind} and {last.kind} cannot be {_ALIKE[code]}"
        number = next((f"{part.value:g}" for part in (first, last) if part.bare), "")
        raise MeasureError(f"{kinds}; give {number or 'both'} {'a unit' if number else 'the same kind of unit'}")
    if first.turns != last.turns:
        _require_no_turns(first, last)


def _require_no_turns(*arguments: Measured) -> None:
    """Hz in a product could mean turns or radians, and the number would differ by 2π."""
    if any(argument.turns for argument in arguments):
        raise MeasureError(
            "a frequency in Hz could mean turns or radians in an expression; give it in rad/s or rpm, "
            "or in 1/s and write 2*pi*f"
        )


def _power(base: Measured, exponent: Measured) -> Fraction:
    """The exponent of a power; that of a quantity is small and simple, so that the result has a unit."""
    if not exponent.is_pure:
        raise MeasureError(f"an exponent is {exponent.kind}; give a plain number")
    if base.is_pure:
        return Fraction(1)
    if not abs(exponent.value) <= _LARGEST_POWER:
        raise MeasureError(f"{base.kind} to the power {exponent.value:g} has no meaning; give a small exponent")
    return Fraction(exponent.value).limit_denominator(_LARGEST_POWER)


def _unknown(name: str, known: Sequence[str]) -> str:
    if not known:
        return f"'{name}' is not known; declare it at the top of the case, as in 'parameters: {{{name}: …}}'"
    return f"'{name}' is not a parameter{did_you_mean(name, known)}; known are {listed(known)}"

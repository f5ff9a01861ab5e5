"""Numbers with units: "200 mm", "7.9 g/cm^3", "120 rpm" → SI.

Products of the common units are converted from a table; any other unit is looked up with pint, whose import
takes half a second and is therefore left until such a unit occurs.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from flexframe.entries.problems import did_you_mean, list_names, show_value
from flexframe.errors import InputError
from flexframe.maths.expression import CONSTANTS, FUNCTIONS, Operation
from flexframe.maths.formula import evaluate

Exponents = tuple[int, int, int]
"""Powers of metre, kilogram and second."""


@dataclass(frozen=True)
class Dimension:
    """What a field measures: its name, SI unit, powers of m, kg, s, and an example for messages.

    `turns`: a frequency unit (Hz) counts turns, so that it is worth 2π rad/s.
    """

    name: str
    unit: str
    exponents: Exponents
    example: str
    turns: bool = False


PURE = Dimension("a plain number", "", (0, 0, 0), "0.3")
LENGTH = Dimension("a length", "m", (1, 0, 0), "20 mm")
AREA = Dimension("an area", "m^2", (2, 0, 0), "40 mm^2")
AREA_MOMENT = Dimension("a second moment of area", "m^4", (4, 0, 0), "1200 mm^4")
ANGLE = Dimension("an angle", "rad", (0, 0, 0), "30 deg")
TIME = Dimension("a time", "s", (0, 0, 1), "20 ms")
RATE = Dimension("a rate", "1/s", (0, 0, -1), "0.5 1/s")
FREQUENCY = Dimension("a frequency", "Hz", (0, 0, -1), "50 Hz")
ANGULAR_VELOCITY = Dimension("an angular velocity", "rad/s", (0, 0, -1), "120 rpm", turns=True)
ANGULAR_ACCELERATION = Dimension("an angular acceleration", "rad/s^2", (0, 0, -2), "50 rad/s^2")
VELOCITY = Dimension("a velocity", "m/s", (1, 0, -1), "3 m/s")
ACCELERATION = Dimension("an acceleration", "m/s^2", (1, 0, -2), "9.81 m/s^2")
MASS = Dimension("a mass", "kg", (0, 1, 0), "200 g")
DENSITY = Dimension("a density", "kg/m^3", (-3, 1, 0), "7900 kg/m^3")
FORCE = Dimension("a force", "N", (1, 1, -2), "2 kN")
MOMENT = Dimension("a moment", "N m", (2, 1, -2), "5 N m")
FORCE_PER_LENGTH = Dimension("a force per length", "N/m", (0, 1, -2), "50 N/m")
DAMPING = Dimension("a damping", "N s/m", (0, 1, -1), "20 N s/m")
TORSION_DAMPING = Dimension("a damping of rotation", "N m s", (2, 1, -1), "0.1 N m s")
BENDING_STIFFNESS = Dimension("a bending stiffness", "N m^2", (3, 1, -2), "12 kN m^2")
LINE_MASS = Dimension("a mass per length", "kg/m", (-1, 1, 0), "2 kg/m")
LINE_INERTIA = Dimension("a moment of inertia per length", "kg m", (1, 1, 0), "0.01 kg m")
STRESS = Dimension("a stress", "Pa", (-1, 1, -2), "200 GPa")


@dataclass(frozen=True)
class Unit:
    """A factor to SI and the powers of m, kg, s; `cycles` marks the units that count turns as 1."""

    factor: float
    exponents: Exponents
    cycles: bool = False

    def times(self, other: "Unit", power: int) -> "Unit":
        """self · other^power."""
        m, kg, s = (a + power * b for a, b in zip(self.exponents, other.exponents, strict=True))
        factor = round_off(self.factor * other.factor**power)
        return Unit(factor, (m, kg, s), self.cycles or (other.cycles and power == 1))


def round_off(value: float) -> float:
    """A number without the round-off of decimal powers: 0.01⁻³ is 999999.9999999999 otherwise."""
    short = float(f"{value:.12g}")
    return short if abs(short - value) <= 4 * math.ulp(value) else value


UNITS: dict[str, Unit] = {
    **{name: Unit(factor, (1, 0, 0)) for name, factor in (("m", 1), ("cm", 1e-2), ("mm", 1e-3), ("km", 1e3))},
    **{name: Unit(1e-6, (1, 0, 0)) for name in ("um", "µm", "μm")},
    **{name: Unit(factor, (0, 1, 0)) for name, factor in (("kg", 1), ("g", 1e-3), ("t", 1e3))},
    **{name: Unit(factor, (0, 0, 1)) for name, factor in (("s", 1), ("ms", 1e-3), ("min", 60), ("h", 3600))},
    **{name: Unit(1e-6, (0, 0, 1)) for name in ("us", "µs", "μs")},
    **{name: Unit(factor, (1, 1, -2)) for name, factor in (("N", 1), ("mN", 1e-3), ("kN", 1e3), ("MN", 1e6))},
    **{name: Unit(factor, (2, 1, -2)) for name, factor in (("Nm", 1), ("kNm", 1e3), ("J", 1))},
    **{
        name: Unit(factor, (-1, 1, -2))
        for name, factor in (("Pa", 1), ("kPa", 1e3), ("MPa", 1e6), ("GPa", 1e9), ("bar", 1e5))
    },
    **{name: Unit(factor, (0, 0, -1), cycles=True) for name, factor in (("Hz", 1), ("kHz", 1e3), ("MHz", 1e6))},
    "rpm": Unit(2 * math.pi / 60, (0, 0, -1)),
    "rad": Unit(1, (0, 0, 0)),
    **{name: Unit(math.pi / 180, (0, 0, 0)) for name in ("deg", "°")},
    **{name: Unit(2 * math.pi, (0, 0, 0)) for name in ("rev", "turn")},
    "%": Unit(1e-2, (0, 0, 0)),
    "1": Unit(1, (0, 0, 0)),
}

_QUANTITY = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*)", re.DOTALL)
_FACTOR = re.compile(r"(1|°|%|[^\W\d_]+)(?:(?:\^|\*\*)\s*([-+]?\d)|([²³⁴]))?")
_OPERATOR = re.compile(r"\s*(\*(?!\*)|·|/|(?<=\S)\s+(?=\S))\s*")
_ONE_FACTOR = r"(?:1|°|%|[^\W\d_]+)(?:(?:\^|\*\*)\s*[-+]?\d|[²³⁴])?"
_PLAIN = re.compile(
    r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*"
    rf"(?:/?{_ONE_FACTOR}(?:\s*(?:\*(?!\*)|·|/|(?<=\S)\s+(?=\S))\s*{_ONE_FACTOR})*)?"
)
_SUPERSCRIPTS = {"²": 2, "³": 3, "⁴": 4}
_LONGEST = 60
LARGEST = 1e60  # its fourth power is still a number


def si_value(value: object, dimension: Dimension) -> float:
    """The value of a field in SI: a number counts as SI already, a text has a number and a unit."""
    if isinstance(value, str):
        number = _convert(value.strip(), dimension)
    elif isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{show_value(value)} is not {dimension.name}; give {expectation(dimension)}")
    else:
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{show_value(value)} is not a finite number; give {expectation(dimension)}")
    if abs(number) > LARGEST:
        raise InputError(f"{show_value(value)} is too large to be {dimension.name}; give {expectation(dimension)}")
    return number


def is_plain(text: str) -> bool:
    """Whether a text has the form of a number with a unit, whatever the unit."""
    return len(text) <= _LONGEST and _PLAIN.fullmatch(text) is not None


def plain_parts(text: str) -> tuple[float, str]:
    """Number and unit of a text that is plain."""
    match = _QUANTITY.fullmatch(text)
    assert match is not None, "asked for first"
    return float(match[1]), match[2].strip()


def expectation(dimension: Dimension) -> str:
    """What to give, for messages."""
    if not dimension.unit:
        return f"{dimension.name} such as {dimension.example}"
    return f"a number in {dimension.unit} or a text with a unit such as {dimension.example}"


def _convert(text: str, dimension: Dimension) -> float:
    match = _QUANTITY.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise InputError(f"{show_value(text)} is not {dimension.name}; give {expectation(dimension)}")
    number, unit_text = float(match[1]), match[2].strip()
    if not unit_text:
        return number
    unit = unit_of(unit_text)
    if unit.exponents != dimension.exponents:
        raise InputError(
            f"{show_value(text)} is {named_measure(unit.exponents)}, but {dimension.name} is expected; "
            f"give {expectation(dimension)}"
        )
    return round_off(number * unit.factor) * (2 * math.pi if dimension.turns and unit.cycles else 1.0)


def named_measure(exponents: Sequence[int | Fraction]) -> str:
    """What has these powers of metre, kilogram and second, for messages."""
    exponents = tuple(exponents)
    known = (LENGTH, AREA, TIME, ANGULAR_VELOCITY, VELOCITY, ACCELERATION, MASS, DENSITY, FORCE, MOMENT)
    for dimension in (*known, FORCE_PER_LENGTH, STRESS, PURE):
        if dimension.exponents == exponents:
            return dimension.name
    powers = [f"{base}^{power}" for base, power in zip(("m", "kg", "s"), exponents, strict=True) if power]
    return f"in {' '.join(powers)}"


@lru_cache(maxsize=256)
def unit_of(text: str) -> Unit:
    """A product of unit names with powers: "kg/m^3", "N m", "1/s", "N·mm²"."""
    product, sign, position = UNITS["1"], 1, 0
    if text.startswith("/"):
        sign, position = -1, 1
    while True:
        factor = _FACTOR.match(text, position)
        if factor is None:
            raise InputError(f"the unit '{text}' cannot be read; write it like kg/m^3 or N m")
        power = int(factor[2]) if factor[2] else _SUPERSCRIPTS.get(factor[3], 1)
        product = product.times(named_unit(factor[1]), sign * power)
        position = factor.end()
        if position == len(text):
            return product
        operator = _OPERATOR.match(text, position)
        if operator is None:
            raise InputError(f"the unit '{text}' cannot be read; write it like kg/m^3 or N m")
        sign = -1 if operator[1] == "/" else 1
        position = operator.end()


def named_unit(name: str) -> Unit:
    """The unit of that name, from the table or from pint."""
    return UNITS[name] if name in UNITS else _unit_of_pint(name)


@lru_cache(maxsize=256)
def _unit_of_pint(name: str) -> Unit:
    """Factor and powers of a single unit name that the table does not have."""
    import pint

    registry = _registry()
    try:
        unit = registry.parse_units(name)
        quantity, double = (registry.Quantity(n, unit).to_base_units() for n in (1.0, 2.0))
    except (pint.PintError, ValueError):
        raise InputError(
            f"the unit '{name}' is unknown{did_you_mean(name, list(UNITS))}; use SI units and their multiples"
        ) from None
    if abs(double.magnitude - 2 * quantity.magnitude) > 1e-9 * abs(double.magnitude):
        raise InputError(f"the unit '{name}' has a zero of its own or is logarithmic; use a plain unit")
    powers = {"[length]": 0, "[mass]": 0, "[time]": 0}
    for base, power in quantity.dimensionality.items():
        if base not in powers or power != int(power):
            raise InputError(f"the unit '{name}' is not a mechanical unit; use metre, kilogram, second and theirs")
        powers[base] = int(power)
    return Unit(float(quantity.magnitude), (powers["[length]"], powers["[mass]"], powers["[time]"]))


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()


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
    LENGTH, AREA, AREA_MOMENT, TIME, RATE, VELOCITY, ACCELERATION, MASS, DENSITY, FORCE,
    MOMENT, FORCE_PER_LENGTH, STRESS,
    Dimension("a moment of inertia", "kg m^2", (2, 1, 0), ""),
    Dimension("a damping", "N s/m", (0, 1, -1), ""),
    Dimension("a damping of rotation", "N m s", (2, 1, -1), ""),
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
    number, unit_text = plain_parts(text)
    if not unit_text:
        return Measured(number, bare=True)
    unit = unit_of(unit_text)
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
    return f"'{name}' is not a parameter{did_you_mean(name, known)}; known are {list_names(known)}"

"""In which units results are shown: `units: {length: mm, speed: rpm}`, else as the case is written."""

import math
from collections import Counter
from collections.abc import Iterator

from pydantic import ValidationInfo, field_validator

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry, refusal
from flexframe.entries.quantities import Dimension, is_plain, plain_parts, unit_of
from flexframe.errors import InputError
from flexframe.presentation.units import DisplayUnits, Scale

_DIMENSIONS = {
    "length": q.LENGTH,
    "angle": q.ANGLE,
    "time": q.TIME,
    "mass": q.MASS,
    "speed": q.ANGULAR_VELOCITY,
    "velocity": q.VELOCITY,
    "acceleration": q.ACCELERATION,
    "force": q.FORCE,
    "moment": q.MOMENT,
    "stress": q.STRESS,
    "energy": Dimension("an energy", "J", (2, 1, -2), "2 kJ"),
    "power": Dimension("a power", "W", (2, 1, -3), "2 kW"),
}
_SPEEDS = frozenset(("spin", "speed", "speeds"))  # fields where turns per second are written as Hz
_ENDS = frozenset(("start", "end"))  # the same of a run-up
_WRITTEN = ("length", "angle", "speed", "force")  # taken over from how the case is written


class UnitsEntry(Entry):
    """Units of tables, plots and reports; files and data frames stay in SI."""

    length: str | None = None
    angle: str | None = None
    time: str | None = None
    mass: str | None = None
    speed: str | None = None
    velocity: str | None = None
    acceleration: str | None = None
    force: str | None = None
    moment: str | None = None
    stress: str | None = None
    energy: str | None = None
    power: str | None = None

    @field_validator("*")
    @classmethod
    def _check(cls, text: str | None, info: ValidationInfo) -> str | None:
        if text is None:
            return None
        dimension = _DIMENSIONS[info.field_name or ""]
        try:
            exponents = unit_of(text.strip()).exponents
        except InputError as error:
            raise refusal(str(error)) from None
        if exponents != dimension.exponents:
            example = plain_parts(dimension.example)[1]
            raise refusal(f"'{text}' is no unit of {dimension.name}; write one such as {example}")
        return text.strip()


def display_units(entry: UnitsEntry, case: object) -> DisplayUnits:
    """The units that the entry chooses; lengths, angles, speeds and forces else as most of the case has them."""
    written = _case_units(case)
    chosen = {}
    for name, dimension in _DIMENSIONS.items():
        text = getattr(entry, name) or written.get(name)
        if text is not None and text != dimension.unit:
            unit = unit_of(text)
            turns = 2 * math.pi if dimension.turns and unit.cycles else 1.0
            shown = "turns/s" if dimension is q.ANGULAR_VELOCITY and text == "Hz" else text
            chosen[dimension.unit] = Scale(shown, 1.0 / (unit.factor * turns))
    return DisplayUnits(chosen)


def _case_units(case: object) -> dict[str, str]:
    """The unit of each measure that a case is written in, where it is no SI unit."""
    seen: dict[str, Counter[str]] = {name: Counter() for name in _WRITTEN}
    for text, of_speed in _texts(case):
        unit = plain_parts(text)[1] if is_plain(text) else ""
        for name in _WRITTEN:
            if unit and (_fits(unit, _DIMENSIONS[name]) or (name == "speed" and of_speed and unit == "Hz")):
                seen[name][unit] += 1
    return {name: found.most_common(1)[0][0] for name, found in seen.items() if found}


def _fits(unit: str, dimension: Dimension) -> bool:
    """Whether a unit is one of a measure, and not of another one with the same dimension."""
    if dimension in (q.ANGLE, q.ANGULAR_VELOCITY):
        return unit in {q.ANGLE: ("deg", "°", "rad"), q.ANGULAR_VELOCITY: ("rpm", "rad/s")}[dimension]
    try:
        return unit_of(unit).exponents == dimension.exponents
    except InputError:
        return False


def _texts(value: object, *, of_speed: bool = False) -> Iterator[tuple[str, bool]]:
    """All texts in plain values, and whether they stand where a speed of rotation is given."""
    if isinstance(value, str):
        yield value, of_speed
    elif isinstance(value, dict):
        turning = _SPEEDS | (_ENDS if value.get("kind") == "run_up" else frozenset())
        for key, part in value.items():
            yield from _texts(part, of_speed=of_speed or key in turning)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part, of_speed=of_speed)

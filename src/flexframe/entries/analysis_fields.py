"""What several analyses ask for: instants, a formalism, damping of a system, speeds and unbalance of a rotor."""

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry, refusal, refusal_at
from flexframe.entries.fields import (
    Angle,
    AngularVelocity,
    Checked,
    Coordinate,
    Frequency,
    Mass,
    Multiplier,
    PositiveNumber,
    Selection,
    Time,
    count,
    quantity,
)
from flexframe.errors import InputError
from flexframe.formalisms.registry import NAMES
from flexframe.maths.arrays import Array
from flexframe.maths.solver_settings import memory_limit

if TYPE_CHECKING:
    from flexframe.model.system_damping import SystemDamping
    from flexframe.spectra.rotation.harmonic_loads import Bow, Unbalance

SHORTEST = 1e-30  # s; squares of steps in it stay far inside the range of numbers

SAMPLE_BYTES = 1000.0
"""Of one body at one instant, from the integrator to the report: measured on chains of rigid bodies."""
ANNOUNCED_STEPS = 1_000_000
"""Above so many a run says before it begins that it takes long."""


def _long_enough(value: float) -> float:
    if value < SHORTEST:
        raise refusal(f"is {value:g} s; nothing moves in that time, check its unit")
    return value


Duration = Annotated[float, quantity(q.TIME, "positive"), AfterValidator(_long_enough)]
Samples = Annotated[int, count(2, 1_000_000)]


def require_room(samples: int | None, bodies: int) -> None:
    """Refuse more samples of so many bodies than the memory holds that may be used."""
    needed, limit = (samples or 0) * bodies * SAMPLE_BYTES, memory_limit()
    if limit is not None and needed > limit:
        raise InputError(
            f"{samples:,} samples of {bodies} bodies take about {needed / 1e9:.2g} GB, and {limit / 1e9:.2g} GB "
            f"may be used; give at most {int(limit / (bodies * SAMPLE_BYTES)):,}"
        )


def instants(start: Time, duration: float, samples: int) -> Array:
    """Evenly spread, both ends included: (samples,)."""
    return start + duration * np.linspace(0.0, 1.0, samples)


if TYPE_CHECKING:
    FormalismName = str
else:
    FormalismName = Literal[NAMES]


_TWO = Field(min_length=2, max_length=2, strict=False)
Ratios = Annotated[tuple[Multiplier, ...], _TWO]
Frequencies = Annotated[tuple[Frequency, ...], _TWO]


_time = quantity(q.TIME)
_INSTANT = {"anyOf": [{"const": "start"}, dict(_time.schema)]}


def _instant(value: Any) -> Any:
    if value == "start":
        return value
    try:
        return _time.check(value)
    except PydanticCustomError as error:
        raise refusal(f"{error.message()}, or start") from None


class RayleighFitEntry(Entry):
    """ζ = (α/ω + βω)/2 with two ratios at two frequencies, or at the two lowest assembled modes."""

    ratios: Ratios
    frequencies: Frequencies | None = None


class SystemDampingEntry(Entry):
    """Damping ratios of the assembled system about its start, or about the described start at another time."""

    modal: Multiplier | None = None
    rayleigh: RayleighFitEntry | None = None
    at: Annotated[float | Literal["start"], Checked(_instant, _INSTANT)] = "start"

    @model_validator(mode="after")
    def _possible(self) -> "SystemDampingEntry":
        if (self.modal is None) == (self.rayleigh is None):
            raise refusal("needs one of modal and rayleigh; give a ratio for all modes, or two to fit")
        try:
            self.damping()
        except InputError as error:
            raise refusal(str(error)) from None
        return self

    def damping(self) -> "SystemDamping":
        """The damping that is described."""
        from flexframe.model.system_damping import ModalDamping, RayleighFit

        at = 0.0 if self.at == "start" else self.at
        if self.rayleigh is None:
            assert self.modal is not None
            return ModalDamping(self.modal, at)
        return RayleighFit(self.rayleigh.ratios, self.rayleigh.frequencies, at)


_MASS_MOMENT = q.Dimension("an unbalance", "kg m", (1, 1, 0), "0.002 kg m")
_Samples = Annotated[int, count(2, 10_000)]


class SpeedsEntry(Entry):
    """Evenly spread speeds of rotation, both ends included."""

    start: AngularVelocity = 0.0
    end: AngularVelocity
    count: _Samples = 51

    @model_validator(mode="after")
    def _increasing(self) -> "SpeedsEntry":
        if self.end <= self.start:
            raise refusal_at("end", "end is not above start; give a larger end")
        return self

    def values(self) -> Array:
        """rad/s: (count,)."""
        return np.linspace(self.start, self.end, self.count)


class UnbalanceEntry(Entry):
    """A mass times its distance from the spin axis, at an angle from the first axis across it.

    In place of `unbalance`, a `grade` G [mm/s] of ISO 21940-11 for the `mass` that the plane balances and the
    largest `speed` gives U = G m/Ω.
    """

    leads: ClassVar[tuple[str, ...]] = ("unbalance", "grade")
    on: Selection
    unbalance: Annotated[float, quantity(_MASS_MOMENT, "positive")] | None = None
    grade: PositiveNumber | None = None
    mass: Mass | None = None
    speed: Annotated[float, quantity(q.ANGULAR_VELOCITY, "positive")] | None = None
    angle: Angle = 0.0

    @model_validator(mode="after")
    def _one_way(self) -> "UnbalanceEntry":
        if (self.unbalance is None) == (self.grade is None):
            raise refusal_at("unbalance", "give either the unbalance or its grade")
        for name in ("mass", "speed"):
            if self.grade is not None and getattr(self, name) is None:
                raise refusal_at(name, "is missing; a grade holds for a mass and a speed")
            if self.grade is None and getattr(self, name) is not None:
                raise refusal_at(name, "belongs to a grade; leave it out")
        return self

    def make(self) -> "Unbalance":
        """The unbalance that is described."""
        from flexframe.spectra.rotation.harmonic_loads import Unbalance

        if self.unbalance is not None:
            return Unbalance(self.on, self.unbalance, self.angle)
        assert self.grade is not None and self.mass is not None and self.speed is not None, "checked above"
        return Unbalance.of_grade(self.on, self.grade, mass=self.mass, speed=self.speed, angle=self.angle)


_Point = Annotated[tuple[Coordinate, Coordinate], Field(strict=False)]


class BowEntry(Entry):
    """A shaft that is bent when nothing acts on it: points [place along the axis, offset of the centre line].

    The offsets lie at an angle from the first axis across, and turn with the shaft.
    """

    leads: ClassVar[tuple[str, ...]] = ("bow",)
    bow: Annotated[tuple[_Point, ...], Field(strict=False, min_length=3)]
    angle: Angle = 0.0

    @model_validator(mode="after")
    def _increasing(self) -> "BowEntry":
        if any(after[0] <= before[0] for before, after in pairwise(self.bow)):
            raise refusal_at("bow", "its places do not increase; sort the points by their place along the axis")
        return self

    def make(self) -> "Bow":
        """The bow that is described."""
        from flexframe.spectra.rotation.harmonic_loads import Bow

        return Bow(tuple(place for place, _ in self.bow), tuple(offset for _, offset in self.bow), self.angle)

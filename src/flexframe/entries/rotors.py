"""Speeds of rotation and unbalance of a rotor."""

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from pydantic import Field, model_validator

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry, refusal_at
from flexframe.entries.fields import (
    Angle,
    AngularVelocity,
    Coordinate,
    Mass,
    PositiveNumber,
    Selection,
    count,
    quantity,
)
from flexframe.maths.arrays import Array

if TYPE_CHECKING:
    from flexframe.spectra.rotation.harmonic_loads import Bow, Unbalance

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

    def made(self) -> "Unbalance":
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

    def made(self) -> "Bow":
        """The bow that is described."""
        from flexframe.spectra.rotation.harmonic_loads import Bow

        return Bow(tuple(place for place, _ in self.bow), tuple(offset for _, offset in self.bow), self.angle)

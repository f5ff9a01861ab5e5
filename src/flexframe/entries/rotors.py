"""Speeds of rotation, bearings and unbalance of a rotor."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from pydantic import Field, model_validator

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry, refusal_at
from flexframe.entries.fields import Angle, AngularVelocity, OneOrList, Selection, count, quantity
from flexframe.maths.arrays import Array

if TYPE_CHECKING:
    from flexframe.spectra.rotation.bearings import Bearing

_MASS_MOMENT = q.Dimension("an unbalance", "kg m", (1, 1, 0), "0.002 kg m")
_LINEAR_DAMPING = q.Dimension("a damping", "N s/m", (0, 1, -1), "200 N s/m")


_TILT_DAMPING = q.Dimension("a damping of rotation", "N m s", (2, 1, -1), "5 N m s")


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


def _one_or_two(dimension: q.Dimension) -> OneOrList:
    """A value for all directions across the axis, or one for each of two."""
    value = Annotated[float, quantity(dimension, "not negative")]
    both = Annotated[tuple[value, ...], Field(min_length=2, max_length=2, strict=False)]
    return OneOrList(value, both)


_Values = float | tuple[float, ...]


class BearingEntry(Entry):
    """A spring and damper to space at each selected node, across the spin axis.

    One value holds in all directions; two hold along the two directions of space that the first body axes across
    the spin axis have at t = 0.
    """

    on: Selection
    stiffness: Annotated[_Values, _one_or_two(q.FORCE_PER_LENGTH)] = 0.0
    damping: Annotated[_Values, _one_or_two(_LINEAR_DAMPING)] = 0.0
    tilt_stiffness: Annotated[_Values, _one_or_two(q.MOMENT)] = 0.0
    tilt_damping: Annotated[_Values, _one_or_two(_TILT_DAMPING)] = 0.0


Bearings = Annotated[tuple[BearingEntry, ...], Field(strict=False)]


def bearings(entries: Sequence[BearingEntry]) -> "list[Bearing]":
    """The bearings that are described."""
    from flexframe.spectra.rotation.bearings import Bearing

    return [Bearing(**dict(entry)) for entry in entries]


class UnbalanceEntry(Entry):
    """A mass times its distance from the spin axis, at an angle from the first axis across it."""

    leads: ClassVar[tuple[str, ...]] = ("unbalance",)
    on: Selection
    unbalance: Annotated[float, quantity(_MASS_MOMENT, "positive")]
    angle: Angle = 0.0

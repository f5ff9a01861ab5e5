"""Speeds of rotation and unbalance of a rotor."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import model_validator

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry, refusal_at
from flexframe.entries.fields import Angle, AngularVelocity, Selection, count, quantity
from flexframe.maths.arrays import Array

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
    """A mass times its distance from the spin axis, at an angle from the first axis across it."""

    leads: ClassVar[tuple[str, ...]] = ("unbalance",)
    on: Selection
    unbalance: Annotated[float, quantity(_MASS_MOMENT, "positive")]
    angle: Angle = 0.0

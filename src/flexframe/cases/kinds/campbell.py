"""Modes of a body over its speed of rotation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, TypeAdapter, model_validator

from flexframe.cases import quantities as q
from flexframe.cases.entries import Entry, refusal
from flexframe.cases.fields import (
    AngularVelocity,
    Checked,
    Count,
    Direction,
    Name,
    PositiveNumber,
    Selection,
    Text,
    count,
    one_or_list,
    quantity,
)
from flexframe.cases.kinds.contract import Bodies, TermsEntry
from flexframe.cases.motions import MotionEntry
from flexframe.maths.arrays import Array
from flexframe.motion.frame import PLANAR_AXIS
from flexframe.results.campbell import CampbellDiagram

if TYPE_CHECKING:
    from flexframe.analyses.rotation.bearings import Bearing

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
            raise refusal("end is not above start; give a larger end")
        return self

    def values(self) -> Array:
        """rad/s: (count,)."""
        return np.linspace(self.start, self.end, self.count)


def _one_or_two(dimension: q.Dimension) -> Checked:
    """A value for all directions across the axis, or one for each of two."""
    value = Annotated[float, quantity(dimension, "not negative")]
    both = Annotated[tuple[value, ...], Field(min_length=2, max_length=2, strict=False)]
    return one_or_list(TypeAdapter(value), TypeAdapter(both))


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
    from flexframe.analyses.rotation.bearings import Bearing

    return [Bearing(**dict(entry)) for entry in entries]


class CampbellEntry(Entry):
    """Frequencies over the speed in both frames, with engine orders and solved critical speeds."""

    motion: ClassVar[MotionEntry | None] = None  # the speeds say how the body turns

    kind: Literal["campbell"]
    description: Text = ""
    body: Name | None = None
    speeds: SpeedsEntry
    axis: Direction = PLANAR_AXIS
    modes: Count = 10
    engine_orders: Annotated[tuple[Count, ...], Field(strict=False)] = (1, 2, 3, 4)
    bearings: Bearings = ()
    frame: Literal["rotating", "inertial"] = "rotating"
    terms: TermsEntry = TermsEntry()
    tolerance: PositiveNumber = 1e-6

    def run(self, bodies: Bodies) -> CampbellDiagram:
        from flexframe.analyses.campbell import campbell_diagram

        return campbell_diagram(
            bodies.frozen(self.body, None, 0.0).discrete,
            self.speeds.values(),
            modes=self.modes,
            axis=self.axis,
            terms=self.terms.terms(),
            bearings=bearings(self.bearings),
            engine_orders=self.engine_orders,
            frame=self.frame,
            tolerance=self.tolerance,
        )

"""Modes of a body over its speed of rotation."""

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexframe.cases import quantities as q
from flexframe.cases.entries import Entry, refusal
from flexframe.cases.fields import (
    AngularVelocity,
    Count,
    Direction,
    Name,
    PositiveNumber,
    Selection,
    Text,
    count,
    quantity,
)
from flexframe.cases.kinds.contract import Bodies, TermsEntry
from flexframe.cases.motions import MotionEntry
from flexframe.maths.arrays import Array
from flexframe.motion.frame import PLANAR_AXIS
from flexframe.results.campbell import CampbellDiagram

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


class BearingEntry(Entry):
    """A spring and damper to space at each selected node, alike in all directions across the spin axis."""

    on: Selection
    stiffness: Annotated[float, quantity(q.FORCE_PER_LENGTH, "not negative")] = 0.0
    damping: Annotated[float, quantity(_LINEAR_DAMPING, "not negative")] = 0.0
    tilt_stiffness: Annotated[float, quantity(q.MOMENT, "not negative")] = 0.0
    tilt_damping: Annotated[float, quantity(_TILT_DAMPING, "not negative")] = 0.0


Bearings = Annotated[tuple[BearingEntry, ...], Field(strict=False)]


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
    terms: TermsEntry = TermsEntry()
    tolerance: PositiveNumber = 1e-6

    def run(self, bodies: Bodies) -> CampbellDiagram:
        from flexframe.analyses.campbell import campbell_diagram
        from flexframe.analyses.rotation.bearings import Bearing

        return campbell_diagram(
            bodies.frozen(self.body, None, 0.0).discrete,
            self.speeds.values(),
            modes=self.modes,
            axis=self.axis,
            terms=self.terms.terms(),
            bearings=[Bearing(**dict(entry)) for entry in self.bearings],
            engine_orders=self.engine_orders,
            tolerance=self.tolerance,
        )

"""What a case may say of critical speeds over the stiffness of bearings."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry
from flexframe.entries import quantities as q
from flexframe.entries.analysis_fields import SpeedsEntry
from flexframe.entries.entry import Entry, refusal_at
from flexframe.entries.fields import Count, Direction, Name, count, quantity
from flexframe.entries.motions import MotionEntry
from flexframe.maths.arrays import Array

if TYPE_CHECKING:
    from flexframe.analyses.critical_speed_map.record import CriticalSpeedMap

_STIFFNESS = q.Dimension("a stiffness", "N/m", (0, 1, -2), "50 MN/m")
_Stiffness = Annotated[float, quantity(_STIFFNESS, "positive")]
_Samples = Annotated[int, count(2, 10_000)]


class StiffnessesEntry(Entry):
    """Stiffnesses of bearings, evenly spread over the powers of ten, both ends included."""

    start: _Stiffness
    end: _Stiffness
    count: _Samples = 61

    @model_validator(mode="after")
    def _increasing(self) -> "StiffnessesEntry":
        if self.end <= self.start:
            raise refusal_at("end", "end is not above start; give a larger end")
        return self

    def values(self) -> Array:
        """N/m: (count,)."""
        return np.geomspace(self.start, self.end, self.count)


class CriticalSpeedMapEntry(BodyAnalysisEntry):
    """Undamped critical speeds of a shaft over one stiffness of all its bearings, with theirs laid over it.

    Without `bearings` all that have direct stiffness; without `stiffness` ten times beyond theirs; `speeds` are
    those at which their stiffness is drawn, the whole of their tables if not given.
    """

    motion: ClassVar[MotionEntry | None] = None  # the map says how fast the body turns
    takes_rotors: ClassVar[bool] = True
    takes_sections: ClassVar[bool] = True

    kind: Literal["critical_speed_map"]
    stiffness: StiffnessesEntry | None = None
    modes: Count = 4
    bearings: Annotated[tuple[Name, ...], Field(strict=False, min_length=1)] | None = None
    speeds: SpeedsEntry | None = None
    axis: Direction | None = None

    def run(self, bodies: Bodies) -> "CriticalSpeedMap":
        from flexframe.analyses.critical_speed_map.analysis import critical_speed_map

        return critical_speed_map(
            bodies.rotor(self.body),
            None if self.stiffness is None else self.stiffness.values(),
            modes=self.modes,
            bearings=self.bearings,
            speeds=None if self.speeds is None else (self.speeds.start, self.speeds.end),
            axis=self.axis,
        )

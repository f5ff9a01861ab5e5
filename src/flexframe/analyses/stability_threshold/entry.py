"""What a case may say of the cross-coupling that a rotor bears."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry
from flexframe.entries import quantities as q
from flexframe.entries.fields import Count, Direction, PositiveNumber, Text, quantity
from flexframe.entries.motions import MotionEntry

if TYPE_CHECKING:
    from flexframe.analyses.stability_threshold.record import StabilityThreshold

_CROSS_COUPLING = q.Dimension("a cross-coupled stiffness", "N/m", (0, 1, -2), "2 MN/m")
_CrossCoupling = Annotated[float, quantity(_CROSS_COUPLING, "positive")]


class StabilityThresholdEntry(BodyAnalysisEntry):
    """The cross-coupled stiffness that a rotor bears at a speed before it whirls by itself.

    It acts `on` one place, on several alike, or with shares {place: share}, beside the seals that the rotor has.
    `anticipated` is what the machine is expected to have, all places together; API 617 asks for a decrement of
    0.1 with it, and for a threshold of twice as much.
    """

    motion: ClassVar[MotionEntry | None] = None  # the speed says how the body turns
    takes_rotors: ClassVar[bool] = True
    takes_sections: ClassVar[bool] = True

    kind: Literal["stability_threshold"]
    speed: Annotated[float, quantity(q.ANGULAR_VELOCITY, "positive")]
    on: Text | Annotated[tuple[Text, ...], Field(strict=False, min_length=1)] | dict[str, PositiveNumber]
    anticipated: _CrossCoupling | None = None
    largest: _CrossCoupling | None = None
    decrement: PositiveNumber = 0.1
    modes: Count = 6
    axis: Direction | None = None

    def run(self, bodies: Bodies) -> "StabilityThreshold":
        from flexframe.analyses.stability_threshold.analysis import stability_threshold

        on = (self.on,) if isinstance(self.on, str) else self.on
        places = dict(on) if isinstance(on, dict) else dict.fromkeys(on, 1.0)
        return stability_threshold(
            bodies.rotor(self.body),
            self.speed,
            places,
            anticipated=self.anticipated,
            largest=self.largest,
            decrement=self.decrement,
            modes=self.modes,
            axis=self.axis,
        )

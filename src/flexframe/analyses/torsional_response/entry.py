"""What a case may say of torsional vibration."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry
from flexframe.entries import quantities as q
from flexframe.entries.analysis_fields import SpeedsEntry
from flexframe.entries.entry import Entry
from flexframe.entries.fields import Angle, AngularVelocity, Count, PositiveNumber, Selection, quantity
from flexframe.entries.motions import MotionEntry

if TYPE_CHECKING:
    from flexframe.analyses.torsional_response.analysis import EngineTorque
    from flexframe.analyses.torsional_response.record import TorsionalResponse


class EngineTorqueEntry(Entry):
    """A torque about the axis, amplitude · cos(order · φ + phase) of the angle φ of its shaft."""

    on: Selection
    order: PositiveNumber
    amplitude: Annotated[float, quantity(q.MOMENT, "positive")]
    phase: Angle = 0.0

    def make(self) -> "EngineTorque":
        """The torque that is described."""
        from flexframe.analyses.torsional_response.analysis import EngineTorque

        return EngineTorque(self.on, self.order, self.amplitude, self.phase)


class TorsionalResponseEntry(BodyAnalysisEntry):
    """Torsional vibration of a rotor or a train over its speed, excited by engine orders.

    Shafts only twist, whatever their `motions`; bearings and casings are left out. `engine_orders` are those whose
    critical speeds are listed beside those of the torques.
    """

    motion: ClassVar[MotionEntry | None] = None  # the speeds say how the body turns
    takes_rotors: ClassVar[bool] = True

    kind: Literal["torsional_response"]
    speeds: SpeedsEntry
    torques: Annotated[tuple[EngineTorqueEntry, ...], Field(strict=False, min_length=1)]
    damping_ratio: Annotated[float, quantity(q.PURE, "not negative")] = 0.0
    operating_speeds: (
        Annotated[tuple[AngularVelocity, ...], Field(strict=False, min_length=2, max_length=2)] | None
    ) = None
    engine_orders: Annotated[tuple[PositiveNumber, ...], Field(strict=False)] = (1.0, 2.0)
    modes: Count = 6

    def run(self, bodies: Bodies) -> "TorsionalResponse":
        from flexframe.analyses.torsional_response.analysis import torsional_response

        limits = self.operating_speeds
        return torsional_response(
            bodies.rotor(self.body),
            self.speeds.values(),
            [torque.make() for torque in self.torques],
            damping_ratio=self.damping_ratio,
            operating_speeds=None if limits is None else (limits[0], limits[1]),
            engine_orders=self.engine_orders,
            modes=self.modes,
        )

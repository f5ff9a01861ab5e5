"""Motion of a mechanism under its forces."""

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from flexframe.analyses.contract import AnalysisEntry, Bodies
from flexframe.entries.analysis_fields import Duration, Samples, instants
from flexframe.entries.fields import AnyQuantity, Count, Name, PositiveNumber, Time
from flexframe.entries.links import DriveEntry
from flexframe.entries.problems import Problems
from flexframe.entries.sensors import AnySensorEntry, check_sensors, describe_sensors
from flexframe.errors import FieldPath
from flexframe.model.system import System

if TYPE_CHECKING:
    from flexframe.analyses.rigid_motion.record import RigidMotion


class RigidMotionEntry(AnalysisEntry):
    """Forward dynamics: from the start, or from the periodic motion when a period is given."""

    needs_system: ClassVar[bool] = True

    kind: Literal["rigid_motion"]
    start: Time = 0.0
    duration: Duration
    samples: Samples = 361
    period: Duration | None = None
    settle: Count = 5
    events: dict[Name, DriveEntry] = Field(default_factory=dict)
    stop_at_event: bool = False
    relative_tolerance: PositiveNumber = 1e-9
    method: Literal["automatic", "explicit", "implicit"] = "automatic"
    sensors: dict[Name, AnySensorEntry] = Field(default_factory=dict)
    settling: dict[Name, AnyQuantity] = Field(default_factory=dict)

    def check_system(self, system: System, problems: Problems, path: FieldPath) -> None:
        check_sensors(self.sensors, system, problems, path)

    def run(self, bodies: Bodies) -> "RigidMotion":
        from flexframe.analyses.rigid_motion.analysis import rigid_motion
        from flexframe.analyses.signal_blocks import settling_bands

        settling = settling_bands(self.settling, list(self.sensors))
        record = rigid_motion(
            bodies.system(),
            instants(self.start, self.duration, self.samples),
            period=self.period,
            settle=self.settle,
            events=bodies.drives(self.events),
            stop_at_event=self.stop_at_event,
            relative_tolerance=self.relative_tolerance,
            method=self.method,
            sensors=describe_sensors(self.sensors),
            progress=bodies.monitor.progress,
        )
        return replace(record, settling=settling, notices=(*record.notices, *bodies.recordings()))

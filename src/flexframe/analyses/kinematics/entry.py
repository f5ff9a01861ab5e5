"""Positions, velocities and accelerations of a driven mechanism."""

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from flexframe.analyses.contract import AnalysisEntry, Bodies
from flexframe.entries.analysis_fields import Duration, Samples, instants
from flexframe.entries.fields import Count, Name, Time
from flexframe.entries.problems import Problems
from flexframe.entries.sensors import AnySensorEntry, check_sensors, describe_sensors
from flexframe.errors import FieldPath
from flexframe.model.system import System

if TYPE_CHECKING:
    from flexframe.analyses.kinematics.record import Kinematics


class KinematicsEntry(AnalysisEntry):
    """The motion that the drives prescribe, at evenly spread instants."""

    needs_system: ClassVar[bool] = True

    kind: Literal["kinematics"]
    start: Time = 0.0
    duration: Duration
    samples: Samples = 361
    branch: Count | None = None
    sensors: dict[Name, AnySensorEntry] = Field(default_factory=dict)

    def check_system(self, system: System, problems: Problems, path: FieldPath) -> None:
        check_sensors(self.sensors, system, problems, path)

    def run(self, bodies: Bodies) -> "Kinematics":
        from flexframe.analyses.kinematics.analysis import kinematics

        system = bodies.system()
        times = instants(self.start, self.duration, self.samples)
        record = kinematics(system, times, branch=self.branch, sensors=describe_sensors(self.sensors))
        return replace(record, notices=(*record.notices, *bodies.recordings()))

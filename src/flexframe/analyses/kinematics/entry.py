"""Positions, velocities and accelerations of a driven mechanism."""

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from flexframe.analyses.contract import AnalysisEntry, Bodies
from flexframe.entries.fields import Count, Time
from flexframe.entries.times import Duration, Samples, instants

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

    def run(self, bodies: Bodies) -> "Kinematics":
        from flexframe.analyses.kinematics.analysis import kinematics

        system = bodies.system()
        record = kinematics(system, instants(self.start, self.duration, self.samples), branch=self.branch)
        return replace(record, notices=(*record.notices, *bodies.recordings()))

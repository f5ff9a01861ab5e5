"""Positions, velocities and accelerations of a driven mechanism."""

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from flexframe.analyses.contract import Bodies
from flexframe.entries.entry import Entry
from flexframe.entries.fields import Count, Name, Text, Time
from flexframe.entries.sensors import AnySensorEntry, described
from flexframe.entries.times import Duration, Samples, instants

if TYPE_CHECKING:
    from flexframe.analyses.kinematics.record import Kinematics


class KinematicsEntry(Entry):
    """The motion that the drives prescribe, at evenly spread instants."""

    kind: Literal["kinematics"]
    description: Text = ""
    start: Time = 0.0
    duration: Duration
    samples: Samples = 361
    branch: Count | None = None
    sensors: dict[Name, AnySensorEntry] = Field(default_factory=dict)

    def run(self, bodies: Bodies) -> "Kinematics":
        from flexframe.analyses.kinematics.analysis import kinematics

        system = bodies.system()
        times = instants(self.start, self.duration, self.samples)
        record = kinematics(system, times, branch=self.branch, sensors=described(self.sensors))
        return replace(record, notices=(*record.notices, *bodies.recordings()))

"""Forces in the joints of a mechanism whose motion is known."""

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from flexframe.analyses.contract import AnalysisEntry, Bodies
from flexframe.entries.analysis_fields import Duration, Samples, instants
from flexframe.entries.fields import Count, Time

if TYPE_CHECKING:
    from flexframe.analyses.joint_forces.record import JointForces


class JointForcesEntry(AnalysisEntry):
    """Inverse dynamics: what joints and drives must give for the prescribed motion."""

    needs_system: ClassVar[bool] = True

    kind: Literal["joint_forces"]
    start: Time = 0.0
    duration: Duration
    samples: Samples = 361
    branch: Count | None = None

    def run(self, bodies: Bodies) -> "JointForces":
        from flexframe.analyses.joint_forces.analysis import joint_forces

        system = bodies.system()
        record = joint_forces(system, instants(self.start, self.duration, self.samples), branch=self.branch)
        return replace(record, notices=(*record.notices, *bodies.recordings()))

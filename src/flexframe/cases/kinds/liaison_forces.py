"""Forces in the liaisons of a mechanism whose motion is known."""

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from flexframe.cases.entries import Entry
from flexframe.cases.fields import Count, Text, Time
from flexframe.cases.kinds.contract import Bodies
from flexframe.cases.kinds.times import Duration, Samples, instants

if TYPE_CHECKING:
    from flexframe.results.liaison_forces import LiaisonForces


class LiaisonForcesEntry(Entry):
    """Inverse dynamics: what liaisons and drives must give for the prescribed motion."""

    kind: Literal["liaison_forces"]
    description: Text = ""
    start: Time = 0.0
    duration: Duration
    samples: Samples = 361
    branch: Count | None = None

    def run(self, bodies: Bodies) -> "LiaisonForces":
        from flexframe.analyses.liaison_forces import liaison_forces

        system = bodies.system()
        record = liaison_forces(system, instants(self.start, self.duration, self.samples), branch=self.branch)
        return replace(record, notices=(*record.notices, *bodies.recordings()))

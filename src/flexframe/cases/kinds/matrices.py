"""The matrices of a small body, written out."""

from typing import Literal

from flexframe.cases.entries import Entry
from flexframe.cases.fields import Name, Text, Time
from flexframe.cases.kinds.contract import Bodies, TermsEntry
from flexframe.cases.motions import MotionEntry
from flexframe.results.matrices import Matrices


class MatricesEntry(Entry):
    """Mass, Coriolis, stiffness parts, loads and inertia invariants."""

    kind: Literal["matrices"]
    description: Text = ""
    body: Name | None = None
    motion: MotionEntry | None = None
    time: Time = 0.0
    terms: TermsEntry = TermsEntry()

    def run(self, bodies: Bodies) -> Matrices:
        from flexframe.analyses.matrices import matrices

        frozen = bodies.frozen(self.body, self.motion, self.time)
        return matrices(frozen.discrete, frozen.motion, terms=self.terms.terms())

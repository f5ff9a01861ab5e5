"""Modes of a body at rest or at one instant of its motion."""

from typing import Literal

from flexframe.cases.entries import Entry
from flexframe.cases.fields import Count, Name, Text, Time
from flexframe.cases.kinds.contract import Bodies, TermsEntry
from flexframe.cases.kinds.formalisms import FormalismName
from flexframe.cases.motions import MotionEntry
from flexframe.results.modes import Modes


class ModesEntry(Entry):
    """Natural frequencies and shapes; eigenvalues of the frozen equations."""

    kind: Literal["modes"]
    description: Text = ""
    body: Name | None = None
    motion: MotionEntry | None = None
    time: Time = 0.0
    terms: TermsEntry = TermsEntry()
    count: Count = 10
    formalism: FormalismName | None = None

    def run(self, bodies: Bodies) -> Modes:
        from flexframe.analyses.modes import modes

        frozen = bodies.frozen(self.body, self.motion, self.time)
        return modes(
            frozen.discrete,
            frozen.motion,
            terms=self.terms.terms(),
            count=self.count,
            formalism=self.formalism,
        )

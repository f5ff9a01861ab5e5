"""Modes of a body at rest or at one instant of its motion."""

from typing import Literal

from flexframe.analyses.contract import Bodies, TermsEntry
from flexframe.analyses.modes.record import Modes
from flexframe.entries.entry import Entry
from flexframe.entries.fields import Count, Name, Text, Time
from flexframe.entries.formalisms import FormalismName
from flexframe.entries.motions import MotionEntry


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
        from flexframe.analyses.modes.analysis import modes

        frozen = bodies.frozen(self.body, self.motion, self.time)
        return modes(
            frozen.discrete,
            frozen.motion,
            terms=self.terms.terms(),
            count=self.count,
            formalism=self.formalism,
        )

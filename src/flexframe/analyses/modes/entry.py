"""Modes of a body at rest or at one instant of its motion."""

from typing import ClassVar, Literal

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, TermsEntry
from flexframe.analyses.modes.record import Modes
from flexframe.entries.fields import Count, Time
from flexframe.entries.formalisms import FormalismName
from flexframe.entries.motions import MotionEntry


class ModesEntry(BodyAnalysisEntry):
    """Natural frequencies and shapes; eigenvalues of the frozen equations."""

    takes_exact: ClassVar[bool] = True

    kind: Literal["modes"]
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
            exact=frozen.exact,
        )

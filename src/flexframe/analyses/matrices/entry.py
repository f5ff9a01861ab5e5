"""The matrices of a small body, written out."""

from typing import Literal

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, TermsEntry
from flexframe.analyses.matrices.record import Matrices
from flexframe.entries.fields import Time
from flexframe.entries.motions import MotionEntry


class MatricesEntry(BodyAnalysisEntry):
    """Mass, Coriolis, stiffness parts, loads and inertia invariants."""

    kind: Literal["matrices"]
    motion: MotionEntry | None = None
    time: Time = 0.0
    terms: TermsEntry = TermsEntry()

    def run(self, bodies: Bodies) -> Matrices:
        from flexframe.analyses.matrices.analysis import matrices

        frozen = bodies.frozen(self.body, self.motion, self.time)
        return matrices(frozen.discrete, frozen.motion, terms=self.terms.terms())

"""Natural frequencies of elastic bodies along the cycle of a mechanism."""

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from flexframe.analyses.contract import AnalysisEntry, Bodies, TermsEntry
from flexframe.entries.analysis_fields import Duration, Samples, instants
from flexframe.entries.fields import Count, Name, Time

if TYPE_CHECKING:
    from flexframe.analyses.cycle_spectrum.record import CycleSpectrum


class CycleSpectrumEntry(AnalysisEntry):
    """Eigenvalues of the equations frozen at evenly spread instants, followed as branches.

    With `body` that link alone, in its frame, held by its supports; without it all elastic bodies joined by the
    joints. `at_rest` lets the mechanism stand still in each position.
    """

    needs_system: ClassVar[bool] = True

    kind: Literal["cycle_spectrum"]
    body: Name | None = None
    start: Time = 0.0
    duration: Duration
    samples: Samples = 361
    count: Count = 6
    terms: TermsEntry = TermsEntry()
    at_rest: bool = False
    branch: Count | None = None

    def run(self, bodies: Bodies) -> "CycleSpectrum":
        from flexframe.analyses.cycle_spectrum.analysis import cycle_spectrum

        record = cycle_spectrum(
            bodies.system(),
            instants(self.start, self.duration, self.samples),
            body=self.body,
            discrete=bodies.discrete_bodies(),
            count=self.count,
            terms=self.terms.terms(),
            at_rest=self.at_rest,
            branch=self.branch,
        )
        return replace(record, notices=(*record.notices, *bodies.recordings()))

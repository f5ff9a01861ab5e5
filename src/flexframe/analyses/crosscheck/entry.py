"""The equations of a body, or of a whole system, by every formalism, compared."""

from typing import TYPE_CHECKING, Annotated, Literal

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, TermsEntry
from flexframe.entries import quantities as q
from flexframe.entries.fields import Count, Time, count, quantity
from flexframe.entries.motions import MotionEntry

if TYPE_CHECKING:
    from flexframe.analyses.crosscheck.record import Crosscheck
    from flexframe.analyses.crosscheck.system_record import SystemCrosscheck


class CrosscheckEntry(BodyAnalysisEntry):
    """Every formalism against the closed form and brute force.

    In a system without `body` and `motion` the coupled equations of all bodies are compared, and their motion over
    a short time, `duration` at most; else those of one body on a frame that moves in a known way.
    """

    kind: Literal["crosscheck"]
    motion: MotionEntry | None = None
    terms: TermsEntry = TermsEntry()
    time: Time = 0.0
    duration: Annotated[float, quantity(q.TIME, "positive")] | None = None
    sample: Count = 8
    seed: Annotated[int, count(0)] = 0

    def is_of_system(self, *, has_system: bool) -> bool:
        """Whether the equations of the whole system are compared."""
        return has_system and self.body is None and self.motion is None

    def run(self, bodies: Bodies) -> "Crosscheck | SystemCrosscheck":
        if self.is_of_system(has_system=bodies.has_system):
            return self._of_system(bodies)
        from flexframe.analyses.crosscheck.analysis import crosscheck

        moving = bodies.moving(self.body, self.motion)
        with self.blaming_motion(moving.discrete.body.name):
            return crosscheck(
                moving.discrete,
                moving.law,
                time=self.time,
                terms=self.terms.terms(),
                sample=self.sample,
                seed=self.seed,
            )

    def _of_system(self, bodies: Bodies) -> "SystemCrosscheck":
        from flexframe.analyses.crosscheck.system_analysis import crosscheck_system

        return crosscheck_system(
            bodies.system(),
            reductions=bodies.reductions(),
            terms=self.terms.terms(),
            discrete=bodies.discrete_bodies(),
            duration=self.duration,
            seed=self.seed,
        )

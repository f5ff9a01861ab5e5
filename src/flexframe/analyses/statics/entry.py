"""Displacements and stress of a body in equilibrium, or the equilibrium of a whole system."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, Misfit, TermsEntry
from flexframe.entries.fields import Time
from flexframe.entries.motions import MotionEntry

if TYPE_CHECKING:
    from flexframe.analyses.statics.record import Statics
    from flexframe.analyses.statics.system_record import SystemStatics


class StaticsEntry(BodyAnalysisEntry):
    """Equilibrium under the applied loads and the inertia of the frame's motion.

    In a system (joints, drives, rigid bodies, a start), without `body` and `motion`, it is the position in which
    all bodies rest under their loads, with drives and loads as they are at `time`.
    """

    kind: Literal["statics"]
    motion: MotionEntry | None = None
    time: Time = 0.0
    terms: TermsEntry = TermsEntry()
    second_order: bool = False
    path: bool = False
    buckling: Annotated[int, Field(ge=0, le=50)] = 0

    def is_of_system(self, *, has_system: bool) -> bool:
        """Whether the whole system rests."""
        return has_system and self.body is None and self.motion is None

    def misfits(self, *, of_system: bool) -> Iterator[Misfit]:
        """Fields that do not belong to the equilibrium of a system, or of a body, and what to do."""
        if not of_system:
            for name in ("path", "buckling"):
                if getattr(self, name):
                    yield (
                        (name,),
                        "belongs to a system; give a joint such as fixed: [ground, beam.start], or leave it out",
                    )
            return
        if self.second_order:
            yield ("second_order",), "belongs to one body; a system always counts with its deformed shape"
        for name, value in self.terms:
            if name != "geometric" and value != 1.0:
                yield ("terms", name), "has no part in the rest of a system; leave it out"
        if self.terms.geometric not in (0.0, 1.0):
            yield ("terms", "geometric"), "is 0 or 1 in a system; give one of them"

    def run(self, bodies: Bodies) -> "Statics | SystemStatics":
        terms = self.terms.terms()
        if self.is_of_system(has_system=bodies.has_system):
            from flexframe.analyses.statics.system_analysis import system_statics

            return system_statics(
                bodies.system(),
                time=self.time,
                reductions=bodies.reductions(),
                geometric=bool(terms.geometric),
                path=self.path,
                buckling=self.buckling,
                discrete=bodies.discrete_bodies(),
            )
        from flexframe.analyses.statics.analysis import statics

        frozen = bodies.frozen(self.body, self.motion, self.time)
        return statics(frozen.discrete, frozen.motion, terms=terms, second_order=self.second_order)

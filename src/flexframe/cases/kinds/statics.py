"""Displacements and stress of a body in equilibrium."""

from typing import Literal

from flexframe.cases.entries import Entry
from flexframe.cases.fields import Name, Text, Time
from flexframe.cases.kinds.contract import Bodies, TermsEntry
from flexframe.cases.motions import MotionEntry
from flexframe.results.records import Statics


class StaticsEntry(Entry):
    """Equilibrium under the applied loads and the inertia of the frame's motion."""

    kind: Literal["statics"]
    description: Text = ""
    body: Name | None = None
    motion: MotionEntry | None = None
    time: Time = 0.0
    terms: TermsEntry = TermsEntry()
    second_order: bool = False

    def run(self, bodies: Bodies) -> Statics:
        from flexframe.analyses.statics import statics

        frozen = bodies.frozen(self.body, self.motion, self.time)
        terms = self.terms.terms()
        return statics(frozen.discrete, frozen.motion, terms=terms, second_order=self.second_order)

"""The equations of a body by all six formalisms, compared."""

from typing import Annotated, Literal

from flexframe.cases.entries import Entry
from flexframe.cases.fields import Count, Name, Text, Time, count
from flexframe.cases.kinds.contract import Bodies
from flexframe.cases.motions import MotionEntry
from flexframe.results.crosscheck import Crosscheck


class CrosscheckEntry(Entry):
    """Lagrange, Gibbs–Appell, Hamilton, Maggi, Kane and Whittaker against the closed form and brute force."""

    kind: Literal["crosscheck"]
    description: Text = ""
    body: Name | None = None
    motion: MotionEntry | None = None
    time: Time = 0.0
    sample: Count = 8
    seed: Annotated[int, count(0)] = 0

    def run(self, bodies: Bodies) -> Crosscheck:
        from flexframe.analyses.crosscheck import crosscheck

        moving = bodies.moving(self.body, self.motion)
        return crosscheck(moving.discrete, moving.law, time=self.time, sample=self.sample, seed=self.seed)

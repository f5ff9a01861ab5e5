"""Commands that leave little vibration."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from flexframe.analyses.contract import AnalysisEntry, Bodies
from flexframe.entries import quantities as q
from flexframe.entries.fields import Count, Length, Multiplier, PositiveNumber, quantity
from flexframe.entries.problems import Problems
from flexframe.errors import FieldPath
from flexframe.model.system import System

if TYPE_CHECKING:
    from flexframe.analyses.feed_forward.record import FeedForward

_Seconds = Annotated[float, quantity(q.TIME, "positive")]
_Frequency = Annotated[float, quantity(q.FREQUENCY, "positive")]
_Method = Literal["none", "zv", "zvd", "ei", "fitted", "quasi_static", "stable_inversion"]


class FeedForwardEntry(AnalysisEntry):
    """What the tip does with the commands of the drives as they are, shaped (ZV, ZVD, EI, fitted) and inverted."""

    needs_system: ClassVar[bool] = True

    kind: Literal["feed_forward"]
    tip: str
    duration: _Seconds
    methods: Annotated[tuple[_Method, ...], Field(min_length=1, strict=False)] = (
        "none",
        "zv",
        "zvd",
        "quasi_static",
        "stable_inversion",
    )
    step: _Seconds | None = None
    frequency: _Frequency | None = None
    damping: Multiplier | None = None
    modes: Count = 1
    vibration: PositiveNumber = 0.05
    spread: Multiplier = 0.1
    window: _Seconds | None = None
    band: Length | None = None

    def check_system(self, system: System, problems: Problems, path: FieldPath) -> None:
        with problems.at(*path, "tip"):
            system.frame(self.tip)

    def run(self, bodies: Bodies) -> "FeedForward":
        from flexframe.analyses.feed_forward.analysis import feed_forward

        return feed_forward(
            bodies.system(),
            self.tip,
            duration=self.duration,
            methods=self.methods,
            step=self.step,
            frequency=self.frequency,
            damping=self.damping,
            modes=self.modes,
            vibration=self.vibration,
            spread=self.spread,
            window=self.window,
            band=self.band,
            reductions=bodies.reductions(),
            discrete=bodies.discrete_bodies(),
        )

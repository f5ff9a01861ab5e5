"""How far the theory of small deflections is from the truth in one coupled motion, as a record states it."""

from dataclasses import dataclass
from math import ceil
from typing import Any

WORTH_A_WARNING = 0.01
"""Error beyond which the reader is warned."""

WELL_BELOW = 0.001
"""Error that the advised number of parts would have."""


@dataclass(frozen=True)
class TheoryError:
    """Estimated error of the displacements of the worst elastic body, relative to its largest displacement.

    Displacements are those against the frame of the body. A `bound` is an upper estimate, given where that is
    small; otherwise the motion was computed a second time with the next order of the strain energy.
    """

    value: float = 0.0
    body: str = ""  # none where no body is taken to deflect little
    time: float = 0.0  # s, of the largest difference
    is_bound: bool = True
    parts: int = 1  # floating frames of the body
    is_beam: bool = False  # so that it can be divided into more
    order: int = 2  # of the equations in the deflection

    @property
    def words(self) -> str:
        """The estimate in a few words."""
        if not self.body:
            return "no body is taken to deflect little"
        if self.is_bound:
            return f"at most, of the largest displacement of {self.body}"
        return f"of the largest displacement of {self.body}, at t = {self.time:.4g} s"

    @property
    def notices(self) -> tuple[str, ...]:
        """A warning where small deflections are not small enough."""
        if self.value <= WORTH_A_WARNING:
            return ()
        return (
            f"the theory of small deflections is wrong by about {100 * self.value:.2g} % {self.words}; "
            f"{self._remedy}, or stiffen it",
        )

    @property
    def _remedy(self) -> str:
        """How to divide the body: the error falls with a power of the number of parts, or faster."""
        if not self.is_beam:
            return "divide the body into several that are welded together"
        parts = ceil(self.parts * (self.value / WELL_BELOW) ** (1 / (2 if self.order == 2 else 4)))
        further = "take terms of third order by reduction: {order: 3}, or " if self.order == 2 else ""
        return f"{further}divide the body by reduction: {{parts: {parts}}}"

    def summary(self) -> dict[str, Any]:
        """What goes into summary.json beside the value."""
        return {"body": self.body, "time_s": self.time, "is_bound": self.is_bound, "words": self.words}

"""Growth of disturbances over one period as a function of a parameter."""

from collections.abc import Callable
from dataclasses import dataclass, field

from flexframe.spectra.floquet.period_map import PeriodMap


@dataclass(eq=False)
class Growth:
    """log |μ|max over one period; maps that were made are kept."""

    make: Callable[[float], PeriodMap]
    known: dict[float, PeriodMap] = field(default_factory=dict)

    def map_at(self, value: float) -> PeriodMap:
        """The map of one period."""
        if value not in self.known:
            self.known[value] = self.make(value)
        return self.known[value]

    def at(self, value: float) -> float:
        """log |μ|max."""
        return self.map_at(value).growth

"""What a joint of a machine may do: how far, how fast and how hard; paths are checked against it."""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.given import Described


@dataclass(frozen=True)
class JointLimits(Described):
    """Bounds of a revolute or prismatic joint: of its coordinate [rad or m], its speed and its drive [N m or N].

    What is None has no bound. They stop nothing by themselves: paths and inverse kinematics keep to them or report
    what does not; `stops` of a joint are what it runs against.
    """

    joint: str
    lower: float | None = None
    upper: float | None = None
    speed: float | None = None
    force: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("speed", "force"):
            value = getattr(self, name)
            if value is not None and not (value > 0 and np.isfinite(value)):
                raise InputError(f"{name} of {self.joint} is {value:g}; give a bound above zero", field=name)
        low, high = self.range
        if not low < high:
            raise InputError(
                f"limits of {self.joint}, {low:g} and {high:g}, do not increase; sort them", field="lower"
            )

    @property
    def name(self) -> str:
        """That of its joint."""
        return self.joint

    @property
    def range(self) -> tuple[float, float]:
        """Lower and upper bound, infinite where there is none."""
        return (
            -np.inf if self.lower is None else float(self.lower),
            np.inf if self.upper is None else float(self.upper),
        )

    def nearest(self, value: float) -> float:
        """The value within the bounds that is nearest to another."""
        return float(np.clip(value, *self.range))

"""How much described velocities at the start had to be changed to meet joints and drives."""

from dataclasses import dataclass

import numpy as np

from flexframe.mechanisms.mechanism import Mechanism
from flexframe.mechanisms.states import Rates

_ROUNDING = 1e-8  # change of a velocity beside its size that is no change


@dataclass(frozen=True)
class VelocityChange:
    """How much a described velocity of a body had to be changed."""

    body: str
    linear: float  # m/s
    angular: float  # rad/s


def velocity_changes(mechanism: Mechanism, start: Rates) -> tuple[VelocityChange, ...]:
    """The bodies whose described velocities are not those of a start, beyond rounding; zero counts as none."""
    described = mechanism.rough_velocities()
    found = []
    for number, name in enumerate(mechanism.names):
        sizes = []
        for wanted, used in (
            (described.linear[0, number], start.linear[0, number]),
            (described.angular[0, number], start.angular[0, number]),
        ):
            size, change = float(np.linalg.norm(wanted)), float(np.linalg.norm(used - wanted))
            sizes.append(change if size > 0.0 and change > _ROUNDING * size else 0.0)
        if any(sizes):
            found.append(VelocityChange(name, *sizes))
    return tuple(found)

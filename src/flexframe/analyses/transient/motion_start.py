"""How a coupled motion starts: deformed or not, and what had to be changed to meet joints and drives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flexframe.model.system import InitialDeformation

_ATTRACTS = 1 - 1e-4  # multiplier that differences of whole periods tell from 1


@dataclass(frozen=True, eq=False)
class Cycle:
    """The steady cycle that a motion starts on.

    `residual` is what it changes by over one period, as the root of an energy beside that of the deformation;
    `multiplier` the largest factor by which a small disturbance grows over one period.
    """

    period: float  # s
    residual: float
    multiplier: float
    iterations: int

    @property
    def attracts(self) -> bool:
        """Whether motions that start beside it come to it."""
        return self.multiplier < _ATTRACTS

    def summary(self) -> dict[str, Any]:
        return {
            "period_s": self.period,
            "residual": self.residual,
            "largest_multiplier": self.multiplier,
            "attracting": self.attracts,
            "iterations": self.iterations,
        }


def velocity_notice(body: str, linear: float, angular: float) -> str:
    """What a reader must know of a described velocity that was changed [m/s, rad/s]."""
    return (
        f"the start velocities of {body} meet joints and drives only when changed by {linear:.4g} m/s and "
        f"{angular:.4g} rad/s; the motion starts with the changed ones"
    )


@dataclass(frozen=True, eq=False)
class MotionStart:
    """What the elastic coordinates are at t = 0.

    In equilibrium (relative velocities and accelerations zero) `eigenvalue` is the smallest of the tangent
    stiffness over the mass [rad²/s²]. Frames follow their joints where markers have moved with the deformation:
    `moved` and `turned` are the largest of all bodies. `velocity_changes` are those of described velocities.
    """

    initial_deformation: InitialDeformation
    largest_displacement: float = 0.0  # of a node relative to its frame [m]
    body: str = ""  # whose node that is
    moved: float = 0.0  # m
    turned: float = 0.0  # rad
    velocity_changes: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # m/s, rad/s
    iterations: int = 0
    eigenvalue: float = np.inf
    cycle: Cycle | None = None
    left_behind: tuple[str, ...] = ()  # bodies that do not move along with what carries them, in words
    continued: float | None = None  # s, where the motion ended that this one goes on from

    @property
    def words(self) -> str:
        """The start in one line."""
        if self.continued is not None:
            return f"goes on where another motion ended, at t = {self.continued:.6g} s"
        shape = f"displaced by {self.largest_displacement:.4g} m at most ({self.body})"
        words = f"{self.initial_deformation}, {shape if self.body else 'all bodies rigid'}"
        if self.cycle is None:
            return words
        return (
            f"{words}; a cycle of {self.cycle.period:.6g} s met to {self.cycle.residual:.1e}, largest multiplier "
            f"{self.cycle.multiplier:.4g}"
        )

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader must know of changed velocities and of a cycle that does not attract."""
        loose = () if self.cycle is None or self.cycle.attracts else (self.cycle,)
        words = [
            f"the cycle of {cycle.period:g} s does not attract: disturbances grow by {cycle.multiplier:.6g} over "
            "one period, so that motions from other starts do not come to it; damping would make them"
            for cycle in loose
        ]
        words += [velocity_notice(body, *change) for body, change in self.velocity_changes.items()]
        return (*words, *self.left_behind)

    def summary(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "initial_deformation": "continued" if self.continued is not None else self.initial_deformation,
            "max_elastic_displacement_m": self.largest_displacement,
            "body": self.body,
            "frames_moved_m": self.moved,
            "frames_turned_rad": self.turned,
            "velocity_changes": {
                body: {"linear_m_s": linear, "angular_rad_s": angular}
                for body, (linear, angular) in self.velocity_changes.items()
            },
        }
        if np.isfinite(self.eigenvalue):
            out |= {"iterations": self.iterations, "smallest_eigenvalue_rad2_s2": self.eigenvalue}
        if self.cycle is not None:
            out["cycle"] = self.cycle.summary()
        return out

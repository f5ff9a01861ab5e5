"""The record of commands of an elastic system, and what its tip does with them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.kinematics.record import summary_instants
from flexframe.maths.arrays import Array
from flexframe.motion.shapers import Shaper
from flexframe.motion.trajectories import Trajectory
from flexframe.results.record import NamedArrays, Record


@dataclass(frozen=True)
class TipMode:
    """A mode that the tip shows: natural frequency [Hz], damping ratio, and its part in the answer to a push."""

    frequency_hz: float
    damping: float
    part: float


@dataclass(frozen=True, eq=False)
class Command:
    """Commands of one method, the tip with them, and the torques or forces of the drives."""

    method: str
    times: Array  # s: (T,)
    laws: tuple[Trajectory, ...]
    tip: Array  # m, space: (T, 3)
    apart: Array  # tip less where it should be (that of the rigid system with the command): (T, 3)
    forces: Array  # N m or N: (T, drives)
    rest: Array  # where the tip comes to rest: (3,)
    before: float  # s by which the command begins before the motion that is wanted
    end: float  # of the command [s]
    shaper: Shaper | None
    rounds: int  # of an inversion
    settled: float | None = None  # s, from when on the tip stays in the band about its rest

    @property
    def deflection(self) -> float:
        """Largest distance of the tip from where it should be [m]."""
        return float(np.linalg.norm(self.apart, axis=1).max())

    @property
    def residual(self) -> float:
        """Largest distance of the tip from its rest after the end of the command [m]."""
        late = self.times >= self.end
        return float(np.linalg.norm(self.tip[late] - self.rest, axis=1).max()) if late.any() else float("nan")

    @property
    def largest_force(self) -> float:
        """Of any drive [N m or N]."""
        return float(np.abs(self.forces).max())

    def settled_within(self, band: float) -> "Command":
        """With the time from which on the tip stays within a band [m] about its rest."""
        outside = np.flatnonzero(np.linalg.norm(self.tip - self.rest, axis=1) > band)
        if not len(outside):
            return replace(self, settled=float(self.times[0]))
        last = int(outside[-1])
        return self if last == len(self.times) - 1 else replace(self, settled=float(self.times[last + 1]))


@dataclass(frozen=True, eq=False, repr=False)
class FeedForward(Record):
    """Commands by several methods: tip, torques, what is left of the vibration, and how long it takes."""

    kind: ClassVar[str] = "feed_forward"
    presented_by: ClassVar[str] = ".presentation:FeedForwardPresentation"

    system: str
    tip: str
    drives: tuple[str, ...]
    turning: tuple[bool, ...]  # which of them turn
    commands: Mapping[str, Command]
    modes: tuple[TipMode, ...]  # that shapers are for
    band: float  # m
    rigid_forces: Array  # what drives of the rigid system would give: (T, drives)
    times: Array  # of these: (T,)
    notices: tuple[str, ...] = ()

    def summary(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "system": self.system,
            "tip": self.tip,
            "modes": [{"frequency_hz": mode.frequency_hz, "damping_ratio": mode.damping} for mode in self.modes],
            "band_m": self.band,
            "methods": {
                name: {
                    "residual_vibration_m": command.residual,
                    "largest_deflection_m": command.deflection,
                    "command_ends_s": command.end,
                    "begins_before_s": command.before,
                    "settled_s": command.settled,
                    "largest_force": command.largest_force,
                    **_impulses(command),
                    **_samples(command),
                }
                for name, command in self.commands.items()
            },
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {}
        coords: dict[str, Any] = {
            "axis": ["x", "y", "z"],
            "drive": list(self.drives),
            "time_rigid": ("time_rigid", self.times, {"units": "s"}),
        }
        data["rigid_force"] = (("time_rigid", "drive"), self.rigid_forces)
        for name, command in self.commands.items():
            over = f"time_{name}"
            laws = np.stack([law.jet(command.times)[0] for law in command.laws], axis=1)
            coords[over] = (over, command.times, {"units": "s"})
            data[f"tip_{name}"] = ((over, "axis"), command.tip, {"units": "m"})
            data[f"command_{name}"] = ((over, "drive"), laws)
            data[f"force_{name}"] = ((over, "drive"), command.forces)
        return NamedArrays(data, coords=coords, attrs={"kind": self.kind, "tip": self.tip})


def _impulses(command: Command) -> dict[str, Any]:
    if command.shaper is None:
        return {}
    return {"impulses": command.shaper.amplitudes.tolist(), "impulse_times_s": command.shaper.times.tolist()}


def _samples(command: Command) -> dict[str, Any]:
    kept = summary_instants(len(command.times))
    return {"times_s": command.times[kept].tolist(), "tip_m": command.tip[kept].tolist()}

"""The record of critical speeds over the stiffness of bearings."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.results.record import NamedArrays, Record


@dataclass(frozen=True, eq=False)
class OwnStiffness:
    """Direct stiffness of bearings in one direction, over the speed if it depends on it."""

    bearings: tuple[str, ...]
    direction: str  # "x" or "y" of space across the axis, "" where both are equal
    speeds: Array | None  # rad/s: (points,)
    stiffnesses: Array  # N/m: (points,) or (1,)

    @property
    def label(self) -> str:
        """As legends and tables call it."""
        return ", ".join(self.bearings) + (f" along {self.direction}" if self.direction else "")

    def at(self, speed: float) -> float:
        """Stiffness at a speed [rad/s] within the curve [N/m]."""
        if self.speeds is None:
            return float(self.stiffnesses[0])
        return float(np.interp(speed, self.speeds, self.stiffnesses))


@dataclass(frozen=True)
class MapCrossing:
    """A speed at which a curve of the map has the stiffness of a bearing at that speed."""

    mode: int  # counted from 1
    bearing: str
    stiffness_n_m: float
    speed_rad_s: float


@dataclass(frozen=True, eq=False, repr=False)
class CriticalSpeedMap(Record):
    """Undamped critical speeds of forward whirl over one stiffness of all bearings."""

    kind: ClassVar[str] = "critical_speed_map"
    presented_by: ClassVar[str] = ".presentation:CriticalSpeedMapPresentation"

    body: str
    stiffnesses: Array  # N/m: (stiffnesses,)
    speeds: Array  # rad/s, NaN where a mode meets no speed: (stiffnesses, modes)
    bearings: tuple[str, ...]  # that have the stiffness of the map
    own: tuple[OwnStiffness, ...]
    crossings: tuple[MapCrossing, ...]
    notices: tuple[str, ...] = ()

    def summary(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "body": self.body,
            "bearings": list(self.bearings),
            "stiffnesses_N_m": self.stiffnesses.tolist(),
            "critical_speeds_rad_s": [[float(s) if np.isfinite(s) else None for s in row] for row in self.speeds],
            "own_stiffness": [
                {
                    "bearings": list(curve.bearings),
                    "direction": curve.direction,
                    "speeds_rad_s": None if curve.speeds is None else curve.speeds.tolist(),
                    "stiffnesses_N_m": curve.stiffnesses.tolist(),
                }
                for curve in self.own
            ],
            "crossings": [asdict(crossing) for crossing in self.crossings],
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        return NamedArrays(
            {"critical_speed": (("stiffness", "mode"), self.speeds, {"units": "rad/s"})},
            coords={"stiffness": ("stiffness", self.stiffnesses, {"units": "N/m"})},
            attrs={"kind": self.kind, "body": self.body},
        )

"""The record of torsional vibration: natural frequencies, critical speeds of engine orders, torques in shafts."""

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from flexframe.maths.arrays import Array, ComplexArray
from flexframe.results.record import NamedArrays, Record, thin

SUMMARY_SPEEDS = 300
REQUIRED = 0.10
"""Separation between torsional critical speeds and operating speeds that API 617 asks for."""
_ANGLES = 720  # of two revolutions, in which half orders come back


@dataclass(frozen=True)
class TorsionalCritical:
    """A speed [rad/s] at which an engine order meets a torsional mode, and its margin to the operating speeds."""

    speed_rad_s: float
    order: float
    shaft: str  # whose speed the order counts
    mode: int  # counted from 1
    frequency_hz: float
    excited: bool  # whether a torque of the analysis has this order
    margin: float | None  # part of the nearest operating speed
    verdict: str


@dataclass(frozen=True, eq=False)
class ShaftSegment:
    """A piece of a shaft between two stations [m], and the largest shear stress of a unit torque [1/m³]."""

    shaft: str
    low: float
    high: float
    stress: float

    @property
    def label(self) -> str:
        """As tables call it."""
        return f"{self.shaft}, {1e3 * self.low:.5g} to {1e3 * self.high:.5g} mm"


@dataclass(frozen=True, eq=False, repr=False)
class TorsionalResponse(Record):
    """Torques that engine orders make in shafts over the speed, beside the mean one.

    Each torque turns its shaft by amplitude · cos(e φ + phase), φ the angle of the shaft. `angles` and `torques`
    are complex amplitudes of each of them at its own frequency.
    """

    kind: ClassVar[str] = "torsional_response"
    presented_by: ClassVar[str] = ".presentation:TorsionalResponsePresentation"

    body: str
    speeds: Array  # rad/s: (speeds,)
    frequencies_hz: Array  # torsional natural frequencies above zero: (modes,)
    shapes: Array  # twist at the stations, largest 1: (modes, stations)
    stations: tuple[tuple[str, float], ...]  # shaft and place [m] of each
    names: tuple[str, ...]  # of the torques
    orders: tuple[float, ...]  # of the torques
    ratios: tuple[float, ...]  # speed of the shaft of each torque over that of the whole
    angles: ComplexArray  # rad: (torques, speeds, stations)
    segments: tuple[ShaftSegment, ...]
    torques: ComplexArray  # N m: (torques, speeds, segments)
    criticals: tuple[TorsionalCritical, ...]
    operating_speeds: tuple[float, float] | None  # rad/s
    damped: bool
    method: str
    notices: tuple[str, ...] = ()

    @cached_property
    def peaks(self) -> Array:
        """Largest torque along a turn, all orders together [N m]: (speeds, segments).

        Where shafts of several speeds are excited, whose orders never meet in a fixed way, amplitudes add up.
        """
        if len({abs(ratio) for ratio in self.ratios}) > 1:
            return np.asarray(np.abs(self.torques).sum(axis=0))
        turns = np.exp(1j * np.outer(np.linspace(0, 4 * np.pi, _ANGLES, endpoint=False), self.orders))
        best = np.zeros(self.torques.shape[1:])
        for turn in turns:
            best = np.maximum(best, np.abs(np.tensordot(turn, self.torques, axes=1).real))
        return best

    @property
    def worst(self) -> tuple[int, int]:
        """Speed and segment with the largest shear stress."""
        stress = self.peaks * np.array([segment.stress for segment in self.segments])
        k, s = np.unravel_index(int(np.argmax(stress)), stress.shape)
        return int(k), int(s)

    def summary(self) -> dict[str, Any]:
        chosen = thin(len(self.speeds), SUMMARY_SPEEDS)
        return {
            "kind": self.kind,
            "body": self.body,
            "frequencies_hz": self.frequencies_hz.tolist(),
            "critical_speeds": [asdict(critical) for critical in self.criticals],
            "operating_speeds_rad_s": None if self.operating_speeds is None else list(self.operating_speeds),
            "speeds_rad_s": self.speeds[chosen].tolist(),
            "segments": {
                segment.label: {
                    "torque_N_m": self.peaks[chosen, s].tolist(),
                    "largest_torque_N_m": float(self.peaks[:, s].max()),
                    "largest_shear_stress_Pa": float(self.peaks[:, s].max() * segment.stress),
                }
                for s, segment in enumerate(self.segments)
            },
            "damped": self.damped,
            "method": self.method,
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        parts = {
            name: np.stack([values.real, values.imag], -1)
            for name, values in (("angle", self.angles), ("torque", self.torques))
        }
        return NamedArrays(
            {
                "angle": (("excitation", "speed", "station", "part"), parts["angle"], {"units": "rad"}),
                "torque": (("excitation", "speed", "segment", "part"), parts["torque"], {"units": "N m"}),
                "largest_torque": (("speed", "segment"), self.peaks, {"units": "N m"}),
                "natural_frequency": ("mode", self.frequencies_hz, {"units": "Hz"}),
                "mode_shape": (("mode", "station"), self.shapes),
            },
            coords={
                "speed": ("speed", self.speeds, {"units": "rad/s"}),
                "excitation": list(self.names),
                "segment": [segment.label for segment in self.segments],
                "place": ("station", np.array([place for _, place in self.stations]), {"units": "m"}),
                "part": ["re", "im"],
            },
            attrs={"kind": self.kind, "body": self.body},
        )

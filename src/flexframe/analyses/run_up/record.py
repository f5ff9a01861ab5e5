"""The record of a run-up: orbits of a rotor while its speed changes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.mesh.mesh import Mesh
from flexframe.results.record import NamedArrays, Record, thin

SUMMARY_SAMPLES = 300


@dataclass(frozen=True, eq=False)
class Orbit:
    """Displacement across the axis as one complex number e₁ + ie₂ of the turning frame [m]: (instants,).

    Its shaft turns `ratio` times as fast as the train that it belongs to.
    """

    turning: ComplexArray
    ratio: float = 1.0

    @property
    def radius(self) -> Array:
        """Distance from the axis, the same in both frames [m]: (instants,)."""
        return np.abs(self.turning)

    def in_space(self, angles: Array) -> ComplexArray:
        """The same in axes of space."""
        return np.asarray(self.turning * np.exp(1j * self.ratio * angles))


@dataclass(frozen=True, eq=False, repr=False)
class RunUp(Record):
    """Motion of a rotor whose speed grows (or falls) steadily, then stays."""

    kind: ClassVar[str] = "run_up"
    presented_by: ClassVar[str] = ".presentation:RunUpPresentation"

    body: str
    mesh: Mesh
    times: Array  # s: (instants,)
    angles: Array  # turned so far, rad: (instants,)
    speeds: Array  # rad/s: (instants,)
    orbits: Mapping[str, Orbit]
    acceleration: float  # rad/s²
    steps: int
    seconds: float
    terms: Terms
    method: str
    notices: tuple[str, ...] = ()

    def peak(self, name: str) -> tuple[float, float, float]:
        """Largest radius of an orbit [m], the speed [rad/s] and the time [s] at which it occurs."""
        radius = self.orbits[name].radius
        place = int(np.argmax(radius))
        return float(radius[place]), float(self.speeds[place]), float(self.times[place])

    @property
    def largest_displacements(self) -> dict[str, float]:
        """Of each body, relative to its frame [m]."""
        seen = [orbit.radius.max(initial=0.0) for orbit in self.orbits.values()]
        return {self.body: float(max(seen, default=0.0))}

    def summary(self) -> dict[str, Any]:
        chosen = thin(len(self.times), SUMMARY_SAMPLES)
        sensors = {}
        for name, orbit in self.orbits.items():
            radius, speed, time = self.peak(name)
            sensors[name] = {
                "unit": "m",
                "radius": orbit.radius[chosen].tolist(),
                "peak": {"radius_m": radius, "speed_rad_s": speed, "time_s": time},
            }
        return {
            "kind": self.kind,
            "body": self.body,
            "acceleration_rad_s2": self.acceleration,
            "times_s": self.times[chosen].tolist(),
            "speeds_rad_s": self.speeds[chosen].tolist(),
            "sensors": sensors,
            "samples": {"shown": len(chosen), "kept": len(self.times)},
            "steps": self.steps,
            "seconds": self.seconds,
            "terms": asdict(self.terms),
            "method": self.method,
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {
            "speed": ("time", self.speeds, {"units": "rad/s"}),
            "angle": ("time", self.angles, {"units": "rad"}),
        }
        for name, orbit in self.orbits.items():
            space = orbit.in_space(self.angles)
            data[name] = (("time", "part"), np.stack([space.real, space.imag], -1), {"units": "m"})
        return NamedArrays(
            data,
            coords={"time": ("time", self.times, {"units": "s"}), "part": ["e1", "e2"]},
            attrs={"kind": self.kind, "body": self.body, "frame": "inertial"},
        )

"""The record of frozen eigenvalues along the cycle of a mechanism."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.kinematics.record import summary_instants
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.multibody.motion import MechanismMotion
from flexframe.results.record import NamedArrays, Record

FROZEN = "eigenvalues of frozen coefficients; they do not decide the stability of a motion that changes"
LISTED = 50  # doubtful steps that a summary names


@dataclass(frozen=True, eq=False, repr=False)
class CycleSpectrum(Record):
    """Eigenvalues of the equations frozen at each instant, followed through the cycle as branches.

    `assurance` is the modal assurance of each branch with the instant before; steps at which it is low are in
    `ambiguous`. `error_estimate` is the largest relative error of a frequency that the reduced basis may cause.
    """

    kind: ClassVar[str] = "cycle_spectrum"
    presented_by: ClassVar[str] = ".presentation:CycleSpectrumPresentation"

    motion: MechanismMotion
    bodies: tuple[str, ...]  # that deform
    eigenvalues: ComplexArray  # (instants, branches)
    assurance: Array  # (instants, branches)
    ambiguous: IntArray
    drive_angles: Mapping[str, Array]  # rad, of drives by angle: (instants,) each
    at_rest: bool
    terms: Terms
    unknowns: int
    method: str
    error_estimate: float
    checked_instants: int
    seconds: float
    notices: tuple[str, ...] = ()

    @property
    def times(self) -> Array:
        """s: (instants,)."""
        return self.motion.times

    @property
    def frequencies_hz(self) -> Array:
        """(instants, branches)."""
        return np.abs(self.eigenvalues.imag) / (2 * np.pi)

    @property
    def growth_rates(self) -> Array:
        """1/s, of the frozen equations: (instants, branches)."""
        return np.asarray(self.eigenvalues.real)

    @property
    def crank_angle_deg(self) -> Array | None:
        """Of the first drive by angle, None where there is none: (instants,)."""
        first = next(iter(self.drive_angles.values()), None)
        return None if first is None else np.degrees(first)

    def summary(self) -> dict[str, Any]:
        kept = summary_instants(len(self.times))
        frequencies = self.frequencies_hz
        angle = self.crank_angle_deg
        doubtful = [
            {
                "time_s": float(self.times[i]),
                "branch": int(np.argmin(self.assurance[i])) + 1,
                "modal_assurance": float(self.assurance[i].min()),
            }
            for i in self.ambiguous[:LISTED]
        ]
        return {
            "kind": self.kind,
            "system": self.motion.mechanism.system.name,
            "bodies": list(self.bodies),
            "at_rest": self.at_rest,
            "terms": asdict(self.terms),
            "instants": len(self.times),
            "unknowns": self.unknowns,
            "times_s": self.times[kept].tolist(),
            **({} if angle is None else {"crank_angle_deg": angle[kept].tolist()}),
            "frequencies_hz": frequencies[kept].tolist(),
            "growth_rates_1_s": self.growth_rates[kept].tolist(),
            "range_hz": [[float(f.min()), float(f.max())] for f in frequencies.T],
            "ambiguous_steps": len(self.ambiguous),
            "ambiguous": doubtful,
            "error_estimate": self.error_estimate,
            "checked_instants": self.checked_instants,
            "method": self.method,
            "stability": FROZEN,
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {
            "frequency": (("time", "branch"), self.frequencies_hz, {"units": "Hz"}),
            "growth_rate": (("time", "branch"), self.growth_rates, {"units": "1/s"}),
            "eigenvalue_real": (("time", "branch"), self.eigenvalues.real, {"units": "rad/s"}),
            "eigenvalue_imaginary": (("time", "branch"), self.eigenvalues.imag, {"units": "rad/s"}),
            "modal_assurance": (("time", "branch"), self.assurance),
        }
        if self.drive_angles:
            data["drive_angle"] = (
                ("time", "drive"),
                np.array(list(self.drive_angles.values())).T,
                {"units": "rad"},
            )
        return NamedArrays(
            data,
            coords={
                "time": ("time", self.times, {"units": "s"}),
                "branch": np.arange(1, self.eigenvalues.shape[1] + 1),
                **({"drive": list(self.drive_angles)} if self.drive_angles else {}),
            },
            attrs={"kind": self.kind, "bodies": ", ".join(self.bodies), "error_estimate": self.error_estimate},
        )

"""The record of the harmonic response of a system: complex amplitudes of all sensors over frequency."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from flexframe.analyses.campbell.system_shapes import BodyShapes
from flexframe.analyses.frequency_response.record import SUMMARY_SAMPLES, ResponseCurve, peak_of
from flexframe.analyses.transient.coupled_record import ReductionFigures
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.system import System
from flexframe.results.record import Frame, NamedArrays, Record, thin


@dataclass(frozen=True, eq=False, repr=False)
class SystemResponse(Record):
    """Steady answers y = Re(ŷ e^{iωt}) of a system about its equilibrium or its steady rotation."""

    kind: ClassVar[str] = "frequency_response"
    presented_by: ClassVar[str] = ".system_presentation:SystemResponsePresentation"
    over: ClassVar[Literal["frequency"]] = "frequency"

    system: System
    abscissa: Array  # Hz: (samples,)
    excitation: str
    curves: Mapping[str, ResponseCurve]
    snapshots: IntArray  # samples whose shapes are kept: the peaks
    shapes: tuple[BodyShapes, ...]  # changes of position about the equilibrium, a branch for each of them
    frame: Frame
    time: float  # s, of drives and loads at rest
    speed_rad_s: float
    drive: str  # that turns the system; none where it rests
    reductions: tuple[ReductionFigures, ...]
    method: str
    error: float  # part of a column of the equations by which two differences differ
    strains: Mapping[str, float] = field(default_factory=dict)  # largest of each body of exact beams at the point
    notices: tuple[str, ...] = ()

    def summary(self) -> dict[str, Any]:
        chosen = thin(len(self.abscissa), SUMMARY_SAMPLES)
        return {
            "kind": self.kind,
            "system": self.system.name,
            "frequencies_hz": self.abscissa[chosen].tolist(),
            "excitation": self.excitation,
            "sensors": {
                name: {
                    "unit": curve.unit,
                    "amplitude": curve.amplitude[chosen].tolist(),
                    "phase_deg": curve.phase_deg[chosen].tolist(),
                }
                for name, curve in self.curves.items()
            },
            "peaks": {name: peak_of(curve, self.over, self.abscissa) for name, curve in self.curves.items()},
            "frame": self.frame,
            "time_s": self.time,
            "speed_rad_s": self.speed_rad_s,
            "drive": self.drive,
            **({"max_strain": dict(self.strains)} if self.strains else {}),
            "reductions": {found.body: found.summary() for found in self.reductions},
            "method": self.method,
            "error": self.error,
            "samples": {"shown": len(chosen), "kept": len(self.abscissa)},
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {
            name: (("sample", "part"), np.stack([c.values.real, c.values.imag], -1), {"units": c.unit})
            for name, c in self.curves.items()
        }
        for body in self.shapes:
            data |= body.variables("picture")
        return NamedArrays(
            data,
            coords={
                "frequency": ("sample", self.abscissa, {"units": "Hz"}),
                "picture": self.abscissa[self.snapshots],
                "part": ["re", "im"],
                "dof": ["ux", "uy", "uz", "rx", "ry", "rz"],
                "axis": ["x", "y", "z"],
            },
            attrs={"kind": self.kind, "system": self.system.name, "frame": self.frame},
        )

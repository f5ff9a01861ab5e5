"""The record of a harmonic response: complex amplitudes over frequency, or over speed for an unbalance."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from flexframe.analyses.frequency_response.amplification import Passage
from flexframe.analyses.frequency_response.balance import JournalVibration, RotorBalance
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.supports import FrameSpring
from flexframe.presentation.symbols import TurningLoad
from flexframe.results.body_fields import mesh_variables
from flexframe.results.record import Frame, NamedArrays, Record, thin
from flexframe.spectra.rotation.ellipses import Ellipses

SUMMARY_SAMPLES = 300


@dataclass(frozen=True, eq=False)
class ResponseCurve:
    """Complex amplitude of what one sensor sees: (samples,)."""

    unit: str
    values: ComplexArray

    @property
    def amplitude(self) -> Array:
        """Without phase: (samples,)."""
        return np.abs(self.values)

    @property
    def phase_deg(self) -> Array:
        """Against the load, in (−180, 180]: (samples,)."""
        return np.degrees(np.angle(self.values))


def peak_of(curve: ResponseCurve, over: str, abscissa: Array) -> dict[str, float]:
    """The largest amplitude of a curve and where it is."""
    place = int(np.argmax(curve.amplitude))
    return {over: float(abscissa[place]), "amplitude": float(curve.amplitude[place])}


def operating_samples(speeds: Array, operating: tuple[float, float] | None) -> tuple[int, ...]:
    """Samples nearest to the ends of a range of operating speeds, as far as they are within the speeds."""
    inside = [s for s in operating or () if speeds.min() <= s <= speeds.max()]
    return tuple(dict.fromkeys(int(np.argmin(np.abs(speeds - s))) for s in inside))


@dataclass(frozen=True, eq=False, repr=False)
class FrequencyResponse(Record):
    """Steady answers u = Re(û e^{iωt}) of a body at a frozen speed, or of an unbalance over the speed.

    `abscissa` is the frequency of the load [Hz] or the speed [rad/s]; `frame` the frame whose displacements the
    sensors show.
    """

    kind: ClassVar[str] = "frequency_response"
    presented_by: ClassVar[str] = ".presentation:FrequencyResponsePresentation"

    body: str
    mesh: Mesh
    over: Literal["frequency", "speed"]
    abscissa: Array  # Hz or rad/s: (samples,)
    excitation: str
    curves: Mapping[str, ResponseCurve]
    snapshots: IntArray  # samples whose shapes are kept: the peaks
    shapes: ComplexArray  # û, ux … rz at the nodes: (snapshots, nodes, 6)
    frame: Frame
    speed_rad_s: float | None  # None where it is the abscissa
    terms: Terms
    method: str
    error: float  # largest residual looked at, as a part of the answer in the energy norm; 0 for direct solutions
    notices: tuple[str, ...] = ()
    model: Body | None = None  # as it is drawn
    bearings: tuple[FrameSpring, ...] = ()  # as they are drawn
    turning: tuple[TurningLoad, ...] = ()  # unbalances and whirling forces, as they are drawn
    orbits: Mapping[str, Ellipses] = field(default_factory=dict)  # of an unbalance at the sensors [m]
    bearing_forces: Mapping[str, Ellipses] = field(default_factory=dict)  # that bearings pass on [N]
    passages: tuple[Passage, ...] = ()  # critical speeds of the curves over the speed
    operating_speeds: tuple[float, float] | None = None  # rad/s
    balance: tuple[RotorBalance, ...] = ()  # of each rotor after ISO 21940-11
    vibrations: tuple[JournalVibration, ...] = ()  # of its journals at the operating speeds after ISO 7919-3

    @property
    def operating_samples(self) -> tuple[int, ...]:
        """Samples nearest to the lowest and the highest operating speed within the speeds."""
        return operating_samples(self.abscissa, self.operating_speeds)

    @property
    def largest_displacements(self) -> dict[str, float]:
        """Of each body, relative to its frame [m]."""
        seen = [curve.amplitude.max(initial=0.0) for curve in self.curves.values() if curve.unit == "m"]
        return {self.body: float(max([np.abs(self.shapes[..., :3]).max(initial=0.0), *seen]))}

    def summary(self) -> dict[str, Any]:
        chosen = thin(len(self.abscissa), SUMMARY_SAMPLES)
        key = "frequencies_hz" if self.over == "frequency" else "speeds_rad_s"
        return {
            "kind": self.kind,
            "body": self.body,
            key: self.abscissa[chosen].tolist(),
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
            "speed_rad_s": self.speed_rad_s,
            "terms": asdict(self.terms),
            "method": self.method,
            "error": self.error,
            "samples": {"shown": len(chosen), "kept": len(self.abscissa)},
            "notices": list(self.notices),
        } | self._unbalance_summary(chosen)

    def _unbalance_summary(self, chosen: IntArray) -> dict[str, Any]:
        """What is known of an unbalance beside its curves."""
        if self.over == "frequency":
            return {}
        return {
            "critical_speeds": [asdict(passage) for passage in self.passages],
            "operating_speeds_rad_s": None if self.operating_speeds is None else list(self.operating_speeds),
            "balance": [asdict(rotor) for rotor in self.balance],
            "journal_vibrations": [asdict(journal) for journal in self.vibrations],
            "orbits_m": {name: _axes(orbit, chosen) for name, orbit in self.orbits.items()},
            "bearing_forces_N": {name: _axes(force, chosen) for name, force in self.bearing_forces.items()},
        }

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {
            name: (("sample", "part"), np.stack([c.values.real, c.values.imag], -1), {"units": c.unit})
            for name, c in self.curves.items()
        }
        data["shape"] = (("picture", "node", "dof", "part"), np.stack([self.shapes.real, self.shapes.imag], -1))
        data |= mesh_variables(self.mesh)
        return NamedArrays(
            data,
            coords={
                self.over: ("sample", self.abscissa, {"units": "Hz" if self.over == "frequency" else "rad/s"}),
                "picture": self.abscissa[self.snapshots],
                "part": ["re", "im"],
                "dof": ["ux", "uy", "uz", "rx", "ry", "rz"],
                "axis": ["x", "y", "z"],
            },
            attrs={"kind": self.kind, "body": self.body, "frame": self.frame},
        )


def _axes(ellipses: Ellipses, chosen: IntArray) -> dict[str, list[float]]:
    """Half axes over the samples, the smaller one negative against the spin, and the angle of the larger one."""
    return {
        "major": ellipses.major[chosen].tolist(),
        "minor": ellipses.minor[chosen].tolist(),
        "inclination_deg": np.degrees(ellipses.inclination[chosen]).tolist(),
    }

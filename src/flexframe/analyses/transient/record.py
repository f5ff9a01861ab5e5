"""The record of a motion in time of one body on a frame that moves in a known way."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np

from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.results.body_fields import frame_variables, mesh_variables
from flexframe.results.peaks import Peaks, StressRecord, peaks_of
from flexframe.results.record import NamedArrays, Record, thin

SUMMARY_SAMPLES = 300


@dataclass(frozen=True, eq=False)
class SensorHistory:
    """What one sensor saw at the stored instants, and its extremes over all steps."""

    unit: str
    values: Array  # (instants,)
    peaks: Peaks | None = None  # None where every step is stored

    def extremes(self, times: Array) -> Peaks:
        """Over all steps; `times` are those of the values."""
        return self.peaks or peaks_of(times, self.values)


@dataclass(frozen=True, eq=False)
class FramePath:
    """Where the body frame was: origin in space and unit quaternion (scalar first) at each picture."""

    positions: Array  # (snapshots, 3)
    rotations: Array  # (snapshots, 4)


@dataclass(frozen=True, eq=False, repr=False)
class Transient(Record):
    """Displacements relative to the frame over time.

    `energy_drift` is the largest misfit of the energy balance (kinetic and strain energy relative to the
    frame, less the work of frame, loads and damping), relative to the largest energy.
    """

    kind: ClassVar[str] = "transient"
    presented_by: ClassVar[str] = ".presentation:TransientPresentation"

    body: str
    mesh: Mesh
    times: Array  # s: (instants,)
    sensors: Mapping[str, SensorHistory]
    support_forces: Array | None  # resultant in body axes at the instants of the summary, N: (samples, 3)
    snapshots: IntArray  # instants whose displacements are kept: (snapshots,)
    displacements: Array  # ux … rz at the nodes: (snapshots, nodes, 6)
    frame_path: FramePath | None  # None where the motion has no position in space
    energy_drift: float
    constraint_residual: float
    steps: int
    seconds: float
    formalism: str  # "" for the closed form
    method: str
    frame: str
    terms: Terms
    notices: tuple[str, ...] = ()
    settling: Mapping[str, float] = field(default_factory=dict)  # half bands of sensors, SI
    stress: StressRecord | None = None
    model: Body | None = None  # as it is drawn

    @property
    def samples(self) -> IntArray:
        """Instants that the summary shows."""
        return thin(len(self.times), SUMMARY_SAMPLES)

    @property
    def largest_displacements(self) -> dict[str, float]:
        """Of each body, relative to its frame [m]."""
        return {self.body: float(np.abs(self.displacements[..., :3]).max(initial=0.0))}

    def summary(self) -> dict[str, Any]:
        chosen = self.samples
        carried = {} if self.support_forces is None else dict(zip("xyz", self.support_forces.T, strict=True))
        return {
            "kind": self.kind,
            "body": self.body,
            "times_s": self.times[chosen].tolist(),
            "sensors": {
                name: {"unit": sensor.unit, "values": sensor.values[chosen].tolist()}
                for name, sensor in self.sensors.items()
            }
            | {f"support_force_{axis}": {"unit": "N", "values": f.tolist()} for axis, f in carried.items()},
            "peaks": {name: sensor.extremes(self.times).summary() for name, sensor in self.sensors.items()},
            "samples": {"shown": len(chosen), "kept": len(self.times)},
            "stress": {m.measure: m.summary() for m in self.stress.measures} if self.stress else {},
            "energy_drift": self.energy_drift,
            "constraint_residual": self.constraint_residual,
            "steps": self.steps,
            "seconds": self.seconds,
            "formalism": self.formalism or "closed form",
            "method": self.method,
            "frame": self.frame,
            "terms": asdict(self.terms),
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {
            name: ("time", sensor.values, {"units": sensor.unit}) for name, sensor in self.sensors.items()
        }
        if self.support_forces is not None:
            data["support_force"] = (("sample", "axis"), self.support_forces, {"units": "N"})
        data["displacement"] = (("picture", "node", "dof"), self.displacements)
        data |= mesh_variables(self.mesh)
        if self.stress is not None:
            data |= {
                f"stress_{m.measure}": ("stress_time", m.values, {"units": "Pa"}) for m in self.stress.measures
            }
            data["stress_time"] = ("stress_time", self.stress.measures[0].times, {"units": "s"})
            if self.stress.nodal is not None:
                data["nodal_stress_von_mises"] = (("picture", "node"), self.stress.nodal, {"units": "Pa"})
        if self.frame_path is not None:
            data |= frame_variables(self.frame_path.positions, self.frame_path.rotations)
        return NamedArrays(
            data,
            coords={
                "time": ("time", self.times, {"units": "s"}),
                "picture": self.times[self.snapshots],
                "sample": self.times[self.samples],
                "dof": ["ux", "uy", "uz", "rx", "ry", "rz"],
                "axis": ["x", "y", "z"],
            },
            attrs={
                "kind": self.kind,
                "body": self.body,
                "formalism": self.formalism or "closed form",
                "energy_drift": self.energy_drift,
                "constraint_residual": self.constraint_residual,
            },
        )

"""The record of the elastic motion of bodies about the rigid motion of their mechanism."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.kinematics.record import summary_instants
from flexframe.analyses.transient.record import SensorHistory
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.maths.rotations import quaternion_from_rotation
from flexframe.model.body import Body
from flexframe.multibody.inverse_dynamics import MechanismForces
from flexframe.multibody.motion import MechanismMotion
from flexframe.results.body_fields import frame_variables, mesh_variables
from flexframe.results.motion_damping import MotionDamping
from flexframe.results.peaks import StressHistory
from flexframe.results.record import NamedArrays, Record
from flexframe.sensors.contract import Marker

PICTURES = 240  # shapes that are kept, as many as a moving scene shows


@dataclass(frozen=True, eq=False)
class ElasticJointForce:
    """Force and moment on a body in a joint, elastic motion included, space axes; `rigid_force` without it."""

    on: str
    force: Array  # N: (instants, 3)
    moment: Array  # N m, about the place: (instants, 3)
    rigid_force: Array  # N: (instants, 3)


@dataclass(frozen=True, eq=False)
class PeriodicResponse:
    """A response that repeats: largest change over the period, and the multipliers of small disturbances."""

    period: float
    residual: float  # of the displacements after one period, relative to the largest
    multipliers: ComplexArray

    @property
    def stable(self) -> bool:
        """Whether no disturbance grows."""
        return bool(np.abs(self.multipliers).max() <= 1 + 1e-6)


@dataclass(frozen=True, eq=False, repr=False)
class ElasticResponse(Record):
    """Deformation of elastic bodies over time, driven by the rigid motion (one-way coupling).

    `energy_drift` is the largest misfit of the energy balance of the deformation, relative to the largest energy;
    `constraint_residual` the largest misfit of the joints, relative to the largest displacement; `unresolved` the
    part of the energy of a link that is vibration too fast for the steps.
    """

    kind: ClassVar[str] = "elastic_response"
    presented_by: ClassVar[str] = ".presentation:ElasticResponsePresentation"

    motion: MechanismMotion
    forces: MechanismForces  # of the rigid motion
    bodies: tuple[str, ...]
    sensors: Mapping[str, SensorHistory]
    joints: Mapping[str, ElasticJointForce]
    stress: tuple[StressHistory, ...]
    snapshots: IntArray  # instants whose shapes are kept
    displacements: Mapping[str, Array]  # of each body, in its axes: (snapshots, nodes, 6)
    energy_drift: float
    constraint_residual: float
    steps: int
    seconds: float
    method: str
    basis: str
    drive_angles: Mapping[str, Array]
    terms: Terms
    periodic: PeriodicResponse | None = None
    damping: MotionDamping = field(default_factory=MotionDamping)
    watched: Mapping[str, Marker] = field(default_factory=dict)  # points that sensors follow
    unresolved: float = 0.0
    notices: tuple[str, ...] = ()

    @property
    def times(self) -> Array:
        """s: (instants,)."""
        return self.motion.times

    @property
    def largest_displacements(self) -> dict[str, float]:
        """Of each body, relative to its frame [m]."""
        return {
            name: float(np.abs(shapes[..., :3]).max(initial=0.0)) for name, shapes in self.displacements.items()
        }

    def summary(self) -> dict[str, Any]:
        kept = summary_instants(len(self.times))
        angle = next(iter(self.drive_angles.values()), None)
        out: dict[str, Any] = {
            "kind": self.kind,
            "coupling": "one-way",
            "system": self.motion.mechanism.system.name,
            "bodies": list(self.bodies),
            "instants": len(self.times),
            "times_s": self.times[kept].tolist(),
        }
        if angle is not None:
            out["crank_angle_deg"] = np.degrees(angle)[kept].tolist()
        out |= {
            "sensors": {
                name: {
                    "unit": sensor.unit,
                    "values": sensor.values[kept].tolist(),
                    **sensor.extremes(self.times).summary(),
                }
                for name, sensor in self.sensors.items()
            },
            "peaks": {name: sensor.extremes(self.times).summary() for name, sensor in self.sensors.items()},
            "axes": "space",
            "joints": {
                name: {
                    "on": found.on,
                    "force": found.force[kept].tolist(),
                    "moment": found.moment[kept].tolist(),
                    "max_force_N": float(np.linalg.norm(found.force, axis=1).max()),
                    "max_rigid_force_N": float(np.linalg.norm(found.rigid_force, axis=1).max()),
                }
                for name, found in self.joints.items()
            },
            "stress": {found.body: found.summary() for found in self.stress},
            "energy_drift": self.energy_drift,
            "constraint_residual": self.constraint_residual,
            "unresolved": self.unresolved,
            "steps": self.steps,
            "seconds": self.seconds,
            "method": self.method,
            "basis": self.basis,
            "terms": asdict(self.terms),
            "damping": self.damping.summary(),
        }
        if self.periodic is not None:
            out["periodic"] = {
                "period_s": self.periodic.period,
                "residual": self.periodic.residual,
                "largest_multiplier": float(np.abs(self.periodic.multipliers).max()),
                "stable": self.periodic.stable,
            }
        return out | {"notices": list(self.notices)}

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {
            f"sensor_{name}": ("time", sensor.values, {"units": sensor.unit})
            for name, sensor in self.sensors.items()
        }
        for name, found in self.joints.items():
            data[f"force_{name}"] = (("time", "axis"), found.force, {"units": "N"})
            data[f"moment_{name}"] = (("time", "axis"), found.moment, {"units": "N m"})
        for name, shapes in self.displacements.items():
            data[f"displacement_{name}"] = (("picture", f"node_{name}", "dof"), shapes)
            body = self.motion.mechanism.system.body(name)
            if isinstance(body, Body):
                moved = self.motion.body(name)
                turned = quaternion_from_rotation(moved.rotations[self.snapshots])
                data |= mesh_variables(body.mesh, name)
                data |= frame_variables(moved.positions[self.snapshots], turned, name)
        for found_stress in self.stress:
            name = found_stress.body
            data[f"stress_{name}"] = (f"stress_time_{name}", found_stress.largest, {"units": "Pa"})
            data[f"stress_time_{name}"] = (f"stress_time_{name}", found_stress.times, {"units": "s"})
        return NamedArrays(
            data,
            coords={
                "time": ("time", self.times, {"units": "s"}),
                "picture": self.times[self.snapshots],
                "dof": ["ux", "uy", "uz", "rx", "ry", "rz"],
                "axis": ["x", "y", "z"],
            },
            attrs={"kind": self.kind, "bodies": ", ".join(self.bodies), "energy_drift": self.energy_drift},
        )

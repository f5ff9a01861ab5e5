"""The record of a motion computed from the forces."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from flexframe.analyses.joint_forces.record import forces_summary, with_forces
from flexframe.analyses.kinematics.record import (
    UNITS,
    body_summary,
    motion_arrays,
    place_summary,
    sensor_arrays,
    sensors_summary,
    summary_instants,
)
from flexframe.analyses.peak_instants import Between, place_names
from flexframe.analyses.transient.record import SensorHistory
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.multibody.inverse_dynamics import MechanismForces
from flexframe.multibody.motion import MechanismMotion
from flexframe.results.record import NamedArrays, Record, complex_pairs
from flexframe.sensors.contract import Marker


@dataclass(frozen=True, eq=False)
class Periodicity:
    """That the motion repeats itself, and how disturbances of it grow over one period."""

    period_s: float
    residual: float
    multipliers: ComplexArray
    iterations: int

    @property
    def stable(self) -> bool:
        """Whether every disturbance dies out."""
        return bool((abs(self.multipliers) < 1.0).all())


@dataclass(frozen=True, eq=False, repr=False)
class RigidMotion(Record):
    """Motion of a mechanism under its forces, with the joint forces.

    `energy_drift` is the largest change of stored energy less the work of loads and drives, relative to the
    largest energy involved, along the steps of the integration; it does not depend on the instants of the record.
    """

    kind: ClassVar[str] = "rigid_motion"
    presented_by: ClassVar[str] = ".presentation:RigidMotionPresentation"

    forces: MechanismForces
    kinetic_energy: Array  # J: (instants,)
    energy_drift: float
    steps: int
    evaluations: int
    method: str
    events: tuple[tuple[str, float], ...] = ()
    periodicity: Periodicity | None = None
    notices: tuple[str, ...] = ()
    sensors: Mapping[str, SensorHistory] = field(default_factory=dict)
    watched: Mapping[str, Marker] = field(default_factory=dict)  # points that sensors follow
    between: Between | None = None  # peaks that lie between the instants
    settling: Mapping[str, float] = field(default_factory=dict)  # half bands of sensors, SI

    @property
    def motion(self) -> MechanismMotion:
        """The motion."""
        return self.forces.motion

    def summary(self) -> dict[str, Any]:
        motion, kept = self.motion, summary_instants(len(self.motion.times))
        out: dict[str, Any] = {
            "kind": self.kind,
            "system": motion.mechanism.system.name,
            "space": motion.mechanism.system.space,
            "degrees_of_freedom": motion.mobility.degrees_of_freedom,
            "redundant_constraints": motion.mobility.redundant,
            "redundant_joints": list(motion.mobility.redundant_joints),
            "instants": len(motion.times),
            "energy_drift": self.energy_drift,
            "constraint_residual": motion.closure,
            "balance_residual": self.forces.balance,
            "steps": self.steps,
            "evaluations": self.evaluations,
            "method": self.method,
            "events": [{"name": name, "time_s": time} for name, time in self.events],
            "motion_units": UNITS,
            "times_s": motion.times[kept].tolist(),
            "bodies": {name: body_summary(motion.body(name), kept) for name in motion.names},
            "points": {place: place_summary(motion, place, kept) for place in place_names(motion)},
            **forces_summary(self.forces, kept, self.between),
            "kinetic_energy_J": self.kinetic_energy[kept].tolist(),
            **sensors_summary(self.sensors, motion.times, kept),
            "notices": list(self.notices),
        }
        if self.periodicity is not None:
            out["period_s"] = self.periodicity.period_s
            out["period_residual"] = self.periodicity.residual
            out["multipliers"] = complex_pairs(self.periodicity.multipliers)
            out["stable"] = self.periodicity.stable
        return out

    def arrays(self) -> NamedArrays:
        arrays = with_forces(motion_arrays(self.motion, self.kind), self.forces)
        energy = {"kinetic_energy": ("time", self.kinetic_energy, {"units": "J"})}
        return arrays.extend(energy | sensor_arrays(self.sensors))

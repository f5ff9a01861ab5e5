"""The record of the forces in the joints of a mechanism."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.kinematics.record import motion_arrays, summary_instants
from flexframe.analyses.peak_instants import Between, joined_forces
from flexframe.maths.arrays import Array, IntArray
from flexframe.multibody.inverse_dynamics import JointForce, MechanismForces, applied_power, drive_power
from flexframe.multibody.motion import MechanismMotion
from flexframe.results.record import NamedArrays, Record


@dataclass(frozen=True, eq=False, repr=False)
class JointForces(Record):
    """Forces and moments of every joint and drive along a known motion, by inverse dynamics."""

    kind: ClassVar[str] = "joint_forces"
    presented_by: ClassVar[str] = ".presentation:JointForcesPresentation"

    forces: MechanismForces
    notices: tuple[str, ...] = ()
    between: Between | None = None  # peaks that lie between the instants

    @property
    def motion(self) -> MechanismMotion:
        """The motion that needs these forces."""
        return self.forces.motion

    def summary(self) -> dict[str, Any]:
        motion, kept = self.motion, summary_instants(len(self.motion.times))
        return {
            "kind": self.kind,
            "system": motion.mechanism.system.name,
            "space": motion.mechanism.system.space,
            "degrees_of_freedom": motion.mobility.degrees_of_freedom,
            "redundant_constraints": motion.mobility.redundant,
            "redundant_joints": list(motion.mobility.redundant_joints),
            "instants": len(motion.times),
            "balance_residual": self.forces.balance,
            "times_s": motion.times[kept].tolist(),
            **forces_summary(self.forces, kept, self.between),
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        return with_forces(motion_arrays(self.motion, self.kind), self.forces)


def forces_summary(forces: MechanismForces, kept: IntArray, between: Between | None) -> dict[str, Any]:
    """Forces on the second body of each joint, in space axes, at some instants; the largest of all."""
    times, joints = joined_forces(forces, between)
    return {
        "axes": "space",
        "units": {"force": "N", "moment": "N m", "power": "W"},
        "joints": {name: _joint(force, times, kept) for name, force in joints.items() if not force.drive},
        "drives": {name: _drive(force, times, kept) for name, force in joints.items() if force.drive},
        "drive_power": drive_power(forces)[kept].tolist(),
        "load_power": applied_power(forces.motion)[kept].tolist(),
    }


def _joint(force: JointForce, times: Array, kept: IntArray) -> dict[str, Any]:
    size = np.linalg.norm(force.force, axis=1)
    worst = int(np.argmax(size))
    return {
        "on": force.second,
        "by": force.first,
        "force": force.force[kept].tolist(),
        "moment": force.moment[kept].tolist(),
        "max_force_N": float(size[worst]),
        "max_force_at_s": float(times[worst]),
        "max_moment_Nm": float(np.linalg.norm(force.moment, axis=1).max()),
    }


def _drive(force: JointForce, times: Array, kept: IntArray) -> dict[str, Any]:
    return {**_joint(force, times, kept), "values": force.values[kept].T.tolist()}


def with_forces(arrays: NamedArrays, forces: MechanismForces) -> NamedArrays:
    """The arrays of a motion with the forces added."""
    names = list(forces.joints)
    if not names:
        return arrays
    vector = ("time", "joint", "axis")
    found = forces.joints.values()
    return arrays.extend(
        {
            "force": (vector, np.stack([f.force for f in found], axis=1), {"units": "N"}),
            "moment": (vector, np.stack([f.moment for f in found], axis=1), {"units": "N m"}),
            "place": (vector, np.stack([f.places for f in found], axis=1), {"units": "m"}),
            "drive_power": ("time", drive_power(forces), {"units": "W"}),
        },
        coords={"joint": names},
    )

"""The record of joint values that bring a tool to a pose."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.kinematics.record import motion_arrays
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import vector_from_rotation
from flexframe.multibody.motion import MechanismMotion
from flexframe.results.record import NamedArrays, Record


@dataclass(frozen=True)
class JointValues:
    """A joint: its unit, its value, and its limits (infinite where there are none)."""

    name: str
    unit: str
    value: float
    limits: tuple[float, float]

    @property
    def margin(self) -> float:
        """Distance from the nearer limit."""
        return min(self.value - self.limits[0], self.limits[1] - self.value)


@dataclass(frozen=True, eq=False, repr=False)
class InverseKinematics(Record):
    """Joint values that bring a tool to a pose, and where it then is."""

    kind: ClassVar[str] = "inverse_kinematics"
    presented_by: ClassVar[str] = ".presentation:InverseKinematicsPresentation"

    system: str
    tool: str
    joints: tuple[JointValues, ...]
    others: Array  # other solutions, by their distance from the start: (n, joints)
    wanted: Array  # m: (3,)
    place: Array  # of the tool, m: (3,)
    axes: Array  # of the tool in space: (3, 3)
    distance: float  # of the tool from the wanted place, m
    turned: float  # of the tool against the wanted rotation, rad
    reached: bool
    singular_value: float  # smallest of the Jacobian beside the largest; zero is a singular pose
    motion: MechanismMotion  # from the start to the pose
    notices: tuple[str, ...] = ()

    @property
    def values(self) -> Array:
        """Of the joints [rad or m]: (joints,)."""
        return np.array([joint.value for joint in self.joints])

    def summary(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "system": self.system,
            "tool": self.tool,
            "reached": self.reached,
            "joints": {joint.name: {"unit": joint.unit, "value": joint.value} for joint in self.joints},
            "other_solutions": self.others.tolist(),
            "place_m": self.place.tolist(),
            "rotation_rad": vector_from_rotation(self.axes).tolist(),
            "distance_m": self.distance,
            "turned_rad": self.turned,
            "smallest_singular_value": self.singular_value,
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        return motion_arrays(self.motion, self.kind).extend(
            {
                "joint_value": ("joint", self.values),
                "other_joint_values": (("solution", "joint"), self.others),
            },
            coords={"joint": [joint.name for joint in self.joints]},
        )

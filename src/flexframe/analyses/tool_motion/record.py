"""The record of a tool that is led along a path."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.joint_forces.record import JointForces
from flexframe.analyses.kinematics.record import summary_instants
from flexframe.maths.arrays import Array
from flexframe.model.drives import Drive, JointLimits
from flexframe.multibody.motion import MechanismMotion
from flexframe.multibody.robots.tool_drives import JointLaw, JointPath
from flexframe.results.record import NamedArrays, Record

_ROUNDING = 1e-9  # beside a limit


@dataclass(frozen=True)
class JointNeeds:
    """What a joint does and its drive gives along a path: extremes [rad or m, per s, N m or N], and limits."""

    name: str
    turns: bool
    lowest: float
    highest: float
    speed: float
    speed_at: float  # s
    force: float
    force_at: float  # s
    limits: JointLimits

    @property
    def units(self) -> tuple[str, str, str]:
        """Of value, speed and force."""
        return ("rad", "rad/s", "N m") if self.turns else ("m", "m/s", "N")

    @property
    def parts(self) -> tuple[float | None, float | None]:
        """Largest speed and force beside their limits; None where there is none."""
        speed, force = self.limits.speed, self.limits.force
        return (None if speed is None else self.speed / speed, None if force is None else self.force / force)

    @property
    def margin(self) -> float:
        """Distance of the values from the nearer limit."""
        low, high = self.limits.range
        return min(self.lowest - low, high - self.highest)

    @property
    def violations(self) -> Iterator[str]:
        """In words, what is beyond a limit."""
        value, speed, force = self.units
        low, high = self.limits.range
        if self.margin < -_ROUNDING * max(1.0, abs(self.lowest), abs(self.highest)):
            yield (
                f"{self.name} goes from {self.lowest:.5g} to {self.highest:.5g} {value}, beyond its limits "
                f"{low:g} to {high:g}"
            )
        if self.parts[0] is not None and self.parts[0] > 1 + _ROUNDING:
            yield (
                f"{self.name} moves with up to {self.speed:.5g} {speed}, {self.parts[0]:.3g} of its limit "
                f"{self.limits.speed:g}; slow the path down"
            )
        if self.parts[1] is not None and self.parts[1] > 1 + _ROUNDING:
            yield (
                f"{self.name} needs up to {self.force:.5g} {force}, {self.parts[1]:.3g} of its limit "
                f"{self.limits.force:g}; slow the path down, or take load off"
            )


@dataclass(frozen=True, eq=False, repr=False)
class ToolMotion(Record):
    """Joint motions that lead a tool along a path, and forces of joints and drives."""

    kind: ClassVar[str] = "tool_motion"
    presented_by: ClassVar[str] = ".presentation:ToolMotionPresentation"

    system: str
    path: JointPath
    forces: JointForces
    joints: tuple[JointNeeds, ...]
    duration: float  # s
    drives: tuple[Drive, ...]  # for `replace(system, drives=…)`: a motion of elastic links with the same command
    notices: tuple[str, ...] = ()

    @property
    def motion(self) -> MechanismMotion:
        """That of all bodies."""
        return self.forces.motion

    @property
    def times(self) -> Array:
        """s: (instants,)."""
        return self.motion.times

    @property
    def within_limits(self) -> bool:
        """Whether every joint keeps to its limits."""
        return not any(True for joint in self.joints for _ in joint.violations)

    def joint_histories(self) -> tuple[Array, Array, Array]:
        """Values [rad or m], speeds, and torques or forces of the drives: (instants, joints) each."""
        laws = [drive.laws[0] for drive in self.drives]
        jets = [law.jet(self.times) for law in laws if isinstance(law, JointLaw)]
        torques = [self.forces.forces.joints[drive.name].values[:, 0] for drive in self.drives]
        return (
            np.stack([jet[0] for jet in jets], axis=1),
            np.stack([jet[1] for jet in jets], axis=1),
            np.stack(torques, axis=1),
        )

    def tool(self) -> tuple[Array, Array, Array]:
        """Positions [m], velocities and accelerations of the tool: (instants, 3) each."""
        return self.motion.marker(self.path.tool)

    def summary(self) -> dict[str, Any]:
        kept = summary_instants(len(self.times))
        values, speeds, torques = self.joint_histories()
        position, velocity, acceleration = self.tool()
        return {
            "kind": self.kind,
            "system": self.system,
            "tool": self.path.tool,
            "duration_s": self.duration,
            "within_limits": self.within_limits,
            "deviation_m": self.path.deviation,
            "deviation_rad": self.path.turned,
            "solutions": self.path.solutions,
            "smallest_singular_value": self.path.singular_value,
            "smallest_singular_value_at_s": self.path.singular_at,
            "largest_tool_speed_m_s": float(np.linalg.norm(velocity, axis=1).max()),
            "largest_tool_acceleration_m_s2": float(np.linalg.norm(acceleration, axis=1).max()),
            "balance_residual": self.forces.forces.balance,
            "times_s": self.times[kept].tolist(),
            "tool_position_m": position[kept].tolist(),
            "joints": {
                joint.name: {
                    "units": list(joint.units),
                    "lowest": joint.lowest,
                    "highest": joint.highest,
                    "largest_speed": joint.speed,
                    "largest_force": joint.force,
                    "part_of_speed_limit": joint.parts[0],
                    "part_of_force_limit": joint.parts[1],
                    "values": values[kept, k].tolist(),
                    "speeds": speeds[kept, k].tolist(),
                    "forces": torques[kept, k].tolist(),
                }
                for k, joint in enumerate(self.joints)
            },
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        values, speeds, torques = self.joint_histories()
        over = ("time", "driven_joint")
        return self.forces.arrays().extend(
            {"joint_value": (over, values), "joint_speed": (over, speeds), "joint_force": (over, torques)},
            coords={"driven_joint": [joint.name for joint in self.joints]},
        )

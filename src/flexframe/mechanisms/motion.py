"""The motion of all bodies of a mechanism, at all instants, ready for the analyses built on it."""

from dataclasses import dataclass, field

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mechanisms.mechanism import Mechanism
from flexframe.mechanisms.mobility import Mobility
from flexframe.mechanisms.states import Configuration, Rates, cross
from flexframe.model.system import GROUND, unknown
from flexframe.motion.frame import FrameMotion
from flexframe.motion.laws import Pose


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """One body over time; vectors in space axes unless said otherwise."""

    name: str
    times: Array  # (T,)
    positions: Array  # of the body origin: (T, 3)
    rotations: Array  # body to space: (T, 3, 3)
    angles: Array | None  # of a planar system, counted through all turns: (T,)
    velocities: Array
    angular_velocities: Array
    accelerations: Array
    angular_accelerations: Array

    def in_body(self, vectors: Array) -> Array:
        """Components in body axes: (T, 3)."""
        return np.einsum("tji,tj->ti", self.rotations, vectors)

    def pose(self, instant: int) -> Pose:
        """Where the frame is at one instant."""
        return Pose(self.positions[instant], self.rotations[instant])

    def frame(self, instant: int) -> FrameMotion:
        """ω, ε, v_O, a_O in body components at one instant."""
        R = self.rotations[instant]
        return FrameMotion(
            self.angular_velocities[instant] @ R,
            self.angular_accelerations[instant] @ R,
            self.velocities[instant] @ R,
            self.accelerations[instant] @ R,
        )

    def point(self, place: Array) -> tuple[Array, Array, Array]:
        """Position, velocity and acceleration of a point given in body axes: (T, 3) each."""
        arm = self.rotations @ np.asarray(place, dtype=float)
        turn = cross(self.angular_velocities, arm)
        velocity = self.velocities + turn
        acceleration = self.accelerations + cross(self.angular_accelerations, arm)
        return self.positions + arm, velocity, acceleration + cross(self.angular_velocities, turn)


@dataclass(frozen=True, eq=False)
class MechanismMotion:
    """Positions, velocities and accelerations of every body.

    `closure` is the largest residual of the joints [lengths of the system, rad]; `smallest_singular_value` that
    of the driven Jacobian, relative to the largest, with the time at which it occurs (0 would be a dead point).
    """

    mechanism: Mechanism
    times: Array  # (T,)
    configuration: Configuration
    velocities: Rates
    accelerations: Rates
    mobility: Mobility
    closure: float
    smallest_singular_value: float | None = None
    at_time: float | None = None
    notices: tuple[str, ...] = field(default=())

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return self.mechanism.names

    def body(self, name: str) -> BodyMotion:
        """One body."""
        if name not in self.names:
            raise InputError(unknown("body", name, self.names))
        k = self.names.index(name)
        c, u, a = self.configuration, self.velocities, self.accelerations
        return BodyMotion(
            name,
            self.times,
            c.positions[:, k],
            c.rotations[:, k],
            None if c.angles is None else c.angles[:, k],
            u.linear[:, k],
            u.angular[:, k],
            a.linear[:, k],
            a.angular[:, k],
        )

    def marker(self, place: str) -> tuple[Array, Array, Array]:
        """Position, velocity and acceleration of a place "body.point": (T, 3) each."""
        owner, frame = self.mechanism.system.frame(place)
        if owner == GROUND:
            still = np.zeros((len(self.times), 3))
            return still + frame.point, still, still
        return self.body(owner).point(frame.point)

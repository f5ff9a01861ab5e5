"""Where all bodies of a system are and how they move, at many instants at once.

Arrays are (instants, bodies, …); the last body is the ground. Velocities v of the body origins and angular
velocities ω are in space axes. A planar system keeps (x, y, θ) of each body, a spatial one a rotation matrix;
small steps of the coordinates are (δr, δφ) with δφ in space axes.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import cross as cross  # noqa: PLC0414 - used from here, too
from flexframe.maths.rotations import rotation_about_z, rotation_from_vector

PLANAR_COLUMNS = np.array([0, 1, 5])
SPATIAL_COLUMNS = np.arange(6)


@dataclass(frozen=True, eq=False)
class Configuration:
    """Poses of all bodies; `angles` are those of a planar system, counted through all turns.

    `counted` are the angles of a spatial system that others follow, as that of a pinion, through all turns;
    without them they lie between −π and π.
    """

    positions: Array  # (T, bodies + 1, 3)
    rotations: Array  # (T, bodies + 1, 3, 3)
    angles: Array | None  # (T, bodies)
    counted: Array | None = None  # (T, leading coordinates)

    @property
    def count(self) -> int:
        """Number of instants."""
        return self.positions.shape[0]

    def at(self, instants: "IntArray | slice | list[int]") -> "Configuration":
        """Some of the instants."""
        angles = None if self.angles is None else self.angles[instants]
        counted = None if self.counted is None else self.counted[instants]
        return Configuration(self.positions[instants], self.rotations[instants], angles, counted)


@dataclass(frozen=True, eq=False)
class Rates:
    """Velocities (or accelerations) of all body origins, and angular ones, in space axes."""

    linear: Array  # (T, bodies + 1, 3)
    angular: Array  # (T, bodies + 1, 3)

    def at(self, instants: "IntArray | slice | list[int]") -> "Rates":
        """Some of the instants."""
        return Rates(self.linear[instants], self.angular[instants])


def array_poses(positions: Array, rotations: Array | None, angles: Array | None) -> Configuration:
    """Poses from arrays without the ground: planar from angles, spatial from rotations."""
    T, bodies = positions.shape[:2]
    R = np.empty((T, bodies + 1, 3, 3))
    R[:, bodies] = np.eye(3)
    R[:, :bodies] = rotation_about_z(angles) if angles is not None else rotations
    r = np.zeros((T, bodies + 1, 3))
    r[:, :bodies] = positions
    return Configuration(r, R, angles)


def move(configuration: Configuration, step: Array) -> Configuration:
    """The poses after a step of the coordinates: (T, n)."""
    T, bodies = configuration.count, configuration.positions.shape[1] - 1
    if configuration.angles is not None:
        parts = step.reshape(T, bodies, 3)
        positions = configuration.positions[:, :bodies].copy()
        positions[..., :2] += parts[..., :2]
        return array_poses(positions, None, configuration.angles + parts[..., 2])
    parts = step.reshape(T, bodies, 6)
    turned = rotation_from_vector(parts[..., 3:]) @ configuration.rotations[:, :bodies]
    return array_poses(configuration.positions[:, :bodies] + parts[..., :3], turned, None)


def as_rates(vector: Array, bodies: int) -> Rates:
    """(T, n) → velocities of all bodies; n is three or six times the number of bodies."""
    T = vector.shape[0]
    linear, angular = np.zeros((T, bodies + 1, 3)), np.zeros((T, bodies + 1, 3))
    parts = vector.reshape(T, bodies, -1)
    if parts.shape[2] == 3:
        linear[:, :bodies, :2], angular[:, :bodies, 2] = parts[..., :2], parts[..., 2]
    else:
        linear[:, :bodies], angular[:, :bodies] = parts[..., :3], parts[..., 3:]
    return Rates(linear, angular)


def as_vector(rates: Rates, planar: bool) -> Array:
    """Velocities of all bodies → (T, n)."""
    columns = PLANAR_COLUMNS if planar else SPATIAL_COLUMNS
    both = np.concatenate([rates.linear, rates.angular], axis=-1)[:, :-1]
    return np.ascontiguousarray(both[..., columns]).reshape(both.shape[0], -1)


def dot(a: Array, b: Array) -> Array:
    """a · b over the last axis."""
    return np.einsum("...i,...i->...", a, b)

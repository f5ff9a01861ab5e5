"""Places of bodies that turn together about an axis: displaced, turned on, with the velocities they then have."""

from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import (
    quaternion_exponential,
    quaternion_product,
    rotation_from_axis_angle,
    rotation_from_quaternion,
    tangent_operator,
)
from flexframe.multibody.tables import Place


@dataclass(frozen=True, eq=False)
class SpinAxis:
    """The line in space about which a system turns."""

    point: Array  # c: (3,)
    direction: Array  # unit: (3,)


def turning(place: Place, axis: SpinAxis, speed: float) -> Place:
    """The place with the velocities u₀ = (Rᵀ(Ω × (r − c)), RᵀΩ, 0)."""
    r, q, delta = place.positions, place.quaternions, place.deformation
    return Place(r, q, delta, _velocities(r, q, delta.shape[-1], axis, speed), place.angles)


def rotate_about(place: Place, axis: SpinAxis, angle: float) -> Place:
    """All bodies turned together about the axis."""
    R = rotation_from_axis_angle(axis.direction, angle)
    turn = quaternion_exponential(angle * axis.direction)
    return Place(
        axis.point + (place.positions - axis.point) @ R.T,
        quaternion_product(np.broadcast_to(turn, place.quaternions.shape), place.quaternions),
        place.deformation,
        place.velocities,
        place.angles + angle * float(np.sign(axis.direction[2])),
    )


def move_places(place: Place, numbers: IntArray, steps: Array, axis: SpinAxis, speed: float) -> list[Place]:
    """Places after steps (k, n) of the coordinates, with their u₀: r + R Tᵀ(θ) d, R exp θ̃, δ + dδ.

    `numbers` are those of the coordinates of each body, −1 where it has none: (bodies, 6 + m).
    """
    local = np.where(numbers >= 0, steps[:, numbers], 0.0)
    d, t = local[..., :3], local[..., 3:6]
    R = rotation_from_quaternion(place.quaternions)
    swept = R @ (np.swapaxes(tangent_operator(t), -1, -2) @ d[..., None])
    positions = place.positions + swept[..., 0]
    before = np.broadcast_to(place.quaternions, (*t.shape[:-1], 4))
    quaternions = quaternion_product(before, quaternion_exponential(t))
    deformations, angles = place.deformation + local[..., 6:], place.angles + t[..., 2]
    velocities = _velocities(positions, quaternions, deformations.shape[-1], axis, speed)
    return [
        Place(*map(np.ascontiguousarray, arrays))
        for arrays in zip(positions, quaternions, deformations, velocities, angles, strict=True)
    ]


def bracket(numbers: IntArray, u: Array, changes: Array) -> Array:
    """[u, η] = (ω × d + v × θ, ω × θ, 0) of each body, for every column η of `changes`: (n, k)."""
    out, rigid = np.zeros_like(changes), numbers[:, :6]
    there = rigid >= 0
    mine = np.where(there, u[rigid], 0.0)
    moved = np.where(there[..., None], changes[rigid], 0.0)  # (bodies, 6, k)
    v, w, d, t = mine[:, :3, None], mine[:, 3:, None], moved[:, :3], moved[:, 3:]
    sweeping = np.cross(w, d, axis=1) + np.cross(v, t, axis=1)
    out[rigid[there]] = np.concatenate([sweeping, np.cross(w, t, axis=1)], axis=1)[there]
    return out


def _velocities(positions: Array, quaternions: Array, size: int, axis: SpinAxis, speed: float) -> Array:
    """u₀ of bodies (..., bodies) with room for `size` elastic coordinates: (..., bodies, 6 + size)."""
    R = rotation_from_quaternion(quaternions)
    omega = speed * axis.direction
    velocities = np.zeros((*positions.shape[:-1], 6 + size))
    velocities[..., :3] = np.einsum("...ji,...j->...i", R, np.cross(omega, positions - axis.point))
    velocities[..., 3:6] = omega @ R
    return velocities

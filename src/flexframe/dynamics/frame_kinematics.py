"""Motion of a point of a body from the motion of the body, at all samples at once."""

from dataclasses import dataclass

import numpy as np

from flexframe.dynamics.contract import BodyHistory
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mechanisms.states import cross
from flexframe.reduction.reduced_body import ReducedPoint


@dataclass(frozen=True, eq=False)
class FrameHistory:
    """A point and the axes that turn with it: displacements in body axes, the rest in space, (T, 3) each."""

    displacements: Array
    rotations: Array  # to space: (T, 3, 3)
    positions: Array
    velocities: Array
    accelerations: Array


def frame_history(
    motion: BodyHistory, place: Array, point: ReducedPoint | None, *, geometric: bool
) -> FrameHistory:
    """Point x_P + N_P δ + ½ δᵀG_P δ of a body; without a reduced point it is fixed in the body."""
    T = len(motion.positions)
    value, rate, second = np.zeros((T, 6)), np.zeros((T, 6)), np.zeros((T, 6))
    if point is not None:
        d, dd, ddd = motion.deformation, motion.rates, motion.second
        value, rate, second = d @ point.rows.T, dd @ point.rows.T, ddd @ point.rows.T
        if geometric:
            slope, turning = (np.tensordot(part, point.quadratic, axes=(1, 2)) for part in (d, dd))  # δᵀG, δ̇ᵀG
            value = value + np.einsum("tir,tr->ti", slope, d) / 2
            rate = rate + np.einsum("tir,tr->ti", slope, dd)
            second = second + np.einsum("tir,tr->ti", slope, ddd) + np.einsum("tir,tr->ti", turning, dd)
    R, w = motion.rotations, motion.angular_velocities
    arm, moved, pushed = (
        np.einsum("tij,tj->ti", R, local) for local in (place + value[:, :3], rate[:, :3], second[:, :3])
    )
    turn = cross(w, arm)
    acceleration = motion.accelerations + cross(motion.angular_accelerations, arm) + cross(w, turn)
    return FrameHistory(
        displacements=value[:, :3],
        rotations=R @ rotation_from_vector(value[:, 3:]),
        positions=motion.positions + arm,
        velocities=motion.velocities + turn + moved,
        accelerations=acceleration + 2 * cross(w, moved) + pushed,
    )

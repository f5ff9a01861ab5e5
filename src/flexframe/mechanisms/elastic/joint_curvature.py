"""Second derivatives of constraints: what forces in a joint do when its directions turn.

A constraint s with multiplier λ adds −λ ∂²s/∂q² to the stiffness, a force F along its coordinate s
−F ∂²s/∂q² − (∂F/∂s) aaᵀ with a = ∂s/∂q. Displacements u and rotations φ are those of the two places.
"""

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.mechanisms.states import Configuration
from flexframe.mechanisms.tables import BoundFrames
from flexframe.model.constraints import Along, Distance, Perpendicular

_U1, _R1, _U2, _R2 = (slice(3 * i, 3 * i + 3) for i in range(4))


def curvature(bound: BoundFrames, c: Configuration, *, planar: bool) -> Array | None:
    """∂²s/∂(u₁, φ₁, u₂, φ₂)² in space axes, (T, 12, 12); None where it vanishes.

    Torques of drives in space and rolling contacts are taken as fixed in direction, so they have none either.
    """
    constraint, ground = bound.constraint, c.positions.shape[1] - 1
    R1, R2 = c.rotations[:, bound.first], c.rotations[:, bound.second]
    reach = c.positions[:, bound.second] + R2 @ bound.second_point
    reach = reach - c.positions[:, bound.first] - R1 @ bound.first_point
    H = np.zeros((c.count, 12, 12))
    match constraint:
        case Along(direction=direction, in_space=in_space):
            if in_space or bound.first == ground:
                return None
            d = R1 @ (bound.first_axes @ _unit3(direction))
            # (exp(φ₁) d)·(Δ + u₂ − u₁)
            H[:, _R1, _U2] = skew(d)
            H[:, _R1, _U1] = -skew(d)
            H[:, _R1, _R1] = _rotate(d, reach) / 2
            return H + np.swapaxes(H, 1, 2)
        case Distance():
            length = np.linalg.norm(reach, axis=1)[:, None, None]
            n = reach[:, :, None] / length
            across = (np.eye(3) - n @ np.swapaxes(n, 1, 2)) / length
            H[:, _U1, _U1] = H[:, _U2, _U2] = across
            H[:, _U1, _U2] = H[:, _U2, _U1] = -across
            return H
        case Perpendicular(first=first, second=second):
            if planar:
                return None  # the sine of an angle that is zero
            x1, x2 = R1 @ (bound.first_axes @ _unit3(first)), R2 @ (bound.second_axes @ _unit3(second))
            H[:, _R1, _R2] = -skew(x1) @ skew(x2)
            H[:, _R1, _R1] = H[:, _R2, _R2] = _rotate(x1, x2) / 2
            return H + np.swapaxes(H, 1, 2)
    return None


def _unit3(direction: tuple[float, ...]) -> Array:
    vector = np.zeros(3)
    vector[: len(direction)] = direction
    return vector / np.linalg.norm(vector)


def _rotate(d: Array, v: Array) -> Array:
    """H of φ ↦ v·(½ φ × (φ × d)): ½(dvᵀ + vdᵀ) − (d·v) 1."""
    product = d[:, :, None] * v[:, None, :]
    trace = np.trace(product, axis1=1, axis2=2)[:, None, None]
    return np.asarray((product + np.swapaxes(product, 1, 2)) / 2 - trace * np.eye(3))

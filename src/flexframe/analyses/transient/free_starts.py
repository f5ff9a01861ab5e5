"""Bodies that are free to move and hang on moving ones: without a start velocity they do not move along."""

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.model.system import GROUND
from flexframe.multibody.closure import scaled_jacobian
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.division.pieces import whole_name
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.states import Configuration, array_poses

_LEFT = 1e-6  # part of the speed of the carrier by which a body must stay behind to be told of
_FREE = 1e-8  # motion of a body in directions that joints and drives leave open, in scaled coordinates


def left_behind(system: DynamicSystem, state: DynamicState) -> tuple[str, ...]:
    """What a reader must know of bodies that start slower or faster than what carries them."""
    mechanism = system.mechanism
    R = rotation_from_quaternion(state.quaternions)
    v = np.einsum("bij,bj->bi", R, state.velocities)
    omega = np.einsum("bij,bj->bi", R, state.angular_velocities)
    if not (v.any() or omega.any()) or not mechanism.system.drives:
        return ()
    free = _free_bodies(mechanism, array_poses(state.positions[None], R[None], None), state.time)
    described = mechanism.rough_velocities()
    centres = [body.first_moment / body.mass if body.mass else np.zeros(3) for body in system.bodies]
    notices, told = [], set[str]()
    for joint in mechanism.system.joints:
        markers = [mechanism.system.resolve(marker) for marker in (joint.first, joint.second)]
        ends = [marker.partition(".")[0] for marker in markers]
        for carrier, hung in (ends, ends[::-1]):
            if GROUND in (carrier, hung) or hung in told:
                continue
            a, b = system.number(carrier), system.number(hung)
            given = described.linear[0, b].any() or described.angular[0, b].any()
            if given or not free[b] or free[a]:  # only what moves as it must carries
                continue
            arm = R[b] @ centres[b]
            own = v[b] + np.cross(omega[b], arm)
            along = v[a] + np.cross(omega[a], state.positions[b] + arm - state.positions[a])
            apart = float(np.linalg.norm(own - along))
            if apart > _LEFT * float(np.linalg.norm(along)):
                told.add(hung)
                name, other = (whole_name(mechanism.system, body) for body in (hung, carrier))
                notices.append(
                    f"{name} is free to move on {other}, which moves at the start, and has no start velocity: "
                    f"its mass centre starts {apart:.4g} m/s off from moving along; give {name} a velocity under "
                    "start to change that"
                )
    return tuple(notices)


def _free_bodies(mechanism: Mechanism, c: Configuration, time: float) -> Array:
    """Whether joints, drives and coordinates at the start leave a motion of a body open: (bodies,)."""
    per_body = 3 if mechanism.planar else 6
    constraints = mechanism.start_constraints
    if not constraints.count:
        return np.ones(mechanism.bodies, dtype=bool)
    J = scaled_jacobian(mechanism, constraints, c, time)[0]
    _, values, rows = np.linalg.svd(J)
    rank = int((values > 1e-9 * values[0]).sum())
    return np.asarray(
        np.abs(rows[rank:]).reshape(-1, mechanism.bodies, per_body).max(axis=(0, 2), initial=0.0) > _FREE
    )

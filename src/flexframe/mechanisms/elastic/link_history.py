"""What the rigid motion of a mechanism does to one of its bodies: frame motion, and forces at its markers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from flexframe.equations.operating_point import OperatingPoint
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.mechanisms.inverse_dynamics import MechanismForces
from flexframe.mechanisms.mechanism import PlacedForce
from flexframe.mechanisms.motion import BodyMotion, MechanismMotion
from flexframe.mechanisms.states import cross
from flexframe.model.body import Body
from flexframe.model.rigid_body import RigidBody
from flexframe.model.system_loads import MarkerForce

_COINCIDENT = 1e-9  # distance of a node from a marker, in sizes of the body


@dataclass(frozen=True, eq=False)
class MarkerLoad:
    """A force [N] and a moment about the marker [N m], in body axes; a rigid body has no nodes."""

    name: str
    marker: str
    point: Array  # (3,)
    nodes: IntArray
    force: Array  # (T, 3)
    moment: Array  # (T, 3)


@dataclass(frozen=True, eq=False)
class LinkHistory:
    """Frame motion of a link and the forces at its markers over time, all in body axes.

    `origin_accelerations` are less gravity, a_O − g: both act on every particle alike.
    """

    times: Array  # (T,)
    angular_velocities: Array  # (T, 3)
    angular_accelerations: Array  # (T, 3)
    origin_accelerations: Array  # (T, 3)
    loads: tuple[MarkerLoad, ...] = ()

    def points(self, amounts: Mapping[str, ArrayLike]) -> OperatingPoint:
        """What the coefficients of the equations depend on, with the amounts of unit loads at markers."""
        return OperatingPoint(
            self.angular_velocities, self.angular_accelerations, self.origin_accelerations, amounts
        )

    def at(self, instants: "IntArray | slice") -> "LinkHistory":
        """Some of the instants."""
        return LinkHistory(
            self.times[instants],
            self.angular_velocities[instants],
            self.angular_accelerations[instants],
            self.origin_accelerations[instants],
            tuple(replace(load, force=load.force[instants], moment=load.moment[instants]) for load in self.loads),
        )


def given_history(
    times: ArrayLike,
    *,
    angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
    angular_acceleration: ArrayLike = (0.0, 0.0, 0.0),
    origin_acceleration: ArrayLike = (0.0, 0.0, 0.0),
    loads: tuple[MarkerLoad, ...] = (),
) -> LinkHistory:
    """A history from vectors in body axes, each constant (3,) or over time (T, 3)."""
    t = np.asarray(times, dtype=float)
    shape = (len(t), 3)
    omega, epsilon, a = (
        np.broadcast_to(np.asarray(vector, dtype=float), shape).copy()
        for vector in (angular_velocity, angular_acceleration, origin_acceleration)
    )
    return LinkHistory(t, omega, epsilon, a, loads)


def link_history(forces: MechanismForces, name: str) -> LinkHistory:
    """Frame motion of a body of a mechanism, and all forces on it: of joints, drives and loads."""
    motion = forces.motion
    moving = motion.body(name)
    body = motion.mechanism.system.body(name)
    if isinstance(body, Body):
        require_no_own_loads(body)
    gravity = np.broadcast_to(motion.mechanism.gravity, moving.accelerations.shape)
    return LinkHistory(
        motion.times,
        moving.in_body(moving.angular_velocities),
        moving.in_body(moving.angular_accelerations),
        moving.in_body(moving.accelerations - gravity),
        (*_joint_loads(forces, moving), *_applied_loads(motion, moving)),
    )


def resting_history(times: Array) -> LinkHistory:
    """No motion and no forces: a mechanism that stands still in each of its positions."""
    return given_history(times)


def marker_nodes(body: RigidBody | Body, marker: str) -> IntArray:
    """Nodes of a marker "body.point", none on a rigid body; the origin of an elastic body must be a node."""
    if isinstance(body, RigidBody):
        return np.empty(0, dtype=np.int64)
    _, _, point = marker.partition(".")
    if point:
        return body.selected_nodes(int(point) if point.isdigit() else point)
    node = body.mesh.nearest_node((0.0, 0.0, 0.0))
    low, high = body.mesh.bounding_box
    if np.linalg.norm(body.mesh.points[node]) > _COINCIDENT * float(np.linalg.norm(high - low)):
        raise InputError(
            f"'{marker}' is the origin of a body that has no node there; name a node set of {body.name} instead"
        )
    return np.array([node], dtype=np.int64)


def require_no_own_loads(body: Body) -> None:
    """Loads of the body alone would be missing in the balance of the mechanism."""
    if body.loads:
        raise InputError(
            f"body {body.name} has loads of its own, which the mechanism does not know of; give them as loads of "
            "the system (gravity, force at a marker)"
        )


def _at_marker(motion: MechanismMotion, name: str, marker: str, *, force: Array, moment: Array) -> MarkerLoad:
    _, frame = motion.mechanism.system.frame(marker)
    body = motion.mechanism.system.body(marker.partition(".")[0])
    return MarkerLoad(name, marker, frame.point, marker_nodes(body, marker), force, moment)


def _joint_loads(forces: MechanismForces, moving: BodyMotion) -> list[MarkerLoad]:
    motion = forces.motion
    system = motion.mechanism.system
    loads = []
    for link in (*system.joints, *system.drives):
        for marker, sign in ((link.first, -1.0), (link.second, 1.0)):
            if marker.partition(".")[0] != moving.name:
                continue
            found = forces.joints[link.name]
            force, moment = sign * found.force, sign * found.moment
            # the moment is about the marker on the second body, which a slide may have carried away from this one
            moment = moment + cross(found.places - motion.marker(marker)[0], force)
            loads.append(
                _at_marker(motion, link.name, marker, force=moving.in_body(force), moment=moving.in_body(moment))
            )
    return loads


def _applied_loads(motion: MechanismMotion, moving: BodyMotion) -> list[MarkerLoad]:
    """Forces at markers and forces along coordinates (springs, friction, motors) that act on a body."""
    ready = motion.mechanism
    number = ready.names.index(moving.name)
    loads = []
    placed = [load for load in ready.system.loads if isinstance(load, MarkerForce)]
    for load, resolved in zip(placed, ready.placed_forces, strict=True):
        if resolved.body == number:
            force, moment = _placed(resolved, motion.times, moving)
            loads.append(_at_marker(motion, load.name, load.on, force=force, moment=moment))
    if ready.forces.count:
        value, rows = ready.forces.values(motion.configuration)
        rate, _ = ready.forces.rates(motion.configuration, motion.velocities)
        for i, law in enumerate(ready.force_laws):
            for marker in (law.first, law.second):
                if marker.partition(".")[0] == moving.name:
                    wrench = law.force(value[:, i], rate[:, i])[:, None] * rows[:, i, number]
                    # from the origin of the body to the marker
                    arm = moving.rotations @ ready.system.frame(marker)[1].point
                    force, moment = wrench[:, :3], wrench[:, 3:] - cross(arm, wrench[:, :3])
                    both = {"force": moving.in_body(force), "moment": moving.in_body(moment)}
                    loads.append(_at_marker(motion, law.name, marker, **both))
    return loads


def _placed(load: PlacedForce, times: Array, moving: BodyMotion) -> tuple[Array, Array]:
    force = np.stack([law.jet(times)[0] for law in load.force], axis=-1)
    moment = np.stack([law.jet(times)[0] for law in load.moment], axis=-1)
    return (force, moment) if load.in_body else (moving.in_body(force), moving.in_body(moment))

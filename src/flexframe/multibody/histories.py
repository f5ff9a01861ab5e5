"""Motion of bodies, frames and points and forces of joints, from the samples of a simulation."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexframe import _core
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.model.drives import Drive
from flexframe.model.joints import Joint
from flexframe.model.system import GROUND, unknown
from flexframe.multibody.contract import BodyHistory, DynamicSystem, Simulation
from flexframe.multibody.inverse_dynamics import element_wrenches
from flexframe.multibody.mobility import mobility
from flexframe.multibody.motion import MechanismMotion
from flexframe.multibody.states import Configuration, Rates, cross, placed
from flexframe.reduction.reduced_body import ReducedPoint
from flexframe.sensors.states import Deformation, MarkerMotion, marker_motion


def body_history(simulation: Simulation, name: str) -> BodyHistory:
    """Motion of one body in space axes."""
    system = simulation.system
    if name not in system.names:
        raise InputError(unknown("body", name, system.names))
    b = system.number(name)
    R = rotation_from_quaternion(simulation.quaternions[:, b])
    v, w, rates = _local(simulation, b, simulation.velocities)
    vd, wd, second = _local(simulation, b, simulation.accelerations)
    acceleration = vd + cross(w, v)  # d(R v)/dt = R(v̇ + ω × v)
    return BodyHistory(
        name=name,
        positions=simulation.positions[:, b],
        rotations=R,
        angles=simulation.angles[:, b] if system.planar else None,
        velocities=_rotate(R, v),
        angular_velocities=_rotate(R, w),
        accelerations=_rotate(R, acceleration),
        angular_accelerations=_rotate(R, wd),
        deformation=simulation.deformations[:, system.elastic(b)],
        rates=rates,
        second=second,
    )


def _local(simulation: Simulation, b: int, vectors: Array) -> tuple[Array, Array, Array]:
    """Translation, rotation and deformation part of u or u̇ of one body: (T, 3), (T, 3), (T, m)."""
    numbers = simulation.system.tables.bodies.numbers[b][: 6 + simulation.system.bodies[b].size]
    local = np.where(numbers >= 0, vectors[:, numbers], 0.0)
    return local[:, :3], local[:, 3:6], local[:, 6:]


def _rotate(R: Array, vectors: Array) -> Array:
    return np.asarray(np.einsum("tij,tj->ti", R, vectors))


def point_deformation(motion: BodyHistory, point: ReducedPoint, *, geometric: bool) -> Deformation:
    """N_P δ + ½ δᵀG_P δ of a point with its time derivatives, and its derivative N_P + δᵀG_P in δ."""
    d, dd, ddd = motion.deformation, motion.rates, motion.second
    value, rate, second = d @ point.rows.T, dd @ point.rows.T, ddd @ point.rows.T
    rows = point.rows[None]
    if geometric:
        slope, turning = (np.tensordot(part, point.quadratic, axes=(1, 2)) for part in (d, dd))  # δᵀG, δ̇ᵀG
        value = value + np.einsum("tir,tr->ti", slope, d) / 2
        rate = rate + np.einsum("tir,tr->ti", slope, dd)
        second = second + np.einsum("tir,tr->ti", slope, ddd) + np.einsum("tir,tr->ti", turning, dd)
        rows = rows + slope
    return Deformation(value, rate, second, rows, point.present)


def marker_history(
    simulation: Simulation, place: str, motions: Mapping[str, BodyHistory] | None = None
) -> MarkerMotion:
    """Motion of a place "body.point" in space, with its displacement in body axes.

    `motions` are those of all bodies, where they are at hand.
    """
    owner, _, name = place.partition(".")
    system = simulation.system
    if owner not in system.names:
        raise InputError(unknown("body", owner, system.names))
    body = system.bodies[system.number(owner)]
    motion = motions[owner] if motions is not None else body_history(simulation, owner)
    if body.reduced is None or not name:
        point = system.system.frame(place)[1].point
        return marker_motion(motion, point, None)
    known = [p.name for p in (*body.reduced.interfaces, *body.reduced.sensors)]
    if name not in known:
        raise InputError(unknown(f"point of {owner}", name, known))
    there = body.reduced.point(name)
    return marker_motion(motion, there.position, point_deformation(motion, there, geometric=system.geometric))


def joint_force(
    simulation: Simulation, name: str, motions: Mapping[str, BodyHistory] | None = None
) -> tuple[Array, Array]:
    """Force and moment about its place on the second body of a joint or drive, in space axes: (T, 3) each."""
    system = simulation.system
    rows = [row for row, owner in enumerate(system.owners) if owner == name]
    links = {link.name: link for link in (*system.system.joints, *system.system.drives)}
    if name not in links:
        raise InputError(unknown("joint or drive", name, list(links)))
    T = len(simulation.times)
    if not rows:
        return _element_force(simulation, name, motions)
    t = system.tables
    frames = len(t.frames.bodies)
    r, R = np.zeros((T, frames, 3)), np.zeros((T, frames, 3, 3))
    R[:, -1] = np.eye(3)
    leading = t.rows.arguments[rows]
    bound = [*t.rows.frames[rows], *t.arguments.frames[leading[leading >= 0]]]
    markers = _markers(system, links[name], rows, leading)
    for f in {int(frame) for frame in np.ravel(bound)} - {frames - 1}:
        body = system.names[int(t.frames.bodies[f])]
        motion = motions[body] if motions is not None else body_history(simulation, body)
        r[:, f], R[:, f] = motion.positions, motion.rotations
        if t.frames.elastic[f]:
            place = markers[f]
            there = marker_history(simulation, place, motions)
            r[:, f], R[:, f] = there.positions, there.rotations
    own = t.rows._replace(**{name: getattr(t.rows, name)[rows] for name in t.rows._fields})
    s, J = np.zeros((T, len(rows))), np.zeros((T, len(rows), frames, 6))
    _core.constraint_values(own, r, R, s, J)
    for k in np.flatnonzero(leading >= 0):
        chosen = [leading[k]]
        led = t.arguments._replace(**{name: getattr(t.arguments, name)[chosen] for name in t.arguments._fields})
        value, K = np.zeros((T, 1)), np.zeros((T, 1, frames, 6))
        _core.constraint_values(led, r, R, value, K)
        slope = system.laws[int(t.rows.laws[rows[k]])].jet(value[:, 0])[1]
        J[:, k] -= slope[:, None, None] * K[:, 0]
    second = int(t.rows.frames[rows[0], 1])
    wrench = np.einsum("tk,tki->ti", simulation.multipliers[:, rows], J[:, :, second])
    force = wrench[:, :3]
    arm = np.einsum("tij,j->ti", R[:, second], t.rows.places[rows[0], 1])
    return force, wrench[:, 3:] - cross(arm, force)


def _markers(system: DynamicSystem, link: Joint | Drive, rows: Sequence[int], leading: IntArray) -> dict[int, str]:
    """The marker of each frame that a joint or drive binds."""
    t, ready = system.tables, system.mechanism
    found: dict[int, str] = {}
    for row, number in zip(rows, leading, strict=True):
        own = ready.constraints.entries[row].markers
        sides = [(t.rows.frames[row], own if any(own) else (link.first, link.second))]
        if number >= 0:
            sides.append((t.arguments.frames[number], ready.leaders.entries[number].markers))
        for bound, markers in sides:
            found |= {int(frame): marker for frame, marker in zip(bound[:2], markers, strict=True)}
    return found


def _element_force(
    simulation: Simulation, name: str, motions: Mapping[str, BodyHistory] | None
) -> tuple[Array, Array]:
    """Force and moment of an elastic transmission, whose markers are taken where undeformed bodies have them."""
    motion = mechanism_motion(simulation, motions)
    nothing = np.zeros((len(simulation.times), 6))
    _, wrench = element_wrenches(motion).get(name, (nothing, nothing))
    link = next(joint for joint in simulation.system.system.joints if joint.name == name)
    body, frame = simulation.system.system.frame(link.second)
    if body == GROUND:
        arm = np.broadcast_to(frame.point, (len(wrench), 3))
    else:
        arm = motion.body(body).rotations @ frame.point
    return wrench[:, :3], wrench[:, 3:] - cross(arm, wrench[:, :3])


def configuration_of(run: Simulation) -> Configuration:
    """Poses of all bodies at the samples."""
    return placed(
        run.positions, rotation_from_quaternion(run.quaternions), run.angles if run.system.planar else None
    )


def mechanism_motion(run: Simulation, motions: Mapping[str, BodyHistory] | None = None) -> MechanismMotion:
    """Positions, velocities and accelerations of all frames; `motions` are those of all bodies, where at hand."""
    known = motions or {name: body_history(run, name) for name in run.system.names}
    bodies = list(known.values())
    velocities = _rates([(body.velocities, body.angular_velocities) for body in bodies])
    configuration = run.system.mechanism.counted_along(configuration_of(run), velocities, run.times)
    return MechanismMotion(
        mechanism=run.system.mechanism,
        times=run.times,
        configuration=configuration,
        velocities=velocities,
        accelerations=_rates([(body.accelerations, body.angular_accelerations) for body in bodies]),
        mobility=mobility(run.system.mechanism, configuration.at(slice(0, 1))),
        closure=float(np.max(run.position_residuals, initial=0.0)),
    )


def _rates(parts: list[tuple[Array, Array]]) -> Rates:
    """Linear and angular parts of all bodies, and zeros of the ground: (T, bodies + 1, 3) each."""
    still = np.zeros_like(parts[0][0])
    return Rates(*(np.stack([*(part[i] for part in parts), still], axis=1) for i in range(2)))

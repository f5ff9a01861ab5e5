"""Motion of bodies, frames and points and forces of joints, from the samples of a simulation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flexframe import _core
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import arc_sine_ratio, rotation_from_quaternion
from flexframe.model.drives import Drive, FollowingLaw
from flexframe.model.joints import Joint, Jointed
from flexframe.model.system import GROUND, unknown
from flexframe.model.transmissions.contract import Transmission
from flexframe.multibody.constraints import counted_by_rates
from flexframe.multibody.contract import BodyHistory, DynamicSystem, Simulation
from flexframe.multibody.inverse_dynamics import own_contacts, spring_wrenches
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.mobility import mobility
from flexframe.multibody.motion import MechanismMotion
from flexframe.multibody.states import Configuration, Rates, array_poses, cross
from flexframe.multibody.tables import RowTables
from flexframe.reduction.reduced_body import ReducedPoint, Shortening
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
    """N_P δ + ½ δᵀG_P δ of a point with its time derivatives, and its derivative N_P + δᵀG_P in δ.

    Of a body with equations of third order ϑ⁴ is beside it, and the rotation vector follows from its sine.
    """
    d, dd, ddd = motion.deformation, motion.rates, motion.second
    value, rate, second = d @ point.rows.T, dd @ point.rows.T, ddd @ point.rows.T
    rows = point.rows[None]
    if geometric:
        slope, turning = (np.tensordot(part, point.quadratic, axes=(1, 2)) for part in (d, dd))  # δᵀG, δ̇ᵀG
        value = value + np.einsum("tir,tr->ti", slope, d) / 2
        rate = rate + np.einsum("tir,tr->ti", slope, dd)
        second = second + np.einsum("tir,tr->ti", slope, ddd) + np.einsum("tir,tr->ti", turning, dd)
        rows = rows + slope
    found = Deformation(value, rate, second, rows, point.present)
    if point.shortening is None or not geometric:
        return found
    return _third_order(found, point.shortening, motion)


def _third_order(found: Deformation, shortening: Shortening, motion: BodyHistory) -> Deformation:
    """With U_P ϑ⁴, and θ = F(x) s of the sine s, x = s², F = asin(√x)/√x."""
    leans, U, rows = shortening.leans, shortening.moved, found.rows
    assert rows is not None and found.accelerations is not None
    p, dp, ddp = (part @ leans.T for part in (motion.deformation, motion.rates, motion.second))
    value = found.values + p**4 @ U.T
    rate = found.rates + (4 * p**3 * dp) @ U.T
    second = found.accelerations + (4 * p**3 * ddp + 12 * p**2 * dp**2) @ U.T
    rows = rows + np.einsum("ig,tg,gr->tir", U, 4 * p**3, leans, optimize=True)
    s, ds, dds, turned = value[:, 3:], rate[:, 3:], second[:, 3:], rows[:, 3:]
    F, F1, F2 = (part[:, None] for part in arc_sine_ratio(np.einsum("ti,ti->t", s, s)))
    dx = 2 * np.einsum("ti,ti->t", s, ds)[:, None]
    ddx = 2 * (np.einsum("ti,ti->t", ds, ds) + np.einsum("ti,ti->t", s, dds))[:, None]
    along = 2 * np.einsum("ti,tir->tr", s, turned)
    turns = F[..., None] * turned + F1[..., None] * s[..., None] * along[:, None]
    return Deformation(
        np.concatenate([value[:, :3], F * s], axis=1),
        np.concatenate([rate[:, :3], F * ds + F1 * dx * s], axis=1),
        np.concatenate([second[:, :3], F * dds + 2 * F1 * dx * ds + (F2 * dx**2 + F1 * ddx) * s], axis=1),
        np.concatenate([rows[:, :3], turns], axis=1),
        found.present,
    )


def marker_history(
    simulation: Simulation, place: str, motions: Mapping[str, BodyHistory] | None = None
) -> MarkerMotion:
    """Motion of a place "body.point" in space, with its displacement in body axes.

    `motions` are those of all bodies, where they are at hand.
    """
    system = simulation.system
    owner, _, name = system.system.resolve(place).partition(".")
    if owner not in system.names:
        raise InputError(unknown("body", owner, system.names))
    body = system.bodies[system.number(owner)]
    motion = motions[owner] if motions is not None else body_history(simulation, owner)
    if body.reduced is None or not name:
        point = system.system.frame(place)[1].point
        return marker_motion(motion, point, None)
    points = (*body.reduced.interfaces, *body.reduced.sensors)
    there = next((p for p in points if p.name in (name, f"marker {name}")), None)
    if there is None:
        raise InputError(unknown(f"point of {owner}", name, [p.name for p in points]))
    return marker_motion(motion, there.position, point_deformation(motion, there, geometric=system.geometric))


def joint_force(
    simulation: Simulation, name: str, motions: Mapping[str, BodyHistory] | None = None
) -> tuple[Array, Array]:
    """Force and moment about its place on the second body of a joint or drive, in space axes: (T, 3) each."""
    system = simulation.system
    links = {link.name: link for link in (*system.system.joints, *system.system.drives)}
    if name not in links:
        raise InputError(unknown("joint or drive", name, list(links)))
    T, t, ready, link = len(simulation.times), system.tables, system.mechanism, links[name]
    wrench, arm = np.zeros((T, 6)), np.zeros((T, 3))
    rows = [row for row, owner in enumerate(system.owners) if owner == name]
    springs = ready.springs_of_joint(name)
    if springs and isinstance(link, Transmission):
        return _transmission_force(simulation, link, motions)
    if rows:
        leading = [np.arange(first, first + count) for first, count in t.rows.leading[rows]]
        used = np.concatenate([t.rows.frames[rows], *(t.arguments.frames[own] for own in leading)])
        frames = _frames_of(simulation, _markers(system, link, rows, leading), used, motions)
        _, on_second, arm = _row_values(t.rows, rows, frames)
        on_second = on_second - _leading_rows(simulation, rows, leading, frames)
        wrench = np.einsum("tk,tki->ti", simulation.multipliers[:, rows], on_second)
    if springs:
        used = t.coordinates.frames[springs]
        markers = dict(zip(used[0, :2].tolist(), (link.first, link.second), strict=True))
        frames = _frames_of(simulation, markers, used, motions)
        s, on_second, arm = _row_values(t.coordinates, springs, frames)
        rate = _row_rates(t.coordinates, springs, frames)
        forces = [ready.force_laws[row].force(s[:, k], rate[:, k]) for k, row in enumerate(springs)]
        wrench = wrench + np.einsum("kt,tki->ti", np.array(forces), on_second)
    force, moment = wrench[:, :3], wrench[:, 3:] - cross(arm, wrench[:, :3])
    if isinstance(links[name], Jointed):
        for number in own_contacts(system.system, name):
            contact = system.system.all_contacts[number]
            sense = -1.0 if contact.second == links[name].first else 1.0  # on the second body of the joint
            pushed, at = sense * simulation.contacts[:, number, 3:6], simulation.contacts[:, number, 6:9]
            if contact.turning:
                moment = moment + pushed
                continue
            force = force + pushed
            moment = moment + cross(at - _place(simulation, links[name].second, motions), pushed)
    return force, moment


def _place(simulation: Simulation, marker: str, motions: Mapping[str, BodyHistory] | None) -> Array:
    """Where a marker is: (T, 3), or (3,) on the ground."""
    owner, frame = simulation.system.system.frame(marker)
    return frame.point if owner == GROUND else marker_history(simulation, marker, motions).positions


def _transmission_force(
    simulation: Simulation, link: Transmission, motions: Mapping[str, BodyHistory] | None
) -> tuple[Array, Array]:
    """Force and moment of an elastic transmission, whose markers are taken where undeformed bodies have them."""
    motion = mechanism_motion(simulation, motions)
    wrench = spring_wrenches(motion)[1][:, motion.mechanism.springs_of_joint(link.name)].sum(axis=1)
    body, frame = simulation.system.system.frame(link.second)
    if body == GROUND:
        arm = np.broadcast_to(frame.point, (len(wrench), 3))
    else:
        arm = motion.body(body).rotations @ frame.point
    return wrench[:, :3], wrench[:, 3:] - cross(arm, wrench[:, :3])


@dataclass(frozen=True, eq=False)
class _Frames:
    """Frames of a system over time: those that are asked for, and the ground."""

    positions: Array  # (T, frames, 3)
    rotations: Array  # (T, frames, 3, 3)
    velocities: Array  # (T, frames, 3)
    spins: Array  # (T, frames, 3)


def _frames_of(
    simulation: Simulation, markers: Mapping[int, str], used: IntArray, motions: Mapping[str, BodyHistory] | None
) -> _Frames:
    """Frames that rows use, (rows, 3) first, second and carrier; `markers` by their numbers."""
    system, t = simulation.system, simulation.system.tables
    T, count = len(simulation.times), len(t.frames.bodies)
    made = _Frames(*(np.zeros((T, count, 3, *more)) for more in ((), (3,), (), ())))
    made.rotations[:, -1] = np.eye(3)
    for f in {int(frame) for frame in used.ravel()} - {count - 1}:
        body = system.names[int(t.frames.bodies[f])]
        own = motions[body] if motions is not None else body_history(simulation, body)
        there: BodyHistory | MarkerMotion = own
        if t.frames.elastic[f]:
            there = marker_history(simulation, markers[f], motions)
        made.positions[:, f], made.rotations[:, f] = there.positions, there.rotations
        made.velocities[:, f], made.spins[:, f] = there.velocities, there.angular_velocities
    return made


def _markers(
    system: DynamicSystem, link: Joint | Drive, rows: Sequence[int], leading: Sequence[IntArray]
) -> dict[int, str]:
    """The marker of each frame that a joint or drive binds."""
    t, ready = system.tables, system.mechanism
    found: dict[int, str] = {}
    for row, numbers in zip(rows, leading, strict=True):
        own = ready.rows.entries[row].markers
        sides = [(t.rows.frames[row], own if any(own) else (link.first, link.second))]
        sides += [(t.arguments.frames[k], ready.leaders.entries[k].markers) for k in numbers]
        for bound, markers in sides:
            found |= {int(frame): marker for frame, marker in zip(bound[:2], markers, strict=True)}
    return found


def _row_values(table: RowTables, rows: list[int], frames: _Frames) -> tuple[Array, Array, Array]:
    """s (T, rows), J on the second frame (T, rows, 6), and the arm of the place on it (T, 3)."""
    second = int(table.frames[rows[0], 1])
    s, J = _values(table, rows, frames)
    return s, J[:, :, second], np.einsum("tij,j->ti", frames.rotations[:, second], table.places[rows[0], 1])


def _leading_rows(simulation: Simulation, rows: list[int], leading: Sequence[IntArray], frames: _Frames) -> Array:
    """f_r J_r on the second frame of rows that follow other coordinates r, else zero: (T, rows, 6)."""
    system, times = simulation.system, simulation.times
    t, second = system.tables, int(system.tables.rows.frames[rows[0], 1])
    found = np.zeros((len(frames.positions), len(rows), 6))
    for k, numbers in enumerate(leading):
        if not len(numbers):
            continue
        own = [int(number) for number in numbers]
        value, J = _values(t.arguments, own, frames)
        turns = system.mechanism.leaders.turns[own]
        value = counted_by_rates(value, _row_rates(t.arguments, own, frames), times, turns)
        law = system.laws[int(t.rows.laws[rows[k]])]
        slopes = law.slopes(value, times)[1] if isinstance(law, FollowingLaw) else law.jet(value[:, :1])[1]
        found[:, k] = np.einsum("tk,tki->ti", slopes, J[:, :, second])
    return found


def _values(table: RowTables, rows: list[int], frames: _Frames) -> tuple[Array, Array]:
    """s (T, rows), and J on all frames (T, rows, frames, 6)."""
    own = table._replace(**{name: getattr(table, name)[rows] for name in table._fields})
    T, count = frames.positions.shape[:2]
    s, J = np.zeros((T, len(rows))), np.zeros((T, len(rows), count, 6))
    _core.constraint_values(own, frames.positions, frames.rotations, s, J)
    return s, J


def _row_rates(table: RowTables, rows: list[int], frames: _Frames) -> Array:
    """ṡ: (T, rows)."""
    own = table._replace(**{name: getattr(table, name)[rows] for name in table._fields})
    rate, bias = (np.zeros((len(frames.positions), len(rows))) for _ in range(2))
    _core.constraint_rates(own, frames.positions, frames.rotations, frames.velocities, frames.spins, rate, bias)
    return rate


def configuration_of(run: Simulation) -> Configuration:
    """Poses of all bodies at the samples."""
    return array_poses(
        run.positions, rotation_from_quaternion(run.quaternions), run.angles if run.system.planar else None
    )


def mechanism_motion(
    run: Simulation, motions: Mapping[str, BodyHistory] | None = None, mechanism: Mechanism | None = None
) -> MechanismMotion:
    """Positions, velocities and accelerations of all frames; `motions` are those of all bodies, where at hand.

    Another `mechanism` than that of the run is one whose bodies are among the motions.
    """
    ready = mechanism or run.system.mechanism
    known = motions or {name: body_history(run, name) for name in ready.names}
    bodies = [known[name] for name in ready.names]
    velocities = _rates([(body.velocities, body.angular_velocities) for body in bodies])
    turned = [body.angles for body in bodies]
    poses = array_poses(
        np.stack([body.positions for body in bodies], axis=1),
        np.stack([body.rotations for body in bodies], axis=1),
        np.stack([a for a in turned if a is not None], axis=1) if ready.planar else None,
    )
    configuration = ready.counted_along(poses, velocities, run.times)
    return MechanismMotion(
        mechanism=ready,
        times=run.times,
        configuration=configuration,
        velocities=velocities,
        accelerations=_rates([(body.accelerations, body.angular_accelerations) for body in bodies]),
        mobility=mobility(ready, configuration.at(slice(0, 1)), float(run.times[0])),
        closure=float(np.max(run.position_residuals, initial=0.0)),
    )


def _rates(parts: list[tuple[Array, Array]]) -> Rates:
    """Linear and angular parts of all bodies, and zeros of the ground: (T, bodies + 1, 3) each."""
    still = np.zeros_like(parts[0][0])
    return Rates(*(np.stack([*(part[i] for part in parts), still], axis=1) for i in range(2)))

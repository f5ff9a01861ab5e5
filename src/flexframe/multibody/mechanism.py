"""A system made ready for computation: flat tables of bodies, constraints and forces.

With coordinates (v_O, ω) of every body in space axes,

    M(q) q̈ + h(q, q̇) = Q(q, q̇, t) + Aᵀλ,      A q̈ + γ = 0,      A q̇ + b = 0,

γ = β − f̈ and b = −ḟ, where s(q) = f(t) are the joints and drives.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from flexframe.assembly.discrete import discretise
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray
from flexframe.maths.rotations import rotation_from_vector, skew
from flexframe.model.body import Body
from flexframe.model.constraints import Constraint, Coupled, Fixed, JointConstraint, TimeLaw, first_place
from flexframe.model.controllers.units import require_dimensions
from flexframe.model.drives import Drive
from flexframe.model.elasticity import Bushing, RowSpring, joint_springs, rigid_constraints
from flexframe.model.joints import Joint, lock_coordinates
from flexframe.model.measured import MeasuredCoordinate
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.state_laws import StateForce
from flexframe.model.system import GROUND, System
from flexframe.model.system_loads import BodyLoads, CoordinateForce, MarkerForce, SystemGravity
from flexframe.model.transmissions.contract import Transmission, TransmissionForce, elements_of, pulls_of
from flexframe.motion.frame import vector3
from flexframe.multibody.constraints import (
    BoundFrames,
    ConstraintSet,
    counted_by_rates,
    idle_in_plane,
    keep_in_plane,
    on_second,
    whole_turns,
)
from flexframe.multibody.division.pieces import divisions_of
from flexframe.multibody.signal_network import signal_network
from flexframe.multibody.signals import SignalLaw, SignalNetwork
from flexframe.multibody.states import (
    PLANAR_COLUMNS,
    SPATIAL_COLUMNS,
    Configuration,
    Rates,
    array_poses,
    cross,
    move,
)


@dataclass(frozen=True, eq=False)
class MassProperties:
    """Of each body, about the origin of its frame and in its axes."""

    mass: Array  # (bodies,)
    centre: Array  # (bodies, 3)
    inertia: Array  # (bodies, 3, 3)


def mass_properties(bodies: Sequence[RigidBody | Body]) -> MassProperties:
    """From numbers for rigid bodies, from mesh and density (undeformed) for elastic ones."""
    rows = [_of_mesh(body) if isinstance(body, Body) else _of_rigid(body) for body in bodies]
    masses, centres, inertias = zip(*rows, strict=True)
    return MassProperties(np.array(masses), np.array(centres), np.array(inertias))


def _of_rigid(body: RigidBody) -> tuple[float, Array, Array]:
    arm = skew(body.centre)
    return body.mass, body.centre, body.inertia - body.mass * arm @ arm


def _of_mesh(body: Body) -> tuple[float, Array, Array]:
    inertia = discretise(body).inertia
    return inertia.mass, inertia.centre_of_mass, inertia.inertia_tensor


@dataclass(frozen=True, eq=False)
class PlacedForce:
    """A force and a moment at a point of a body, as laws of time."""

    body: int
    point: Array
    in_body: bool
    force: tuple[TimeLaw, ...]
    moment: tuple[TimeLaw, ...]


@dataclass(frozen=True, eq=False)
class ChangingField:
    """An acceleration of space on all mass, times a law of time."""

    acceleration: Array  # m/s²: (3,)
    law: TimeLaw
    before: float | None  # the factor before the start, where it is given


@dataclass(frozen=True, eq=False)
class Mechanism:
    """Bodies by number, in the order of the system; the ground comes last."""

    system: System
    constraints: ConstraintSet  # joints, then drives
    locks: ConstraintSet  # coordinates that locks of joints hold while they are closed
    start_constraints: ConstraintSet  # and what holds at the start only: elastic joints begin unstretched
    forces: ConstraintSet  # coordinates of the force elements
    force_laws: tuple[CoordinateForce, ...]
    leaders: ConstraintSet  # coordinates that constraints and force elements follow
    measured: ConstraintSet  # coordinates that signals read
    network: SignalNetwork
    placed_forces: tuple[PlacedForce, ...]
    gravity: Array  # what does not change of it, m/s²: (3,)
    fields: tuple[ChangingField, ...]  # beside it

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return tuple(body.name for body in self.system.bodies)

    @property
    def bodies(self) -> int:
        """Number of bodies without the ground."""
        return len(self.system.bodies)

    @property
    def planar(self) -> bool:
        """Whether all bodies move in the x–y plane."""
        return self.system.space == "planar"

    @property
    def size(self) -> int:
        """Number of coordinates n: three or six for each body."""
        return self.bodies * (3 if self.planar else 6)

    @cached_property
    def masses(self) -> MassProperties:
        """Mass, centre and inertia of every body, found when first needed."""
        return mass_properties(self.system.bodies)

    @cached_property
    def rows(self) -> ConstraintSet:
        """The constraints, and after them what locks hold."""
        own, locks = self.constraints, self.locks
        entries, owners = (*own.entries, *locks.entries), (*own.owners, *locks.owners)
        return ConstraintSet(entries, owners, self.bodies, self.planar, own.parts)

    @cached_property
    def drive_rows(self) -> BoolArray:
        """Which constraints are drives: (rows,)."""
        drives = {drive.name for drive in self.system.drives}
        return np.array([owner in drives for owner in self.constraints.owners], dtype=bool)

    def springs_of_joint(self, name: str) -> list[int]:
        """Force elements that stand in the place of rigid constraints of a joint."""
        return [
            row
            for row, law in enumerate(self.force_laws)
            if law.name == name
            and (isinstance(law, TransmissionForce) or (isinstance(law, RowSpring) and law.of_joint))
        ]

    @cached_property
    def length(self) -> float:
        """A length of the system [m], for comparing positions with angles."""
        arms = [np.linalg.norm(e.first_point) for e in self.constraints.entries]
        arms += [np.linalg.norm(e.second_point) for e in self.constraints.entries]
        arms += [np.linalg.norm(start.position) for start in self.system.start.values()]
        # sections of exact beams have no arms of their own
        exact = [d.whole.mesh.points for d in divisions_of(self.system).values() if d.exact is not None]
        arms += [np.linalg.norm(np.ptp(points, axis=0)) for points in exact]
        longest = max((float(arm) for arm in arms), default=0.0)
        return longest if longest > 0 else 1.0

    @cached_property
    def column_scale(self) -> Array:
        """One length for positions, one radian for angles: (n,)."""
        L = self.length
        return np.tile([L, L, 1.0] if self.planar else [L, L, L, 1.0, 1.0, 1.0], self.bodies)

    def row_scale(self, constraints: ConstraintSet) -> Array:
        """Makes rows of metres and of radians comparable: (rows,)."""
        return np.where(constraints.lengths, 1.0 / self.length, 1.0)

    def rough_start(self) -> Configuration:
        """Where the description says the bodies are, roughly: one instant."""
        starts = [self.system.start.get(name, Placement()) for name in self.names]
        positions = np.array([[start.position for start in starts]])
        if self.planar:
            positions[..., 2] = 0.0
            return array_poses(positions, None, np.array([[start.rotation[2] for start in starts]]))
        return array_poses(positions, np.array([[rotation_from_vector(start.rotation) for start in starts]]), None)

    def rough_velocities(self) -> Rates:
        """How the description says the bodies move at the start, roughly: one instant."""
        starts = [self.system.start.get(name, Placement()) for name in self.names]
        still = np.zeros(3)
        linear = np.array([[*(start.velocity for start in starts), still]])
        return Rates(linear, np.array([[*(start.angular_velocity for start in starts), still]]))

    # ------------------------------------------------------------------ coordinates that others follow

    def leading(self, c: Configuration) -> Array:
        """Values of the coordinates that others follow, angles through all turns: (T, leading)."""
        return self.leaders.count_turns(c)[0] if self.leaders.count else np.zeros((c.count, 0))

    def measured_turns(self, c: Configuration) -> Array:
        """Angles of transmissions that signals read, through all turns of the plane; else zero: (T, measured)."""
        found = np.zeros((c.count, self.measured.count))
        names = {joint.name for joint in self.system.joints if isinstance(joint, Transmission)}
        own = self.measured.turns & np.array([owner in names for owner in self.measured.owners], dtype=bool)
        if c.angles is not None and own.any():
            found[:, own] = self.measured.count_turns(c)[0][:, own]
        return found

    def counted_from(self, c: Configuration) -> Configuration:
        """The poses of a spatial system with the angles from which turns are counted on."""
        return c if self.planar or not self.leaders.count else replace(c, counted=self.leading(c))

    def move(self, c: Configuration, step: Array) -> Configuration:
        """The poses after a step of the coordinates (T, n), which counts turns on."""
        after = move(c, step)
        if self.planar or not self.leaders.count:
            return after
        value, J = self.leaders.count_turns(c)
        near = value + np.einsum("tkn,tn->tk", self.leaders.reduce_jacobian(J), step)
        return replace(after, counted=self.leaders.count_turns(replace(after, counted=near))[0])

    def counted_along(self, c: Configuration, u: Rates, times: Array) -> Configuration:
        """Poses along a motion with the turns that its velocities make from instant to instant."""
        if not self.leaders.count or self.planar:
            return c
        value, rate = self.leaders.count_turns(c)[0], self.leaders.rates(c, u)[0]
        return replace(c, counted=counted_by_rates(value, rate, times, self.leaders.turns))

    # ------------------------------------------------------------------ inertia and forces

    def mass_blocks(self, c: Configuration) -> Array:
        """M = [[m 1, −m c̃], [m c̃, I_O]] of every body in space axes: (T, bodies, 6, 6)."""
        R = c.rotations[:, :-1]
        arm = np.einsum("tbij,bj->tbi", R, self.masses.centre * self.masses.mass[:, None])
        M = np.zeros((c.count, self.bodies, 6, 6))
        for i in range(3):
            M[..., i, i] = self.masses.mass
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            M[..., i, 3 + j], M[..., j, 3 + i] = arm[..., k], -arm[..., k]
        M[..., 3:, :3] = np.swapaxes(M[..., :3, 3:], -1, -2)
        M[..., 3:, 3:] = R @ self.masses.inertia @ np.swapaxes(R, -1, -2)
        return M

    def mass_matrix(self, c: Configuration) -> Array:
        """M of all coordinates: (T, n, n)."""
        columns = PLANAR_COLUMNS if self.planar else SPATIAL_COLUMNS
        blocks = self.mass_blocks(c)[..., columns[:, None], columns]
        size = len(columns)
        M = np.zeros((c.count, self.size, self.size))
        for b in range(self.bodies):
            M[:, size * b : size * (b + 1), size * b : size * (b + 1)] = blocks[:, b]
        return M

    def inertia_wrenches(self, c: Configuration, u: Rates, a: Rates | None) -> Array:
        """M q̈ + h, force and moment about the origin of every body: (T, bodies, 6); without `a` only h."""
        R = c.rotations[:, :-1]
        arm = np.einsum("tbij,bj->tbi", R, self.masses.centre)
        omega = u.angular[:, :-1]
        inertia = R @ self.masses.inertia @ np.swapaxes(R, -1, -2)
        acceleration = cross(omega, cross(omega, arm))
        moment = cross(omega, np.matmul(inertia, omega[..., None])[..., 0])
        mass = self.masses.mass[:, None]
        if a is not None:
            acceleration = acceleration + a.linear[:, :-1] + cross(a.angular[:, :-1], arm)
            moment = moment + np.matmul(inertia, a.angular[:, :-1, :, None])[..., 0]
            moment = moment + mass * cross(arm, a.linear[:, :-1])
        return np.concatenate([mass * acceleration, moment], axis=-1)

    def applied_wrenches(
        self, c: Configuration, u: Rates, times: Array, multipliers: Array | None = None
    ) -> Array:
        """Q: force and moment about the origin of every body, in space axes: (T, bodies, 6).

        What follows reactions wants the multipliers of the constraints: (T, rows).
        """
        W = np.zeros((c.count, self.bodies + 1, 6))
        signals = self.signals(c, u, times, multipliers)
        gravity = self.gravity_at(times, signals)
        if gravity.any():
            weight = self.masses.mass[:, None] * gravity[:, None]
            W[:, :-1, :3] += weight
            W[:, :-1, 3:] += cross(np.einsum("tbij,bj->tbi", c.rotations[:, :-1], self.masses.centre), weight)
        for load in self.placed_forces:
            force = np.stack([law_values(law, times, signals) for law in load.force], axis=-1)
            moment = np.stack([law_values(law, times, signals) for law in load.moment], axis=-1)
            R = c.rotations[:, load.body]
            if load.in_body:
                force, moment = (np.matmul(R, v[..., None])[..., 0] for v in (force, moment))
            W[:, load.body, :3] += force
            W[:, load.body, 3:] += moment + cross(R @ load.point, force)
        if self.forces.count:
            value, rows = self.forces.values(c)
            rate, _ = self.forces.rates(c, u)
            for i, law in enumerate(self.force_laws):
                followed = self.network.law_along(law)
                force = law.force(value[:, i], rate[:, i])
                if followed is not None:
                    force = law_values(followed, times, signals)
                W += force[:, None, None] * rows[:, i]
        return W[:, :-1]

    def signals(self, c: Configuration, u: Rates, times: Array, multipliers: Array | None = None) -> Array:
        """What loads follow beside the time: (T, signals)."""
        if not self.network.signals:
            return np.zeros((len(times), 0))
        value = self.measured.values(c)[0] if self.measured.count else np.zeros((len(times), 0))
        rate = self.measured.rates(c, u)[0] if self.measured.count else value
        if self.measured.count:
            turns = self.measured.turns
            value[:, turns] = np.unwrap(value[:, turns], axis=0)
            value += whole_turns(self.measured_turns(c)[:1] - value[:1]) * (self.measured_turns(c)[:1] != 0)
        reactions = None if multipliers is None else self._reactions(c, multipliers, times)
        return self.network.values(times, value, rate, reactions)

    def _reactions(self, c: Configuration, multipliers: Array, times: Array) -> Array:
        """Reactions that signals read: Σ λ, or a part of the wrench Σ λ J: (T, reactions)."""
        found = np.zeros((c.count, len(self.network.tables.reactions)))
        rows = on_second(self.constraints, c, self.constraints.values(c, times)[1])
        directions = self.network.tables.reaction_directions
        for k, (first, count, wrench, turns) in enumerate(self.network.tables.reactions.tolist()):
            own = slice(first, first + count)
            if not wrench:
                found[:, k] = multipliers[:, own].sum(axis=1)
                continue
            entry = self.constraints.entries[first]
            total = np.einsum("tk,tki->ti", multipliers[:, own], rows[:, own])
            force, moment = total[:, :3], total[:, 3:]
            moment = moment - cross(c.rotations[:, entry.second] @ entry.second_point, force)
            axes = c.rotations[:, entry.first] if turns else np.eye(3)
            found[:, k] = (force * (axes @ directions[k, :3])).sum(axis=1)
            found[:, k] += (moment * (axes @ directions[k, 3:])).sum(axis=1)
        return found

    def gravity_at(self, times: Array, signals: Array) -> Array:
        """Acceleration of space on all mass [m/s²]: (T, 3)."""
        total = np.tile(self.gravity, (len(times), 1))
        for field in self.fields:
            total += law_values(field.law, times, signals)[:, None] * field.acceleration
        return total

    def in_coordinates(self, wrenches: Array) -> Array:
        """Wrenches of the bodies as a vector of the coordinates: (T, n)."""
        columns = PLANAR_COLUMNS if self.planar else SPATIAL_COLUMNS
        return np.ascontiguousarray(wrenches[..., columns]).reshape(wrenches.shape[0], -1)


def law_values(law: TimeLaw, times: Array, signals: Array) -> Array:
    """A law of time or state at many instants: (T,)."""
    return signals[:, law.signal] if isinstance(law, SignalLaw) else law.jet(times)[0]


Link = Joint | Drive | CoordinateForce | MeasuredCoordinate


def _bind_frames(system: System, link: Link, constraints: Iterable[JointConstraint]) -> list[BoundFrames]:
    """The constraints of a link with the numbers of its bodies and its frames on them."""
    numbers = _numbers(system)

    def bind(constraint: Constraint, first: str, second: str) -> BoundFrames:
        (a, at_a), (b, at_b) = system.frame(first, link.name), system.frame(second, link.name)
        place = first_place(constraint, at_a.point, at_a.axes)
        return BoundFrames(constraint, numbers[a], numbers[b], place, at_b.point, at_a.axes, at_b.axes)

    found = []
    for constraint in constraints:
        if isinstance(constraint, Coupled):
            follower, *leaders = (
                replace(bind(side.coordinate, side.first, side.second), markers=(side.first, side.second))
                for side in constraint.sides
            )
            found.append(replace(follower, leaders=tuple(leaders), law=constraint.law))
        else:
            found.append(bind(constraint, link.first, link.second))
    return found


def _number_leaders(entries: Sequence[BoundFrames], first: int = 0) -> list[BoundFrames]:
    """Entries whose leading coordinates are numbered one after the other."""
    numbered, number = [], first
    for entry in entries:
        numbered.append(replace(entry, number=number) if entry.leaders else entry)
        number += len(entry.leaders)
    return numbered


def _numbers(system: System) -> dict[str, int]:
    return {body.name: i for i, body in enumerate(system.bodies)} | {GROUND: len(system.bodies)}


def _gather(system: System, links: Iterable[Joint | Drive], *, ideal: bool = False) -> ConstraintSet:
    """Constraints of joints and drives; `ideal` takes elastic joints as rigid."""
    entries: list[BoundFrames] = []
    owners: list[str] = []
    for link in links:
        some = _bind_frames(system, link, link.constraints() if ideal else rigid_constraints(link))
        entries += some
        owners += [link.name] * len(some)
    entries = _number_leaders(entries)
    return ConstraintSet(tuple(entries), tuple(owners), len(system.bodies), system.space == "planar", system.parts)


def measured_set(system: System, coordinates: Sequence[MeasuredCoordinate]) -> ConstraintSet:
    """Coordinates that signals read, between undeformed bodies."""
    entries = [_bind_frames(system, each, (each.coordinate,))[0] for each in coordinates]
    names = tuple(each.name for each in coordinates)
    return ConstraintSet(tuple(entries), names, len(system.bodies), system.space == "planar", system.parts)


def watch_coordinates(ready: "Mechanism", drives: Iterable[Drive]) -> ConstraintSet:
    """Coordinates to be watched while the system moves, written like drives."""
    return _gather(ready.system, drives)


def mechanism(system: System, *, observed: Sequence[str] = ()) -> Mechanism:
    """Resolve names and drop what a planar system does not need.

    Parameters
    ----------
    system
        Bodies with joints and drives.
    observed
        Names of sensors, or of their components as `tip.x`, that become signals whether a formula reads them or
        not.

    Returns
    -------
    Mechanism
        The system in tables: bodies, constraint equations and forces by number.

    Examples
    --------
    >>> crank = ff.RigidBody.rod("crank", length=0.3, mass=1.2)
    >>> system = ff.System([crank], [ff.Revolute("A", "ground", "crank")])
    >>> type(ff.bodies.mechanism(system)).__name__
    'Mechanism'
    """
    found = _mechanism(system, system.joints, observed)
    if not any(isinstance(joint, Transmission) for joint in system.joints):
        return found
    from flexframe.multibody.closure import assembled_joints

    return _mechanism(system, assembled_joints(found), observed)


def _mechanism(system: System, joints: Sequence[Joint], observed: Sequence[str]) -> Mechanism:
    """The system with these joints, its own as they are where it starts."""
    bound = _bound_rows(system, joints)
    network = signal_network(system, bound["force_laws"], bound["constraints"].owners, observed)
    readers = [
        (each.name, each.unit, each.signals) for each in network.reported if each.name not in network.outputs
    ]
    require_dimensions(system.controllers, network.outputs, readers)
    return Mechanism(
        system=system,
        **bound,
        measured=measured_set(system, network.coordinates),
        network=network,
        locks=_locks(system, network),
        start_constraints=keep_in_plane(
            _gather(system, (*system.joints, *system.drives, *system.initial), ideal=True)
        ),
        placed_forces=tuple(
            _placed_force(system, load, network, _numbers(system))
            for load in system.loads
            if isinstance(load, MarkerForce)
        ),
        gravity=_gravity(system),
        fields=tuple(
            ChangingField(vector3(load.acceleration, load.name), network.laws_of(load)[0], load.factor_before)
            for load in system.loads
            if isinstance(load, SystemGravity) and load.constant_factor is None
        ),
    )


def _bound_rows(system: System, joints: Sequence[Joint]) -> dict[str, Any]:
    """Constraints and force elements of a system with these joints, and what they follow."""
    rows = _gather(system, (*joints, *system.drives))
    forces, laws = _force_elements(system, joints, rows.leaders.count)
    leaders = ConstraintSet(
        (*rows.leaders.entries, *forces.leaders.entries),
        (*rows.leaders.owners, *forces.leaders.owners),
        len(system.bodies),
        system.space == "planar",
        system.parts,
    )
    return {"constraints": keep_in_plane(rows), "forces": forces, "force_laws": laws, "leaders": leaders}


def _locks(system: System, network: SignalNetwork) -> ConstraintSet:
    """The coordinates of joints with a lock, in the order of the network."""
    joints = {joint.name: joint for joint in system.joints}
    entries: list[BoundFrames] = []
    owners: list[str] = []
    for lock in network.locks:
        joint = joints[lock.joint]
        entries += _bind_frames(system, joint, lock_coordinates(joint, planar=system.space == "planar"))
        owners += [joint.name] * len(lock.places)
    return ConstraintSet(tuple(entries), tuple(owners), len(system.bodies), system.space == "planar", system.parts)


def _coordinate(load: CoordinateForce) -> JointConstraint:
    return load.coupled if isinstance(load, TransmissionForce) else load.coordinate()


def _force_elements(
    system: System, joints: Sequence[Joint], leaders: int
) -> tuple[ConstraintSet, tuple[CoordinateForce, ...]]:
    """Coordinates and laws of forces along them and of bushings, then of elastic joints and transmissions.

    `leaders` is the number of coordinates that constraints follow, after which those of forces are numbered.
    """
    elastic: list[CoordinateForce] = []
    following: list[CoordinateForce] = []
    for load in system.loads:
        if isinstance(load, Bushing):
            load.require_space(planar=system.space == "planar")
            springs = load.springs()
            elastic += springs
            following += [StateForce(spring, row) for row, spring in enumerate(springs) if load.follows]
        elif not isinstance(load, SystemGravity | MarkerForce | BodyLoads):
            elastic.append(load)
            following += [StateForce(load)] if getattr(load, "follows", False) else []
    elastic += following
    elastic += [spring for joint in joints for spring in joint_springs(joint)]
    elastic += elements_of(joints)
    elastic += pulls_of(joints)
    coordinates = [_bind_frames(system, load, (_coordinate(load),))[0] for load in elastic]
    forces = ConstraintSet(
        tuple(_number_leaders(coordinates, leaders)),
        tuple(load.name for load in elastic),
        len(system.bodies),
        system.space == "planar",
    )
    if not forces.count or not forces.planar:
        return forces, tuple(elastic)
    idle, _ = idle_in_plane(forces)
    for row in np.flatnonzero(idle):
        if not isinstance(elastic[row], RowSpring):
            owner = getattr(elastic[row], "joint", "") or forces.owners[row]
            raise InputError(
                f"{forces.owners[row]} acts across the x–y plane; correct its axis, or use space: spatial",
                part=system.parts[owner],
            )
    kept = [int(row) for row in np.flatnonzero(~idle)]
    return forces.choose(kept), tuple(elastic[row] for row in kept)


def _gravity(system: System) -> Array:
    total = np.zeros(3)
    for load in system.loads:
        if isinstance(load, SystemGravity) and load.constant_factor is not None:
            total += load.constant_factor * vector3(load.acceleration, load.name)
    return total


def _placed_force(
    system: System, load: MarkerForce, network: SignalNetwork, numbers: dict[str, int]
) -> PlacedForce:
    body, frame = system.frame(load.on, load.name)
    laws = network.laws_of(load)
    force, moment = (*laws[: len(load.force)], Fixed())[:3], laws[len(load.force) :]
    return PlacedForce(numbers[body], frame.point, load.axes == "body", force, moment)

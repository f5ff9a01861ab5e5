"""Joint forces and drive torques of a known motion: Aᵀλ = M q̈ + h − Q."""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.null_spaces import rank, solved
from flexframe.model.constraints import MeshAngle
from flexframe.model.contacts import require_no_contacts
from flexframe.model.joints import Rolling
from flexframe.model.system import GROUND, System, unknown
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.gears import Toothed
from flexframe.multibody.constraints import on_second
from flexframe.multibody.motion import MechanismMotion
from flexframe.multibody.states import as_vector, cross
from flexframe.sensors.states import Columns, Frame, JointReadings, State

_CHUNK = 400


@dataclass(frozen=True, eq=False)
class JointForce:
    """What a joint or drive does to its second body, at its place there; the first body feels the opposite.

    In space axes; of a planar system only the components in the plane (and the moment about z) exist.
    """

    name: str
    first: str
    second: str
    places: Array  # where the force acts, in space: (T, 3)
    force: Array  # N: (T, 3)
    moment: Array  # N m, about that place: (T, 3)
    drive: bool
    values: Array  # multiplier of each constraint; of a drive its force or torque: (T, constraints)


@dataclass(frozen=True, eq=False)
class MechanismForces:
    """Forces of all joints and drives along a motion."""

    motion: MechanismMotion
    joints: dict[str, JointForce]
    multipliers: Array  # λ: (T, rows)
    balance: float  # largest |M q̈ + h − Q − Aᵀλ|, relative to the largest force

    def on(self, name: str, body: str) -> tuple[Array, Array]:
        """Force and moment of a joint on one of its bodies, in the axes of that body: (T, 3) each."""
        if name not in self.joints:
            raise InputError(unknown("joint", name, list(self.joints)))
        joint = self.joints[name]
        if body not in (joint.first, joint.second):
            raise InputError(f"{name} links {joint.first} and {joint.second}, not {body}; name one of them")
        require_two_bodies(self.motion.mechanism.system, name, body)
        sign = 1.0 if body == joint.second else -1.0
        if body == GROUND:
            return sign * joint.force, sign * joint.moment
        moving = self.motion.body(body)
        return moving.in_body(sign * joint.force), moving.in_body(sign * joint.moment)


def require_two_bodies(system: System, name: str, body: str) -> None:
    """Refuse a transmission but on its second body: its carrier feels a part, too."""
    link = next((joint for joint in system.joints if joint.name == name), None)
    if isinstance(link, Transmission) and body != link.second.partition(".")[0]:
        raise InputError(
            f"{name} acts on {body} and on its carrier, whose shares follow from that on its second body "
            f"({link.second.partition('.')[0]}); ask for that, or for the force of a bearing",
            part=("joints", name),
        )


def inverse_dynamics(motion: MechanismMotion, contacts: Array | None = None) -> MechanismForces:
    """Forces that a known motion needs; where constraints are redundant, the smallest ones.

    `contacts` are the forces of contacts, where they are known, as a simulation has them: (T, contacts, 9).
    """
    if contacts is None:
        require_no_contacts(motion.mechanism.system.all_contacts, "the inverse dynamics of a known motion")
        contacts = np.zeros((len(motion.times), 0, 9))
    pushed = _contact_wrenches(motion, contacts)
    mechanism, times = motion.mechanism, motion.times
    constraints = mechanism.constraints
    T = len(times)
    multipliers = np.zeros((T, constraints.count))
    wrenches = np.zeros((T, constraints.count, 6))  # of each constraint on its second body
    worst, largest, known_rank = 0.0, 0.0, -1
    columns, rows = mechanism.column_scale, mechanism.row_scale(constraints)
    for start in range(0, T, _CHUNK):
        chunk = slice(start, start + _CHUNK)
        c, u, a = motion.configuration.at(chunk), motion.velocities.at(chunk), motion.accelerations.at(chunk)
        _, full = constraints.values(c, times[chunk])
        J = constraints.reduce_jacobian(full) * rows[:, None] * columns
        if known_rank < 0:
            known_rank = rank(np.linalg.svd(J[0], compute_uv=False)) if constraints.count else 0
        transposed = np.ascontiguousarray(np.swapaxes(J, 1, 2))
        inertia = mechanism.inertia_wrenches(c, u, a)
        scaled_multipliers, before = np.zeros(transposed.shape[::2]), np.inf
        # forces that follow reactions are found with them: again and again, until nothing changes
        for _ in range(_ROUNDS if mechanism.network.follows_reactions else 1):
            applied = mechanism.applied_wrenches(c, u, times[chunk], scaled_multipliers * rows)
            load = mechanism.in_coordinates(inertia - applied - pushed[chunk]) * columns
            last = scaled_multipliers
            if constraints.count:
                scaled_multipliers = solved(transposed, load, known_rank)
            change = np.abs(scaled_multipliers - last).max(initial=0.0)
            if change <= _ROUNDING_OF_FORCES * np.abs(scaled_multipliers).max(initial=0.0) or (
                change > before / 2 and before < _ROUNDING * np.abs(scaled_multipliers).max(initial=0.0)
            ):
                break
            before = change
        else:
            if mechanism.network.follows_reactions:
                raise AnalysisError(
                    "forces that follow reactions, as friction of bearings, and these reactions do not settle "
                    "together; take a transient analysis, or smaller coefficients"
                )
        left = load - np.einsum("tnm,tm->tn", transposed, scaled_multipliers)
        worst = max(worst, float(np.abs(left).max(initial=0.0)))
        largest = max(largest, float(np.abs(load).max(initial=0.0)))
        multipliers[chunk] = scaled_multipliers * rows
        wrenches[chunk] = multipliers[chunk][..., None] * on_second(constraints, c, full)
    joints = _by_joint(motion, multipliers, wrenches, contacts)
    return MechanismForces(motion, joints, multipliers, worst / (largest or 1.0))


def _contact_wrenches(motion: MechanismMotion, contacts: Array) -> Array:
    """Forces of contacts on bodies, moments about their origins, in space axes: (T, bodies, 6)."""
    W = np.zeros((len(motion.times), len(motion.names), 6))
    for k, contact in enumerate(motion.mechanism.system.all_contacts[: contacts.shape[1]]):
        pushed, at = contacts[:, k, 3:6], contacts[:, k, 6:9]
        for marker, sign in ((contact.first, -1.0), (contact.second, 1.0)):
            name = motion.mechanism.system.frame(marker)[0]
            if name == GROUND:
                continue
            own = W[:, motion.names.index(name)]
            if contact.turning:
                own[:, 3:] += sign * pushed
                continue
            own[:, :3] += sign * pushed
            own[:, 3:] += sign * cross(at - motion.body(name).positions, pushed)
    return W


def own_contacts(system: System, name: str) -> tuple[int, ...]:
    """Numbers of the contacts of a joint: those of its clearance, and its stops."""
    own = {contact.name for joint in system.joints if joint.name == name for contact in system.contacts_of(joint)}
    return tuple(k for k, contact in enumerate(system.all_contacts) if contact.name in own)


def spring_wrenches(motion: MechanismMotion) -> tuple[Array, Array]:
    """Forces of all force elements (T, elements), and what they do to their second bodies (T, elements, 6)."""
    ready, c = motion.mechanism, motion.configuration
    value, full = ready.forces.values(c)
    rate, _ = ready.forces.rates(c, motion.velocities)
    laws = enumerate(ready.force_laws)
    forces = np.stack([law.force(value[:, i], rate[:, i]) for i, law in laws], axis=1)
    return forces, forces[..., None] * on_second(ready.forces, c, full)


def _by_joint(
    motion: MechanismMotion, multipliers: Array, wrenches: Array, contacts: Array
) -> dict[str, JointForce]:
    mechanism = motion.mechanism
    system, constraints = mechanism.system, mechanism.constraints
    springs: tuple[Array, Array] | None = None  # found for elastic joints only
    forces = {}
    for link in (*system.joints, *system.drives):
        rows = [i for i, owner in enumerate(constraints.owners) if owner == link.name]
        total, values = wrenches[:, rows].sum(axis=1), multipliers[:, rows]
        elastic = mechanism.springs_of_joint(link.name)
        if elastic:
            springs = springs or spring_wrenches(motion)
            total = total + springs[1][:, elastic].sum(axis=1)
            values = np.concatenate([values, springs[0][:, elastic]], axis=1)
        (first, _), (second, frame) = system.frame(link.first), system.frame(link.second)
        if second == GROUND:
            arm = np.repeat(frame.point[None], len(motion.times), axis=0)
            places = arm
        else:
            body = motion.body(second)
            arm = body.rotations @ frame.point
            places = body.positions + arm
        force, moment = total[:, :3], total[:, 3:] - cross(arm, total[:, :3])
        for k in own_contacts(system, link.name) if contacts.shape[1] else ():
            contact = system.all_contacts[k]
            pushed = contacts[:, k, 3:6] * (-1.0 if contact.second == link.first else 1.0)  # on the second body
            turning = contact.turning
            force = force if turning else force + pushed
            moment = moment + (pushed if turning else cross(contacts[:, k, 6:9] - places, pushed))
        forces[link.name] = JointForce(
            name=link.name,
            first=first,
            second=second,
            places=places,
            force=force,
            moment=moment,
            drive=any(drive.name == link.name for drive in system.drives),
            values=values,
        )
    return forces


def drive_power(forces: MechanismForces) -> Array:
    """Power of all drives, λ ḟ: (T,).

    Parameters
    ----------
    forces
        What inverse dynamics found: `joint_forces(…).forces`.

    Returns
    -------
    Array
        Power [W] at each of the times.

    Examples
    --------
    >>> crank = ff.RigidBody.rod("crank", length=0.3, mass=1.2)
    >>> system = ff.System(
    ...     [crank], [ff.Revolute("A", "ground", "crank")], [ff.AngleDrive("motor", "ground", "crank", "5*t^2")]
    ... )
    >>> forces = ff.joint_forces(system, [0.0, 0.1]).forces
    >>> ff.results.drive_power(forces).round(6)  # I ε ω
    array([0.  , 0.36])
    """
    mechanism = forces.motion.mechanism
    times, constraints = forces.motion.times, mechanism.constraints
    rates = constraints.targets(times).rate + constraints.own_rates(forces.motion.configuration, times)
    return np.einsum("tm,tm->t", forces.multipliers, rates)


def transmitted_power(forces: MechanismForces, name: str) -> Array:
    """Power that a gear, rack, cam, belt, cable or screw gives to its second body along its coordinate: (T,).

    Parameters
    ----------
    forces
        What inverse dynamics found: `joint_forces(…).forces`.
    name
        Name of the joint.

    Returns
    -------
    Array
        Power [W] at each of the times.

    Examples
    --------
    >>> wheels = [ff.RigidBody("pinion", 1.0, 0.1), ff.RigidBody("wheel", 1.0, 2.0)]
    >>> joints = [ff.Revolute("A", "ground", "pinion"), ff.Revolute("B", "ground.B", "wheel")]
    >>> joints += [ff.joints.Gear("mesh", "pinion", "wheel", ratio=4.0)]
    >>> drives = [ff.AngleDrive("motor", "ground", "pinion", "8*t^2")]
    >>> system = ff.System(wheels, joints, drives, ground={"B": (0.5, 0.0)})
    >>> forces = ff.joint_forces(system, [0.0, 0.5]).forces
    >>> print(ff.results.transmitted_power(forces, "mesh")[1].round(6))  # I ε ω of the wheel
    16.0
    """
    ready, c, u = forces.motion.mechanism, forces.motion.configuration, forces.motion.velocities
    parts = []
    for table in (ready.constraints, ready.forces):
        for row in table.following:
            if table.owners[row] == name:
                # its constraints come first among the values, then its springs, one for each flank of teeth
                place = table.owners[:row].count(name)
                parts.append(table.follower_rates(c, u)[:, row] * forces.joints[name].values[:, place])
    if parts:
        return np.asarray(sum(parts))
    known = [ready.constraints.owners[k] for k in ready.constraints.following]
    known += [ready.forces.owners[k] for k in ready.forces.following]
    raise InputError(unknown("transmission", name, known))


def applied_power(motion: MechanismMotion) -> Array:
    """Power of all applied loads: (T,).

    Parameters
    ----------
    motion
        Motion of a mechanism: `kinematics(…).motion`.

    Returns
    -------
    Array
        Power [W] at each of the times.

    Examples
    --------
    >>> crank = ff.RigidBody.rod("crank", length=0.3, mass=1.2)
    >>> system = ff.System(
    ...     [crank],
    ...     [ff.Revolute("A", "ground", "crank")],
    ...     [ff.AngleDrive("motor", "ground", "crank", "10*t")],
    ...     [ff.SystemGravity()],
    ... )
    >>> ff.results.applied_power(ff.kinematics(system, [0.0, 0.1]).motion).round(6)
    array([-17.658   ,  -9.540658])
    """
    mechanism = motion.mechanism
    Q = mechanism.applied_wrenches(motion.configuration, motion.velocities, motion.times)
    return np.einsum("tn,tn->t", mechanism.in_coordinates(Q), as_vector(motion.velocities, mechanism.planar))


def kinetic_energy(motion: MechanismMotion) -> Array:
    """½ q̇ᵀ M q̇: (T,)."""
    mechanism = motion.mechanism
    u = np.concatenate([motion.velocities.linear, motion.velocities.angular], axis=-1)[:, :-1]
    return 0.5 * np.einsum("tbi,tbij,tbj->t", u, mechanism.mass_blocks(motion.configuration), u)


_ROUNDS = 100  # of forces that follow reactions
_ROUNDING_OF_FORCES = 1e-14  # at which they have settled
_ROUNDING = 1e-9
"""Part of the largest force of a contact that counts as none."""


def contact_notices(forces: MechanismForces) -> tuple[str, ...]:
    """Which rolling contacts pull, from when on and how hard; they would lift off there. Teeth on their backs."""
    notices = _teeth_on_their_backs(forces)
    times = forces.motion.times
    for link in forces.motion.mechanism.system.joints:
        if not isinstance(link, Rolling):
            continue
        found = forces.joints[link.name]
        normal = found.values[:, 0]  # the multiplier of the height of the rim above the plane
        strongest = float(np.linalg.norm(found.force, axis=1).max(initial=0.0))
        pulling = np.flatnonzero(normal < -_ROUNDING * strongest)
        if pulling.size:
            worst = int(normal.argmin())
            notices.append(
                f"the rolling contact {link.name} pulls from t = {times[pulling[0]]:.6g} s on, with up to "
                f"{-normal[worst]:.4g} N (t = {times[worst]:.6g} s): a body that only rests there would lift off, "
                "and the motion after that is not what would happen"
            )
    return tuple(notices)


def _teeth_on_their_backs(forces: MechanismForces) -> list[str]:
    """Which teeth press on the flank beside the one whose line they have, and from when on."""
    ready, times, notices = forces.motion.mechanism, forces.motion.times, []
    for table in (ready.constraints, ready.forces):
        for entry, owner in zip(table.entries, table.owners, strict=True):
            if not entry.leaders or not isinstance(mesh := entry.leaders[0].constraint, MeshAngle):
                continue
            link = next(joint for joint in ready.system.joints if joint.name == owner)
            assert isinstance(link, Toothed)
            if link.stiffness is not None or link.flanks == "both":
                continue  # each flank has its own line
            leader, rotations = entry.leaders[0], forces.motion.configuration.rotations
            line = rotations[:, leader.first] @ leader.first_axes @ np.asarray(mesh.line)
            along = np.einsum("ti,ti->t", forces.joints[owner].force, line)
            apart = along * np.sin(link.pressure_angle)
            back = np.flatnonzero(apart < -_ROUNDING * np.abs(along).max(initial=0.0))
            if back.size:
                notices.append(
                    f"the teeth of {owner} press on their other flank from t = {times[back[0]]:.6g} s on: there "
                    f"the part of their force that pushes apart, up to {-apart.min():.4g} N, has the wrong sense; "
                    "give flanks: both"
                )
    return notices


@dataclass(frozen=True, eq=False)
class MechanismState(State):
    """Rigid bodies along a motion, with the forces of their joints where they are known."""

    motion: MechanismMotion
    forces: MechanismForces | None = None

    @staticmethod
    def of(analysis: str, motion: MechanismMotion, forces: MechanismForces | None = None) -> "MechanismState":
        """The state of a motion for an analysis in words."""
        return MechanismState(analysis, motion.mechanism.system, "value", motion, forces)

    def body_frame(self, body: str) -> Frame:
        return self.motion.body(body)

    def columns(self, body: str) -> Columns:
        """(v_x, v_y, ω_z) of each body in the plane, (v, ω) in space."""
        own = np.array([0, 1, -1, -1, -1, 2]) if self.planar else np.arange(6)
        size, number = int(own.max()) + 1, self.motion.names.index(body)
        return Columns(
            size * len(self.motion.names),
            np.where(own >= 0, own + size * number, -1),
            np.empty(0, dtype=np.int64),
        )

    def joint(self, name: str) -> JointReadings:
        return super().joint(name) if self.forces is None else self.forces.joints[name]

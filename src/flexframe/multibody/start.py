"""Where a motion starts: assembled, with velocities that joints, drives and the description ask for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, BoolArray
from flexframe.maths.null_spaces import null_space, shortest
from flexframe.maths.rotations import quaternion_from_rotation, rotation_from_quaternion
from flexframe.multibody.closure import NEARLY_CLOSED, rough_assembly, scaled_jacobian
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import evaluation_at, place_of, state_of
from flexframe.multibody.states import as_rates, as_vector

_ROUNDING = 1e-8  # change of a velocity beside its size that is no change


@dataclass(frozen=True)
class VelocityChange:
    """How much a described velocity of a body had to be changed."""

    body: str
    linear: float  # m/s
    angular: float  # rad/s


def initial_state(
    system: DynamicSystem, *, time: float = 0.0, deformation: Array | None = None, rates: Array | None = None
) -> DynamicState:
    """The start that the system describes (`start`, `initial`), undeformed unless deformations are given.

    What joints and drives leave open is taken as near as possible to the description.
    """
    total = int(system.elastic_starts[-1])
    state = replace(
        rigid_start(system, time),
        deformation=_given_values(deformation, total, "deformation"),
        rates=_given_values(rates, total, "rates"),
    )
    return consistent_start(system, state)


def rigid_start(system: DynamicSystem, time: float = 0.0) -> DynamicState:
    """Positions and velocities of the undeformed bodies, put together as far as undeformed bodies can be."""
    mechanism = system.mechanism
    elastic = any(body.size for body in system.bodies)
    c = rough_assembly(mechanism, time, elastic=elastic)
    vector = as_vector(mechanism.rough_velocities(), mechanism.planar) / mechanism.column_scale
    constraints = mechanism.start_constraints
    if constraints.count:
        J = scaled_jacobian(mechanism, constraints, c, time)[0]
        at = np.array([time])
        wanted = (constraints.targets(at).rate + constraints.own_rates(c, at))[0] * mechanism.row_scale(
            constraints
        )
        allowed = 10 * NEARLY_CLOSED if elastic else 1e-8
        rough, hard = vector[0], ~_yielding(system, constraints.owners)
        vector = vector - shortest(J, J @ rough - wanted)
        misfit = np.abs(J @ vector[0] - wanted)
        if misfit.max() > allowed * max(1.0, float(np.abs(vector).max())) and not hard.all():
            # joints and drives first, beams between them as little strained as that allows
            vector = _least_strained(J, wanted, rough, hard)[None]
            misfit = np.where(hard, np.abs(J @ vector[0] - wanted), 0.0)
        if misfit.max() > allowed * max(1.0, float(np.abs(vector).max())):
            worst = constraints.owners[int(np.argmax(misfit))]
            raise InputError(
                f"the start velocities contradict each other, most of all {worst}; leave one of them out",
                part=constraints.parts.get(worst, ()),
            )
    u = as_rates(vector * mechanism.column_scale, mechanism.bodies)
    R = c.rotations[0, :-1]
    still = np.zeros(int(system.elastic_starts[-1]))
    return DynamicState(
        time=time,
        positions=c.positions[0, :-1].copy(),
        quaternions=quaternion_from_rotation(R),
        deformation=still,
        velocities=np.einsum("bji,bj->bi", R, u.linear[0, :-1]),
        angular_velocities=np.einsum("bji,bj->bi", R, u.angular[0, :-1]),
        rates=still,
        angles=c.angles[0].copy() if c.angles is not None else np.zeros(mechanism.bodies),
        counted=np.concatenate([mechanism.measured_turns(c)[0], mechanism.leading(c)[0]]),
    )


def _yielding(system: DynamicSystem, owners: Sequence[str]) -> BoolArray:
    """Rows of what holds bodies together at the start only, as exact beams do: they may be strained."""
    names = {joint.name for joint in system.system.joints if getattr(joint, "at_start_only", False)}
    return np.array([owner in names for owner in owners], dtype=bool)


def _least_strained(J: Array, wanted: Array, rough: Array, hard: BoolArray) -> Array:
    """Velocities near given ones that meet the hard rows, and the others as well as these allow: (n,)."""
    v = rough - shortest(J[hard], J[hard] @ rough - wanted[hard])
    free = null_space(J[hard]).basis
    return np.asarray(v - free @ shortest(J[~hard] @ free, J[~hard] @ v - wanted[~hard]))


def velocity_changes(system: DynamicSystem, state: DynamicState) -> tuple[VelocityChange, ...]:
    """The bodies whose described velocities are not those of a start, beyond rounding; zero counts as none."""
    described, R = system.mechanism.rough_velocities(), rotation_from_quaternion(state.quaternions)
    found = []
    for number, name in enumerate(system.names):
        sizes = []
        for wanted, local in (
            (described.linear[0, number], state.velocities[number]),
            (described.angular[0, number], state.angular_velocities[number]),
        ):
            size, change = float(np.linalg.norm(wanted)), float(np.linalg.norm(R[number] @ local - wanted))
            sizes.append(change if size > 0.0 and change > _ROUNDING * size else 0.0)
        if any(sizes):
            found.append(VelocityChange(name, *sizes))
    return tuple(found)


def _given_values(values: Array | None, count: int, what: str) -> Array:
    if values is None:
        return np.zeros(count)
    given = np.array(values, dtype=float)
    if given.shape != (count,):
        raise InputError(f"the start has {given.size} elastic {what} but the bodies have {count}; give as many")
    return given


def consistent_start(system: DynamicSystem, state: DynamicState) -> DynamicState:
    """Positions and velocities put exactly on the joints and drives, nearest in the metric of the mass."""
    place = place_of(system, state)
    if not evaluation_at(system, state.time).project(place, state.time):
        raise AnalysisError(
            "the start cannot be put on the joints: a free motion without inertia, a dead point, or drives that "
            "ask for the impossible; give bodies a mass, or start elsewhere"
        )
    return state_of(system, place, state.time, dict(state.memory))

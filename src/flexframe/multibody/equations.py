"""The equations of a system at one state, and small changes of it, for whoever solves them in another way.

States are written as the arrays that the core reads. Searches of equilibria take the equations in lengths of the
system and radians.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from flexframe import _core
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import (
    quaternion_exponential,
    quaternion_product,
    rotation_from_quaternion,
    tangent_operator,
    vector_from_rotation,
)
from flexframe.model.constraints import Piecewise
from flexframe.model.friction import FrictionInJoint
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.forces import bristle_states
from flexframe.multibody.laws import law_tables
from flexframe.multibody.states import array_poses
from flexframe.multibody.tables import Place


def place_of(system: DynamicSystem, state: DynamicState) -> Place:
    """A state as padded arrays."""
    bodies, width = system.tables.bodies.numbers.shape
    signals, bristles = system.tables.signals, np.zeros(bristle_states(system.tables.contacts))
    u, delta = np.zeros((bodies, width)), np.zeros((bodies, width - 6))
    u[:, :3], u[:, 3:6] = state.velocities, state.angular_velocities
    for b, body in enumerate(system.bodies):
        delta[b, : body.size] = state.deformation[system.elastic(b)]
        u[b, 6 : 6 + body.size] = state.rates[system.elastic(b)]
    return Place(
        np.array(state.positions, dtype=float, order="C"),
        np.array(state.quaternions, dtype=float, order="C"),
        delta,
        u,
        np.array(state.angles, dtype=float),
        *(
            np.array(given if len(given) else initial, dtype=float)
            for given, initial in (
                (state.states, np.concatenate([signals.initial_states, bristles])),
                (state.held, signals.initial_held),
                (state.counted, np.zeros(len(system.tables.measured.types) + len(system.tables.arguments.types))),
            )
        ),
    )


def state_of(
    system: DynamicSystem, place: Place, time: float, memory: dict[str, Array] | None = None
) -> DynamicState:
    """Padded arrays as a state."""
    sizes = [body.size for body in system.bodies]
    return DynamicState(
        time=time,
        positions=place.positions.copy(),
        quaternions=place.quaternions.copy(),
        deformation=np.concatenate([place.deformation[b, :m] for b, m in enumerate(sizes)]),
        velocities=place.velocities[:, :3].copy(),
        angular_velocities=place.velocities[:, 3:6].copy(),
        rates=np.concatenate([place.velocities[b, 6 : 6 + m] for b, m in enumerate(sizes)]),
        angles=place.angles.copy(),
        states=place.states.copy(),
        held=place.held.copy(),
        counted=place.counted.copy(),
        memory=memory or {},
    )


def memory_of(state: DynamicState, prefix: str) -> dict[str, list[float]]:
    """What an integrator wanted to find again, by the names that it gave."""
    own = {name: value for name, value in state.memory.items() if name.startswith(prefix)}
    return {name.removeprefix(prefix): np.ravel(value).tolist() for name, value in own.items()}


def set_velocity(system: DynamicSystem, velocity: Array, place: Place) -> None:
    """The velocities of a place from one vector u: (n,)."""
    numbers = system.tables.bodies.numbers
    kept = numbers >= 0
    place.velocities[kept] = velocity[numbers[kept]]


def move_place(system: DynamicSystem, place: Place, step: Array) -> Place:
    """Positions after a step of the coordinates (n,): r + R Tᵀ(θ) d, R exp θ̃, δ + dδ."""
    numbers = system.tables.bodies.numbers
    local = np.where(numbers >= 0, step[numbers], 0.0)
    d, t = local[:, :3], local[:, 3:6]
    R = rotation_from_quaternion(place.quaternions)
    swept = np.swapaxes(tangent_operator(t), 1, 2) @ d[..., None]
    return Place(
        positions=np.ascontiguousarray(place.positions + (R @ swept)[..., 0]),
        quaternions=np.ascontiguousarray(quaternion_product(place.quaternions, quaternion_exponential(t))),
        deformation=place.deformation + local[:, 6:],
        velocities=place.velocities.copy(),
        angles=place.angles + t[:, 2],
        states=place.states,
        held=place.held,
        counted=_count(system, place.counted, np.append(R, np.eye(3)[None], axis=0), t),
    )


def _count(system: DynamicSystem, counted: Array, R: Array, turns: Array) -> Array:
    """Angles that are counted after rotations (bodies, 3) of the bodies, R (bodies + 1, 3, 3) with the ground."""
    rows = [
        (table, k) for table in (system.tables.measured, system.tables.arguments) for k in range(len(table.types))
    ]
    if len(rows) != len(counted) or not rows:
        return counted
    out, rotation = counted.copy(), _core.constraint_types().index("rotation")
    in_space = np.append(np.einsum("bij,bj->bi", R[:-1], turns), np.zeros((1, 3)), axis=0)
    for place, (table, k) in enumerate(rows):
        if table.types[k] == rotation:
            first, second = system.tables.frames.bodies[table.frames[k, :2]]
            x, _, z = table.directions[k]
            out[place] += R[first] @ np.cross(x, z) @ (in_space[second] - in_space[first])
    return out


def counted_in_plane(system: DynamicSystem, positions: Array, angles: Array) -> Array:
    """Measured and leading coordinates in the plane, where angles count all turns: (measured + leading,)."""
    c = array_poses(positions[None], None, angles[None])
    ready = system.mechanism
    return np.concatenate([each.count_turns(c)[0][0] for each in (ready.measured, ready.leaders) if each.count])


def velocity_vector(system: DynamicSystem, place: Place) -> Array:
    """u: (n,)."""
    u, numbers = np.zeros(system.size), system.tables.bodies.numbers
    kept = numbers >= 0
    u[numbers[kept]] = place.velocities[kept]
    return u


@dataclass(frozen=True, eq=False)
class DynamicEquations:
    """M u̇ + h = Q + Aᵀλ with A u + b = 0 and A u̇ + γ = 0, in the velocities u of the contract."""

    mass: Array  # M: (n, n)
    inertia_force: Array  # h: (n,)
    applied_force: Array  # Q, elastic forces, damping and weight included: (n,)
    constraint: Array  # A: (m, n)
    drive_rate: Array  # b = −ḟ: (m,)
    bias: Array  # γ: (m,)
    gap: Array  # s − f, zero for constraints on velocities: (m,)
    velocity: Array  # u: (n,)
    owners: tuple[str, ...]
    kinetic_energy: float
    potential_energy: float  # strain, gravity and springs


@dataclass(frozen=True, eq=False)
class Accelerations:
    """u̇ and λ at one state."""

    velocity_rate: Array  # u̇: (n,)
    multipliers: Array  # λ: (rows,)


def no_inertia(system: DynamicSystem) -> str:
    """Why there are no accelerations, and what to do."""
    light = [body.name for body in system.bodies if body.mass == 0.0]
    named = f" ({', '.join(light)} {'has' if len(light) == 1 else 'have'} no mass)" if light else ""
    pressed = [load.joint for load in system.system.loads if isinstance(load, FrictionInJoint) and load.pressed]
    jams = f", or the friction of {pressed[0]} and its reaction have no solution together" if pressed else ""
    return (
        f"a free motion has no inertia{named}, or the linkage is at a dead point{jams}; give bodies that move "
        "freely a mass and a moment of inertia, or start elsewhere"
    )


def laws_at(system: DynamicSystem, begin: float, end: float) -> DynamicSystem:
    """The system with laws that hold between two times; a record that ends before is refused."""
    for law in system.laws:
        if isinstance(law, Piecewise):
            law.jet(np.array([begin, end]))
    tables = system.tables._replace(laws=law_tables(system.laws, begin, end))
    made = replace(system, tables=tables)
    made.__dict__["compiled"] = _core.with_laws(system.compiled, tables.laws)  # the rest is the same
    return made


def evaluation_at(system: DynamicSystem, time: float) -> _core.Evaluation:
    """The equations of a system with its laws at one time."""
    return _core.Evaluation(laws_at(system, time, time).compiled)


def equations_at(system: DynamicSystem, state: DynamicState) -> DynamicEquations:
    """M, h, Q, A, b and γ at a state."""
    evaluation, place = evaluation_at(system, state.time), place_of(system, state)
    n, rows = system.size, system.rows
    still, no_force = np.zeros(n), np.zeros(rows)
    evaluation.evaluate(place, state.time, still, no_force, False)
    residual, matrices, measures = evaluation.residual(), evaluation.matrices(), evaluation.measures()
    targets, bias, springs = evaluation.targets(), evaluation.biases(), evaluation.spring_energy()
    evaluation.evaluate(place, state.time, still, no_force, True)
    h = evaluation.residual()[:n]
    return DynamicEquations(
        mass=matrices[:n],
        inertia_force=h,
        applied_force=h - residual[:n],
        constraint=matrices[n:],
        drive_rate=-targets[:, 1],
        bias=bias,
        gap=np.where(system.tables.rows.holonomic == 1, residual[n:], 0.0),
        velocity=velocity_vector(system, place),
        owners=system.owners,
        kinetic_energy=float(measures[0]),
        potential_energy=float(measures[1] + measures[2]) + springs,
    )


def accelerations_at(system: DynamicSystem, state: DynamicState) -> Accelerations:
    """u̇ and λ at a state."""
    x, multipliers = np.zeros(system.size), np.zeros(system.rows)
    evaluation = evaluation_at(system, state.time)
    if not evaluation.accelerations(place_of(system, state), state.time, x, multipliers):
        raise AnalysisError(no_inertia(system))
    return Accelerations(x, multipliers)


def move_state(system: DynamicSystem, state: DynamicState, step: Array) -> DynamicState:
    """The state after a step (n,) of its positions: r + R Tᵀ(θ) d, R exp θ̃, δ + dδ."""
    after = move_place(system, place_of(system, state), np.asarray(step, dtype=float))
    return state_of(system, after, state.time)


def with_velocity(system: DynamicSystem, state: DynamicState, velocity: Array) -> DynamicState:
    """The state with other velocities u: (n,)."""
    place = place_of(system, state)
    set_velocity(system, np.asarray(velocity, dtype=float), place)
    return state_of(system, place, state.time)


OF_STRAIN = np.zeros((0, 6))  # forces of exact beams in tangents: those of their strain
STRIDE = 1e-6  # of differences that are taken in the core, in lengths of the system and radians
_DEPENDENT = 1e-10  # part of the largest singular value below which constraints say the same thing twice
_LARGEST = 0.1  # step that is taken at once


@dataclass(frozen=True, eq=False)
class Equations:
    """M u̇ + h = Q + Aᵀλ with A u = ḟ and A u̇ + γ = 0 at a place, columns and rows scaled."""

    mass: Array  # M: (n, n)
    force: Array  # h − Q: (n,)
    constraints: Array  # A: (rows, n)
    gap: Array  # s − f: (rows,)
    target: Array  # ḟ: (rows,)
    bias: Array  # γ: (rows,)


@dataclass(frozen=True, eq=False)
class Range:
    """What A allows and what it asks for."""

    inverse: Array  # shortest solution of A x = b: (n, rows)
    null: Array  # all x with A x = 0, orthonormal: (n, f)


def range_of(constraints: Array) -> Range:
    """Shortest solutions and null space of A, rows that say the same thing twice allowed."""
    rows, n = constraints.shape
    if not rows:
        return Range(np.zeros((n, 0)), np.eye(n))
    U, values, Vt = np.linalg.svd(constraints)
    rank = int(np.count_nonzero(values > _DEPENDENT * values.max()))
    return Range((Vt[:rank].T / values[:rank]) @ U[:, :rank].T, Vt[rank:].T)


class ScaledEquations:
    """A system with its laws at one time."""

    def __init__(self, system: DynamicSystem, time: float) -> None:
        self.system, self.time = system, time
        self.scales, self.row_scales = system.tables.scales, system.tables.rows.scales
        self._evaluation = _core.Evaluation(system.compiled)
        self._still, self._no_force = np.zeros(system.size), np.zeros(system.rows)

    def at(self, place: Place) -> Equations:
        """The equations at a place with its velocities."""
        own, n, s = self._evaluation, self.system.size, self.scales
        own.evaluate(place, self.time, self._still, self._no_force, False)
        residual, matrices = own.residual(), own.matrices()
        gap = np.where(self.system.tables.rows.holonomic == 1, residual[n:], 0.0)
        return Equations(
            mass=matrices[:n] * s[:, None] * s,
            force=residual[:n] * s,
            constraints=matrices[n:] * self.row_scales[:, None] * s,
            gap=gap * self.row_scales,
            target=own.targets()[:, 1] * self.row_scales,
            bias=own.biases() * self.row_scales,
        )

    def stiffness(self, place: Place, multipliers: Array, stride: float = STRIDE) -> Array:
        """∂(F − Aᵀλ)/∂q at rest, λ scaled, with the stride of differences where they are needed: (n, n)."""
        n, rows = self.system.size, self.system.rows
        i, j, values, *_ = self._evaluation.tangents(
            place, self.time, self._still, multipliers * self.row_scales, stride, False, OF_STRAIN
        )
        shape = (n + rows, n)
        K = sparse.csr_matrix((values, (i.astype(int), j.astype(int))), shape)[:n].toarray()
        return np.asarray(K * self.scales[:, None] * self.scales)

    def force_coordinates(self, place: Place) -> Array:
        """Coordinates of the force elements at a place [m, rad]: (forces,)."""
        self._evaluation.evaluate(place, self.time, self._still, self._no_force, False)
        return self._evaluation.coordinates()

    def move(self, place: Place, step: Array) -> Place:
        """The place after a step."""
        return move_place(self.system, place, step * self.scales)

    def moved_carefully(self, place: Place, step: Array) -> Place:
        """The place after a step, or after as much of it as is taken at once."""
        longest = float(np.abs(step).max(initial=0.0))
        return self.move(place, step * min(1.0, _LARGEST / max(longest, _LARGEST)))

    def with_velocities(self, place: Place, velocities: Array) -> Place:
        """The place with other velocities."""
        after = Place(*(array.copy() for array in place))
        set_velocity(self.system, velocities * self.scales, after)
        return after

    def vector(self, local: Array) -> Array:
        """Local coordinates of all bodies (bodies, 6 + m) as one vector: (n,)."""
        numbers = self.system.tables.bodies.numbers
        x = np.zeros(self.system.size)
        x[numbers[numbers >= 0]] = local[numbers >= 0]
        return x / self.scales


def elastic_matrices(system: DynamicSystem, place: Place) -> tuple[Array, Array]:
    """Elastic stiffness of bodies and exact beams at a place, and mass of bodies relative to their frames, scaled.

    Both are (n, n).
    """
    K, M = (np.zeros((system.size, system.size)) for _ in range(2))
    for body, numbers in zip(system.bodies, system.tables.bodies.numbers, strict=True):
        own = numbers[6 : 6 + body.size]
        K[np.ix_(own, own)] = body.stiffness
        M[np.ix_(own, own)] = body.elastic_mass
    if len(system.tables.beams.lengths):
        evaluation = _core.Evaluation(system.compiled)
        evaluation.evaluate(place, 0.0, np.zeros(system.size), np.zeros(system.rows), False)
        K = evaluation.stiffness()
    scale = system.tables.scales[:, None] * system.tables.scales
    return K * scale, M * scale


def frame_displacements(before: Place, after: Place) -> Array:
    """How frames are displaced [m] and turned [rad], in components of the bodies before: (bodies, 6)."""
    R, there = (rotation_from_quaternion(place.quaternions) for place in (before, after))
    shift = np.einsum("bji,bj->bi", R, after.positions - before.positions)
    turn = vector_from_rotation(np.swapaxes(R, 1, 2) @ there)
    return np.concatenate([shift, turn], axis=1)

"""States as the arrays that the core reads."""

import numpy as np

from flexframe import _core
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import (
    quaternion_exponential,
    quaternion_product,
    rotation_from_quaternion,
    tangent_operator,
)
from flexframe.multibody.contacts import bristle_states
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.states import placed
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
    c = placed(positions[None], None, angles[None])
    ready = system.mechanism
    return np.concatenate([each.counted(c)[0][0] for each in (ready.measured, ready.leaders) if each.count])


def velocity_vector(system: DynamicSystem, place: Place) -> Array:
    """u: (n,)."""
    u, numbers = np.zeros(system.size), system.tables.bodies.numbers
    kept = numbers >= 0
    u[numbers[kept]] = place.velocities[kept]
    return u

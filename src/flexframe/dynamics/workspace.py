"""Work arrays of the compiled functions, and states as the arrays that they read."""

import numpy as np

from flexframe.dynamics.contract import DynamicState, DynamicSystem
from flexframe.dynamics.laws import stack_depth
from flexframe.dynamics.tables import Place, Work
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import (
    quaternion_exponential,
    quaternion_product,
    rotation_from_quaternion,
    tangent_operator,
)


def work_arrays(system: DynamicSystem) -> Work:
    """Work arrays of the right sizes."""
    t = system.tables
    bodies, frames, rows, coordinates = (
        len(t.bodies.sizes),
        len(t.frames.bodies),
        len(t.rows.types),
        len(t.coordinates.types),
    )
    M, N, K = t.bodies.stiffness.shape[1], t.bodies.origin_coupling.shape[2], t.bodies.products.shape[1]
    size = t.size + rows
    R = np.zeros((1, frames, 3, 3))
    R[:, -1] = np.eye(3)
    return Work(
        rotations=np.zeros((bodies, 3, 3)),
        r=np.zeros((1, frames, 3)),
        R=R,
        v=np.zeros((1, frames, 3)),
        w=np.zeros((1, frames, 3)),
        drift=np.zeros((frames, 6)),
        jacobians=np.zeros((frames, 6, 6 + M)),
        bent=np.zeros(M),
        drifting=np.zeros(1, dtype=np.int64),
        point=np.zeros((3, 6)),
        wrenches=np.zeros((frames, 6)),
        s=np.zeros((1, rows)),
        J=np.zeros((1, rows, frames, 6)),
        rate=np.zeros((1, rows)),
        bias=np.zeros((1, rows)),
        cs=np.zeros((1, coordinates)),
        cJ=np.zeros((1, coordinates, frames, 6)),
        crate=np.zeros((1, coordinates)),
        cbias=np.zeros((1, coordinates)),
        target=np.zeros((rows, 3)),
        stack=np.zeros((stack_depth(system.laws), 3)),
        eta=np.zeros((3, N)),
        slopes=np.zeros((K, M)),
        moved=np.zeros((3, 3, N)),
        field_force=np.zeros(N),
        local=np.zeros((2, 6 + M)),
        block=np.zeros((6 + M, 6 + M)),
        lean=np.zeros((N, M)),
        load=np.zeros(6),
        nothing=np.zeros(size),
        powers=np.zeros(3),
        springs=np.zeros(1),
        matrix=np.zeros((size, size)),
        factors=np.zeros((size, size)),
        pivots=np.zeros(size, dtype=np.int64),
        right=np.zeros(size),
        solution=np.zeros(size),
        residual=np.zeros(size),
    )


def place_of(system: DynamicSystem, state: DynamicState) -> Place:
    """A state as padded arrays."""
    t = system.tables
    bodies, M = len(t.bodies.sizes), t.bodies.stiffness.shape[1]
    delta, u = np.zeros((bodies, M)), np.zeros((bodies, 6 + M))
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
        memory=memory or {},
    )


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
    )


def velocity_vector(system: DynamicSystem, place: Place) -> Array:
    """u: (n,)."""
    u, numbers = np.zeros(system.size), system.tables.bodies.numbers
    kept = numbers >= 0
    u[numbers[kept]] = place.velocities[kept]
    return u

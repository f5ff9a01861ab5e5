"""Periodic motions by shooting: the start that comes back to itself after one period."""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.rotations import vector_from_rotation
from flexframe.mechanisms.closure import scaled_jacobian
from flexframe.mechanisms.forward_dynamics import Flow, State
from flexframe.mechanisms.states import Configuration, as_rates, as_vector, moved

_ITERATIONS = 20


@dataclass(frozen=True, eq=False)
class PeriodicState:
    """A start that repeats itself.

    `residual` is the largest change over one period [lengths of the system, rad, per second for velocities];
    `multipliers` are the factors by which small disturbances grow over one period: above one it is unstable.
    """

    state: State
    period: float
    residual: float
    multipliers: ComplexArray  # (2 × degrees of freedom,)
    iterations: int


def periodic_state(flow: Flow, start: State, period: float, *, settle: int = 5) -> PeriodicState:
    """Let the motion settle for some periods, then Newton's method on the change over one period."""
    # differences must rise above the error of the integration, which is relative to the velocities
    fastest = float(np.abs(as_vector(start.velocities, flow.mechanism.planar) / flow.mechanism.column_scale).max())
    noise = 10.0 * flow.tolerances.relative * max(1.0, fastest)
    difference = max(1e-6, 3.0 * np.sqrt(noise))
    state = start
    for _ in range(settle):
        state = _back(flow.end(state, start.time + period), start.time)
    for iteration in range(_ITERATIONS):
        B = _free_directions(flow, state.configuration)
        size = B.shape[1]
        change = _change(flow, state, B, period)
        residual = float(np.abs(change).max(initial=0.0))
        map_of = np.eye(2 * size)
        for k in range(2 * size):
            step = np.zeros(2 * size)
            step[k] = difference
            away = _shifted(flow, state, B, step)
            # where the disturbed start ends, relative to the undisturbed one
            map_of[:, k] += (_change(flow, away, B, period) - change) / difference
        if residual < 10.0 * noise:
            return PeriodicState(state, period, residual, np.linalg.eigvals(map_of).astype(complex), iteration)
        step = np.asarray(np.linalg.solve(np.eye(2 * size) - map_of, change))
        largest = float(np.abs(step[:size]).max(initial=0.0))
        state = _shifted(flow, state, B, step * min(1.0, 0.2 / max(largest, 1e-300)))
    raise AnalysisError(
        f"no motion of period {period:g} s was found in {_ITERATIONS} iterations (it changes by {residual:.1e}); "
        "check that drives and loads have this period, or let the motion settle longer"
    )


def _free_directions(flow: Flow, c: Configuration) -> Array:
    """Orthonormal directions that the joints leave free, scaled: (n, f)."""
    constraints = flow.mechanism.constraints
    if not constraints.count:
        return np.eye(flow.mechanism.size)
    A = scaled_jacobian(flow.mechanism, constraints, c)[0]
    return np.asarray(np.linalg.svd(A)[2][flow.rank :].T)


def _shifted(flow: Flow, state: State, B: Array, step: Array) -> State:
    """A neighbouring start: free positions and velocities changed, joints kept."""
    size, scale = B.shape[1], flow.mechanism.column_scale
    c = moved(state.configuration, (B @ step[:size] * scale)[None])
    vector = as_vector(state.velocities, flow.mechanism.planar) + (B @ step[size:] * scale)[None]
    c, u, _ = flow.projected(np.array([state.time]), c, as_rates(vector, flow.mechanism.bodies))
    return State(state.time, c, u)


def _change(flow: Flow, state: State, B: Array, period: float) -> Array:
    """Change of the free positions and velocities over one period: (2 f,)."""
    end = flow.end(state, state.time + period)
    mechanism = flow.mechanism
    apart = end.configuration.positions[0, :-1] - state.configuration.positions[0, :-1]
    turned = vector_from_rotation(
        end.configuration.rotations[0, :-1] @ np.swapaxes(state.configuration.rotations[0, :-1], -1, -2)
    )
    both = np.concatenate([apart, turned], axis=-1)
    step = mechanism.in_coordinates(both[None])[0]
    faster = as_vector(end.velocities, mechanism.planar)[0] - as_vector(state.velocities, mechanism.planar)[0]
    scale = mechanism.column_scale
    return np.concatenate([B.T @ (step / scale), B.T @ (faster / scale)])


def _back(state: State, time: float) -> State:
    """The same positions and velocities, counted from the start of a period."""
    return State(time, state.configuration, state.velocities)

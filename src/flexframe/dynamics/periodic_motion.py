"""Periodic motions of rigid systems by shooting: the start that comes back to itself after one period.

Neighbours of a start are given by changes x = (Bᵀη, Bᵀη̇) of its free positions and velocities, A B = 0. Where
neighbours x_k end after one period, x_k', gives the map Φ of small disturbances, X' = Φ X.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flexframe.dynamics.contract import DynamicState, DynamicSystem
from flexframe.dynamics.equations import equations_at, moved, with_velocity
from flexframe.dynamics.places import place_of, velocity_vector
from flexframe.dynamics.scaled_equations import frame_displacements, range_of
from flexframe.dynamics.start import consistent_start
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray

Advance = Callable[[DynamicState, float], DynamicState]
"""The state at a later time."""

_ITERATIONS = 20
_LARGEST = 0.2  # change of a free position in one iteration, in lengths and radians


@dataclass(frozen=True, eq=False)
class PeriodicState:
    """A start that repeats itself.

    `residual` is the largest change over one period [lengths of the system, rad, per second for velocities];
    `multipliers` are the factors by which small disturbances grow over one period: above one it is unstable.
    """

    state: DynamicState
    residual: float
    multipliers: ComplexArray  # (2 × degrees of freedom,)
    iterations: int


def periodic_state(  # noqa: PLR0917
    system: DynamicSystem, start: DynamicState, period: float, advance: Advance, tolerance: float, settle: int = 5
) -> PeriodicState:
    """Let the motion settle for some periods, then Newton's method on the change over one period [s]."""
    # differences must rise above the error of the integration, which is relative to the velocities
    speeds = velocity_vector(system, place_of(system, start)) / system.tables.scales
    noise = 10.0 * tolerance * max(1.0, float(np.abs(speeds).max(initial=0.0)))
    difference = max(1e-6, 3.0 * np.sqrt(noise))
    state = start
    for _ in range(settle):
        state = replace(advance(state, start.time + period), time=start.time, memory={})
    for iteration in range(_ITERATIONS):
        near = _Neighbours(system, state)
        end = near.apart(advance(state, start.time + period))
        residual = float(np.abs(end).max(initial=0.0))
        starts, ends = (np.zeros((near.count, near.count)) for _ in range(2))
        for k, unit in enumerate(np.eye(near.count)):
            for sign in (1.0, -1.0):
                away = near.shifted(sign * difference * unit)
                starts[:, k] += sign * near.apart(away) / (2 * difference)
                ends[:, k] += sign * near.apart(advance(away, start.time + period)) / (2 * difference)
        growth = np.linalg.solve(starts.T, ends.T).T
        step = np.linalg.solve(starts, np.linalg.solve(np.eye(near.count) - growth, end))
        if residual < 10.0 * noise:  # and a last correction, with the map that is at hand
            state = near.shifted(step)
            last = _Neighbours(system, state)
            residual = float(np.abs(last.apart(advance(state, start.time + period))).max(initial=0.0))
            return PeriodicState(state, residual, np.linalg.eigvals(growth).astype(complex), iteration)
        largest = float(np.abs(step[: near.count // 2]).max(initial=0.0))
        state = near.shifted(step * min(1.0, _LARGEST / max(largest, 1e-300)))
    raise AnalysisError(
        f"no motion of period {period:g} s was found in {_ITERATIONS} iterations (it changes by {residual:.1e}); "
        "check that drives and loads have this period, or let the motion settle longer"
    )


class _Neighbours:
    """States around one, by changes of free positions and velocities."""

    def __init__(self, system: DynamicSystem, state: DynamicState) -> None:
        self._system, self._state = system, state
        here, self._scales = equations_at(system, state), system.tables.scales
        self._B = range_of(here.constraint * system.tables.rows.scales[:, None] * self._scales).null
        self._velocity = here.velocity
        self.count = 2 * self._B.shape[1]

    def shifted(self, step: Array) -> DynamicState:
        """A neighbour, on the joints."""
        z, y = (self._B @ part * self._scales for part in np.split(step, 2))
        there = moved(self._system, self._state, z)
        return consistent_start(self._system, with_velocity(self._system, there, self._velocity + y))

    def apart(self, state: DynamicState) -> Array:
        """How far another state is from this one: (2f,)."""
        first, last = (place_of(self._system, one) for one in (self._state, state))
        numbers, shift = self._system.tables.bodies.numbers[:, :6], np.zeros(self._system.size)
        shift[numbers[numbers >= 0]] = frame_displacements(first, last)[numbers >= 0]
        faster = velocity_vector(self._system, last) - self._velocity
        return np.concatenate([self._B.T @ (shift / self._scales), self._B.T @ (faster / self._scales)])

"""Periodic motions by shooting: the start that comes back to itself after one period.

Small changes of a start are η = B z of positions and B y of velocities, A B = 0, and those of the states of
controllers. Over one period T they grow into those of the end, x₁ = Φ x₀, and the cycle starts where the change
c(x) over one period vanishes:

    x ← x + (1 − Φ)⁻¹ c(x) .

Φ is taken by differences, motions of one period for each column. Its eigenvalues, at the end of the search, are
Floquet's multipliers of the cycle; where one is 1 the cycle is not unique (a resonance, or a motion that nothing
drives or holds).

Rigid systems are searched far from their cycle: every iteration starts from where the last one came to, with
steps of bounded length. Elastic ones are searched near it, with z and y measured by energy, with Ω = 2π/T
zᵀz = ηᵀ(K + Ω²M)η and yᵀy = η̇ᵀMη̇, so that soft and stiff coordinates are disturbed alike; states of controllers
beside what they reach in a period.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from scipy import linalg
from scipy.integrate import cumulative_trapezoid as integrated

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation, require_complete
from flexframe.multibody.equations import (
    elastic_matrices,
    equations_at,
    frame_displacements,
    move_state,
    place_of,
    range_of,
    velocity_vector,
    with_velocity,
)
from flexframe.multibody.start import consistent_start

Advance = Callable[[DynamicState, Array], Simulation]
"""A motion from a state to given times, the first of which is that of the state."""

_ITERATIONS = 20  # of rigid systems
_LARGEST = 0.2  # change of a free position in one of them, in lengths and radians
_ROUNDS = 12  # of elastic systems
_FINE = 1e-11  # change over one period beside the energy of deformation, both as roots
_ENOUGH = 1e-4  # the same, where the integrator does not come nearer
_STRIDE = 0.05  # of differences, beside the deformation
Stencil = tuple[tuple[float, float], ...]
_QUICK: Stencil = ((-0.5, -1.0), (0.5, 1.0))
_EXACT: Stencil = ((-2.0, 1 / 12), (-1.0, -8 / 12), (1.0, 8 / 12), (2.0, -1 / 12))
"""Multiples of the stride and weights of f′ = Σ w f(x + m h)/h, of second and of fourth order."""
_SINGULAR = 1e-7  # smallest singular value of 1 − Φ beside the largest
_PART = 1e-6  # of the kinetic energy, where there is less strain energy
_INSTANTS = 65  # of a period, for the energy of deformation


@dataclass(frozen=True, eq=False)
class PeriodicStart:
    """A state that comes back to itself after a period.

    `residual` is what it changes by over one period: of rigid systems the largest coordinate [lengths of the
    system, rad, per second for velocities], of elastic ones the root of an energy beside that of the deformation.
    """

    state: DynamicState
    period: float
    residual: float
    iterations: int
    growth: Callable[[], Array]  # Φ by differences of motions, taken when it is asked for

    @cached_property
    def multipliers(self) -> ComplexArray:
        """Factors by which small disturbances grow over one period: (2 × freedoms + states,); stable below 1."""
        growth = self.growth()
        return np.asarray(np.linalg.eigvals(growth) if growth.size else np.zeros(0), dtype=complex)


class _Neighbours:
    """States around one, by coordinates x = (z, y, c) of free positions, velocities and states of controllers.

    They are measured by energy where a period is given, else in lengths of the system and radians; states of
    controllers in `levels`.
    """

    def __init__(self, system: DynamicSystem, state: DynamicState, period: float | None = None) -> None:
        self.system, self.state = system, state
        here, scales = equations_at(system, state), system.tables.scales
        B = range_of(here.constraint * system.tables.rows.scales[:, None] * scales).null
        self._velocity, self.free = here.velocity, B.shape[1]
        self.states = place_of(system, state).states
        self.count = 2 * self.free + len(self.states)
        self.levels = np.maximum(1.0, np.abs(self.states))
        roots = [np.eye(B.shape[1])] * 2
        if period is not None:
            stiffness, _ = elastic_matrices(system, place_of(system, state))
            mass = here.mass * scales[:, None] * scales
            weights = (stiffness + (2 * np.pi / period) ** 2 * mass, mass)
            roots = [linalg.cholesky(B.T @ W @ B) for W in weights]  # BᵀWB = RᵀR
        self._out = [scales[:, None] * linalg.solve_triangular(R, B.T, trans="T").T for R in roots]  # B R⁻¹
        self._in = [(R @ B.T) / scales for R in roots]

    def shift(self, x: Array) -> DynamicState:
        """The neighbour with these coordinates, on the constraints."""
        z, y, c = np.split(x, [self.free, 2 * self.free])
        there = move_state(self.system, self.state, self._out[0] @ z)
        near = consistent_start(self.system, with_velocity(self.system, there, self._velocity + self._out[1] @ y))
        return replace(near, states=self.states + self.levels * c)

    def apart(self, before: DynamicState, after: DynamicState) -> Array:
        """The change of positions, velocities and states of controllers in coordinates: (2f + s,)."""
        first, last = (place_of(self.system, state) for state in (before, after))
        local = np.concatenate([frame_displacements(first, last), last.deformation - first.deformation], axis=1)
        numbers, shift = self.system.tables.bodies.numbers, np.zeros(self.system.size)
        shift[numbers[numbers >= 0]] = local[numbers >= 0]
        faster = velocity_vector(self.system, last) - velocity_vector(self.system, first)
        states = (last.states - first.states) / self.levels
        return np.concatenate([self._in[0] @ shift, self._in[1] @ faster, states])


def rigid_cycle(  # noqa: PLR0917
    system: DynamicSystem, start: DynamicState, period: float, advance: Advance, tolerance: float, settle: int = 5
) -> PeriodicStart:
    """The cycle of a rigid system: some periods to settle, then Newton's method on the change over one [s]."""
    # differences must rise above the error of the integration, which is relative to the velocities
    speeds = velocity_vector(system, place_of(system, start)) / system.tables.scales
    noise = 10.0 * tolerance * max(1.0, float(np.abs(speeds).max(initial=0.0)))
    difference = max(1e-6, 3.0 * np.sqrt(noise))
    times = start.time + np.array([0.0, period])

    def end_of(state: DynamicState) -> DynamicState:
        return advance(state, times).end

    state = start
    for _ in range(settle):
        state = replace(end_of(state), time=start.time, memory={})
    for iteration in range(_ITERATIONS):
        near = _Neighbours(system, state)
        end = near.apart(state, end_of(state))
        residual = float(np.abs(end).max(initial=0.0))
        starts, ends = (np.zeros((near.count, near.count)) for _ in range(2))
        for k, unit in enumerate(np.eye(near.count)):
            for sign in (1.0, -1.0):
                away = near.shift(sign * difference * unit)
                starts[:, k] += sign * near.apart(state, away) / (2 * difference)
                ends[:, k] += sign * near.apart(state, end_of(away)) / (2 * difference)
        try:
            growth = np.linalg.solve(starts.T, ends.T).T
            step = np.linalg.solve(starts, np.linalg.solve(np.eye(near.count) - growth, end))
        except np.linalg.LinAlgError:
            raise AnalysisError(
                f"the motion of period {period:g} s is not unique: something moves that nothing drives or holds; "
                "drive or hold it, or leave the period out",
                field="period",
            ) from None
        if residual < 10.0 * noise:  # and a last correction, with the map that is at hand
            state = near.shift(step)
            last = _Neighbours(system, state)
            residual = float(np.abs(last.apart(state, end_of(state))).max(initial=0.0))
            return PeriodicStart(state, period, residual, iteration, lambda: growth)  # noqa: B023 - the last one
        largest = float(np.abs(step[: near.free]).max(initial=0.0))
        state = near.shift(step * min(1.0, _LARGEST / max(largest, 1e-300)))
    raise AnalysisError(
        f"no motion of period {period:g} s was found in {_ITERATIONS} iterations (it changes by {residual:.1e}); "
        "check that drives and loads have this period, or let the motion settle longer",
        field="period",
    )


def elastic_cycle(system: DynamicSystem, near: DynamicState, period: float, advance: Advance) -> PeriodicStart:
    """The cycle next to a state; drives and loads must have the period [s]."""
    shooting = _Shooting(system, near, period, advance)
    x, slope, before = np.zeros(shooting.count), None, np.inf
    for iteration in range(_ROUNDS):
        change = shooting.change(x)
        size = float(np.linalg.norm(change)) / shooting.size
        if slope is None or size > 0.3 * before > 3 * _ENOUGH:
            slope, growth = shooting.slopes(x, _QUICK)
            _require_unique(growth)
        if size <= _FINE or (size <= _ENOUGH and size > 0.3 * before):
            return PeriodicStart(shooting.state(x), period, size, iteration, partial(shooting.growth, x))
        before = size
        x = x - np.linalg.solve(slope, change)
    raise AnalysisError(
        f"no cycle of {period:g} s is found: after {_ROUNDS} corrections the motion still changes by {size:.1e} "
        "of its deformation over one period; take a smaller step, or add damping"
    )


def _require_unique(growth: Array) -> None:
    """No eigenvalue of Φ may be 1."""
    values = np.linalg.svd(np.eye(len(growth)) - growth, compute_uv=False)
    if len(values) and values[-1] <= _SINGULAR * values[0]:
        near = linalg.eigvals(growth)
        nearest = near[np.argmin(np.abs(near - 1.0))]
        raise AnalysisError(
            f"the cycle is not unique: a disturbance comes back after one period as {nearest.real:.6g}"
            f"{nearest.imag:+.2g}i of itself (a resonance, or a motion that nothing drives or holds); add "
            "damping, drive or hold that motion, or start in equilibrium"
        )


class _Shooting:
    """Starts around a state, and how they change over one period."""

    def __init__(self, system: DynamicSystem, near: DynamicState, period: float, advance: Advance) -> None:
        self._near, self._advance = _Neighbours(system, consistent_start(system, near), period), advance
        self.state, self.count = self._near.shift, self._near.count
        self._times = near.time + np.array([0.0, period])
        instants = np.linspace(self._times[0], self._times[1], _INSTANTS)
        run = require_complete(advance(self._near.state, instants))
        strain, kinetic = run.energies[:, 1], run.energies[:, 0]
        least = _PART * kinetic.max() if system.elastic_starts[-1] else 0.01 * kinetic.max()
        self.size = float(np.sqrt(2 * max(strain.max(), least, 1e-300)))
        rates = run.signals[:, system.network.tables.derivatives]
        reached, k = np.abs(self._near.states), rates.shape[1]  # behind those of controllers are those of bristles
        reached[:k] = np.abs(integrated(rates, instants, axis=0, initial=0) + self._near.states[:k]).max(axis=0)
        self._near.levels = np.where(reached > 0, reached, 1.0) / self.size

    def change(self, x: Array) -> Array:
        """Coordinates of the end less those of the start: (2f + s,)."""
        start = self.state(x)
        return self._near.apart(start, require_complete(self._advance(start, self._times)).end)

    def growth(self, x: Array) -> Array:
        """Φ as exact as motions are: (2f + s, 2f + s)."""
        return self.slopes(x, _EXACT)[1]

    def slopes(self, x: Array, stencil: Stencil) -> tuple[Array, Array]:
        """dc/dx, c the change, and Φ by differences of a part of the deformation: (2f + s, 2f + s) each.

        Smaller differences would show the steps of the integrator. Velocities follow positions that are moved, so
        that coordinates s of a start are not quite the x that was asked for: Φ = 1 + (dc/dx)(ds/dx)⁻¹.
        """
        here, stride = self.state(x), _STRIDE * self.size
        starts, slope = (np.zeros((self.count, self.count)) for _ in range(2))
        for k, unit in enumerate(np.eye(self.count)):
            for factor, weight in stencil:
                there = x + factor * stride * unit
                starts[:, k] += weight / stride * self._near.apart(here, self.state(there))
                slope[:, k] += weight / stride * self.change(there)
        return slope, np.eye(self.count) + np.linalg.solve(starts.T, slope.T).T

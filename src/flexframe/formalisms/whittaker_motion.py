"""Motions of a natural system with one coordinate in the place of time, τ = q_j, and the time recovered.

The chart j is the coordinate that moves fastest. A chart ends at its turning point, τ̇ → 0 while h − V > 0,
and the motion goes on in the best chart there. At a brake point, h − V → 0, all velocities vanish together and
no chart exists: a short piece is then integrated in time. h is fixed once, so the energy is kept to round-off.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from scipy.integrate import DOP853

from flexframe.errors import AnalysisError
from flexframe.formalisms.natural_systems import NaturalSystem, accelerations, energy, inertia_forces
from flexframe.maths.arrays import Array, IntArray

CHART_END = 25.0  # wᵀMw over M_jj at which a chart is left
FAR = 1e8  # the same ratio at which a trial stage is given up
BRAKE = 1e-3  # h − V, relative to the largest on the way, below which time is the independent variable
BRAKE_END = 4e-3
FINE = 0.01  # absolute tolerance over the relative one, in units of the largest values met
STEPS = 2_000_000

State = tuple[Array, Array, float]
"""q, q̇ and t."""
Slope = Callable[[float, Array], Array]


@dataclass(frozen=True, eq=False)
class WhittakerMotion:
    """q and q̇ at the times asked for, and how the motion was covered."""

    times: Array  # (instants,)
    coordinates: Array  # (instants, n)
    rates: Array  # (instants, n)
    charts: tuple[int, ...]  # j of each chart in order; −1 for a piece in time
    steps: int
    energy: float  # h


@dataclass(frozen=True, eq=False)
class _Reduction:
    """The n − 1 equations of one chart at energy h."""

    system: NaturalSystem
    h: float
    chart: int
    sign: float  # of τ̇
    others: IntArray  # all numbers but j

    def unpacked(self, tau: float, state: Array) -> tuple[Array, Array, float]:
        """q, w = (1 at j, z') and t of (τ, (z, z', t))."""
        count = len(self.others)
        q, w = np.empty(count + 1), np.empty(count + 1)
        q[self.chart], w[self.chart] = tau, 1.0
        q[self.others], w[self.others] = state[:count], state[count:-1]
        return q, w, float(state[-1])

    def tau_rate(self, q: Array, w: Array) -> float:
        """τ̇ = ±√(2(h − V)/wᵀMw)."""
        kinetic = max(self.h - self.system.potential(q), np.finfo(float).tiny)
        return float(self.sign * np.sqrt(2 * kinetic / (w @ self.system.mass(q) @ w)))

    def slope(self, tau: float, state: Array) -> Array:
        """d/dτ of (z, z', t)."""
        q, w, _ = self.unpacked(tau, state)
        others = self.others
        M = self.system.mass(q)
        with np.errstate(over="ignore", invalid="ignore"):
            Mw = M @ w
            alpha, beta = float(w @ Mw), Mw[others]
        if not alpha < FAR * M[self.chart, self.chart]:
            # a trial stage far beyond the turning point: no number, so that the step is made smaller
            return np.full(len(state), np.nan)
        speed = self.tau_rate(q, w)
        # ν = τ̇² ν_2 + τ̇ Γw + ∂V/∂q are the inertia forces at q̇ = τ̇ w
        nu = inertia_forces(self.system, q, speed * w)
        left = M[others[:, None], others] - beta[:, None] * beta / alpha
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            # a trial stage at a brake point has no speed left; the step is then made smaller too
            bend = -np.linalg.solve(left, nu[others] - beta * (w @ nu) / alpha) / speed**2
        return np.concatenate([w[others], bend, [1 / speed]])

    def finished(self, q: Array, w: Array) -> bool:
        """Whether another chart is better."""
        M = self.system.mass(q)
        return bool(w @ M @ w > CHART_END * M[self.chart, self.chart])


@dataclass(eq=False)
class _Track:
    """Samples that are still to be taken, and those that were."""

    times: Array
    coordinates: list[Array] = field(default_factory=list)
    rates: list[Array] = field(default_factory=list)

    @property
    def done(self) -> bool:
        return len(self.coordinates) == len(self.times)

    def waiting(self, until: float) -> Iterator[float]:
        """Times not yet sampled up to a time."""
        while not self.done and self.times[len(self.coordinates)] <= until:
            yield float(self.times[len(self.coordinates)])

    def take(self, q: Array, rates: Array) -> None:
        self.coordinates.append(q)
        self.rates.append(rates)


@dataclass(eq=False)
class _Journey:
    """A motion under way: what is fixed, what is still to be sampled, and the sizes met so far."""

    system: NaturalSystem
    h: float
    track: _Track
    tolerance: float
    place: Array  # largest |q| so far
    speed: Array  # largest |q̇| so far
    largest: float  # largest h − V so far
    steps: int = 0

    def kinetic(self, q: Array) -> float:
        """h − V."""
        return self.h - self.system.potential(q)

    def follow(self, q: Array, v: Array) -> None:
        """Note the sizes of a state."""
        self.place = np.maximum(self.place, np.abs(q))
        self.speed = np.maximum(self.speed, np.abs(v))
        self.largest = max(self.largest, self.kinetic(q))
        self.steps += 1
        if self.steps > STEPS:
            raise AnalysisError(
                f"the motion took more than {STEPS} steps; ask for a shorter time or fewer coordinates"
            )

    def places_tolerance(self) -> Array:
        """Absolute tolerance of q, a part of the largest coordinates met."""
        size = np.where(self.place > 0, self.place, self.place.max(initial=0.0) or 1.0)
        return np.asarray(FINE * self.tolerance * size)

    def solver(self, slope: Slope, start: float, state: Array, *, towards: float, absolute: Array) -> DOP853:
        """A Runge–Kutta method of order 8 that is advanced step by step."""
        return DOP853(cast(Any, slope), start, state, towards, rtol=self.tolerance, atol=cast(Any, absolute))

    def along_chart(self, chart: int, state: State) -> State:
        """Follow one chart until it turns, brakes or everything is sampled."""
        q, v, t = state
        others = np.flatnonzero(np.arange(len(q)) != chart)
        reduction = _Reduction(self.system, self.h, chart, float(np.sign(v[chart])), others)
        start = np.concatenate([q[others], v[others] / v[chart], [t]])
        small = np.full(len(start), FINE * self.tolerance)
        small[: len(others)] = self.places_tolerance()[others]
        small[-1] *= self.track.times[-1]
        solver = self.solver(
            reduction.slope, float(q[chart]), start, towards=reduction.sign * np.inf, absolute=small
        )
        while True:
            _advance(solver, t)
            q, w, t = reduction.unpacked(float(solver.t), solver.y)
            _sample(reduction, solver, self.track)
            v = reduction.tau_rate(q, w) * w
            self.follow(q, v)
            braking = self.kinetic(q) <= BRAKE * self.largest
            if self.track.done or braking or reduction.finished(q, w):
                return q, v, t

    def through_brake(self, state: State) -> State:
        """Lagrange's equations in time across a point where all velocities vanish."""
        q, v, t = state
        n = len(q)

        def slope(_: float, y: Array) -> Array:
            return np.concatenate([y[n:], accelerations(self.system, y[:n], y[n:])])

        if not np.any(v) and not np.any(accelerations(self.system, q, v)):
            for time in self.track.waiting(np.inf):  # rest in equilibrium
                self.track.take(q.copy(), v.copy())
                t = time
            return q, v, t
        slow = np.full(n, FINE * self.tolerance * (self.speed.max(initial=0.0) or 1.0))
        absolute = np.concatenate([self.places_tolerance(), slow])
        solver = self.solver(slope, t, np.concatenate([q, v]), towards=np.inf, absolute=absolute)
        while True:
            _advance(solver, t)
            dense = solver.dense_output()
            for time in self.track.waiting(float(solver.t)):
                y = dense(time)
                self.track.take(y[:n], y[n:])
            q, v, t = solver.y[:n], solver.y[n:], float(solver.t)
            self.follow(q, v)
            if self.track.done or self.kinetic(q) > BRAKE_END * self.largest:
                return q, _on_energy_surface(self.system, q, v, self.h), t


def whittaker_motion(
    system: NaturalSystem,
    coordinates: Array,
    rates: Array,
    times: Array,
    *,
    tolerance: float = 1e-12,
) -> WhittakerMotion:
    """The motion from q, q̇ at t = 0, sampled at increasing times."""
    q, v, t = np.array(coordinates, dtype=float), np.array(rates, dtype=float), 0.0
    h = energy(system, q, v)
    track = _Track(np.asarray(times, dtype=float))
    journey = _Journey(system, h, track, tolerance, np.abs(q), np.abs(v), h - system.potential(q))
    charts: list[int] = []
    for _ in track.waiting(0.0):
        track.take(q.copy(), v.copy())
    while not track.done:
        if journey.largest <= 0 or journey.kinetic(q) <= BRAKE * journey.largest:
            charts.append(-1)
            q, v, t = journey.through_brake((q, v, t))
        else:
            charts.append(int(np.argmax(np.abs(v) * np.sqrt(np.diagonal(system.mass(q))))))
            q, v, t = journey.along_chart(charts[-1], (q, v, t))
    found = np.array(track.coordinates), np.array(track.rates)
    return WhittakerMotion(track.times, *found, tuple(charts), journey.steps, h)


def _advance(solver: DOP853, time: float) -> None:
    message = solver.step()
    if solver.status == "failed":
        raise AnalysisError(f"Whittaker's equations could not be integrated beyond t = {time:g} s: {message}")


def _sample(reduction: _Reduction, solver: DOP853, track: _Track) -> None:
    """States at the times inside the last step: Newton's iteration on t(τ), whose slope is 1/τ̇."""
    end = float(solver.y[-1])
    if track.done or track.times[len(track.coordinates)] > end:
        return
    dense = solver.dense_output()
    low, high = float(solver.t_old), float(solver.t)
    begin = float(dense(low)[-1])
    for time in track.waiting(end):
        tau = low + (high - low) * (time - begin) / (end - begin)
        for _ in range(12):
            q, w, t = reduction.unpacked(tau, dense(tau))
            move = (time - t) * reduction.tau_rate(q, w)
            tau = min(max(tau + move, min(low, high)), max(low, high))
            if abs(move) <= 4 * np.finfo(float).eps * max(abs(low), abs(high)):
                break
        q, w, _ = reduction.unpacked(tau, dense(tau))
        track.take(q, reduction.tau_rate(q, w) * w)


def _on_energy_surface(system: NaturalSystem, q: Array, v: Array, h: float) -> Array:
    """q̇ scaled so that ½q̇ᵀMq̇ = h − V, as the charts require."""
    kinetic = float(v @ system.mass(q) @ v / 2)
    return np.asarray(v * np.sqrt(max(h - system.potential(q), 0.0) / kinetic)) if kinetic else v

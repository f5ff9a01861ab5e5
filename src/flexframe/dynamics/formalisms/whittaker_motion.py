"""Motions of a planar system with a rigid angle in the place of time, and the time recovered.

The state is q(τ), the direction w = u/τ̇ and t(τ), advanced in τ. A chart ends near the turning point of its
angle, and the motion goes on with the angle (or other velocity) that moves most. Where all velocities vanish
together, h − V → 0, no chart exists: a short piece is integrated in time. h is fixed once, so that it is kept
to round-off.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from scipy.integrate import DOP853

from flexframe.dynamics.contract import DynamicState, Progress, Statistics
from flexframe.dynamics.equations import accelerations_at, equations_at
from flexframe.dynamics.formalisms.whittaker import chart, energy, reduced_motion
from flexframe.dynamics.sampled import bent_too_far, simulation_of
from flexframe.dynamics.start import consistent_start
from flexframe.errors import AnalysisError
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array

if TYPE_CHECKING:
    from flexframe.dynamics.formalisms.motion import FormalismRun, Route

CHART_END = 25.0  # kinetic energy over that of τ alone at which a chart is left
BRAKE = 1e-3  # h − V, relative to the largest on the way, below which time is the independent variable
BRAKE_END = 4e-3


@dataclass(eq=False)
class _Journey:
    """A motion under way."""

    route: "Route"
    h: float
    times: Array
    tolerance: float
    absolute: Array
    states: list[DynamicState] = field(default_factory=list)
    charts: list[int] = field(default_factory=list)
    largest: float = 0.0
    drift: float = 0.0
    steps: int = 0
    reason: str | None = None

    @property
    def done(self) -> bool:
        return len(self.states) == len(self.times) or self.reason is not None

    def waiting(self, until: float) -> Iterator[float]:
        """Times not yet sampled up to a time."""
        while not self.done and self.times[len(self.states)] <= until:
            yield float(self.times[len(self.states)])

    def take(self, time: float, state: DynamicState) -> None:
        """Keep a sample, put onto the joints."""
        self.states.append(replace(consistent_start(self.route.system, state), time=time))

    def kinetic(self, state: DynamicState) -> float:
        """h − V."""
        return self.h - self.route.points.at(state).potential

    def settled(self, state: DynamicState) -> DynamicState:
        """A state after a step, put back onto the joints and onto the energy h."""
        from flexframe.dynamics.formalisms.motion import joint_gap

        self.steps += 1
        if self.steps > self.route.most_steps:
            raise AnalysisError(f"the motion took more than {self.route.most_steps} steps; ask for a shorter time")
        self.drift = max(self.drift, joint_gap(self.route.system, state))
        state = consistent_start(self.route.system, state)
        self.largest = max(self.largest, self.kinetic(state))
        self.reason = bent_too_far(self.route.system, state)
        return state

    def along_chart(self, state: DynamicState) -> DynamicState:
        """Follow one chart until it turns, brakes or everything is sampled."""
        instant = self.route.points.at(state)
        tau = chart(instant)
        self.charts.append(tau)
        chart_motion = _Chart(self.route, self.h, tau, float(np.sign(instant.velocity[tau])))
        y = chart_motion.packed(state, instant.velocity)
        scales = self.route.system.tables.scales
        parts = [self.route.coordinates.scales(), scales / scales[tau], [self.times[-1] - self.times[0]]]
        absolute = self.tolerance * np.concatenate(parts)
        solver = DOP853(
            cast(Any, chart_motion.slope),
            0.0,
            y,
            chart_motion.sign * np.inf,
            rtol=max(self.tolerance, 2.5e-14),
            atol=cast(Any, absolute),
        )
        while True:
            message = solver.step()
            if str(solver.status) == "failed":
                raise AnalysisError(
                    f"Whittaker's equations could not be integrated beyond t = {state.time:g} s: {message}"
                )
            self._sample(chart_motion, solver)
            state, crowding = chart_motion.state(solver.y)
            state = self.settled(state)
            if self.done or self.kinetic(state) <= BRAKE * self.largest or crowding > CHART_END:
                return state
            solver.y = chart_motion.packed(state, self.route.points.at(state).velocity)
            solver.f = chart_motion.slope(solver.t, solver.y)

    def _sample(self, chart_motion: "_Chart", solver: "DOP853[np.float64]") -> None:
        """States at the times inside the last step: Newton's iteration on t(τ), whose slope is 1/τ̇."""
        end = float(solver.y[-1])
        if self.done or self.times[len(self.states)] > end:
            return
        dense = solver.dense_output()
        low, high = float(solver.t_old), float(solver.t)
        begin = float(dense(low)[-1])
        for time in self.waiting(end):
            tau = low + (high - low) * (time - begin) / (end - begin)
            for _ in range(20):
                y = dense(tau)
                rate = 1 / chart_motion.slope(tau, y)[-1]
                move = (time - y[-1]) * rate
                tau = min(max(tau + move, min(low, high)), max(low, high))
                if abs(move) <= 4 * np.finfo(float).eps * max(abs(low), abs(high)):
                    break
            self.take(time, chart_motion.state(dense(tau))[0])

    def through_brake(self, state: DynamicState) -> DynamicState:
        """The equations in time across a point where all velocities vanish."""
        self.charts.append(-1)
        route = self.route
        solver = DOP853(
            cast(Any, lambda time, y: _in_time(route, time, y)),
            state.time,
            route.packed(state)[:-3],
            np.inf,
            rtol=max(self.tolerance, 2.5e-14),
            atol=cast(Any, self.absolute[:-3]),
        )
        while True:
            solver.step()
            dense = solver.dense_output()
            for time in self.waiting(float(solver.t)):
                self.take(time, route.state(time, np.append(dense(time), np.zeros(3))))
            state = self.settled(route.state(float(solver.t), np.append(solver.y, np.zeros(3))))
            if self.done or self.kinetic(state) > BRAKE_END * self.largest:
                return state
            solver.y = route.packed(state)[:-3]
            solver.f = solver.fun(solver.t, solver.y)


@dataclass(frozen=True, eq=False)
class _Chart:
    """One angle in the place of time: y = (q, w, t) as functions of τ."""

    route: "Route"
    h: float
    tau: int
    sign: float

    def packed(self, state: DynamicState, velocity: Array) -> Array:
        """y of a state."""
        return np.concatenate([self.route.coordinates.packed(state), velocity / velocity[self.tau], [state.time]])

    def state(self, y: Array) -> tuple[DynamicState, float]:
        """The state with the speed that the energy demands, and how crowded the chart is."""
        at = self._reduced(y)
        size = self.route.coordinates.size
        return self.route.coordinates.state(float(y[-1]), y[:size], at.tau_rate * y[size:-1]), at.crowding

    def slope(self, _: float, y: Array) -> Array:
        """d/dτ of (q, w, t)."""
        if not np.isfinite(y).all():
            return np.full(len(y), np.nan)
        at = self._reduced(y)
        size, w = self.route.coordinates.size, y[self.route.coordinates.size : -1]
        if not np.isfinite(at.tau_rate) or at.tau_rate == 0:
            return np.full(len(y), np.nan)  # a trial stage beyond the turning point: the step is made smaller
        state = self.route.coordinates.state(float(y[-1]), y[:size], w)
        bend = (at.motion.accelerations - at.tau_second * w) / at.tau_rate**2
        bend[self.tau] = 0.0
        return np.concatenate([self.route.coordinates.rates(state), bend, [1 / at.tau_rate]])

    def _reduced(self, y: Array) -> Any:
        """The reduced equations at (q, w); constraints at unit speed are scaled to the true one."""
        self.route.evaluations += 1
        size = self.route.coordinates.size
        state = self.route.coordinates.state(float(y[-1]), y[:size], self.sign * y[size:-1])
        return reduced_motion(self.route.points.at(state), self.tau, self.h, self.route.work)


def whittaker_run(  # noqa: PLR0917
    route: "Route",
    start: DynamicState,
    times: Array,
    tolerance: float,
    progress: Progress | None,
    checkpoint: Callable[[DynamicState], None] | None,
) -> "FormalismRun":
    """The motion by Whittaker's equations, sampled at the times."""
    from flexframe.dynamics.formalisms.motion import FormalismRun

    began = perf_counter()
    instant = route.points.at(start)
    h = energy(instant, route.work)
    journey = _Journey(route, h, times, tolerance, route.tolerances(start, tolerance))
    journey.largest = max(h - instant.potential, _soon(route, start, float(times[-1] - times[0])))
    journey.take(float(times[0]), start)
    state = start
    while not journey.done:
        stuck = journey.largest <= 0 or journey.kinetic(state) <= BRAKE * journey.largest
        state = journey.through_brake(state) if stuck else journey.along_chart(state)
        if progress is not None:
            progress(float(min(1.0, (state.time - times[0]) / (times[-1] - times[0]))))
    if checkpoint is not None:
        checkpoint(journey.states[-1])
    statistics = Statistics(journey.steps, 0, 0, route.evaluations, route.evaluations, perf_counter() - began)
    simulation = simulation_of(
        route.system,
        "whittaker",
        journey.states,
        works=np.zeros((len(journey.states), 3)),
        statistics=statistics,
        reason=journey.reason,
    )
    return FormalismRun(simulation, journey.drift, route.work.operations)


def _soon(route: "Route", start: DynamicState, duration: float) -> float:
    """The kinetic energy that a system at rest has after a quarter radian of its fastest shape, or at the end."""
    equations, found = equations_at(route.system, start), accelerations_at(route.system, start)
    mass = np.diagonal(equations.mass)
    stiffness = np.zeros_like(mass)
    for place, body in zip(route.points.places, route.system.bodies, strict=True):
        if body.size:
            stiffness[place.stop - body.size : place.stop] = np.diagonal(body.stiffness)
    rates = np.sqrt(stiffness / np.where(mass > 0, mass, 1.0))
    time = min(duration, 0.25 / rates.max()) if rates.any() else duration
    a = found.velocity_rate
    return float(a @ equations.mass @ a) * time**2 / 2


def _in_time(route: "Route", time: float, y: Array) -> Array:
    """(q̇, u̇) along the motions that the joints allow."""
    from flexframe.dynamics.formalisms.maggi import Maggi

    state = route.state(time, np.append(y, np.zeros(3)))
    route.evaluations += 1
    motion = Maggi().motion(route.points.at(state), Work())
    return np.concatenate([route.coordinates.rates(state), motion.accelerations])

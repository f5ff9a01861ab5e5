"""Whittaker's motion of a planar system: a rigid angle in the place of time, states put back onto the joints."""

from dataclasses import dataclass, field, replace
from time import perf_counter

import numpy as np

from flexframe.formalisms.charts import Journey, Piece
from flexframe.formalisms.system_motion import FormalismRun, Route, SystemTask, joint_gap, unsure_speed
from flexframe.formalisms.whittaker import ReducedMotion, accelerations_in_time, chart, energy, reduced_motion
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array
from flexframe.multibody.contract import DynamicState, Statistics
from flexframe.multibody.equations import accelerations_at, equations_at
from flexframe.multibody.integrators.recording import WORKS
from flexframe.multibody.integrators.sampled import bent_too_far, simulation_of
from flexframe.multibody.start import consistent_start


@dataclass(frozen=True, eq=False, kw_only=True)
class _Chart(Piece[DynamicState]):
    """One angle in the place of time: y = (q, w, t) as functions of τ, which counts from its start."""

    route: Route
    h: float

    def _reduced(self, y: Array) -> ReducedMotion:
        """The reduced equations at (q, w); constraint equations at unit speed are scaled to the true one."""
        self.route.evaluations += 1
        size = self.route.coordinates.size
        state = self.route.coordinates.state(float(y[-1]), y[:size], self.towards * y[size:-1])
        return reduced_motion(self.route.points.at(state), self.number, self.h, self.route.work)

    def slope(self, x: float, y: Array) -> Array:  # noqa: ARG002
        """d/dτ of (q, w, t)."""
        if not np.isfinite(y).all():
            return np.full(len(y), np.nan)
        at = self._reduced(y)
        size, w = self.route.coordinates.size, y[self.route.coordinates.size : -1]
        if not np.isfinite(at.tau_rate) or at.tau_rate == 0:
            return np.full(len(y), np.nan)  # a trial stage beyond the turning point: the step is made smaller
        state = self.route.coordinates.state(float(y[-1]), y[:size], w)
        bend = (at.motion.accelerations - at.tau_second * w) / at.tau_rate**2
        bend[self.number] = 0.0
        return np.concatenate([self.route.coordinates.rates(state), bend, [1 / at.tau_rate]])

    def time(self, x: float, y: Array) -> float:  # noqa: ARG002
        return float(y[-1])

    def rate(self, x: float, y: Array) -> float:  # noqa: ARG002
        return self._reduced(y).tau_rate

    def state(self, x: float, y: Array) -> tuple[DynamicState, float]:  # noqa: ARG002
        """The state with the speed that the energy demands, and how crowded the chart is."""
        at = self._reduced(y)
        size = self.route.coordinates.size
        return self.route.coordinates.state(float(y[-1]), y[:size], at.tau_rate * y[size:-1]), at.crowding

    def renewed(self, state: DynamicState) -> Array:
        u = self.route.points.at(state).velocity
        return np.concatenate([self.route.coordinates.packed(state), u / u[self.number], [state.time]])


@dataclass(frozen=True, eq=False, kw_only=True)
class _InTime(Piece[DynamicState]):
    """The equations in time, y = (q, u), across a point where all velocities vanish."""

    route: Route

    def slope(self, x: float, y: Array) -> Array:
        """(q̇, u̇) along the motions that the joints allow."""
        state = self.state(x, y)[0]
        self.route.evaluations += 1
        motion = accelerations_in_time(self.route.points.at(state), Work())
        return np.concatenate([self.route.coordinates.rates(state), motion.accelerations])

    def state(self, x: float, y: Array) -> tuple[DynamicState, float]:
        return self.route.state(x, np.append(y, np.zeros(self.route.extra))), 1.0

    def renewed(self, state: DynamicState) -> Array:
        return self.route.packed(state)[: -self.route.extra]


@dataclass(eq=False)
class _SystemMotion:
    """A system on its way at the energy h, and the largest gap of its joints so far."""

    route: Route
    h: float
    span: float
    tolerance: float
    absolute: Array
    drift: float = 0.0
    reason: str | None = field(default=None, init=False)

    def kinetic(self, state: DynamicState) -> float:
        """h − V."""
        return self.h - self.route.points.at(state).potential

    def chart(self, state: DynamicState) -> Piece[DynamicState]:
        instant, route = self.route.points.at(state), self.route
        tau, u, scales = chart(instant), instant.velocity, route.system.tables.scales
        directions = scales * max(1 / scales[tau], unsure_speed(instant) / self.tolerance / abs(u[tau]))
        sizes = np.concatenate([route.coordinates.scales(), directions, [self.span]])
        return _Chart(
            start=(0.0, np.concatenate([route.coordinates.packed(state), u / u[tau], [state.time]])),
            absolute=self.tolerance * sizes,
            number=tau,
            towards=float(np.sign(u[tau])),
            route=route,
            h=self.h,
        )

    def in_time(self, state: DynamicState) -> Piece[DynamicState]:
        extra = self.route.extra
        start = state.time, self.route.packed(state)[:-extra]
        return _InTime(start=start, absolute=self.absolute[:-extra], route=self.route)

    def settled(self, state: DynamicState) -> DynamicState:
        """Put back onto the joints."""
        self.drift = max(self.drift, joint_gap(self.route.system, state))
        state = consistent_start(self.route.system, state)
        self.reason = bent_too_far(self.route.system, state)
        return state

    def sampled(self, time: float, state: DynamicState) -> DynamicState:
        return replace(consistent_start(self.route.system, state), time=time)


def whittaker_run(task: SystemTask, times: Array) -> FormalismRun:
    """The motion by Whittaker's equations, sampled at the times."""
    began, route, tolerance = perf_counter(), task.route, task.tolerance
    start = replace(task.start, time=float(times[0]))
    instant = route.points.at(start)
    h, span = energy(instant, route.work), float(times[-1] - times[0])
    moving = _SystemMotion(route, h, span, tolerance, route.tolerances(start, tolerance))
    largest = max(h - instant.potential, _soon(route, start, span))
    journey = Journey(moving, times, tolerance, largest, route.most_steps)

    def after(state: DynamicState) -> None:
        if task.progress is not None:
            task.progress(float(min(1.0, (state.time - times[0]) / span)))

    journey.run(start, after)
    if task.checkpoint is not None:
        task.checkpoint(journey.samples[-1])
    statistics = Statistics(journey.steps, 0, 0, route.evaluations, route.evaluations, perf_counter() - began)
    simulation = simulation_of(
        route.system,
        route.formalism.name,
        journey.samples,
        works=np.zeros((len(journey.samples), WORKS)),
        statistics=statistics,
        reason=moving.reason,
    )
    return FormalismRun(simulation, moving.drift, route.work.operations)


def _soon(route: Route, start: DynamicState, duration: float) -> float:
    """The kinetic energy that a system at rest has after a quarter radian of its fastest shape, or at the end."""
    equations, found = equations_at(route.system, start), accelerations_at(route.system, start)
    mass = np.diagonal(equations.mass)
    stiffness = np.zeros_like(mass)
    for place, body in zip(route.points.places, route.system.bodies, strict=True):
        if body.size:
            stiffness[place.stop - body.size : place.stop] = np.diagonal(body.stiffness)
    squares = stiffness / np.where(mass > 0, mass, 1.0)
    beams = [beam.fastest_square() for beam in route.points.at(start).beams]
    fastest = np.sqrt(max(squares.max(initial=0.0), *beams, 0.0))
    time = min(duration, 0.25 / fastest) if fastest > 0 else duration
    a = found.velocity_rate
    return float(a @ equations.mass @ a) * time**2 / 2

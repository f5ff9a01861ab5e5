"""Motions with one coordinate in the place of time, τ = q_j, and the time recovered; planar systems among them.

The energy integral gives τ̇ = ±√(2(h − V)/wᵀMw) with q̇ = τ̇ w, w_j = 1. A chart j is followed until its turning
point is near, τ̇ → 0 while h − V > 0, and the motion goes on in the best chart there. At a brake point, h − V → 0,
all velocities vanish together and no chart exists: a short piece is then integrated in time. h is fixed once, so
the energy is kept to round-off. Bodies with few coordinates and whole systems are followed alike.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar, cast

import numpy as np
from scipy.integrate import DOP853

from flexframe.errors import AnalysisError
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.system_motion import FormalismRun, Route, SystemTask, joint_gap, unsure_speed
from flexframe.formalisms.whittaker import ReducedMotion, accelerations_in_time, chart, energy, reduced_motion
from flexframe.maths.arrays import Array
from flexframe.multibody.contract import DynamicState, Statistics
from flexframe.multibody.equations import accelerations_at, equations_at
from flexframe.multibody.integrators.recording import WORKS, bent_too_far, simulation_of
from flexframe.multibody.start import consistent_start

CHART_END = 25.0  # wᵀMw over M_jj at which a chart is left
BRAKE = 1e-3  # h − V, relative to the largest on the way, below which time is the independent variable
BRAKE_END = 4e-3
FINEST = 2.5e-14  # relative tolerance that the integrator can meet
IN_TIME = -1  # number of a piece in time among those of charts


class Timed(Protocol):
    """A state that knows its time."""

    @property
    def time(self) -> float: ...


State = TypeVar("State", bound=Timed)


@dataclass(frozen=True, eq=False, kw_only=True)
class Piece(ABC, Generic[State]):
    """A part of the motion as y(x), x the coordinate τ of a chart or, as written here, the time."""

    start: tuple[float, Array]  # x and y
    absolute: Array  # tolerances of y
    number: int = IN_TIME  # j of a chart
    towards: float = 1.0  # ±1, the way x goes

    @abstractmethod
    def slope(self, x: float, y: Array) -> Array:
        """dy/dx; not a number where there is none, so that a step is made smaller."""

    @abstractmethod
    def state(self, x: float, y: Array) -> tuple[State, float]:
        """The state there, and how crowded a chart is: wᵀMw over M_jj."""

    def time(self, x: float, y: Array) -> float:  # noqa: ARG002
        return x

    def rate(self, x: float, y: Array) -> float:  # noqa: ARG002
        """dx/dt."""
        return 1.0

    def renew(self, state: State) -> Array | None:  # noqa: ARG002
        """y of a settled state with which the next step begins, or None where it is good as it is."""
        return None


class Charted(Protocol[State]):
    """A system with an energy integral, as a journey sees it."""

    @property
    def reason(self) -> str | None:
        """Why the motion ends before its time, or None."""
        ...

    def kinetic(self, state: State) -> float:
        """h − V."""
        ...

    def chart(self, state: State) -> Piece[State]: ...
    def in_time(self, state: State) -> Piece[State]: ...
    def settle(self, state: State) -> State:
        """A state after a step, put back where it must be."""
        ...

    def sample_state(self, time: float, state: State) -> State:
        """What is kept of a state at a time asked for."""
        ...


@dataclass(eq=False)
class Journey(Generic[State]):
    """A motion under way: what is still to be sampled, how it was covered, and the largest h − V so far."""

    system: Charted[State]
    times: Array
    tolerance: float
    largest: float
    most_steps: int
    samples: list[State] = field(default_factory=list)
    charts: list[int] = field(default_factory=list)
    steps: int = 0

    @property
    def done(self) -> bool:
        return len(self.samples) == len(self.times) or self.system.reason is not None

    def run(self, state: State, after: Callable[[State], None] = lambda _: None) -> State:
        """Follow the motion until all is sampled; `after` sees the end of each piece."""
        for time in self._waiting(state.time):
            self._take(time, state)
        while not self.done:
            braking = self.largest <= 0 or self.system.kinetic(state) <= BRAKE * self.largest
            state = self._follow(self.system.in_time(state) if braking else self.system.chart(state), state)
            after(state)
        return state

    def _waiting(self, until: float) -> Iterator[float]:
        """Times not yet sampled up to a time."""
        while not self.done and self.times[len(self.samples)] <= until:
            yield float(self.times[len(self.samples)])

    def _take(self, time: float, state: State) -> None:
        self.samples.append(self.system.sample_state(time, state))

    def _follow(self, piece: Piece[State], state: State) -> State:
        """One piece until it turns, brakes, is over the brake point, or everything is sampled."""
        self.charts.append(piece.number)
        x, y = piece.start
        if piece.number == IN_TIME and not piece.slope(x, y).any():
            for time in self._waiting(np.inf):  # rest in equilibrium
                self._take(time, state)
            return state
        rtol, towards = max(self.tolerance, FINEST), piece.towards * np.inf
        solver = DOP853(cast(Any, piece.slope), x, y, towards, rtol=rtol, atol=cast(Any, piece.absolute))
        while True:
            message = solver.step()
            if str(solver.status) == "failed":
                raise AnalysisError(
                    f"Whittaker's equations could not be integrated beyond t = {state.time:g} s: {message}"
                )
            self._sample(piece, solver)
            state, crowding = piece.state(float(solver.t), solver.y)
            state = self._settle(state)
            if self.done or self._over(piece, state, crowding):
                return state
            renewed = piece.renew(state)
            if renewed is not None:
                solver.y = renewed
                solver.f = solver.fun(solver.t, solver.y)

    def _settle(self, state: State) -> State:
        self.steps += 1
        if self.steps > self.most_steps:
            raise AnalysisError(f"the motion took more than {self.most_steps} steps; ask for a shorter time")
        state = self.system.settle(state)
        self.largest = max(self.largest, self.system.kinetic(state))
        return state

    def _over(self, piece: Piece[State], state: State, crowding: float) -> bool:
        kinetic = self.system.kinetic(state)
        if piece.number == IN_TIME:
            return kinetic > BRAKE_END * self.largest
        return kinetic <= BRAKE * self.largest or crowding > CHART_END

    def _sample(self, piece: Piece[State], solver: "DOP853[np.float64]") -> None:
        """States at the times inside the last step: Newton's iteration on t(x), whose slope is 1/ẋ."""
        end = piece.time(float(solver.t), solver.y)
        if self.done or self.times[len(self.samples)] > end:
            return
        dense = solver.dense_output()
        low, high = float(solver.t_old), float(solver.t)
        begin = piece.time(low, dense(low))
        for time in self._waiting(end):
            x = low + (high - low) * (time - begin) / (end - begin)
            for _ in range(20):
                y = dense(x)
                move = (time - piece.time(x, y)) * piece.rate(x, y)
                x = min(max(x + move, min(low, high)), max(low, high))
                if abs(move) <= 4 * np.finfo(float).eps * max(abs(low), abs(high)):
                    break
            self._take(time, piece.state(x, dense(x))[0])


@dataclass(frozen=True, eq=False, kw_only=True)
class _Chart(Piece[DynamicState]):
    """One angle in the place of time: y = (q, w, t) as functions of τ, which counts from its start."""

    route: Route
    h: float

    def _reduce(self, y: Array) -> ReducedMotion:
        """The reduced equations at (q, w); constraint equations at unit speed are scaled to the true one."""
        self.route.evaluations += 1
        size = self.route.coordinates.size
        state = self.route.coordinates.state(float(y[-1]), y[:size], self.towards * y[size:-1])
        return reduced_motion(self.route.points.at(state), self.number, self.h, self.route.work)

    def slope(self, x: float, y: Array) -> Array:  # noqa: ARG002
        """d/dτ of (q, w, t)."""
        if not np.isfinite(y).all():
            return np.full(len(y), np.nan)
        at = self._reduce(y)
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
        return self._reduce(y).tau_rate

    def state(self, x: float, y: Array) -> tuple[DynamicState, float]:  # noqa: ARG002
        """The state with the speed that the energy demands, and how crowded the chart is."""
        at = self._reduce(y)
        size = self.route.coordinates.size
        return self.route.coordinates.state(float(y[-1]), y[:size], at.tau_rate * y[size:-1]), at.crowding

    def renew(self, state: DynamicState) -> Array:
        u = self.route.points.at(state).velocity
        return np.concatenate([self.route.coordinates.pack(state), u / u[self.number], [state.time]])


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

    def renew(self, state: DynamicState) -> Array:
        return self.route.pack(state)[: -self.route.extra]


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
            start=(0.0, np.concatenate([route.coordinates.pack(state), u / u[tau], [state.time]])),
            absolute=self.tolerance * sizes,
            number=tau,
            towards=float(np.sign(u[tau])),
            route=route,
            h=self.h,
        )

    def in_time(self, state: DynamicState) -> Piece[DynamicState]:
        extra = self.route.extra
        start = state.time, self.route.pack(state)[:-extra]
        return _InTime(start=start, absolute=self.absolute[:-extra], route=self.route)

    def settle(self, state: DynamicState) -> DynamicState:
        """Put back onto the joints."""
        self.drift = max(self.drift, joint_gap(self.route.system, state))
        state = consistent_start(self.route.system, state)
        self.reason = bent_too_far(self.route.system, state)
        return state

    def sample_state(self, time: float, state: DynamicState) -> DynamicState:
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

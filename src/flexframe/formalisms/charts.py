"""Motions with one coordinate in the place of time, τ = q_j, and the time recovered.

The energy integral gives τ̇ = ±√(2(h − V)/wᵀMw) with q̇ = τ̇ w, w_j = 1. A chart j is followed until its turning
point is near, τ̇ → 0 while h − V > 0, and the motion goes on in the best chart there. At a brake point, h − V → 0,
all velocities vanish together and no chart exists: a short piece is then integrated in time. h is fixed once, so
the energy is kept to round-off. Bodies with few coordinates and whole systems are followed alike.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar, cast

import numpy as np
from scipy.integrate import DOP853

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array

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

    def renewed(self, state: State) -> Array | None:  # noqa: ARG002
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
    def settled(self, state: State) -> State:
        """A state after a step, put back where it must be."""
        ...

    def sampled(self, time: float, state: State) -> State:
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
            state = self._followed(self.system.in_time(state) if braking else self.system.chart(state), state)
            after(state)
        return state

    def _waiting(self, until: float) -> Iterator[float]:
        """Times not yet sampled up to a time."""
        while not self.done and self.times[len(self.samples)] <= until:
            yield float(self.times[len(self.samples)])

    def _take(self, time: float, state: State) -> None:
        self.samples.append(self.system.sampled(time, state))

    def _followed(self, piece: Piece[State], state: State) -> State:
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
            state = self._settled(state)
            if self.done or self._over(piece, state, crowding):
                return state
            renewed = piece.renewed(state)
            if renewed is not None:
                solver.y = renewed
                solver.f = solver.fun(solver.t, solver.y)

    def _settled(self, state: State) -> State:
        self.steps += 1
        if self.steps > self.most_steps:
            raise AnalysisError(f"the motion took more than {self.most_steps} steps; ask for a shorter time")
        state = self.system.settled(state)
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

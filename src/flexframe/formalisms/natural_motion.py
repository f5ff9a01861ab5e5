"""Whittaker's motion of a natural system with few coordinates, such as a body in a reduced basis."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from flexframe.formalisms.charts import Journey, Piece
from flexframe.formalisms.natural_systems import FAR, NaturalSystem, accelerations, bend, energy, inertia_forces
from flexframe.maths.arrays import Array, IntArray

FINE = 0.01  # absolute tolerance over the relative one, in units of the largest values met
STEPS = 2_000_000


class Moving(NamedTuple):
    """q, q̇ and t."""

    q: Array
    rates: Array
    time: float


@dataclass(frozen=True, eq=False, kw_only=True)
class _Chart(Piece[Moving]):
    """The n − 1 equations of one chart at energy h: y = (z, z', t) as functions of τ = q_j."""

    system: NaturalSystem
    h: float
    order: IntArray  # j, then all other numbers

    def _unpack(self, tau: float, y: Array) -> tuple[Array, Array]:
        """q and w = (1 at j, z')."""
        count = len(self.order) - 1
        q, w = np.empty(count + 1), np.empty(count + 1)
        q[self.order] = np.concatenate([[tau], y[:count]])
        w[self.order] = np.concatenate([[1.0], y[count:-1]])
        return q, w

    def _rate(self, q: Array, w: Array) -> float:
        """τ̇ = ±√(2(h − V)/wᵀMw)."""
        kinetic = max(self.h - self.system.potential(q), np.finfo(float).tiny)
        return float(self.towards * np.sqrt(2 * kinetic / (w @ self.system.mass(q) @ w)))

    def slope(self, x: float, y: Array) -> Array:
        """d/dτ of (z, z', t)."""
        q, w = self._unpack(x, y)
        if not self._crowding(q, w) < FAR:  # far beyond the turning point
            return np.full(len(y), np.nan)
        rate, order = self._rate(q, w), self.order
        # ν = τ̇² ν_2 + τ̇ Γw + ∂V/∂q are the inertia forces at q̇ = τ̇ w
        nu = inertia_forces(self.system, q, rate * w)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):  # no speed is left at a brake point
            turning = bend(self.system.mass(q)[order[:, None], order], w[order], nu[order]).turning
            return np.concatenate([w[order[1:]], turning / rate**2, [1 / rate]])

    def time(self, x: float, y: Array) -> float:  # noqa: ARG002
        return float(y[-1])

    def rate(self, x: float, y: Array) -> float:
        return self._rate(*self._unpack(x, y))

    def state(self, x: float, y: Array) -> tuple[Moving, float]:
        q, w = self._unpack(x, y)
        return Moving(q, self._rate(q, w) * w, float(y[-1])), self._crowding(q, w)

    def _crowding(self, q: Array, w: Array) -> float:
        M = self.system.mass(q)
        with np.errstate(over="ignore", invalid="ignore"):
            return float(w @ M @ w / M[self.number, self.number])


@dataclass(frozen=True, eq=False, kw_only=True)
class _InTime(Piece[Moving]):
    """Lagrange's equations in time, y = (q, q̇), across a point where all velocities vanish."""

    system: NaturalSystem

    def slope(self, x: float, y: Array) -> Array:  # noqa: ARG002
        q, v = np.split(y, 2)
        return np.concatenate([v, accelerations(self.system, q, v)])

    def state(self, x: float, y: Array) -> tuple[Moving, float]:
        q, v = np.split(y, 2)
        return Moving(q, v, x), 1.0


@dataclass(eq=False)
class _NaturalMotion:
    """A natural system on its way: h, the time it has, and the largest |q| and |q̇| met."""

    system: NaturalSystem
    h: float
    span: float
    tolerance: float
    places: Array
    speeds: Array
    reason: ClassVar[str | None] = None

    def kinetic(self, state: Moving) -> float:
        """h − V."""
        return self.h - self.system.potential(state.q)

    def _fine(self) -> Array:
        """Absolute tolerance of q, a part of the largest coordinates met."""
        size = np.where(self.places > 0, self.places, self.places.max(initial=0.0) or 1.0)
        return np.asarray(FINE * self.tolerance * size)

    def chart(self, state: Moving) -> Piece[Moving]:
        """The coordinate that moves fastest takes the place of time."""
        q, v, t = state
        tau = int(np.argmax(np.abs(v) * np.sqrt(np.diagonal(self.system.mass(q)))))
        others = np.flatnonzero(np.arange(len(q)) != tau)
        start = float(q[tau]), np.concatenate([q[others], v[others] / v[tau], [t]])
        small = np.full(2 * len(others) + 1, FINE * self.tolerance)
        small[: len(others)] = self._fine()[others]
        small[-1] *= self.span
        return _Chart(
            start=start,
            absolute=small,
            number=tau,
            towards=float(np.sign(v[tau])),
            system=self.system,
            h=self.h,
            order=np.concatenate([[tau], others]),
        )

    def in_time(self, state: Moving) -> Piece[Moving]:
        slow = np.full(len(state.q), FINE * self.tolerance * (self.speeds.max(initial=0.0) or 1.0))
        start = state.time, np.concatenate([state.q, state.rates])
        return _InTime(start=start, absolute=np.concatenate([self._fine(), slow]), system=self.system)

    def settle(self, state: Moving) -> Moving:
        """The sizes of a state are noted."""
        self.places = np.maximum(self.places, np.abs(state.q))
        self.speeds = np.maximum(self.speeds, np.abs(state.rates))
        return state

    def sample_state(self, time: float, state: Moving) -> Moving:
        return Moving(state.q.copy(), state.rates.copy(), time)


@dataclass(frozen=True, eq=False)
class WhittakerMotion:
    """q and q̇ at the times asked for, and how the motion was covered."""

    times: Array  # (instants,)
    coordinates: Array  # (instants, n)
    rates: Array  # (instants, n)
    charts: tuple[int, ...]  # j of each chart in order; −1 for a piece in time
    steps: int
    energy: float  # h


def whittaker_motion(
    system: NaturalSystem, coordinates: Array, rates: Array, times: Array, *, tolerance: float = 1e-12
) -> WhittakerMotion:
    """The motion from q, q̇ at t = 0 by Whittaker's equations, sampled at increasing times."""
    q, v = np.array(coordinates, dtype=float), np.array(rates, dtype=float)
    h = energy(system, q, v)
    asked = np.asarray(times, dtype=float)
    moving = _NaturalMotion(system, h, float(asked[-1]), tolerance, np.abs(q), np.abs(v))
    journey = Journey(moving, asked, tolerance, h - system.potential(q), STEPS)
    journey.run(Moving(q, v, 0.0))
    found = np.array([s.q for s in journey.samples]), np.array([s.rates for s in journey.samples])
    return WhittakerMotion(asked, *found, tuple(journey.charts), journey.steps, h)

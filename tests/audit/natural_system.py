"""A natural system with a gyroscopic term and what Whittaker's derivation names.

L = ½ q̇ᵀM(q)q̇ + q̇ᵀg(q) - V(q). τ = q_1 replaces the time, z = (q_2 ... q_n), w = (1, z'), q̇ = τ̇ w and
Ω(τ, z, τ̇, z') = L.
"""

from collections.abc import Callable
from dataclasses import dataclass

from mpmath import mp, mpf

from .precision import Vector, array, derivative, gradient, solve


@dataclass(frozen=True)
class NaturalSystem:
    """M(q), g(q) and V(q) of an autonomous Lagrangian."""

    mass: Callable[[Vector], Vector]
    gyroscopic: Callable[[Vector], Vector]
    potential: Callable[[Vector], mpf]

    def lagrangian(self, q: Vector, rates: Vector) -> mpf:
        """½ q̇ᵀMq̇ + q̇ᵀg - V."""
        return rates @ self.mass(q) @ rates / 2 + rates @ self.gyroscopic(q) - self.potential(q)

    def momentum(self, q: Vector, rates: Vector) -> Vector:
        """∂L/∂q̇."""
        return self.mass(q) @ rates + self.gyroscopic(q)

    def energy(self, q: Vector, rates: Vector) -> mpf:
        """Jacobi's integral q̇ᵀ∂L/∂q̇ - L."""
        return rates @ self.momentum(q, rates) - self.lagrangian(q, rates)

    def euler_lagrange(self, q: Vector, rates: Vector, second: Vector) -> Vector:
        """d/dt ∂L/∂q̇ - ∂L/∂q for any accelerations."""
        moved = derivative(lambda s: self.momentum(q + s * rates, rates), mpf(0))
        return self.mass(q) @ second + moved - gradient(lambda point: self.lagrangian(point, rates), q)

    def accelerations(self, q: Vector, rates: Vector) -> Vector:
        """The q̈ of Lagrange's equations."""
        return solve(self.mass(q), -self.euler_lagrange(q, rates, 0 * rates))

    def omega(self, q: Vector, tau_rate: mpf, slopes: Vector) -> mpf:
        """Ω of (38)."""
        return self.lagrangian(q, tau_rate * _with_one(slopes))

    def tau_rate(self, q: Vector, slopes: Vector, h: mpf, sign: int) -> mpf:
        """τ̇ from the energy integral (47): a pure quadratic, the gyroscopic term drops out."""
        w = _with_one(slopes)
        return sign * mp.sqrt(2 * (h - self.potential(q)) / (w @ self.mass(q) @ w))

    def whittaker_function(self, q: Vector, slopes: Vector, h: mpf, sign: int) -> mpf:
        """L* = σ sqrt(2(h - V) wᵀMw) + wᵀg."""
        w = _with_one(slopes)
        return sign * mp.sqrt(2 * (h - self.potential(q)) * (w @ self.mass(q) @ w)) + w @ self.gyroscopic(q)


def _with_one(slopes: Vector) -> Vector:
    return array([mpf(1), *slopes])


@dataclass(frozen=True)
class State:
    """A point of a motion with everything that Whittaker's derivation names."""

    system: NaturalSystem
    q: Vector
    rates: Vector

    @property
    def h(self) -> mpf:
        """The constant of the energy integral."""
        return self.system.energy(self.q, self.rates)

    @property
    def sign(self) -> int:
        """σ, the sign of τ̇."""
        return 1 if self.rates[0] > 0 else -1

    @property
    def slopes(self) -> Vector:
        """q'_i = q̇_i / τ̇, i ≥ 2."""
        return self.rates[1:] / self.rates[0]

    def star(self, q: Vector, slopes: Vector) -> mpf:
        """L*(τ, z, z') at the energy of this state."""
        return self.system.whittaker_function(q, slopes, self.h, self.sign)

    def by_slopes(self, q: Vector, slopes: Vector) -> Vector:
        """∂L*/∂q'_i."""
        return gradient(lambda point: self.star(q, point), slopes)

    def by_coordinates(self) -> Vector:
        """∂L*/∂q_i, i ≥ 2."""
        return gradient(lambda point: self.star(point, self.slopes), self.q)[1:]

    def rate_of_slope_derivative(self) -> Vector:
        """d/dτ ∂L*/∂q'_i along the motion of Lagrange's equations."""
        second = self.system.accelerations(self.q, self.rates)
        tau_rate = self.rates[0]
        bend = (second[1:] - self.slopes * second[0]) / tau_rate**2  # z''
        w = _with_one(self.slopes)
        return derivative(lambda s: self.by_slopes(self.q + s * w, self.slopes + s * bend), mpf(0))

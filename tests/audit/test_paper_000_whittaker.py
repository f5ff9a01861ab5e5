"""Paper 000 section 4, Whittaker's equations (30)-(60): digest entry E17.

L = ½ q̇ᵀM(q)q̇ + q̇ᵀg(q) - V(q) is the general natural system with a gyroscopic term. τ = q_1 replaces the
time, z = (q_2 ... q_n), w = (1, z'), q̇ = τ̇ w and Ω(τ, z, τ̇, z') = L.
"""

from itertools import pairwise

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy.integrate import solve_ivp

from .natural_system import NaturalSystem, State
from .precision import Vector, array, assert_fails_by, assert_holds, derivative, gradient, size


def _mass(q: Vector) -> Vector:
    first, second, third = q
    couple = mp.cos(first - second) / 4
    return array(
        [
            [mpf(2) + mp.sin(third) / 4, couple, mpf(1) / 8],
            [couple, mpf(3) / 2 + first**2 / 8, second / 8],
            [mpf(1) / 8, second / 8, mpf(1) + mp.cos(second) / 4],
        ]
    )


GENERIC = NaturalSystem(
    mass=_mass,
    gyroscopic=lambda q: array([q[1] * q[2] / 2, mp.sin(q[0]) / 2, q[0] * q[0] / 4 - q[1] / 2]),
    potential=lambda q: q[0] ** 2 + mp.cos(q[1]) / 2 + q[2] ** 2 * q[0] / 4 + q[1] * q[2] / 4,
)


@pytest.fixture
def state() -> State:
    """A generic state of the generic system, τ̇ ≠ 1."""
    return State(GENERIC, array([mpf(3) / 8, mpf(-5) / 8, mpf(1) / 2]), array([mpf(3) / 4, mpf(1), mpf(-5) / 8]))


def test_derivatives_of_omega(state: State) -> None:
    """000 (35)-(45): derivatives of L and of Ω, with ∂Ω/∂q'_i = τ̇ ∂L/∂q̇_i in (43)."""
    system, q, rates, slopes = state.system, state.q, state.rates, state.slopes
    tau_rate = rates[0]
    momentum = gradient(lambda point: system.lagrangian(q, point), rates)
    assert_holds(momentum, system.momentum(q, rates))
    by_slopes = gradient(lambda point: system.omega(q, tau_rate, point), slopes)
    by_tau_rate = derivative(lambda value: system.omega(q, value, slopes), tau_rate)
    by_place = gradient(lambda point: system.omega(point, tau_rate, slopes), q)
    assert_holds(by_place, gradient(lambda point: system.lagrangian(point, rates), q))  # (39)
    assert_holds(by_tau_rate - by_slopes @ rates[1:] / tau_rate**2, momentum[0])  # (40), (42)
    assert_holds(by_slopes / tau_rate, momentum[1:])  # (41)
    assert_holds(by_slopes, tau_rate * momentum[1:])  # (43)
    assert_holds(by_tau_rate, momentum[0] + momentum[1:] @ rates[1:] / tau_rate)  # (44)
    assert_holds(tau_rate * by_tau_rate, momentum @ rates)  # (45)
    # (43) as printed has ∂L/∂q'_i on the right, which is ∂Ω/∂q'_i itself: off by the factor τ̇
    assert_fails_by(tau_rate * by_slopes, by_slopes, (tau_rate - 1) * by_slopes, term=by_slopes)


def test_energy_integral_and_whittaker_function(state: State) -> None:
    """000 (46)-(48): τ̇∂Ω/∂τ̇ - Ω = h, and ∂Ω/∂τ̇ with τ̇ eliminated is σ sqrt(2(h-V) wᵀMw) + wᵀg."""
    system, q, slopes = state.system, state.q, state.slopes
    tau_rate = state.rates[0]
    by_tau_rate = derivative(lambda value: system.omega(q, value, slopes), tau_rate)
    assert_holds(tau_rate * by_tau_rate - system.omega(q, tau_rate, slopes), state.h)
    assert_holds(system.tau_rate(q, slopes, state.h, state.sign), tau_rate)
    assert_holds(state.star(q, slopes), by_tau_rate)


def test_derivatives_of_the_whittaker_function(state: State) -> None:
    """000 (49)-(55): τ̇∂L*/∂q_i = ∂Ω/∂q_i by (49) and τ̇∂L*/∂q'_i = ∂Ω/∂q'_i by (50), so ∂L*/∂q'_i = ∂L/∂q̇_i.

    (49) and (50) are printed alike; the one for q_i is not implied by the one for q'_i.
    """
    system, q, slopes = state.system, state.q, state.slopes
    tau_rate = state.rates[0]
    by_place = gradient(lambda point: system.omega(point, tau_rate, slopes), q)[1:]
    by_slopes = gradient(lambda point: system.omega(q, tau_rate, point), slopes)
    assert_holds(tau_rate * state.by_coordinates(), by_place)
    assert_holds(tau_rate * state.by_slopes(q, slopes), by_slopes)
    assert_holds(state.by_slopes(q, slopes), system.momentum(q, state.rates)[1:])
    assert size(by_place - by_slopes) > size(by_place) / 100

    # (49), mended: τ̇(Ω_{τ̇ q_i} + Ω_{τ̇τ̇} ∂τ̇/∂q_i) = Ω_{q_i}
    def by_tau_rate(place: Vector) -> mpf:
        return derivative(lambda value: system.omega(place, value, slopes), tau_rate)

    curvature = derivative(lambda value: system.omega(q, value, slopes), tau_rate, 2)
    mixed = gradient(by_tau_rate, q)[1:]
    slope_of_rate = gradient(lambda place: system.tau_rate(place, slopes, state.h, state.sign), q)[1:]
    assert_holds(tau_rate * (mixed + curvature * slope_of_rate), by_place)


@pytest.mark.parametrize("direction", [1, -1])
def test_e17_whittaker_equations(state: State, direction: int) -> None:
    """E17, 000 (34), (56)-(60): d/dτ(∂L*/∂q'_i) - ∂L*/∂q_i = 0, i = 2..n, on every motion, either sense of τ.

    As printed, with a prime on the symbol of the second term, ∂L*/∂q'_i stands there and the equation fails.
    """
    moving = State(state.system, state.q, direction * state.rates)
    rate = moving.rate_of_slope_derivative()
    assert_holds(rate, moving.by_coordinates())
    by_slopes = moving.by_slopes(moving.q, moving.slopes)
    assert_fails_by(rate - by_slopes, 0 * rate, moving.by_coordinates() - by_slopes, term=rate)


def test_first_equation_follows_from_the_energy_integral(state: State) -> None:
    """000 (31), (56): q̇ᵀ(Lagrange's expressions) = dh/dt, so n - 1 equations and h imply the first if τ̇ ≠ 0."""
    system, q, rates = state.system, state.q, state.rates
    second = array([mpf(1) / 3, mpf(-2) / 7, mpf(5) / 9])  # any accelerations, not those of the motion
    change = derivative(lambda s: system.energy(q + s * rates + s * s * second / 2, rates + s * second), mpf(0))
    assert_holds(rates @ system.euler_lagrange(q, rates, second), change)


def test_whittaker_equation_integrated_for_an_oscillator() -> None:
    """000 (60): two springs ω = 1, 2; x replaces the time. The exact path is y = B sin(2 asin x + φ)."""
    amplitude, phase, h = 0.5, 0.3, 1.0

    def right(x: float, values: np.ndarray) -> list[float]:
        y, slope, _ = values
        alpha = 1 + slope**2
        margin = 2 * (h - (x**2 + 4 * y**2) / 2)
        bend = -alpha / margin * (4 * y - slope * (x + slope * 4 * y) / alpha) * alpha
        return [slope, bend, np.sqrt(alpha / margin)]  # dt/dτ = 1/τ̇

    def exact(x: float) -> tuple[float, float]:
        angle = 2 * np.arcsin(x) + phase
        return amplitude * np.sin(angle), 2 * amplitude * np.cos(angle) / np.sqrt(1 - x**2)

    run = solve_ivp(right, (-0.6, 0.7), [*exact(-0.6), 0.0], "DOP853", rtol=1e-12, atol=1e-13)
    # the integrator works to 1e-12 relative; two orders are left for accumulation
    assert run.y[0, -1] == pytest.approx(exact(0.7)[0], abs=1e-10)
    assert run.y[2, -1] == pytest.approx(np.arcsin(0.7) - np.arcsin(-0.6), abs=1e-10)
    assert exact(0.7)[0] == pytest.approx(0.48052790, abs=5e-9)  # eight decimals


def test_turning_point_is_a_singularity_of_the_parameter() -> None:
    """000 (36): where τ turns back τ̇ = 0 and q' is infinite, although the motion itself is regular."""
    amplitude, phase = mpf(1) / 2, mpf(3) / 10
    slopes, speeds = [], []
    for digits in (4, 8, 12):
        t = mp.pi / 2 - mpf(10) ** -digits  # x = sin t turns at π/2
        x_rate, y_rate = mp.cos(t), 2 * amplitude * mp.cos(2 * t + phase)
        slopes.append(abs(y_rate / x_rate))
        speeds.append(abs(y_rate))
    # q' grows like 1/τ̇, four decades a step, while the speed stays below its amplitude
    for earlier, later in pairwise(slopes):
        assert later / earlier == pytest.approx(1e4, rel=1e-3)
    assert max(speeds) <= 2 * amplitude

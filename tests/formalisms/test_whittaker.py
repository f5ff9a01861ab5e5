"""Whittaker's equations: published figures, turning and brake points, rotating bodies, Jacobi's integral."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from tests.rounding import ROUNDING

from flexframe.equations.bodies import equations_of_motion
from flexframe.formalisms.bodies import reduced_elements
from flexframe.formalisms.contract import ElementState
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.natural_motion import whittaker_motion
from flexframe.formalisms.natural_systems import LinearSystem, energy, natural_elements
from flexframe.formalisms.references import closed_form
from flexframe.formalisms.whittaker import Whittaker
from flexframe.maths.arrays import Array
from flexframe.motion.frame import FrameMotion
from flexframe.reduction.rest_basis import body_basis
from flexframe.verification.formalisms import DoublePendulum, Kepler

from .samples import blade, random_elements, relative, stubby_arm


def test_two_oscillators() -> None:
    """y = B sin(2 asin x + 0.3) on the orbit x = sin t: y(0.7) = 0.48052790 from y(−0.6) = −0.41718869."""
    system = LinearSystem(np.eye(2), np.zeros((2, 2)), np.diag([1.0, 4.0]), np.zeros(2))
    start, end = np.arcsin(-0.6), np.arcsin(0.7)
    q = np.array([-0.6, 0.5 * np.sin(2 * start + 0.3)])
    rates = np.array([np.cos(start), np.cos(2 * start + 0.3)])
    assert q[1] == pytest.approx(-0.41718869, abs=5e-9)
    assert rates[1] / rates[0] == pytest.approx(0.68899202, abs=5e-9)
    assert energy(system, q, rates) == pytest.approx(1.0, rel=ROUNDING)
    found = whittaker_motion(system, q, rates, np.array([end - start]))
    assert found.coordinates[0] == pytest.approx([0.7, 0.48052790], abs=5e-9)


def test_kepler() -> None:
    """r = p/(1 + e cos φ) with τ = φ, which never turns: the figures to 9 digits."""
    q, rates = np.array([0.0, 1 / 1.6]), np.array([1.6**2, 0.0])  # perihelion, L = r²φ̇ = 1
    assert energy(Kepler(), q, rates) == pytest.approx(-0.32, rel=ROUNDING)
    half_period = np.pi / (1 - 0.36) ** 1.5
    anomaly = 2 * np.arctan(np.sqrt(0.4 / 1.6) * np.tan(np.array([0.5, 1.0])))
    times = (anomaly - 0.6 * np.sin(anomaly)) / (1 - 0.36) ** 1.5  # Kepler's equation
    found = whittaker_motion(Kepler(), q, rates, np.array([*times, half_period]))
    assert set(found.charts) == {0}
    assert found.coordinates[:, 0] == pytest.approx([1.0, 2.0, np.pi], abs=1e-9)
    assert found.coordinates[:, 1] == pytest.approx([0.755183551, 1.332779078, 2.5], abs=1e-9)


def test_double_pendulum() -> None:
    """q = (.1040132000, −.0434149779) at t = .2, which is recovered; ten digits are given."""
    q, rates = np.array([-0.3, 0.2]), np.array([1.5, -0.5])
    assert energy(DoublePendulum(), q, rates) == pytest.approx(-26.641341967, abs=5e-10)
    found = whittaker_motion(DoublePendulum(), q, rates, np.array([0.2]))
    assert found.coordinates[0] == pytest.approx([0.1040132000, -0.0434149779], abs=5e-10)


def _exact(system: LinearSystem, q: Array, rates: Array, times: Array) -> Array:
    """Coordinates by the matrix exponential."""
    n = len(q)
    A = np.zeros((2 * n, 2 * n))
    A[:n, n:] = np.eye(n)
    A[n:] = -np.linalg.solve(system.inertia, np.hstack([system.stiffness, system.coriolis]))
    rest = np.linalg.solve(system.stiffness, system.load)
    start = np.concatenate([q - rest, rates])
    return np.array([(expm(A * t) @ start)[:n] + rest for t in times])


def test_start_from_rest_and_single_coordinate() -> None:
    """One oscillator: only brake points, x = 1 + cos 3t, and h kept; 1e-9 over five periods."""
    system = LinearSystem(np.eye(1), np.zeros((1, 1)), np.array([[9.0]]), np.array([9.0]))
    times = np.linspace(0, 10, 41)
    found = whittaker_motion(system, np.array([2.0]), np.zeros(1), times)
    assert np.abs(found.coordinates[:, 0] - 1 - np.cos(3 * times)).max() < 1e-9
    assert found.charts.count(-1) >= 9
    energies = [energy(system, q, v) for q, v in zip(found.coordinates, found.rates, strict=True)]
    assert np.abs(np.array(energies) - found.energy).max() < 1e-9


def test_rest_in_equilibrium_stays() -> None:
    """Nothing moves where nothing pulls: exactly."""
    system = LinearSystem(np.eye(2), np.zeros((2, 2)), np.eye(2), np.zeros(2))
    found = whittaker_motion(system, np.zeros(2), np.zeros(2), np.array([1.0, 2.0]))
    assert np.all(found.coordinates == 0)


def test_rotating_body_through_turning_points() -> None:
    """A blade at 30 rad/s in its two lowest modes at rest: 1e-9 of the amplitude over more than two periods of the
    first mode and more than ten charts, against the matrix exponential of Lagrange's equations."""
    discrete, motion = blade(3), FrameMotion((0.0, 0.0, 30.0))
    basis = body_basis(discrete, 2)
    elements = reduced_elements(discrete, motion, basis.vectors)
    natural = natural_elements(elements, motion, Work())
    system = LinearSystem(natural.mass[0], natural.gyroscopic[0], natural.stiffness[0], natural.load[0])
    made = closed_form(elements, motion)
    lagrange = LinearSystem(made.mass[0], made.damping[0], made.stiffness[0], made.load[0])
    period = 2 * np.pi / np.sqrt(np.linalg.eigvalsh(made.stiffness[0])[0])
    q, rates = np.array([0.01, -0.002]), np.array([0.1, 0.5])
    times = np.linspace(0.0, 2.2 * period, 60)
    found = whittaker_motion(system, q, rates, times)
    assert len(found.charts) > 10
    assert relative(found.coordinates, _exact(lagrange, q, rates, times)) < 1e-9
    energies = np.array([energy(system, q, v) for q, v in zip(found.coordinates, found.rates, strict=True)])
    assert np.abs(energies - found.energy).max() < 1e-12 * np.abs(energies).max()


def test_rotating_body_with_coriolis_forces() -> None:
    """A stubby soft beam whose three lowest modes bend and stretch, so that Coriolis forces couple them.

    Two periods of the first mode and more than ten charts at 60 rad/s with an accelerated origin, against the
    matrix exponential of the assembled equations: 1e-9 of the amplitude.
    """
    discrete, motion = stubby_arm(), FrameMotion((0.0, 0.0, 60.0), origin_acceleration=(3.0, 1.0))
    shapes = body_basis(discrete, 3).vectors
    natural = natural_elements(reduced_elements(discrete, motion, shapes), motion, Work())
    system = LinearSystem(natural.mass[0], natural.gyroscopic[0], natural.stiffness[0], natural.load[0])
    assert np.abs(system.coriolis).max() > 0.9 * 2 * 60.0  # 2c is nearly the largest that unit masses can have
    made = equations_of_motion(discrete, motion)
    M, C, K = (shapes.T @ (part @ shapes) for part in (made.mass, made.damping, made.stiffness))
    assembled = LinearSystem(M, C, K, shapes.T @ made.load)
    times = np.linspace(0.0, 4 * np.pi / np.sqrt(np.linalg.eigvalsh(K)[0]), 40)
    q, rates = np.array([1e-3, -2e-4, 3e-4]), np.array([0.1, 0.05, -0.2])
    found = whittaker_motion(system, q, rates, times)
    assert len(found.charts) > 10
    assert relative(found.coordinates, _exact(assembled, q, rates, times)) < 1e-9


HISTORIES: dict[str, tuple[bool, Callable[[float], FrameMotion], float]] = {
    "steady": (True, lambda _: FrameMotion((0.4, 0.2, 1.1), origin_acceleration=(0.3, -0.2, 0.5)), 0.0),
    "speed changes": (False, lambda t: FrameMotion((0, 0, 0.5 + 0.8 * t), (0, 0, 0.8)), 0.0),
    "direction changes": (
        False,
        lambda t: FrameMotion((np.cos(t), np.sin(t), 0.4), (-np.sin(t), np.cos(t), 0.0)),
        0.0,
    ),
    "acceleration changes": (
        False,
        lambda t: FrameMotion((0, 0, 1.0), origin_acceleration=(2 * np.sin(3 * t), 0, 0)),
        0.0,
    ),
    "damped": (False, lambda _: FrameMotion((0, 0, 1.0)), 0.3),
}
WORDS = {
    "speed changes": "speed of rotation",
    "direction changes": "direction of ω",
    "acceleration changes": "a_O",
    "damped": "damped",
}


@pytest.mark.parametrize("history", HISTORIES)
def test_jacobi_integral(history: str) -> None:
    """h is constant along Lagrange's motion in the steady frame to the integrator's 1e-10.

    Otherwise it is not, and the refusal names the term.
    """
    constant, law, damping = HISTORIES[history]
    elements = random_elements(np.random.default_rng(8), elements=1, points=6, size=4)

    def slope(t: float, y: Array) -> Array:
        equations = closed_form(elements, law(t))
        force = equations.accelerations(y[None, :4], y[None, 4:])[0]
        return np.concatenate([y[4:], force - damping * y[4:]])

    solution = solve_ivp(
        slope, (0, 4), [0.3, -0.2, 0.1, 0.4, 0, 0.5, -0.4, 0.2], rtol=1e-12, atol=1e-13, method="DOP853"
    )
    values = []
    for t, y in zip(solution.t, solution.y.T, strict=True):
        state = ElementState(y[None, :4], y[None, 4:], np.zeros((1, 4)))
        values.append(float(Whittaker().energy(elements, law(t), state)[0]))
    variation = np.ptp(values) / np.abs(values).max()
    refusal = Whittaker().refusal([law(t) for t in np.linspace(0, 4, 9)], damped=bool(damping))
    if constant:
        assert variation < 1e-10
        assert refusal is None
    else:
        assert variation > 1e-2
        assert refusal is not None
        assert WORDS[history] in refusal

"""Rotors: internal damping, unequal bearings, and an asymmetric rotor in both."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.analyses.stability.analysis import stability
from flexframe.analyses.stability.body_cycle import BodyCycle, Excitation
from flexframe.analyses.stability.rotor_cycle import RotorCycle
from flexframe.errors import InputError
from flexframe.model.bearings import Bearing
from flexframe.motion.frame import Prescribed

from .rotors import AXIS, MASS, TURN, point_rotor

FOUR = np.zeros((2, 2)), np.eye(2)


def in_space(speed: float, k: np.ndarray, turning: np.ndarray, d_space: np.ndarray, d_inside: float) -> np.ndarray:
    """Map of half a turn of a mass in the plane, integrated in axes of space; seen in those of the rotor.

    m r̈ = −k r − RᵏRᵀ r − d_s ṙ − d_i(ṙ − Ω × r), an independent way to the same multipliers.
    """
    J = np.array([[0.0, -1.0], [1.0, 0.0]])

    def right(t: float, x: np.ndarray) -> np.ndarray:
        c, s = np.cos(speed * t), np.sin(speed * t)
        R = np.array([[c, -s], [s, c]])
        r, v = x.reshape(2, 2, 4)
        force = -(k + R @ turning @ R.T) @ r - d_space @ v - d_inside * (v - speed * J @ r)
        return np.concatenate([v, force / MASS]).ravel()

    half = np.pi / speed
    start = np.block([[np.eye(2), FOUR[0]], [speed * J, np.eye(2)]])  # v = u̇ + Ω × u
    end = solve_ivp(right, (0, half), start.ravel(), method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]
    back = np.block([[np.eye(2), FOUR[0]], [-speed * J, np.eye(2)]])
    return -back @ end.reshape(4, 4)  # R(π)ᵀ = −1


def multipliers_match(found: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    for value in expected:
        assert np.abs(found - value).min() < tolerance
    assert len(found) == len(expected)


@pytest.mark.parametrize("speed", [3.3, 9.7, 14.0])
@pytest.mark.parametrize("damping", [0.0, 5.0])
def test_against_an_integration_in_space(speed: float, damping: float) -> None:
    """Asymmetric rotor (8 and 12 Hz) on springs of 3 and 5 kN/m in space; the integration is good to 1e-9."""
    kx, ky = MASS * (TURN * np.array([8.0, 12.0])) ** 2
    rotor = RotorCycle(
        point_rotor(8.0, 12.0, damping=damping / 3),
        AXIS,
        [Bearing("all", stiffness=(1500.0, 2500.0), damping=(damping / 2, damping / 4))],
        modes=2,
    )
    found = stability(rotor, {"speed": TURN * speed}, check_modes=False)
    expected = in_space(
        TURN * speed,
        np.diag([3000.0, 5000.0]),
        np.diag([kx, ky]),
        np.diag([damping, damping / 2]),
        damping / 3,
    )
    multipliers_match(found.multipliers, np.linalg.eigvals(expected), 1e-8)
    if not damping:
        assert found.reciprocity is not None and found.reciprocity < 1e-10


@pytest.mark.parametrize("ratio", [0.5, 1.5])
def test_internal_damping_threshold(ratio: float) -> None:
    """Jeffcott: unstable above Ω = ω₀(1 + c_e/c_i), solved; 1e-8 is asked for, rounding is left."""
    inner = 4.0
    rotor = RotorCycle(
        point_rotor(10.0, damping=inner), AXIS, [Bearing("all", damping=ratio * inner / 2)], modes=2
    )
    found = stability(rotor, over=("speed", TURN * np.linspace(5.0, 35.0, 16)), check_modes=False)
    assert found.scan is not None
    (unstable,) = found.scan.unstable_ranges
    assert unstable.low == pytest.approx(TURN * 10 * (1 + ratio), rel=1e-8)
    assert unstable.open_high


@pytest.mark.parametrize("speed", [4.0, 12.0, 24.0])
def test_internal_damping_in_unequal_bearings(speed: float) -> None:
    """A round rotor on unequal springs has constant coefficients in space: the exact chart of its stability.

    There m r̈ + (c_e + c_i)ṙ + (k_s + k_r)r + c_iΩ(y, −x) = 0. Multipliers of half a turn are exp(λπ/Ω) times −1.
    """
    inner, outer = 4.0, 1.0
    k = MASS * (TURN * 10.0) ** 2
    rotor = RotorCycle(
        point_rotor(10.0, damping=inner),
        AXIS,
        [Bearing("all", stiffness=(0.05 * k, 0.15 * k), damping=outer / 2)],
        modes=2,
    )
    rate = TURN * speed
    J = np.array([[0.0, -1.0], [1.0, 0.0]])
    K = (np.diag([1.1 * k, 1.3 * k]) - inner * rate * J) / MASS
    A = np.block([[FOUR[0], FOUR[1]], [-K, -(inner + outer) / MASS * FOUR[1]]])
    expected = -np.exp(np.linalg.eigvals(A) * np.pi / rate)
    found = stability(rotor, {"speed": rate}, check_modes=False)
    multipliers_match(found.multipliers, expected, 1e-10)


def test_unequal_bearings_raise_the_threshold() -> None:
    """Hurwitz of the equations above: (c_iΩ)² < (Δk)²/4 + (c_e + c_i)²(k̄/m), solved to rounding by the scan.

    With s = c/m, κ = k̄/m, δ = Δk/2m and n = c_iΩ/m: λ⁴ + 2sλ³ + (2κ + s²)λ² + 2sκλ + κ² − δ² + n² = 0 has a pair
    on the imaginary axis at λ² = −κ, where n² = δ² + s²κ.
    """
    inner, outer, k = 4.0, 1.0, MASS * (TURN * 10.0) ** 2
    s, kappa, delta = (inner + outer) / MASS, 1.2 * k / MASS, 0.1 * k / MASS
    threshold = MASS / inner * np.sqrt(delta**2 + s**2 * kappa)
    rotor = RotorCycle(
        point_rotor(10.0, damping=inner),
        AXIS,
        [Bearing("all", stiffness=(0.05 * k, 0.15 * k), damping=outer / 2)],
        modes=2,
    )
    values = threshold * np.linspace(0.7, 1.4, 8)
    found = stability(rotor, over=("speed", values), check_modes=False)
    assert found.scan is not None
    assert [r.low for r in found.scan.unstable_ranges] == pytest.approx([threshold], rel=1e-8)


def test_isotropic_rotor_is_that_of_the_campbell_diagram() -> None:
    """Constant coefficients: μ = exp(λπ/Ω) of the eigenvalues in the turning frame."""
    body, bearings = point_rotor(8.0, 12.0, damping=3.0), [Bearing("all", stiffness=900.0, damping=2.0)]
    speed = TURN * 5
    diagram = campbell_diagram(body, [speed], modes=2, axis=AXIS, bearings=bearings)
    found = stability(RotorCycle(body, AXIS, bearings, modes=2), {"speed": speed}, check_modes=False)
    expected = np.exp(diagram.eigenvalues[0] * np.pi / speed)
    multipliers_match(found.multipliers, np.concatenate([expected, expected.conj()]), 1e-8)


def test_narrow_ranges_are_found_between_values() -> None:
    """A scan eight times finer finds no range that the coarse one has not, and solves the same ends."""
    rotor = RotorCycle(point_rotor(8.0, 12.0), AXIS, [Bearing("all", stiffness=(750.0, 2250.0))], modes=2)
    coarse, fine = (
        stability(rotor, over=("speed", TURN * np.linspace(4.0, 20.0, n)), check_modes=False).scan
        for n in (17, 129)
    )
    assert coarse is not None and fine is not None
    ends = [(r.low, r.high) for r in coarse.unstable_ranges]
    assert np.array(ends) == pytest.approx(np.array([(r.low, r.high) for r in fine.unstable_ranges]), rel=1e-9)
    widths = np.diff(ends)[:, 0] / TURN
    assert len(widths) == 5 and widths.min() < 0.01  # turns/s, the coarse spacing is 1


def test_rest_is_refused() -> None:
    rotor = RotorCycle(point_rotor(8.0), AXIS)
    with pytest.raises(InputError, match="at rest nothing repeats"):
        stability(rotor, {"speed": 0.0})
    with pytest.raises(InputError, match="no speed"):
        stability(rotor)


def test_unequal_bearings_need_a_frame() -> None:
    with pytest.raises(InputError, match="not alike in all directions"):
        campbell_diagram(point_rotor(8.0), [1.0], axis=AXIS, bearings=[Bearing("all", stiffness=(1.0, 2.0))])
    with pytest.raises(InputError, match="3 values"):
        Bearing("all", stiffness=(1.0, 2.0, 3.0))


@dataclass(frozen=True)
class Swinging:
    """φ = Ωt + (b/ν) sin νt: the spin swings about its mean."""

    mean: float
    amplitude: float
    rate: float

    def jet(self, t: float) -> tuple[float, float, float]:
        s, c = np.sin(self.rate * t), np.cos(self.rate * t)
        return (
            self.mean * t + self.amplitude / self.rate * s,
            self.mean + self.amplitude * c,
            -self.amplitude * self.rate * s,
        )


def swinging_rotor(y: float, z: float) -> BodyCycle:
    def excitation(values: Mapping[str, float]) -> Excitation:
        law = Prescribed(((AXIS, Swinging(TURN * 3.0, TURN * 2.0, values["rate"])),))
        return Excitation(2 * np.pi / values["rate"], law)

    return BodyCycle(point_rotor(y, z), excitation, modes=2)


def test_swinging_spin_of_a_round_rotor() -> None:
    """Space sees 10 Hz whatever the frame does: μ = exp(±i(ω₀ ± Ω)T), exactly."""
    rate = TURN * 7.0
    found = stability(swinging_rotor(10.0, 10.0), {"rate": rate}, check_modes=False)
    turned = np.array([10.0 + 3.0, 10.0 - 3.0, -10.0 + 3.0, -10.0 - 3.0]) / 7.0
    multipliers_match(found.multipliers, np.exp(1j * TURN * turned), 1e-10)
    assert found.reciprocity is not None and found.reciprocity < 1e-10


def test_swinging_spin_of_an_asymmetric_rotor() -> None:
    """ü + 2ωJu̇ + (k/m − ω² + ω̇J)u = 0 integrated by DOP853 at 1e-12; unstable where the swing meets a mode."""
    rate = TURN * 7.0
    law, J = Swinging(TURN * 3.0, TURN * 2.0, rate), np.array([[0.0, -1.0], [1.0, 0.0]])
    k = (TURN * np.array([8.0, 12.0])) ** 2

    def right(t: float, x: np.ndarray) -> np.ndarray:
        _, omega, epsilon = law.jet(t)
        u, v = x.reshape(2, 2, 4)
        a = -2 * omega * J @ v - (k[:, None] * u - omega**2 * u + epsilon * J @ u)
        return np.concatenate([v, a]).ravel()

    end = solve_ivp(right, (0, TURN / rate), np.eye(4).ravel(), method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    found = stability(swinging_rotor(8.0, 12.0), {"rate": rate}, check_modes=False)
    multipliers_match(found.multipliers, np.linalg.eigvals(end.reshape(4, 4)), 1e-8)

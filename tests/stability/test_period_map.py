"""The map of one period against matrix exponentials, an independent integration, and what it must keep."""

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.linalg
from scipy.integrate import solve_ivp
from tests.rounding import ROUNDING

from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import Monomial
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS, Part
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array
from flexframe.spectra.floquet.chebyshev import Chebyshev
from flexframe.spectra.floquet.combined import CombinedPiece, CombinedSystem, periodic_amounts
from flexframe.spectra.floquet.period_map import TooFastError, period_map

PERIOD = 1.7


@dataclass(frozen=True)
class Matrices:
    damping: np.ndarray
    stiffness: np.ndarray
    gyroscopic: np.ndarray
    pulsating: np.ndarray


def sample(size: int, damping: float) -> Matrices:
    rng = np.random.default_rng(7)
    K, P, G = (rng.normal(size=(size, size)) for _ in range(3))
    return Matrices(damping * np.eye(size), K @ K.T + 4 * np.eye(size), G - G.T, (P + P.T) / 4)


def system(given: Matrices, *, spin: bool) -> CombinedSystem[CombinedPiece]:
    """Spin ω(t) = 1 + 0.4 sin with its Euler term ½ω̇G, and a pulsating stiffness: conservative without damping."""
    rate = 2 * np.pi / PERIOD

    def amounts(t: np.ndarray) -> np.ndarray:
        wave = np.cos(rate * t) + 0.3 * np.sin(3 * rate * t)
        return np.stack([1 + 0.4 * np.sin(rate * t), 0.2 * rate * np.cos(rate * t), wave], axis=1) * [
            spin,
            spin,
            1,
        ]

    parts = (
        Part[Array].constant("mass", MASS, np.eye(len(given.stiffness))),
        Part[Array].constant("damping", DAMPING, given.damping),
        Part[Array].constant("gyroscopic", DAMPING, given.gyroscopic, Monomial(("spin",))),
        Part[Array].constant("elastic", STIFFNESS, given.stiffness),
        Part[Array].constant("euler", STIFFNESS, given.gyroscopic, Monomial(("spin up",))),
        Part[Array].constant("pulsating", STIFFNESS, given.pulsating, Monomial(("pulse",))),
    )
    equations = AffineEquations(len(given.stiffness), parts)
    piece = CombinedPiece(0.0, PERIOD, equations, periodic_amounts(amounts, PERIOD))
    return CombinedSystem(piece, 5.0)


def test_constant_coefficients() -> None:
    """The map is the exponential of the state matrix; both are exact to rounding."""
    given = sample(3, 0.1)
    K, C = given.stiffness, given.damping + given.gyroscopic
    parts = (
        Part[Array].constant("mass", MASS, np.eye(3)),
        Part[Array].constant("damping", DAMPING, C),
        Part[Array].constant("elastic", STIFFNESS, K),
    )
    piece = CombinedPiece(0.0, PERIOD, AffineEquations(3, parts), lambda t: np.zeros((len(t), 0)))
    found = period_map(CombinedSystem(piece, 5.0))
    A = np.block([[np.zeros((3, 3)), np.eye(3)], [-K, -C]])
    assert found.matrix == pytest.approx(scipy.linalg.expm(PERIOD * A), rel=1e-11, abs=1e-12)
    assert not found.conservative


@pytest.mark.parametrize("damping", [0.0, 0.2])
def test_against_an_independent_integration(damping: float) -> None:
    """DOP853 at a relative tolerance of 1e-12 leaves errors of about 1e-10 after a period."""
    problem = system(sample(3, damping), spin=True)

    def right(t: float, x: np.ndarray) -> np.ndarray:
        C, K = (matrix[0] for matrix in problem.piece.coefficients(np.array([t])))
        y, v = x.reshape(2, 3, 6)
        return np.concatenate([v, -C @ v - K @ y]).ravel()

    whole = solve_ivp(right, (0, PERIOD), np.eye(6).ravel(), method="DOP853", rtol=1e-12, atol=1e-13)
    found = period_map(problem)
    assert found.matrix == pytest.approx(whole.y[:, -1].reshape(6, 6), rel=1e-9, abs=1e-9)
    assert found.error < 1e-11
    assert found.conservative == (damping == 0)


@pytest.mark.parametrize("spin", [False, True], ids=["pulsating stiffness", "changing spin"])
@pytest.mark.parametrize("size", [1, 2, 6])
def test_multipliers_of_a_conservative_system_are_reciprocal(size: int, spin: bool) -> None:
    """The map keeps the symplectic form, so μ and 1/μ come together; asked for to 1e-10."""
    found = period_map(system(sample(size, 0.0), spin=spin))
    mu = found.multipliers
    for value in mu:
        assert np.abs(mu * value - 1).min() < 1e-10 * max(1.0, abs(value))
    assert np.linalg.det(found.matrix) == pytest.approx(1.0, abs=1e-10)
    assert found.conservative


def test_damping_shrinks_volumes() -> None:
    """Liouville: det Φ = exp(−∫tr C dt), here 3 × 0.2 × 1.7."""
    found = period_map(system(sample(3, 0.2), spin=True))
    assert np.linalg.det(found.matrix) == pytest.approx(np.exp(-0.6 * PERIOD), rel=1e-11)


def test_amounts_that_do_not_repeat_are_refused() -> None:
    with pytest.raises(AnalysisError, match="do not repeat after 1 s"):
        periodic_amounts(lambda t: np.cos(6.0 * t)[:, None], 1.0)
    with pytest.raises(AnalysisError, match="do not repeat"):
        periodic_amounts(lambda t: t[:, None], 1.0)


def test_amounts_with_corners_stay_as_they_are() -> None:
    """|sin| has no fast Fourier series; it is kept and still exact."""

    def corner(t: np.ndarray) -> np.ndarray:
        return np.abs(np.sin(np.pi * t))[:, None]

    t = np.array([0.2, 0.999, 1.4])
    assert periodic_amounts(corner, 1.0)(t) == pytest.approx(corner(t), abs=ROUNDING)


def test_too_many_oscillations_are_refused() -> None:
    problem = system(sample(1, 0.0), spin=False)
    with pytest.raises(TooFastError, match="keep fewer modes"):
        period_map(CombinedSystem(problem.piece, 1e9))


def test_chebyshev_interpolation_and_derivative() -> None:
    """Degree 16 on an interval of half a wavelength: truncation far below rounding."""
    grid = Chebyshev(0.3, 1.1)
    t = np.linspace(0.3, 1.1, 37)
    values = np.sin(4 * grid.points)
    assert grid.interpolation(t) @ values == pytest.approx(np.sin(4 * t), abs=1e-13)
    assert grid.differentiation @ values == pytest.approx(4 * np.cos(4 * grid.points), abs=1e-10)
    assert grid.tail(values[:, None]) < 1e-13
    assert grid.tail(np.sign(grid.points - 0.7)[:, None]) > 1e-3

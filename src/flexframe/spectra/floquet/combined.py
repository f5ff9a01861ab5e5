"""Equations whose coefficients are sums of constant matrices with amounts that repeat in time."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import OperatingPoint
from flexframe.equations.parts import DAMPING, STIFFNESS
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.spectra.floquet.period_map import Piece

Amounts = Callable[[Array], Array]
"""Times (t,) → amounts (t, a)."""

AnyPiece = TypeVar("AnyPiece", bound=Piece)

_FEWEST, _MOST = 32, 4096  # samples of a period
_SMALL = 1e-15  # of the largest amplitude: harmonics that are left out
_TAIL = 1e-13  # of the largest amplitude: what the highest harmonics may have
_REPEATS = 1e-9


@dataclass(frozen=True, eq=False)
class FourierAmounts:
    """Amounts as sums of harmonics of the period."""

    period: float
    orders: Array  # (k,)
    coefficients: ComplexArray  # (k, a)

    def __call__(self, times: Array) -> Array:
        waves = np.exp(2j * np.pi / self.period * np.outer(times, self.orders))
        return np.asarray((waves @ self.coefficients).real)


def varying_amounts(equations: AffineEquations[Array], points: Callable[[Array], OperatingPoint]) -> Amounts:
    """Coefficients of the varying parts of C and K over time, from the operating points of times."""

    def amounts(times: Array) -> Array:
        here = points(times)
        return np.hstack([equations.varying_weights(order, here) for order in (DAMPING, STIFFNESS)])

    return amounts


def periodic_amounts(amounts: Amounts, period: float) -> Amounts:
    """The same by its harmonics where they die away, else as it is; refused when it does not repeat."""
    count = _FEWEST
    while count <= _MOST:
        values = amounts(period * np.arange(count) / count)
        spectrum = np.fft.rfft(values, axis=0) / count
        largest = float(np.abs(spectrum).max(initial=0.0)) or 1.0
        if np.abs(spectrum[-max(4, count // 8) :]).max(initial=0.0) <= _TAIL * largest:
            spectrum[1:] *= 2
            kept = np.flatnonzero((np.abs(spectrum) > _SMALL * largest).any(axis=1))
            series = FourierAmounts(period, kept.astype(float), spectrum[kept])
            _require_repeating(amounts, series, period, largest)
            return series
        count *= 4
    _require_repeating(amounts, amounts, period, largest)
    return amounts


def _require_repeating(amounts: Amounts, series: Amounts, period: float, largest: float) -> None:
    """One period later the amounts must be those of the first."""
    times = period * np.array([0.03, 0.13, 0.41, 0.77])
    change = float(np.abs(amounts(times + period) - series(times)).max(initial=0.0)) / largest
    if change > _REPEATS:
        raise AnalysisError(
            f"motion and forces do not repeat after {period:g} s: they differ by {change:.1e} of the largest; "
            "give the time after which all of them come back"
        )


@dataclass(frozen=True, eq=False)
class CombinedPiece:
    """C(t) and K(t) of affine equations on M-orthonormal coordinates, from start to end."""

    start: float
    end: float
    equations: AffineEquations[Array]
    amounts: Amounts  # coefficients of the varying parts of C and of K side by side: (t, i + u)

    def coefficients(self, times: Array) -> tuple[Array, Array]:
        both = self.amounts(times)
        split = len(self.equations.varying(DAMPING))
        C, K = both[:, :split], both[:, split:]
        return self.equations.weighted_sum(DAMPING, C), self.equations.weighted_sum(STIFFNESS, K)


@dataclass(frozen=True, eq=False)
class CombinedSystem(Generic[AnyPiece]):
    """One piece over the whole period."""

    piece: AnyPiece
    fastest: float

    @property
    def period(self) -> float:
        return self.piece.end - self.piece.start

    @property
    def pieces(self) -> tuple[AnyPiece, ...]:
        return (self.piece,)

    @property
    def seams(self) -> tuple[None, ...]:
        return (None,)


def highest_frequency(piece: CombinedPiece, samples: int = 33) -> float:
    """√‖K‖ and ‖C‖ over the period, the larger [rad/s]: about a bound of the frozen frequencies."""
    C, K = piece.coefficients(np.linspace(piece.start, piece.end, samples))
    stiff = float(np.sqrt(np.linalg.norm(K, 2, axis=(1, 2)).max()))
    return max(stiff, float(np.linalg.norm(C, 2, axis=(1, 2)).max()), 1e-12)

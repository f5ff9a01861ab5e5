"""Equations whose coefficients are sums of constant matrices with amounts that repeat in time."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray

Amounts = Callable[[Array], Array]
"""Times (t,) → amounts (t, a)."""

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
    """C(t) = D + Σ a_i(t) G_i and K(t) = K₀ + Σ b_u(t) K_u on M-orthonormal coordinates, from start to end."""

    start: float
    end: float
    damping: Array  # D: (r, r)
    stiffness: Array  # K₀: (r, r)
    damping_parts: Array  # G_i: (i, r, r)
    stiffness_parts: Array  # K_u: (u, r, r)
    amounts: Amounts  # a and b side by side: (t, i + u)

    def coefficients(self, times: Array) -> tuple[Array, Array]:
        both = self.amounts(times)
        split = len(self.damping_parts)
        C = self.damping + np.tensordot(both[:, :split], self.damping_parts, axes=1)
        return C, self.stiffness + np.tensordot(both[:, split:], self.stiffness_parts, axes=1)


@dataclass(frozen=True, eq=False)
class CombinedSystem:
    """One piece over the whole period."""

    piece: CombinedPiece
    fastest: float

    @property
    def period(self) -> float:
        return self.piece.end - self.piece.start

    @property
    def pieces(self) -> tuple[CombinedPiece, ...]:
        return (self.piece,)

    @property
    def seams(self) -> tuple[None, ...]:
        return (None,)


def highest_frequency(piece: CombinedPiece, samples: int = 33) -> float:
    """√‖K‖ and ‖C‖ over the period, the larger [rad/s]: about a bound of the frozen frequencies."""
    C, K = piece.coefficients(np.linspace(piece.start, piece.end, samples))
    stiff = float(np.sqrt(np.linalg.norm(K, 2, axis=(1, 2)).max()))
    return max(stiff, float(np.linalg.norm(C, 2, axis=(1, 2)).max()), 1e-12)

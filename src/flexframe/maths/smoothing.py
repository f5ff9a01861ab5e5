"""Velocities and accelerations from noisy samples by a quintic smoothing spline.

The curve f minimises Σ (y − f)² + λ ∫ w f‴² dt. Accelerations are the reason for the third derivative: the
usual cubic spline (∫ f″²) bends to f″ = 0 at both ends and follows f″ with straight lines between samples. The
weight w is one inside and falls like a parabola to zero at the ends, over a zone of eight filter lengths
(λΔt)^(1/6); with w = 1 throughout, the curve would be forced to f‴ = 0 there, which on a sine with 1 % noise
spoils the end's acceleration by nine of its standard errors, against one and a half with the weight.
All matrices are banded, so the cost grows like the number of samples.

Noise is first taken as independent from sample to sample. If it is not, the curve follows it, and leaves less of
it as misfit than there is. Every second, fourth, … sample, whose noise is less alike, then shows more of it: where
that is significant, λ is that of the thinned record.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.pieces import Pieces, spline_pieces

LARGEST_SAMPLE = 1e100  # squares of samples and sums of them stay far inside the range of numbers

_DEGREE = 5
_PENALISED = 3
_FEWEST_SAMPLES = 8
_FEWEST_TO_JUDGE = 60  # samples of a thinned record that still tell its noise
_SIGNIFICANT = 4.0  # standard errors
_END_ZONE = 8.0  # filter lengths
# The matrices have the condition (knots per wiggle)⁶: a long record gets fewer knots than samples, and
# more of them only when the curve turns out to need them.
_FIRST_INTERVALS = 400
_INTERVALS_PER_FREEDOM = 6.0
# Plain cross validation (1.0) follows the noise now and then. On 40 records each of a sine with noise of
# 1e-1 to 1e-6 the value of Kim & Gu (2004) lowers the median error of f″ by 14 to 28 %, and the worst one
# by factors of 10, 15, 4, 2.3, 1.6 and 1.4.
_PRICE_OF_FREEDOM = 1.4


@dataclass(frozen=True, eq=False)
class SmoothedSignal:
    """A smoothed record; times in the unit of the samples' times, derivatives accordingly.

    `noise` is the standard deviation of the samples about the curve, corrected for the `freedom` (effective
    number of parameters) that the curve spent on them; `smoothing` is λ; `end_zone` is the time from each
    end in which errors grow towards the end. `correlated` is the number of samples over which their noise is
    alike: 1 where nothing speaks against independent noise.
    """

    noise: float
    freedom: float
    smoothing: float
    end_zone: float
    _basis: "_Basis"
    _fit: "_Fit"
    correlated: int = 1

    def value(self, times: ArrayLike) -> Array:
        """The curve itself."""
        return self._derivative(times, 0)

    def first(self, times: ArrayLike) -> Array:
        """First derivative."""
        return self._derivative(times, 1)

    def second(self, times: ArrayLike) -> Array:
        """Second derivative."""
        return self._derivative(times, 2)

    def jet(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """Value, first and second derivative."""
        return self.value(times), self.first(times), self.second(times)

    @cached_property
    def pieces(self) -> Pieces:
        """Its polynomials; without a period they hold between the ends of the record."""
        basis, length = self._basis, self._basis.knots[-1 - _DEGREE]
        ends, powers = spline_pieces(basis.knots, np.asarray(basis.wrap @ self._fit.coefficients), _DEGREE)
        begins = basis.start + basis.unit * ends[:-1]
        period = 0.0 if basis.period is None else float(basis.unit * length)
        return Pieces(begins, powers / basis.unit ** np.arange(powers.shape[1]), basis.start, period)

    def standard_error(self, times: ArrayLike, derivative: int = 0) -> Array:
        """What the noise does to the curve or to its first or second derivative, one standard deviation.

        The systematic flattening of peaks by the smoothing itself (of the same order at the best λ) is
        not in it. Noise that is alike over k samples counts as that of every k-th. Cost: one banded solve for
        each time.
        """
        t = np.asarray(times, dtype=float)
        rows = self._basis.design(t.ravel(), derivative)
        errors = [
            self.noise * np.sqrt(self.correlated) * self._fit.gain(sparse.csr_array(rows[start : start + 256]))
            for start in range(0, rows.shape[0], 256)
        ]
        return np.concatenate([np.empty(0), *errors]).reshape(t.shape)

    def _derivative(self, times: ArrayLike, derivative: int) -> Array:
        t = np.asarray(times, dtype=float)
        flat = self._basis.design(t.ravel(), derivative) @ self._fit.coefficients
        return np.asarray(flat).reshape(t.shape)


def smooth(
    times: ArrayLike, samples: ArrayLike, *, noise: float | None = None, period: float | None = None
) -> SmoothedSignal:
    """Smooth `samples` (n,) taken at increasing `times` (n,), evenly spaced or not.

    With `noise`, its known standard deviation, λ minimises the expected error of the curve; zero asks for
    interpolation (of order six up to the ends). Without it λ minimises the generalised cross validation
    Σ(y − f)²/(n − 1.4 freedom)². With `period` the curve repeats itself, and the record may run through
    several cycles.

    Parameters
    ----------
    times
        Increasing times [s]: (n,).
    samples
        Values: (n,).
    noise
        Known standard deviation of the samples; found from them if not given.
    period
        Time after which the curve repeats itself [s].

    Returns
    -------
    SmoothedSignal
        A curve with two derivatives, in the unit of the samples per s and s².

    Examples
    --------
    >>> times = np.linspace(0.0, 2.0, 200)
    >>> curve = ff.motion.smooth(times, np.sin(3 * times), noise=0.0)
    >>> round(float(curve.jet(1.0)[2]), 3)  # −9 sin 3
    -1.27
    """
    t, y = _check(times, samples, noise, period)
    signal = _smooth(t, y, noise, period)
    if noise is not None:
        return signal
    correlated, smoothing = _correlation(t, y, period, signal)
    return signal if correlated == 1 else _smooth(t, y, None, period, smoothing, correlated)


def _smooth(  # noqa: PLR0917
    t: Array,
    y: Array,
    noise: float | None,
    period: float | None,
    smoothing: float | None = None,
    correlated: int = 1,
) -> SmoothedSignal:
    """The curve of the best λ, or of the given one."""
    count = len(t)
    if noise == 0.0:
        basis = _Basis.interpolating(t, period)
        return SmoothedSignal(0.0, float(count), 0.0, 0.0, basis, _interpolant(basis.design(t, 0), y))
    intervals = count - 1 if count - 1 <= 1.2 * _FIRST_INTERVALS else _FIRST_INTERVALS
    while True:
        basis = _Basis.even(t, intervals, period)
        given = None if smoothing is None else smoothing / basis.unit**5
        fit, zone = _fit_with_ends(basis, t, y, noise, given)
        deviation = float(np.sqrt(fit.misfit / max(count - fit.freedom, 1.0)))
        fine_enough = fit.freedom * _INTERVALS_PER_FREEDOM < intervals and deviation < 1.2 * _roughness(t, y)
        if fine_enough or smoothing is not None or intervals >= count - 1:
            break
        intervals = min(4 * intervals, count - 1)
    scale = basis.unit**5
    return SmoothedSignal(deviation, fit.freedom, fit.smoothing * scale, zone * basis.unit, basis, fit, correlated)


def _correlation(t: Array, y: Array, period: float | None, whole: SmoothedSignal) -> tuple[int, float]:
    """Over how many samples the noise is alike (1: it is independent), and the λ that suits the record then.

    The relative error of a deviation of m − freedom independent residuals is 1/√(2(m − freedom)).
    """

    def unsure(stride: int, signal: SmoothedSignal) -> float:
        return float(1 / np.sqrt(2 * max(-(-len(t) // stride) - signal.freedom, 1.0)))

    found: dict[int, SmoothedSignal] = {}
    stride = 2
    while len(t) // stride >= _FEWEST_TO_JUDGE:
        thinned = _smooth(t[::stride], y[::stride], None, period)
        if thinned.freedom > 0.5 * len(t) / stride:  # it may miss some of the signal itself
            break
        found[stride] = thinned
        stands_out = [s for s, f in found.items() if f.noise > (1 + _SIGNIFICANT * unsure(s, f)) * whole.noise]
        if stride >= 4 and not stands_out:
            break
        stride *= 2
    if not found or not stands_out:
        return 1, whole.smoothing
    last = max(found)
    enough = (1 - 2 * unsure(last, found[last])) * found[last].noise
    alike = next(stride for stride, signal in found.items() if signal.noise >= enough)
    correlated = min(2 * alike, last)
    # Σ(y − f)² has so many times as many terms in the whole record
    return correlated, correlated * found[correlated].smoothing


def _fit_with_ends(
    basis: "_Basis", times: Array, samples: Array, noise: float | None, smoothing: float | None
) -> tuple["_Fit", int]:
    """Fit with a weight of one; then again with the end zones, in intervals, that this suggests."""
    trend = basis.trend(times, samples)
    design = basis.design(times, 0)
    rest = samples - design @ trend
    fit, zone = _best_fit(design, rest, basis.penalty(0), noise, smoothing), 0
    if basis.period is None:
        density = len(times) / basis.intervals
        zone = int(np.clip(np.round(_END_ZONE * (fit.smoothing / density) ** (1 / 6)), 1, basis.intervals // 2))
        fit = _best_fit(design, rest, basis.penalty(zone), noise, smoothing)
    return fit.lifted(trend), zone


def _roughness(times: Array, samples: Array) -> float:
    """Standard deviation about the line through both neighbours: the noise, and a little of the signal.

    A curve that misses the samples by much more has too few knots.
    """
    ahead = (times[1:-1] - times[:-2]) / (times[2:] - times[:-2])
    gap = (1.0 - ahead) * samples[:-2] + ahead * samples[2:] - samples[1:-1]
    return float(np.sqrt(np.mean(gap**2 / ((1.0 - ahead) ** 2 + ahead**2 + 1.0))))


def _check(times: ArrayLike, samples: ArrayLike, noise: float | None, period: float | None) -> tuple[Array, Array]:
    t, y = np.asarray(times, dtype=float), np.asarray(samples, dtype=float)
    if t.ndim != 1 or t.shape != y.shape:
        raise InputError(f"{t.shape} times do not fit {y.shape} samples; give one sample for each time")
    if len(t) < _FEWEST_SAMPLES:
        raise InputError(f"{len(t)} samples are too few to smooth; give at least {_FEWEST_SAMPLES}")
    if not (np.isfinite(t).all() and np.isfinite(y).all()):
        place = int(np.argmin(np.isfinite(t) & np.isfinite(y)))
        raise InputError(f"sample {place} is not a number; remove it from the record")
    if (np.abs(y) > LARGEST_SAMPLE).any():
        place = int(np.argmax(np.abs(y)))
        raise InputError(f"sample {place} is {y[place]:g}; nothing measured is so large, check its unit")
    if (np.diff(t) <= 0.0).any():
        place = int(np.argmax(np.diff(t) <= 0.0)) + 1
        raise InputError(f"the time of sample {place} is not later than the one before; sort the record")
    if noise is not None and not noise >= 0.0:
        raise InputError(f"a noise of {noise} is not possible; give a standard deviation, or none")
    if period is not None and not 0.0 < period <= 1.5 * (t[-1] - t[0]):
        raise InputError(f"a period of {period} does not fit a record of {t[-1] - t[0]:g}; correct one of them")
    return t, y


# --- basis -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Basis:
    """Quintic B-splines in x = (t − start)/unit, where knots are (on average) one apart.

    `wrap` maps the free coefficients to those of all splines: the identity, or for a period the same
    coefficient at both ends, in the order 0, k−1, 1, k−2, … that keeps the matrices banded.
    """

    knots: Array
    wrap: SparseMatrix
    start: float
    unit: float
    period: float | None

    @staticmethod
    def even(times: Array, intervals: int, period: float | None) -> "_Basis":
        count = intervals if period is None else max(intervals, _DEGREE + 1)
        length = float(times[-1] - times[0]) if period is None else period
        return _Basis._over(np.arange(count + 1.0), float(times[0]), length / count, period)

    @staticmethod
    def interpolating(times: Array, period: float | None) -> "_Basis":
        """As many splines as samples: knots at the samples, without two of them near each end."""
        if period is None:
            unit = float(times[-1] - times[0]) / (len(times) - 5)
            breaks = np.delete((times - times[0]) / unit, [1, 2, -3, -2])
        else:
            unit = period / len(times)
            phases = np.sort(np.mod(times - times[0], period)) / unit
            breaks = np.append(phases, len(times))
            if np.diff(breaks).min() < 1e-6:
                raise InputError("several samples fall on one phase of the period; give their noise, or none")
        return _Basis._over(breaks, float(times[0]), unit, period)

    @staticmethod
    def _over(breaks: Array, start: float, unit: float, period: float | None) -> "_Basis":
        count = len(breaks) - 1
        if period is None:
            knots = np.concatenate([[breaks[0]] * _DEGREE, breaks, [breaks[-1]] * _DEGREE])
            return _Basis(knots, sparse.csr_array(sparse.eye_array(count + _DEGREE)), start, unit, None)
        before, after = breaks[-1 - _DEGREE : -1] - breaks[-1], breaks[1 : _DEGREE + 1] + breaks[-1]
        folded = np.empty(count, dtype=int)
        folded[0::2], folded[1::2] = np.arange((count + 1) // 2), np.arange(count - 1, (count - 1) // 2, -1)
        rows = np.arange(count + _DEGREE)
        wrap = sparse.csr_array((np.ones(len(rows)), (rows, np.argsort(folded)[rows % count])))
        return _Basis(np.concatenate([before, breaks, after]), wrap, start, unit, period)

    @property
    def intervals(self) -> int:
        return len(self.knots) - 2 * _DEGREE - 1

    def design(self, times: Array, derivative: int) -> SparseMatrix:
        """Rows b with dᵏf/dtᵏ = b · coefficients."""
        length = self.knots[-1 - _DEGREE]
        x = (times - self.start) / self.unit
        if self.period is not None:
            x = np.mod(x, length)
        elif x.size and (x.min() < -1e-9 * length or x.max() > (1.0 + 1e-9) * length):
            wrong = times[np.argmax(np.abs(x - 0.5 * length))]
            span = f"{self.start:g} to {self.start + self.unit * length:g}"
            raise InputError(f"time {wrong:g} lies outside the record; it runs from {span}")
        return sparse.csr_array(self._design_at(np.clip(x, 0.0, length), derivative) * self.unit**-derivative)

    def _design_at(self, x: Array, derivative: int) -> SparseMatrix:
        """Degree and knots shrink with every derivative, which is a difference of coefficients."""
        knots, differences = self.knots, self.wrap
        for degree in range(_DEGREE, _DEGREE - derivative, -1):
            spacing = knots[degree + 1 : -1] - knots[1 : -degree - 1]
            rate = degree / np.where(spacing > 0.0, spacing, np.inf)
            change = sparse.diags_array(np.vstack([-rate, rate]), offsets=[0, 1], shape=(len(rate), len(rate) + 1))
            differences, knots = sparse.csr_array(change @ differences), knots[1:-1]
        if x.size == 0:
            return sparse.csr_array((0, self.wrap.shape[1]))
        from scipy.interpolate import BSpline  # takes a third of a second to import

        return sparse.csr_array(BSpline.design_matrix(x, knots, _DEGREE - derivative) @ differences)

    def penalty(self, zone: int) -> SparseMatrix:
        """∫ w b‴ b‴ᵀ dx, w = min(1, d/zone)² at the distance d from an end; exact with four Gauss points."""
        breaks = self.knots[_DEGREE:-_DEGREE]
        nodes, weights = np.polynomial.legendre.leggauss(4)
        half = 0.5 * np.diff(breaks)
        x = ((breaks[:-1] + half)[:, None] + half[:, None] * nodes).ravel()
        weights = (half[:, None] * weights).ravel()
        if zone:
            weights = weights * np.minimum(1.0, np.minimum(x, breaks[-1] - x) / zone) ** 2
        rows = self._design_at(x, _PENALISED)
        return sparse.csr_array(rows.T @ sparse.diags_array(weights) @ rows)

    def trend(self, times: Array, samples: Array) -> Array:
        """Coefficients of the mean, or of the best parabola: it costs no penalty, so it need not be smoothed.

        The coefficients of x and x² are the means of the knots inside a spline and of their products.
        """
        if self.period is not None:
            return np.full(self.wrap.shape[1], float(samples.mean()))
        x = (times - self.start) / self.unit
        middle = 0.5 * self.knots[-1]
        a, b, c = np.polynomial.polynomial.polyfit(x - middle, samples, 2)
        inner = np.lib.stride_tricks.sliding_window_view(self.knots[1:-1], _DEGREE) - middle
        total = inner.sum(axis=1)
        products = 0.5 * (total**2 - np.sum(inner**2, axis=1))
        return np.asarray(a + b * total / 5.0 + c * products / 10.0)


# --- fit -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Fit:
    """The curve for one λ (in units of the basis): (G + λΩ) c = Bᵀy with G = BᵀB."""

    coefficients: Array
    factor: Array
    gram: SparseMatrix
    smoothing: float
    freedom: float
    misfit: float

    def lifted(self, coefficients: Array) -> "_Fit":
        """The same curve on top of another."""
        total = self.coefficients + coefficients
        return _Fit(total, self.factor, self.gram, self.smoothing, self.freedom, self.misfit)

    def gain(self, rows: SparseMatrix) -> Array:
        """√(bᵀ(G + λΩ)⁻¹ G (G + λΩ)⁻¹ b) of every row b: standard error for unit noise."""
        from scipy import linalg  # slow to import

        influence = linalg.cho_solve_banded((self.factor, False), rows.toarray().T)
        return np.asarray(np.sqrt(np.einsum("ij,ij->j", influence, self.gram @ influence)))


def _best_fit(
    design: SparseMatrix, samples: Array, penalty: SparseMatrix, noise: float | None, smoothing: float | None
) -> _Fit:
    from scipy import linalg

    gram = sparse.csr_array(design.T @ design)
    gram_band, penalty_band = _upper_band(gram), _upper_band(penalty)
    load = design.T @ samples
    count, size = design.shape

    def factorise(log_smoothing: float) -> Array:
        return np.asarray(linalg.cholesky_banded(gram_band + np.exp(log_smoothing) * penalty_band))

    def fit_with(log_smoothing: float) -> _Fit:
        factor = factorise(log_smoothing)
        coefficients = linalg.cho_solve_banded((factor, False), load)
        misfit = float(np.sum((samples - design @ coefficients) ** 2))
        freedom = size - _slope(lambda s: _log_determinant(factorise(s)), log_smoothing)
        return _Fit(coefficients, factor, gram, float(np.exp(log_smoothing)), freedom, misfit)

    if smoothing is not None:
        return fit_with(float(np.log(smoothing)))

    def score(log_smoothing: float) -> float:
        fit = fit_with(log_smoothing)
        if noise is not None:
            return fit.misfit + 2.0 * noise**2 * fit.freedom
        left = count - _PRICE_OF_FREEDOM * fit.freedom
        return fit.misfit / left**2 if left > 0.0 else np.inf

    # From next to interpolation to the best parabola, which the curve is when λ exceeds a thousandth of
    # (number of intervals)⁶; beyond 1e11 the matrix loses too many digits.
    density = count / size
    low = float(np.log(1e-6 * density))
    high = float(np.log(density * np.clip(1e-3 * size**6.0, 1.0, 1e11)))
    grid = np.linspace(low, high, 24)
    scores = [score(s) for s in grid]
    best = int(np.argmin(scores))
    bounds = (grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)])
    from scipy.optimize import minimize_scalar  # slow to import, too

    found = minimize_scalar(score, bounds=bounds, method="bounded", options={"xatol": 1e-3})
    return fit_with(float(found.x) if found.fun <= scores[best] else float(grid[best]))


def _interpolant(design: SparseMatrix, samples: Array) -> _Fit:
    from scipy import linalg

    gram = sparse.csr_array(design.T @ design)
    factor = np.asarray(linalg.cholesky_banded(_upper_band(gram)))
    coefficients = linalg.cho_solve_banded((factor, False), design.T @ samples)
    # One correction restores the digits that the square of the matrix costs.
    coefficients += linalg.cho_solve_banded((factor, False), design.T @ (samples - design @ coefficients))
    return _Fit(coefficients, factor, gram, 0.0, float(len(samples)), 0.0)


def _upper_band(matrix: SparseMatrix) -> Array:
    """LAPACK's storage: band[width + i − j, j] = matrix[i, j] for i ≤ j; folding a period doubles the width."""
    entries = sparse.triu(matrix, format="coo")
    width = min(2 * _DEGREE, matrix.shape[0] - 1)
    band = np.zeros((width + 1, matrix.shape[0]))
    band[width + entries.row - entries.col, entries.col] = entries.data
    return band


def _log_determinant(factor: Array) -> float:
    return float(2.0 * np.sum(np.log(factor[-1])))


def _slope(function: Callable[[float], float], at: float, step: float = 0.05) -> float:
    """Derivative by a fourth-order difference; Σ log(1 + λμ) varies over lengths of one, so 1e-7 is left.

    trace((G + λΩ)⁻¹ λΩ) = d log det(G + λΩ)/d log λ.
    """
    near = function(at + step) - function(at - step)
    far = function(at + 2.0 * step) - function(at - 2.0 * step)
    return (8.0 * near - far) / (12.0 * step)

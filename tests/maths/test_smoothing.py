"""Known curves with known noise; the spline against its own definition worked out densely, and theory."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import BSpline, make_smoothing_spline

from flexframe.errors import InputError
from flexframe.maths.smoothing import smooth

W = 2.0 * np.pi


def sine(t, derivative=0):
    return W**derivative * np.sin(W * t + 0.3 + derivative * np.pi / 2)


def noisy(n, noise, seed, *, even=True):
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 2.0, n) if even else np.sort(np.concatenate([[0.0, 2.0], rng.uniform(0.0, 2.0, n - 2)]))
    return t, sine(t) + noise * rng.standard_normal(n)


def brute_force(t, y, smoothing, zone):
    """min Σ(y−f)² + λ∫w f‴², dense, with scipy's spline derivatives and twelve Gauss points an interval."""
    breaks = np.linspace(t[0], t[-1], len(t))
    knots = np.concatenate([[t[0]] * 5, breaks, [t[-1]] * 5])
    splines = [BSpline(knots, row, 5) for row in np.eye(len(t) + 4)]
    nodes, weights = np.polynomial.legendre.leggauss(12)
    half = 0.5 * np.diff(breaks)[:, None]
    x = (breaks[:-1, None] + half + half * nodes).ravel()
    distance = np.minimum(x - t[0], t[-1] - x)
    weights = (half * weights).ravel() * np.minimum(1.0, distance / zone) ** 2
    third = np.column_stack([s.derivative(3)(x) for s in splines])
    design = np.column_stack([s(t) for s in splines])
    matrix = design.T @ design + smoothing * third.T @ (weights[:, None] * third)
    coefficients = np.linalg.solve(matrix, design.T @ y)
    return BSpline(knots, coefficients, 5), matrix, design, splines


@pytest.mark.parametrize("even", [True, False])
def test_the_curve_is_what_it_claims_to_minimise(even):
    """The definition by dense algebra, at the λ and end zone that were chosen; cond ≈ 1e8 leaves 1e-8·W²."""
    t, y = noisy(24, 0.02, 3, even=even)
    signal = smooth(t, y)
    exact, matrix, design, splines = brute_force(t, y, signal.smoothing, signal.end_zone)
    x = np.linspace(0.0, 2.0, 101)
    for derivative, curve in enumerate(signal.jet(x)):
        expected = exact.derivative(derivative)(x) if derivative else exact(x)
        np.testing.assert_allclose(curve, expected, atol=1e-7 * W**derivative)
    operator = np.linalg.solve(matrix, design.T)
    assert abs(signal.freedom - np.trace(design @ operator)) < 1e-5
    # Standard errors by the definition: the row of the operator that maps samples to the derivative.
    for derivative in range(3):
        rows = np.array([[s.derivative(derivative)(v) if derivative else s(v) for s in splines] for v in x[::20]])
        expected = signal.noise * np.linalg.norm(rows @ operator, axis=1)
        np.testing.assert_allclose(signal.standard_error(x[::20], derivative), expected, rtol=1e-6)


@pytest.mark.parametrize("noise", [1e-1, 1e-2, 1e-4])
def test_accelerations_at_the_very_ends(noise):
    """Errors at both ends of 20 records in standard errors: bias stays below them, so the rms is below 2.

    (Forty normal numbers have an rms of 1 ± 0.11; √(1 + 1) with a bias as large, and four deviations.) A
    natural cubic spline has zero acceleration there, an error of 100 % however small the noise.
    """
    ends = np.array([0.0, 2.0])
    errors = []
    for seed in range(20):
        signal = smooth(*noisy(400, noise, seed))
        errors.append((signal.second(ends) - sine(ends, 2)) / signal.standard_error(ends, 2))
        assert signal.standard_error(0.0, 2) > signal.standard_error(1.0, 2)
    assert np.sqrt(np.mean(np.square(errors))) < 2.0
    if noise == 1e-4:
        cubic = make_smoothing_spline(*noisy(400, noise, 0)).derivative(2)(0.0)
        assert abs(cubic - sine(0.0, 2)) > 3.0 * abs(signal.second(0.0) - sine(0.0, 2))


@pytest.mark.parametrize("even", [True, False])
@pytest.mark.parametrize("noise", [1e-1, 1e-2, 1e-4])
@pytest.mark.parametrize("seed", range(3))
def test_noise_is_estimated_honestly(noise, seed, even):
    """RSS/(n − freedom) is σ²χ²/(n − freedom): its root scatters by 1/√(2·350) = 4 %; five of these allowed."""
    t, y = noisy(400, noise, seed, even=even)
    signal = smooth(t, y)
    assert abs(signal.noise / noise - 1.0) < 5.0 / np.sqrt(2.0 * (400 - signal.freedom))


def test_derivative_errors_are_those_predicted():
    """Errors in units of the standard error, 20 records: unit scatter plus a bias of the same order.

    At the best λ squared bias is at most about the variance (its share is 1/(2m+…) for smooth curves), so
    the root mean square lies between 0.7 and 1.5; twenty records of some 15 independent places each scatter
    by 1/√(2·300) = 4 %.
    """
    x = np.linspace(0.3, 1.7, 71)
    for derivative in range(3):
        errors = []
        for seed in range(20):
            signal = smooth(*noisy(500, 0.02, seed))
            errors.append((signal.jet(x)[derivative] - sine(x, derivative)) / signal.standard_error(x, derivative))
        assert 0.7 < np.sqrt(np.mean(np.square(errors))) < 1.5


def test_standard_errors_are_those_of_the_equivalent_filter():
    """Far from the ends the spline is the filter 1/(1 + λΔt ω⁶) and noise passes as its spectrum says.

    Var f⁽ᵏ⁾ = σ²Δt/2π ∫ ω²ᵏ/(1 + λΔt ω⁶)² dω. Sums replace integrals where the filter is many samples long
    (30 here), and the ends are ten filter lengths away, so agreement is far better than the 1 % asked.
    """
    t, y = noisy(800, 0.1, 1)
    signal = smooth(t, y)
    spacing = t[1] - t[0]
    strength = signal.smoothing * spacing
    assert strength ** (1 / 6) > 10 * spacing
    for derivative in range(3):
        integral = quad(lambda w, k=derivative: w ** (2 * k) / (1.0 + strength * w**6) ** 2, -np.inf, np.inf)[0]
        expected = signal.noise * np.sqrt(spacing * integral / (2.0 * np.pi))
        assert abs(signal.standard_error(1.0, derivative) / expected - 1.0) < 0.01


def test_parabolas_pass_unchanged():
    """They carry no penalty and are set aside before: only rounding remains, whatever λ."""
    t = np.sort(np.random.default_rng(1).uniform(0.0, 5.0, 60))
    signal = smooth(t, 3.0 - 2.0 * t + 0.7 * t**2, noise=0.1)
    x = np.linspace(t[0], t[-1], 50)
    np.testing.assert_allclose(signal.value(x), 3.0 - 2.0 * x + 0.7 * x**2, atol=1e-12)
    np.testing.assert_allclose(signal.first(x), -2.0 + 1.4 * x, atol=1e-11)
    np.testing.assert_allclose(signal.second(x), 1.4, atol=1e-9)
    assert signal.freedom < 3.5


def test_known_noise_chooses_as_well_as_cross_validation():
    """Both aim at the least error of the curve; over ten records neither is 1.3 times worse on average."""
    x = np.linspace(0.1, 1.9, 200)
    errors = np.array(
        [
            [
                np.sqrt(np.mean((smooth(*noisy(300, 0.05, seed), noise=n).value(x) - sine(x)) ** 2))
                for n in (0.05, None)
            ]
            for seed in range(10)
        ]
    ).mean(axis=0)
    assert 1 / 1.3 < errors[0] / errors[1] < 1.3
    # The mean square error cannot beat the noise shared among the freedom spent, and should be near it.
    assert errors.max() < 0.05 * np.sqrt(3.0 * 14.0 / 300.0)


@pytest.mark.parametrize("period", [None, 1.0])
def test_interpolation_converges_with_order_six(period):
    """Zero noise: value O(h⁶) and acceleration O(h⁴), so halving h divides the errors by 64 and 16."""
    x = np.linspace(0.0, 1.0, 400)
    errors = []
    for n in (20, 40):
        t = np.linspace(0.0, 1.0, n, endpoint=period is None)
        signal = smooth(t, sine(t), noise=0.0, period=period)
        np.testing.assert_allclose(signal.value(t), sine(t), atol=1e-13)
        errors.append([np.abs(signal.value(x) - sine(x)).max(), np.abs(signal.second(x) - sine(x, 2)).max()])
    rates = np.log2(np.array(errors[0]) / np.array(errors[1]))
    assert rates[0] > 5.3
    assert rates[1] > 3.5


def test_periodic_curve_closes():
    """Value, slope and acceleration agree across the seam to rounding, and the sine is found."""
    rng = np.random.default_rng(5)
    t = np.sort(rng.uniform(0.0, 1.0, 150))
    signal = smooth(t, sine(t) + 0.02 * rng.standard_normal(150), period=1.0)
    seam = t[0]
    for derivative, curve in enumerate((signal.value, signal.first, signal.second)):
        assert abs(curve(seam + 1.0 - 1e-12) - curve(seam)) < 1e-7 * W**derivative
        assert curve(0.123) == pytest.approx(curve(5.123), abs=1e-9 * W**derivative)
    assert abs(signal.noise / 0.02 - 1.0) < 5.0 / np.sqrt(2.0 * 130.0)
    x = np.linspace(0.0, 1.0, 100)
    z = (signal.second(x) - sine(x, 2)) / signal.standard_error(x, 2)
    # About six independent places: the root mean square of six normal numbers and a bias is below 2.5.
    assert np.sqrt(np.mean(z**2)) < 2.5
    # No ends: every place is known equally well, up to the uneven sampling.
    assert signal.standard_error(x, 2).max() < 2.0 * signal.standard_error(x, 2).min()


def test_many_cycles_are_averaged():
    """Ten noisy cycles: the standard error falls by √10 against one cycle with the same curve."""
    rng = np.random.default_rng(6)
    t = np.linspace(0.0, 10.0, 2001)
    signal = smooth(t, sine(t) + 0.1 * rng.standard_normal(2001), period=1.0)
    x = np.linspace(0.0, 1.0, 100)
    error = np.sqrt(np.mean((signal.value(x) - sine(x)) ** 2))
    # 0.1 √(freedom/n) with freedom ≈ 10; twice that leaves room for the bias and chance.
    assert error < 2.0 * 0.1 * np.sqrt(signal.freedom / 2001)
    assert signal.freedom < 25.0


@pytest.mark.parametrize(("samples", "cycles"), [(20_000, 3), (5_000, 100)])
def test_long_records(samples, cycles):
    """Few or many wiggles: knots are added when the curve needs them."""
    rng = np.random.default_rng(7)
    t = np.linspace(0.0, 1.0, samples)
    w = W * cycles
    signal = smooth(t, np.sin(w * t) + 0.05 * rng.standard_normal(len(t)))
    # The relative scatter of the estimate is 1/√(2(n − freedom)), about 1 % or 0.5 %; five of them.
    assert abs(signal.noise / 0.05 - 1.0) < 5.0 / np.sqrt(2.0 * (samples - signal.freedom))
    x = np.linspace(0.1, 0.9, 1001)
    z = (signal.second(x) + w**2 * np.sin(w * x)) / signal.standard_error(x, 2)
    assert np.sqrt(np.mean(z**2)) < 2.0


@pytest.mark.parametrize(
    ("times", "samples", "options", "message"),
    [
        (np.arange(5.0), np.arange(5.0), {}, "5 samples are too few"),
        (np.arange(10.0), np.arange(9.0), {}, "do not fit"),
        ([0, 1, 2, 3, 3, 4, 5, 6], np.arange(8.0), {}, "the time of sample 4 is not later"),
        (np.arange(8.0), [0, 1, np.nan, 3, 4, 5, 6, 7], {}, "sample 2 is not a number"),
        (np.arange(8.0), np.arange(8.0), {"noise": -1.0}, "a noise of -1.0"),
        (np.arange(8.0), np.arange(8.0), {"period": 70.0}, "a period of 70.0 does not fit"),
        (np.arange(9.0), np.arange(9.0), {"period": 8.0, "noise": 0.0}, "one phase of the period"),
    ],
)
def test_records_that_cannot_be_smoothed(times, samples, options, message):
    with pytest.raises(InputError, match=message):
        smooth(times, samples, **options)


def test_outside_the_record():
    signal = smooth(*noisy(50, 0.01, 0))
    with pytest.raises(InputError, match=r"time 2.1 lies outside the record; it runs from 0 to 2"):
        signal.value([0.5, 2.1])
    assert signal.value(np.empty((0, 2))).shape == (0, 2)
    assert signal.standard_error(np.zeros((2, 3)), 1).shape == (2, 3)


def _noise_alike(count: int, likeness: float, seed: int) -> np.ndarray:
    """Unit noise of first order: each sample is `likeness` of the one before and something of its own."""
    fresh = np.random.default_rng(seed).standard_normal(count)
    noise = np.empty(count)
    noise[0] = fresh[0]
    for i in range(1, count):
        noise[i] = likeness * noise[i - 1] + np.sqrt(1 - likeness**2) * fresh[i]
    return noise


@pytest.mark.parametrize(("likeness", "least"), [(0.6, 0.85), (0.9, 0.75)])
def test_correlated_noise_is_noticed(likeness: float, least: float) -> None:
    """Taken as independent its deviation came out as 0.66 and 0.30 of the truth, as the curve followed it.

    The deviation of a record of first order is known to √((1 + l²)/(1 − l²)/2n), 2 and 5 %; what is slower than
    the filter, which leaves 30 freedoms of 2,000/16, belongs to the curve: a tenth of the noise of 0.9 or so.
    The error of the second derivative agrees with the standard error that is stated, 30 freedoms tell 13 %.
    """
    times = np.linspace(0.0, 4.0, 2000)
    inner = times[400:-400]
    ratios = []
    for seed in range(4):
        signal = smooth(times, np.sin(2 * np.pi * times) + 0.01 * _noise_alike(2000, likeness, seed))
        assert signal.correlated > 1
        assert least * 0.01 < signal.noise < 1.15 * 0.01
        off = signal.second(inner) + (2 * np.pi) ** 2 * np.sin(2 * np.pi * inner)
        ratios.append(np.sqrt(np.mean(off**2)) / signal.standard_error(inner[::40], 2).mean())
    assert 0.5 < np.mean(ratios) < 2.0


def test_independent_noise_raises_no_alarm() -> None:
    """A difference of four standard errors is met by chance once in 30,000 records."""
    times = np.linspace(0.0, 4.0, 600)
    for seed in range(8):
        signal = smooth(times, np.sin(2 * np.pi * times) + 0.01 * _noise_alike(600, 0.0, seed))
        assert signal.correlated == 1

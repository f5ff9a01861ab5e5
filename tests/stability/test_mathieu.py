"""The stability chart of Mathieu against the characteristic values of Mathieu's functions (scipy)."""

import numpy as np
import pytest
from scipy.special import mathieu_a, mathieu_b

from flexframe.analyses.stability.analysis import stability
from flexframe.errors import InputError

from .columns import RATE, mathieu


def characteristic(q: float, low: float, high: float) -> np.ndarray:
    values = np.array([mathieu_a(n, q) for n in range(7)] + [mathieu_b(n, q) for n in range(1, 7)])
    return np.sort(values[(values > low) & (values < high)])


@pytest.mark.parametrize("q", [0.3, 1.0, 3.5, 8.0])
def test_chart(q: float) -> None:
    """Every end of an unstable range is a characteristic value, and every characteristic value is found.

    At q = 0.3 the third range is 0.0008 wide, at q = 3.5 the first stable strip 0.03, both far below the spacing
    of the scan (0.5). 1e-8 is asked for; rounding in the meeting of two multipliers at a distance 2w leaves
    1e-16/w².
    """
    values = np.linspace(-9.0, 16.0, 51)
    found = stability(mathieu(), {"q": q}, over=("a", values), check_modes=False)
    assert found.scan is not None
    ends = [
        end
        for r in found.scan.unstable_ranges
        for end, is_open in ((r.low, r.open_low), (r.high, r.open_high))
        if not is_open
    ]
    assert ends == pytest.approx(characteristic(q, -9.0, 16.0), abs=1e-8)
    assert found.reciprocity is not None and found.reciprocity < 1e-10


def test_kinds_of_resonance() -> None:
    """Odd tongues answer at twice the period, even ones at the period; below a₀ the column falls."""
    found = stability(mathieu(), {"q": 1.0}, over=("a", np.linspace(-2.0, 10.0, 25)), check_modes=False)
    assert found.scan is not None
    kinds = [r.kind for r in found.scan.unstable_ranges]
    assert kinds == ["at the period", "at twice the period", "at the period", "at twice the period"]
    assert found.scan.unstable_ranges[0].open_low


def test_growth_in_the_first_tongue() -> None:
    """At a = 1 the exponent of Mathieu's equation solves the truncated Hill determinant; here 40 harmonics."""
    q = 0.4
    found = stability(mathieu(), {"a": 1.0, "q": q}, check_modes=False)
    # y = e^{στ} Σ c_n e^{i(2n+1)τ}:  ((σ + i(2n+1))² + a)c_n − q(c_{n−1} + c_{n+1}) = 0, quadratic in σ
    n = 2 * np.arange(-20, 20) + 1
    K = np.diag(1.0 - n.astype(float) ** 2) - q * (np.eye(40, k=1) + np.eye(40, k=-1))
    companion = np.block([[np.zeros((40, 40)), np.eye(40)], [-K.astype(complex), -2j * np.diag(n)]])
    sigma = np.linalg.eigvals(companion)
    expected = sigma[np.abs(sigma.imag) < 0.5].real.max() * RATE / 2
    assert found.growth_rate == pytest.approx(expected, rel=1e-9)
    assert not found.stable


def test_damping_moves_the_tongue() -> None:
    """y'' + 2dy' + … is e^{−dτ} times Mathieu with a − d²: growth lowered by exactly d."""
    d = 0.05
    damped = stability(
        mathieu(damping=d * RATE), {"q": 0.5}, over=("a", np.linspace(0.2, 2.0, 19)), check_modes=False
    )
    assert damped.scan is not None
    (tongue,) = damped.scan.unstable_ranges
    for end in (tongue.low, tongue.high):
        bare = stability(mathieu(), {"a": end - d**2, "q": 0.5}, check_modes=False)
        assert bare.growth_rate == pytest.approx(d * RATE / 2, rel=1e-8)
    assert damped.reciprocity is None


def test_chart_over_two_parameters() -> None:
    """Rows of the chart are scans."""
    found = stability(
        mathieu(), over=("a", np.linspace(-2.0, 3.0, 11)), chart=("q", [0.5, 1.0]), check_modes=False
    )
    assert found.chart is not None
    for q, row in zip(found.chart.values, found.chart.ranges, strict=True):
        assert [r.high for r in row][:2] == pytest.approx([mathieu_a(0, q), mathieu_a(1, q)], abs=1e-8)
    assert found.chart.growth_rates.shape == (2, 11)


def test_values_are_checked() -> None:
    with pytest.raises(InputError, match="ascending"):
        stability(mathieu(), {"q": 1.0}, over=("a", [2.0, 1.0]))
    with pytest.raises(InputError, match="a chart needs"):
        stability(mathieu(), {"a": 1.0}, chart=("q", [0.5, 1.0]))

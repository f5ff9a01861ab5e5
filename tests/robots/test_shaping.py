"""Input shapers against closed forms: residual vibration of a mode, robustness, and the convolution itself."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexframe as ff


def _left(law: ff.motion.Trajectory, frequency: float, damping: float) -> float:
    """Amplitude of q̈ + 2ζω q̇ + ω² q = −f̈ after a command, referred to its end, by scipy's integrator."""
    w = 2 * np.pi * frequency

    def slope(t: float, x: np.ndarray) -> np.ndarray:
        return np.array([x[1], -2 * damping * w * x[1] - w**2 * x[0] - float(law.jet(t)[2])])

    state = np.zeros(2)
    for low, high in zip(law.breaks, law.breaks[1:], strict=False):
        state = solve_ivp(slope, (low, np.nextafter(high, low)), state, method="DOP853", rtol=1e-12, atol=1e-14).y[
            :, -1
        ]
    wd = w * np.sqrt(1 - damping**2)
    return float(np.hypot(state[0], (state[1] + damping * w * state[0]) / wd))


MOVE = ff.motion.trapezoid((0.0, 1.0), speed=2.0, acceleration=8.0)
F = 1.3  # Hz


@pytest.mark.parametrize("damping", [0.0, 0.03, 0.2])
@pytest.mark.parametrize("kind", ["zv", "zvd"])
def test_no_vibration_is_left_of_the_mode(kind: str, damping: float) -> None:
    """Amplitude after a shaped trapezoid beside that of the trapezoid itself: rounding of the integration."""
    by = ff.motion.shaper(kind, F, damping=damping)  # type: ignore[arg-type]
    assert _left(ff.motion.shape_trajectory(MOVE, by), F, damping) < 1e-10 * _left(MOVE, F, damping)


@pytest.mark.parametrize("kind", ["zv", "zvd", "ei"])
@pytest.mark.parametrize("ratio", [0.8, 0.95, 1.1, 1.25])
@pytest.mark.parametrize("damping", [0.0, 0.05])
def test_residual_of_another_frequency_is_the_formula(kind: str, ratio: float, damping: float) -> None:
    """V = e^{−ζωt_n}√(C² + S²): the integrated amplitude, decayed by the time that the command is longer.

    Amplitudes are those at the end of each command.
    """
    by = ff.motion.shaper(kind, F, damping=damping)  # type: ignore[arg-type]
    f = ratio * F
    plain, left = _left(MOVE, f, damping), _left(ff.motion.shape_trajectory(MOVE, by), f, damping)
    # V refers to the impulse at the last time: the plain command, begun t_n later, ends with the shaped one
    assert left == pytest.approx(float(by.residual(f, damping)) * plain, rel=1e-8, abs=1e-11)


def test_robustness_of_undamped_shapers_in_closed_form() -> None:
    """|cos(πf/2F)| of ZV, its square of ZVD, |((1+V)cos x + (1−V))/2| with x = πf/F of EI."""
    f = np.linspace(0.5, 1.5, 41) * F
    x = np.pi * f / F
    assert ff.motion.shaper("zv", F).residual(f) == pytest.approx(np.abs(np.cos(x / 2)), abs=1e-14)
    assert ff.motion.shaper("zvd", F).residual(f) == pytest.approx(np.cos(x / 2) ** 2, abs=1e-14)
    ei = np.abs((1.05 * np.cos(x) + 0.95) / 2)
    assert ff.motion.shaper("ei", F).residual(f) == pytest.approx(ei, abs=1e-14)
    # insensitivity at 5 %: widths of the band around F in parts of F, from these
    for kind, width in (("zv", 4 / np.pi * np.arcsin(0.05)), ("zvd", 4 / np.pi * np.arcsin(np.sqrt(0.05)))):
        by = ff.motion.shaper(kind, F)  # type: ignore[arg-type]
        edge = F * (1 + width / 2)
        assert by.residual(edge) == pytest.approx(0.05, rel=1e-12)


@pytest.mark.parametrize("damping", [0.01, 0.05, 0.15])
def test_damped_ei_leaves_what_it_allows(damping: float) -> None:
    """The published curves are fits: at the frequency V is the allowed part to some percent of it."""
    by = ff.motion.shaper("ei", F, damping=damping, vibration=0.05)
    assert by.residual(F, damping) == pytest.approx(0.05, rel=0.05)
    assert (by.residual(np.linspace(0.82, 1.18, 37) * F, damping) < 0.056).all()


def test_shaped_command_is_the_sum_of_its_parts() -> None:
    """Value, speed and acceleration at other instants; a law that ends with a speed goes on with it."""
    by = ff.motion.shaper("zvd", F, damping=0.1)
    t = np.linspace(-0.5, 4.0, 400) + 1e-7
    for law in (MOVE, ff.motion.via_points((0.0, 0.7, 1.0), (0.0, 0.4, 1.0), speeds=(0.0, 0.3))):
        made = ff.motion.shape_trajectory(law, by).jet(t)
        parts = [np.array(law.jet(t - s)) * A for A, s in zip(by.amplitudes, by.times, strict=True)]
        assert np.array(made) == pytest.approx(np.sum(parts, axis=0), abs=1e-11)


def test_two_modes_one_after_the_other() -> None:
    """ZV for both frequencies: V is the product of both."""
    both = ff.motion.shaper("zv", 2.0).followed_by(ff.motion.shaper("zv", 5.0))
    f = np.array([1.5, 2.0, 3.7, 5.0])
    product = ff.motion.shaper("zv", 2.0).residual(f) * ff.motion.shaper("zv", 5.0).residual(f)
    assert both.residual(f) == pytest.approx(product, abs=1e-14)
    assert both.duration == pytest.approx(0.35)


def test_fitted_shaper_keeps_its_ranges_and_is_short() -> None:
    """At most 5 % within ±10 % of two modes, shorter than two EI shapers; of one exact mode it is nearly ZV."""
    by = ff.motion.fitted_shaper((2.0, 5.0), dampings=(0.01, 0.02), spread=0.1)
    for frequency, damping in ((2.0, 0.01), (5.0, 0.02)):
        assert by.residual(np.linspace(0.9, 1.1, 201) * frequency, damping).max() < 0.05
    assert by.duration < 0.5 + 0.2
    assert (by.amplitudes > 0).all()
    one = ff.motion.fitted_shaper((2.0,), spread=0.0, vibration=1e-3)
    assert one.duration == pytest.approx(0.25, abs=1e-9)  # the grid has half a period
    assert one.amplitudes[0] == pytest.approx(0.5, abs=2e-3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"frequency": 0.0}, "the frequency is 0 Hz"),
        ({"damping": 1.0}, "the damping ratio is 1"),
        ({"kind": "zvx"}, "there is no shaper 'zvx'"),
        ({"kind": "ei", "vibration": 2.0}, "vibration is 2"),
    ],
)
def test_impossible_shapers(change: dict[str, object], words: str) -> None:
    given: dict[str, object] = {"kind": "zv", "frequency": 2.0, **change}
    with pytest.raises(ff.InputError, match=words):
        ff.motion.shaper(**given)  # type: ignore[arg-type]

"""Spectrum, decay and settling time against closed forms."""

from pathlib import Path

import numpy as np
import pytest

from flexframe.cases.case import parse_case
from flexframe.cases.checking import check_case
from flexframe.cases.run import run_case
from flexframe.entries.problems import CaseError
from flexframe.errors import InputError
from flexframe.presentation.blocks import Table
from flexframe.results.signals import decay, settling_time, spectrum


def test_a_harmonic_that_fits_the_record_has_its_amplitude() -> None:
    """Twelve whole periods: Hann's window keeps the line exact, the rounding of the transform remains."""
    t = np.arange(480) / 480.0
    found = spectrum(t, 7.0 + 3.0 * np.sin(2 * np.pi * 12 * t))
    assert found.amplitudes[12] == pytest.approx(3.0, rel=1e-12)
    assert found.frequencies_hz[12] == pytest.approx(12.0, rel=1e-12)
    assert found.amplitudes[0] == pytest.approx(0.0, abs=1e-12)  # the mean is taken off


@pytest.mark.parametrize("frequency", [9.13, 12.0, 17.77])
def test_the_main_frequency_lies_between_the_lines(frequency: float) -> None:
    """A parabola through the logarithms of Hann's main lobe errs by less than 0.06 of the distance of lines."""
    t = np.linspace(0.0, 2.0, 801)
    assert spectrum(t, np.cos(2 * np.pi * frequency * t)).main_hz == pytest.approx(frequency, abs=0.03)


@pytest.mark.parametrize("ratio", [0.003, 0.02, 0.1])
def test_decay_of_one_mode(ratio: float) -> None:
    """x = e^{−ζωt} cos ω_d t; parabolas through samples 1/400 of a period apart err by (2π/400)⁴/…, below 1e-4."""
    omega = 2 * np.pi * 5.0
    damped = omega * np.sqrt(1 - ratio**2)
    t = np.arange(0.0, 4.0, 1 / 2000)
    found = decay(t, np.exp(-ratio * omega * t) * np.cos(damped * t), about=0.0)
    assert found.damping_ratio == pytest.approx(ratio, rel=1e-3)
    assert found.frequency_hz == pytest.approx(damped / (2 * np.pi), rel=1e-4)
    assert found.logarithmic_decrement == pytest.approx(2 * np.pi * ratio / np.sqrt(1 - ratio**2), rel=1e-3)
    assert found.misfit < 1e-2


def test_settling_of_a_first_order_lag() -> None:
    """1 − e^{−t/τ} stays within 2 % from t = τ ln 50 on; linear interpolation errs by h²/8τ² of the slope."""
    t = np.linspace(0.0, 10.0, 10001)
    assert settling_time(t, 1 - np.exp(-t / 1.5), final=1.0) == pytest.approx(1.5 * np.log(50), abs=1e-5)
    assert settling_time(t, np.sin(t), final=0.0) == np.inf
    assert settling_time(t, np.ones_like(t)) == 0.0


def test_what_cannot_be_read_is_refused() -> None:
    t = np.linspace(0.0, 1.0, 50)
    with pytest.raises(InputError, match="fewer than three peaks"):
        decay(t, np.exp(-t))
    with pytest.raises(InputError, match="eight instants"):
        spectrum(t[:4], t[:4])
    with pytest.raises(InputError, match="between 0 and 1"):
        settling_time(t, t, band=2.0)


def test_settling_into_a_band_of_the_unit_of_the_curve() -> None:
    t = np.linspace(0.0, 20.0, 20001)
    found = settling_time(t, 3 * (1 - np.exp(-t)), final=3.0, absolute=0.01)
    assert found == pytest.approx(np.log(300), abs=1e-6)  # interpolated: h²/8 of a bend of one
    with pytest.raises(InputError, match="above zero"):
        settling_time(t, t, absolute=-1.0)


CASE = """\
bodies:
  arm: {mass: 1 kg, inertia: 0.1 kg m^2, points: {tip: [1, 0]}}
joints: {A: {revolute: [ground, arm]}}
loads:
  k: {torsion_spring: [ground, arm], stiffness: 10 N m/rad, damping: 0.2 N m s/rad}
start: {arm: {angular_velocity: 0.1 rad/s}}
analyses:
  swing:
    kind: rigid_motion
    duration: 20 s
    samples: 8001
    sensors: {tip: {position: arm.tip, along: [0, 1]}}
    settling: {tip: 0.05 mm}
"""


def test_a_case_gives_the_band(tmp_path: Path) -> None:
    """θ = θ̇₀/ω_d e^{−ζω₀t} sin ω_d t with ω₀ = 10 rad/s, ζ = 0.1: its last passage of the band, seen at 1 m."""
    record = run_case(parse_case(CASE, file="a.yaml", folder=tmp_path)).records["swing"]
    tables = [block for block in record.presentation().blocks("swing") if isinstance(block, Table)]
    (table,) = [t for t in tables if any(column.header == "settled after" for column in t.columns)]
    headers = [column.header for column in table.columns]
    damped = 10 * np.sqrt(1 - 0.01)
    t = np.linspace(0.0, 20.0, 2_000_001)
    tip = np.sin(0.1 / damped * np.exp(-t) * np.sin(damped * t))
    last = t[np.flatnonzero(np.abs(tip) > 5e-5)[-1]]
    assert table.rows[0][headers.index("settled after")] == pytest.approx(last, abs=2e-4)  # chord of 2.5 ms
    assert table.rows[0][headers.index("to within ±")] == 5e-5


def test_a_band_of_no_sensor_is_refused_at_its_field(tmp_path: Path) -> None:
    case = parse_case(CASE.replace("settling: {tip", "settling: {tap"), file="a.yaml", folder=tmp_path)
    with pytest.raises(CaseError, match=r"a\.yaml:13: analyses\.swing\.settling\.tap: unknown sensor 'tap'"):
        check_case(case)

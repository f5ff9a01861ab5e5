"""No warning of a library reaches a user: numbers are mended, and what is left is told by the record."""

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import LinAlgWarning

from flexframe.cases.case import Case, load_case
from flexframe.cases.run import run_case
from flexframe.library_warnings import noted_warnings

COMMAND = (sys.executable, "-m", "flexframe")
MASS, LENGTH, YOUNG, DAMPING = 2.0, 0.6, 70e9, 4.0
WIDTH, HEIGHT = 10e-3, 12e-3
CASE = """
title: heavy disc on a shaft of almost no mass, which is unequally stiff in two directions
materials:
  light: {young: 70 GPa, poisson: 0.3, density: 1.0e-6 kg/m^3}
bodies:
  rotor:
    mesh:
      line: {length: 0.6 m, divisions: DIVISIONS}
    space: spatial
    material: light
    theory: euler_bernoulli
    section: {rectangle: {width: 10 mm, height: 12 mm}}
    supports:
      - {fix: start, dofs: [ux, uy, uz, rx]}
      - {fix: end, dofs: [uy, uz, rx]}
    point_masses:
      - {mass: 2 kg, on: [0.3, 0]}
    springs:
      - {on: [0.3, 0], damping: [0, 4 N s/m, 4 N s/m]}
analyses:
  campbell:
    kind: campbell
    body: rotor
    axis: [1, 0, 0]
    speeds: {end: 20 Hz, count: 41}
    modes: 2
"""


def expected(speed: float) -> np.ndarray:
    """m(ẍ − 2Ωẏ − Ω²x) + dẋ + k₁x = 0 and its like: λ with Im λ ≥ 0, of a real pair the larger; by |λ|."""
    stiffness = 48 * YOUNG / LENGTH**3 * np.array([WIDTH * HEIGHT**3, HEIGHT * WIDTH**3]) / 12
    one = np.poly1d([MASS, DAMPING, stiffness[0] - MASS * speed**2])
    other = np.poly1d([MASS, DAMPING, stiffness[1] - MASS * speed**2])
    roots = (one * other + np.poly1d([2 * MASS * speed, 0]) ** 2).roots
    real = np.sort(roots[np.abs(roots.imag) < 1e-9].real)[::-1]
    kept = np.concatenate([roots[roots.imag > 1e-9], real[: len(real) // 2]])
    return np.asarray(kept[np.argsort(np.abs(kept))])


@pytest.mark.parametrize("divisions", [8, 12])
def test_a_real_eigenvalue_passes_zero(divisions: int, tmp_path: Path) -> None:
    """Between its two critical speeds the shaft diverges; 60 warnings were printed there, or a false refusal.

    The diagram is computed to 1e-6 of a frequency; mass of the shaft is 4e-11 of the disc's.
    """
    (tmp_path / "rotor.yaml").write_text(CASE.replace("DIVISIONS", str(divisions)), encoding="utf-8")
    done = subprocess.run(
        [*COMMAND, "run", "rotor.yaml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    assert "library" not in done.stdout
    summary = json.loads((tmp_path / "rotor-results" / "summary.json").read_text(encoding="utf-8"))
    found = summary["analyses"]["campbell"]
    scale = np.abs(expected(0.0)).max() / (2 * np.pi)
    unstable = 0
    for speed, frequencies in zip(found["speeds_rad_s"], found["frequencies_hz"], strict=True):
        wanted = expected(speed)
        unstable += int((wanted.real > 0).any())
        np.testing.assert_allclose(
            np.sort(frequencies), np.sort(wanted.imag) / (2 * np.pi), rtol=1e-6, atol=1e-5 * scale
        )
    assert unstable


def test_warnings_of_an_analysis_become_notices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line for each place with the number of times; what concerns programmers alone is dropped."""
    path = tmp_path / "rotor.yaml"
    path.write_text(CASE.replace("DIVISIONS", "2"), encoding="utf-8")
    case = load_case(path, ())
    analysis = type(case.analyses["campbell"])
    run = analysis.run

    def warn(self: Any, given: Case) -> Any:
        for _ in range(3):
            warnings.warn("An ill-conditioned matrix", LinAlgWarning, stacklevel=1)
        warnings.warn("soon gone", DeprecationWarning, stacklevel=1)
        return run(self, given)

    monkeypatch.setattr(analysis, "run", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        record = run_case(case).records["campbell"]
    told = [notice for notice in record.notices if "library" in notice]
    assert len(told) == 1
    assert "3 times" in told[0]
    assert "An ill-conditioned matrix" in told[0]
    assert told[0] in record.summary()["notices"]


def test_warnings_as_errors_stay_errors() -> None:
    """Whoever wants errors gets them: the tests of this project do."""
    with (
        warnings.catch_warnings(),
        pytest.raises(RuntimeWarning, match="invalid value"),
        noted_warnings(),
    ):
        warnings.simplefilter("error")
        np.sqrt(np.array([-1.0]))


@pytest.mark.parametrize("start", ["keep_from_terminal()", ""])
def test_nothing_is_printed(start: str) -> None:
    """A warning outside of any analysis is printed by Python itself, and not where a command runs."""
    code = (
        "import warnings\nfrom flexframe.library_warnings import keep_from_terminal\n"
        f"{start}\nwarnings.warn('overflow', RuntimeWarning)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ("overflow" in done.stderr) == (not start)

"""The example of a mass on a belt against the motion in pieces that Coulomb friction gives."""

from pathlib import Path

import numpy as np
import pytest

import flexframe as ff

EXAMPLE = Path(__file__).parents[2] / "examples" / "stick_slip.yaml"
PERIOD = (2 * np.pi - 2 * np.arctan(2.0)) / 10 + 0.4
SWING = np.hypot(0.02, 0.01)


def test_stick_slip() -> None:
    """To the regularisation: bristles of 10 µm, and a static friction that falls over 1 mm/s of 0.1 m/s."""
    case = ff.load_case(EXAMPLE)
    record = case.analyses["motion"].run(case)
    t, x = record.times, np.asarray(record.sensors["displacement"].values).ravel() - 0.03  # type: ignore[attr-defined]
    up = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    passages = t[up] - x[up] * (t[up + 1] - t[up]) / (x[up + 1] - x[up])
    assert np.diff(passages)[-1] == pytest.approx(PERIOD, rel=0.02)
    assert np.abs(x[t > 1.5]).max() == pytest.approx(SWING, rel=0.03)
    assert np.abs(record.energy_misfit).max() < 1e-3  # type: ignore[attr-defined]

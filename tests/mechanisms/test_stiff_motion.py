"""Rigid motions that are stiff, endless or interrupted."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import flexframe as ff
from flexframe.analyses.transient.coupled import segments
from flexframe.errors import AnalysisError, InputError, StopRequest
from flexframe.loads import TorsionSpring
from flexframe.multibody.contract import SimulationOptions
from flexframe.results.checkpoint import Checkpoint

TIMES = np.linspace(0.0, 3.0, 11)
FREE = -0.5


def hinged_rod(stiffness: float, damping: float) -> ff.System:
    """A rod with J = 1 kg m² about its hinge, 0.5 rad away from where a spring has no force."""
    rod = ff.RigidBody.rod("rod", length=1.0, mass=3.0)
    spring = TorsionSpring("spring", "ground", "rod", stiffness=stiffness, free=FREE, damping=damping)
    return ff.System([rod], [ff.Revolute("A", "ground", "rod")], loads=[spring])


def exact_angle(stiffness: float, damping: float) -> np.ndarray:
    """φ̈ + c φ̇ + k (φ − φ₀) = 0 from rest at zero, overdamped."""
    fast = -(damping + np.sqrt(damping**2 - 4 * stiffness)) / 2
    slow = stiffness / fast
    shape = (slow * np.exp(fast * TIMES) - fast * np.exp(slow * TIMES)) / (slow - fast)
    return FREE - FREE * shape


def test_a_stiff_motion_is_integrated_implicitly_and_says_so() -> None:
    """λ = −1e7/s: about 3·1e7/6.1 explicit steps, fewer than a thousand implicit ones."""
    found = ff.rigid_motion(hinged_rod(1e7, 1e7), TIMES)
    assert found.method == "Radau IIA, order 5"
    assert found.steps < 1000
    assert any("the motion is stiff at t = " in notice for notice in found.notices)
    # errors of 1e-9 a step add up over the steps, at most
    error = np.abs(found.motion.body("rod").angles - exact_angle(1e7, 1e7)).max()
    assert error < 1e-9 * found.steps


def test_the_explicit_method_stays_where_it_is_asked_for() -> None:
    """λ = −1e5/s makes about 3·1e5/6.1 = 49,000 steps, below those for which another method is taken."""
    found = ff.rigid_motion(hinged_rod(1e5, 1e5), TIMES, method="explicit")
    assert found.method == "Dormand–Prince 8(5,3)"
    assert 3e5 / 6.5 < found.steps < 3e5 / 5.7  # the bound of stability on the real axis is 6.1
    error = np.abs(found.motion.body("rod").angles - exact_angle(1e5, 1e5)).max()
    assert error < 1e-9 * np.sqrt(found.steps)  # errors die out at once in a stiff motion


def test_a_fast_oscillation_is_not_stiff(monkeypatch: pytest.MonkeyPatch) -> None:
    """With ω = 3000/s accuracy bounds the steps, so that many of them are no reason for another method."""
    monkeypatch.setattr("flexframe.analyses.rigid_motion.analysis.STIFF_STEPS_LEFT", 100)
    found = ff.rigid_motion(hinged_rod(9e6, 0.0), [0.0, 1.0])
    assert found.steps > 500
    assert found.method == "Dormand–Prince 8(5,3)"


def _stop_at(fraction: float) -> Callable[[float], None]:
    """Stops a motion of which more than a fraction is done."""

    def look(done: float) -> None:
        if done > fraction:
            raise StopRequest("enough", 3)

    return look


@pytest.mark.parametrize("system", [hinged_rod(9e4, 3.0), hinged_rod(1e7, 1e7)], ids=["explicit", "implicit"])
def test_an_interrupted_motion_goes_on_bit_by_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: ff.System
) -> None:
    monkeypatch.setattr(segments, "SEGMENT_SECONDS", 0.0)  # a segment for each sample
    kept = Checkpoint(tmp_path / "kept.npz", resume=True)
    whole = ff.rigid_motion(system, TIMES, checkpoint=Checkpoint(tmp_path / "other.npz"))
    with pytest.raises(StopRequest) as stopped:
        ff.rigid_motion(system, TIMES, checkpoint=kept, progress=_stop_at(0.45))
    assert stopped.value.reached == "t = 1.2 s"  # the last sample before 0.45 · 3 s
    assert kept.path.exists()
    rest = ff.rigid_motion(system, TIMES, checkpoint=kept)
    assert np.array_equal(rest.motion.body("rod").angles, whole.motion.body("rod").angles)
    assert rest.energy_drift == whole.energy_drift
    assert rest.steps == whole.steps


def test_more_than_a_thousand_million_steps_are_refused() -> None:
    with pytest.raises(AnalysisError, match=r"steps at the pace of .*; shorten its duration of 1e\+09 s"):
        ff.rigid_motion(hinged_rod(9e4, 0.0), [0.0, 1e9])
    with pytest.raises(InputError, match=r"1e\+10 steps are more than 1e\+09; give a longer step"):
        SimulationOptions(duration=1.0, step=1e-10)

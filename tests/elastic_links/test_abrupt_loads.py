"""Loads that jump, on a bar of one element whose motion is known in closed form."""

import numpy as np
import pytest
from tests.rounding import rounding

import flexframe as ff
from flexframe.equations.coefficients import Terms
from flexframe.sensors import DofSensor

LENGTH, AREA, FORCE = 0.5, 2e-4, 1000.0
STIFFNESS = ff.STEEL.young * AREA / LENGTH
OMEGA = float(np.sqrt(3 * ff.STEEL.young / ff.STEEL.density)) / LENGTH  # one linear element: k = EA/L, m = ρAL/3
PERIOD = 3.3 * 2 * np.pi / OMEGA
PER_STEP = 720  # Gauss's method of two stages misses the phase by (ωh)⁵/720 in a step


def pulled(factor, *, steps, periodic):
    bar = ff.Body.beam(
        "bar",
        length=LENGTH,
        divisions=1,
        section=ff.Rectangle(0.02, 0.01),
        material=ff.STEEL,
        supports=(ff.Clamp("start"),),
    )
    system = ff.System(
        [bar],
        [ff.Revolute("A", "ground", "bar.start")],
        [ff.AngleDrive("still", "ground", "bar", "0")],
        [ff.MarkerForce("pull", "bar.end", (f"{FORCE!r}*{factor}", 0.0, 0.0))],
    )
    return ff.elastic_response(
        system,
        duration=PERIOD,
        steps=steps,
        body="bar",
        periodic=periodic,
        sensors={"tip": DofSensor("end", "ux")},
        terms=Terms(geometric=0.0),  # linear: without the stiffness N/EA of the tension
    )


@pytest.mark.parametrize("steps", [8, 40, 400])
def test_a_load_that_jumps_does_the_work_that_is_stored(steps):
    """Force times displacement, however coarse the steps: a jump at the end of a step costs no balance."""
    found = pulled(f"step(t - {PERIOD / 4!r})", steps=steps, periodic=False)
    # energies are sums over all steps of products of cancelling terms
    assert found.energy_drift < rounding(100 * steps)
    # y = F/k (1 − cos ω(t − T/4)) stores up to ½ k (2F/k)²
    t = found.times - PERIOD / 4
    exact = np.where(t < 0, 0.0, FORCE / STIFFNESS * (1 - np.cos(OMEGA * np.maximum(t, 0))))
    phase = steps * (OMEGA * PERIOD / steps) ** 5 / PER_STEP
    values = found.sensors["tip"].values
    assert values == pytest.approx(exact, abs=FORCE / STIFFNESS * (1.1 * min(phase, 2) + rounding(100 * steps)))


def test_steps_that_do_not_resolve_a_vibration_are_reported():
    coarse = pulled(f"step(t - {PERIOD / 4!r})", steps=16, periodic=False)  # ωh = 1.3
    fine = pulled(f"step(t - {PERIOD / 4!r})", steps=24, periodic=False)  # ωh = 0.86
    # kinetic energy ½ F²/k of a largest total of 2 F²/k
    assert coarse.unresolved == pytest.approx(0.25, rel=0.1)  # the instants miss the largest rate by up to 5 %
    assert any("take 21 steps or more" in notice for notice in coarse.notices)  # ω T = 2π 3.3
    assert not fine.unresolved
    assert not fine.notices


def test_periodic_response_to_a_load_that_jumps_where_the_period_ends():
    """A square wave: A cos ω(t − T/4) while off, F/k − A cos ω(t − 3T/4) while on, A = F/(2k cos ωT/4)."""
    steps = 400
    turns = 2 * np.pi / PERIOD
    found = pulled(f"(1 - step(sin({turns!r}*t)))", steps=steps, periodic=True)
    A = FORCE / (2 * STIFFNESS * np.cos(OMEGA * PERIOD / 4))
    t = found.times
    exact = np.where(
        t < PERIOD / 2,
        A * np.cos(OMEGA * (t - PERIOD / 4)),
        FORCE / STIFFNESS - A * np.cos(OMEGA * (t - 3 * PERIOD / 4)),
    )
    # the periodic start magnifies errors of a period by 1/|1 − e^{iωT}|
    phase = steps * (OMEGA * PERIOD / steps) ** 5 / PER_STEP / abs(1 - np.exp(1j * OMEGA * PERIOD))
    assert found.sensors["tip"].values == pytest.approx(exact, abs=2 * abs(A) * phase)
    assert found.energy_drift < rounding(100 * steps)


def test_a_load_that_goes_on_otherwise_is_refused_with_the_way_out():
    with pytest.raises(ff.AnalysisError, match=r"load pull goes on otherwise then; write mod\(t, period\)"):
        pulled(f"step(t - {PERIOD / 2!r})", steps=100, periodic=True)
    found = pulled(f"step(mod(t, {PERIOD!r}) - {PERIOD / 2!r})", steps=400, periodic=True)
    wave = pulled(f"(1 - step(sin({2 * np.pi / PERIOD!r}*t)))", steps=400, periodic=True)
    largest = np.abs(wave.sensors["tip"].values).max()
    assert found.sensors["tip"].values == pytest.approx(wave.sensors["tip"].values, abs=rounding(1e5) * largest)

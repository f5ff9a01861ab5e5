"""A relay that pushes a block to and fro about a line of x and v slides along it, by events or by a formula."""

from typing import Any

import numpy as np
import pytest

import flexframe as ff
from flexframe.model.events import Event, Switch

X, TIME, PUSH = (1.0, 0.0), 0.1, 10.0
STEPS: list[dict[str, Any]] = [{"step": 1e-3}, {"integrator": "dormand_prince", "tolerance": 1e-8}]


def pushed(force: str, **more: Any) -> ff.System:
    """A block of 1 kg on a guide, at rest 50 mm beside its origin."""
    return ff.System(
        [ff.RigidBody("block", 1.0, np.array(0.01))],
        [ff.Prismatic("guide", "ground", "block", axis=X)],
        loads=[ff.MarkerForce("push", "block", (force, 0.0))],
        sensors={
            "x": ff.sensors.MarkerSensor("position", "block", along=X),
            "v": ff.sensors.MarkerSensor("velocity", "block", along=X),
        },
        start={"block": ff.Placement((0.05, 0.0, 0.0))},
        **more,
    )


def relay(band: float) -> ff.System:
    """Pushed back below x + T v = −band and forth above band."""
    return pushed(
        f"{PUSH}*way",
        controllers=[Switch("way", -1.0)],
        events=[
            Event("on", f"x + {TIME}*v + {band}", "falling", set={"way": 1.0}),
            Event("off", f"x + {TIME}*v - {band}", "growing", set={"way": -1.0}),
        ],
    )


@pytest.mark.parametrize("options", STEPS)
def test_a_relay_with_a_band_slides_along_its_line(options: dict[str, Any]) -> None:
    """x + T v stays within the band, and x fades by e^(−t/T); at rest a passage of the band takes 2 b/(T a)."""
    band = 2e-3
    found = ff.simulate(relay(band), duration=0.6, samples=601, **options)
    x, v = found.sensors["x"].values, found.sensors["v"].values
    begun = found.times > found.events[0].time
    assert np.abs(x + TIME * v)[begun].max() < band * (1 + 1e-6)
    spacing = np.diff([event.time for event in found.events][-40:])
    # v of a passage is within ± a dt/2 about zero, and changes its duration by v/(T a) to the second order
    assert spacing.mean() == pytest.approx(2 * band / (TIME * PUSH), rel=2e-2)


@pytest.mark.parametrize("options", STEPS)
def test_a_relay_of_events_without_a_band_is_refused(options: dict[str, Any]) -> None:
    """Its events turn the block back at the same instant, each after the other."""
    with pytest.raises(ff.AnalysisError, match="leave a band"):
        ff.simulate(relay(0.0), duration=0.1, samples=3, **options)


LINE = f"(x + {TIME}*v)"
WAYS = [*STEPS, {"step": 1e-2}, {"integrator": "dormand_prince_853", "tolerance": 1e-10}]


@pytest.mark.parametrize("force", [f"-{PUSH}*sign({LINE})", f"{PUSH}*(1 - 2*step({LINE}))"])
@pytest.mark.parametrize("options", WAYS)
def test_a_formula_that_jumps_slides_along_its_line(force: str, options: dict[str, Any]) -> None:
    """The line is met where 5 t² + t = 0.05, and x fades from there by e^(−t/T), on the line to rounding."""
    found = ff.simulate(pushed(force), duration=0.6, samples=61, **options)
    met = (np.sqrt(2.0) - 1) / PUSH
    x, v, late = found.sensors["x"].values, found.sensors["v"].values, found.times > met
    assert np.abs(x + TIME * v)[late].max() < 1e-12  # projected onto the line; lengths of 0.05 m
    # fixed steps are of order 2: (h/T)²/12 of the amplitude for each T, times t/T e^(−t/T)
    allowed = met * (options["step"] / TIME) ** 2 if "step" in options else 1e-7
    np.testing.assert_allclose(x[late], met * np.exp(-(found.times[late] - met) / TIME), rtol=0, atol=allowed)
    assert not found.events  # what a formula does inside is no event of the user


@pytest.mark.parametrize("options", [*STEPS, {"integrator": "dormand_prince_853", "tolerance": 1e-10}])
def test_a_formula_that_jumps_leaves_its_line(options: dict[str, Any]) -> None:
    """Dry friction of 3 N by a sign: at rest under a pull of 2 t N until it is 3 N, then v = (t − 1.5)²."""
    system = pushed("2*t - 3*sign(v)")
    found = ff.simulate(system, duration=3.0, samples=31, **options)
    v, t = found.sensors["v"].values, found.times
    allowed = 1e-6 if "step" in options else 1e-7  # h² of a cubic place over 1.5 s, or the tolerance
    np.testing.assert_allclose(v, np.where(t > 1.5, (t - 1.5) ** 2, 0.0), rtol=0, atol=allowed)
    assert np.abs(found.sensors["x"].values - 0.05)[t <= 1.5].max() < 1e-12  # no creep


def test_a_sawtooth_jumps_where_it_ends() -> None:
    """mod(x, 0.1) as a force on a block that a constant pull moves: work over a tooth is 0.1²/2 · k."""
    k, pull = 40.0, 10.0
    found = ff.simulate(
        pushed(f"{pull} - {k}*mod(x + 0.05, 0.1)"),
        duration=0.5,
        samples=51,
        integrator="dormand_prince_853",
        tolerance=1e-10,
    )
    x, v = found.sensors["x"].values, found.sensors["v"].values
    teeth, rest = np.divmod(x + 0.05, 0.1)
    assert teeth.max() >= 3
    work = pull * (x - 0.05) - k * ((teeth - 1) * 0.1**2 / 2 + rest**2 / 2)
    np.testing.assert_allclose(v**2 / 2, work, rtol=0, atol=1e-8)


@pytest.mark.parametrize("options", [{"integrator": "radau"}, {"formalism": "kane"}])
def test_what_cannot_follow_jumps_refuses_them(options: dict[str, Any]) -> None:
    with pytest.raises(ff.InputError, match=r"sign\(v\) of push"):
        ff.simulate(pushed("-3*sign(v)"), duration=0.1, samples=3, tolerance=1e-8, **options)


def test_inverse_dynamics_has_the_side_of_each_instant() -> None:
    """A drive x = 0.05 cos 4t against dry friction of 3 N: F = m ẍ + 3 sign(ẋ)."""
    drive = ff.PositionDrive("move", "ground", "block", "0.05*cos(4*t)", axis=X)
    times = np.linspace(0.01, 2.0, 40)
    found = ff.joint_forces(pushed("-3*sign(v)", drives=[drive]), times).forces.joints["move"].values[:, 0]
    expected = -0.8 * np.cos(4 * times) - 3 * np.sign(np.sin(4 * times))
    np.testing.assert_allclose(found, expected, atol=1e-10)

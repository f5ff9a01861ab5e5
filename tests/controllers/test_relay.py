"""A relay that pushes a block to and fro about a line of x and v slides along it."""

from typing import Any

import numpy as np
import pytest

import flexframe as ff
from flexframe.model.events import Event, Switch

X, TIME, PUSH = (1.0, 0.0), 0.1, 10.0
STEPS: list[dict[str, Any]] = [{"step": 1e-3}, {"integrator": "dormand_prince", "tolerance": 1e-8}]


def relay(band: float) -> ff.System:
    """Pushed back below x + T v = −band and forth above band."""
    return ff.System(
        [ff.RigidBody("block", 1.0, np.array(0.01))],
        [ff.Prismatic("guide", "ground", "block", axis=X)],
        loads=[ff.MarkerForce("push", "block", (f"{PUSH}*way", 0.0))],
        sensors={
            "x": ff.sensors.MarkerSensor("position", "block", along=X),
            "v": ff.sensors.MarkerSensor("velocity", "block", along=X),
        },
        controllers=[Switch("way", -1.0)],
        start={"block": ff.Placement((0.05, 0.0, 0.0))},
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


def test_a_relay_without_a_band_is_refused() -> None:
    """Its events turn the block back at the same instant, each after the other."""
    with pytest.raises(ff.AnalysisError, match="leave a band"):
        ff.simulate(relay(0.0), duration=0.1, samples=3, step=1e-2)

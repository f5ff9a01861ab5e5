"""Running systems: the same histories as in one run, inputs between steps, states kept and taken again."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.rounding import rounding

import flexframe as ff
from flexframe.controllers import PythonFunction
from flexframe.errors import FlexframeError

from .machines import bouncing, elastic_arm, resting, switched


def controlled_by_python() -> ff.System:
    """The block with a function of Python in the place of its sampled controller."""
    return switched(PythonFunction("hold", "x", lambda t, x: 3.0 * (1 - x) + 0.1 * t, period=0.01))


MACHINES = [
    (elastic_arm, 1e-2, 1e-3),
    (bouncing, 1e-2, 1e-3),
    (resting, 1e-2, 1e-3),
    (switched, 0.02, 4e-3),
    (controlled_by_python, 0.02, 4e-3),
]


@pytest.mark.parametrize(("make", "dt", "step"), MACHINES)
def test_the_same_history_as_in_one_run(make: Callable[[], ff.System], dt: float, step: float) -> None:
    """Elastic bodies, contacts, events, controllers: equal but for the rounding with which sensors are read."""
    system, count = make(), 40
    sim = ff.Simulation(system, step=step)
    rows = [sim.outputs] + [sim.step(dt) for _ in range(count)]
    whole = ff.simulate(system, duration=count * dt, step=step, samples=count + 1)
    assert sim.time == pytest.approx(count * dt, rel=rounding(1))
    for name in sim.outputs:
        sensor, _, part = name.partition(".")
        found = whole.sensors[sensor]
        expected = found.values[:, found.components.index(part)] if part else found.values
        stepped = np.array([row[name] for row in rows])
        np.testing.assert_allclose(stepped, expected, rtol=0, atol=rounding(10, 1 + np.abs(expected).max()))
    assert [(each.name, each.time) for each in sim.happened()] == [(each.name, each.time) for each in whole.events]


def test_inputs_are_held_over_steps() -> None:
    """Constant forces piece by piece on a mass: v and x of each piece, which the method meets but for rounding."""
    system = ff.System(
        [ff.RigidBody("block", 2.0, np.array(0.01))],
        [ff.Prismatic("guide", "ground", "block", axis=(1.0, 0.0))],
        loads=[ff.MarkerForce("push", "block", ("2*pull", 0.0))],
        sensors={"x": ff.sensors.MarkerSensor("position", "block", along=(1.0, 0.0))},
        inputs=[ff.Input("pull", 1.0, "N")],
    )
    sim = ff.Simulation(system, step=2e-3)
    x, v, dt = 0.0, 0.0, 0.01
    for pull in (1.0, -3.0, 5.0, 5.0, 0.0, 2.0):
        seen = sim.step(dt, {"pull": pull})
        x, v = x + v * dt + 0.5 * pull * dt**2, v + pull * dt
        assert seen["x"] == pytest.approx(x, abs=rounding(1000))
    assert sim.inputs == {"pull": 2.0}


@pytest.mark.parametrize("make", [elastic_arm, bouncing, resting, switched])
def test_what_is_saved_goes_on_bit_by_bit(make: Callable[[], ff.System], tmp_path: Path) -> None:
    """From memory, from a file in another simulation, and from the start again."""
    sim = ff.Simulation(make())
    name = next(iter(sim.inputs))

    def go(each: ff.Simulation, first: int) -> list[dict[str, float]]:
        return [each.step(0.01, {name: 3.0 + k % 3}) for k in range(first, first + 12)]

    begun = go(sim, 0)
    saved = sim.save(tmp_path / "running")
    went = go(sim, 12)
    sim.restore(saved)
    assert go(sim, 12) == went
    other = ff.Simulation(make())
    other.restore(tmp_path / "running")
    assert other.time == saved.time
    assert go(other, 12) == went
    sim.reset()
    assert go(sim, 0) == begun


def test_a_state_can_be_set() -> None:
    """A new start where another run was: the motion of a mass under no force goes on."""
    sim = ff.Simulation(bouncing())
    for _ in range(3):
        sim.step(0.01, {"blow": 0.5 * 9.81})
    other = ff.Simulation(bouncing())
    other.state = sim.state
    assert other.time == sim.time
    assert other.inputs == sim.inputs
    assert other.outputs["y"] == pytest.approx(sim.outputs["y"], abs=rounding(10))
    assert other.step(0.01)["y"] == pytest.approx(sim.step(0.01)["y"], abs=rounding(1000))


def test_an_event_ends_the_motion() -> None:
    sim = ff.Simulation(switched(), step=4e-3)
    while not sim.ended:
        seen = sim.step(0.05, {"pull": 50.0})
    assert seen["x"] == pytest.approx(-0.2, abs=1e-9)
    assert [each.name for each in sim.happened()] == ["turn", "end"]
    with pytest.raises(FlexframeError, match="the motion has ended"):
        sim.step(0.05)


def test_wrong_calls_are_refused(tmp_path: Path) -> None:
    sim = ff.Simulation(bouncing())
    for inputs, words in (({"bow": 1.0}, "did you mean 'blow'"), ({"blow": np.nan}, "give a finite number")):
        with pytest.raises(FlexframeError, match=words):
            sim.step(0.01, inputs)
    with pytest.raises(FlexframeError, match="give a time above zero"):
        sim.step(-0.01)
    with pytest.raises(FlexframeError, match="unknown sensor 'z'"):
        ff.Simulation(bouncing(), outputs=["z"])
    ff.Simulation(switched()).save(tmp_path / "other")
    with pytest.raises(FlexframeError, match="the state of another system"):
        sim.restore(tmp_path / "other")
    (tmp_path / "damaged").write_bytes(b"flexframe model\n" + bytes(100))
    with pytest.raises(FlexframeError, match="damaged"):
        sim.restore(tmp_path / "damaged")

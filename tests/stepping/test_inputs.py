"""Inputs of a system: values from outside in formulas, their derivatives, files and refusals."""

from pathlib import Path

import numpy as np
import pytest
from tests.rounding import rounding

import flexframe as ff
from flexframe import _core
from flexframe.analyses.transient.coupled.division import elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.cases.case import load_case
from flexframe.controllers import PID, Gain
from flexframe.errors import FlexframeError
from flexframe.loads import Actuator, BodyLoads, LineLoad
from flexframe.multibody.contract import SimulationOptions
from flexframe.multibody.equations import place_of
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system

PULL, TORQUE, TILT = 3.0, 0.4, 0.7


def machine(**more: object) -> ff.System:
    """A block and an arm whose forces follow inputs: directly, squared, through a controller, as tilted weight."""
    given: dict[str, object] = {
        "loads": [
            ff.MarkerForce("push", "block", ("pull**2", 0.0)),
            Actuator("motor", "ground", "arm", "torque*(1 + 0.5*angle) + lead"),
            ff.SystemGravity("weight", (0.0, -9.81), factor="tilt"),
        ],
        "sensors": {"angle": ff.sensors.RotationSensor("angle", "arm")},
        "controllers": [Gain("lead", "torque*tilt", 2.0)],
        "inputs": [ff.Input("pull", PULL, "N"), ff.Input("torque", TORQUE, "N m"), ff.Input("tilt", TILT)],
    }
    return ff.System(
        [
            ff.RigidBody("block", 2.0, np.array(0.01)),
            ff.RigidBody("arm", 1.0, np.array(0.02), np.array([0.1, 0.0, 0.0])),
        ],
        [ff.Prismatic("guide", "ground", "block", axis=(1.0, 0.0)), ff.Revolute("axis", "ground", "arm")],
        **(given | more),  # type: ignore[arg-type]
    )


def test_a_constant_input_pulls() -> None:
    """x = F t²/2m, which equal steps of a method of second order meet but for rounding of their sums."""
    found = ff.simulate(
        machine(), duration=0.5, steps=50, samples=11, sensors={"x": ff.sensors.MarkerSensor("position", "block")}
    )
    expected = 0.5 * PULL**2 / 2.0 * found.times**2
    np.testing.assert_allclose(found.sensors["x"].values[:, 0], expected, rtol=rounding(50, 1e3), atol=1e-14)


def test_an_input_is_as_good_as_its_number() -> None:
    """The same motion as with numbers in the formulas."""
    options = SimulationOptions(duration=0.5, steps=100, samples=11)
    named = integrate(dynamic_system(machine()), options)
    loads = [
        ff.MarkerForce("push", "block", (PULL**2, 0.0)),
        Actuator("motor", "ground", "arm", f"{TORQUE}*(1 + 0.5*angle) + {2 * TORQUE * TILT}"),
        ff.SystemGravity("weight", (0.0, -9.81), factor=TILT),
    ]
    plain = integrate(dynamic_system(machine(loads=loads, controllers=[], inputs=[])), options)
    np.testing.assert_allclose(named.positions, plain.positions, rtol=0, atol=rounding(100, 1e4))
    np.testing.assert_allclose(named.angles, plain.angles, rtol=0, atol=rounding(100, 1e4))


def test_slopes_of_the_residual_and_of_signals() -> None:
    """∂r/∂w against central differences, which are exact for a quadratic but for rounding over the stride."""
    system = dynamic_system(machine())
    place = place_of(system, initial_state(system))
    evaluation = _core.Evaluation(system.compiled)
    x, multipliers = np.full(system.size, 0.3), np.zeros(system.rows)

    def at(held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        evaluation.evaluate(place._replace(held=held), 0.0, x, multipliers, False)
        return evaluation.residual(), evaluation.signals()

    at(place.held)
    slopes = evaluation.input_slopes(3)
    assert [each.shape for each in slopes] == [(system.size + system.rows, 3), (len(system.network.signals), 3)]
    stride = 2.0**-10
    for k in range(3):
        step = stride * np.eye(len(place.held))[k]
        for exact, ahead, behind in zip(slopes, at(place.held + step), at(place.held - step), strict=True):
            np.testing.assert_allclose(
                exact[:, k], (ahead - behind) / (2 * stride), rtol=0, atol=rounding(100, 100 / stride)
            )
    assert np.abs(slopes[0][:, 0]).max() == pytest.approx(2 * PULL, rel=rounding(100))


@pytest.mark.parametrize("exact", [False, True])
def test_loads_of_bodies_follow_inputs(exact: bool) -> None:
    """A cantilever, reduced or as exact beams: ∂r/∂w of the factor w² is 2 w times what the load adds to r."""
    beam = ff.Body.beam(
        "beam",
        length=1.0,
        divisions=4,
        section=ff.Rectangle(0.02, 0.01),
        material=ff.STEEL,
        loads=[ff.NodeForce("end", (0.0, 1.0, 0.0)), LineLoad((0.0, 1.0, 0.0))],
    )
    system = ff.System(
        [beam],
        [ff.Weld("wall", "ground", "beam.start")],
        loads=[BodyLoads("pull", "beam", factor="pull**2")],
        inputs=[ff.Input("pull", PULL)],
    )
    made = elastic_system(system, {"beam": ReductionChoice(exact=exact)}, watched={})
    dynamic = dynamic_system(made.system, {name: part.reduced for name, part in made.parts.items()})
    evaluation = _core.Evaluation(dynamic.compiled)
    place = place_of(dynamic, initial_state(dynamic))

    def residual(held: float) -> np.ndarray:
        zero = np.zeros(dynamic.size), np.zeros(dynamic.rows)
        evaluation.evaluate(place._replace(held=np.array([held])), 0.0, *zero, False)
        return evaluation.residual()

    load = residual(1.0) - residual(0.0)
    assert np.abs(load).max() > 0.1
    residual(PULL)
    found, _ = evaluation.input_slopes(1)
    np.testing.assert_allclose(found[:, 0], 2 * PULL * load, rtol=0, atol=rounding(100, 100 * np.abs(load).max()))


def test_inverse_dynamics_has_the_value() -> None:
    """A crank that is driven steadily against a torque of an input: the drive holds that torque."""
    system = ff.System(
        [ff.RigidBody("arm", 1.0, np.array(0.02))],
        [ff.Revolute("axis", "ground", "arm")],
        [ff.AngleDrive("drive", "ground", "arm", "3*t")],
        [Actuator("load", "ground", "arm", "-torque")],
        inputs=[ff.Input("torque", 2.5, "N m")],
    )
    found = ff.joint_forces(system, np.linspace(0.0, 1.0, 5))
    np.testing.assert_allclose(found.forces.joints["drive"].values, 2.5, rtol=rounding(100))


CASE = """
parameters: {{mass: 2 kg}}
bodies:
  block: {{mass: mass}}
joints:
  guide: {{prismatic: [ground, block], axis: [1, 0]}}
sensors:
  x: {{position: block, along: [1, 0]}}
inputs:
  {name}: {{value: {value}}}
loads:
  push: {{on: block, force: ["{law}", 0]}}
analyses:
  move: {{kind: transient, duration: 0.1 s, step: 1 ms}}
"""


def write(folder: Path, name: str = "pull", value: str = "3 N", law: str = "2*pull") -> Path:
    path = folder / "case.yaml"
    path.write_text(CASE.format(name=name, value=value, law=law))
    return path


def test_a_case_has_inputs(tmp_path: Path) -> None:
    system = load_case(write(tmp_path, value="2 kN")).system()
    assert system.inputs[0] == ff.Input("pull", 2000.0, "N")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"law": "pul"}, "did you mean 'pull'"),
        ({"law": "pull.x"}, "the input pull has no component 'x'; it is one number, write pull"),
        ({"name": "x", "law": "x"}, "two of the sensor, controller or input entries are called 'x'"),
        ({"name": "mass", "law": "3"}, "the name 'mass' is also that of a parameter; choose another"),
        ({"name": "sin", "law": "3"}, "the name 'sin' is a word of formulas"),
        ({"value": "3 Hz"}, "could mean turns or radians"),
        (
            {"value": "0 parsec", "law": "-pull"},
            "loads.push.force: input pull is a length [m], and here a force is wanted; give its value in N",
        ),
        ({"value": "[1]"}, "is not a plain number"),
    ],
)
def test_wrong_inputs_are_refused_at_check(given: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(FlexframeError) as caught:
        load_case(write(tmp_path, **given))
    text = str(caught.value)
    assert words in text
    assert "case.yaml:" in text


@pytest.mark.parametrize(("value", "law"), [("3", "pull"), ("3 kg m/s^2", "pull"), ("3 mm", "200*pull")])
def test_inputs_that_may_be_forces_are_taken(value: str, law: str, tmp_path: Path) -> None:
    """A plain number in SI, another name of the unit, and a product with a number of any unit."""
    assert load_case(write(tmp_path, value=value, law=law)).system().inputs[0].value in (3.0, 0.003)


def test_a_drive_follows_no_input() -> None:
    with pytest.raises(FlexframeError, match="follows pull, an input, which may jump"):
        machine(drives=[ff.PositionDrive("d", "ground", "block", "pull", axis=(1.0, 0.0))])


def test_an_input_must_be_a_number() -> None:
    with pytest.raises(FlexframeError, match="input pull is nan; give a finite number"):
        ff.Input("pull", float("nan"))


def test_controllers_read_inputs() -> None:
    """A PID whose set value is an input has it among its signals from the start."""
    system = machine(controllers=[Gain("lead", "tilt", 1.0), PID("hold", "pull - angle", kp=2.0)])
    found = integrate(dynamic_system(system), SimulationOptions(duration=0.01, steps=2, samples=2))
    output = dynamic_system(system).network.outputs["hold"][""]
    assert found.signals[0, output] == pytest.approx(2 * PULL, rel=rounding(10))

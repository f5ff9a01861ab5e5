"""Model exchange: CVode integrates the equations of a unit through FMPy; constraints hold, events happen."""

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import fmpy
import numpy as np
import pytest
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Model
from fmpy.sundials import CVodeSolver
from fmpy.validation import validate_fmu
from tests.rounding import rounding

import flexframe as ff
from flexframe.cases.case import load_case
from flexframe.cases.stepping import stepped_system
from flexframe.contacts import NormalLaw
from flexframe.controllers import PythonFunction
from flexframe.errors import FlexframeError
from flexframe.loads import Actuator

from .machines import bouncing, elastic_arm, pendulum, resting, switched, two_hinges, whirling

EXAMPLES = Path(__file__).parents[2] / "examples"


def integrated(path: Path, stop: float, intervals: int, tolerance: float, **start: float) -> Any:
    """Columns of all outputs, by CVode."""
    return fmpy.simulate_fmu(
        str(path),
        stop_time=stop,
        output_interval=stop / intervals,
        relative_tolerance=tolerance,
        start_values=start,
        record_events=False,
        fmi_type="ModelExchange",
    )


def own(system: ff.System, stop: float, intervals: int, **options: Any) -> dict[str, np.ndarray]:
    """The same by our explicit pair of order eight, far more exactly."""
    found = ff.simulate(
        system,
        duration=stop,
        tolerance=1e-11,
        integrator="dormand_prince_853",
        samples=intervals + 1,
        stress=False,
        **options,
    )
    columns = {}
    for name, sensor in found.sensors.items():
        parts = [f"{name}.{part}" for part in sensor.components] or [name]
        columns |= dict(zip(parts, sensor.values.reshape(len(found.times), -1).T, strict=True))
    return columns


def slider_crank() -> tuple[ff.System, dict[str, Any]]:
    """The example without its many steps."""
    system, options = stepped_system(load_case(EXAMPLES / "slider_crank_flexible.yaml"))
    return system, {name: options[name] for name in ("reductions", "initial_deformation")}


def robot_arm() -> tuple[ff.System, dict[str, Any]]:
    """The example with a sampled controller and a gear with play."""
    system, options = stepped_system(load_case(EXAMPLES / "robot_joint_control.yaml"))
    return system, {"reductions": options["reductions"]}


MACHINES: Mapping[str, tuple[Callable[[], Any], float, int]] = {
    "slider_crank": (slider_crank, 2e-3, 20),
    "robot_arm": (robot_arm, 0.02, 20),
    "bouncing": (lambda: (bouncing(), {}), 0.4, 40),
    "switched": (lambda: (switched(), {}), 0.8, 40),
    "whirling": (lambda: (whirling(), {}), 1.0, 25),
    "two_hinges": (lambda: (two_hinges(), {}), 2.0, 20),
}


@pytest.mark.parametrize("name", MACHINES)
def test_cvode_finds_our_motion(name: str, tmp_path: Path) -> None:
    """Contacts, switches, samples and other coordinates are events.

    CVode keeps the error of a step at 1e-9 of states with nominal values, of which a thousand gather over the
    steps. The torque of the crank's drive follows accelerations, which have the errors of stiff shapes 1e4 times.
    """
    make, stop, intervals = MACHINES[name]
    system, options = make()
    path = ff.write_fmu(system, tmp_path / "unit.fmu", fmi=2, interface="model_exchange", **options)
    assert validate_fmu(str(path)) == []
    found, expected = integrated(path, stop, intervals, 1e-9), own(system, stop, intervals, **options)
    compared = [column for column in expected if column in (found.dtype.names or ())]
    assert compared
    for column in compared:
        close = (1e-3 if column == "torque" else 1e-6) * (1 + np.abs(expected[column]).max())
        np.testing.assert_allclose(found[column], expected[column], rtol=0, atol=close)
    assert max(np.ptp(expected[column]) for column in compared) > 1e-4


def test_deflections_are_followed_to_the_tolerance(tmp_path: Path) -> None:
    """An elastic arm that a torque begins to swing: the tip is as exact as the angle."""
    system = elastic_arm(
        sensors={"tip": ff.sensors.MarkerSensor("position", "arm.end", along=(0.0, 1.0))},
        controllers=[],
        loads=[Actuator("motor", "ground", "arm.start", "torque")],
        inputs=[ff.Input("torque", 0.5, "N m")],
    )
    path = ff.write_fmu(system, tmp_path / "unit.fmu", interface="model_exchange")
    expected = own(system, 0.05, 50)["tip"]
    for tolerance in (1e-5, 1e-7):
        found = integrated(path, 0.05, 50, tolerance)["tip"]
        # the angle to the tolerance on 0.8 m, deflections to a thousandth of that over some hundred steps
        assert np.abs(found - expected).max() < 0.9 * tolerance
    assert np.ptp(expected) > 1e-3


@pytest.mark.parametrize("fmi", [2, 3])
def test_both_versions_and_both_interfaces_of_one_unit(fmi: Any, tmp_path: Path) -> None:
    """(I + m l²) θ̈ = −m g l cos θ from rest at θ = 0: |θ̇| = √(2 m g l |sin θ|/(I + m l²)) all the way down."""
    path = ff.write_fmu(pendulum(), tmp_path / "unit.fmu", fmi=fmi, interface="both", step=1e-3)
    assert validate_fmu(str(path)) == []
    inertia, weight = 0.06 + 2.0 * 0.3**2, 2.0 * 9.81 * 0.3
    found = integrated(path, 0.3, 30, 1e-10)
    rate = np.gradient(found["angle"], found["time"], edge_order=2)
    expected = -np.sqrt(2 * weight * np.abs(np.sin(found["angle"])) / inertia)
    # differences over 10 ms of an angle with third derivatives of some 100 rad/s³
    np.testing.assert_allclose(rate[1:-1], expected[1:-1], atol=2e-2)
    stepped = fmpy.simulate_fmu(str(path), stop_time=0.3, output_interval=0.01, fmi_type="CoSimulation")
    # second order: (1 ms)² of a motion with a time of 0.1 s
    np.testing.assert_allclose(stepped["angle"], found["angle"], atol=2e-4)


def test_states_have_names_units_and_starts(tmp_path: Path) -> None:
    path = ff.write_fmu(elastic_arm(), tmp_path / "unit.fmu", fmi=3, interface="both")
    variables = {each.name: each for each in read_model_description(str(path)).modelVariables}
    angle, rate = variables["arm.angle"], variables["der(arm.angle)"]
    assert (angle.unit, angle.causality, angle.initial) == ("rad", "local", "exact")
    assert rate.derivative is angle
    assert rate.unit == "rad/s"
    assert variables["arm.angular_velocity"].unit == "rad/s"
    # a radian; a millimetre of all the mass, of a machine of one joint, which has the length of a metre
    mass = 0.8 * 0.03 * 0.006 * ff.STEEL.density
    assert float(angle.nominal) == 1.0
    assert float(variables["arm.shape_1"].nominal) == pytest.approx(1e-3 * np.sqrt(mass), rel=1e-9)
    assert variables["control.state_1"].description == "State 1 of the controller control"
    assert variables["tip.x"].description == "Component of the sensor tip"


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_values_at_the_start_are_set(kind: str, tmp_path: Path) -> None:
    """The angle at which a pendulum begins, as that of a system that is made so."""
    path = ff.write_fmu(pendulum(), tmp_path / "unit.fmu", interface="both", step=1e-3)
    start = {"rod.angle": 0.4, "rod.angular_velocity": -1.0}
    found = fmpy.simulate_fmu(
        str(path), stop_time=0.5, output_interval=0.05, fmi_type=kind, start_values=start, relative_tolerance=1e-9
    )
    placed = ff.Placement(np.zeros(3), np.array([0.0, 0.0, 0.4]), np.zeros(3), np.array([0.0, 0.0, -1.0]))
    expected = own(pendulum(start={"rod": placed}), 0.5, 10)["angle"]
    tolerance = 1e-6 if kind == "ModelExchange" else 1e-4  # that of CVode, and h² of our steps
    np.testing.assert_allclose(found["angle"], expected, atol=tolerance)


def test_other_coordinates_keep_the_constraints(tmp_path: Path) -> None:
    """A weight that whirls at 0.5 m round a pin passes places at which its x or its y is no coordinate."""
    path = ff.write_fmu(whirling(), tmp_path / "unit.fmu", interface="model_exchange")
    found = integrated(path, 5.0, 100, 1e-6)
    assert np.abs(np.diff(np.unwrap(np.arctan2(found["at.y"], found["at.x"])))).sum() > 4 * np.pi
    np.testing.assert_allclose(found["length"], 0.5, rtol=0, atol=1e-13)  # solved to 1e-14 of the length


# ---------------------------------------------------------------------- drift


class Counted:
    """How often CVode has accepted a step: it then looks at the event indicators, and seldom otherwise."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.looks = 0
        before = CVodeSolver.g

        def look(solver: Any, *arguments: Any) -> int:
            self.looks += 1
            return int(before(solver, *arguments))

        monkeypatch.setattr(CVodeSolver, "g", look)


def pins(system: ff.System) -> ff.System:
    """The slider-crank with sensors between the points that its hinges hold together."""
    gaps = {
        "gap_B": ff.sensors.RelativeSensor("distance", ("crank.B", "rod.start")),
        "gap_C": ff.sensors.RelativeSensor("distance", ("rod.end", "slider.C")),
    }
    return ff.System(
        system.bodies,
        system.joints,
        system.drives,
        sensors=gaps,
        start=system.start,
        ground=system.ground,
        space=system.space,
    )


def run_crank(tmp_path: Path, stop: float, monkeypatch: pytest.MonkeyPatch) -> int:
    """Steps of CVode, in which no pin leaves its hole by more than rounding allows."""
    system, options = slider_crank()
    path = ff.write_fmu(pins(system), tmp_path / "unit.fmu", interface="model_exchange", **options)
    counted = Counted(monkeypatch)
    found = integrated(path, stop, round(stop / 1e-4), 1e-6)
    for name in ("gap_B", "gap_C"):
        # solved to 1e-14 of the length of the machine, 0.45 m, at every instant
        assert np.abs(found[name]).max() < 1e-13
    half = len(found) // 2
    assert np.abs(found["gap_C"][half:]).max() < 10 * rounding(10) + np.abs(found["gap_C"][:half]).max()
    return counted.looks


def test_pins_stay_in_their_holes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_crank(tmp_path, 3e-3, monkeypatch) > 1000


@pytest.mark.slow  # 1e5 steps of an elastic machine
def test_nothing_drifts_over_very_many_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_crank(tmp_path, 0.5, monkeypatch) > 100_000


# ---------------------------------------------------------------------- derivatives


class Model:
    """An instance for model exchange by FMI 2.0 at its start."""

    def __init__(self, path: Path) -> None:
        description = read_model_description(str(path))
        self.references = {each.name: each.valueReference for each in description.modelVariables}
        self.states = [each.variable.derivative.name for each in description.derivatives]
        self.unit = FMU2Model(
            guid=description.guid,
            unzipDirectory=extract(str(path), unzipdir=mkdtemp(dir=path.parent)),
            modelIdentifier=description.modelExchange.modelIdentifier,
            instanceName="one",
        )
        self.unit.instantiate()
        self.unit.setupExperiment(startTime=0.0)
        self.unit.enterInitializationMode()

    def begin(self, **values: float) -> "Model":
        for name, value in values.items():
            self.unit.setReal([self.references[name]], [value])
        self.unit.exitInitializationMode()
        self.unit.newDiscreteStates()
        self.unit.enterContinuousTimeMode()
        return self

    def slope(self, unknown: str, known: str) -> float:
        """∂unknown/∂known."""
        found = self.unit.getDirectionalDerivative([self.references[unknown]], [self.references[known]], [1.0])
        return float(found[0])

    def jacobian(self) -> np.ndarray:
        """∂ẋ/∂x."""
        rates = [self.references[f"der({name})"] for name in self.states]
        columns = [
            self.unit.getDirectionalDerivative(rates, [self.references[name]], [1.0]) for name in self.states
        ]
        return np.array(columns).T

    def end(self) -> None:
        self.unit.terminate()
        self.unit.freeInstance()


def test_directional_derivatives_of_a_pendulum(tmp_path: Path) -> None:
    """θ̈ = (M − m g l cos θ)/(I + m l²): by θ it is m g l sin θ/(I + m l²), by the torque 1/(I + m l²)."""
    model = Model(ff.write_fmu(pendulum(), tmp_path / "unit.fmu", interface="model_exchange"))
    model.begin(**{"rod.angle": 0.7})
    inertia, weight, rate = 0.06 + 2.0 * 0.3**2, 2.0 * 9.81 * 0.3, "der(rod.angular_velocity)"
    # rounding of θ̈ over strides of 0.004
    close = rounding(100, weight / inertia / 4e-3)
    assert model.slope(rate, "rod.angle") == pytest.approx(weight * np.sin(0.7) / inertia, abs=close)
    assert model.slope(rate, "torque") == pytest.approx(1 / inertia, abs=close)
    assert model.slope("der(rod.angle)", "rod.angular_velocity") == pytest.approx(1.0, abs=close)
    assert model.slope("angle", "rod.angle") == pytest.approx(1.0, abs=close)
    assert model.slope("angle", "torque") == pytest.approx(0.0, abs=close)
    model.end()


def test_poles_are_those_of_the_linear_model(tmp_path: Path) -> None:
    """∂ẋ/∂x of the arm in its equilibrium against the matrix that `linearise` finds in other coordinates."""
    system = elastic_arm(controllers=[], loads=[ff.SystemGravity("weight", (0.0, -9.81))])
    hung = ff.Placement(np.zeros(3), np.array([0.0, 0.0, -np.pi / 2]))
    system = ff.System(
        system.bodies,
        system.joints,
        loads=system.loads,
        sensors={"tip": system.sensors["tip"]},
        start={"arm": hung},
    )
    model = Model(ff.write_fmu(system, tmp_path / "unit.fmu", interface="model_exchange")).begin()
    found = np.linalg.eigvals(model.jacobian())
    model.end()
    expected = ff.linearise(system, point="equilibrium").poles
    lowest = np.sort(np.abs(expected))[:8]
    # both by differences: 1e-9 of the largest, 1e6 rad/s, would hide the lowest; squares of frequencies count
    np.testing.assert_allclose(np.sort(np.abs(found))[:8], lowest, rtol=1e-5)


def test_no_derivative_is_given_where_there_is_none(tmp_path: Path) -> None:
    path = ff.write_fmu(bouncing(), tmp_path / "unit.fmu", interface="model_exchange")
    assert not read_model_description(str(path)).modelExchange.providesDirectionalDerivative
    path = ff.write_fmu(pendulum(), tmp_path / "other.fmu", interface="model_exchange")
    assert read_model_description(str(path)).modelExchange.providesDirectionalDerivative


# ---------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("system", "words"),
    [
        (resting, "an impulsive contact comes to rest, which changes the number of states"),
        (lambda: bouncing(NormalLaw("impulsive", restitution=0.5)), "give the contact a law with a stiffness"),
        (
            lambda: switched(PythonFunction("hold", "x", lambda t, x: x + 0 * t, period=0.01)),
            "a function of Python",
        ),
    ],
)
def test_what_equations_cannot_be_is_refused(system: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(FlexframeError, match=words):
        ff.write_fmu(system(), tmp_path / "x.fmu", interface="model_exchange")


def test_formulas_that_jump_are_refused(tmp_path: Path) -> None:
    along = (1.0, 0.0)
    system = ff.System(
        [ff.RigidBody("block", 1.0, 0.01)],
        [ff.Prismatic("guide", "ground", "block", axis=along)],
        loads=[ff.MarkerForce("push", "block", ("-3*sign(v)", 0.0))],
        sensors={"v": ff.sensors.MarkerSensor("velocity", "block", along=along)},
    )
    with pytest.raises(FlexframeError, match=r"sign\(v\) of push may slide along its jump.*take co-simulation"):
        ff.write_fmu(system, tmp_path / "x.fmu", interface="model_exchange")


def test_locks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FlexframeError, match=r"lock of \w+ changes the number of states; take co-simulation"):
        system, options = stepped_system(load_case(EXAMPLES / "geneva.yaml"))
        ff.write_fmu(system, tmp_path / "x.fmu", interface="model_exchange", **options)


def test_an_unknown_interface_is_refused(tmp_path: Path) -> None:
    wrong: Any = "exchange"
    with pytest.raises(FlexframeError, match="unknown interface 'exchange'"):
        ff.write_fmu(pendulum(), tmp_path / "x.fmu", interface=wrong)

"""Units for co-simulation: described as the standard wants it, stepped by FMPy without anything of ours."""

import json
import re
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import fmpy
import numpy as np
import pytest
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

import flexframe as ff
from flexframe.analyses.fmu.writing import compiled_library
from flexframe.cases.case import load_case
from flexframe.cases.stepping import stepped_system
from flexframe.controllers import PythonFunction
from flexframe.errors import FlexframeError

from .machines import bouncing, elastic_arm, switched

EXAMPLES = Path(__file__).parents[2] / "examples"
SAME = 1e-8  # of outputs relative to their size: another build of the core rounds differently

STEPS = """
import json, sys
sys.modules["flexframe"] = None  # an import of it would fail
import fmpy
path, stop, step, values = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), json.loads(sys.argv[4])
found = fmpy.simulate_fmu(path, stop_time=stop, step_size=step, output_interval=step, start_values=values)
print(json.dumps({name: found[name].tolist() for name in found.dtype.names}))
"""


def by_fmpy(path: Path, stop: float, step: float, values: dict[str, float]) -> dict[str, list[float]]:
    """What a process with nothing of ours on its path computes."""
    command = [sys.executable, "-c", STEPS, str(path), repr(stop), repr(step), json.dumps(values)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=path.parent, timeout=300)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[float]] = json.loads(done.stdout.splitlines()[-1])
    return found


def slider_crank() -> tuple[ff.System, dict[str, Any]]:
    system, options = stepped_system(load_case(EXAMPLES / "slider_crank_flexible.yaml"))
    return system, options | {"step": 2e-4}


def six_axes() -> tuple[ff.System, dict[str, Any]]:
    """The arm of a URDF file, one link elastic, that leads its tool along a path."""
    system, options = stepped_system(load_case(EXAMPLES / "robot_arm_path.yaml"))
    return system, options | {"step": 2e-3}


EXAMPLE_MACHINES = {"slider_crank": slider_crank, "six_axes": six_axes}


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("machine", ["slider_crank", "six_axes", "elastic_arm", "bouncing", "switched"])
def test_a_unit_moves_as_the_system(machine: str, fmi: Any, tmp_path: Path) -> None:
    """Co-simulation with our step, and a description in which a validator finds nothing to say."""
    made: dict[str, tuple[ff.System, dict[str, Any]]] = {
        "elastic_arm": (elastic_arm(), {"step": 1e-3}),
        "bouncing": (bouncing(), {}),
        "switched": (switched(), {"step": 4e-3}),
    }
    system, options = EXAMPLE_MACHINES[machine]() if machine in EXAMPLE_MACHINES else made[machine]
    path = ff.write_fmu(system, tmp_path / "unit.fmu", fmi=fmi, **options)
    assert validate_fmu(str(path)) == []
    step, count = 5 * options.get("step", 1e-3), 40
    values = {each.name: each.value + 0.3 for each in system.inputs}
    found = by_fmpy(path, count * step, step, values)
    sim = ff.Simulation(system, **options)
    rows = [sim.step(step, values) for _ in range(count)]
    for name in sim.outputs:
        expected = np.array([row[name] for row in rows])
        np.testing.assert_allclose(found[name][1:], expected, rtol=0, atol=SAME * (1 + np.abs(expected).max()))
    assert np.ptp(expected) > 1e-6


class Slave:
    """An instance of a unit of either version, and what it says."""

    def __init__(self, path: Path, token: str | None = None) -> None:
        self.description = read_model_description(str(path))
        self.folder = extract(str(path), unzipdir=mkdtemp(dir=path.parent))  # not over a library that is loaded
        kind = FMU2Slave if self.description.fmiVersion == "2.0" else FMU3Slave
        guid = token or self.description.guid or self.description.instantiationToken
        self.unit = kind(
            guid=guid,
            unzipDirectory=self.folder,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="one",
        )
        self.references = {each.name: each.valueReference for each in self.description.modelVariables}

    def begin(self, **values: float) -> "Slave":
        self.unit.instantiate()
        if isinstance(self.unit, FMU2Slave):
            self.unit.setupExperiment(startTime=0.0)
        self.unit.enterInitializationMode()
        self.set(**values)
        self.unit.exitInitializationMode()
        return self

    def set(self, **values: float) -> None:
        setter = self.unit.setReal if isinstance(self.unit, FMU2Slave) else self.unit.setFloat64
        for name, value in values.items():
            setter([self.references[name]], [value])

    def get(self, name: str) -> float:
        getter = self.unit.getReal if isinstance(self.unit, FMU2Slave) else self.unit.getFloat64
        return float(getter([self.references[name]])[0])

    def step(self, point: float, length: float = 0.01) -> float:
        self.unit.doStep(currentCommunicationPoint=point, communicationStepSize=length)
        return self.get("tip.y" if "tip.y" in self.references else "y")

    def state(self) -> Any:
        return self.unit.getFMUstate() if isinstance(self.unit, FMU2Slave) else self.unit.getFMUState()

    def set_state(self, state: Any) -> None:
        (self.unit.setFMUstate if isinstance(self.unit, FMU2Slave) else self.unit.setFMUState)(state)

    def end(self) -> None:
        self.unit.terminate()
        self.unit.freeInstance()


@pytest.fixture(params=[2, 3])
def arm(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return ff.write_fmu(elastic_arm(), tmp_path / "arm.fmu", fmi=request.param, parameters=["target"])


def test_two_instances_states_and_reset(arm: Path) -> None:
    """Instances do not see each other; a state goes back bit by bit, also as bytes; a reset is a new start."""
    one, other = Slave(arm).begin(torque=0.5), Slave(arm).begin(torque=-0.5)
    first = [one.step(0.01 * k) for k in range(5)]
    assert other.step(0.0) != first[0]
    kept = one.state()
    ahead = [one.step(0.01 * k) for k in range(5, 10)]
    one.set_state(kept)
    assert [one.step(0.01 * k) for k in range(5, 10)] == ahead
    serialise = one.unit.serializeFMUstate if isinstance(one.unit, FMU2Slave) else one.unit.serializeFMUState
    if isinstance(one.unit, FMU2Slave):
        again = one.unit.deSerializeFMUstate(serialise(kept))
        one.set_state(again)
        assert [one.step(0.01 * k) for k in range(5, 10)] == ahead
    one.unit.reset()
    if isinstance(one.unit, FMU2Slave):
        one.unit.setupExperiment(startTime=0.0)
    one.unit.enterInitializationMode()
    one.set(torque=0.5)
    one.unit.exitInitializationMode()
    assert [one.step(0.01 * k) for k in range(5)] == first
    one.end()
    other.end()
    third = Slave(arm).begin(torque=0.5)  # the library is loaded anew
    assert [third.step(0.01 * k) for k in range(5)] == first
    third.end()


def test_a_tunable_parameter_changes_the_motion(arm: Path) -> None:
    variables = {each.name: each for each in read_model_description(str(arm)).modelVariables}
    assert (variables["target"].causality, variables["target"].variability) == ("parameter", "tunable")
    assert (variables["torque"].causality, variables["torque"].unit) == ("input", "N m")
    high, low = Slave(arm).begin(target=0.21), Slave(arm).begin(target=0.19)
    assert high.step(0.0, 0.1) > low.step(0.0, 0.1)
    high.end()
    low.end()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda slave: slave.set(torque=float("nan")),
        lambda slave: slave.set(**{"tip.x": 1.0}),
        lambda slave: slave.set(internal_step=0.5),
        lambda slave: slave.unit.doStep(currentCommunicationPoint=3.0, communicationStepSize=0.01),
        lambda slave: slave.unit.doStep(currentCommunicationPoint=0.0, communicationStepSize=-0.01),
    ],
)
def test_wrong_values_are_errors_and_no_crash(wrong: Any, arm: Path) -> None:
    slave = Slave(arm).begin()
    with pytest.raises(Exception, match=r"status 3|error|Error"):
        wrong(slave)
    slave.step(0.0)  # it goes on
    slave.unit.freeInstance()


def test_a_unit_with_another_token_is_refused(arm: Path) -> None:
    with pytest.raises(Exception, match=r"instantiate"):
        Slave(arm, "{another}").begin()


def test_a_damaged_model_is_refused(arm: Path) -> None:
    slave = Slave(arm)
    model = Path(slave.folder) / "resources" / "model.flexframe"
    data = bytearray(model.read_bytes())
    data[len(data) // 2] ^= 0xFF
    model.write_bytes(data)
    with pytest.raises(Exception, match=r"instantiate"):
        slave.begin()


def test_what_a_file_cannot_hold_is_refused(tmp_path: Path) -> None:
    system = switched(PythonFunction("hold", "x", lambda t, x: 1 - x + 0 * t, period=0.01))
    with pytest.raises(FlexframeError, match="a function of Python cannot be kept in a file"):
        ff.write_fmu(system, tmp_path / "x.fmu")
    with pytest.raises(FlexframeError, match="unknown input 'taret'"):
        ff.write_fmu(elastic_arm(), tmp_path / "x.fmu", parameters=["taret"])


def test_the_library_needs_nothing_but_the_system() -> None:
    """No C++ library, no Python: the functions of both interfaces, and those of the C library."""
    if not sys.platform.startswith("linux"):
        return
    found = subprocess.run(["ldd", str(compiled_library())], capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r"^\s*(?:/\S*/)?([\w+-]+)\.so", found, flags=re.MULTILINE))
    assert names <= {"linux-vdso", "libm", "libc", "libgcc_s", "ld-linux-x86-64", "ld-linux-aarch64", "libpthread"}


def test_the_command(tmp_path: Path) -> None:
    target, case = tmp_path / "crank.fmu", EXAMPLES / "slider_crank_flexible.yaml"
    command = [sys.executable, "-m", "flexframe", "fmu", str(case), "--out", str(target), "--fmi", "3"]
    done = subprocess.run([*command, "--step", "1 ms"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "FMI 3.0, co-simulation, inputs: none" in done.stdout
    step = next(
        each for each in read_model_description(str(target)).modelVariables if each.name == "internal_step"
    )
    assert float(step.start) == 1e-3


TUNED = """
parameters: {stiffness: 300 N/m, weight: 2 kg}
bodies:
  block: {mass: weight}
joints:
  guide: {prismatic: [ground, block], axis: [1, 0]}
sensors:
  x: {position: block, along: [1, 0]}
loads:
  spring: {on: block, force: ["3 - stiffness*x", 0]}
analyses:
  move: {kind: transient, duration: 1 s, step: 1 ms}
"""


def write_tuned(tmp_path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "case.yaml").write_text(TUNED)
    command = [sys.executable, "-m", "flexframe", "fmu", str(tmp_path / "case.yaml"), *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_parameter_of_formulas_becomes_a_tunable_one(tmp_path: Path) -> None:
    """x swings about F/k with √(k/m), the stiffness being another than that of the case."""
    done = write_tuned(tmp_path, "--parameter", "stiffness", "--interface", "both", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["interface"] == "both"
    path = tmp_path / "case.fmu"
    assert validate_fmu(str(path)) == []
    variables = {each.name: each for each in read_model_description(str(path)).modelVariables}
    tuned = variables["stiffness"]
    assert (tuned.causality, tuned.variability, tuned.unit, float(tuned.start)) == (
        "parameter",
        "tunable",
        "N/m",
        300.0,
    )
    found = fmpy.simulate_fmu(
        str(path),
        stop_time=1.0,
        output_interval=0.05,
        start_values={"stiffness": 200.0},
        relative_tolerance=1e-9,
        fmi_type="ModelExchange",
    )
    expected = 3 / 200 * (1 - np.cos(np.sqrt(200 / 2) * found["time"]))
    np.testing.assert_allclose(found["x"], expected, atol=1e-6)  # CVode's tolerance over a few hundred steps


def test_a_parameter_of_the_compiled_model_cannot_be_tuned(tmp_path: Path) -> None:
    done = write_tuned(tmp_path, "--parameter", "weight")
    assert done.returncode == 2
    assert "weight cannot be tuned: only formulas of loads, controllers and events read it" in done.stderr
    assert "bodies.block.mass is a number of the compiled model" in done.stderr
    done = write_tuned(tmp_path, "--parameter", "wieght")
    assert done.returncode == 2
    assert "unknown input 'wieght'" in done.stderr

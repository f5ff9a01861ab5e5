"""Units of other simulators as controllers and force blocks: stepped, converted, refused in one line."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.rounding import rounding

import flexframe as ff
from flexframe.cases.case import load_case
from flexframe.commands.check import check
from flexframe.controllers import FMU, PythonFunction
from flexframe.errors import FlexframeError
from flexframe.loads import Actuator

from .machines import pendulum

UNIT = Path(__file__).parent / "unit"
SAME = 1e-8  # of outputs relative to their size: another build of the core rounds differently
PLATFORMS = {"linux": "linux64", "darwin": "darwin64", "win32": "win64"}


@pytest.fixture(scope="session")
def regulator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A unit in C that has nothing of ours, compiled here."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here")
    folder = tmp_path_factory.mktemp("regulator")
    library = folder / f"regulator{'.dylib' if sys.platform == 'darwin' else '.so'}"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", str(UNIT / "regulator.c"), "-o", str(library)], check=True
    )
    path = folder / "regulator.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(UNIT / "modelDescription.xml", "modelDescription.xml")
        archive.write(library, f"binaries/{PLATFORMS[sys.platform]}/{library.name}")
    return path


class SameByHand:
    """y = kp e + ki x, x ← x + T e: what the unit does at its instants."""

    def __init__(self, kp: float, ki: float, period: float) -> None:
        self.kp, self.ki, self.period = kp, ki, period
        self.x = self.error = 0.0
        self.begun = False

    def __call__(self, _time: float, angle: float) -> float:
        if self.begun:
            self.x += self.period * self.error
        self.begun, self.error = True, 0.5 - angle
        return self.kp * self.error + self.ki * self.x


def controlled(block: Any) -> ff.System:
    loads = [
        Actuator("motor", "ground", "rod", "torque + torque_of_unit"),
        ff.SystemGravity("weight", (0.0, -9.81)),
    ]
    return pendulum(loads=loads, controllers=[block])


def unit_block(path: Path, **more: Any) -> FMU:
    given: dict[str, Any] = {
        "inputs": {"wanted": 0.5, "measured": "angle"},
        "period": 0.01,
        "parameters": {"kp": 30.0, "ki": 40.0},
    }
    return FMU("torque_of_unit", path, **(given | more))


def test_a_unit_of_somebody_else_controls(regulator: Path) -> None:
    """The same motion as with its recursion by hand; a set angle of 0.5 rad goes to it in degrees."""
    system = controlled(unit_block(regulator))
    found = ff.simulate(system, duration=0.5, step=1e-3, samples=51)
    by_hand = PythonFunction("torque_of_unit", "angle", SameByHand(30.0, 40.0, 0.01), period=0.01)
    expected = ff.simulate(controlled(by_hand), duration=0.5, step=1e-3, samples=51)
    # ten sums of h/10 in the place of one, and the conversion there and back
    np.testing.assert_allclose(
        found.sensors["angle"].values, expected.sensors["angle"].values, rtol=0, atol=rounding(2000, 100)
    )
    again = ff.simulate(system, duration=0.5, step=1e-3, samples=51)
    assert (again.sensors["angle"].values == found.sensors["angle"].values).all()  # it began anew


def test_a_unit_in_a_running_system(regulator: Path) -> None:
    sim = ff.Simulation(controlled(unit_block(regulator)), step=1e-3)
    first = [sim.step(0.01)["angle"] for _ in range(10)]
    kept = sim.save()
    sim.step(0.01)
    sim.reset()
    assert [sim.step(0.01)["angle"] for _ in range(10)] == first
    for _ in range(5):
        sim.step(0.01)
    sim.restore(kept)
    with pytest.raises(
        FlexframeError, match=r"the motion went back from t = 0\.15 s to 0\.11 s, and a unit goes back"
    ):
        sim.step(0.01)


# ---------------------------------------------------------------------- our own units


def absorber() -> ff.System:
    """A mass on a spring whose other end is an input; the force on that end is seen."""
    return ff.System(
        [ff.RigidBody("mass", 0.4, np.array(0.01))],
        [ff.Prismatic("guide", "ground", "mass", axis=(1.0, 0.0))],
        loads=[Actuator("spring", "ground", "mass", "200*(base - x)", along="axis", axis=(1.0, 0.0))],
        sensors={
            "x": ff.sensors.MarkerSensor("position", "mass", along=(1.0, 0.0)),
            "pull": ff.sensors.LoadSensor("spring"),
        },
        inputs=[ff.Input("base", 0.0, "m")],
    )


def host(block: Any = None) -> ff.System:
    """A mass on a soft spring, thrown, and pulled by the absorber: by a block, or by an input."""
    pull = "-absorber" if block is not None else "-pull"
    return ff.System(
        [ff.RigidBody("host", 2.0, np.array(0.01))],
        [ff.Prismatic("guide", "ground", "host", axis=(1.0, 0.0))],
        loads=[ff.MarkerForce("force", "host", (f"{pull} - 500*at", 0.0))],
        sensors={"at": ff.sensors.MarkerSensor("position", "host", along=(1.0, 0.0))},
        start={"host": ff.Placement(np.zeros(3), velocity=(1.0, 0.0, 0.0))},
        controllers=[] if block is None else [block],
        inputs=[ff.Input("pull", 0.0, "N")] if block is None else [],
    )


@pytest.mark.parametrize("fmi", [2, 3])
def test_our_own_unit_comes_back(fmi: Any, tmp_path: Path) -> None:
    """The same motion as two running systems that pass their values on by hand every 2 ms."""
    path = ff.write_fmu(absorber(), tmp_path / "absorber.fmu", fmi=fmi, step=1e-3)
    block = FMU("absorber", path, {"base": "at"}, period=2e-3, outputs=("pull",))
    found = ff.simulate(host(block), duration=0.4, step=1e-3, samples=201).sensors["at"].values
    one, other = ff.Simulation(host(), step=1e-3), ff.Simulation(absorber(), step=1e-3)
    at, pull, expected = one.outputs["at"], other.outputs["pull"], [0.0]
    for _ in range(200):
        after = one.step(2e-3, {"pull": pull})["at"]
        pull = other.step(2e-3, {"base": at})["pull"]
        at = after
        expected.append(at)
    np.testing.assert_allclose(found, expected, rtol=0, atol=SAME)
    assert np.ptp(found) > 0.05


# ---------------------------------------------------------------------- cases


CASE = """
bodies:
  rod: {{mass: 2 kg, inertia: 0.06, centre: [0.3, 0]}}
joints:
  axis: {{revolute: [ground, rod]}}
sensors:
  angle: {{angle: rod}}
  place: {{position: rod, along: [1, 0]}}
controllers:
  regulator: {{fmu: {file}, inputs: {{wanted: pi/6, measured: {measured}}}, period: 10 ms, parameters: {{{more}}}}}
loads:
  weight: {{gravity: [0, -9.81]}}
  motor: {{{load}}}
analyses:
  move: {{kind: transient, duration: 0.2 s, step: 1 ms}}
"""
MOTOR = "actuator: [ground, rod], law: regulator"


def case_with(folder: Path, regulator: Path, **given: str) -> Path:
    words = {"file": str(regulator), "measured": "angle", "more": "kp: 30, ki: 40", "load": MOTOR}
    path = folder / "case.yaml"
    path.write_text(CASE.format(**(words | given)))
    return path


def test_a_case_has_units(regulator: Path, tmp_path: Path) -> None:
    """A file beside the case, 30° as a set angle; the torque is in the tables with its unit."""
    shutil.copy(regulator, tmp_path / "regulator.fmu")
    case = load_case(case_with(tmp_path, Path("regulator.fmu")))
    summary = case.analyses["move"].run(case).summary()
    assert "angle" in str(summary["sensors"])
    system = case.system()
    loads = [Actuator("motor", "ground", "rod", "torque"), ff.SystemGravity("weight", (0.0, -9.81))]

    def regulate(time: float, angle: float, memory: dict[str, float] = {}) -> float:  # noqa: B006 - its state
        memory["x"] = memory.get("x", 0.0) + 0.01 * memory.get("e", 0.0) if time > 0 else 0.0
        memory["e"] = np.pi / 6 - angle
        return 30.0 * memory["e"] + 40.0 * memory["x"]

    same = pendulum(loads=loads, controllers=[PythonFunction("torque", "angle", regulate, period=0.01)], inputs=[])
    found = ff.simulate(system, duration=0.2, step=1e-3, samples=21).sensors["angle"].values
    expected = ff.simulate(same, duration=0.2, step=1e-3, samples=21).sensors["angle"].values
    np.testing.assert_allclose(found, expected, rtol=0, atol=rounding(2000, 100))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"file": "none.fmu"}, "controllers.regulator.fmu: none.fmu: there is no such file"),
        ({"file": "case.yaml"}, "controllers.regulator.fmu: case.yaml is no unit"),
        ({"more": "kd: 3"}, "controllers.regulator.parameters: .* has no parameter 'kd' .* it has kp, ki"),
        (
            {"measured": "place"},
            "controllers.regulator.inputs: .* the input measured of .* is in rad, .* dimension m",
        ),
        ({"measured": "angel"}, "did you mean 'angle'"),
        (
            {"load": "on: rod, force: [regulator, 0]"},
            "loads.motor: motor is in N, and regulator of .* has the dim",
        ),
    ],
)
def test_wrong_units_are_refused_at_check(
    given: dict[str, str], words: str, regulator: Path, tmp_path: Path
) -> None:
    with pytest.raises(FlexframeError, match=words) as caught:
        check(case_with(tmp_path, regulator, **given), (), as_json=False)
    assert re.search(r"case\.yaml:\d+: ", str(caught.value))
    assert len(str(caught.value).splitlines()) == 1


def test_a_confined_case_runs_no_units(regulator: Path, tmp_path: Path) -> None:
    with pytest.raises(
        FlexframeError, match="a unit is a program, which is not run for a case that may not leave"
    ):
        load_case(case_with(tmp_path, regulator), confined=True)


def test_what_a_unit_says_is_told(regulator: Path, tmp_path: Path) -> None:
    """In one line with the name of the block: a value that it refuses, and a step that it does not take."""
    with pytest.raises(FlexframeError, match=r"the unit .* cannot start: kp must not be negative"):
        ff.simulate(controlled(unit_block(regulator, parameters={"kp": -1.0})), duration=0.1, step=1e-3)
    wanted = {"wanted": "20*step(t - 0.05)", "measured": "angle"}  # 1146 degrees
    with pytest.raises(FlexframeError, match=r"failed in its step from t = 0\.05 s: no such angle is wanted"):
        ff.simulate(controlled(unit_block(regulator, inputs=wanted)), duration=0.1, step=1e-3)
    path = ff.write_fmu(pendulum(), tmp_path / "exchange.fmu", interface="model_exchange")
    with pytest.raises(FlexframeError, match="is for model exchange only, and blocks are stepped"):
        FMU("block", path, {}, period=0.01)
    damaged = tmp_path / "damaged.fmu"
    with zipfile.ZipFile(damaged, "w") as archive:
        archive.writestr("modelDescription.xml", "<fmiModelDescription/>")
    with pytest.raises(FlexframeError, match="cannot be read as a unit"):
        FMU("block", damaged, {}, period=0.01)

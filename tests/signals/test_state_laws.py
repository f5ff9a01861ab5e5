"""Loads that follow tables of one or two inputs and functions, against closed forms."""

import ctypes
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import LowLevelCallable
from tests.rounding import rounding

import flexframe as ff
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.table_grid import TableGrid
from flexframe.model.characteristics import ForceTable
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.state_laws import CompiledLaw, PythonLaw, Table
from flexframe.model.system import System
from flexframe.model.system_loads import Actuator, MarkerForce, Spring, SystemGravity
from flexframe.multibody.contract import Simulation, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system
from flexframe.sensors.kinds import MarkerSensor, RotationSensor

M, K, D = 2.0, 800.0, 3.0
X = MarkerSensor("position", "m", along=(1.0, 0.0))
V = MarkerSensor("velocity", "m", along=(1.0, 0.0))


def run(system: System, duration: float, samples: int, **options: object) -> Simulation:
    asked = SimulationOptions(duration=duration, samples=samples, **options)  # type: ignore[arg-type]
    return integrate(dynamic_system(system), asked)


def slider(load: object, **more: object) -> System:
    """A mass on a guide, 0.1 m beside its origin, under a load along it."""
    return System(
        [RigidBody("m", M, np.array(0.01))],
        [Prismatic("guide", "ground", "m", axis=(1.0, 0.0))],
        loads=[load],  # type: ignore[list-item]
        sensors={"x": X, "v": V},
        start={"m": Placement(np.array([0.1, 0.0, 0.0]))},
        **more,  # type: ignore[arg-type]
    )


def damped(t: np.ndarray) -> np.ndarray:
    """The free vibration of the slider under −K x − D v from 0.1 m."""
    decay = D / (2 * M)
    w = np.sqrt(K / M - decay**2)
    return 0.1 * np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t))


# --- tables ------------------------------------------------------------------------------------------------------


def test_a_table_is_exact_where_its_function_is_bilinear() -> None:
    """2 + 3x − y + 0.7xy with its slopes; some ten operations a value of about twenty."""
    random = np.random.default_rng(1)
    x, y = np.sort(random.uniform(0, 5, 7)), np.sort(random.uniform(-1, 2, 6))
    table = TableGrid(tuple(x), tuple(y), 2 + 3 * x[:, None] - y + 0.7 * x[:, None] * y)
    at_x, at_y = random.uniform(x[0], x[-1], 300), random.uniform(y[0], y[-1], 300)
    value, slope_x, slope_y = table.at(at_x, at_y)
    narrow = min(np.diff(x).min(), np.diff(y).min())
    np.testing.assert_allclose(value, 2 + 3 * at_x - at_y + 0.7 * at_x * at_y, atol=20 * rounding(100))
    np.testing.assert_allclose(slope_x, 3 + 0.7 * at_y, atol=20 * rounding(100) / narrow)
    np.testing.assert_allclose(slope_y, -1 + 0.7 * at_x, atol=20 * rounding(100) / narrow)


def test_a_table_stays_between_the_corners_of_its_cells() -> None:
    """Of random values with plateaus, which any interpolation with free slopes overshoots."""
    random = np.random.default_rng(2)
    x, y = np.cumsum(random.uniform(0.1, 2, 8)), np.cumsum(random.uniform(0.1, 2, 7))
    at_x, at_y = random.uniform(x[0], x[-1], 2000), random.uniform(y[0], y[-1], 2000)
    i, j = np.searchsorted(x, at_x) - 1, np.searchsorted(y, at_y) - 1
    for _ in range(30):
        f = random.normal(size=(8, 7)) * (random.uniform(size=(8, 7)) < 0.6)
        value = TableGrid(tuple(x), tuple(y), f).at(at_x, at_y)[0]
        corners = np.stack([f[i, j], f[i + 1, j], f[i, j + 1], f[i + 1, j + 1]])
        assert (value <= corners.max(axis=0) + rounding(100)).all()
        assert (value >= corners.min(axis=0) - rounding(100)).all()


def test_slopes_of_a_table_are_continuous_and_those_of_its_values() -> None:
    """Across the lines of the grid, and by central differences, whose error is h² times a third derivative."""
    random = np.random.default_rng(3)
    x, y = np.arange(5.0), np.arange(4.0)
    table = TableGrid(tuple(x), tuple(y), random.normal(size=(5, 4)))
    at_y, tiny, h = random.uniform(0, 3, 50), 1e-9, 1e-5
    for line in x[1:-1]:
        before, after = (np.stack(table.at(np.full(50, line + side * tiny), at_y)) for side in (-1, 1))
        np.testing.assert_allclose(before, after, atol=100 * tiny)  # second derivatives are some ten
    at_x = random.uniform(0, 4, 50)
    value = (table.at(at_x + h, at_y)[0] - table.at(at_x - h, at_y)[0]) / (2 * h)
    np.testing.assert_allclose(table.at(at_x, at_y)[1], value, atol=1e-8)
    value = (table.at(at_x, at_y + h)[0] - table.at(at_x, at_y - h)[0]) / (2 * h)
    np.testing.assert_allclose(table.at(at_x, at_y)[2], value, atol=1e-8)


def test_a_table_is_held_beyond_its_ends() -> None:
    table = TableGrid((0.0, 1.0, 2.0), (0.0, 1.0), np.array([[0.0, 1.0], [2.0, 5.0], [3.0, 9.0]]))
    value, slope_x, slope_y = table.at(np.array([-5.0, 3.0, 4.0]), np.array([0.0, 1.0, 7.0]))
    np.testing.assert_array_equal(value, [0.0, 9.0, 9.0])
    np.testing.assert_array_equal(slope_x, 0.0)
    assert slope_y[2] == 0.0


@pytest.mark.parametrize("kind", ["force", "spring"])
def test_a_table_of_position_and_speed_vibrates_as_the_spring_that_it_lists(kind: str) -> None:
    """−K x − D v is linear, so that the table is exact; tolerances of some hundred steps add up."""
    places, speeds = np.linspace(-0.2, 0.2, 9), np.linspace(-5, 5, 6)
    forces = (-K * places[:, None] - D * speeds).tolist()
    load: object = MarkerForce("spring", "m", (Table(("x", "v"), (places, speeds), forces), 0.0))
    if kind == "spring":
        load = Spring(
            "spring", "ground", "m", axis=(1.0, 0.0), characteristic=ForceTable(places, forces, rates=speeds)
        )
    found = run(slider(load), 1.0, 11, tolerance=1e-11, integrator="dormand_prince_853")
    np.testing.assert_allclose(found.positions[:, 0, 0], damped(found.times), rtol=0, atol=1e-9)
    assert found.energy_drift < 1e-9


def test_newton_has_the_slopes_of_tables() -> None:
    """A stiff table, ω h = 6, converges in few iterations: without its slope it diverges."""
    places = np.linspace(-0.05, 0.05, 5)
    load = MarkerForce("spring", "m", (Table(("x",), (places,), (-7.2e7 * places).tolist()), 0.0))
    system = replace(slider(load), start={"m": Placement(np.array([1e-3, 0.0, 0.0]))})
    found = run(system, 0.1, 2, step=1e-3)
    assert found.statistics.iterations <= 3 * found.statistics.steps


def test_a_motor_with_a_throttle_runs_up_as_its_torque_says() -> None:
    """T = (10 − 0.1 ω) u with u = 1 − e^(−t): J ω̇ = T is linear, ω = 100 (1 − exp(−0.1 (t − 1 + e^(−t))/J))."""
    J = 0.02
    speeds, throttles = np.linspace(0.0, 100.0, 5), (0.0, 0.5, 1.0)
    torques = [[(10 - 0.1 * w) * u for u in throttles] for w in speeds]
    system = System(
        [RigidBody("arm", 1.0, np.array(J))],
        [Revolute("A", "ground", "arm")],
        loads=[Actuator("motor", "ground", "arm", Table(("w", "1 - exp(-t)"), (speeds, throttles), torques))],
        sensors={"w": RotationSensor("angular_velocity", "arm")},
    )
    found = run(system, 1.0, 11, tolerance=1e-11, integrator="dormand_prince_853")
    t = found.times
    expected = 100 * (1 - np.exp(-0.1 / J * (t - 1 + np.exp(-t))))
    np.testing.assert_allclose(found.velocities[:, 2], expected, rtol=0, atol=1e-7)


@pytest.mark.parametrize(
    ("inputs", "over", "values", "words"),
    [
        ((), (), (), "one input to 2"),
        (("x",), ((0.0, 1.0), (0.0, 1.0)), (0.0, 1.0), "points for 2"),
        (("x",), ((1.0, 0.0),), (0.0, 1.0), "do not increase"),
        (("x", "v"), ((0.0, 1.0), (0.0, 1.0)), ((0.0, 1.0),), "2 × 2 points have 1 × 2 values"),
        (("x", "v"), ((0.0, 1.0), (0.0,)), ((0.0,), (1.0,)), "single point"),
        (("x", "v"), ((0.0, 1.0), (0.0, 1.0)), ((0.0, 1.0), (1.0,)), "different lengths"),
    ],
)
def test_a_table_that_is_none_is_refused(inputs: tuple, over: tuple, values: tuple, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Table(inputs, over, values)


def test_names_in_tables_are_checked() -> None:
    with pytest.raises(InputError, match="unknown name in a formula 'speed'"):
        slider(MarkerForce("f", "m", (Table(("speed",), ((0.0, 1.0),), (0.0, 1.0)), 0.0)))


# --- functions ---------------------------------------------------------------------------------------------------

FORCE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.c_int)
SLOPES = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double), ctypes.c_int, ctypes.POINTER(ctypes.c_double))


@FORCE
def spring_force(inputs: object, count: int) -> float:
    assert count == 2
    return -K * inputs[0] - D * inputs[1]  # type: ignore[index]


@SLOPES
def spring_slopes(inputs: object, count: int, out: object) -> None:
    out[0], out[1] = -K, -D  # type: ignore[index]


@pytest.mark.parametrize(
    "law",
    [
        CompiledLaw(("x", "v"), spring_force),
        CompiledLaw(("x", "v"), spring_force, spring_slopes),
        CompiledLaw(("x", "v"), LowLevelCallable(spring_force)),
        PythonLaw(("x", "v"), lambda x, v: -K * x - D * v),
    ],
)
def test_a_function_vibrates_as_the_spring_that_it_is(law: object) -> None:
    """Explicit to its tolerance; implicit of second order, and Newton has the slopes."""
    system = slider(MarkerForce("spring", "m", (law, 0.0)))  # type: ignore[arg-type]
    fine = run(system, 1.0, 11, tolerance=1e-10, integrator="dormand_prince_853")
    np.testing.assert_allclose(fine.positions[:, 0, 0], damped(fine.times), rtol=0, atol=1e-8)
    coarse = run(system, 0.2, 3, step=1e-3)
    assert coarse.statistics.iterations <= 3 * coarse.statistics.steps
    np.testing.assert_allclose(coarse.positions[:, 0, 0], damped(coarse.times), rtol=0, atol=1e-4)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler")
def test_a_compiled_function_is_called_without_the_interpreter(tmp_path: Path) -> None:
    source, library = tmp_path / "spring.c", tmp_path / "spring.so"
    source.write_text("double force(const double *x, int n) { return n == 2 ? -800.0*x[0] - 3.0*x[1] : 0.0/0.0; }")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    law = CompiledLaw(("x", "v"), ctypes.CDLL(str(library)).force)
    found = run(
        slider(MarkerForce("spring", "m", (law, 0.0))), 1.0, 11, tolerance=1e-11, integrator="dormand_prince_853"
    )
    np.testing.assert_allclose(found.positions[:, 0, 0], damped(found.times), rtol=0, atol=1e-9)


def test_what_a_function_raises_is_raised_again() -> None:
    def broken(x: float) -> float:
        raise ValueError(f"no force at {x:g}")

    with pytest.raises(AnalysisError, match=r"load spring.*ValueError: no force at 0\.1"):
        run(slider(MarkerForce("spring", "m", (PythonLaw(("x",), broken), 0.0))), 0.1, 2, step=1e-3)


def test_a_record_says_how_often_python_was_called() -> None:
    system = slider(MarkerForce("spring", "m", (PythonLaw(("x",), lambda x: -K * x), 0.0)))
    record = ff.simulate(system, duration=0.1, step=1e-3)
    assert any("load spring follows a function of Python" in notice for notice in record.notices)


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(InputError, match="is no compiled function"):
        CompiledLaw(("x",), lambda x: x)
    with pytest.raises(InputError, match="drive turn cannot follow a PythonLaw, which has no second derivative"):
        drive = AngleDrive("turn", "ground", "m", PythonLaw(("x",), lambda x: x))
        slider(SystemGravity(), drives=[drive])

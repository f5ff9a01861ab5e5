"""Models in files of the core: what is read moves bit by bit as what was written."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import flexframe as ff
from flexframe import _core
from flexframe.maths.arrays import Array
from flexframe.model.joints import Screw
from flexframe.model.rigid_body import RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import COORDINATE_FORCES
from flexframe.model.transmissions.belts import Belt, Cable
from flexframe.model.transmissions.followers import Cam
from flexframe.model.transmissions.gears import Gear
from flexframe.multibody.contract import DynamicSystem
from flexframe.multibody.equations import place_of
from flexframe.multibody.system import dynamic_system

from .random_systems import random_state, random_system
from .samples import double_pendulum, flexible_slider_crank, simulate, spin_up


def read_again(system: DynamicSystem, path: Path) -> DynamicSystem:
    """The system with what the core has read in place of what it was given."""
    _core.write_model(system.compiled, str(path))
    made = replace(system)
    made.__dict__["compiled"] = _core.read_model(str(path)).system
    return made


def evaluated(system: DynamicSystem, seed: int) -> list[Array]:
    """Residual, matrices, biases, energies, and accelerations with multipliers at a random state."""
    state = random_state(system, seed)
    place, evaluation = place_of(system, state), _core.Evaluation(system.compiled)
    x, multipliers = np.full(system.size, 0.3), np.full(system.rows, -0.2)
    evaluation.evaluate(place, state.time, x, multipliers, False)
    out = [evaluation.residual(), evaluation.matrices(), evaluation.biases(), evaluation.measures()]
    evaluation.accelerations(place, state.time, x, multipliers)
    return [*out, x, multipliers]


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_forces_and_joints(seed: int, planar: bool, tmp_path: Path) -> None:
    """Systems with every load along a coordinate, drives, loads and elastic bodies: equal bits."""
    system, _ = random_system(seed, planar=planar)
    laws = _core.force_laws()
    assert {laws[kind] for kind in system.tables.forces.kinds} == {load.kind for load in COORDINATE_FORCES}
    for before, after in zip(
        evaluated(system, seed), evaluated(read_again(system, tmp_path / "model"), seed), strict=True
    ):
        np.testing.assert_array_equal(before, after)


def test_transmissions(tmp_path: Path) -> None:
    """Coordinates that follow others, in constraints and in every force of a transmission: equal bits."""
    bodies = [RigidBody(name, 2.0, np.diag([0.3, 0.4, 0.5])) for name in "abcde"]
    joints = [
        Cam("cam", "a", "b", "0.1*sin(angle)"),
        Screw("screw", "ground", "e", lead=0.3, stiffness=20.0),
        Gear("gear", "a", "b", ratio=1.7, stiffness=3.0, backlash=0.1, damping=0.2),
        Belt("belt", "b", "c", radii=(0.2, 0.3), stiffness=40.0, pretension=1.0),
        Cable("cable", "c", "d", radii=(0.2, 0.3), stiffness=50.0, damping=0.4, pretension=2.0),
    ]
    system = dynamic_system(System(bodies, joints, space="spatial"))
    laws = {_core.force_laws()[kind] for kind in system.tables.forces.kinds}
    assert laws == {"gear_mesh", "belt", "cable", "spring"}
    for before, after in zip(
        evaluated(system, 5), evaluated(read_again(system, tmp_path / "model"), 5), strict=True
    ):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("number", range(len(_core.constraint_types())))
def test_every_type_of_constraint(number: int, tmp_path: Path) -> None:
    """A random system of which one row is of each type in turn: equal bits."""
    system, _ = random_system(3, planar=False)
    types = system.tables.rows.types.copy()
    types[-1] = number
    system = replace(system, tables=system.tables._replace(rows=system.tables.rows._replace(types=types)))
    for before, after in zip(
        evaluated(system, 3), evaluated(read_again(system, tmp_path / "model"), 3), strict=True
    ):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("make", [double_pendulum, flexible_slider_crank, spin_up])
@pytest.mark.parametrize("integrator", ["generalised_alpha", "dormand_prince"])
def test_motion(make, integrator: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """A hundred steps, or as many as the error wants: equal bits."""
    system = make()
    options = {"duration": 1e-3, "integrator": integrator, "step": 1e-5, "tolerance": 1e-8, "samples": 3}
    before, after = (simulate(one, **options) for one in (system, read_again(system, tmp_path / "model")))
    np.testing.assert_array_equal(before.positions, after.positions)
    np.testing.assert_array_equal(before.accelerations, after.accelerations)
    np.testing.assert_array_equal(before.multipliers, after.multipliers)


def test_a_state_goes_along(tmp_path: Path) -> None:
    """A checkpoint is a model with a state, its time and what an integrator remembers."""
    system, _ = random_system(1, planar=False)
    place, path = place_of(system, random_state(system, 1)), str(tmp_path / "checkpoint")
    _core.write_model(system.compiled, path, place, 0.25, {"u": [1.0, 2.5]})
    model = _core.read_model(path)
    other = place_of(system, random_state(system, 2))
    assert model.write(other)
    for before, after in zip(place, other, strict=True):
        np.testing.assert_array_equal(before, after)
    assert model.time == 0.25
    assert dict(model.memory) == {"u": [1.0, 2.5]}
    _core.write_model(system.compiled, path)
    assert not _core.read_model(path).write(other)


def test_wrong_files_are_answered_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "model"
    with pytest.raises(RuntimeError, match="model cannot be opened"):
        _core.read_model(str(path))
    path.write_text("*Node\n")
    with pytest.raises(RuntimeError, match="is no model of flexframe: it does not begin with 'flexframe model'"):
        _core.read_model(str(path))
    _core.write_model(double_pendulum().compiled, str(path))
    whole = path.read_bytes()
    path.write_bytes(whole[:-8])
    with pytest.raises(RuntimeError, match=f"is truncated: it ends after {len(whole) - 8} bytes"):
        _core.read_model(str(path))
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(RuntimeError, match="is damaged"):
        _core.read_model(str(path))


DAMPER = ff.loads.ForceTable((-1.0, 0.0, 1.0), ((6.0, 5.0), (1.0, -1.0), (-5.0, -6.0)), rates=(-2.0, 2.0))


def with_laws_of_state(law: object) -> DynamicSystem:
    """A block under a force after a law of state, a damper by a table, and a sampled force of a drive."""
    system = ff.System(
        [ff.RigidBody("m", 2.0, 0.01), ff.RigidBody("arm", 1.0, 0.05)],
        [ff.Prismatic("guide", "ground", "m", axis=(1.0, 0.0)), ff.Revolute("A", "ground", "arm")],
        [ff.PositionDrive("follow", "ground", "m", "0.1*a + 0.01*sin(5*t)")],
        loads=[
            ff.loads.MarkerForce("push", "m", (law, 0.0)),  # type: ignore[arg-type]
            ff.loads.TorsionSpring("spring", "ground", "arm", characteristic=DAMPER),
            ff.loads.Actuator("again", "ground", "arm", "0.5*f"),
        ],
        sensors={
            "a": ff.sensors.RotationSensor("angle", "arm"),
            "x": ff.sensors.MarkerSensor("position", "m", along=(1.0, 0.0)),
            "f": ff.sensors.LoadSensor("spring"),
            "drive": ff.sensors.JointSensor("drive", "follow"),
        },
        controllers=[ff.controllers.ZeroOrderHold("held", "drive", period=0.01)],
        start={"arm": ff.Placement((0.0, 0.0), 0.4)},
    )
    return dynamic_system(system)


def test_laws_of_state(tmp_path: Path) -> None:
    """Tables of two inputs, forces of loads and drives, and a drive that follows are kept, bit by bit."""
    system = with_laws_of_state(ff.loads.Table(("x", "a"), ((-1, 1), (-1, 0, 1)), ((1, 2, 3), (-1, 0, 4))))
    for before, after in zip(
        evaluated(system, 5), evaluated(read_again(system, tmp_path / "model"), 5), strict=True
    ):
        np.testing.assert_array_equal(before, after)


def test_a_model_with_a_function_is_not_written(tmp_path: Path) -> None:
    system = with_laws_of_state(ff.loads.PythonLaw(("x",), lambda x: -x))
    with pytest.raises(RuntimeError, match="compiled functions cannot be kept in a file"):
        _core.write_model(system.compiled, str(tmp_path / "model.bin"))

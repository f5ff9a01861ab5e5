"""Friction with bristles: it sticks without creep, slips as Coulomb's, and its energy balances."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flexframe import _core
from flexframe.errors import InputError
from flexframe.model.drives import PositionDrive
from flexframe.model.friction import Friction
from flexframe.model.joints import Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.rubbing import FrictionModel
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, Spring, SystemGravity
from flexframe.multibody.contract import Simulation, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system

G, MU, MASS = 9.81, 0.3, 2.0
HOLD = MU * MASS * G  # friction at most
ALONG = (1.0, 0.0, 0.0)


def run(system: System, duration: float, samples: int, **options: object) -> Simulation:
    asked = SimulationOptions(duration=duration, samples=samples, **options)  # type: ignore[arg-type]
    return integrate(dynamic_system(system), asked)


def block(*loads: object, velocity: float = 0.0) -> System:
    """A body that slides along x."""
    return System(
        [RigidBody("block", MASS, np.array(0.01))],
        [Prismatic("guide", "ground", "block", axis=ALONG)],
        loads=list(loads),  # type: ignore[arg-type]
        start={"block": Placement(velocity=(velocity, 0.0, 0.0))},
    )


def on_slope(model: FrictionModel, part: float, shaken: float = 0.0) -> System:
    """x runs down a slope that asks for a part of what friction holds; 5 Hz shake it by another part."""
    return block(
        SystemGravity(acceleration=(part * MU * G, -G, 0.0)),
        Friction("friction", "ground", "block", HOLD, model=model),
        MarkerForce("shake", "block", (f"{shaken * HOLD}*sin(10*pi*t)", 0.0)),
    )


@pytest.mark.parametrize("model", ["elasto_plastic", "lugre"])
def test_a_block_on_a_slope_sticks(model: FrictionModel) -> None:
    """From 1 s to 100 s it does not move at all; 1e-12 m is the rounding of 1e5 steps of 10 µm and more."""
    found = run(on_slope(model, 0.8), 100.0, 101, step=1e-3)
    x = found.positions[1:, 0, 0]
    assert np.ptp(x) < 1e-12
    assert found.signals[-1].min() == pytest.approx(-0.8 * HOLD, rel=1e-9)


def test_a_shaken_block_drifts_by_lugre_alone() -> None:
    """Below the break-away of 0.9; at whole periods, so that the elastic swing is not seen."""
    drift = {}
    for model in ("elasto_plastic", "lugre"):
        x = run(on_slope(model, 0.5, 0.3), 20.0, 101, step=1e-3).positions[:, 0, 0]
        drift[model] = abs(x[-1] - x[5])
    assert drift["elasto_plastic"] < 1e-12
    assert drift["lugre"] > 5e-4


@pytest.mark.parametrize(("part", "moves"), [(0.95, False), (1.01, True)])
def test_the_angle_of_repose(part: float, moves: bool) -> None:
    """A slope that grows slowly; then it rests, or slips by ½ 0.01 µ g t² in a second."""
    system = block(
        SystemGravity(acceleration=(MU * G, -G, 0.0), factor=f"{part}*min(1, t/2)"),
        Friction("friction", "ground", "block", HOLD),
    )
    x = run(system, 4.0, 5, step=1e-3).positions[:, 0, 0]
    assert (x[-1] - x[-2] > 1e-3) == moves
    assert moves or abs(x[-1] - x[-2]) < 1e-9


@pytest.mark.parametrize("model", ["elasto_plastic", "lugre"])
def test_stopping_distance(model: FrictionModel) -> None:
    """v²/(2 µ g), to what bristles bend in it (F/σ₀ = 0.1 mm of 0.68 m) and the step of their first bending.

    It swings on by some µm.
    """
    speed, stiffness = 2.0, HOLD / 1e-4
    system = block(Friction("friction", "ground", "block", HOLD, model=model, stiffness=stiffness), velocity=speed)
    found = run(system, 1.0, 11, step=2e-4)
    assert found.positions[-1, 0, 0] == pytest.approx(speed**2 / (2 * MU * G), rel=5e-4)
    assert found.positions[-1, 0, 0] == pytest.approx(found.positions[-2, 0, 0], abs=1e-5)


def test_stopping_a_wheel() -> None:
    """ω²/(2 M/I)."""
    system = System(
        [RigidBody("wheel", 1.0, np.array(0.5))],
        [Revolute("A", "ground", "wheel")],
        loads=[Friction("brake", "ground", "wheel", 4.0, of="rotation", stiffness=4e4)],
        start={"wheel": Placement(angular_velocity=(0.0, 0.0, 3.0))},
    )
    found = run(system, 1.0, 3, step=2e-4)
    assert found.angles[-1, 0] == pytest.approx(9 / (2 * 4 / 0.5), rel=5e-4)


# --- a mass on a belt --------------------------------------------------------------------------------------------

M, K, V, STATIC, SLIDING = 1.0, 100.0, 0.1, 5.0, 3.0
OMEGA, A = np.sqrt(K / M), (STATIC - SLIDING) / K
SWING = np.hypot(A, V / OMEGA)
PERIOD = (2 * np.pi - 2 * np.arctan(A * OMEGA / V)) / OMEGA + 2 * A / V


def on_belt(stiffness: float, stribeck: float) -> System:
    friction = Friction(
        "friction",
        "belt",
        "mass",
        SLIDING,
        static=STATIC,
        stiffness=stiffness,
        damping=float(np.sqrt(stiffness * M)),
        stribeck=stribeck,
    )
    moving = Placement(velocity=(V, 0.0, 0.0))
    return System(
        [RigidBody("belt", 1.0, np.array(0.01)), RigidBody("mass", M, np.array(0.01))],
        [Prismatic(name, "ground", name, axis=ALONG) for name in ("belt", "mass")],
        [PositionDrive("drive", "ground", "belt", f"{V}*t", axis=ALONG)],
        loads=[Spring("spring", "ground", "mass", K, axis=ALONG), friction],
        start={"belt": moving, "mass": moving},
    )


def period_and_swing(found: Simulation) -> tuple[float, float]:
    """Of the last whole period, about the force of sliding friction."""
    x, t = found.positions[:, 1, 0] - SLIDING / K, found.times
    up = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    passages = t[up] - x[up] * (t[up + 1] - t[up]) / (x[up + 1] - x[up])
    return float(np.diff(passages)[-1]), float(np.abs(x[t > 1]).max())


def test_stick_slip_converges_to_coulomb() -> None:
    """Stiffness times ten and Stribeck velocity halved: the error falls as the root of that velocity."""
    errors = []
    for stiffness, stribeck in ((1e6, 2e-3), (1e7, 1e-3), (1e8, 5e-4)):
        found = run(on_belt(stiffness, stribeck), 4.0, 4001, step=1e-4)
        period, swing = period_and_swing(found)
        errors.append((period / PERIOD - 1, swing / SWING - 1))
        assert found.energy_drift < 1e-5
    np.testing.assert_allclose(np.divide(errors[:-1], errors[1:]), np.sqrt(2.0), rtol=0.1)
    assert np.abs(errors[-1]).max() < 0.02


def test_explicit_and_implicit_steps_agree() -> None:
    """The implicit error is of second order, (ω h)² = 1e-3 of the bristles' 0.05 mm."""
    system = on_belt(1e5, 4e-3)
    implicit = run(system, 2.0, 201, step=1e-4)
    explicit = run(system, 2.0, 201, tolerance=1e-9, integrator="dormand_prince")
    np.testing.assert_allclose(implicit.positions[:, 1, 0], explicit.positions[:, 1, 0], rtol=0, atol=1e-4 * SWING)
    assert explicit.energy_drift < 1e-8


def test_what_friction_takes_is_dissipated() -> None:
    """All kinetic energy, and none as work of a load; what still swings is small."""
    system = block(Friction("friction", "ground", "block", HOLD, stiffness=HOLD / 1e-3), velocity=1.0)
    found = run(system, 1.0, 101, tolerance=1e-10, integrator="dormand_prince")
    kinetic, _, _, stored, _, loads, dissipated, _ = found.energies[-1]
    assert loads == 0.0
    assert dissipated == pytest.approx(0.5 * MASS, rel=1e-3)
    assert dissipated + kinetic + stored == pytest.approx(0.5 * MASS, rel=1e-8)
    assert found.energies[:, 3].max() == pytest.approx(0.5 * HOLD * 1e-3, rel=1e-2)  # ½ F²/σ₀ while it slides
    assert found.energy_drift < 1e-8


# --- checkpoints and files ---------------------------------------------------------------------------------------


def test_run_that_is_continued_repeats_the_whole() -> None:
    """Bit by bit, from a checkpoint while it slips."""
    system = dynamic_system(on_belt(1e5, 4e-3))
    options = SimulationOptions(duration=1.0, step=1e-3, samples=2)
    times = np.array([0.0, 0.7, 1.0])
    whole = integrate(system, options, times=times)
    there = integrate(system, options, times=times[:2]).end
    rest = integrate(system, options, there, times=times[1:])
    assert (rest.positions[-1] == whole.positions[-1]).all()
    assert (rest.energies[-1] == whole.energies[-1]).all()


def test_the_file_of_a_model_has_the_bristles(tmp_path: Path) -> None:
    """Equal bits of motion and energies."""
    system, path = dynamic_system(on_belt(1e5, 4e-3)), str(tmp_path / "model")
    _core.write_model(system.compiled, path)
    again = replace(system)
    again.__dict__["compiled"] = _core.read_model(path).system
    options = SimulationOptions(duration=0.7, step=1e-3, samples=3)
    before, after = integrate(system, options), integrate(again, options)
    np.testing.assert_array_equal(before.positions, after.positions)
    np.testing.assert_array_equal(before.energies, after.energies)


# --- what is refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"static": 2.0}, "below its limit"),
        ({"static": 4.0, "velocity": 1e-3}, "tanh does not know"),
        ({"model": "lugre", "velocity": 1e-3}, "regularisation"),
        ({"break_away": 1.0}, "between 0 and 1"),
        ({"stiffness": 0.0}, "stiffness"),
    ],
)
def test_numbers_that_make_no_sense(fields: dict[str, float], why: str) -> None:
    with pytest.raises(InputError, match=why):
        Friction("friction", "ground", "block", 3.0, **fields)  # type: ignore[arg-type]

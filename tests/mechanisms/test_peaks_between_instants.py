"""Peaks between the instants of a record, against closed forms."""

import dataclasses

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import flexframe as ff
from flexframe.model.rigid_body import Placement

CRANK, ROD, SPEED, MASS = 0.1, 0.35, 20.0, 2.0
TURN = float(2 * np.pi / SPEED)
# the vertex of a parabola is the answer to the square of its distance from the peak, twice: see peak_instants
SOUGHT = 1e-6


def slider_crank() -> ff.System:
    crank = ff.RigidBody.rod("crank", length=CRANK, mass=1e-9)
    rod = ff.RigidBody.rod("rod", length=ROD, mass=1e-9)
    slider = ff.RigidBody("slider", mass=MASS, inertia=1e-9, points={"C": (0.0, 0.0, 0.0)})
    return ff.System(
        [crank, rod, slider],
        [
            ff.Revolute("A", "ground", "crank.start"),
            ff.Revolute("B", "crank.end", "rod.start"),
            ff.Revolute("C", "rod.end", "slider.C"),
            ff.Prismatic("guide", "ground", "slider", axis=(1.0, 0.0, 0.0)),
        ],
        [ff.AngleDrive("motor", "ground", "crank", f"{SPEED}*t")],
        start={"rod": Placement((CRANK, 0.0, 0.0)), "slider": Placement((CRANK + ROD, 0.0, 0.0))},
    )


def slide(t: float) -> tuple[float, float]:
    """Speed and acceleration of the slider: x = r cos θ + √(L² − r² sin² θ)."""
    theta = SPEED * t
    s, c = CRANK * np.sin(theta), CRANK * np.cos(theta)
    root = np.sqrt(ROD**2 - s**2)
    first = -s - s * c / root  # dx/dθ
    second = -c - (c**2 - s**2) / root - (s * c) ** 2 / root**3
    return first * SPEED, second * SPEED**2


def largest(quantity, low, high) -> tuple[float, float]:
    found = minimize_scalar(lambda t: -quantity(t), bounds=(low, high), method="bounded", options={"xatol": 1e-12})
    return -float(found.fun), float(found.x)


@pytest.mark.parametrize("samples", [11, 24, 90])
def test_largest_speed_of_a_slider(samples: int) -> None:
    record = ff.kinematics(slider_crank(), np.linspace(0.0, TURN, samples))
    tables = record.presentation().overview()
    (row,) = [row for row in tables[-1].rows if "slider.C" in row[0]]
    headers = [column.header for column in tables[-1].columns]
    speed, at = row[headers.index("largest speed")], row[headers.index("largest speed") + 1]
    exact, _ = largest(lambda t: abs(slide(t)[0]), 0.15 * TURN, 0.35 * TURN)
    assert speed == pytest.approx(exact, rel=SOUGHT)
    assert abs(slide(at)[0]) == pytest.approx(exact, rel=SOUGHT)
    assert row[headers.index("travel x")] == pytest.approx(2 * CRANK, rel=SOUGHT)


@pytest.mark.parametrize("samples", [11, 24, 90])
def test_largest_force_and_torque_of_a_massless_linkage(samples: int) -> None:
    """The force along the rod is m a / cos β, the torque m a v / ω."""
    record = ff.joint_forces(slider_crank(), np.linspace(0.0, TURN, samples))
    joints, drives, means = record.presentation().overview()
    torque, _ = largest(lambda t: MASS * slide(t)[0] * slide(t)[1] / SPEED, 0.02 * TURN, 0.48 * TURN)
    (row,) = drives.rows
    assert row[5] == pytest.approx(torque, rel=SOUGHT)
    angle = row[7]
    assert angle == pytest.approx(np.degrees(SPEED * row[6]) % 360, abs=1e-6)
    assert means.rows[0][2] == pytest.approx(0.0, abs=1e-9 * torque)  # odd in the angle: what is lent comes back

    def along(t: float) -> float:
        return MASS * abs(slide(t)[1]) / np.sqrt(1 - (CRANK / ROD * np.sin(SPEED * t)) ** 2)

    force, at = joints.rows[1][2], joints.rows[1][5]
    assert joints.rows[1][0] == "B"
    assert force == pytest.approx(along(0.0), rel=SOUGHT)  # of the outer dead point
    assert along(at) == pytest.approx(force, rel=SOUGHT)
    assert record.summary()["joints"]["B"]["max_force_N"] == force
    assert record.between is not None and record.between.settled < 10 * SOUGHT


def test_mean_power_of_a_pump() -> None:
    """The plunger is pushed back while it goes out: force times stroke in every turn."""
    push = ff.MarkerForce("push", "slider.C", (f"-500*step(t - {TURN / 2!r})", 0.0, 0.0))
    system = dataclasses.replace(slider_crank(), loads=[push])
    means = ff.joint_forces(system, np.linspace(0.0, TURN, 721)).presentation().overview()[-1]
    power = 500 * 2 * CRANK / TURN
    # trapezoids of h = T/720 miss a turn of harmonics to h²; the jump is at rest, at the dead point
    assert means.rows[0][4] == pytest.approx(power, rel=1e-4)
    assert means.rows[0][2] == pytest.approx(power / SPEED, rel=1e-4)


@pytest.mark.parametrize("method", ["explicit", "implicit"])
def test_largest_force_of_a_pendulum(method) -> None:
    """A rod released from the horizontal pulls with 5/2 of its weight where it hangs down."""
    rod = ff.RigidBody.rod("rod", length=1.0, mass=MASS)
    system = ff.System([rod], [ff.Revolute("A", "ground", "rod")], loads=[ff.SystemGravity()])
    seen = {"end": ff.sensors.MarkerSensor("position", "rod.end")}
    record = ff.rigid_motion(system, np.linspace(0.0, 2.0, 9), method=method, sensors=seen)
    assert record.sensors["end y"].extremes(record.motion.times).least == pytest.approx(-1.0, abs=SOUGHT)
    (row,) = record.presentation().overview()[-2].rows
    gravity = ff.SystemGravity().acceleration
    assert row[2] == pytest.approx(2.5 * MASS * float(np.linalg.norm(gravity)), rel=SOUGHT)
    instants = np.linalg.norm(record.forces.joints["A"].force, axis=1).max()
    assert instants < 0.999 * row[2]  # what the instants alone would tell

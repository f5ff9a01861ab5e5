"""The examples of machines under forces of state, contact, control and events against hand calculations."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm
from tests.rounding import rounding

from flexframe.analyses.crosscheck.system_record import SystemCrosscheck
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.cases.case import load_case

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def run(name: str, analysis: str, *overrides: str) -> CoupledMotion:
    case = load_case(EXAMPLES / f"{name}.yaml", overrides)
    record = case.analyses[analysis].run(case)
    assert isinstance(record, CoupledMotion)
    return record


def times_of(record: CoupledMotion, name: str) -> list[float]:
    return [event.time for event in record.events if event.name == name]


# ---------------------------------------------------------------------- bouncing ball


def test_bouncing_ball() -> None:
    """t_n = T (1 + 2e + … + 2e^(n−1)), T = √(2h/g); heights e^(2n) h; all to 1e-6.

    The height after an impact follows from the time to the top, g t²/2.
    """
    found = run("bouncing_ball", "bounces")
    e, h, g, m = 0.8, 1.0, 9.81, 0.5
    n = np.arange(1, 6)
    impacts = np.sqrt(2 * h / g) * (1 + 2 * (e - e**n) / (1 - e))
    np.testing.assert_allclose(times_of(found, "floor"), impacts, rtol=0, atol=1e-6)
    rises = np.array(times_of(found, "top")) - times_of(found, "floor")
    np.testing.assert_allclose(g * rises**2 / 2, e ** (2 * n) * h, rtol=0, atol=1e-6)
    # sensors right after the events: at the tops the heights themselves, after impacts e times the speed before
    seen = {name: np.array(values) for name, (_, values) in found.at_events().items()}
    named = np.array([event.name for event in found.events])
    np.testing.assert_allclose(seen["centre"][named == "top"] - 0.02, e ** (2 * n) * h, rtol=0, atol=1e-6)
    speeds = e**n * np.sqrt(2 * g * h)
    np.testing.assert_allclose(seen["upwards"][named == "floor"], speeds, rtol=0, atol=1e-6)
    # between: the highest stored instant is at most half a sample of 5 ms from the top
    centre = found.sensors["centre"].values
    for start, end, top in zip(impacts, [*impacts[1:], 2.8], e ** (2 * n) * h, strict=True):
        inside = (found.times > start) & (found.times < end)
        assert 0 <= top - (centre[inside].max() - 0.02) < g * 2.5e-3**2 / 2 + 1e-6
    # the largest speeds are those at the first impact, before and after it, not those at ends of steps beside it
    (speed,) = found.sensors["upwards"].peaks
    assert [speed.least, speed.largest] == pytest.approx([-np.sqrt(2 * g * h), e * np.sqrt(2 * g * h)], rel=1e-9)
    lost = [event.lost for event in found.events if event.name == "floor"]
    np.testing.assert_allclose(np.cumsum(lost), m * g * h * (1 - e ** (2 * n)), rtol=1e-6)


# ---------------------------------------------------------------------- press


IDEAL_GUIDE = "joints.guide.clearance=null"


def press_speed(work: float) -> float:
    """Speed of the flywheel after a whole turn: ½ J ω² − W, J with the rod that swings about the resting pin."""
    rod = 7850 * 0.3 * 0.04 * 0.06
    inertia = 60 + rod * 0.05**2 / 3
    return float(np.sqrt((2 * np.pi) ** 2 - 2 * work / inertia))


def test_press_with_a_rigid_rod() -> None:
    """The work is ∫F dx = 300 J, all of it from the flywheel.

    The jump of the force by 40 kN at the lowest point is met by an event; the error of steps of 0.2 ms, 1/1600 of
    the stroke of the force, is below 1e-6 of the work.
    """
    found = run("press", "stroke", "bodies.rod.reduction=rigid", IDEAL_GUIDE)
    assert found.sensors["flywheel_speed"].values[-1] == pytest.approx(press_speed(300.0), rel=1e-6)
    assert found.sensors["angle"].values[-1] == pytest.approx(2.5 * np.pi, rel=rounding(1e6))
    # where the ram meets the workpiece: −l cos φ − r cos θ with θ from the lowest point, l sin φ = r sin θ
    angle = (
        2 * np.pi - np.pi / 2 - np.interp(times_of(found, "touch")[0], found.times, found.sensors["angle"].values)
    )
    height = -0.05 * np.cos(angle) - np.sqrt(0.3**2 - (0.05 * np.sin(angle)) ** 2)
    assert height == pytest.approx(-0.34, abs=2e-6)  # the angle is interpolated between samples of 1 ms


def test_press_with_an_elastic_rod() -> None:
    """The rod, EA/l = 1.68 GN/m, is shorter by 40 kN × l/EA = 24 µm: 0.95 J less work; 0.48 J in it are lost."""
    found = run("press", "stroke", IDEAL_GUIDE)
    force, stiffness = 40e3, 210e9 * 0.04 * 0.06 / 0.3
    shorter = force / stiffness
    work = 300 - force * shorter
    lost = force**2 / (2 * stiffness)
    # ringing of the rod and its weight are a part of both corrections, which are 0.5 % of the work together
    assert found.sensors["flywheel_speed"].values[-1] == pytest.approx(press_speed(work + lost), rel=2e-4)
    # the rod vibrates by a part of the 24 µm: less than 0.05 J at 40 kN
    assert -found.energies["supplied"][-1] == pytest.approx(work, abs=0.05)
    assert found.figures.steps < 8000  # 0.4 s on one core


def test_press_with_play_in_its_guide() -> None:
    """Under the force F of the workpiece the ram lies on the slideway: F tan φ over both ends, which yield by F/k.

    It crosses the play when the force begins and strikes. That and its tilting take some joules from 300.
    """
    found = run("press", "stroke")
    angle, t = found.sensors["angle"].values, found.times
    lean = np.arcsin(0.05 * np.cos(angle) / 0.3)  # of the rod against the vertical
    late = (angle > np.radians(255)) & (angle < np.radians(265))  # the impact is over
    force = 20e3 + 2e6 * (-0.34 - found.sensors["height"].values[late])
    side = force * np.tan(lean[late])
    # the weight of the ram and the swing of the rod are 1 % beside 35 kN
    np.testing.assert_allclose(found.sensors["guide"].values[late], side, rtol=0.03, atol=20.0)
    offset = np.abs(found.sensors["sideways"].values[late])
    np.testing.assert_allclose(offset, 1e-4 + np.abs(side) / 1e8, atol=1e-6)  # 1 % of the play
    before = t < times_of(found, "touch")[0]
    assert np.abs(found.sensors["sideways"].values[before]).max() < 1.1e-4  # never through the guide
    assert found.sensors["flywheel_speed"].values[-1] == pytest.approx(press_speed(300.0), rel=2e-3)
    contact = found.energies["contact"][-1]
    assert 0.1 < contact < 3.0
    assert found.figures.steps < 40_000  # divisions within contacts counted; 1 s on one core


# ---------------------------------------------------------------------- Geneva drive


def test_geneva_drive() -> None:
    """Dwell, index and fastest speed by hand: 75 %, 90° a turn, and sin(π/4)/(1 − sin(π/4)) times the crank."""
    found = run("geneva", "two_turns")
    wheel, speed = found.sensors["wheel_angle"].values, found.sensors["wheel_speed"].values
    opened = [event.time for event in found.events if event.closes == 0.0]
    closed = [event.time for event in found.events if event.closes == 1.0]
    np.testing.assert_allclose(opened, [0.125, 1.125], rtol=1e-9)
    np.testing.assert_allclose(closed, [0.0, 0.375, 1.375], rtol=1e-9)
    resting = speed[(found.times >= 0.376) & (found.times <= 1.124)]
    assert np.abs(resting).max() == pytest.approx(0.0, abs=rounding(1e4))
    # within the play of 50 µm on 70.7 mm
    play = 5e-5 / 0.0707
    assert wheel[found.times == 1.0][0] == pytest.approx(-np.pi / 2, abs=2 * play)
    assert wheel[-1] == pytest.approx(-np.pi, abs=2 * play)  # it does not add up
    ratio = np.sin(np.pi / 4) / (1 - np.sin(np.pi / 4))
    (peaks,) = found.sensors["wheel_speed"].peaks
    # the play, crossed on the line of centres: 2 × 50 µm over 29 mm in about 10 ms beside 15 rad/s
    assert -peaks.least / (2 * np.pi) == pytest.approx(ratio, rel=1e-2)
    # between: β = atan2(sin α, √2 − cos α) of the wheel
    turning = (found.times > 0.14) & (found.times < 0.36)
    alpha = found.sensors["crank_angle"].values[turning]
    beta = -np.pi / 4 - np.arctan2(np.sin(alpha), np.sqrt(2) - np.cos(alpha))
    np.testing.assert_allclose(
        wheel[turning], beta, atol=5e-5 / 0.0293 + 1e-4
    )  # the play, and what contacts yield


# ---------------------------------------------------------------------- cam and valve

CENTRES, ECCENTRICITY, VALVE = 0.04, 0.004, 0.2  # m, m, kg


def cam_motion(times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Height of a roller that stays on a rigid cam, and the force that this needs: m (ÿ + g) + spring."""
    speed, turned = 40 + 1000 * times, 40 * times + 500 * times**2 + np.pi  # from the highest position
    sine, cosine = np.sin(turned), np.cos(turned)
    root = np.sqrt(CENTRES**2 - (ECCENTRICITY * sine) ** 2)
    height = ECCENTRICITY * cosine + root
    slope = -ECCENTRICITY * sine - ECCENTRICITY**2 * sine * cosine / root
    bend = -ECCENTRICITY * cosine - ECCENTRICITY**2 * (cosine**2 - sine**2) / root
    bend -= (ECCENTRICITY**2 * sine * cosine) ** 2 / root**3
    force = VALVE * (bend * speed**2 + slope * 1000 + 9.81) + 80 + 8000 * (height - 0.036)
    return height, force


def test_cam_lifts_the_valve_as_its_profile_says() -> None:
    """The height is that of the profile less N/(k cos γ), N up to 210 N: the contact yields by 10 µm and vibrates.

    It starts unloaded with 82 N, so that it vibrates by 4 µm at first; with ζ = 0.1 at
    1.6 kHz that has died away after 10 ms.
    """
    found = run("cam_valve", "run_up")
    height, force = cam_motion(found.times)
    settled = found.times > 0.01
    misfit = found.sensors["height"].values - (height - force / 20e6)
    # slopes up to 0.1 of the profile and the angle of the normal, 1 % of 10 µm, and inertia of the yielding
    assert np.abs(misfit[settled]).max() < 0.5e-6
    assert np.abs(misfit).max() < 5e-6


def test_roller_leaves_the_cam() -> None:
    """Where the force to stay on a rigid cam passes zero; yielding contact delays it by less than 1/16 kHz."""
    found = run("cam_valve", "run_up")
    times = np.linspace(0, 0.45, 450_001)
    expected = times[np.argmax(cam_motion(times)[1] < 0)]
    (left,) = times_of(found, "lift_off")
    assert left == pytest.approx(expected, abs=0.1 / 1600)
    estimate = np.sqrt((144 / VALVE + 9.81) / (ECCENTRICITY * (1 + ECCENTRICITY / CENTRES)))
    # the first turn beyond the estimate: a turn at 1000 rad/s² adds 2π 1000/ω
    assert estimate < found.sensors["cam_speed"].values[-1] < estimate + 2 * np.pi * 1000 / estimate


def test_a_valve_without_inertia_bounces_on_the_cam() -> None:
    """The roller leaves the cam and falls back: its force goes through the centre of what resists no rotation.

    The guide holds what the slope of the cam, sin = e/(R + r), turns away from it. Events change no motion.
    """
    fast = ("parameters.first_speed=471 rad/s", "parameters.acceleration=0 rad/s^2", "events.lift_off.stop=false")
    short = ("analyses.run_up.duration=30 ms", "analyses.run_up.step=5 us")
    found = run("cam_valve", "run_up", *fast, *short)
    plain = run("cam_valve", "run_up", *fast, *short, "events.lift_off.when=1")
    assert len(times_of(found, "lift_off")) > 3 and not plain.events
    assert found.energy_drift < 1e-3 and plain.energy_drift < 1e-3
    pushed = np.linalg.norm(found.forces.joints["guide"].force[:, :1], axis=1)
    normal = found.contacts["cam"].normal
    # yielding by up to 0.4 mm of 40 mm makes the slope steeper
    assert (pushed <= ECCENTRICITY / CENTRES * 1.02 * normal + 1e-6).all()
    # both see the same impacts; errors of steps grow from one to the next
    early = found.times < 0.012
    difference = found.sensors["height"].values - plain.sensors["height"].values
    assert np.abs(difference[early]).max() < 1e-8


# ---------------------------------------------------------------------- robot joint


def test_robot_joint_settles() -> None:
    """Torque, play and bending at the end by statics.

    The slow mode of the integral, ki/kp = 3.2/s, leaves exp(−3.2 × 2.1) = 1.2e-3 of the 0.02 rad that it had to
    remove, 2e-5 rad or 0.0014°.
    """
    found = run("robot_joint_control", "move")
    angle, arm = (np.degrees(found.sensors[name].values[-1]) for name in ("angle", "arm_angle"))
    assert angle == pytest.approx(60, abs=2e-3)
    area, inertia = np.pi / 4 * (0.04**2 - 0.0346**2), np.pi / 64 * (0.04**4 - 0.0346**4)
    weight = 9.81 * 2700 * area
    across = np.cos(np.radians(arm))
    bending = (2 * 9.81 / 3 + weight / 8) * across / (70e9 * inertia)
    torque = (2 * 9.81 + weight / 2) * across + 2 * 9.81 * bending * np.sin(np.radians(arm))
    assert found.sensors["drive"].values[-1] == pytest.approx(torque, rel=1e-3)
    assert angle - arm == pytest.approx(0.2 + np.degrees(torque / 20e3), abs=1e-4)
    # shear adds 3EI/GA_s l² = 0.2 % to the deflection
    assert -found.sensors["bending"].values[-1] == pytest.approx(bending, rel=5e-3)
    assert found.energy_drift < 1e-4


def test_robot_joint_without_play_is_its_linear_loop() -> None:
    """A small step with a rigid arm, without play and weight: against the exponential of the closed loop.

    In motor and arm angle, their rates, ∫e and the lag of the filter; its eigenvalues are stable. Steps h of 50 µs
    have an error of (ωh)²/12 in the phase of a vibration, 3e-5 a radian at 400 rad/s, the fastest of the loop.
    """
    found = run(
        "robot_joint_control",
        "move",
        "bodies.arm.reduction=rigid",
        "loads.weight.factor=0",
        "loads.gear.clearance=0",
        "controllers.wanted={reference: 0.01}",
        "controllers.torque={pid: wanted - angle, kp: 2500, ki: 8000, kd: 120, filter: 2 ms}",
        "analyses.move.duration=0.5",
        "analyses.move.step=50 us",
        "analyses.move.samples=501",
    )
    arm = 2700 * np.pi / 4 * (0.04**2 - 0.0346**2)
    section = 2700 * np.pi / 64 * (0.04**4 - 0.0346**4)
    inertias, k, d = (0.6, arm / 3 + section + 2 + 2e-3), 20e3, 20.0
    kp, ki, kd, lag = 2500.0, 8000.0, 120.0, 2e-3
    loop = np.zeros((7, 7))  # motor, arm, rates of both, ∫e, lag, 1
    loop[0, 2] = loop[1, 3] = 1
    loop[2, :6] = np.array([-k - kp - kd / lag, k, -d, d, ki, -kd / lag]) / inertias[0]
    loop[2, 6] = (kp + kd / lag) * 0.01 / inertias[0]
    loop[3, :4] = np.array([k, -k, d, -d]) / inertias[1]
    loop[4, 0], loop[4, 6] = -1, 0.01
    loop[5, 0], loop[5, 5], loop[5, 6] = -1 / lag, -1 / lag, 0.01 / lag
    assert np.linalg.eigvals(loop[:6, :6]).real.max() < 0
    expected = np.array([expm(loop * t)[:2, 6] for t in found.times])
    for column, name in enumerate(("angle", "arm_angle")):
        misfit = np.abs(found.sensors[name].values - expected[:, column]).max()
        assert misfit < 1e-4 * np.abs(expected).max(), name


# ---------------------------------------------------------------------- wind pump


def rod_stroke() -> float:
    """Of the rod by geometry: the lever's angle for pitman and crank, a link of 300 mm below its other end."""
    turn = np.linspace(0, 2 * np.pi, 100_001)
    x, y = 0.06 * np.cos(turn) + 0.4, 0.06 * np.sin(turn) - 0.6  # of the crank pin from the hinge
    far = np.hypot(x, y)
    angle = np.arctan2(y, x) + np.arccos((far**2 + 0.4**2 - 0.6**2) / (2 * far * 0.4))
    aside = 0.5 - 0.5 * np.cos(angle)
    height = -0.5 * np.sin(angle) - np.sqrt(0.3**2 - aside**2)
    return float(np.ptp(height))


def test_wind_pump_runs_at_the_speed_of_its_power_balance() -> None:
    """The wind's work over a turn is that of the water, 400 N × stroke: ω = 12 (1 − W/(2π 24 N m)).

    The smoothed valve takes 0.05 % of W, the fluctuation of the speed by 4 % changes its mean by (4 %)²/2, and the
    damping of the lever takes some mJ a turn: 0.2 % together.
    """
    found = run("wind_pump_pumping", "pumping")
    height, speed = found.sensors["rod_height"].values, found.sensors["wheel_speed"].values
    stroke = rod_stroke()
    late = found.times > 20
    # the lever bends by less than 1 mm under the water
    assert np.ptp(height[late]) == pytest.approx(stroke, abs=1e-3)
    expected = 12 * (1 - 400 * stroke / (2 * np.pi * 24))
    tops = np.flatnonzero((height[1:-1] > height[:-2]) & (height[1:-1] >= height[2:]) & (height[1:-1] > 0.36)) + 1
    tops = tops[found.times[tops] > 20]
    turns = tops[np.diff(tops, prepend=-100) > 50]  # one top a turn, whatever vibrates
    mean = speed[turns[0] : turns[-1]].mean()
    assert mean == pytest.approx(expected, rel=2e-3)


def test_wind_pump_by_kane() -> None:
    """Kane's equations move the elastic lever as the closed form does; all routes that apply agree at a state.

    Some ten steps of a relative error of 1e-8, against generalised-α with ω h = 0.01 for the fastest shape.
    """
    short = ("analyses.by_kane.duration=2 ms", "analyses.by_kane.samples=3")
    found = run("wind_pump_pumping", "by_kane", *short)
    fine = ("duration=2 ms", "step=0.1 us", "samples=3")
    expected = run("wind_pump_pumping", "pumping", *(f"analyses.pumping.{each}" for each in fine))
    assert found.figures.formalism == "kane"
    for name in ("bending", "rod_height", "wheel_speed"):
        values = expected.sensors[name].values
        np.testing.assert_allclose(found.sensors[name].values, values, rtol=0, atol=1e-6 * np.abs(values).max())
    case = load_case(EXAMPLES / "wind_pump_pumping.yaml")
    compared = case.analyses["formalisms"].run(case)
    assert isinstance(compared, SystemCrosscheck)
    assert compared.agrees and [check.name for check in compared.checks if not check.applicable] == ["whittaker"]

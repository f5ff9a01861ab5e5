"""The examples of mechanisms run, and their numbers are those of closed forms and published references."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from flexframe.analyses.kinematics.record import SUMMARY_SAMPLES
from flexframe.cases.case import load_case
from flexframe.reports.build import report_document

from .newton_euler import imbalance
from .wind_pump import Linkage

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def record(name, analysis, *overrides):
    case = load_case(EXAMPLES / f"{name}.yaml", overrides)
    return case.analyses[analysis].run(case)


# ---------------------------------------------------------------------- slider-crank, four-bar


def test_slider_crank():
    """Every degree of a turn; row 60 has the reference figures of the slider at 60°."""
    summary = record("slider_crank", "kinematics").summary()
    slider = summary["points"]["slider.C"]
    assert summary["times_s"][60] == pytest.approx(np.radians(60) / 150, rel=1e-12)
    assert slider["position"][60][0] == pytest.approx(0.3454163456598, rel=1e-12)
    assert slider["velocity"][60][0] == pytest.approx(-24.889896776072, rel=1e-11)
    assert slider["acceleration"][60][0] == pytest.approx(-859.44994746186, rel=1e-11)
    assert summary["degrees_of_freedom"] == 1
    forces = record("slider_crank", "forces")
    assert imbalance(forces.forces) < 1e-10
    # the slider's inertia is the force along x at C
    force = forces.summary()["joints"]["C"]["force"]
    assert force[60][0] == pytest.approx(-859.44994746186 * 0.075552, rel=1e-10)


def test_four_bar_branches():
    above, below = (record("four_bar", name).summary() for name in ("kinematics", "below"))
    for summary, side in ((above, 1), (below, -1)):
        # coupler–follower pin: intersection of circles about B (60°) and D
        B, D = 0.108 * np.exp(1j * np.pi / 3), 0.254
        d = abs(D - B)
        a = (0.2794**2 - 0.2705**2 + d**2) / (2 * d)
        pin = B + (D - B) / d * (a + side * 1j * np.sqrt(0.2794**2 - a**2))
        start = np.array(summary["bodies"]["coupler"]["position"][60])
        angle = summary["bodies"]["coupler"]["angle"][60]
        assert complex(*start[:2]) + 0.2794 * np.exp(1j * angle) == pytest.approx(pin, abs=1e-12)
    assert below["branch"] == "branch 2 of 2"
    assert imbalance(record("four_bar", "forces").forces) < 1e-10


# ---------------------------------------------------------------------- wind pump


def linkage():
    return Linkage(l1=0.06, l2=0.45, h=np.hypot(0.33, 0.1166), psi=np.arctan2(0.1166, 0.33), e=0.1)


def test_wind_pump_kinematics_is_the_closed_form():
    """(A6)–(A31) with the corrections, at every instant of the turn."""
    motion = record("wind_pump", "kinematics").motion
    case = load_case(EXAMPLES / "wind_pump.yaml")
    recorded = case.system().drives[1].constraints()[0].law
    x, x_rate, x_second = recorded.jet(motion.times)
    w = 140 * 2 * np.pi / 60
    theta2, theta3, w2, w3, e2, e3 = linkage().motion(w * motion.times, x, w, x_rate, 0.0, x_second)
    lever, pendulum = motion.body("lever"), motion.body("pendulum")
    np.testing.assert_allclose(np.exp(1j * lever.angles), np.exp(1j * theta2), atol=1e-12)
    np.testing.assert_allclose(np.exp(1j * pendulum.angles), np.exp(1j * theta3), atol=1e-12)
    np.testing.assert_allclose(lever.angular_velocities[:, 2], w2, atol=1e-10)
    np.testing.assert_allclose(pendulum.angular_velocities[:, 2], w3, atol=1e-10)
    np.testing.assert_allclose(lever.angular_accelerations[:, 2], e2, atol=1e-8)
    np.testing.assert_allclose(pendulum.angular_accelerations[:, 2], e3, atol=1e-8)
    assert motion.mobility.degrees_of_freedom == 2


def test_wind_pump_recording_tells_its_noise():
    """Noise of 0.02 mm was put into the samples; with 429 of them the estimate scatters by 3.4 %."""
    notice = record("wind_pump", "kinematics").notices[-1]
    assert "429 samples" in notice
    assert float(notice.split("noise ")[1].split(",")[0]) == pytest.approx(2e-5, rel=0.15)


def test_wind_pump_forces_balance_every_body():
    forces = record("wind_pump", "forces").forces
    slide, velocity, _ = forces.motion.marker("slide.D")
    pull = np.zeros_like(slide)
    pull[:, 0] = -900 * (slide[:, 0] - 0.64) - 8 * velocity[:, 0] - 2 * np.tanh(velocity[:, 0] / 0.005)
    assert imbalance(forces, {"slide": [(slide, pull, 0 * pull)]}) < 1e-10
    # what the record still needs is noise: its acceleration is known to 0.05 m/s², masses are a few kilograms
    needed = forces.joints["record"].values[:, 0]
    assert np.abs(needed).max() < 2.0
    assert np.abs(needed).max() < 0.1 * np.abs(forces.joints["B"].force).max()


def test_many_positions_of_the_wind_pump_with_all_forces_are_quick():
    from time import process_time

    from flexframe.analyses.joint_forces.analysis import joint_forces

    system = load_case(EXAMPLES / "wind_pump.yaml").system()
    times = np.linspace(0, 60 / 140, 3600)
    joint_forces(system, times[:2])
    start = process_time()
    result = joint_forces(system, times)
    assert process_time() - start < 1.0  # about 0.25 s; a limit against something much slower
    assert result.motion.closure < 1e-11


def test_free_slide_repeats_itself_and_is_the_recorded_motion():
    """The record was made from this motion, with noise of 0.02 mm."""
    periodic = record("wind_pump_free", "periodic")
    assert periodic.periodicity is not None and periodic.periodicity.stable
    assert periodic.periodicity.residual < 1e-5
    x = periodic.motion.marker("slide.D")[0][:, 0]
    assert x[-1] == pytest.approx(x[0], abs=1e-6)
    case = load_case(EXAMPLES / "wind_pump.yaml")
    recorded = case.system().drives[1].constraints()[0].law
    assert np.sqrt(np.mean((recorded.jet(periodic.motion.times)[0] - x) ** 2)) < 2e-5
    forces = periodic.forces
    slide, velocity, _ = forces.motion.marker("slide.D")
    pull = np.zeros_like(slide)
    pull[:, 0] = -900 * (slide[:, 0] - 0.64) - 8 * velocity[:, 0] - 2 * np.tanh(velocity[:, 0] / 0.005)
    assert imbalance(forces, {"slide": [(slide, pull, 0 * pull)]}) < 1e-9


# ---------------------------------------------------------------------- Andrews, rolling disc


def test_andrews_squeezing_mechanism():
    """Test Set for IVP Solvers: q(0.03)."""
    motion = record("andrews", "motion").motion
    angle = {name: motion.body(name).angles[-1] for name in motion.names}
    q = [
        angle["K1"],
        angle["K2"] - angle["K1"],
        angle["K3"],
        angle["K4"] - angle["K5"],
        angle["K5"],
        angle["K6"] - angle["K7"],
        angle["K7"],
    ]
    reference = [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ]
    np.testing.assert_allclose(q, reference, atol=2e-8)
    assert motion.mobility.degrees_of_freedom == 1
    assert motion.mobility.redundant == 0


def test_rolling_disc_keeps_its_lean_on_a_circle():
    """Radius a |ω₃|/ψ' with ω₃ of the steady motion; the start is given to six digits."""
    motion = record("rolling_disc", "circle").motion
    s, c, a, g, turn = np.sin(np.pi / 3), np.cos(np.pi / 3), 0.25, 9.81, 3.0
    spin = (0.25 * turn**2 * s * c - g / a * c) / (1.5 * turn * s)
    radius = a * abs(spin) / turn
    disc = motion.body("disc")
    np.testing.assert_allclose(disc.rotations[:, 2, 2], c, atol=1e-4)
    np.testing.assert_allclose(np.hypot(disc.positions[:, 0], disc.positions[:, 1] - radius), radius, atol=1e-4)
    assert motion.mobility.degrees_of_freedom == 3  # five of positions, two of them bound in velocity
    # the floor carries weight and centripetal force
    floor = record("rolling_disc", "circle").forces.joints["rolling"].force
    np.testing.assert_allclose(floor[:, 2], 2 * g, rtol=1e-3)
    np.testing.assert_allclose(np.hypot(floor[:, 0], floor[:, 1]), 2 * radius * turn**2, rtol=1e-3)


# ---------------------------------------------------------------------- what is written


@pytest.mark.parametrize(
    ("name", "analysis"),
    [("slider_crank", "kinematics"), ("wind_pump", "forces"), ("rolling_disc", "circle"), ("four_bar", "below")],
)
def test_summary_dataset_and_report(name, analysis):
    result = record(name, analysis)
    summary = result.summary()
    assert summary["kind"] == result.kind
    assert len(summary["times_s"]) <= SUMMARY_SAMPLES + 1
    dataset = result.to_xarray()
    assert dataset.sizes["time"] == summary["instants"]
    assert dataset["position"].shape == (summary["instants"], len(result.motion.names), 3)
    document = report_document(name, description="", case_name=name, case_text="", records={analysis: result})
    kinds = [type(block).__name__ for block in document.sections[0].blocks]
    assert kinds[0] == "Table" and "Scene" in kinds and kinds[-1] == "Quality"


def test_summary_of_a_long_motion_is_thinned_evenly():
    summary = record("slider_crank", "kinematics", "analyses.kinematics.samples=3601").summary()
    times = np.array(summary["times_s"])
    assert len(times) <= SUMMARY_SAMPLES + 1
    assert summary["instants"] == 3601
    assert np.ptp(np.diff(times)[:-1]) < 1e-12

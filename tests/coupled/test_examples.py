"""The examples of coupled motion run, and their numbers are those of exact and published references."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import flexframe as ff
from flexframe.analyses.rigid_motion.analysis import rigid_motion
from flexframe.analyses.transient.coupled.elastic_parts import elastic_parts
from flexframe.assembly.stress_recovery import recovered_stress
from flexframe.cases.case import load_case
from flexframe.reports.build import report_document

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def case(name, *overrides):
    return load_case(EXAMPLES / f"{name}.yaml", overrides)


@cache
def record(name, *overrides):
    return case(name, *overrides).analyses["run"].run(case(name, *overrides))


# ---------------------------------------------------------------------- spin-up (references D)


def test_spin_up():
    """Linear theory with k_g: −0.57440 across, −0.018839 along with the quadratic field; both to 0.2 %.

    The five values are those of the geometrically exact beam, to 0.2 % of the peak: what linear theory differs by.
    """
    found = record("spin_up")
    summary = found.summary()["sensors"]["tip"]
    assert summary["components"] == ["x", "y"]
    along, across = found.sensors["tip"].values.T
    assert across.min() == pytest.approx(-0.57440, rel=2e-3)
    assert along.min() == pytest.approx(-0.018839, rel=2e-3)
    assert found.times[np.argmin(across)] == pytest.approx(6.762, abs=0.02)
    times = [found.summary()["times_s"].index(t) for t in (2.5, 5.0, 7.5, 10.0, 12.5)]
    expected = [-0.151284, -0.468476, -0.559083, -0.362815, -0.112696]
    assert np.array(summary["values"])[times, 1] == pytest.approx(expected, abs=2e-3 * 0.5738)
    # at the end the speed is steady: the stretch is 5.143e-4 m, about which the beam hardly vibrates
    assert along[found.times > 19].mean() == pytest.approx(5.143e-4, rel=2e-3)
    assert not found.stopped
    assert found.constraint_residual < 1e-10


@pytest.mark.slow
def test_spin_up_in_four_parts():
    """The nonlinear theory, of the geometrically exact beam: −0.57383 across, −0.018823 along, to their digits."""
    found = record("spin_up", "bodies.beam.reduction.parts=4")
    along, across = found.sensors["tip"].extremes(found.times).values()
    assert across.least == pytest.approx(-0.57383, abs=1e-5)
    assert along.least == pytest.approx(-0.018823, abs=1e-6)


def test_spin_up_without_geometric_stiffness_ends():
    """It would diverge (|u| > L at 9.17 s); where deflections are no longer small the run ends and says so."""
    found = record("spin_up", "analyses.run.terms={geometric: 0}")
    assert "small deflections" in found.stopped
    assert 5 < found.times[-1] < 9.17
    assert found.summary()["finished"] is False
    assert len(found.sensors["tip"].values) == len(found.times)


# ---------------------------------------------------------------------- elastic slider-crank (references E)


def test_slider_crank_flexible():
    """Deflection of the middle over the length at eight angles, and extremes: 1 % of the peak."""
    found = record("slider_crank_flexible")
    summary = found.summary()
    deflection = np.array(summary["sensors"]["middle"]["values"]) / 0.3
    angles = np.degrees(150 * np.array(summary["times_s"]))
    expected = [0.004442, 0.001564, -0.000264, -0.001096, -0.001869, -0.003515, -0.005735, 0.000044]
    at = [deflection[np.argmin(np.abs(angles - angle))] for angle in range(45, 361, 45)]
    assert at == pytest.approx(expected, abs=0.01 * 0.006233)
    middle = summary["sensors"]["middle"]
    assert middle["max"] / 0.3 == pytest.approx(0.005471, abs=0.01 * 0.006233)
    assert middle["min"] / 0.3 == pytest.approx(-0.006233, abs=0.01 * 0.006233)
    # the peaks are flat: a displacement of 1e-4 of the peak is a time of 2 % of the period of 5 ms
    assert middle["max_at_s"] == pytest.approx(3.92e-3, abs=1e-4)
    assert middle["min_at_s"] == pytest.approx(35.92e-3, abs=1e-4)
    assert found.constraint_residual < 1e-10
    assert found.energy_drift < 1e-3  # of the damping by the integrator
    report_document("t", description="", case_name="", case_text="", records={"run": found})


# ---------------------------------------------------------------------- double pendulum (references J)


def test_double_pendulum():
    """Rigid rods after 1 s; references have six decimals."""
    found = record("double_pendulum")
    instant = int(np.argmin(np.abs(found.times - 1)))
    assert found.times[instant] == pytest.approx(1.0, abs=1e-12)
    assert found.sensors["hinge"].values[instant] == pytest.approx([-0.934807, -0.355155], abs=6e-7)
    assert found.sensors["tip"].values[instant] == pytest.approx([-1.662115, -1.041467], abs=6e-7)
    assert np.abs(found.energy_misfit).max() < 1e-8  # tolerance 1e-10, over some hundred steps


@pytest.mark.parametrize("formalism", ["lagrange", "gibbs_appell", "hamilton", "maggi", "kane"])
def test_double_pendulum_by_every_formalism(formalism):
    """Integrated from the equations of a formalism the motion is the same, to the tolerance of 1e-10 and drift."""
    short = ("analyses.run.duration=0.3", "analyses.run.samples=4")
    usual, other = (
        record("double_pendulum", *short),
        record("double_pendulum", *short, f"analyses.run.formalism={formalism}"),
    )
    assert other.figures.formalism == formalism
    for name in ("hinge", "tip"):
        assert other.sensors[name].values == pytest.approx(usual.sensors[name].values, abs=1e-7)


def test_double_pendulum_of_rigid_strips_is_that_of_the_mechanism():
    """`reduction: rigid` by generalised-α against `rigid_motion` of order eight: to the error of the former."""
    overrides = ("bodies.upper.reduction=rigid", "bodies.lower.reduction=rigid", "analyses.run.sensors={}")
    overrides += ("analyses.run.duration=0.5", "analyses.run.samples=11", "analyses.run.step=2.0e-4")
    found = record("double_pendulum_flexible", *overrides)
    rigid = rigid_motion(case("double_pendulum_flexible").system(), found.times, relative_tolerance=1e-10)
    for name in ("upper", "lower"):
        # generalised-α of order two: (ωh)²/12 of angles of about 2 rad, ω ≈ 10 rad/s
        assert found.motion.body(name).angles == pytest.approx(rigid.motion.body(name).angles, abs=1e-5)
    for name in ("shoulder", "elbow"):
        expected = rigid.forces.joints[name].force
        scale = np.abs(expected).max()
        assert found.forces.joints[name].force == pytest.approx(expected, abs=1e-4 * scale)


def test_double_pendulum_flexible():
    """The strips bend by millimetres, and no energy is lost but by the damping of the integrator."""
    found = record("double_pendulum_flexible")
    assert 2e-3 < found.sensors["upper_middle"].values.max() < 5e-3
    assert found.energy_drift < 1e-5
    assert found.constraint_residual < 1e-10


@pytest.mark.slow
def test_soft_pendulum():
    """24 floating frames against twelve until these are bent too far: their error is sixteen times as large."""
    shorter = ("analyses.run.duration=0.35 s", "analyses.run.step=1 ms", "analyses.run.samples=36")
    found, coarse = (
        record("soft_pendulum", *shorter),
        record("soft_pendulum", *shorter, "bodies.strip.reduction.parts=12"),
    )
    assert not found.stopped
    assert found.sensors["bend"].values.max() > 1.2
    assert np.abs(found.sensors["tip"].values - coarse.sensors["tip"].values).max() < 5e-4
    assert found.energy_drift < 1e-4


# ---------------------------------------------------------------------- free flight


def test_free_flight():
    """Nothing acts: energy, momentum and moment of momentum stay to 1e-10 with the conserving integrator."""
    found = record("free_flight")
    energy = found.energies["kinetic"] + found.energies["strain"]
    assert np.ptp(energy) < 1e-10 * energy[0]
    for momentum in (found.linear_momentum, found.angular_momentum):
        assert np.linalg.norm(momentum - momentum[0], axis=1).max() < 1e-10 * np.linalg.norm(momentum[0])
    tip = np.linalg.norm(found.sensors["tip"].values, axis=1)
    assert 1e-4 < tip.max() < 0.05  # it does vibrate


# ---------------------------------------------------------------------- struck blade (references C)


def test_rotating_beam_coupled():
    """Lag 3.89768 and flap 5.585001 units of 5 rad/s at γ = 4 (Wright 1982), by a fit of the free vibration.

    Amplitudes are small; the fit resolves 1e-4 of a frequency in 10 s; generalised-α at 1 ms lowers it by
    (ωh)²/12 = 6e-5.
    """
    found = record("rotating_beam_coupled")
    after = found.times > 0.05
    for component, expected in ((1, 3.89768), (2, 5.585001)):
        values = found.sensors["tip"].values[after, component]
        assert _frequency(found.times[after], values, 5 * expected) == pytest.approx(5 * expected, rel=5e-4)
    assert not found.stopped


def _frequency(times, values, near):
    """The frequency [rad/s] of the sine that fits best, among those near a guess."""
    trials = near * np.linspace(0.97, 1.03, 601)
    misfits = []
    for trial in trials:
        waves = np.stack([np.cos(trial * times), np.sin(trial * times), np.ones_like(times)], axis=1)
        misfits.append(np.linalg.lstsq(waves, values, rcond=None)[1][0])
    best = int(np.argmin(misfits))
    a, b, c = misfits[best - 1 : best + 2]
    return trials[best] + (trials[1] - trials[0]) * 0.5 * (a - c) / (a - 2 * b + c)


# ---------------------------------------------------------------------- published slider-crank in space


def rigid_slider_crank():
    """The linkage of rigid bodies in the plane, with mass and inertia of the two meshes."""
    bodies = [ff.RigidBody("piston", 0.1, 0.0, points={"C": (0, 0)})]
    points = {"crank": {"A": (0, 0), "B": (0, 0.03)}, "conrod": {"B": (0, 0), "C": (0, 0.08)}}
    for name, body in case("slider_crank_3d").discrete_bodies().items():
        inertia = body.inertia
        centre = inertia.first_moment / inertia.mass
        about = inertia.second_moment - inertia.mass * np.outer(centre, centre)
        moment = about[0, 0] + about[1, 1]
        bodies.append(ff.RigidBody(name, inertia.mass, moment, (*centre[:2], 0.0), points[name]))
    return ff.System(
        bodies,
        [
            ff.Revolute("A", "ground.A", "crank.A"),
            ff.Revolute("B", "crank.B", "conrod.B"),
            ff.Revolute("C", "conrod.C", "piston.C"),
            ff.Prismatic("guide", "ground.A", "piston.C", axis=(0.0, 1.0)),
        ],
        loads=[ff.MarkerForce("torque", "crank", moment=(0.0, 0.0, "2.5*step(0.025 - t)"))],
        ground={"A": (0, 0)},
        start={"conrod": ff.Placement((0, 0.03)), "piston": ff.Placement((0, 0.11))},
    )


def test_slider_crank_3d():
    """The elastic mechanism moves as a rigid one in the plane but for its vibrations, within 1 %.

    The rigid one is integrated by the pair of order eight with mass properties of the meshes.
    """
    found = record("slider_crank_3d", "analyses.run.duration=24 ms", "analyses.run.samples=241")
    rigid = ff.rigid_motion(rigid_slider_crank(), found.times, relative_tolerance=1e-9)
    speed = rigid.motion.body("crank").angular_velocities[:, 2]
    position = rigid.motion.body("piston").positions[:, 1]
    assert found.sensors["crank_speed"].values == pytest.approx(speed, abs=0.01 * np.abs(speed).max())
    assert found.sensors["piston"].values == pytest.approx(position, abs=0.01 * 0.06)
    middle = np.abs(found.sensors["conrod_mid"].values).max(axis=0)
    assert 1e-6 < middle.max() < 1e-4  # a stiff rod: micrometres
    assert found.constraint_residual < 1e-10
    for body in ("crank", "conrod"):
        assert found.summary()["reductions"][body]["coordinates"] == 8


def test_slider_crank_3d_stress():
    """The largest von Mises stress is that recovered from the displacements at its instant, to rounding."""
    # every step is stored, so that the displacements of the instant are at hand
    found = record("slider_crank_3d", "analyses.run.duration=6 ms", "analyses.run.samples=601")
    example = case("slider_crank_3d")
    parts = elastic_parts(example.system(), example.reductions(), watched={}, discrete=example.discrete_bodies())
    for stress in found.stress:
        part, instant = parts[stress.body], int(np.argmin(np.abs(found.times - stress.time)))
        assert found.times[instant] == pytest.approx(stress.time, abs=1e-9)  # a step is 10 µs
        shape = part.reduced.basis.expand(found.coordinates[stress.body][instant])
        recovered = recovered_stress(part.discrete, shape)
        assert stress.value == pytest.approx(max(r.measures["von_mises"].max() for r in recovered), rel=1e-10)
        assert stress.value > 1e6


def test_slider_crank_3d_of_stiff_bodies_is_rigid():
    """A thousand times stiffer, what is left is the error of the integrator: 1e-4 at 10 µs, of second order."""
    stiff = [f"materials.{name} material.young=70000 GPa" for name in ("crank", "rod")]
    found = record("slider_crank_3d", "analyses.run.duration=24 ms", "analyses.run.samples=241", *stiff)
    speed = ff.rigid_motion(rigid_slider_crank(), found.times, relative_tolerance=1e-9)
    speed = speed.motion.body("crank").angular_velocities[:, 2]
    assert found.sensors["crank_speed"].values == pytest.approx(speed, abs=2e-4 * np.abs(speed).max())

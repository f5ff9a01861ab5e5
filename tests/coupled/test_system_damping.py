"""Damping of the assembled system: the ratios that are asked for are those with which its modes decay."""

from dataclasses import replace

import numpy as np
import pytest

import flexframe as ff
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.entries.problems import CaseError
from flexframe.reduction.strategies import Modal
from flexframe.verification.dynamics import decay_ratio

from .arms import locked_arm
from .samples import strip, swing

# the first mode has 4.6 Hz; generalised-α with 400 steps a period and ρ∞ = 0.8 adds less than 1e-5 to its ratio
STEP, DURATION = 0.5e-3, 3.0
PULL = ff.MarkerForce("pull", "lower.end", force_before=(0.0, 2.0, 0.0))
TIP = {"tip": ff.sensors.MarkerSensor("position", "lower.end", along=(0, 1, 0))}


def released(damping: ff.bodies.SystemDamping | None, **more: object) -> CoupledMotion:
    """The arm let go from the deflection under 2 N at its hand."""
    system = replace(locked_arm(), loads=(PULL,))
    return ff.simulate(system, duration=DURATION, step=STEP, samples=3001, sensors=TIP, damping=damping, **more)


def first_mode_ratio(record: CoupledMotion) -> float:
    """Of the second half, in which faster modes have died out."""
    values, half = record.sensors["tip"].values, len(record.times) // 2
    about_rest = values - np.mean(values[-half:])
    return decay_ratio(about_rest[half:])


def test_the_first_mode_decays_with_the_ratio_asked_for() -> None:
    """0.01 by the logarithmic decrement of the tip, within 1 %; the record says so too."""
    record = released(ff.bodies.ModalDamping(0.01))
    assert first_mode_ratio(record) == pytest.approx(0.01, rel=0.01)
    # differences of accelerations are good to 1e-6 of the largest
    assert record.damping.ratios == pytest.approx(np.full(12, 0.01), rel=1e-4)
    said = record.summary()["damping"]
    assert said["assembled"]["frequencies_hz"][0] == pytest.approx(4.612, rel=1e-3)
    assert "every mode of the assembled system" in said["parts"][0]
    assert record.energies["dissipated"][-1] > 0


def test_ratios_of_links_are_said_to_be_of_links() -> None:
    """0.01 in the modes of each link alone is far less in the assembled ones, and the record tells both."""
    choice = ff.reduction.ReductionChoice(damping_ratio=0.01)
    record = released(None, reductions={"upper": choice, "lower": choice})
    assert record.damping.ratios[0] < 0.001
    assert "not in those of the assembled system" in record.damping.words


def test_fitted_rayleigh_damping_meets_both_ratios() -> None:
    """ζ = (α/ω + βω)/2: ratios at two modes and beyond them, and the decay of the first."""
    record = released(ff.bodies.RayleighFit((0.01, 0.02)))
    alpha, beta = record.damping.alpha, record.damping.beta
    assert alpha is not None and beta is not None
    assert record.damping.ratios[:2] == pytest.approx([0.01, 0.02], rel=1e-4)
    omega = 2 * np.pi * record.damping.frequencies_hz
    assert record.damping.ratios == pytest.approx((alpha / omega + beta * omega) / 2, rel=1e-3)
    assert first_mode_ratio(record) == pytest.approx(0.01, rel=0.01)
    named = released(ff.bodies.RayleighFit((0.01, 0.01), (5.0, 110.0)))
    assert named.damping.beta == pytest.approx(2 * 0.01 / (2 * np.pi * 115.0), rel=1e-12)


def test_a_fit_that_would_feed_the_motion_is_refused() -> None:
    with pytest.raises(ff.InputError, match="would need a negative damping"):
        released(ff.bodies.RayleighFit((0.001, 0.3)))
    with pytest.raises(ff.InputError, match=r"give the second one from 0\.005 to 0\.02"):
        ff.bodies.RayleighFit((0.01, 0.03), (10.0, 20.0))
    with pytest.raises(ff.InputError, match="from 0 to below 1"):
        ff.bodies.ModalDamping(1.5)


def test_rigid_motion_of_the_system_is_not_damped() -> None:
    """An arm that turns freely at 2 rad/s as a whole loses nothing: its stretch is steady, its turn goes on."""
    system = locked_arm(free_shoulder=True)
    placed = {
        name: replace(place, angular_velocity=2.0, velocity=np.cross([0, 0, 2.0], place.position))
        for name, place in system.start.items()
    }
    record = ff.simulate(
        replace(system, start=placed), duration=2.0, step=1e-3, damping=ff.bodies.ModalDamping(0.05)
    )
    speed = record.motion.body("upper").angular_velocities[:, 2]
    energy = record.energies["kinetic"][0]
    assert record.energies["dissipated"][-1] < 1e-6 * energy
    assert speed == pytest.approx(np.full(len(speed), speed[0]), rel=1e-5)
    assert record.damping.ratios[0] == pytest.approx(0.05, rel=1e-2)


@pytest.mark.slow
def test_formalisms_carry_the_damping_between_bodies() -> None:
    """Kane's equations of the damped arm and the compiled ones; Whittaker's need an energy integral.

    Both are integrated to 1e-8 of the lengths, of a tip that moves by some hundredths of a millimetre.
    """
    system = replace(locked_arm(), loads=(PULL,))
    two = {name: ff.reduction.ReductionChoice(Modal(2)) for name in ("upper", "lower")}
    arguments = {"duration": 0.005, "tolerance": 1e-8, "samples": 6, "sensors": TIP, "reductions": two}
    asked = ff.bodies.ModalDamping(0.05, at=0.1)
    compiled = ff.simulate(system, **arguments, damping=asked)
    kane = ff.simulate(system, **arguments, damping=asked, formalism="kane")
    values = compiled.sensors["tip"].values
    assert kane.sensors["tip"].values == pytest.approx(values, abs=1e-5 * np.ptp(values))
    assert compiled.energy_drift < 1e-6
    with pytest.raises(ff.AnalysisError, match="is damped"):
        ff.simulate(system, **arguments, damping=asked, formalism="whittaker")


def test_a_system_that_cannot_deform_has_nothing_to_damp() -> None:
    rigid = {"upper": "rigid", "lower": "rigid"}
    with pytest.raises(ff.InputError, match="nothing to damp"):
        ff.simulate(locked_arm(), duration=0.1, step=1e-3, reductions=rigid, damping=ff.bodies.ModalDamping(0.05))


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("{}", "damping: needs one of modal and rayleigh"),
        ("{modal: 1.2}", "a damping ratio is 1.2; give a part of critical damping"),
        ("{rayleigh: {ratios: [0.01, 0.5], frequencies: [10 Hz, 20 Hz]}}", "would need a negative damping"),
        ("{modal: 0.1, at: soon}", "damping.at"),
    ],
)
def test_wrong_damping_is_refused_at_its_line(written: str, message: str) -> None:
    with pytest.raises(CaseError) as caught:
        strip(("step: 0.2 ms", f"step: 0.2 ms\n    damping: {written}"))
    assert message in str(caught.value)
    assert str(caught.value).startswith("strip.yaml:")


def test_damping_in_a_case() -> None:
    """A strip on a hinge: the pendulum swings on, its bending has 5 %."""
    found = swing(
        ("step: 0.2 ms", "step: 0.2 ms\n    damping: {modal: 0.05, at: start}"),
        overrides=("analyses.run.duration=1 ms", "analyses.run.samples=2"),
    )
    assert found.summary()["damping"]["assembled"]["ratios"][-1] == pytest.approx(0.05, rel=1e-3)

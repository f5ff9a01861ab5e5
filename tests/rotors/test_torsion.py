"""Torsional vibration by engine orders, against discs on springs in closed form."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.cases.case import load_case
from flexframe.cases.run import run_case

G = 8e10
LIGHT = ff.Material(2 * G * 1.3, 0.3, 1e-6)  # a shaft that twists and has no inertia beside the discs
LENGTH, DIAMETER = 0.8, 0.05
FIRST, SECOND = 0.4, 1.1  # kg m²
STIFFNESS = G * np.pi * DIAMETER**4 / 32 / LENGTH
NATURAL = np.sqrt(STIFFNESS * (1 / FIRST + 1 / SECOND))


def two_discs(name: str = "shaft", **more) -> ff.Body:
    return ff.rotors.rotor_body(
        name,
        [ff.rotors.ShaftPiece(LENGTH, (ff.rotors.ShaftLayer(DIAMETER),), elements=4)],
        material=LIGHT,
        discs=[
            ff.rotors.Disc(0.0, 10.0, FIRST, FIRST / 2, "engine"),
            ff.rotors.Disc(LENGTH, 20.0, SECOND, SECOND / 2, "pump"),
        ],
        **more,
    )


def closed_form(omega, ratio: float):
    """Torque k(θ₂ − θ₁) of a unit torque on the first disc, −k(1 + 2iζ)/J₁/(ω_n²(1 + 2iζ) − ω²)."""
    soft = 1 + 2j * ratio
    return -STIFFNESS * soft / FIRST / (NATURAL**2 * soft - omega**2)


@pytest.mark.parametrize("motions", ["lateral", "torsional", "all"])
def test_two_discs(motions: str) -> None:
    """ω² = k(1/J₁ + 1/J₂), and torque and stress of two orders; the shaft has 1e-9 of the inertia of the discs.

    Whatever motions the rotor was described with, and whatever its bearings, it twists alike.
    """
    speeds, ratio = np.linspace(20.0, 400.0, 77), 0.02
    held = [ff.rotors.Bearing((x, 0, 0), 1e7, 1e3, name=n) for x, n in ((0.2, "left"), (0.6, "right"))]
    found = ff.rotors.torsional_response(
        two_discs(motions=motions, bearings=held),
        speeds,
        [ff.rotors.EngineTorque("engine", 1, 50.0), ff.rotors.EngineTorque("engine", 2.5, 20.0, 0.7)],
        damping_ratio=ratio,
        modes=1,
    )
    assert found.frequencies_hz == pytest.approx([NATURAL / 2 / np.pi], rel=1e-8)
    wanted = [50 * closed_form(speeds, ratio), 20 * np.exp(0.7j) * closed_form(2.5 * speeds, ratio)]
    for ours, theirs in zip(found.torques, wanted, strict=True):
        assert np.abs(ours - theirs[:, None]).max() < 1e-7 * np.abs(theirs).max()
    # by angles of its own: 720 of two turns leave (2.5 · 0.017/2)²/2 of the top
    angles = np.linspace(0, 4 * np.pi, 100_001)
    waves = np.exp(1j * angles), np.exp(2.5j * angles)
    top = [np.abs((a * waves[0] + b * waves[1]).real).max() for a, b in zip(*wanted, strict=True)]
    assert np.abs(found.peaks - np.array(top)[:, None]).max() < 3e-4 * max(top)
    assert found.segments[0].stress == pytest.approx(16 / np.pi / DIAMETER**3, rel=1e-12)


def test_critical_speeds_and_margins() -> None:
    """Ω = ω_n/e: order 2 at half of it; margins of 5 % and 20 % against the 10 % of API 617."""
    speeds = np.linspace(20.0, 1.2 * NATURAL, 11)
    torque = ff.rotors.EngineTorque("engine", 2, 50.0)

    def found(low: float, high: float) -> dict[float, str]:
        record = ff.rotors.torsional_response(
            two_discs(), speeds, [torque], modes=1, operating_speeds=(low * NATURAL, high * NATURAL)
        )
        assert [c.speed_rad_s for c in record.criticals] == pytest.approx([NATURAL / 2, NATURAL], rel=1e-8)
        return {c.order: c.verdict for c in record.criticals}

    assert found(0.6, 0.95)[1.0].startswith("fails") and found(0.6, 0.8)[1.0] == "meets API 617"
    assert found(0.45, 0.8)[2.0].startswith("within") and found(0.6, 0.8)[2.0] == "meets API 617"


def test_gears_and_two_speeds() -> None:
    """ω² = k cos²α (r₁²/J₁ + r₂²/J₂) of two discs whose teeth mesh; an order of the pinion counts its turns."""
    k, alpha, radii = 4e7, np.radians(20), (0.2, 0.1)

    def wheel(name: str, inertia: float) -> ff.Body:
        return ff.rotors.rotor_body(
            name,
            [ff.rotors.ShaftPiece(0.1, (ff.rotors.ShaftLayer(0.2),), elements=2)],
            material=ff.Material(2 * 1e17 * 1.3, 0.3, 1e-6),
            discs=[ff.rotors.Disc(0.05, 10.0, inertia, inertia / 2, "gear")],
        )

    train = ff.rotors.RotorTrain(
        "train",
        (
            ff.rotors.TrainMember(wheel("wheel", FIRST), 1.0),
            ff.rotors.TrainMember(wheel("pinion", SECOND), None, (0.0, 0.3, 0.0)),
        ),
        gears=(ff.rotors.GearMesh("wheel.gear", "pinion.gear", radii, k),),
    )
    natural = np.sqrt(k * np.cos(alpha) ** 2 * (radii[0] ** 2 / FIRST + radii[1] ** 2 / SECOND))
    found = ff.rotors.torsional_response(
        train, np.linspace(10.0, natural, 5), [ff.rotors.EngineTorque("pinion.gear", 1, 10.0)], modes=1
    )
    assert found.frequencies_hz == pytest.approx([natural / 2 / np.pi], rel=1e-6)  # the shafts twist by 1e-7
    assert found.ratios == (-2.0,)
    excited = [c.speed_rad_s for c in found.criticals if c.excited]  # up to twice the speeds
    assert excited == pytest.approx([natural / 2], rel=1e-6)


def test_layers_share_a_torque() -> None:
    """A tube of half the shear modulus around a core: T by GJ, stress G r T/ΣGJ at the surface of each."""
    soft = ff.Material(G * 1.3, 0.3, 7800.0)
    layers = (ff.rotors.ShaftLayer(0.04, material=LIGHT), ff.rotors.ShaftLayer(0.06, 0.04, material=soft))
    rotor = ff.rotors.rotor_body("shaft", [ff.rotors.ShaftPiece(0.5, layers, elements=2)])
    found = ff.rotors.torsional_response(rotor, [10.0], [ff.rotors.EngineTorque("start", 1, 1.0)], modes=1)
    core, tube = G * np.pi / 32 * 0.04**4, G / 2 * np.pi / 32 * (0.06**4 - 0.04**4)
    wanted = max(G * 0.02, G / 2 * 0.03) / (core + tube)
    assert [segment.stress for segment in found.segments] == pytest.approx([wanted] * 2, rel=1e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"speeds": [0.0, 10.0]}, "positive and increasing"),
        ({"torques": []}, "no torque"),
        ({"damping_ratio": 2.0}, "from 0 to 1"),
        ({"operating_speeds": (20.0, 10.0)}, "lowest and the highest"),
    ],
)
def test_what_is_refused(given: dict[str, object], message: str) -> None:
    asked = {"speeds": [10.0], "torques": [ff.rotors.EngineTorque("engine", 1, 1.0)]} | given
    with pytest.raises(ff.InputError, match=message):
        ff.rotors.torsional_response(two_discs(), **asked)
    with pytest.raises(ff.InputError, match="multiple of one half"):
        ff.rotors.EngineTorque("engine", 0.3, 1.0)


def test_a_case(tmp_path) -> None:
    """The two discs in a case file; verdict and torque stand in the first two tables."""
    case = tmp_path / "case.yaml"
    case.write_text(
        """
materials: {light: {young: 2.08e11, poisson: 0.3, density: 1e-6, idealised: true}}
bodies:
  shaft:
    material: light
    shaft: [{length: 800 mm, diameter: 50 mm, elements: 4}]
    discs:
      engine: {at: 0, mass: 10 kg, polar_inertia: 0.4, diametral_inertia: 0.2}
      pump: {at: 800 mm, mass: 20 kg, polar_inertia: 1.1, diametral_inertia: 0.55}
analyses:
  torsion:
    kind: torsional_response
    speeds: {start: 300 rpm, end: 4000 rpm, count: 75}
    operating_speeds: [1200 rpm, 1500 rpm]
    torques: [{on: engine, order: 2, amplitude: 50 N m}]
    damping_ratio: 0.01
    modes: 1
"""
    )
    found = run_case(load_case(case)).records["torsion"]
    assert found.summary()["frequencies_hz"] == pytest.approx([NATURAL / 2 / np.pi], rel=1e-8)
    criticals, segments, _ = found.presentation().overview()
    assert "meets API 617" in criticals.rows[0] or "fails" in str(criticals.rows[0])
    k = int(np.argmax(found.peaks[:, 0]))
    wanted = 50 * abs(closed_form(2 * found.speeds[k], 0.01))
    assert segments.rows[0][1] == pytest.approx(wanted, rel=1e-4)  # the top between 720 angles

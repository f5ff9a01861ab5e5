"""Cross-coupling that a rotor bears, against closed forms and against the same seal in a Campbell diagram."""

from dataclasses import replace

import numpy as np
import pytest
from tests.rotation.rotors import AXIS, point_rotor
from tests.rotation.rotors import MASS as KILOGRAMS
from tests.rotors.test_unbalance import LENGTH, MASS, pair, rigid_rotor

import flexframe as ff
from flexframe.cases.case import load_case
from flexframe.cases.run import run_case

SPEED = 900.0


def flexible(*bearings: ff.rotors.Bearing) -> ff.Body:
    return ff.rotors.rotor_body(
        "rotor",
        [ff.rotors.ShaftPiece(1.2, (ff.rotors.ShaftLayer(0.06),), elements=16)],
        material=ff.STEEL,
        discs=[ff.rotors.Disc(0.5, 12.0, 0.09, 0.05, "wheel")],
        bearings=bearings,
        stations={"seal": 0.7},
    )


def film() -> ff.rotors.BearingTable:
    """Coefficients over the speed, cross-coupled."""
    return ff.rotors.BearingTable.from_columns(
        {
            "speed": [200.0, 600.0, 1200.0],
            "kxx": [6e6, 5e6, 4.7e6],
            "kyy": [9e6, 8e6, 6.8e6],
            "kxy": [1e6, 1.1e6, 1.2e6],
            "kyx": [-1.4e6, -1.5e6, -1.6e6],
            "cxx": [2e4, 1.2e4, 0.8e4],
        }
    )


def test_threshold_of_a_rigid_rotor() -> None:
    """m z̈ + c ż + (k − iQ) z = 0 loses its stability at Q = c √(k/m), and δ = −2πσ/ω there is zero.

    The shaft bends by 3e-7 of what the bearings give. At half of it λ = −c/2m + √(c²/4m² − (k − iQ)/m).
    """
    k, c = 2e6, 2 * 400.0  # of both bearings
    wanted = c * np.sqrt(k / MASS)
    found = ff.rotors.stability_threshold(
        rigid_rotor(*pair(k / 2, c / 2)), SPEED, {"disc": 1.0}, anticipated=wanted / 2, modes=2
    )
    assert found.threshold == pytest.approx(wanted, rel=2e-6)
    assert found.ratio == pytest.approx(2.0, rel=2e-6)
    root = np.sqrt(complex(c**2 / 4 / MASS**2 - k / MASS, wanted / 2 / MASS))
    value = -c / 2 / MASS + root if root.real > 0 else -c / 2 / MASS - root
    assert found.anticipated_decrement == pytest.approx(-2 * np.pi * value.real / abs(value.imag), rel=1e-5)
    assert found.threshold_branch is not None and found.whirl[found.threshold_branch] == "forward"


@pytest.mark.parametrize("speed", [SPEED, -SPEED])
def test_the_same_seal_in_a_diagram(speed: float) -> None:
    """With the threshold as a seal of the rotor a real part is zero; the estimate of the error is 1e-6 of |λ|."""
    table = film()
    held = [ff.rotors.Bearing((x, 0, 0), table=table, name=n) for x, n in ((0.1, "left"), (1.1, "right"))]
    found = ff.rotors.stability_threshold(flexible(*held), speed, {"wheel": 3.0, "seal": 1.0})
    assert found.threshold is not None and found.confirmed
    turned = np.sign(speed) * found.threshold * np.array([[0.0, 1.0], [-1.0, 0.0]])
    seals = [
        ff.rotors.Bearing((x, 0, 0), tuple(map(tuple, share * turned)), name=f"seal at {x}")
        for x, share in ((0.5, 0.75), (0.7, 0.25))
    ]
    rotor = flexible(*held, *seals)
    values = ff.campbell_diagram(rotor, [speed], modes=6, frame="inertial").eigenvalues[0]
    nearest = values[np.nanargmin(np.abs(values.real))]
    assert abs(nearest.real) < 2e-6 * abs(nearest)
    assert np.nanmax(values.real) < 2e-6 * abs(nearest)


def test_supports_over_the_frequency() -> None:
    """k = k₀ + aω² and c: at the threshold ω² = k₀/(m − a), Q = cω; splines through a parabola are it."""
    k0, a, c = 4000.0, 0.6, 20.0
    omega = np.linspace(0.0, 200.0, 9)
    table = ff.rotors.BearingTable.from_columns(
        {"frequency": omega, "kxx": (k0 + a * omega**2) / 2, "cxx": np.full(len(omega), c / 2)}
    )
    body = replace(point_rotor(0.0), bearings=(ff.rotors.Bearing("all", table=table),))
    found = ff.rotors.stability_threshold(body, 60.0, {"all": 1.0}, modes=2, axis=AXIS)
    assert found.threshold == pytest.approx(c * np.sqrt(k0 / (KILOGRAMS - a)), rel=1e-9)


def test_places_of_a_train() -> None:
    """Two rigid rotors that do not touch: the threshold of one is what it is alone, whatever the other does."""
    first = rigid_rotor(*pair(1e6, 400.0))
    second = ff.rotors.rotor_body(
        "second",
        [ff.rotors.ShaftPiece(LENGTH, (ff.rotors.ShaftLayer(0.2),), elements=2)],
        material=ff.Material(2e14, 0.3, 1e-6),
        discs=[ff.rotors.Disc(LENGTH / 2, 2 * MASS, 0.1, 0.05, "disc")],
        bearings=pair(3e6, 600.0),
    )
    train = ff.rotors.RotorTrain(
        "train", (ff.rotors.TrainMember(first), ff.rotors.TrainMember(second, 2.0, (0.0, 1.0, 0.0)))
    )
    found = ff.rotors.stability_threshold(train, SPEED, {"second.disc": 1.0}, modes=4)
    assert found.threshold == pytest.approx(1200.0 * np.sqrt(6e6 / (2 * MASS)), rel=2e-6)


def test_rotors_that_nothing_damps_and_that_are_unstable_already() -> None:
    """Any cross-coupling drives what nothing damps; a seal of the rotor that is too strong leaves nothing."""
    alone = ff.rotors.stability_threshold(rigid_rotor(*pair(1e6, 0.0)), SPEED, {"disc": 1.0}, modes=2)
    assert alone.threshold == pytest.approx(0.0, abs=1.0)
    driven = pair(((1e6, 1e6), (-1e6, 1e6)), 100.0)
    found = ff.rotors.stability_threshold(rigid_rotor(*driven), SPEED, {"disc": 1.0}, modes=2)
    assert found.threshold == 0.0 and found.verdict == "unstable without any"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"speed": 0.0}, "other than zero"),
        ({"places": {}}, "acts nowhere"),
        ({"places": {"nowhere": 1.0}}, "nowhere"),
        ({"anticipated": -1.0}, "positive"),
        ({"anticipated": 2e6, "largest": 1e6}, "above the largest"),
    ],
)
def test_what_is_refused(given: dict[str, object], message: str) -> None:
    asked = {"speed": SPEED, "places": {"disc": 1.0}} | given
    with pytest.raises(ff.InputError, match=message):
        ff.rotors.stability_threshold(rigid_rotor(*pair(1e6, 400.0)), **asked)


def test_a_case(tmp_path) -> None:
    """The rotor of the closed form in a case file, its threshold in summary and table."""
    case = tmp_path / "case.yaml"
    case.write_text(
        """
materials: {light: {young: 2e14, poisson: 0.3, density: 1e-6, idealised: true}}
bodies:
  rotor:
    material: light
    shaft: [{length: 400 mm, diameter: 200 mm, elements: 2}]
    discs: {disc: {at: 200 mm, mass: 10 kg, polar_inertia: 0.1, diametral_inertia: 0.05}}
    bearings:
      left: {at: 0, stiffness: 1 MN/m, damping: 0.4 kN s/m}
      right: {at: 400 mm, stiffness: 1 MN/m, damping: 0.4 kN s/m}
analyses:
  threshold: {kind: stability_threshold, speed: 9000 rpm, on: disc, anticipated: 100 kN/m, modes: 2}
"""
    )
    found = run_case(load_case(case)).records["threshold"]
    summary = found.summary()
    assert summary["threshold_N_m"] == pytest.approx(800 * np.sqrt(2e5), rel=2e-6)
    assert summary["verdict"] == "meets API 617, level I"
    first = found.presentation().overview()[0]
    assert "meets API 617, level I" in first.rows[0]

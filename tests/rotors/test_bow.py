"""A bent shaft that turns: against the closed form of a uniform shaft in hinges and of a disc on a light shaft."""

from pathlib import Path

import numpy as np
import pytest
from tests.rounding import rounding

import flexframe as ff
from flexframe.assembly.discrete import discretise
from flexframe.cases.case import parse_case
from flexframe.cases.run import run_case
from flexframe.entries.problems import CaseError
from flexframe.errors import InputError
from flexframe.spectra.rotation.harmonic_loads import bow_vector

LENGTH, DIAMETER, OFFSET = 2.0, 0.02, 1e-4
PLACES = tuple(np.linspace(0.0, LENGTH, 41))
SINE = tuple(OFFSET * np.sin(np.pi * np.array(PLACES) / LENGTH))
MIDDLE = {"middle": ff.sensors.DofSensor((LENGTH / 2, 0, 0))}


def shaft(
    stiffness: object = 1e10,
    *,
    material: ff.Material = ff.STEEL,
    discs: tuple[ff.rotors.Disc, ...] = (),
    **more: object,
) -> ff.Body:
    return ff.rotors.rotor_body(
        "shaft",
        [ff.rotors.ShaftPiece(LENGTH, (ff.rotors.ShaftLayer(DIAMETER),), elements=20)],
        material=material,
        discs=discs,
        bearings=[ff.rotors.Bearing((x, 0.0, 0.0), stiffness, **more) for x in (0.0, LENGTH)],  # type: ignore[arg-type]
    )


def first_speed() -> float:
    """Of a slender uniform shaft in hinges: (π/L)² √(EI/ρA)."""
    return float((np.pi / LENGTH) ** 2 * np.sqrt(ff.STEEL.young / ff.STEEL.density) * DIAMETER / 4)


@pytest.mark.parametrize("stiffness", [1e10, (1e10, 2e10)], ids=["circles", "ellipses"])
def test_a_bow_like_the_first_mode(stiffness: object) -> None:
    """w = r/(1 − Ω²/Ω_c²), at an angle.

    Shear and rotary inertia are (πd/4L)² · 4 = 2.5e-4 of Ω_c, so 5e-4 · 1.3 of it.
    """
    speeds = np.array([0.01, 0.3, 0.5, 1.5, 2.5]) * first_speed()
    found = ff.unbalance_response(shaft(stiffness), speeds, [ff.rotors.Bow(PLACES, SINE, 0.4)], MIDDLE)
    wanted = OFFSET * np.exp(0.4j) / (1 - (speeds / first_speed()) ** 2)
    if stiffness == 1e10:
        assert found.curves["middle"].values == pytest.approx(wanted, rel=2e-3)
    else:
        assert found.curves["middle along e1"].values == pytest.approx(wanted, rel=2e-3)
        assert found.curves["middle along e2"].values == pytest.approx(-1j * wanted, rel=2e-3)
    assert found.excitation.startswith("bow, ")


@pytest.mark.parametrize("stiffness", [1e10, (1e10, 2e10)], ids=["circles", "ellipses"])
def test_a_disc_on_a_light_shaft(stiffness: object) -> None:
    """(Ω_c²r + Ω²e)/(Ω_c² − Ω²): with e = −r the disc stays where it is at rest, at all speeds.

    Of the shaft's bow only what bends counts; its mass is 5e-7 of that of the disc.
    """
    light = ff.Material(young=210e9, poisson=0.3, density=0.01, idealised=True)
    disc = ff.rotors.Disc(LENGTH / 2, 10.0, 0.02, 0.01, "disc")
    rotor = shaft(stiffness, material=light, discs=(disc,))
    loads = [ff.rotors.Bow(PLACES, SINE, 0.2), ff.rotors.Unbalance("disc", 10.0 * OFFSET, 0.2 + np.pi)]
    found = ff.unbalance_response(rotor, np.array([5.0, 20.0, 60.0, 200.0]), loads, MIDDLE)
    name = "middle" if stiffness == 1e10 else "middle along e1"
    assert found.curves[name].values == pytest.approx(OFFSET * np.exp(0.2j), rel=1e-4)
    assert found.excitation.startswith("bow and unbalance, ")


def test_straight_parts_change_nothing() -> None:
    """A tilted and shifted line adds what no bearing sees; forces of the shaft are those of bending alone."""
    tilted = np.array(SINE) + 3e-4 + 2e-4 * np.array(PLACES)
    speeds = [20.0, 60.0]
    found = [
        ff.unbalance_response(shaft(1e6, damping=1e3), speeds, [ff.rotors.Bow(PLACES, tuple(line))], MIDDLE)
        for line in (SINE, tilted)
    ]
    values = [each.curves["middle"].values for each in found]
    # K of the elements times a line is rounding of entries that are 1e5 of the bending stiffness of the whole
    assert values[0] == pytest.approx(values[1], abs=rounding(100, 1e6) * OFFSET)


def test_beyond_its_points_a_bow_is_straight() -> None:
    offset, slope = ff.rotors.Bow((0.0, 1.0, 2.0), (0.0, 1.0, 0.0)).line(np.array([-1.0, 0.5, 3.0]))
    assert offset == pytest.approx([-2.0, 0.75, -2.0])  # 2x − x²
    assert slope == pytest.approx([2.0, 1.0, -2.0])


def test_bows_that_are_refused() -> None:
    with pytest.raises(InputError, match="three points or more"):
        ff.rotors.Bow((0.0, 1.0), (0.0, 1.0))
    with pytest.raises(InputError, match="do not increase"):
        ff.rotors.Bow((0.0, 2.0, 1.0), (0.0, 1.0, 0.0))
    with pytest.raises(InputError, match="neither an unbalance nor a bow"):
        ff.unbalance_response(shaft(), [10.0], [], MIDDLE)


def test_sections_of_a_solid_shaft_follow_its_line() -> None:
    """A straight line moves a solid shaft rigidly and asks for no force, one that bends for a balanced one."""
    block = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (4, 1, 1)), material=ff.STEEL)
    discrete, axis = discretise(block), np.array([1.0, 0.0, 0.0])
    places = (0.0, 0.2, 0.4)
    largest = abs(discrete.element_stiffness).max()
    straight = bow_vector(discrete, [ff.rotors.Bow(places, (0.0, 1e-3, 2e-3), 0.3)], axis)
    assert np.abs(straight).max() < rounding(1000) * largest * 2e-3
    bent = bow_vector(discrete, [ff.rotors.Bow(places, (0.0, 1e-3, 0.0), 0.3)], axis)
    assert np.abs(bent).max() > 1e-4 * largest * 1e-3
    assert np.abs(discrete.dofs.nodal(bent)[:, :3].sum(axis=0)).max() < rounding(1000) * largest * 1e-3


CASE = """\
bodies:
  rotor:
    material: steel
    shaft: [{length: 2 m, diameter: 20 mm, elements: 10}]
    bearings:
      left: {at: 0, stiffness: 10000 MN/m}
      right: {at: 2 m, stiffness: 10000 MN/m}
    stations: {middle: 1 m}
analyses:
  bent:
    kind: frequency_response
    speeds: {start: 0.01 rad/s, end: 1 rad/s, count: 2}
    loads: [{bow: [[0, 0], [1 m, 0.1 mm], [BEYOND, 0]], angle: 90 deg}]
    sensors: {middle: {on: middle}}
"""


def test_a_bow_of_a_case() -> None:
    """At rest the shaft has its bow, at its angle; 1 rad/s is 1/64 of the critical speed, which adds 2.5e-4."""
    case = parse_case(CASE.replace("BEYOND", "2 m"), file="bent.yaml", folder=Path())
    found = run_case(case).records["bent"]
    assert found.curves["middle"].values == pytest.approx(1e-4j, rel=1e-3)
    with pytest.raises(CaseError, match=r"bent\.yaml:13: .*bow: its places do not increase"):
        parse_case(CASE.replace("BEYOND", "1 m"), file="bent.yaml", folder=Path())

"""Shafts of beams with discs that bend, against rigid discs and against the disc alone."""

from dataclasses import replace

import numpy as np
import pytest

import flexframe as ff
from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.elements.properties import ShellProperty
from flexframe.model.body import Region

SHAFT = [ff.rotors.ShaftPiece(1.0, (ff.rotors.ShaftLayer(0.06),), elements=8)]
SIZE = {"diameter": 0.5, "thickness": 0.02, "bore": 0.1}
HELD = [ff.rotors.Bearing((x, 0, 0), 2e7, name=n) for x, n in ((0.0, "left"), (1.0, "right"))]


def rotor(disc: ff.rotors.Disc | ff.rotors.ShellDisc | ff.rotors.SolidDisc) -> ff.Body:
    return ff.rotors.rotor_body("rotor", SHAFT, material=ff.STEEL, discs=[disc], bearings=HELD)


def frequencies(
    disc: ff.rotors.Disc | ff.rotors.ShellDisc | ff.rotors.SolidDisc, speeds: list[float], modes: int
) -> np.ndarray:
    return ff.campbell_diagram(
        rotor(disc), speeds, modes=modes, frame="rotating", engine_orders=[]
    ).frequencies_hz[:, :modes]


def test_a_stiff_ring_is_a_rigid_disc() -> None:
    """A thousand times stiffer than steel it moves rigidly, with the whirl that the gyroscopic moments split.

    What bends in the disc is its stiffness against the shaft's, about 1e-4; 24 sides with the area of the circle
    have 3e-5 too much inertia.
    """
    stiff = replace(ff.STEEL, young=1e3 * ff.STEEL.young, name="stiff", idealised=True)
    speeds = [0.0, 300.0]
    elastic = frequencies(ff.rotors.ShellDisc(0.3, material=stiff, name="wheel", **SIZE), speeds, 4)
    rigid = frequencies(ff.rotors.Disc.of_size(0.3, material=ff.STEEL, name="wheel", **SIZE), speeds, 4)
    assert elastic == pytest.approx(rigid, rel=5e-4)
    soft = frequencies(ff.rotors.ShellDisc(0.3, material=ff.STEEL, name="wheel", **SIZE), speeds, 4)
    assert (soft < rigid * (1 + 1e-9)).all() and (soft[:, 2:] < 0.995 * rigid[:, 2:]).any()


def test_modes_of_two_diameters_do_not_move_the_shaft() -> None:
    """With two nodal diameters a disc pulls evenly at its hub: the same as clamped there, on the same mesh."""
    disc = ff.rotors.ShellDisc(0.3, material=ff.STEEL, name="wheel", **SIZE)
    wider = np.sqrt(np.pi / 12 / np.sin(np.pi / 12))  # 24 sides with the area of the circle
    ring = ff.Body(
        "ring",
        ff.mesh.annulus(wider * SIZE["bore"] / 2, wider * SIZE["diameter"] / 2, disc.divisions, order=1),
        (Region(ShellProperty(ff.STEEL, SIZE["thickness"])),),
        supports=(ff.Clamp("inner"),),
        space="spatial",
    )
    alone = ff.modes(ring, count=8).frequencies_hz
    pairs = alone[np.flatnonzero(np.abs(np.diff(alone)) < 1e-6 * alone[:-1])]  # n = 1, 2 …, n = 0 is single
    whole = frequencies(disc, [0.0], 16)[0]
    assert np.abs(whole[:, None] - pairs[1]).min() < 1e-6 * pairs[1]


def test_a_case(tmp_path) -> None:
    """The same rotor by a case file, in the turning frame of its own accord; what does not fit is refused."""
    text = """
bodies:
  rotor:
    material: steel
    shaft: [{length: 1 m, diameter: 60 mm, elements: 8}]
    discs: {wheel: {at: 300 mm, diameter: 500 mm, thickness: 20 mm, bore: 100 mm, elastic: true}}
    bearings:
      left: {at: 0, stiffness: 20 MN/m}
      right: {at: 1 m, stiffness: 20 MN/m}
analyses:
  modes: {kind: campbell, speeds: {start: 0, end: 300 rad/s, count: 2}, modes: 4}
"""
    case = tmp_path / "case.yaml"
    case.write_text(text)
    found = run_case(load_case(case)).records["modes"]
    disc = ff.rotors.ShellDisc(0.3, material=ff.STEEL, name="wheel", **SIZE)
    assert found.frame == "rotating"
    assert found.frequencies_hz[:, :4] == pytest.approx(frequencies(disc, [0.0, 300.0], 4), rel=1e-6)
    for old, new, message in (
        ("bore: 100 mm, ", "", "diameter, thickness and bore"),
        ("elastic: true", "divisions: [4, 24]", "belongs to an elastic disc"),
    ):
        case.write_text(text.replace(old, new))
        with pytest.raises(ff.FlexframeError, match=message):
            load_case(case)

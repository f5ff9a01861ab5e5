"""Shafts of beams with discs of solids, against rigid discs, discs of shells and the disc alone."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.rotors.test_shell_discs import SIZE, frequencies

import flexframe as ff
from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.errors import InputError
from flexframe.mesh.mesh import Mesh

INNER, OUTER, THICKNESS = SIZE["bore"] / 2, SIZE["diameter"] / 2, SIZE["thickness"]
CASE = """
bodies:
  rotor:
    material: steel
    shaft: [{length: 1 m, diameter: 60 mm, elements: 8}]
    discs:
      wheel:
        at: 300 mm
        mesh:
          revolve:
            mesh:
              quadrilateral:
                corners: [[50 mm, -10 mm], [250 mm, -10 mm], [250 mm, 10 mm], [50 mm, 10 mm]]
                divisions: [3, 1]
            divisions: 16
        hub: left
    bearings:
      left: {at: 0, stiffness: 20 MN/m}
      right: {at: 1 m, stiffness: 20 MN/m}
analyses:
  modes: {kind: campbell, speeds: {start: 0, end: 300 rad/s, count: 2}, modes: 4}
"""


def section() -> Mesh:
    half = THICKNESS / 2
    return ff.mesh.quadrilateral([(INNER, -half), (OUTER, -half), (OUTER, half), (INNER, half)], (3, 1))


def wheel(material: ff.materials.Material = ff.STEEL, around: int = 16) -> ff.rotors.SolidDisc:
    mesh = ff.mesh.revolve(section(), around)
    return ff.rotors.SolidDisc(0.3, mesh, "left", (0.0, 1.0, 0.0), material, "wheel")


def test_a_section_sweeps_its_solid() -> None:
    """Volume of a ring with quadratic sides, sets that are swept, and every node at the radius of its own."""
    mesh = ff.mesh.revolve(section(), 24)
    volume = np.pi * (OUTER**2 - INNER**2) * THICKNESS
    # parabolas in place of arcs: (2π/24)⁴/480 of an area
    assert ff.mesh.check_mesh(mesh).volume == pytest.approx(volume, rel=2e-5)
    radii = np.hypot(mesh.points[:, 0], mesh.points[:, 2])
    assert radii[mesh.node_sets["left"]] == pytest.approx(INNER) and len(mesh.node_sets["left"]) == 24 * 2 * 2 + 24
    assert np.unique(radii.round(9)) == pytest.approx(np.unique(section().points[:, 0].round(9)))
    with pytest.raises(InputError, match="lies in x > 0"):
        ff.mesh.revolve(ff.mesh.rectangle(0.1, 0.1, (1, 1)), 24)
    with pytest.raises(InputError, match="give 8 or more"):
        ff.mesh.revolve(section(), 7)


def test_a_stiff_solid_is_a_rigid_disc() -> None:
    """A thousand times stiffer than steel it moves rigidly, and steel bends; 16 parabolas have 1e-4."""
    stiff = replace(ff.STEEL, young=1e3 * ff.STEEL.young, name="stiff", idealised=True)
    speeds = [0.0, 300.0]
    rigid = frequencies(ff.rotors.Disc.of_size(0.3, material=ff.STEEL, name="wheel", **SIZE), speeds, 4)
    assert frequencies(wheel(stiff), speeds, 4) == pytest.approx(rigid, rel=5e-4)
    soft = frequencies(wheel(), speeds, 4)
    assert (soft < rigid * (1 + 1e-4)).all() and (soft[:, 2:] < 0.995 * rigid[:, 2:]).any()
    # plates with shear and solids of one thickness: (h/a)² of the bending of the disc
    shells = frequencies(ff.rotors.ShellDisc(0.3, material=ff.STEEL, name="wheel", **SIZE), speeds, 4)
    assert soft == pytest.approx(shells, rel=1e-2)


def test_any_axis_of_the_mesh() -> None:
    """The same disc drawn about z, as tubes are."""
    mesh = ff.mesh.tube(INNER, OUTER, THICKNESS, (3, 16, 1))
    mesh = replace(mesh, points=mesh.points - np.array([0.0, 0.0, THICKNESS / 2]))
    other = ff.rotors.SolidDisc(0.3, mesh, "inner", material=ff.STEEL, name="wheel")
    assert frequencies(other, [200.0], 4) == pytest.approx(frequencies(wheel(), [200.0], 4), rel=1e-6)


def test_a_case(tmp_path: Path) -> None:
    """The same rotor by a case file; what does not fit is refused with its place."""
    case = tmp_path / "case.yaml"
    case.write_text(CASE)
    found = run_case(load_case(case)).records["modes"]
    assert found.frequencies_hz[:, :4] == pytest.approx(frequencies(wheel(), [0.0, 300.0], 4), rel=1e-6)
    for old, new, message in (
        ("        hub: left\n", "", r"wheel\.hub: is missing; name the set"),
        ("hub: left", "hub: bore", r"wheel\.hub: .*has no set bore; its sets are: .*left"),
        ("hub: left", "hub: left\n        mass: 3 kg", r"wheel\.mass: is given beside a mesh"),
        ("[50 mm, -10 mm], [250 mm, -10", "[0 mm, -10 mm], [250 mm, -10", r"wheel\.mesh: .*lies in x > 0"),
    ):
        case.write_text(CASE.replace(old, new))
        with pytest.raises(ff.FlexframeError, match=message):
            load_case(case)

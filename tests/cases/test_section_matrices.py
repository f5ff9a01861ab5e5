"""Sections by their matrices in case files: what is read, in which order and units, and what is refused where."""

from collections.abc import Callable

import numpy as np
import pytest

from flexframe.cases.case import Case
from flexframe.cases.checking import check_case, section_line, section_table
from flexframe.elements.properties import BeamProperty
from flexframe.elements.section_matrices import SectionMatrices

CASE = """\
bodies:
  blade:
    mesh: {line: {length: 1 m, divisions: 4}}
    space: spatial
    material: steel
    section:
      matrices:
        stiffness: STIFFNESS
        mass: [2 kg/m, 2, 2, 30 g m, 0.01, 0.02 kg m]
        height: 30 mm
        width: 100 mm
    supports: [{clamp: start}]
analyses:
  first: {kind: modes, count: 2}
"""
ROWS = [
    [1200.0, 10.0, 0.0, 0.0, 0.0, 0.0],
    [10.0, 500.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 300.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 4.0, 1.5, 0.0],
    [0.0, 0.0, 0.0, 1.5, 3.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 8.0],
]


def section(case: Case) -> SectionMatrices:
    prop = case.bodies()["blade"].regions[0].prop
    assert isinstance(prop, BeamProperty) and isinstance(prop.section, SectionMatrices)
    return prop.section


def test_rows_diagonals_and_units(parse: Callable[..., Case]) -> None:
    """In SI, or with the units of their place."""
    found = section(parse(CASE.replace("STIFFNESS", str(ROWS))))
    assert np.array(found.stiffness) == pytest.approx(np.array(ROWS))
    assert np.array(found.mass) == pytest.approx(np.diag([2.0, 2, 2, 0.03, 0.01, 0.02]))
    assert (found.height, found.width) == (0.03, 0.1)
    found = section(parse(CASE.replace("STIFFNESS", "[1.2 kN, 500, 300 N, 4 N m^2, 3, 8e-3 kN m^2]")))
    assert np.array(found.stiffness) == pytest.approx(np.diag([1200.0, 500, 300, 4, 3, 8]))


def test_order_of_beamdyn(parse: Callable[..., Case]) -> None:
    """Shear x, shear y, axial, bending x, bending y, torsion, its z along the beam and its x our y."""
    theirs = np.array(ROWS)[np.ix_((1, 2, 0, 4, 5, 3), (1, 2, 0, 4, 5, 3))]
    mass = "[2, 2, 2, 0.01, 0.02, 0.03]\n        order: beamdyn"
    text = CASE.replace("STIFFNESS", str(theirs.tolist())).replace("[2 kg/m, 2, 2, 30 g m, 0.01, 0.02 kg m]", mass)
    assert np.array(section(parse(text)).stiffness) == pytest.approx(np.array(ROWS))
    assert np.array(section(parse(text)).mass) == pytest.approx(np.diag([2.0, 2, 2, 0.03, 0.01, 0.02]))


def changed(row: int, column: int, value: float) -> str:
    rows = [list(each) for each in ROWS]
    rows[row][column] = value
    return str(rows)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (changed(0, 1, 11.0), "stiffness: stiffness is not symmetric: row 1 has 11 in column 2, row 2 has 10"),
        (changed(5, 5, -8.0), "stiffness: stiffness is not positive definite, some strain would cost nothing"),
        (str(ROWS[:5]), "stiffness: is not six rows of six numbers, nor the six numbers of a diagonal"),
        (changed(0, 0, 1.0).replace("1.0, 10.0", "3 kg, 10.0"), "stiffness[0][0]: '3 kg' is a mass, but a force"),
        ("[1, 1, 1, 3 kN, 1, 1]", "stiffness[3]: '3 kN' is a force, but a bending stiffness is expected"),
    ],
)
def test_refusals_stand_at_their_field(problems: Callable[..., list[str]], given: str, words: str) -> None:
    (found,) = problems(CASE.replace("STIFFNESS", given))
    assert found.split(" ", 1)[1].startswith(f"bodies.blade.section.matrices.{words}"), found
    assert ":8:" in found or ":9:" in found


def test_what_the_matrices_say_already(problems: Callable[..., list[str]]) -> None:
    for field in ("theory: timoshenko", "rotary_inertia: 0"):
        text = CASE.replace("STIFFNESS", str(ROWS)).replace("    supports", f"    {field}\n    supports")
        (found,) = problems(text)
        name = field.partition(":")[0]
        assert f"bodies.blade.{name}: {name} is given beside matrices of the section" in found


def test_check_states_the_section(parse: Callable[..., Case]) -> None:
    """The diagonal, how strongly it is coupled, and the mass."""
    case = parse(CASE.replace("STIFFNESS", str(ROWS)))
    check_case(case)
    (row,) = section_table(case.bodies().values())["blade"]
    assert section_line(row) == (
        "section: EA 1200 N, GAy 500 N, GAz 300 N, GJ 4 N m², EIy 3 N m², EIz 8 N m², 2 couplings, the largest "
        "0.433 of the diagonal; mass 2 kg/m"
    )

"""Shear factors of round sections: Cowper's, of the bore and the material, unless one is given."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flexframe.assembly.discrete import discretise
from flexframe.cli import app
from flexframe.elements.polygon_section import PolygonSection
from flexframe.elements.properties import BeamProperty, Circle, Material, Rectangle
from flexframe.elements.section_shapes import angle_section, box_section, channel_section, i_section
from flexframe.model.body import Body
from flexframe.model.loads import NodeForce
from flexframe.model.supports import Clamp

# Cowper 1966, table 1: 6(1+ν)/(7+6ν) of the circle, 2(1+ν)/(4+3ν) of the thin tube
SOLID = {0.0: 6 / 7, 0.3: 7.8 / 8.8, 0.5: 9 / 10}
THIN = {0.0: 1 / 2, 0.3: 2.6 / 4.9, 0.5: 3 / 5.5}


@pytest.mark.parametrize("poisson", SOLID)
def test_cowpers_factors(poisson: float) -> None:
    """Both limits of the bore; a wall of 1e-6 of the radius is 1e-12 from the thin tube (m enters as (1 − m)²)."""
    assert Circle(0.1).shear_factors(poisson)[0] == pytest.approx(SOLID[poisson], rel=1e-14)
    thin = Circle(0.1, 0.1 * (1 - 1e-6)).shear_factors(poisson)
    assert thin == pytest.approx((THIN[poisson], THIN[poisson]), rel=1e-11)


@pytest.mark.parametrize(
    ("section", "poisson", "factor"),
    [
        (Circle(0.1), 0.3, SOLID[0.3]),
        (Circle(0.1), 0.0, SOLID[0.0]),
        (Circle(0.1, 0.09), 0.3, 0.5329693936972007),
        (Circle(0.1, 0.09, shear_factor=0.7), 0.3, 0.7),
        (Rectangle(0.1, 0.1), 0.3, 5 / 6),
    ],
)
def test_deflection_of_a_stub(section, poisson: float, factor: float) -> None:
    """FL³/3EI + FL/κGA with κ of the section in its material; exact interpolation, so rounding × condition 1e3."""
    E, L = 200e9, 0.12
    material = Material(E, poisson, 7850.0)
    body = Body.beam(
        "stub",
        length=L,
        divisions=2,
        section=section,
        material=material,
        supports=(Clamp("start"),),
        loads=(NodeForce("end", (0.0, 1.0, 0.0)),),
    )
    discrete = discretise(body)
    delta = discrete.equilibrium.solve(discrete.loads.forces).displacements[:, 0]
    G = E / (2 * (1 + poisson))
    exact = L**3 / (3 * E * section.inertia_z) + L / (factor * G * section.area)
    assert discrete.dofs.nodal(delta)[-1, 1] == pytest.approx(exact, rel=1e-12)
    assert BeamProperty(material, section).shear_factors == pytest.approx((factor, factor), rel=1e-13)


@pytest.mark.parametrize(
    ("given", "made"),
    [
        (
            "i: {height: 200 mm, width: 100 mm, web: 6 mm, flange: 10 mm}",
            i_section(0.2, 0.1, web=0.006, flange=0.01),
        ),
        (
            "channel: {height: 200 mm, width: 80 mm, web: 6 mm, flange: 10 mm}",
            channel_section(0.2, 0.08, web=0.006, flange=0.01),
        ),
        ("box: {height: 80 mm, width: 60 mm, web: 4 mm}", box_section(0.08, 0.06, web=0.004)),
        ("angle: {height: 80 mm, width: 60 mm, thickness: 8 mm}", angle_section(0.08, 0.06, thickness=0.008)),
        (
            "polygon: {outline: [[0, 0], [80 mm, 0], [0, 60 mm]], shear_factor: 0.7}",
            PolygonSection(((0.0, 0.0), (0.08, 0.0), (0.0, 0.06)), shear_factor=0.7),
        ),
    ],
)
def test_sections_of_a_case(given: str, made: PolygonSection, tmp_path: Path) -> None:
    """The same section in a case file and in Python, stated in what `check` prints."""
    case = tmp_path / "beam.yaml"
    case.write_text(CASE.replace("circle: {diameter: 100 mm, inner_diameter: 90 mm}", given))
    checked = CliRunner().invoke(app, ["check", str(case), "--json"])
    (row,) = json.loads(checked.output)["bodies"]["tube"]["sections"]
    assert row["area_m2"] == pytest.approx(made.area, rel=1e-12)
    assert row["torsion_constant_m4"] == pytest.approx(made.torsion_constant, rel=1e-9)
    assert row["shear_factors"] == pytest.approx(list(made.shear_factors(0.3)), rel=1e-9)
    assert row["shear_centre_m"] == pytest.approx(list(made.shear_centre), rel=1e-9)
    assert 0 < row["torsion_error"] < 1e-2
    assert "warping is not modelled" in CliRunner().invoke(app, ["check", str(case)]).output


def test_impossible_outline_is_an_error_with_its_line(tmp_path: Path) -> None:
    """FILE:LINE: field, exit code 2."""
    case = tmp_path / "beam.yaml"
    case.write_text(
        CASE.replace("circle: {diameter: 100 mm, inner_diameter: 90 mm}", "box: {height: 1, width: 1, web: 1}")
    )
    result = CliRunner().invoke(app, ["check", str(case)])
    assert result.exit_code == 2
    assert "beam.yaml:6: bodies.tube" in result.output and "do not fit" in result.output


CASE = """
title: Tube
materials:
  metal: {young: 200 GPa, poisson: 0.3, density: 7850 kg/m^3}
bodies:
  tube:
    mesh: {line: {length: 0.5, divisions: 2}}
    material: metal
    section: {circle: {diameter: 100 mm, inner_diameter: 90 mm}}
    supports: [{clamp: start}]
analyses:
  first: {kind: modes, count: 1}
"""


def test_summary_and_check_state_the_factor(tmp_path: Path) -> None:
    """0.5329694 of the tube in a material with ν 0.3, in summary.json and in what `check` prints."""
    case = tmp_path / "tube.yaml"
    case.write_text(CASE)
    checked = CliRunner().invoke(app, ["check", str(case)])
    assert "shear factors 0.532969 (y), 0.532969 (z)" in checked.output
    assert CliRunner().invoke(app, ["run", str(case), "--out", str(tmp_path / "out")]).exit_code == 0
    (row,) = json.loads((tmp_path / "out" / "summary.json").read_text())["sections"]["tube"]
    assert row["shear_factors"] == pytest.approx([0.5329693936972007] * 2, rel=1e-13)

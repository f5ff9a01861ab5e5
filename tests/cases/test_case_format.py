"""The case format: what it makes, and how it tells what is wrong."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.cases.sample_cases import PLATE
from tests.rounding import ROUNDING

from flexframe.cases.case import Case, load_case
from flexframe.cases.run import run_case
from flexframe.cases.source import parse_yaml
from flexframe.elements.properties import (
    STEEL,
    BarProperty,
    BeamProperty,
    Circle,
    GeneralSection,
    PlaneProperty,
    Rectangle,
    SolidProperty,
)
from flexframe.entries.problems import CaseError
from flexframe.errors import AnalysisError
from flexframe.mesh import builders
from flexframe.model.body import Damping, PointMass
from flexframe.model.loads import Gravity, LineLoad, NodeForce, Pressure, Traction
from flexframe.model.supports import Clamp, Fix, Pin, Roller, Symmetric

Parse = Callable[..., Case]
Problems = Callable[..., list[str]]

MODES = "analyses: {a: {kind: modes}}\n"


def body_of(parse: Parse, fields: str):
    return parse(f"bodies:\n  b: {fields}\n{MODES}").bodies()["b"]


# ---------------------------------------------------------------------- what a case makes


def test_plate(parse: Parse) -> None:
    """Every field of the small case arrives in the model, in SI."""
    case = parse(PLATE)
    body = case.bodies()["plate"]
    assert body.regions[0].prop == PlaneProperty(STEEL, 0.005, "stress")
    assert body.supports == (Clamp("left"),)
    assert body.loads == (Traction("right", (0.0, 1e6)),)
    assert body.space == "planar"
    assert case.title == "Plate"
    assert case.analyses["vibration"].kind == "modes"


def test_every_support_and_load(parse: Parse) -> None:
    """Selections are set names, node numbers or points; vectors take units."""
    body = body_of(
        parse,
        """
    mesh: {rectangle: {length: 1, height: 1, divisions: [2, 2]}}
    material: steel
    thickness: 1 cm
    supports:
      - {pin: [0, 0]}
      - {roller: bottom_right, direction: [1, 1]}
      - {symmetric: left, normal: [1, 0, 0]}
      - {fix: 3, dofs: [ux, uy]}
    loads:
      - {force: [0, -2 kN], on: top}
      - {pressure: 2 bar, on: right}
      - {gravity: [0, -9.81]}
    point_masses: [{mass: 200 g, on: [1, 1]}]
    damping: {mass: 0.1, stiffness: 1 ms}
""",
    )
    assert body.supports == (
        Pin((0.0, 0.0, 0.0)),
        Roller("bottom_right", (1.0, 1.0)),
        Symmetric("left", (1.0, 0.0, 0.0)),
        Fix(3, ("ux", "uy")),
    )
    assert body.loads == (NodeForce("top", (0.0, -2000.0)), Pressure("right", 2e5), Gravity((0.0, -9.81)))
    assert body.point_masses == (PointMass((1.0, 1.0, 0.0), 0.2),)
    assert body.damping == Damping(0.1, 1e-3)


def test_beams_bars_and_sections(parse: Parse) -> None:
    """Section, theory, rotary inertia and up of a beam; area of a bar; loads with moments and per length."""
    beam = body_of(
        parse,
        """
    mesh: {line: {length: 2 m, divisions: 4, start: [0.5, 0]}}
    material: aluminium
    section: {circle: {diameter: 20 mm, inner_diameter: 10 mm}}
    theory: euler_bernoulli
    rotary_inertia: 0
    strain_law: engineering
    up: [0, 0, 1]
    loads: [{moment: [0, 0, 5 N m], force: [1, 0], on: end}, {line_load: [0, -50 N/m]}]
""",
    )
    prop = beam.regions[0].prop
    assert isinstance(prop, BeamProperty)
    assert prop.section == Circle(0.02, 0.01)
    assert (prop.rotary_inertia, prop.strain_law, prop.up) == (0.0, "engineering", (0.0, 0.0, 1.0))
    assert beam.regions[0].family == "euler_bernoulli_beam"
    assert beam.loads == (NodeForce("end", (1.0, 0.0), (0.0, 0.0, 5.0)), LineLoad((0.0, -50.0)))
    assert beam.mesh.points[0].tolist() == [0.5, 0, 0]
    bar = body_of(parse, "{mesh: {line: {length: 1, divisions: 1}}, material: steel, area: 40 mm^2}")
    assert bar.regions[0].prop == BarProperty(STEEL, 40e-6)
    other = (
        "{mesh: {line: {length: 1, divisions: 1}}, material: steel, section: {rectangle: {width: 2, height: 1}}}"
    )
    assert body_of(parse, other).regions[0].prop.section == Rectangle(2, 1)  # type: ignore[union-attr]
    general = other.replace(
        "rectangle: {width: 2, height: 1}",
        "general: {area: 1, inertia_z: 2, inertia_y: 3, torsion_constant: 4, fibre_height: 5}",
    )
    assert body_of(parse, general).regions[0].prop.section == GeneralSection(1, 2, 3, 4, fibre_height=5)  # type: ignore[union-attr]


MESHES = {
    "line: {length: 2, divisions: 3}": builders.line(2, 3),
    "polyline: {points: [[0, 0], [1, 0], [1, 1]], divisions: [2, 3]}": builders.polyline(
        [[0, 0], [1, 0], [1, 1]], [2, 3]
    ),
    "polyline: {points: [[0, 0], [1, 0, 0]], size: 0.4}": builders.polyline([[0, 0], [1, 0]], size=0.4),
    "rectangle: {length: 2, height: 1, divisions: [2, 1], order: 1, shape: triangle}": builders.rectangle(
        2, 1, (2, 1), 1, "triangle"
    ),
    "quadrilateral: {corners: [[0, 0], [2, 0], [2, 2], [0, 1]], divisions: [2, 1]}": builders.quadrilateral(
        [[0, 0], [2, 0], [2, 2], [0, 1]], (2, 1)
    ),
    "annulus: {inner_radius: 1, outer_radius: 2, divisions: [1, 8]}": builders.annulus(1, 2, (1, 8)),
    "disc: {radius: 2, divisions: 2}": builders.disc(2, 2),
    "disc: {radius: 2, divisions: [2, 3]}": builders.disc(2, (2, 3)),
    "block: {lengths: [3, 2, 1], divisions: [3, 2, 1], shape: tetra}": builders.block(
        (3, 2, 1), (3, 2, 1), 2, "tetra"
    ),
    "cylinder: {radius: 1, height: 2, divisions: [2, 2]}": builders.cylinder(1, 2, (2, 2)),
    "tube: {inner_radius: 1, outer_radius: 2, height: 1, divisions: [1, 8, 1]}": builders.tube(1, 2, 1, (1, 8, 1)),
    "blade: {length: 3, root_chord: 1, tip_chord: 1, thickness: 0.1, twist_angle: 9 deg, divisions: [2, 2, 1]}": (
        builders.blade(
            length=3, root_chord=1, tip_chord=1, thickness=0.1, twist_angle=np.pi / 20, divisions=(2, 2, 1)
        )
    ),
    "extrude: {mesh: {disc: {radius: 1, divisions: 1}}, height: 2, layers: 2, ends: [low, high]}": (
        builders.extrude(builders.disc(1, 1), 2, 2, end_names=("low", "high"))
    ),
}


@pytest.mark.parametrize("text", MESHES)
def test_every_mesh_is_that_of_its_builder(parse: Parse, text: str) -> None:
    """Points to the last bit, cells, and the names of the sets."""
    expected = MESHES[text]
    make = {1: "area: 1", 2: "thickness: 1", 3: "description: solid"}[expected.dimension]
    body = body_of(parse, f"{{mesh: {{{text}}}, material: steel, {make}}}")
    assert np.array_equal(body.mesh.points, expected.points)
    for made, wanted in zip(body.mesh.blocks, expected.blocks, strict=True):
        assert made.cell == wanted.cell
        assert np.array_equal(made.nodes, wanted.nodes)
    assert set(body.mesh.node_sets) == set(expected.node_sets)
    assert body.space == ("spatial" if expected.dimension == 3 else "planar")
    if expected.dimension == 3:
        assert body.regions[0].prop == SolidProperty(STEEL)


def test_mesh_written_out_with_sets(parse: Parse) -> None:
    """Points take two or three coordinates and units; sets name their nodes."""
    body = body_of(
        parse,
        """
    mesh:
      points: [[0, 0], [30 mm, 0, 0], [0, 20 mm]]
      cells: {triangle: [[0, 1, 2]]}
      sets: {base: [0, 1]}
    material: steel
    thickness: 1
    supports: [{clamp: base}]
""",
    )
    assert body.mesh.points.tolist() == [[0, 0, 0], [0.03, 0, 0], [0, 0.02, 0]]
    assert body.selected_nodes("base").tolist() == [0, 1]


def test_regions(parse: Parse) -> None:
    """Each region has its own cells, material and property."""
    body = body_of(
        parse,
        """
    mesh: {polyline: {points: [[0, 0], [1, 0], [1, 1]], divisions: 2}}
    regions:
      - {cells: segment1, material: steel, section: {circle: {diameter: 0.1}}}
      - {cells: segment2, material: aluminium, area: 0.01}
""",
    )
    assert [region.cells for region in body.regions] == ["segment1", "segment2"]
    assert isinstance(body.regions[0].prop, BeamProperty)
    assert isinstance(body.regions[1].prop, BarProperty)


def test_mesh_file_is_found_from_the_folder_of_the_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scale makes metres of millimetres; the current directory does not matter."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "part.inp").write_text(
        "*NODE\n1, 0, 0\n2, 30, 0\n3, 0, 20\n*ELEMENT, TYPE=CPS3, ELSET=web\n7, 1, 2, 3\n", encoding="utf-8"
    )
    (folder / "case.yaml").write_text(
        "bodies: {b: {mesh: {file: part.inp, scale: 0.001, part: web}, material: steel, thickness: 1}}\n" + MODES,
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    mesh = load_case("model/case.yaml").bodies()["b"].mesh
    assert mesh.points == pytest.approx(np.array([[0, 0, 0], [0.03, 0, 0], [0, 0.02, 0]]), rel=ROUNDING)


def test_user_material_and_own_steel(parse: Parse) -> None:
    """A material of the file goes before a built-in one of the same name."""
    text = PLATE + "materials: {steel: {young: 1 GPa, poisson: 0.2, density: 1 g/cm^3}}\n"
    material = parse(text).bodies()["plate"].regions[0].prop.material
    assert (material.young, material.poisson, material.density) == (1e9, 0.2, 1000.0)


def test_loads_give_the_same_as_the_python_side(parse: Parse) -> None:
    """A case is only a way of writing: statics of the case and of the same body in Python agree to round-off."""
    from flexframe.analyses.statics.analysis import statics
    from flexframe.assembly.discrete import discretise
    from flexframe.model.body import Body

    text = PLATE.replace("{kind: modes, count: 3}", "{kind: statics}")
    computed = run_case(parse(text)).records["vibration"].summary()["max_displacement_m"]
    mesh = builders.rectangle(0.4, 0.1, (4, 1))
    body = Body.plane("plate", mesh, material=STEEL, thickness=0.005, supports=(Clamp("left"),))
    body = replace(body, loads=(Traction("right", (0, 1e6)),))
    expected = statics(discretise(body)).summary()["max_displacement_m"]
    assert computed == pytest.approx(expected, rel=1e-12)


# ---------------------------------------------------------------------- what is wrong, and where

FULL = """\
title: T
description: D
materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000}}
bodies:
  plate:
    mesh: {rectangle: {length: 0.4, height: 0.1, divisions: [2, 1], order: 2, shape: quad}}
    space: planar
    material: m
    thickness: 1 mm
    plane: strain
    element: quadrilateral8
    supports: [{clamp: left}, {roller: right, direction: [0, 1]}, {fix: 3, dofs: [ux]}, {pin: [0, 0]}]
    loads: [{force: [1, 0], on: right}, {pressure: 1, on: right}, {traction: [1, 0], on: top}, {gravity: [0, 1]}]
    point_masses: [{mass: 1, on: right}]
    damping: {mass: 1, stiffness: 1}
    motion: {spin: 1, axis: [0, 0, 1]}
  beam:
    mesh: {polyline: {points: [[0, 0], [1, 0]], divisions: [2]}}
    regions:
      - {cells: segment1, material: steel, section: {circle: {diameter: 1}}, theory: timoshenko, up: [0, 1, 0]}
    loads: [{moment: [0, 0, 1], on: end}, {line_load: [0, 1], on: all}]
    motion: {angle: t, path: [t, "0"]}
  solid:
    mesh: {extrude: {mesh: {disc: {radius: 1, divisions: 1}}, height: 1, layers: 1, ends: [low, high]}}
    material: steel
    motion: {rotations: [{angle: t, axis: [0, 1, 0]}]}
  written:
    mesh: {points: [[0, 0], [1, 0], [0, 1]], cells: {triangle: [[0, 1, 2]]}, sets: {a: [0]}}
    material: steel
    thickness: 1
    motion: {angular_velocity: [0, 0, 1], angular_acceleration: [0, 0, 1], origin_acceleration: [0, 1]}
  other:
    mesh: {cylinder: {radius: 1, height: 1, divisions: [1, 1]}}
    material: steel
analyses:
  a: {kind: modes, body: plate, count: 2, motion: rest, time: 0, terms: {geometric: 1}}
  b: {kind: statics, body: beam, second_order: false}
  c: {kind: matrices, body: written}
"""
JUNK = ("", "true", "-1", "1.5", "1e308", ".nan", "x", "3 kg", "[]", "{}", "[[1]]", "[1, 2, 3, 4, 5]", "{a: 1}")


def paths(value: object, path: str = "") -> list[str]:
    """Every field of a case, at all depths."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        found += paths(child, f"{path}.{key}" if path else str(key))
    return found


@pytest.mark.parametrize("junk", JUNK)
def test_junk_in_any_field_is_refused_or_fits(parse: Parse, junk: str) -> None:
    """Every field of a case that uses most of the format, replaced by junk: a case or a CaseError."""
    refused = 0
    for path in paths(parse_yaml(FULL, "f").plain()):
        try:
            parse(FULL, f"{path}={junk}")
        except CaseError as error:
            refused += 1
            assert all(": " in str(problem) for problem in error.problems)
            assert all(problem.message for problem in error.problems)
    assert refused > 50


# ---------------------------------------------------------------------- single problems


def test_all_problems_are_listed_with_their_lines(problems: Problems) -> None:
    """One line each: file, line, field, what is wrong, what to do."""
    found = problems("""\
        title: 5
        materials:
          s: {young: 200 mm, poisson: 0.3, densty: 7900}
        bodies:
          disc:
            mesh: {annulus: {inner_radius: -20 mm, outer_radius: .nan, divisions: [10], order: 3}}
            plan: strain
            supports: [{clmp: start}, {roller: left, direction: [1, x]}, 5]
        analyses:
          a: {kind: mods}
          b: {count: 0}
        """)
    assert [line.split(": ")[0:2] for line in found] == [
        ["case.yaml:1", "title"],
        ["case.yaml:3", "materials.s.young"],
        ["case.yaml:3", "materials.s.density"],
        ["case.yaml:3", "materials.s.densty"],
        ["case.yaml:6", "bodies.disc.mesh.annulus.inner_radius"],
        ["case.yaml:6", "bodies.disc.mesh.annulus.outer_radius"],
        ["case.yaml:6", "bodies.disc.mesh.annulus.divisions"],
        ["case.yaml:6", "bodies.disc.mesh.annulus.order"],
        ["case.yaml:7", "bodies.disc.plan"],
        ["case.yaml:8", "bodies.disc.supports[0]"],
        ["case.yaml:8", "bodies.disc.supports[1].direction[1]"],
        ["case.yaml:8", "bodies.disc.supports[2]"],
        ["case.yaml:10", "analyses.a.kind"],
        ["case.yaml:11", "analyses.b.kind"],
    ]
    assert all("; " in line for line in found)
    assert "did you mean 'density'?" in found[3]
    assert "did you mean 'modes'?" in found[12]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("material: steel", "material: steal", "5: bodies.plate.material: unknown material 'steal' (did you mean"),
        ("clamp: left", "clamp: lefft", "8: bodies.plate.supports[0].clamp: unknown set 'lefft' (did you mean"),
        ("clamp: left", "clamp: 99", "8: bodies.plate.supports[0].clamp: body plate has no node 99"),
        ("clamp: left", "clamp: -1", "8: bodies.plate.supports[0].clamp: body plate has no node -1"),
        ("clamp: left", "clamp: true", "8: bodies.plate.supports[0].clamp: true selects no node"),
        ("clamp: left", "clamp: [0, 1 kg]", "8: bodies.plate.supports[0].clamp[1]: '1 kg' is a mass"),
        (
            "clamp: left",
            "{clamp: left, pin: left}",
            "8: bodies.plate.supports[0]: clamp and pin are given together",
        ),
        ("clamp: left", "{}", "8: bodies.plate.supports[0]: no support is given; choose one of clamp, pin"),
        (
            "clamp: left",
            "{roller: left, direction: [0, 0]}",
            "8: bodies.plate.supports[0]: roller direction has no",
        ),
        ("on: right", "on: rigth", "10: bodies.plate.loads[0].on: unknown facet set 'rigth' (did you mean"),
        ("traction: [0, 1 MPa]", "traction: 1", "10: bodies.plate.loads[0].traction: 1 is not a list"),
        ("thickness: 5 mm", "plane: strain", "3: bodies.plate: thickness is missing; give it beside plane"),
        ("thickness: 5 mm", "space: planar", "3: bodies.plate: the mesh has plane cells; give thickness"),
        ("thickness: 5 mm", "{thickness: 1}", "not valid YAML"),
        ("thickness: 5 mm", "thickness: 0", "6: bodies.plate.thickness: is 0; give a value that is positive"),
        ("thickness: 5 mm", "thickness: true", "6: bodies.plate.thickness: true is not a length"),
        ("thickness: 5 mm", "thickness:", "3: bodies.plate: the mesh has plane cells; give thickness"),
        ("material: steel", "element: quad", "3: bodies.plate: no material is given"),
        (
            "{rectangle:",
            "{disc: {radius: 1, divisions: 2}, rectangle:",
            "4: bodies.plate.mesh: rectangle and disc",
        ),
        (
            "{rectangle:",
            "{rectangel:",
            "4: bodies.plate.mesh.rectangel: unknown field (did you mean 'rectangle'?)",
        ),
        (
            "divisions: [4, 1]",
            "divisions: [4, 1.5]",
            "4: bodies.plate.mesh.rectangle.divisions[1]: 1.5 is not a whole",
        ),
        (
            "divisions: [4, 1]",
            "divisions: [40000, 40000]",
            "4: bodies.plate.mesh: the mesh would have 1.6e+09 cells",
        ),
        ("kind: modes, count: 3", "kind: modes, body: plat", "12: analyses.vibration.body: unknown body 'plat'"),
        ("kind: modes, count: 3", "kind: [modes]", "12: analyses.vibration.kind: a list is unknown"),
        ("kind: modes, count: 3", "kind: modes, motion: {}", "12: analyses.vibration.motion: no motion is given"),
        (
            "kind: modes, count: 3",
            "kind: modes, motion: {spin: 1, axis: [0, 0]}",
            "12: analyses.vibration.motion: the spin axis has no direction",
        ),
        ("vibration:", "../etc:", "12: analyses.../etc: '../etc' cannot be a name"),
        (
            "analyses:",
            "gravity: [0, -9.81]\nanalyses:",
            "gravity: does not stand here; it is a load: write loads:",
        ),
        ("analyses:", "springs: {}\nanalyses:", "springs: does not stand here; write it into loads"),
    ],
)
def test_one_problem_at_its_field(problems: Problems, old: str, new: str, expected: str) -> None:
    """Names, sets, choices and sizes that do not fit, each at its line with the way out."""
    assert old in PLATE
    found = problems(PLATE.replace(old, new))
    assert len(found) >= 1
    assert expected in found[0]


def test_case_must_be_a_mapping_with_bodies_and_analyses(problems: Problems) -> None:
    """A list, a word, and a mapping without its parts."""
    assert "the case is not a mapping" in problems("[1, 2]")[0]
    assert "the case is not a mapping" in problems("hello")[0]
    assert problems("title: x") == [
        "case.yaml:1: bodies: is missing; give it",
        "case.yaml:1: analyses: is missing; give it",
    ]
    assert "bodies: has too few entries" in problems("bodies: {}\n" + MODES)[0]


def test_body_must_be_named_when_there_are_two(problems: Problems) -> None:
    """An analysis without a body is clear only when there is one."""
    body = "{mesh: {line: {length: 1, divisions: 1}}, material: steel, area: 1}"
    found = problems(f"bodies:\n  a: {body}\n  b: {body}\n{MODES}")
    assert found == ["case.yaml:4: analyses.a.body: the case has 2 bodies (a, b); say which one with body"]


def test_problems_of_two_bodies_are_told_together(problems: Problems) -> None:
    """Meshes and sets of all bodies are looked at before the user hears."""
    found = problems(f"""\
bodies:
  a:
    mesh: {{annulus: {{inner_radius: 2, outer_radius: 1, divisions: [1, 8]}}}}
    material: steel
    thickness: 1
  b:
    mesh: {{file: none.inp}}
    material: steel
  c:
    mesh: {{line: {{length: 1, divisions: 1}}}}
    material: steel
    section: {{circle: {{diameter: 1, inner_diameter: 2}}}}
    area: 1
{MODES.replace("kind: modes", "kind: modes, body: a")}""")
    assert [line.split(": ")[:2] for line in found] == [
        ["case.yaml:3", "bodies.a.mesh"],
        ["case.yaml:7", "bodies.b.mesh.file"],
        ["case.yaml:9", "bodies.c"],
    ]
    assert "section (of a beam) and area (of a bar) are given together" in found[2]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("thickness: 5 mm", "area: 5 mm^2", "case.yaml:3: bodies.plate: no element for a quad8 cell"),
        (
            "{traction: [0, 1 MPa], on: right}",
            "{moment: [0, 0, 1], on: right}",
            "case.yaml:10: bodies.plate.loads[0]: body plate: a moment acts on 'right'",
        ),
        (
            "{traction: [0, 1 MPa], on: right}",
            "{line_load: [0, 1]}",
            "case.yaml:10: bodies.plate.loads[0]: body plate: a line load needs beams",
        ),
        (
            "{rectangle: {length: 0.4, height: 0.1, divisions: [4, 1]}}",
            "{points: [[0, 0], [0, 1], [1, 0]], cells: {triangle: [[0, 1, 2]]}, sets: {left: [0], right: [1]}}",
            "case.yaml:4: bodies.plate.mesh: cell 0 (triangle)",
        ),
    ],
)
def test_problems_of_assembly_have_the_line_of_their_field(
    parse: Parse, old: str, new: str, expected: str
) -> None:
    """What only the assembly finds is told at the load, mesh or body that is responsible."""
    text = PLATE.replace(old, new)
    if "sets:" in new:
        text = text.replace("loads:\n      - {traction: [0, 1 MPa], on: right}", "loads: []")
    case = parse(text)
    with pytest.raises(CaseError) as caught:
        run_case(case)
    assert str(caught.value).startswith(expected)


def test_analysis_that_cannot_be_done_has_its_line(parse: Parse) -> None:
    """Second-order statics of a free body: exit code 3, with the place of its supports."""
    text = PLATE.replace("{kind: modes, count: 3}", "{kind: statics, second_order: true}")
    text = text.replace("supports:\n      - clamp: left", "supports: []")
    with pytest.raises(
        AnalysisError, match=r"^case\.yaml:7: bodies\.plate\.supports: body plate is free"
    ) as caught:
        run_case(parse(text))
    assert caught.value.exit_code == 3


def test_progress_and_summary(parse: Parse) -> None:
    """Progress is told before each analysis; the summary names case, version, hash and settings."""
    import hashlib

    text = PLATE + "  bent: {kind: statics, description: Under its load}\n"
    told: list[tuple[int, int, str]] = []
    result = run_case(parse(text, "bodies.plate.thickness=6 mm"), lambda *step: told.append(step))
    assert told == [(0, 2, "vibration"), (1, 2, "bent"), (2, 2, "")]
    summary = result.summary()
    assert summary["case"] == "case"
    assert summary["case_sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert summary["settings"] == {"bodies.plate.thickness": "6 mm"}
    assert {name: a["kind"] for name, a in summary["analyses"].items()} == {
        "vibration": "modes",
        "bent": "statics",
    }
    assert summary["analyses"]["bent"]["description"] == "Under its load"

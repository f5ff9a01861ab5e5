"""Places on a body: the node that is taken is named, and a place off the body is refused wherever it is given."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import flexframe as ff
from flexframe.cases.case import Case, parse_case
from flexframe.cli import app
from flexframe.entries.problems import CaseError
from flexframe.errors import InputError

CASE = """
bodies:
  beam:
    mesh: {line: {length: 0.6, divisions: 20}}
    material: steel
    section: {rectangle: {width: 10 mm, height: 10 mm}}
    supports: [{clamp: start}]
    point_masses: [{mass: 1 kg, on: [0.3, 0]}]
    loads: [{force: [0, 1], on: [0.45, 0]}]
    springs: [{on: [0.15, 0], stiffness: [0, 1, 0]}]
    couplings: [{rigid: [0.57, 0], reference: end, dofs: [uy]}]
analyses:
  static: {kind: statics}
  swing:
    kind: transient
    duration: 1 ms
    steps: 10
    sensors:
      middle: {on: [0.31, 0]}
  response:
    kind: frequency_response
    frequencies: {start: 1 Hz, end: 2 Hz, count: 2}
    loads: [{force: [0, 1], on: end}]
    sensors: {tip: {on: [0.6, 0]}}
"""


def case(old: str = "", new: str = "") -> Case:
    assert old in CASE
    return parse_case(CASE.replace(old, new) if old else CASE, file="beam.yaml", folder=Path())


PLACES = {
    "bodies.beam.supports[0].clamp": "clamp: start",
    "bodies.beam.point_masses[0].on": "on: [0.3, 0]",
    "bodies.beam.loads[0].on": "on: [0.45, 0]",
    "bodies.beam.springs[0].on": "on: [0.15, 0]",
    "bodies.beam.couplings[0].rigid": "rigid: [0.57, 0]",
    "bodies.beam.couplings[0].reference": "reference: end",
    "analyses.swing.sensors.middle.on": "on: [0.31, 0]",
    "analyses.response.loads[0].on": "on: end",
    "analyses.response.sensors.tip.on": "on: [0.6, 0]",
}


@pytest.mark.parametrize("field", PLACES)
def test_a_place_off_the_body_is_refused_wherever_it_stands(field: str) -> None:
    """150 for 150 mm is 149.4 m beyond the end, and 5 km away is no place on a beam of 0.6 m."""
    old = PLACES[field]
    key = old.partition(":")[0]
    with pytest.raises(CaseError) as error:
        case(old, f"{key}: [150, 0]")
    (problem,) = error.value.problems
    line = CASE[: CASE.index(old)].count("\n") + 1
    assert str(problem).startswith(f"beam.yaml:{line}: {field}: [150, 0] is 149.4 m from body beam")
    assert "nearest node is 20 at (0.6, 0, 0) m" in problem.message
    assert "was [150 mm, 0 mm] meant?" in problem.message
    with pytest.raises(CaseError, match=r"4999 m from body beam.*give a place on the body"):
        case(old, f"{key}: [5000, 0]")


def test_unknown_sets_of_sensors_are_found_with_the_case() -> None:
    with pytest.raises(CaseError, match=r"analyses.swing.sensors.middle.on: .*'tipp'"):
        case("on: [0.31, 0]", "on: tipp")


def test_the_summary_names_the_nodes(tmp_path: Path) -> None:
    """Nodes are 30 mm apart, so [0.31, 0] is 10 mm from node 10."""
    file, out = tmp_path / "beam.yaml", tmp_path / "out"
    file.write_text(CASE)
    assert CliRunner().invoke(app, ["run", str(file), "--out", str(out)]).exit_code == 0
    places = json.loads((out / "summary.json").read_text())["places"]
    taken = places["analyses.swing.sensors.middle.on"]
    assert (taken["body"], taken["node"]) == ("beam", 10)
    assert taken["node_m"] == pytest.approx([0.3, 0, 0], abs=1e-15)
    assert taken["distance_m"] == pytest.approx(0.01, rel=1e-12)
    assert places["bodies.beam.point_masses[0].on"]["node"] == 10
    shown = CliRunner().invoke(app, ["check", str(file)]).stdout
    assert "place analyses.swing.sensors.middle.on: node 10 of beam at (0.3, 0, 0) m" in shown


def membrane(**extra: object) -> ff.Body:
    """Four squares of 1 m in the plane."""
    from flexframe.mesh.plane_builders import rectangle

    return ff.Body.plane("plate", rectangle(2.0, 2.0, (2, 2), order=1), material=ff.STEEL, thickness=0.01, **extra)


@pytest.mark.parametrize(("given", "meant"), [((1.0, 1, 5), "[1, 1.5]"), ((1, 5, 1.0), "[1.5, 1]")])
def test_a_decimal_comma_is_recognised(given: tuple[float, ...], meant: str) -> None:
    """[1.0, 1,5] are three numbers to YAML and to Python."""
    with pytest.raises(InputError, match="decimal comma") as error:
        membrane().selected_nodes(given)
    assert meant in str(error.value)


def test_a_planar_body_has_no_place_beside_its_plane() -> None:
    """0.3 m beside the plane is nearer than a square is wide, and still in no plane."""
    with pytest.raises(InputError, match="two numbers"):
        membrane().selected_nodes((1.0, 1.0, 0.3))
    assert membrane().selected_nodes((1.0, 1.0, 0.005)).tolist() == [4]  # on its surface


@pytest.mark.parametrize("distance", [0.7, 1.4])
def test_a_place_within_its_element_is_taken(distance: float) -> None:
    """A square of 1 m is √2 m across; nothing inside the mesh is farther than that from a node."""
    taken = membrane().place((2 + distance, 2.0))
    assert taken.node == 8 and taken.distance == pytest.approx(distance, rel=1e-12)
    with pytest.raises(InputError, match="from body plate"):
        membrane().place((2 + 1.45, 2.0))


def test_a_mesh_in_millimetres_is_recognised() -> None:
    section = ff.Rectangle(10.0, 10.0)
    body = ff.Body.beam("beam", length=600.0, divisions=20, section=section, material=ff.STEEL, root=100.0)
    with pytest.raises(InputError, match="is its mesh in millimetres"):
        body.selected_nodes((0.4, 0.0))


def test_the_surface_of_a_thick_beam_is_on_it() -> None:
    """A shaft of 0.4 m in elements of 0.03 m: its surface is farther from the nodes than an element is long."""
    body = ff.Body.beam("shaft", length=0.6, divisions=20, section=ff.Circle(0.4), material=ff.STEEL)
    assert body.selected_nodes((0.3, 0.2)).tolist() == [10]


def test_places_in_python_are_refused_with_the_name_of_their_sensor() -> None:
    from flexframe.sensors import MarkerSensor
    from flexframe.sensors.contract import find_markers

    system = ff.System((membrane(),))
    with pytest.raises(InputError, match=r"sensor corner: .*from body plate"):
        find_markers(system, {"corner": MarkerSensor("position", "plate", (2000.0, 2000.0))})
    body = membrane(supports=(ff.Clamp("left"),), loads=(ff.NodeForce((2000.0, 2000.0), (1, 0, 0)),))
    with pytest.raises(InputError, match=r"was \[2000 mm, 2000 mm\] meant"):
        ff.discretise(body)


def test_bodies_that_are_only_nodes_have_no_element_to_compare_with() -> None:
    from scipy.sparse import csr_array

    body = ff.bodies.matrix_body("lump", csr_array(np.eye(3)), csr_array(np.eye(3)))
    assert body.body.selected_nodes((0.5, 0.0)).tolist() == [0]

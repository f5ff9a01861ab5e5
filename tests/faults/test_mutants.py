"""Damaged cases and meshes: a sample of tools.mutants, and the mutants that once were not answered well."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tools.mutants import judge, misplaced

import flexframe as ff
from flexframe.cases.examples import example_paths
from flexframe.errors import AnalysisError, InputError
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import LINE
from flexframe.mesh.mesh import Mesh

SEED = 2  # not the seed of the full run, whose counts are in the documentation


@pytest.mark.parametrize("numbers", [range(first, first + 10) for first in range(0, 40, 10)], ids=str)
def test_mutants_are_answered_kindly(numbers: range) -> None:
    faults = [verdict for verdict in (judge(n, SEED, None) for n in numbers) if verdict.fault]
    assert faults == []


@pytest.mark.parametrize("numbers", [range(first, first + 15) for first in range(0, 60, 15)], ids=str)
def test_odd_names_are_answered_kindly(numbers: range) -> None:
    faults = [verdict for verdict in (judge(n, SEED, None, names=True) for n in numbers) if verdict.fault]
    assert faults == []


def test_a_body_called_ground_is_told_at_its_line(tmp_path: Path) -> None:
    text = example_paths()["free_flight"].read_text(encoding="utf-8")
    name = next(iter(ff.load_case(example_paths()["free_flight"]).document.bodies))
    (tmp_path / "case.yaml").write_text(re.sub(rf"\b{name}\b", "ground", text), encoding="utf-8")
    with pytest.raises(InputError, match=r"case\.yaml:\d+: bodies\.ground: this is the name of the fixed frame"):
        ff.load_case(tmp_path / "case.yaml")


@pytest.mark.parametrize(
    "character", ["\\e", "\\0", "\\a", "\\x7f", "\\x9b", "\\u202e", "\\ufeff", "\\r", "\\ud800"]
)
@pytest.mark.parametrize("text", ['title: "{}[2J"', 'bodies: {{"a{}": 1}}', 'analyses:\n  a: [1, "{}"]'])
def test_control_characters_written_as_escapes_are_refused(tmp_path: Path, text: str, character: str) -> None:
    """They would reach the terminal of whoever reads the title, or an error."""
    (tmp_path / "case.yaml").write_text(text.format(character), encoding="utf-8")
    with pytest.raises(InputError, match=r"control character U\+[0-9A-F]{4}; remove it") as caught:
        ff.load_case(tmp_path / "case.yaml")
    assert str(caught.value).replace(str(tmp_path), "").isprintable()


@pytest.mark.parametrize("far", [1e308, 1e200, float("inf"), float("nan")])
def test_coordinates_whose_squares_overflow_are_refused(far: float) -> None:
    with pytest.raises(InputError, match="node 1 has coordinates"):
        Mesh(np.array([[0, 0, 0], [far, 0, 0]]), (CellBlock(LINE, np.array([[0, 1]])),))


def test_a_cycle_of_many_turns_between_two_samples_ends_with_a_reason() -> None:
    case = ff.load_case(example_paths()["four_bar"], ["analyses.kinematics.duration=1e9"])
    with pytest.raises(AnalysisError, match="moves too far between the instants"):
        ff.run_case(case)


@pytest.mark.parametrize("area", [1e-300, 1e300])
def test_sections_whose_products_overflow_are_refused(area: float) -> None:
    case = ff.load_case(example_paths()["four_bar"])
    section = case.bodies()["follower"].regions[0].prop.section  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="nothing is of that size"):
        replace(section, area=area)


def test_a_duration_of_no_time_is_refused() -> None:
    """Squares of its steps were no numbers."""
    with pytest.raises(InputError, match=r"response.duration: is 1e-300 s; nothing moves in that time"):
        ff.load_case(example_paths()["four_bar"], ["analyses.response.duration=1e-300"])


@pytest.mark.parametrize("damage", ["  title: first\nbodies: 1\n", "title: first\nbodies: \x00\n"])
def test_damaged_text_is_told_with_the_field_before_it(tmp_path: Path, damage: str) -> None:
    (tmp_path / "case.yaml").write_text(damage)
    with pytest.raises(InputError, match=r"case.yaml:2: (title|bodies): "):
        ff.load_case(tmp_path / "case.yaml")


def test_a_recorded_number_beyond_all_measurements_is_refused_at_its_line(tmp_path: Path) -> None:
    """Its square is no number: libraries warned of it, and the message named no place in the recording."""
    for path in (example_paths()["wind_pump"], example_paths()["wind_pump"].with_suffix(".csv")):
        (tmp_path / path.name).write_text(path.read_text())
    record = tmp_path / "wind_pump.csv"
    lines = record.read_text().splitlines()
    lines[258] = "0.510,-1e308"
    record.write_text("\n".join(lines))
    with pytest.raises(InputError, match=r"wind_pump.yaml:\d+: drives.record: wind_pump.csv:259: '-1e308' under"):
        ff.load_case(tmp_path / "wind_pump.yaml")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("case.yaml:2: bodies.a.mesh: is missing; give it", ""),
        ("case.yaml:2: bodies.a.mesh: part.inp:7: 'x' is not a number; check the line", ""),
        ("case.yaml:2: bodies.a.mesh: part.inp: is not text; give an Abaqus input file (.inp)", ""),
        ("case.yaml:1: the case is empty; `flexframe examples` shows complete ones", ""),
        ("case.yaml: this is a folder; give the path of a case file", ""),
        ("bodies.a.mesh: is missing", "an error of input that does not begin with its file"),
        ("case.yaml: bodies.a.mesh: is missing", "an error of input without its line"),
        ("case.yaml:9: bodies.a.mesh: is missing", "an error of input with a line that the file does not have"),
        ("case.yaml:2: something is wrong", "an error of input without its field"),
        ("case.yaml:2: bodies.a.mesh: part.inp: is wrong", "an error of a mesh or recording without its line"),
    ],
)
def test_what_an_error_of_input_must_say(line: str, fault: str) -> None:
    assert misplaced(line, Path("case.yaml"), "title: x\nbodies: {a: 1}\n", ["part.inp"]) == fault


@pytest.mark.parametrize("density", [1e-300, 1e300])
def test_densities_whose_products_overflow_are_refused(density: float) -> None:
    with pytest.raises(InputError, match="no material has that"):
        ff.Material(young=2e11, poisson=0.3, density=density)

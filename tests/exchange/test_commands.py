"""flexframe describe and flexframe convert: what they print, write and refuse."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import flexframe as ff
from flexframe.cli import app

MILLIMETRES = "mm, N, s, tonne"
MASS = 7850 * 0.4 * 0.1 * 0.1  # kg


def flexframe(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def block(tmp_path: Path) -> Path:
    """A block of steel in millimetres."""
    body = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (2, 1, 1)), material=ff.STEEL)
    ff.exchange.write_part(body, tmp_path / "block.bdf", units=MILLIMETRES)
    return tmp_path / "block.bdf"


def test_describe_says_mass_sets_and_units(block: Path) -> None:
    told = flexframe("describe", block, "--units", MILLIMETRES)
    assert told.exit_code == 0
    assert f"as mesh: mass {MASS:.6g} kg, centre (0.2, 0.05, 0.05) m" in told.output
    assert "2 hexahedron20" in told.output and "left (8)" in told.output
    assert f"it seems to be in {MILLIMETRES}" in told.output


def test_units_are_guessed_also_where_they_are_not_given(block: Path) -> None:
    found = json.loads(flexframe("describe", block, "--json").output)
    assert found["units"] == found["units"] | {"given": "m, N, s, kg", "seems": MILLIMETRES}
    assert found["size_m"] == pytest.approx([400, 100, 100])  # as it was read


def test_matrices_are_checked_for_rigid_motion(block: Path) -> None:
    matrices = block.with_suffix(".op4")
    assert flexframe("convert", block, matrices, "--units", MILLIMETRES).exit_code == 0
    found = json.loads(flexframe("describe", block, matrices, "--units", MILLIMETRES, "--json").output)
    use = found["uses"]["matrices"]
    assert use["mass_kg"] == pytest.approx(MASS, rel=1e-9)  # digits of the file
    assert use["rigid_residual"] < 1e-9


def test_convert_goes_from_program_to_program(block: Path) -> None:
    """Nastran to Ansys to Abaqus and back, each in other units: mass, box and sets stay."""
    names = [block, *(block.with_name(f"other{ending}") for ending in (".cdb", ".inp", ".nas"))]
    units = [MILLIMETRES, "m, N, s, kg", "in, lbf, s", "mm, kN, ms, kg"]
    for k in range(3):
        told = flexframe("convert", names[k], names[k + 1], "--units", units[k], "--to-units", units[k + 1])
        assert told.exit_code == 0 and f"written in {units[k + 1]}" in told.output, told.output
    part = ff.exchange.read_part(names[-1], units=units[-1])
    found = ff.exchange.describe_part(part)
    assert found.uses[0].mass == pytest.approx(MASS, rel=1e-9)
    assert found.size == pytest.approx((0.4, 0.1, 0.1), rel=1e-9)
    assert found.sets["node"]["left"] == 8


def test_what_a_format_does_not_hold_is_said(block: Path) -> None:
    told = flexframe("convert", block, block.with_suffix(".vtu"))
    assert told.exit_code == 0
    assert "do not hold materials, thicknesses and cross-sections of the cells, which were left out" in told.output


def test_wrong_commands_are_refused_in_one_line(block: Path) -> None:
    for words, message in (
        (("describe", block.with_name("no.bdf")), "there is no such file"),
        (("describe", block, "--units", "mm, N, s, kg"), "the mass that goes with them is t"),
        (("convert", block), "give a file to read and one to write"),
        (("convert", block, block), "is read and cannot be written"),
        (("convert", block, block.with_suffix(".rst")), "are not written to '.rst' files (Ansys results)"),
        (("convert", block, block.with_suffix(".op2")), "Nastran OP2 files hold frequencies and mode shapes"),
        (("convert", block, block.with_suffix(".xyz")), "are not written to '.xyz' files"),
    ):
        told = flexframe(*words)
        assert told.exit_code == 2 and message in told.output, told.output
        assert len(told.output.strip().splitlines()) == 1
    assert sorted(path.name for path in block.parent.iterdir()) == ["block.bdf"]


def test_a_failed_conversion_leaves_the_earlier_file(block: Path) -> None:
    other = block.with_suffix(".cdb")
    other.write_text("earlier")
    block.write_bytes(block.read_bytes()[:3000])
    assert flexframe("convert", block, other).exit_code == 2
    assert other.read_text() == "earlier"

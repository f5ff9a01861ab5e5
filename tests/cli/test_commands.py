"""The command line: what it prints, writes and returns."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.rounding import ROUNDING, rounding
from typer.testing import CliRunner, Result

import flexframe
from flexframe.cli import app
from flexframe.results.storage import FILES, read_results

PATIENCE = 600.0  # s: a busy machine
CASE = """\
title: Bar
bodies:
  bar:
    mesh: {line: {length: 1, divisions: 2}}
    material: steel
    area: 1 cm^2
    supports: [{clamp: start}, {fix: all, dofs: [uy]}]
    loads: [{force: [1 kN, 0], on: end}]
analyses:
  pulled: {kind: statics}
"""
PULLED = 1000 * 1.0 / (210e9 * 1e-4)  # FL/EA

SLOW = """\
bodies:
  disc:
    mesh: {annulus: {inner_radius: 0.1, outer_radius: 1, divisions: [60, 160]}}
    material: steel
    thickness: 0.1
    motion: {spin: 100}
analyses:
  spinning: {kind: modes, count: 40}
"""

COMMAND = [sys.executable, "-c", "from flexframe.cli import main; main()"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory with the case in it."""
    (tmp_path / "bar.yaml").write_text(CASE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def processed(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment}
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=False, env=env, timeout=PATIENCE
    )


# ---------------------------------------------------------------------- run


def test_run_writes_results_and_prints_a_table(folder: Path) -> None:
    """Four files in CASE-results, maxima on the screen, and where the report is."""
    result = call("run", "bar.yaml")
    assert result.exit_code == 0, result.stderr
    assert {path.name for path in (folder / "bar-results").iterdir()} == set(FILES)
    assert {path.name for path in folder.iterdir()} == {"bar.yaml", "bar-results"}
    assert f"{1e3 * PULLED:.6g} │ mm " in result.stdout  # SI with the multiple that fits
    assert result.stdout.endswith("report: bar-results/report.html\n")
    assert (folder / "bar-results" / "case.yaml").read_text(encoding="utf-8") == CASE
    assert "<html" in (folder / "bar-results" / "report.html").read_text(encoding="utf-8")[:2000]
    assert "\x1b[" not in result.stdout  # no colours without a terminal


def test_run_json_is_the_summary_and_nothing_else(folder: Path) -> None:
    """stdout is exactly the summary that is in the folder; the stretch is FL/EA to round-off."""
    result = call("run", "bar.yaml", "--out", "there/results", "--json")
    assert result.exit_code == 0
    assert result.stderr == ""
    summary = json.loads(result.stdout)
    assert summary == json.loads((folder / "there" / "results" / "summary.json").read_text(encoding="utf-8"))
    assert summary["case"] == "bar"
    assert summary["version"] == flexframe.__version__
    assert summary["analyses"]["pulled"]["kind"] == "statics"
    assert summary["analyses"]["pulled"]["max_displacement_m"] == pytest.approx(PULLED, rel=1e-12)


def test_run_with_settings(folder: Path) -> None:
    """Twice the area, half the stretch; the settings are in the summary."""
    arguments = ("--set", "bodies.bar.area=2 cm^2", "--set", "title=Thick")
    summary = json.loads(call("run", "bar.yaml", "--json", *arguments).stdout)
    assert summary["analyses"]["pulled"]["max_displacement_m"] == pytest.approx(PULLED / 2, rel=1e-12)
    assert summary["settings"] == {"bodies.bar.area": "2 cm^2", "title": "Thick"}
    assert summary["title"] == "Thick"


def test_run_again_replaces(folder: Path) -> None:
    """The second result is in the folder, and nothing else."""
    call("run", "bar.yaml")
    call("run", "bar.yaml", "--set", "title=Second")
    assert read_results("bar-results").summary["title"] == "Second"
    assert {path.name for path in folder.iterdir()} == {"bar.yaml", "bar-results"}


# ---------------------------------------------------------------------- exit codes


def test_bad_case_is_exit_2_with_one_line_each(folder: Path) -> None:
    """Both problems, each with file, line, field; nothing is written."""
    bad = CASE.replace("steel", "steal").replace("kind: statics", "kind: statics, body: baar")
    (folder / "bad.yaml").write_text(bad, encoding="utf-8")
    for command in ("run", "check"):
        result = call(command, "bad.yaml")
        assert result.exit_code == 2
        assert result.stdout == ""
        lines = result.stderr.splitlines()
        assert len(lines) == 2
        assert lines[0].startswith(
            "bad.yaml:5: bodies.bar.material: unknown material 'steal' (did you mean 'steel'?); "
        )
        assert lines[1].startswith("bad.yaml:10: analyses.pulled.body: unknown body 'baar'")
    assert not (folder / "bad-results").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("run", "none.yaml"), 2, "none.yaml: there is no such file"),
        (("run", "."), 2, "this is a folder"),
        (("run", "bar.yaml", "--set", "x"), 2, "this is not PATH=VALUE"),
        (("run", "bar.yaml", "--set", "bodies.baar.area=3"), 2, "there is no 'baar' in bodies"),
        (("run", "bar.yaml", "--out", "."), 2, "results need a folder of their own"),
        (("run", "bar.yaml", "--out", "bar.yaml"), 2, "this is a file"),
        (("run", "bar.yaml", "--out", "bar.yaml/x"), 3, "results cannot be written"),
        (("run", "bar.yaml", "--out", "/proc/nowhere/x"), 3, "results cannot be written"),
        (("run",), 2, "Missing argument"),
        (("run", "bar.yaml", "--frobnicate"), 2, "--frobnicate"),
        (("examples", "rotating_dics"), 2, "did you mean 'rotating_disc'?"),
        (("examples", "--copy", "x"), 2, "needs the name of an example"),
        (("verify", "nonsense"), 2, "no check is called nonsense"),
        (("derive", "--element", "hexahedron"), 2, "symbols of element 'hexahedron' do not fit"),
        (("derive", "--element", "bar", "--to", "fortran"), 2, "output 'fortran' is unknown"),
        (("derive", "--element", "bar", "--formalism", "newton"), 2, "formalism 'newton' is unknown"),
    ],
)
def test_errors_and_exit_codes(folder: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    """The reason on the error stream, and never a traceback."""
    result = call(*arguments)
    assert result.exit_code == code, result.stderr
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_analysis_that_cannot_be_done_is_exit_3(folder: Path) -> None:
    """Two bars in a line without supports are a mechanism; the earlier result stays."""
    call("run", "bar.yaml")
    before = (folder / "bar-results" / "summary.json").read_bytes()
    result = call("run", "bar.yaml", "--set", "bodies.bar.supports=[]")
    assert result.exit_code == 3
    assert result.stderr.startswith("bar.yaml:10: analyses.pulled: the stiffness is singular")
    assert (folder / "bar-results" / "summary.json").read_bytes() == before
    assert {path.name for path in folder.iterdir()} == {"bar.yaml", "bar-results"}


def test_foreign_folder_is_kept(folder: Path) -> None:
    """Exit 2 before anything is computed."""
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.tex").write_text("x", encoding="utf-8")
    result = call("run", "bar.yaml", "--out", "mine")
    assert result.exit_code == 2
    assert "mine: this folder holds 'thesis.tex'" in result.stderr


def test_internal_error_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that nobody foresaw: exit 3 and a request; with FLEXFRAME_DEBUG it passes on."""
    import flexframe.commands.run as command

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("it\nbroke")

    monkeypatch.setattr(command, "run_case", broken)
    result = call("run", "bar.yaml")
    assert result.exit_code == 3
    assert result.stderr == (
        "internal error: ZeroDivisionError: it; please report it; run with FLEXFRAME_DEBUG=1 for details\n"
    )
    assert {path.name for path in folder.iterdir()} == {"bar.yaml"}
    monkeypatch.setenv("FLEXFRAME_DEBUG", "1")
    assert isinstance(call("run", "bar.yaml").exception, ZeroDivisionError)


def test_no_memory_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """numpy's MemoryError is no internal error."""
    import flexframe.commands.run as command

    def broken(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(command, "run_case", broken)
    result = call("run", "bar.yaml")
    assert result.exit_code == 3
    assert "not enough memory" in result.stderr


def started(folder: Path) -> subprocess.Popen[str]:
    """A long run that has claimed its folder."""
    (folder / "slow.yaml").write_text(SLOW, encoding="utf-8")
    process = subprocess.Popen(
        [*COMMAND, "run", "slow.yaml", "--out", "out"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if (folder / ".out.lock").exists():
            return process
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)
    raise AssertionError("the run did not start")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupted_run_is_exit_130_and_leaves_nothing(folder: Path) -> None:
    """Control-C while computing."""
    process = started(folder)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert (out, err) == ("", "interrupted; nothing unfinished is kept; not done: spinning\n")
    assert {path.name for path in folder.iterdir()} == {"bar.yaml", "slow.yaml"}


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_killed_run_keeps_the_old_result_and_a_second_run_waits_its_turn(folder: Path) -> None:
    """While one run computes another is refused; after SIGKILL the old result is whole and the folder is free."""
    assert call("run", "bar.yaml", "--out", "out").exit_code == 0
    process = started(folder)
    busy = call("run", "bar.yaml", "--out", "out")
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert busy.exit_code == 3
    assert "another run is writing its results here" in busy.stderr
    assert read_results("out").summary["case"] == "bar"
    assert call("run", "bar.yaml", "--out", "out", "--set", "title=After").exit_code == 0
    assert read_results("out").summary["title"] == "After"
    assert {path.name for path in folder.iterdir()} == {"bar.yaml", "slow.yaml", "out"}


# ---------------------------------------------------------------------- the other commands


def test_check(folder: Path) -> None:
    """Bodies with what they weigh and measure, analyses, and that all is well: 7850 kg/m³ × 1 cm² × 1 m."""
    result = call("check", "bar.yaml")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [cell.strip() for cell in re.split("[│┃]", lines[1])[1:-1]] == [
        *("body", "mass [kg]", "centre x, y, z [mm]", "Ixx, Iyy, Izz [kg mm²]", "box x × y × z [mm]"),
        *("length [mm]", "dofs"),
    ]
    assert [cell.strip() for cell in lines[3].split("│")[1:-1]] == [
        *("bar", "0.785", "500, 0, 0", "0, 65420, 65420", "1000 × 0 × 0", "1000", "6, 4 held"),
    ]
    assert lines[6:] == [
        "body bar: 2 cells, 3 nodes",
        "analysis pulled: statics",
        "bar.yaml: valid",
    ]
    assert {path.name for path in folder.iterdir()} == {"bar.yaml"}


def test_check_json(folder: Path) -> None:
    """For editors: valid or not, and the problems by their parts."""
    answer = json.loads(call("check", "bar.yaml", "--json").stdout)
    bar = answer["bodies"]["bar"]
    # of a thin rod, m L²/12 across it; sums of a few products are exact to some units of rounding
    assert bar.pop("mass_kg") == pytest.approx(0.785, rel=rounding(10))
    assert bar.pop("inertia_kg_m2")[2][2] == pytest.approx(0.785 / 12, rel=rounding(100))
    assert bar.pop("centre_m") == pytest.approx([0.5, 0.0, 0.0], rel=rounding(10), abs=rounding(10))
    assert answer == {
        "valid": True,
        "problems": [],
        "bodies": {
            "bar": {
                "cells": 2,
                "nodes": 3,
                "box_m": [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
                "length_m": 1.0,
                "dofs": 6,
                "free_dofs": 2,
                "sections": [],
                "notices": [],
            }
        },
        "rigid_bodies": {},
        "places": {},
        "notices": [],
        "analyses": {"pulled": "statics"},
    }
    result = call("check", "bar.yaml", "--json", "--set", "bodies.bar.area=0")
    assert result.exit_code == 2
    assert json.loads(result.stdout) == {
        "valid": False,
        "problems": [
            {
                "file": "bar.yaml",
                "line": 6,
                "field": "bodies.bar.area",
                "message": "is 0; give a value that is positive",
            }
        ],
    }
    missing = json.loads(call("check", "none.yaml", "--json").stdout)["problems"][0]
    assert missing["line"] is None


def test_check_finds_what_the_assembly_finds(folder: Path) -> None:
    """A moment on a bar, which has no rotation: the line of the load."""
    result = call("check", "bar.yaml", "--set", "bodies.bar.loads[0]={moment: [0, 0, 1], on: end}")
    assert result.exit_code == 2
    assert result.stderr.startswith("bar.yaml:8: bodies.bar.loads[0]: body bar: a moment acts on 'end'")


def test_examples(folder: Path) -> None:
    """Listed, shown and copied; a copy is never replaced and is a valid case."""
    listed = json.loads(call("examples", "--json").stdout)
    names = [row["name"] for row in listed]
    assert {"rotating_disc", "rotating_beam"} <= set(names)
    table = call("examples").stdout
    assert all(name in table for name in names)
    shown = call("examples", "triangle_element").stdout
    result = call("examples", "triangle_element", "--copy", "new/place")
    assert result.exit_code == 0
    assert result.stdout == "new/place/triangle_element.yaml\n"
    copied = folder / "new" / "place" / "triangle_element.yaml"
    assert copied.read_text(encoding="utf-8") == shown
    assert call("check", str(copied)).exit_code == 0
    again = call("examples", "triangle_element.yaml", "--copy", "new/place")
    assert again.exit_code == 2
    assert "there is such a file already" in again.stderr


def test_schema() -> None:
    """Strict JSON with the parts of a case."""
    schema = json.loads(call("schema").stdout)
    assert set(schema["properties"]) >= {"title", "description", "materials", "bodies", "analyses"}
    assert set(schema["required"]) == {"analyses"}  # a robot is enough in place of bodies


def test_version() -> None:
    """The number of the package."""
    assert call("--version").stdout == f"flexframe {flexframe.__version__}\n"


@pytest.mark.parametrize(("to", "words"), [("latex", r"\section*"), ("python", "def bar_"), ("c", "int bar_")])
def test_derive(to: str, words: str) -> None:
    """The equations of a bar in three languages."""
    result = call("derive", "--element", "bar", "--motion", "planar", "--formalism", "kane", "--to", to)
    assert result.exit_code == 0, result.stderr
    assert words in result.stdout


def test_derived_python_runs() -> None:
    """The printed function gives the mass matrix of a bar, ρAL/6 [[2, 1], [1, 2]], for both directions."""
    import numpy as np

    source = call("derive", "--element", "bar", "--to", "python").stdout
    names: dict[str, object] = {}
    exec(compile(source, "derived", "exec"), names)
    function = next(value for name, value in names.items() if name.startswith("bar_"))
    M = function(6.0, 1.0, 1.0, 1.0, [0, 0, 0], [0, 0, 0], [0, 0, 0])[0]  # type: ignore[operator]
    assert pytest.approx(np.kron([[2, 1], [1, 2]], np.eye(2)), abs=ROUNDING) == M


def test_verify(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table or JSON rows; a value that misses its reference is exit 3."""
    import flexframe.commands.verify as command
    from flexframe.verification.contract import Row

    good = Row("disc", "f1", 1.0, 1.0, 0.0, 1e-3, "a book", True, "plane stress")
    bad = Row("beam", "f2", 1.1, 1.0, 0.1, 1e-3, "a paper", False, "at rest")
    monkeypatch.setattr(command, "chosen_checks", lambda *_: (1,))
    monkeypatch.setattr(command, "verify_rows", lambda *_: [good])
    result = call("verify", "--json")
    assert result.exit_code == 0
    row = json.loads(result.stdout)[0]
    assert {"name", "quantity", "computed", "reference", "relative_error", "tolerance", "source", "passed"} <= set(
        row
    )
    monkeypatch.setattr(command, "verify_rows", lambda *_: [good, bad])
    result = call("verify")
    assert result.exit_code == 3
    assert "1 of 2 values miss their reference: beam (f2)" in result.stderr
    assert "FAIL" in result.stdout


# ---------------------------------------------------------------------- the process


def test_help_and_version_import_nothing_heavy() -> None:
    """Help must be quick: neither numpy nor pydantic nor rich tables are loaded for it."""
    code = (
        "import sys; sys.argv = ['flexframe', '--help']\n"
        "from flexframe.cli import main\n"
        "try: main()\n"
        "except SystemExit as stop: assert not stop.code\n"
        "heavy = {'numpy', 'scipy', 'pydantic', 'pint', 'sympy', 'xarray', 'matplotlib', 'ruamel'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    commands = re.findall(r"^  (\w+)  +\S", done.stdout, re.MULTILINE)
    computing = {"run", "check", "crosscheck", "sweep", "verify", "derive", "studio"}
    assert set(commands) == computing | {"convert", "describe", "examples", "export", "fmu", "schema"}


def test_reader_that_stops_reading(folder: Path) -> None:
    """`flexframe schema | head`: no complaint."""
    process = subprocess.Popen([*COMMAND, "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
    process.wait(timeout=PATIENCE)


def test_poor_terminal(folder: Path) -> None:
    """Letters that the terminal does not have must not end a run; JSON stays JSON."""
    (folder / "bar.yaml").write_text(CASE.replace("title: Bar", "title: Träger ½"), encoding="utf-8")
    done = processed("run", "bar.yaml", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr
    done = processed("run", "bar.yaml", "--json", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert json.loads(done.stdout)["title"] == "Träger ½"


def test_a_sweep_without_variations_lists_the_parameters(folder: Path) -> None:
    (folder / "named.yaml").write_text(f"parameters: {{speed: 150 rad/s}}\n{CASE}", encoding="utf-8")
    result = call("sweep", "named.yaml")
    assert result.exit_code == 2
    assert "give --vary NAME=VALUES with one of its parameters: speed (150 rad/s)" in result.stderr
    assert "give --vary PATH=VALUES" in call("sweep", "bar.yaml").stderr

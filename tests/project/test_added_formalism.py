"""The page that adds a formalism takes three edits, after which every part of the program knows the seventh."""

import json
import subprocess
from pathlib import Path

import pytest

from .repository import ROOT, code_blocks, python_with

PAGE = ROOT / "docs" / "how-to" / "add-a-formalism.md"
PACKAGE = ROOT / "src" / "flexframe"
CHANGED = ("formalisms", "symbolic")

PROGRAM = """
import json
from typer.testing import CliRunner
import flexframe as ff
from flexframe.cases.case import parse_case
from flexframe.cli import app

blade = ff.Body.beam(
    "blade", length=1.2, divisions=4, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL,
    supports=(ff.Clamp("start"),),
)
rods = [ff.RigidBody.rod(name, length=1.0, mass=1.0) for name in ("upper", "lower")]
hinges = [ff.Revolute("A", "ground.O", "upper.start"), ff.Revolute("B", "upper.end", "lower.start")]
pendulum = ff.System(
    rods, hinges, loads=[ff.SystemGravity()], ground={"O": (0, 0)}, start={"lower": ff.Placement((1.0, 0.0))}
)
spin = ff.FrameMotion.spin(30.0)

def check(record):
    found = record.checks[-1]
    return {
        "agrees": record.agrees, "name": found.name, "applicable": found.applicable, "count": len(record.checks),
        "worst": found.max_relative_difference, "compared": sorted(found.differences),
    }

def derived(name):
    done = CliRunner().invoke(app, ["derive", "--element", "bar", "--formalism", name, "--to", "python"])
    assert done.exit_code == 0, done.output
    names = {}
    exec(done.stdout, names)
    section = (2.7, 70.0, 0.06, 1.4)  # ρ, E, A, L
    made = names[f"bar_{name}"](*section, [0, 0, 2.0], [0, 0, 3.0], [1.0, -2.0, 0])
    return [part.ravel().tolist() for part in made]

CASE = '''
title: Blade
materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}
bodies:
  blade:
    mesh: {line: {length: 1 m, divisions: 3}}
    material: steel
    section: {rectangle: {width: 20 mm, height: 10 mm}}
    supports: [{clamp: start}]
    motion: {spin: 20 rad/s}
analyses:
  chosen: {kind: transient, duration: 10 ms, steps: 20, formalism: jourdain, sensors: {tip: {on: end}}}
  plain: {kind: transient, duration: 10 ms, steps: 20, sensors: {tip: {on: end}}}
'''
case = parse_case(CASE, file="blade.yaml", folder=".")
tips = [float(abs(case.analyses[name].run(case).sensors["tip"].values).max()) for name in ("chosen", "plain")]
print(json.dumps({
    "body": check(ff.crosscheck(blade, spin)),
    "system": check(ff.crosscheck_system(pendulum, duration=0.02)),
    "derived": [derived("jourdain"), derived("kane")],
    "schema": "jourdain" in CliRunner().invoke(app, ["schema"]).stdout,
    "help": "jourdain" in CliRunner().invoke(app, ["derive", "--help"]).stdout,
    "tips": tips,
}))
"""


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with the three edits of the page: two new files and one line; all else is what is there."""
    text = PAGE.read_text(encoding="utf-8")
    numbers, _, formulas = code_blocks(text, "python")
    (line,) = code_blocks(text, "diff")
    package = tmp_path_factory.mktemp("edited") / "flexframe"
    package.mkdir()
    for path in PACKAGE.iterdir():
        if path.name not in (*CHANGED, "_core"):
            (package / path.name).symlink_to(path, target_is_directory=path.is_dir())
    (package / "_core").mkdir()
    (package / "_core" / "__init__.py").symlink_to(PACKAGE / "_core" / "__init__.py")
    for name, source in zip(CHANGED, (numbers, formulas), strict=True):
        (package / name).mkdir()
        for path in (PACKAGE / name).glob("*.py*"):  # with the stub beside a module
            (package / name / path.name).symlink_to(path)
        (package / name / "jourdain.py").write_text(source, encoding="utf-8")
    registry = package / "formalisms" / "registry.py"
    before = "".join(row[1:] for row in line.splitlines(keepends=True) if not row.startswith("+"))
    after = "".join(row[1:] for row in line.splitlines(keepends=True) if not row.startswith("-"))
    source = registry.read_text(encoding="utf-8")
    assert source.count(before) == 1
    registry.unlink()
    registry.write_text(source.replace(before, after), encoding="utf-8")
    return package.parent


def test_three_edits_make_a_formalism_known_everywhere(edited: Path) -> None:
    """Compared on elements, body and system to 1e-9, derived, chosen in a case, listed in schema and help."""
    python, environment = python_with(edited / "flexframe")
    done = subprocess.run(
        [*python, "-c", PROGRAM], capture_output=True, text=True, check=False, cwd=edited, env=environment
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    for record, last in ((found["body"], "joint_forces"), (found["system"], "motion")):
        assert record["agrees"] and record["applicable"]
        assert record["name"] == "jourdain"
        assert record["count"] == 7
        assert record["worst"] < 1e-9
        assert last in record["compared"]
    for mine, other in zip(*found["derived"], strict=True):
        assert mine == pytest.approx(other, rel=1e-12, abs=1e-12 * max(map(abs, other)))
    assert found["schema"] and found["help"]
    chosen, plain = found["tips"]
    assert chosen == pytest.approx(plain, rel=1e-9)
    assert plain > 0

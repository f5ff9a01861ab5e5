"""The page on adding a force: its class and its name in the tuple are enough for cases, schema and motions."""

import subprocess
from pathlib import Path

from .repository import ROOT, edited_sources, python_with, shown_files

PAGE = ROOT / "docs" / "how-to" / "add-a-force.md"

PROGRAM = """
from math import log
from pathlib import Path
from flexframe.cases.case import parse_case
from flexframe.cases.document import case_schema
from flexframe.cases.run import run_case

def near(found, wanted):  # steps with the relative error 1e-10 each
    assert abs(found - wanted) < 1e-7, (found, wanted)

case = parse_case({case!r}, file="sledge.yaml", folder=Path.cwd())
found = run_case(case).records["slow down"].summary()
sensors = found["sensors"]
near(sensors["speed"]["values"][-1], 3 / 7)
near(sensors["way"]["values"][-1], log(7) / 2)
near(sensors["drag"]["values"][-1], -4 * (3 / 7) ** 2)
near(found["energies_J"]["dissipated"][-1], 9 - 9 / 49)
described = case_schema()["$defs"]["DragEntry"]
assert set(described["required"]) == {{"drag", "coefficient"}}, described
try:
    parse_case({wrong!r}, file="sledge.yaml", folder=Path.cwd())
except Exception as error:
    assert "loads.air.coefficient: '2 kg' is a mass, but a coefficient is expected" in str(error), error
else:
    raise AssertionError("a mass was taken for a coefficient")
"""


def test_the_page_adds_a_force_in_two_edits(tmp_path: Path) -> None:
    """A copy of the sources with the two edits: speed, way, force and dissipated energy in closed form."""
    edited_sources(PAGE, tmp_path)
    ((name, case),) = shown_files(PAGE, "yaml")
    assert name == "sledge.yaml"
    program = PROGRAM.format(case=case, wrong=case.replace("4 N s^2/m^2", "2 kg"))
    python, environment = python_with(tmp_path / "src" / "flexframe")
    command = [*python, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

"""What a run of a small case loads: only what it needs, since loading takes longer than computing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from flexframe.analyses.kinds import KINDS

EXAMPLES = Path(__file__).parents[2] / "examples"
CODE = """
import json, sys
from flexframe.cli import main
sys.argv = ["flexframe", *sys.argv[1:]]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
from flexframe.entries.entry import Entry

def entries(kind):
    return [kind, *(each for below in kind.__subclasses__() for each in entries(below))]

built = [each.__name__ for each in entries(Entry) if each.__pydantic_complete__]
print(json.dumps({"modules": sorted(sys.modules), "built": built}), file=sys.stderr)
"""
FOREIGN = {"xarray", "pandas", "h5netcdf", "matplotlib", "sympy", "pint", "dask", "meshio", "threadpoolctl"}
"""Packages that no ordinary run needs."""
PARTS = {"scipy.special", "scipy.spatial", "scipy.optimize", "scipy.interpolate", "scipy.integrate", "scipy.stats"}
"""Parts of scipy that take long to load."""


def loaded(tmp_path: Path, example: str) -> tuple[set[str], set[str]]:
    """Modules that a run of an example loads, and the entries whose checks it builds."""
    command = [
        sys.executable,
        "-c",
        CODE,
        "run",
        str(EXAMPLES / f"{example}.yaml"),
        "--out",
        str(tmp_path / "out"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stderr.splitlines()[-1])
    return set(found["modules"]), set(found["built"])


@pytest.mark.parametrize("example", ["rectangle_element", "rotating_beam", "reduced_beam", "spinning_plate"])
def test_small_case_loads_what_it_needs(tmp_path: Path, example: str) -> None:
    modules, _ = loaded(tmp_path, example)
    assert modules & (FOREIGN | PARTS) == set()
    unused = {"flexframe.multibody", "flexframe.studio", "flexframe.sweeps"}
    assert not modules & unused


def test_coupled_motion_loads_the_core_and_nothing_foreign(tmp_path: Path) -> None:
    modules, _ = loaded(tmp_path, "double_pendulum")
    assert "flexframe._core" in modules
    assert not modules & FOREIGN


def test_matrices_alone_load_no_solver(tmp_path: Path) -> None:
    modules, _ = loaded(tmp_path, "rectangle_element")
    assert not modules & {"scipy.linalg", "scipy.sparse.linalg", "scipy.sparse.csgraph"}


def test_records_and_reports_of_other_kinds_stay_out(tmp_path: Path) -> None:
    """A case of matrices has nothing of Campbell diagrams, and checks for none are built."""
    modules, built = loaded(tmp_path, "rectangle_element")
    assert "flexframe.analyses.matrices.presentation" in modules
    assert not modules & {f"flexframe.analyses.{name}" for name in KINDS if name != "matrices"}
    assert {"CaseDocument", "BodyEntry", "MatricesEntry"} <= built
    assert not built & {"CampbellEntry", "TransientEntry", "StabilityEntry", "RevoluteEntry", "SpinEntry"}

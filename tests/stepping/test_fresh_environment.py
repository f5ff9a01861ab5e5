"""Units of an elastic slider-crank and of an elastic robot arm where nothing of ours is installed."""

import json
import os
import re
import subprocess
import sys
import venv
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flexframe as ff

from .test_model_exchange import own, robot_arm, slider_crank

SAME = 1e-8  # of outputs relative to their size: another build of the core rounds differently
MACHINES = {"slider_crank": (slider_crank, 2e-4, 2e-3), "robot_arm": (robot_arm, 1e-3, 0.02)}
INTERVALS = 10

SIMULATE = """
import importlib.util, json, sys
sys.path += json.loads(sys.argv[1])
assert importlib.util.find_spec("flexframe") is None, "flexframe is here"
import fmpy
found = {}
for path, kind, stop, step in json.loads(sys.argv[2]):
    seen = fmpy.simulate_fmu(path, stop_time=stop, output_interval=step, step_size=step, relative_tolerance=1e-9,
                             record_events=False, fmi_type=kind)
    found[path + kind] = {name: seen[name].tolist() for name in seen.dtype.names}
print(json.dumps(found))
"""


def with_requirements(name: str, found: dict[str, Any]) -> dict[str, Any]:
    """A package that is installed here with those that it needs, by name."""
    if name.lower() in found:
        return found
    try:
        found[name.lower()] = distribution(name)
    except PackageNotFoundError:
        return found
    for need in found[name.lower()].requires or ():
        if "extra ==" not in need:
            with_requirements(re.split(r"[^\w.-]", need)[0], found)
    return found


@pytest.fixture(scope="module")
def only_fmpy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with FMPy and what it needs, and nothing else: links to those that are installed."""
    folder = tmp_path_factory.mktemp("site")
    for package in with_requirements("fmpy", {}).values():
        tops = {Path(str(file)).parts[0] for file in package.files or ()} - {"..", "__pycache__"}
        for top in tops:
            if not (folder / top).exists():
                (folder / top).symlink_to(package.locate_file(top))
    return folder


def compare(python: list[str], site: list[str], folder: Path) -> None:
    """Both machines by both interfaces there, against our own motions here."""
    asked = []
    for name, (make, step, stop) in MACHINES.items():
        system, options = make()
        path = ff.write_fmu(system, folder / f"{name}.fmu", fmi=3, interface="both", step=step, **options)
        asked += [(str(path), kind, stop, stop / INTERVALS) for kind in ("CoSimulation", "ModelExchange")]
    command = [*python, "-c", SIMULATE, json.dumps(site), json.dumps(asked)]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=clean, timeout=500)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    for name, (make, step, stop) in MACHINES.items():
        system, options = make()
        path = str(folder / f"{name}.fmu")
        sim = ff.Simulation(system, step=step, **options)
        rows = [sim.outputs] + [sim.step(stop / INTERVALS) for _ in range(INTERVALS)]
        exact = own(system, stop, INTERVALS, **options)
        for output in sim.outputs:
            expected = np.array([row[output] for row in rows])
            size = 1 + np.abs(expected).max()
            np.testing.assert_allclose(found[path + "CoSimulation"][output], expected, rtol=0, atol=SAME * size)
            # CVode's 1e-9 over some hundred steps; that of the drive's torque as in test_model_exchange
            close = (1e-3 if output == "torque" else 1e-6) * size
            np.testing.assert_allclose(found[path + "ModelExchange"][output], exact[output], rtol=0, atol=close)


def test_units_need_nothing_of_ours(only_fmpy: Path, tmp_path: Path) -> None:
    compare([sys.executable, "-I", "-S"], [str(only_fmpy)], tmp_path)


@pytest.mark.slow  # an environment is made, and FMPy is fetched from the package index
def test_units_in_an_environment_that_is_new(tmp_path: Path) -> None:
    venv.create(tmp_path / "new", with_pip=True)
    python = tmp_path / "new" / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run(
        [str(python), "-m", "pip", "install", "-q", "fmpy"], check=True, capture_output=True, timeout=500
    )
    compare([str(python), "-I"], [], tmp_path)

"""The definition of continuous integration covers what the package promises."""

import tomllib

from packaging.specifiers import SpecifierSet
from ruamel.yaml import YAML

from .repository import ROOT

JOBS = YAML(typ="safe").load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))["jobs"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def test_three_systems_and_every_python_are_tested() -> None:
    tested = {
        (system.partition("-")[0], python)
        for job in (JOBS["checks"], JOBS["tests"])
        for system in job["strategy"]["matrix"].get("system", [job["runs-on"]])
        for python in job["strategy"]["matrix"]["python"]
    }
    assert tested == {(system, python) for system in ("ubuntu", "macos", "windows") for python in PYTHONS}
    allowed = SpecifierSet(PROJECT["project"]["requires-python"])
    assert all(python in allowed for python in PYTHONS) and "3.10" not in allowed


def test_ci_runs_the_same_command_as_a_developer() -> None:
    assert {"run": ".ci/run"} in JOBS["checks"]["steps"]
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1] == "make test"


def test_wheels_are_built_for_one_python_and_for_all_later_ones() -> None:
    assert PROJECT["tool"]["cibuildwheel"]["build"] == ["cp311-*", "cp312-*"]
    assert PROJECT["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"
    systems = JOBS["wheels"]["strategy"]["matrix"]["system"]
    assert {system.partition("-")[0] for system in systems} == {"ubuntu", "macos", "windows"}
    assert set(JOBS["later"]["strategy"]["matrix"]["python"]) == set(PYTHONS[2:])

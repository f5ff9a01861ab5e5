"""The lock of tested versions belongs to the dependencies that are declared."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DECLARED = {"core": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}


RAISED_BY_TEST_TOOLS = ("rich", "typing-extensions")


def locked(extra: str) -> dict[str, str]:
    lines = (ROOT / "requirements" / f"{extra}.lock").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


@pytest.mark.parametrize(
    "extra", ["core", "build", "fast", "studio", "cad", "cluster", "fmi", "test", "docs", "bench"]
)
def test_every_declared_dependency_is_locked_within_its_bounds(extra: str) -> None:
    """Run `python -m tools.dependencies` after a change of pyproject.toml."""
    found = locked(extra)
    for line in DECLARED[extra]:
        requirement = Requirement(line)
        name = canonicalize_name(requirement.name)
        if name != "flexframe":
            assert requirement.specifier.contains(found[name], prereleases=True), name


@pytest.mark.parametrize("extra", ["core", "build", "fast", "cad", "cluster", "studio", "fmi"])
def test_the_lowest_versions_are_the_declared_bounds(extra: str) -> None:
    """Run `python -m tools.dependencies --lowest` after a change of pyproject.toml, then `make test-lowest`.

    What test tools need in a later version is listed: there the bound itself is not what is tested.
    """
    found = locked("lowest")
    for line in DECLARED[extra]:
        requirement = Requirement(line)
        (bound,) = [Version(part.version) for part in requirement.specifier if part.operator == ">="]
        name = canonicalize_name(requirement.name)
        tested = Version(found[name])
        assert tested >= bound, name
        assert name in RAISED_BY_TEST_TOOLS or tested.release[:2] == bound.release[:2], name


def test_nothing_that_runs_is_under_the_gpl() -> None:
    page = (ROOT / "docs" / "reference" / "licences.md").read_text(encoding="utf-8")
    needed = page.split("## Needed to run")[1].split("\n## ")[0]
    assert "GPL" not in needed.replace("LGPL", "")
    assert needed.count("\n| ") > 20


def test_a_build_in_the_environment_has_what_an_isolated_one_has() -> None:
    """The extra `build` holds the requirements of [build-system], and what scikit-build-core adds to them."""
    isolated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    assert isolated and set(isolated) <= set(DECLARED["build"])
    added = {Requirement(line).name for line in DECLARED["build"]} - {Requirement(line).name for line in isolated}
    assert added == {"cmake", "ninja"}
    (cmake,) = [Requirement(line).specifier for line in DECLARED["build"] if line.startswith("cmake>")]
    script = (ROOT / "core" / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"cmake_minimum_required(VERSION {str(cmake).removeprefix('>=')})" in script

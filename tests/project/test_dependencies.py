"""The lock of tested versions belongs to the dependencies that are declared."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DECLARED = {"core": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}


def locked(extra: str) -> dict[str, str]:
    lines = (ROOT / "requirements" / f"{extra}.lock").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


@pytest.mark.parametrize("extra", ["core", "fast", "studio", "cluster", "test", "docs", "bench"])
def test_every_declared_dependency_is_locked_within_its_bounds(extra: str) -> None:
    """Run `python -m tools.dependencies` after a change of pyproject.toml."""
    found = locked(extra)
    for line in DECLARED[extra]:
        requirement = Requirement(line)
        name = canonicalize_name(requirement.name)
        if name != "flexframe":
            assert requirement.specifier.contains(found[name], prereleases=True), name


def test_nothing_that_runs_is_under_the_gpl() -> None:
    page = (ROOT / "docs" / "reference" / "licences.md").read_text(encoding="utf-8")
    needed = page.split("## Needed to run")[1].split("\n## ")[0]
    assert "GPL" not in needed.replace("LGPL", "")
    assert needed.count("\n| ") > 20

"""The public face: its names, their docstrings with examples that run, and pages that use nothing else."""

import doctest
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flexframe

from .public_names import MODULES, TOP, public_constructors, public_functions, public_members, public_names
from .repository import ROOT, project_files

MOST_NAMES = 68
FUNCTIONS = {
    path: inspect.unwrap(value) for path, value in {**public_functions(), **public_constructors()}.items()
}
DEEP = re.compile(r"(?:from|import) flexframe\.[a-z_]+\.[a-z_]+")
EXTENDING = re.compile(r"docs/how-to/add-.*\.md")
"""Pages that show a new source file of the package, which imports what its neighbours import."""


def pages() -> list[Path]:
    """What users read: README, documentation, notebooks and examples."""
    names = [(path, path.relative_to(ROOT).as_posix()) for path in project_files()]
    return [
        path for path, name in names if re.match(r"README\.md|docs/.*\.(md|ipynb)$|examples/[^/]*\.yaml", name)
    ]


def text_of(page: Path) -> str:
    """Text of a page; of a notebook its cells without their output."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return text


def used_names(text: str) -> Iterator[str]:
    """Public paths that a text uses, such as `Body` of `ff.Body.beam` and `mesh.block` of `ff.mesh.block`."""
    for first, second in re.findall(r"(?<![\w.])ff\.([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?", text):
        yield f"{first}.{second}" if first in MODULES and second else first
    for module, listed in re.findall(r"from flexframe(?:\.(\w+))? import ([^(\n]+|\([^)]*\))", text):
        for name in re.findall(r"[A-Za-z_]\w*", listed):
            yield f"{module}.{name}" if module else name


def test_the_top_has_few_names() -> None:
    assert len(TOP) <= MOST_NAMES
    assert "mesh" in MODULES and "results" in MODULES


def test_names_are_what_their_stubs_say() -> None:
    """A public name is the thing of that name, not a module or helper that happens to be in the same place."""
    for path, value in public_names().items():
        name = path.rpartition(".")[2]
        assert not inspect.ismodule(value), path
        if inspect.isfunction(value) or inspect.isclass(value):
            assert value.__name__ == name, path
        assert value is public_names()[path]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Bodie'"):
        _ = flexframe.Bodie  # type: ignore[attr-defined]
    assert set(flexframe.__all__) <= set(dir(flexframe))  # type: ignore[attr-defined]


def test_every_name_has_a_docstring() -> None:
    missing = [path for path, value in public_names().items() if not (inspect.getdoc(value) or "").strip()]
    assert missing == []
    assert all(module.__doc__ for module in MODULES.values())


def test_every_member_of_a_class_has_a_docstring() -> None:
    """Its own, or that of the member of a base class in whose place it stands."""
    members = public_members()
    assert {"Body.beam", "sections.Section.area", "results.Peaks.magnitude"} <= set(members)
    assert [path for path, docstring in members.items() if not docstring] == []


@pytest.mark.parametrize("path", FUNCTIONS)
def test_docstrings_have_parameters_returns_and_an_example(path: str) -> None:
    function: Any = FUNCTIONS[path]
    text = inspect.getdoc(function) or ""
    described = re.search(r"^Parameters\n-+\n(.*?)(?=\n\n[A-Z]\w+\n-+|\Z)", text, re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^(\w[\w, ]*)$", described.group(1), re.MULTILINE) if described else []
    found = {name.strip() for head in heads for name in head.split(",")}
    signature = inspect.signature(function)
    assert found == {name for name in signature.parameters if name != "cls"}, path
    returns_something = signature.return_annotation not in (None, "None")
    assert bool(re.search(r"^Returns\n-+$", text, re.MULTILINE)) == returns_something, path
    assert re.search(r"^Examples\n-+\n>>> ", text, re.MULTILINE), path


@pytest.mark.parametrize("path", FUNCTIONS)
def test_examples_of_docstrings_run(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `ff` and `np` imported; files are written into an empty folder."""
    monkeypatch.chdir(tmp_path)
    names = {"ff": flexframe, "np": np}
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(FUNCTIONS[path]) or "", names, path, None, 0)
    told: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert outcome.attempted > 0
    assert outcome.failed == 0, "".join(told)


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_use_public_names_only(page: Path) -> None:
    text = text_of(page)
    name = page.relative_to(ROOT).as_posix()
    if not EXTENDING.match(name):
        assert DEEP.findall(text) == []
        known = {*public_names(), *MODULES, *flexframe.__all__}  # type: ignore[attr-defined]
        assert {used for used in used_names(text) if used not in known} == set()


def test_the_reference_lists_every_public_name() -> None:
    """And nothing else: a name that is no longer public leaves the page too."""
    text = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    listed = set()
    for module, names in re.findall(r"currentmodule:: flexframe\.?(\w*)\n.*?\n\n((?:   \w+\n)+)", text, re.DOTALL):
        listed |= {f"{module}.{name}" if module else name for name in names.split()}
    also = r"^## ff\.(\w+)\n(?:(?!^## ).)*?^Also at the top of `flexframe`: ([^\n]*)\.$"
    for module, names in re.findall(also, text, re.MULTILINE | re.DOTALL):
        listed |= {f"{module}.{name}" for name in re.findall(r"`(\w+)`", names)}
    assert listed == set(public_names())

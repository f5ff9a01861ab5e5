"""What the house by numbers in CONTRIBUTING.md must measure, whatever the size of the tree."""

import re
from functools import cache

from tools import house

from .repository import ROOT

EDITS = {  # files to create or edit, at most
    "add a structural element": 3,
    "add an element": 2,
    "add a formalism": 3,
    "add a joint": 3,
    "add a force": 2,
    "add an analysis": 3,
    "add a sensor": 2,
}


@cache
def measured() -> dict[str, str]:
    """What is measured, by name."""
    return dict(house.rows(trace=False))


def test_what_an_extension_costs() -> None:
    """Every page is marked, and every one of them is executed by a test of this folder."""
    found = {name: int(count) for name, count in house.edits()}
    assert found.keys() == EDITS.keys()
    assert all(found[name] <= most for name, most in EDITS.items())
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests/project").glob("test_added_*.py"))
    pages = [path.stem for path in (ROOT / "docs/how-to").glob("add-*.md")]
    assert all(page in tests or page == "add-an-element" for page in pages)  # that one is part of CONTRIBUTING.md


def test_one_place_for_each_thing() -> None:
    assert measured()["places where the linear equations are combined"] == "1"
    assert measured()[f"pairs of places that share more than {house.SHARED_LINES} lines"] == "0"
    deep = next(value for name, value in measured().items() if name.startswith("deep imports"))
    assert re.match(r"0 \(\d+\)", deep)


def test_the_old_word_for_joints_is_known_to_old_cases_only() -> None:
    said = [path for path in house.project_files("src/*.py") if "liaison" in house.text_of(path).lower()]
    assert [path.name for path in said] == ["source.py"]


def test_the_table_has_every_measure() -> None:
    """Its values are renewed by hand; its lines are those that are measured."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page[page.index("## The house by numbers") : page.index("## Add an element")]
    listed = re.findall(r"^\| (.+) \| [^|]* \|$", table, re.MULTILINE)[1:]
    assert [name for name in listed if name != "files that a flexible slider-crank passes"] == list(measured())

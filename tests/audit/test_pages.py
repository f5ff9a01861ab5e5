"""The pages on the source papers cite tests that exist, and tests name every entry of the digest."""

import ast
import re
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs" / "theory" / "papers"
NAMES = ("index", "paper_000", "paper_001", "paper_002", "paper_003", "paper_004")
ENTRIES = [f"E{number}" for number in range(1, 21)]


def _tests() -> dict[str, str]:
    """Test functions of this folder with their docstrings."""
    found = {}
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert node.name not in found, f"{node.name} is defined twice"
                found[node.name] = ast.get_docstring(node) or ""
    return found


def _cited(text: str) -> set[str]:
    return set(re.findall(r"`(test_\w+)`", text))


@pytest.mark.parametrize("page", NAMES)
def test_cited_tests_exist(page: str) -> None:
    """000-004: every test that a page names as proof is in this folder."""
    cited = _cited((PAGES / f"{page}.md").read_text(encoding="utf-8"))
    assert cited
    assert cited <= set(_tests())


@pytest.mark.parametrize("entry", ENTRIES)
def test_digest_entry_is_proved(entry: str) -> None:
    """E1-E20: the row of the digest names tests, and their docstrings name the entry."""
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    (row,) = [line for line in index.splitlines() if line.startswith(f"| {entry} |")]
    cited = _cited(row)
    assert cited
    proofs = [name for name in cited if re.search(rf"\b{entry}\b", _tests()[name])]
    assert proofs, f"no cited test states {entry}"


def test_every_test_states_paper_and_claim() -> None:
    """000-004: the docstring of every test names a paper or an entry of the digest."""
    unnamed = [name for name, text in _tests().items() if not re.search(r"\b00[0-4]\b|\bE\d+\b", text)]
    assert unnamed == []


def test_every_numbered_equation_has_a_verdict() -> None:
    """000-004: the tables of the pages cover all equation numbers of the five papers, without gaps."""
    counts = {"paper_000": 60, "paper_001": 65, "paper_002": 35, "paper_003": 24, "paper_004": 24}
    appendices = {"paper_002": 3, "paper_004": 46}
    for page in NAMES[1:]:
        text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
        covered: set[str] = set()
        for line in text.splitlines():
            cell = line.split("|")[1] if line.startswith("| (") else ""
            for letter, first, last in re.findall(r"\((A?)(\d+)\)(?:–\(A?(\d+)\))?", cell):
                covered |= {f"{letter}{number}" for number in range(int(first), int(last or first) + 1)}
        wanted = {str(number) for number in range(1, counts[page] + 1)}
        wanted |= {f"A{number}" for number in range(1, appendices.get(page, 0) + 1)}
        assert covered == wanted

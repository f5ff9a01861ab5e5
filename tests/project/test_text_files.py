"""What the project's files say holds on any machine."""

import re
from pathlib import Path

import pytest

from .repository import ROOT, project_files

MACHINE_PATH = re.compile(
    r"(?<![\w./~<-])/(?:" + "|".join(["work", "root", "tmp", "home"]) + r")(?:/|\b(?![\w.]))"
)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def test_pattern_finds_paths_and_nothing_else() -> None:
    found = ["see /" + "tmp/x", '"/' + 'work"', "(/" + "root/.cache)"]
    fine = ["build/work/x", "https://example.org/home/", "a/root", "</root>", "./tmp/x", "and/work"]
    assert [bool(MACHINE_PATH.search(text)) for text in found + fine] == [True] * 3 + [False] * 6


def test_no_paths_of_one_machine() -> None:
    bundle = ROOT / "src/flexframe/reports/assets"
    places = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in project_files()
        if bundle not in path.parents
        for number, line in enumerate(_text(path).splitlines(), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert places == []


def test_mentioned_examples_exist() -> None:
    mentioned = {
        name
        for path in project_files()
        if path.suffix == ".md" or path.name == "Makefile"
        for name in re.findall(r"examples/[\w/-]+\.\w+", _text(path))
    }
    assert mentioned, "the README and the Makefile name an example"
    assert [name for name in sorted(mentioned) if not (ROOT / name).exists()] == []


def test_linked_files_exist() -> None:
    """Relative links of the pages that are read outside the site; Sphinx checks the rest."""
    missing = []
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#\s]+)", _text(ROOT / name)):
            if "://" not in target and not (ROOT / target).exists():
                missing.append(f"{name}: {target}")
    assert missing == []


@pytest.mark.parametrize("name", ["LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md"])
def test_lines_end_without_blanks_and_with_a_newline(name: str) -> None:
    text = _text(ROOT / name)
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert [line for line in text.splitlines() if line != line.rstrip()] == []

"""The theory pages name the source files where their terms are, and these files exist."""

import re
from pathlib import Path

import pytest

from .repository import ROOT

PAGES = sorted((ROOT / "docs" / "theory").glob("*.md"))


def sections(text: str) -> list[str]:
    """Headings with what follows them."""
    return re.split(r"^(?=#+ )", text, flags=re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_section_with_an_equation_names_its_source(page: Path) -> None:
    for section in sections(page.read_text(encoding="utf-8")):
        if re.search(r"^\$\$", section, re.MULTILINE):
            assert re.search(r"^Source: `", section, re.MULTILINE), section.splitlines()[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_displayed_equation_is_seen(page: Path) -> None:
    """Each begins with `$$` at the start of a line, where the test of its source looks for it."""
    text = page.read_text(encoding="utf-8")
    before = text.split("$$")[:-1:2]
    assert before and all(part.endswith("\n") for part in before)
    assert not re.search(r"\{math\}|^\s*\\\[|\\begin\{equation", text, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_named_sources_exist(page: Path) -> None:
    lines = re.findall(r"^Source: (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert lines
    for line in lines:
        named = re.findall(r"`([^`]+)`", line)
        assert line == ", ".join(f"`{name}`" for name in named)
        places = [ROOT / name if name.startswith("core/") else ROOT / "src/flexframe" / name for name in named]
        assert all(place.is_file() for place in places), line

"""The reference of the case file names every field that a case may have."""

import re
from collections.abc import Iterator
from typing import Any

from flexframe.cases.document import case_schema

from .repository import ROOT

PAGE = ROOT / "docs" / "reference" / "case-file.md"


def _fields(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from part.get("properties", {})
        for value in part.values():
            yield from _fields(value)
    elif isinstance(part, list):
        for value in part:
            yield from _fields(value)


def test_every_field_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", page))
    assert sorted(set(_fields(case_schema())) - words) == []

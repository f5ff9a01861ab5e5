"""The published JSON schema."""

import json
from pathlib import Path

from flexframe.cases.document import CaseDocument, case_schema
from flexframe.cases.entries import Entry

PUBLISHED = Path(__file__).parents[2] / "docs" / "reference" / "case.schema.json"


def test_published_schema_is_up_to_date() -> None:
    """Renew it with `flexframe schema > docs/reference/case.schema.json`."""
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == case_schema()


def test_schema_knows_every_entry_and_forbids_other_fields() -> None:
    """All entries that exist are reachable from the case, closed, and explained."""
    definitions = case_schema()["$defs"]
    bases = [cls for cls in Entry.__subclasses__() if cls.__module__.startswith("flexframe.")]  # none of a test
    entries = {cls.__name__ for cls in bases} | {cls.__name__ for base in bases for cls in base.__subclasses__()}
    assert entries - {"MakeEntry", CaseDocument.__name__} == set(definitions)
    for definition in definitions.values():
        assert definition["additionalProperties"] is False
        assert definition["description"]

"""The published JSON schema."""

import json
from pathlib import Path

from flexframe.analyses.contract import AnalysisEntry, BodyAnalysisEntry
from flexframe.cases.document import CaseDocument, case_schema
from flexframe.entries.entry import Entry

PUBLISHED = Path(__file__).parents[2] / "docs" / "reference" / "case.schema.json"


def test_published_schema_is_up_to_date() -> None:
    """Renew it with `flexframe schema > docs/reference/case.schema.json`."""
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == case_schema()


def below(entry: type[Entry]) -> set[type[Entry]]:
    """All entries that inherit from one."""
    found = set(entry.__subclasses__())
    return found.union(*map(below, found))


def test_schema_knows_every_entry_and_forbids_other_fields() -> None:
    """All entries that exist are reachable from the case, closed, and explained."""
    definitions = case_schema()["$defs"]
    bases = {"ElasticEntry", "MakeEntry", "JointedEntry", "DrivenEntry", "TrajectoryEntry", "BearingFields"}
    bases |= {AnalysisEntry.__name__, BodyAnalysisEntry.__name__}
    entries = {cls.__name__ for cls in below(Entry) if cls.__module__.startswith("flexframe.")}  # none of a test
    assert entries - bases - {CaseDocument.__name__} == set(definitions)
    for definition in definitions.values():
        assert definition["additionalProperties"] is False
        assert definition["description"]

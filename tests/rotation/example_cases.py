"""The examples of this subject: their bodies, and what their analyses give."""

import io
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from flexframe.analyses.campbell.entry import CampbellEntry
from flexframe.analyses.frequency_response.entry import FrequencyResponseEntry
from flexframe.cases.case import Case, parse_case
from flexframe.entries.parameters import reading_with

EXAMPLES = Path(__file__).parents[2] / "examples"
ENTRIES: dict[str, Any] = {"campbell": CampbellEntry, "frequency_response": FrequencyResponseEntry}


@cache
def _data(name: str) -> dict[str, Any]:
    return YAML(typ="safe").load((EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8"))


@cache
def bodies(name: str) -> Case:
    """The bodies of an example, with one plain analysis each."""
    data = _data(name)
    plain = {f"modes {body}": {"kind": "modes", "body": body} for body in data["bodies"]}
    text = io.StringIO()
    YAML(typ="safe").dump(data | {"analyses": plain}, text)
    return parse_case(text.getvalue(), file=f"{name}.yaml", folder=EXAMPLES)


@cache
def record(name: str, analysis: str) -> Any:
    """What an analysis of an example gives."""
    data, case = _data(name)["analyses"][analysis], bodies(name)
    with reading_with(case.parameters):
        entry = ENTRIES[data["kind"]].model_validate(data)
    return entry.run(case)

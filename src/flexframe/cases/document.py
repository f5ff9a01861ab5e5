"""The case format: what a case file may hold."""

from typing import Annotated, Any

from pydantic import Field

from flexframe.cases.bodies import BodyEntry
from flexframe.cases.entries import ByField, Entry
from flexframe.cases.fields import Name, Text
from flexframe.cases.kinds.matrices import MatricesEntry
from flexframe.cases.kinds.modes import ModesEntry
from flexframe.cases.kinds.statics import StaticsEntry
from flexframe.cases.materials import MaterialEntry

Analysis = ModesEntry | StaticsEntry | MatricesEntry
"""Every kind of analysis; adding one is one file in `kinds` and one name here."""


class CaseDocument(Entry):
    """A flexframe case: materials, bodies, and what is asked of them."""

    title: Text = ""
    description: Text = ""
    materials: dict[Name, MaterialEntry] = Field(default_factory=dict)
    bodies: Annotated[dict[Name, BodyEntry], Field(min_length=1)]
    analyses: Annotated[dict[Name, Annotated[Analysis, ByField("kind")]], Field(min_length=1)]


def case_schema() -> dict[str, Any]:
    """The case format as a JSON schema."""
    schema = CaseDocument.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "flexframe case",
    }

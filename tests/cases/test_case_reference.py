"""The reference of the case format tells the truth."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from flexframe.cases.case import Case
from flexframe.cases.document import CaseDocument
from flexframe.cases.run import run_case
from flexframe.entries.materials import BUILT_IN_MATERIALS
from flexframe.entries.meshes import MeshEntry

TEXT = (Path(__file__).parents[2] / "docs" / "reference" / "case-file.md").read_text(encoding="utf-8")
PLATE = re.findall(r"```yaml\n(title: .*?)```", TEXT, re.DOTALL)[0]


def test_its_example_runs(parse: Callable[..., Case]) -> None:
    """The plate's first mode at rest is nearly that of a slender cantilever, 1.8751²/2π sqrt(EI/ρA)/L².

    Shear and rotary inertia lower it by about (βh/L)²(1 + E/κG)/24 = 4 % at L/h = 4.
    """
    frequencies = run_case(parse(PLATE)).records["at rest"].summary()["frequencies_hz"]
    beam = 1.875104**2 / 6.283185 * (200e9 * 0.1**2 / 12 / 7900) ** 0.5 / 0.4**2
    assert frequencies[0] == pytest.approx(beam, rel=0.05)
    assert frequencies[0] < beam


@pytest.mark.parametrize("line", re.findall(r"^(?:mesh|section): \{.*$", TEXT, re.MULTILINE))
def test_its_lines_are_accepted(parse: Callable[..., Case], line: str) -> None:
    """Each mesh and section in the text is valid where it belongs."""
    if "file:" in line:
        MeshEntry.model_validate({"file": "part.inp", "scale": 0.001})
        return
    body = "mesh: {line: {length: 1, divisions: 1}}" if line.startswith("section") else "thickness: 1"
    fields = "".join(f"    {field}\n" for field in (line, body, "material: steel"))
    parse(f"bodies:\n  b:\n{fields}analyses:\n  a: {{kind: modes}}\n")


@pytest.mark.parametrize("row", re.findall(r"^\| `(\{.*?\}|\w+: .*?)` \|", TEXT, re.MULTILINE))
def test_its_supports_loads_and_motions_are_accepted(row: str) -> None:
    """Each entry in the tables is valid in its list, or as a motion."""
    from flexframe.cases.source import parse_yaml

    value = parse_yaml(row, "row").plain()
    body = {"mesh": {"line": {"length": 1, "divisions": 1}}, "material": "steel", "area": 1}
    if {"clamp", "pin", "roller", "symmetric", "fix"} & set(value):
        body["supports"] = [value]
    elif {"force", "traction", "pressure", "line_load", "gravity"} & set(value):
        body["loads"] = [value]
    else:
        body["motion"] = value
    CaseDocument.model_validate({"bodies": {"b": body}, "analyses": {"a": {"kind": "modes"}}})


def test_it_names_every_mesh_kind_and_material() -> None:
    """Nothing that the format has is missing from the tables."""
    for mesh in MeshEntry.leads:
        assert f"| `{mesh}` |" in TEXT
    for field in CaseDocument.model_fields:
        assert f"`{field}`" in TEXT
    schema = CaseDocument.model_json_schema()
    kinds = [
        d["properties"]["kind"]["const"]
        for d in schema["$defs"].values()
        if "const" in d["properties"].get("kind", {})
    ]
    for kind in kinds:
        assert f"| `{kind}` |" in TEXT
    for name, material in BUILT_IN_MATERIALS.items():
        assert f"`{name}` ({material.young / 1e9:g} GPa, {material.poisson:g}," in TEXT
        assert f"{material.density:g} kg/m³)" in TEXT

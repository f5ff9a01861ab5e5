"""The table of layers in CONTRIBUTING.md has what the contract in pyproject.toml has."""

import re
import tomllib

from .repository import ROOT


def test_the_table_names_every_layer() -> None:
    """Those of the public modules share one line, which names a few of them."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = declared["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    public, *inner = [set(re.findall(r"\w+", layer)) for layer in layers]
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page[page.index("## Layers") : page.index("## Habits")]
    first, *rows = [re.findall(r"`(\w+)`", row) for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)]
    assert set(first) <= public
    listed = [name for row in rows for name in row]
    assert sorted(listed) == sorted(name for layer in inner for name in layer)
    places = {name: place for place, layer in enumerate(inner) for name in layer}
    assert [places[name] for name in listed] == sorted(places[name] for name in listed)

"""One version: `flexframe/__init__.py` has it, the package takes it; citation and changelog repeat it."""

import re
import tomllib

import flexframe

from .repository import ROOT


def test_version_is_the_same_everywhere() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        declared = tomllib.load(file)
    assert declared["project"]["dynamic"] == ["version"]
    assert declared["tool"]["scikit-build"]["metadata"]["version"]["input"] == "src/flexframe/__init__.py"
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    released = re.search(r"^## \[(\d\S*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited and released
    assert [cited.group(1), released.group(1)] == [flexframe.__version__] * 2

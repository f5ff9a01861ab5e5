"""The Python, YAML and shell that the documentation shows does what the text says."""

import re
import shlex
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from typer.main import get_command
from typer.testing import CliRunner

from flexframe.cli import app

from .repository import ROOT, code_blocks

PAGES = [
    ROOT / "README.md",
    ROOT / "docs" / "coming-from.md",
    *sorted((ROOT / "docs" / "tutorials").glob("*.md")),
    *sorted((ROOT / "docs" / "how-to").glob("*.md")),
]


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [p for p in PAGES if "```python" in _text(p)], ids=_name)
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of a page, one after the other; a comment `# → 12.3` is what the expression before it shows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    names: dict[str, object] = {}
    for block in code_blocks(_text(page), "python"):
        exec(compile(block, str(page), "exec"), names)
        for expression, expected in re.findall(r"^(\S.*?)\s+# → (.+)$", block, re.MULTILINE):
            shown = eval(expression, names)
            assert str(shown) == expected.strip(), f"{page.name}: {expression} gives {shown}"


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs/tutorials/rotating-disc.md"], ids=_name)
def test_shown_disc_is_the_example(page: Path) -> None:
    """The case in the text is the example with some analyses left out."""
    (shown,) = (YAML(typ="safe").load(block) for block in code_blocks(_text(page), "yaml"))
    example = YAML(typ="safe").load(_text(ROOT / "examples/rotating_disc.yaml"))
    assert (shown["materials"], shown["bodies"]) == (example["materials"], example["bodies"])
    for name, analysis in shown["analyses"].items():
        assert analysis == {key: value for key, value in example["analyses"][name].items() if key != "description"}


@pytest.mark.parametrize("page", [p for p in PAGES if "```yaml" in _text(p)], ids=_name)
def test_whole_case_files_are_accepted(page: Path, tmp_path: Path) -> None:
    """A YAML block that names its bodies and analyses is a case; `flexframe check` accepts it."""
    for number, block in enumerate(code_blocks(_text(page), "yaml")):
        if not all(re.search(rf"^{key}:", block, re.MULTILINE) for key in ("bodies", "analyses")):
            continue
        case = tmp_path / f"case_{number}.yaml"
        case.write_text(block, encoding="utf-8")
        outcome = CliRunner().invoke(app, ["check", str(case)])
        assert outcome.exit_code == 0, outcome.output


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_shown_commands_exist(page: Path) -> None:
    """Every `make TARGET` and `flexframe COMMAND` of a shell block is one that there is."""
    targets = set(re.findall(r"^([a-z-]+):", _text(ROOT / "Makefile"), re.MULTILINE))
    commands = set(getattr(get_command(app), "commands", {}))
    for block in code_blocks(_text(page), "(?:sh|console)"):
        for line in block.splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if words[:1] == ["make"]:
                assert set(words[1:2]) <= targets, line
            elif words[:1] == ["flexframe"]:
                assert words[1].startswith("--") or words[1] in commands, line

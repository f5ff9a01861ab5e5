"""`flexframe studio` as a command, and what its sources must not contain."""

import re
import socket
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flexframe.cli import app

ROOT = Path(__file__).parents[2]


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("flexframe.studio")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)  # as if it were not installed
    result = CliRunner().invoke(app, ["studio", "--no-open"])
    assert result.exit_code == 2
    assert "pip install 'flexframe[studio]'" in result.output


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["nowhere.yaml"], 2, "there is no such file"),
        (["--workspace", "nowhere"], 2, "there is no such folder"),
        (["--port", "99999"], 2, "--port"),
        (["--jobs", "0"], 2, "--jobs"),
    ],
)
def test_what_cannot_be_served_is_told(arguments: list[str], code: int, told: str) -> None:
    result = CliRunner().invoke(app, ["studio", "--no-open", *arguments])
    assert result.exit_code == code
    assert told in result.output


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = str(holder.getsockname()[1])
        result = CliRunner().invoke(app, ["studio", "--no-open", "--workspace", str(tmp_path), "--port", port])
    assert result.exit_code == 3
    assert f"port {port} is taken" in result.output


@pytest.mark.parametrize(
    ("folder", "pattern", "forbidden"),
    [
        (
            "src/flexframe/studio",
            "*.py",
            r"\b(pickle|marshal|shelve)\b|\b(eval|exec|__import__)\(|shell=True|os\.system",
        ),
        ("frontend/src", "*.ts", r"\.(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function"),
    ],
)
def test_c3_c4_nothing_is_evaluated_unpickled_or_made_html(folder: str, pattern: str, forbidden: str) -> None:
    sources = sorted((ROOT / folder).rglob(pattern))
    assert len(sources) >= 10
    found = [path.name for path in sources if re.search(forbidden, path.read_text(encoding="utf-8"))]
    assert found == []


def test_the_page_names_no_other_place() -> None:
    """Addresses in the shipped page are names (of XML, in licences), never fetched: its policy forbids it, too."""
    assets = ROOT / "src/flexframe/reports/assets"
    for name in ("studio.js", "viewer.js", "studio.css", "viewer.css"):
        text = (assets / name).read_text(encoding="ascii")
        assert not re.search(r"(src|href|url\()\s*=?\s*[\"']?https?://", text)
        assert "@import" not in text

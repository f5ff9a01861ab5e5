"""The page about adding an analysis is a working analysis: a folder, a name and a test."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from .repository import ROOT, python_with

PAGE = ROOT / "docs" / "how-to" / "add-an-analysis.md"


def shown_files(language: str) -> dict[str, str]:
    """Files that the page shows, by path."""
    pattern = rf"^```{{code-block}} {language}\n:caption: (\S+)\n(.*?)^```$"
    return dict(re.findall(pattern, PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))


def test_the_page_is_a_working_analysis(tmp_path: Path) -> None:
    """A copy of the sources with the three edits passes the test that the page adds."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    added = shown_files("python")
    assert {str(Path(name).parent) for name in added} == {"src/flexframe/analyses/inertia", "tests/exact"}
    for name, text in added.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    ((name, lines),) = shown_files("diff").items()
    old, new = ("".join(line[1:] for line in lines.splitlines(True) if line[0] == sign) for sign in "-+")
    source = (tmp_path / name).read_text(encoding="utf-8")
    assert source.count(old) == 1
    (tmp_path / name).write_text(source.replace(old, new), encoding="utf-8")
    python, environment = python_with(tmp_path / "src" / "flexframe")
    command = [*python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "tests/exact"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout

"""The pages about adding an analysis and a joint are working ones: a new source, a name and a test."""

import os
import subprocess
from pathlib import Path

import pytest

from .repository import ROOT, edited_sources, python_with, shown_files


@pytest.mark.parametrize(
    ("page", "added", "tests"),
    [("add-an-analysis", "src/flexframe/analyses/inertia", 1), ("add-a-joint", "src/flexframe/model", 2)],
)
def test_the_page_works(page: str, added: str, tests: int, tmp_path: Path) -> None:
    """A copy of the sources with the three edits passes the test that the page adds."""
    path = ROOT / "docs" / "how-to" / f"{page}.md"
    assert {str(Path(name).parent) for name, _ in shown_files(path, "python")} == {added, "tests/exact"}
    edited_sources(path, tmp_path)
    python, environment = python_with(tmp_path / "src" / "flexframe")
    command = [*python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "tests/exact"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{tests} passed" in done.stdout

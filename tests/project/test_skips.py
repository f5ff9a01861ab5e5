"""No test is skipped in silence: a run says so at its end, and fails where everything is installed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = """
import pytest

def test_runs():
    pass

@pytest.mark.skip(reason="the program is missing")
def test_needs_more():
    pass
"""


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [((), 0, "not known to work"), (("--no-skips", "-n", "2"), 1, "an error here")],
    ids=["said", "an error on workers too"],
)
def test_skipped_tests_are_said(tmp_path: Path, options: tuple[str, ...], code: int, words: str) -> None:
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "test_two.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout
    assert "1 skipped (reasons above)" in done.stdout and words in done.stdout


def test_a_run_without_skips_passes(tmp_path: Path) -> None:
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "test_two.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--no-skips", "-k", "runs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "reasons above" not in done.stdout


def test_what_the_installer_calls_complete() -> None:
    """Programs that a test asks for with `which` are those that tools/install_programs.sh knows."""
    known = (ROOT / "tools" / "install_programs.sh").read_text(encoding="utf-8")
    asked = [
        line.split('which("')[1].split('"')[0]
        for path in (ROOT / "tests").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if 'which("' in line and path != Path(__file__)
    ]
    assert asked
    for program in asked:
        assert f"{program}:" in known or f"command -v {program} " in known, program

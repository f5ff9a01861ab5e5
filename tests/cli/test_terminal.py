"""The command line at a terminal: shell completion, `python -m`, tables that fit, colour only where it belongs."""

import io
import os
import subprocess
import sys
from typing import Any

import pytest
from rich.console import Console

from flexframe import __version__
from flexframe.cases.examples import example_paths
from flexframe.commands import verify
from flexframe.commands.tables import analysis_table
from flexframe.verification.contract import Row

WIDTH = 80


def completed(words: str) -> list[str]:
    """What the shell offers after these words."""
    environment = {
        **os.environ,
        "_FLEXFRAME_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    code = "import sys; sys.argv = ['flexframe']; from flexframe.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    return done.stdout.split()


def test_the_shell_completes_commands_options_and_examples() -> None:
    assert completed("flexframe st") == ["studio"]
    assert "--no-open" in completed("flexframe studio --n")
    assert completed("flexframe examples wind_pump_f") == ["wind_pump_free"]
    assert set(completed("flexframe examples rotating_")) == {
        n for n in example_paths() if n.startswith("rotating_")
    }


def test_python_m_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "flexframe", "--version"], capture_output=True, text=True, check=False, timeout=600
    )
    assert (done.returncode, done.stdout) == (0, f"flexframe {__version__}\n")


def narrow() -> Console:
    return Console(file=io.StringIO(), width=WIDTH, highlight=False, emoji=False, markup=False)


def printed(screen: Console) -> str:
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def test_the_table_of_formalisms_fits_and_says_why_one_does_not_apply() -> None:
    entry: dict[str, Any] = {
        "applicable": True,
        "max_relative_difference": 1.3e-15,
        "unknowns": 12345,
        "operations": {"multiplications": 12345678, "additions": 12345678},
        "seconds": 0.123,
    }
    reason = "there is no energy (Jacobi) integral: the speed of rotation changes"
    formalisms = dict.fromkeys(("lagrange", "gibbs_appell", "hamilton", "maggi", "kane"), entry)
    summary = {
        "kind": "crosscheck",
        "tolerance": 1e-9,
        "formalisms": {**formalisms, "whittaker": {"applicable": False, "reason": reason}},
    }
    screen = narrow()
    screen.print(analysis_table(summary))
    text = printed(screen)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "…" not in text
    assert "gibbs_appell" in text
    assert " ".join(text.split()).endswith(f"whittaker does not apply: {reason}")


def test_the_table_of_references_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = narrow()
    monkeypatch.setattr(verify, "console", lambda: screen)
    rows = [
        Row(
            name="rotating-cantilever-coupled",
            quantity=f"frequency of a rather long name {i} [rad/s]",
            computed=-1.234567e-05,
            reference=-1.234567e-05,
            relative_error=0.0,
            tolerance=1e-9,
            passed=True,
            conditions="",
            source="a long source, with its authors, its year and its pages, that wraps over more than one line",
        )
        for i in range(3)
    ]
    verify._print_table(rows)
    text = printed(screen)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "…" not in text
    assert text.count("pass") == 3
    assert text.count("a long source") == 1
    assert "\x1b" not in text  # colour is for terminals

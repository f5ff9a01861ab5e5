"""The command line at a terminal: shell completion, `python -m`, tables that fit, colour only where it belongs."""

import io
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from rich.console import Console

import flexframe as ff
from flexframe import __version__
from flexframe.analyses.crosscheck.record import Crosscheck, FormalismCheck
from flexframe.cases.examples import example_paths
from flexframe.commands import verify
from flexframe.commands.tables import record_tables
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
    reason = "there is no energy (Jacobi) integral: the speed of rotation changes"
    numbers = {"unknowns": 12345, "additions": 12345678, "multiplications": 12345678, "seconds": 0.123}
    checks = [
        FormalismCheck(name, name, "", applicable=True, reason="", differences={"mass": 1.3e-15}, **numbers)
        for name in ("lagrange", "gibbs_appell", "hamilton", "maggi", "kane")
    ]
    checks.append(replace(checks[0], name="whittaker", applicable=False, reason=reason, differences={}))
    beam = ff.Body.beam("beam", length=1.0, divisions=1, section=ff.Rectangle(0.1, 0.1), material=ff.STEEL)
    record = Crosscheck(
        "beam", beam.mesh, tuple(checks), 0.0, {}, (), tolerance=1e-9, seed=0, speed_rad_s=0.0, time_s=0.0
    )
    screen = narrow()
    for table in record_tables(record):
        screen.print(table)
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

"""Coupled motion through the command line: results, an early end, an interruption and its continuation."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from flexframe.cli import app
from flexframe.results.storage import read_results

CASE = """\
title: Swinging strip
ground: {O: [0, 0]}
bodies:
  strip:
    mesh: {line: {length: 1 m, divisions: 4}}
    material: steel
    section: {rectangle: {width: 30 mm, height: 4 mm}}
    supports: [{pin: start}, {roller: end, direction: [0, 1]}]
    reduction: {modes: 2}
joints:
  hinge: {revolute: [ground.O, strip.start]}
loads:
  weight: {gravity: [0, -9.81]}
analyses:
  run:
    kind: transient
    duration: 0.1
    step: 0.5 ms
    samples: 51
    sensors:
      tip: {position: strip.end}
      turn: {angle: strip}
"""
EAGER = "import flexframe.results.checkpoint as s; s.QUIET_SECONDS = 0.0; s.SHARE = 0; "
COMMAND = [sys.executable, "-c", EAGER + "from flexframe.cli import main; main()"]  # keeps every stretch
# the kill comes right after the first stretch was kept, however slow the machine is
KILLED = f"""{EAGER}
import os, signal
from flexframe.cli import main
from flexframe.results.checkpoint import Checkpoint

save = Checkpoint.save

def save_and_end(*given):
    save(*given)
    if "motion " in str(given[-1]["index"]):  # modes are kept before
        os.kill(os.getpid(), signal.SIGKILL)

Checkpoint.save = save_and_end
main()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory with the case in it."""
    (tmp_path / "strip.yaml").write_text(CASE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_run_writes_and_prints(folder: Path) -> None:
    """A rod that falls about its end, φ̈ = −3g/2L cos φ: the angle is −¾ (g/L) t² at first; bending adds 3 %."""
    result = call("run", "strip.yaml", "--out", "out")
    assert result.exit_code == 0, result.output
    assert "tip x" in result.output
    assert "constraint residual" in result.output
    stored = read_results(folder / "out")
    run = stored.summary["analyses"]["run"]
    assert run["kind"] == "transient"
    assert run["finished"] is True
    assert run["sensors"]["turn"]["values"][-1] == pytest.approx(-0.75 * 9.81 * 0.01, rel=0.05)
    assert stored.dataset("run")["sensor_tip"].shape == (51, 2)
    report = (folder / "out" / "report.html").read_text(encoding="utf-8")
    assert "Motion and deformation" in report
    assert not list(folder.glob(".out.*npz"))


def test_an_early_end_keeps_what_there_is(folder: Path) -> None:
    """Exit code 3 with the reason on the error stream, and results up to that time."""
    change = "bodies.strip.section.rectangle.height=0.1 mm"
    undeformed = "analyses.run.initial_deformation=undeformed"
    settings = ("--set", change, "--set", "analyses.run.duration=1")
    result = call("run", "strip.yaml", "--out", "out", *settings, "--set", undeformed)
    assert result.exit_code == 3
    assert "small deflections" in result.stderr
    refused = call("run", "strip.yaml", "--out", "none", *settings)  # in equilibrium it is bent too far already
    assert refused.exit_code == 3
    assert "at t = 0 s" in refused.stderr
    run = json.loads((folder / "out" / "summary.json").read_text(encoding="utf-8"))["analyses"]["run"]
    assert run["finished"] is False
    assert run["stopped"]
    assert 0 < run["end_s"] < 1
    assert run["times_s"][-1] == pytest.approx(run["end_s"], abs=1e-12)
    assert "The motion ends early" in (folder / "out" / "report.html").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_a_killed_run_is_resumed(folder: Path) -> None:
    """Killed while it runs, the motion goes on with --resume and has the values of a run without a break."""
    settings = ["--set", "analyses.run.duration=8", "--set", "analyses.run.samples=501"]
    arguments = ["run", "strip.yaml", "--out", "out", *settings]
    kept = folder / ".out.run.unfinished.npz"
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, *arguments], cwd=folder, check=False, capture_output=True
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert kept.exists()
    arguments = [*COMMAND, *arguments]
    assert not (folder / "out").exists()
    subprocess.run([*arguments, "--resume"], cwd=folder, check=True, capture_output=True)
    resumed = read_results(folder / "out").summary["analyses"]["run"]
    assert resumed["resumed_at_s"] > 0
    assert not kept.exists()
    # in a process of its own, too: the same bits need the same history of the process
    subprocess.run(
        [*COMMAND, "run", "strip.yaml", "--out", "whole", *settings], cwd=folder, check=True, capture_output=True
    )
    whole = read_results(folder / "whole").summary["analyses"]["run"]
    assert whole["resumed_at_s"] is None
    assert np.array_equal(whole["sensors"]["tip"]["values"], resumed["sensors"]["tip"]["values"])

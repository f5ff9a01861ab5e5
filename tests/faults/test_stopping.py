"""Runs that are stopped by a signal or by a bound: they end, say where, keep what can go on, leave no lock."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from flexframe.cases.case import parse_case
from flexframe.cases.run import run_case
from flexframe.cases.stopping import Bounds
from flexframe.errors import InputError, StopRequest
from flexframe.maths.solver_settings import used_memory
from flexframe.results.storage import read_results

STRIP = """\
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
"""
TRANSIENT = "  run: {kind: transient, duration: DURATION, step: 0.5 ms, samples: SAMPLES}\n"
LONG = TRANSIENT.replace("DURATION", "50000").replace("SAMPLES", "200001")
RIGID = "  run: {kind: rigid_motion, duration: 100000, samples: 200001}\n"
BEAM = """\
bodies:
  beam:
    mesh: {line: {length: 1 m, divisions: 40}}
    material: steel
    section: {rectangle: {width: 30 mm, height: 4 mm}}
    supports: [{clamp: start}]
analyses:
"""
CAMPBELL = "  run: {kind: campbell, speeds: {end: 20 rad/s, count: 9000}, modes: 6}\n"
MODES = BEAM.replace("divisions: 40", "divisions: 1500") + "".join(
    f"  run{k}: {{kind: modes, count: 400}}\n" for k in range(400)
)
END = 300.0  # s, the generous end of every wait


def _started(folder: Path, text: str, *more: str) -> "subprocess.Popen[str]":
    """`flexframe run` in a process of its own."""
    (folder / "case.yaml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "flexframe", "run", "case.yaml", "--out", "out", *more]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _wait(until: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    """Wait for a sign of a process that lives."""
    last = time.monotonic() + END
    while not until():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < last, "nothing happened"
        time.sleep(0.02)


def _motion_end(kept: Path) -> float | None:
    """The last time [s] of the motion in a checkpoint, if there is one."""
    if not kept.exists():
        return None
    with np.load(kept) as found:
        index = json.loads(str(found["index"]))
        motion = next((value for key, value in index.items() if key.startswith("motion ")), None)
        return float(found[str(dict(motion["mapping"])["times"]["array"])][-1]) if motion else None


def _names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir() if entry.name != "case.yaml")


@pytest.mark.parametrize("text", [STRIP + LONG, STRIP + RIGID], ids=["transient", "rigid motion"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_motion_says_where_and_can_go_on(tmp_path: Path, text: str, number: signal.Signals) -> None:
    process = _started(tmp_path, text)
    kept = tmp_path / ".out.run.unfinished.npz"
    _wait(lambda: _motion_end(kept) is not None, process)  # a slow machine keeps the modes of the strip before
    process.send_signal(number)
    _, said = process.communicate(timeout=END)
    assert process.returncode == 128 + number
    assert "continue with the same command and --resume" in said
    assert _names(tmp_path) == [kept.name]  # no lock, nothing half
    assert f"stopped in run at t = {_motion_end(kept):.6g} s" in said


@pytest.mark.parametrize("text", [BEAM + CAMPBELL, MODES], ids=["campbell", "modes"])
def test_an_analysis_stopped_at_any_time_ends_and_leaves_no_lock(tmp_path: Path, text: str) -> None:
    process = _started(tmp_path, text)
    _wait((tmp_path / ".out.lock").exists, process)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=END)
    assert process.returncode == 128 + signal.SIGTERM, said
    assert said.startswith("stopped by SIGTERM")
    assert not [name for name in _names(tmp_path) if name.endswith(".lock")]


def test_analyses_that_are_done_are_written_when_another_is_stopped(tmp_path: Path) -> None:
    """The frequency that was done is f = 1.8751²/2πL² √(EI/ρA) of a clamped beam; the rest goes on."""
    process = _started(tmp_path, BEAM + "  first: {kind: modes, count: 1}\n" + CAMPBELL)
    _wait((tmp_path / ".out.run.unfinished.npz").exists, process)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=END)
    assert process.returncode == 128 + signal.SIGTERM
    assert "continue with the same command and --resume; not done: run; what there is was written to out" in said
    assert _names(tmp_path) == [".out.run.unfinished.npz", "out"]
    found = read_results(tmp_path / "out").summary
    assert found["stopped"].startswith("stopped by SIGTERM")
    assert found["missing"] == ["run"]
    (frequency,) = found["analyses"]["first"]["frequencies_hz"]
    exact = 1.875104**2 / (2 * np.pi) * np.sqrt(210e9 / 7850 / 12) * 0.004
    assert frequency == pytest.approx(exact, rel=2e-3)  # steel of the library differs by that, and shear
    assert "first" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


DEAF = """
import ctypes
from pathlib import Path
from flexframe.commands.console import report_errors
from flexframe.results.folders import folder_lock

mutex, library = ctypes.create_string_buffer(128), ctypes.LIBRARY(None)
with report_errors(), folder_lock(Path("here.lock")):
    library.pthread_mutex_lock(mutex)
    Path("deaf").touch()
    library.pthread_mutex_lock(mutex)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the call that never returns is one of Linux")
@pytest.mark.parametrize("library", ["CDLL", "PyDLL"])
def test_a_call_that_does_not_return_is_left(tmp_path: Path, library: str) -> None:
    """Waiting for a lock that nobody opens stands for a long factorisation: Python does not hear the signal.

    Through `PyDLL` no other thread of Python runs meanwhile, as in many calls of LAPACK.
    """
    code = DEAF.replace("LIBRARY", library)
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    _wait((tmp_path / "deaf").exists, process)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=END)
    assert process.returncode == 128 + signal.SIGTERM
    assert said == "stopped by SIGTERM; a call of the linear algebra was left\n"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["deaf"]


FLUSHING = """
import ctypes
import time
from flexframe.cases.stopping import stop_signals

with stop_signals():
    for _ in range(50):
        ctypes.CDLL(None).fflush(None)
        time.sleep(0.01)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no thread waits for signals there")
def test_a_library_that_flushes_all_streams_does_not_wait_for_signals() -> None:
    """As MKL does before a product of matrices: a stream that a thread reads would hold it for ever."""
    subprocess.run([sys.executable, "-c", FLUSHING], check=True, timeout=120)


def test_a_bound_of_time_keeps_what_there_is_and_the_rest_goes_on(tmp_path: Path) -> None:
    """The analysis before is written, and so is a motion as far as it goes, if it has begun in that time."""
    text = STRIP + "  first: {kind: rigid_motion, duration: 0.1, samples: 3}\n" + LONG
    process = _started(tmp_path, text, "--max-time", "8s")
    _, said = process.communicate(timeout=END)
    assert process.returncode == 3
    assert "the time of 8 s is used up" in said
    found = read_results(tmp_path / "out")
    assert "the time of 8 s is used up" in found.summary["stopped"]
    assert "first" in found.summary["analyses"]
    assert not [name for name in _names(tmp_path) if name.endswith(".lock")]


@pytest.mark.parametrize("asked", ["signal", "bound"])
def test_a_stopped_sweep_keeps_its_cases(tmp_path: Path, asked: str) -> None:
    short = TRANSIENT.replace("DURATION", "5").replace("SAMPLES", "11")
    (tmp_path / "case.yaml").write_text(STRIP + short, encoding="utf-8")
    varied = "bodies.strip.section.rectangle.height=3mm:5mm:9000"
    command = [sys.executable, "-m", "flexframe", "sweep", "case.yaml", "--vary", varied, "--out", "out"]
    more = ["--max-time", "4s"] if asked == "bound" else ["--workers", "2", "--scheduler", "processes"]
    process = subprocess.Popen([*command, *more], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    if asked == "signal":
        cases = tmp_path / "out" / "cases.jsonl"
        _wait(lambda: cases.exists() and cases.stat().st_size > 0, process)
        process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=END)
    why, code = ("stopped by SIGTERM", 143) if asked == "signal" else ("the time of 4 s is used up", 3)
    assert process.returncode == code
    assert f"{why}; finished cases are kept in out, continue with --resume" in said
    assert _names(tmp_path) == ["out"]


def test_bounds_from_python() -> None:
    text = STRIP + "  first: {kind: rigid_motion, duration: 0.1, samples: 3}\n" + LONG
    case = parse_case(text, file="case.yaml", folder=Path())
    handler = signal.getsignal(signal.SIGINT)
    result = run_case(case, max_time=3.0)
    assert result.stopped.startswith("the time of 3 s is used up")
    assert result.missing[-1] == "run"  # without a checkpoint nothing of it is kept
    assert [*result.records, *result.missing] == ["first", "run"]  # a busy machine may not come to the first one
    assert signal.getsignal(signal.SIGINT) is handler


def test_bounds_on_another_thread_are_met_where_progress_is_told() -> None:
    case = parse_case(STRIP + LONG, file="case.yaml", folder=Path())
    found = []
    thread = threading.Thread(target=lambda: found.append(run_case(case, max_time=0.5)))
    thread.start()
    thread.join(END)
    assert [result.missing for result in found] == [("run",)]


def test_memory_beyond_the_bound_ends_a_computation() -> None:
    used = used_memory()
    if used is None:
        with pytest.raises(InputError, match="not known on this system"):
            Bounds(max_memory=1e12)
        return
    with pytest.raises(InputError, match="are too few"):
        Bounds(max_memory=1e6)
    bounds = Bounds(max_memory=used + 50e6)
    with pytest.raises(StopRequest, match="GB of memory are in use") as stopped, bounds.watch():
        held = [np.ones(20_000_000 // 8) for _ in range(20)]
        time.sleep(END)
        del held
    assert stopped.value.keeps_results
    assert stopped.value.exit_code == 3


@pytest.mark.parametrize("given", ["--max-time=soon", "--max-time=0s", "--max-memory=2", "--max-memory=-1GB"])
def test_bounds_that_cannot_be_read_are_refused(tmp_path: Path, given: str) -> None:
    process = _started(tmp_path, STRIP + LONG, given)
    _, said = process.communicate(timeout=END)
    assert process.returncode == 2
    assert f"{given.partition('=')[0]}: '{given.partition('=')[2]}' cannot be read" in said
    assert _names(tmp_path) == []


def test_work_is_estimated_before_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusal(analysis: str) -> str:
        with pytest.raises(InputError) as refused:
            parse_case(STRIP + analysis, file="case.yaml", folder=tmp_path)
        return str(refused.value)

    tiny = refusal("  run: {kind: transient, duration: 1, step: 1e-10}\n")
    assert tiny.startswith("case.yaml:14: analyses.run.step: 1e-10 s makes 1e+10 steps in 1 s, more than 1e+09; ")
    assert "2e+12 steps in 1e+09 s" in refusal("  run: {kind: transient, duration: 1e9, step: 0.5 ms}\n")
    monkeypatch.setenv("FLEXFRAME_MEMORY", "0.01")  # GB: ten thousand instants of one body
    assert "analyses.run.samples: 20,000 samples of 1 bodies take about 0.02 GB" in refusal(
        "  run: {kind: rigid_motion, duration: 1, samples: 20000}\n"
    )
    case = parse_case(STRIP + LONG.replace("200001", "2001"), file="case.yaml", folder=tmp_path)
    (note,) = case.announcements()
    assert note.startswith("analyses.run: 100,000,000 steps take a while")

"""Runs that are killed, find the disk full or damaged results: nothing finished is lost, nothing half is read."""

import json
import os
import random
import resource
import signal
import sys
import time
from pathlib import Path

import pytest

from flexframe.cases.examples import example_paths
from flexframe.errors import InputError
from flexframe.results.storage import DATA, SUMMARY, read_results

CASE = example_paths()["rectangle_element"]
KILLS = int(os.environ.get("FLEXFRAME_KILLS", "12"))


def started(out: Path, *arguments: str, file_size: int | None = None) -> int:
    """`flexframe run` in a process of its own that already has everything imported; its number."""
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        if file_size is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # as on a full disk: an error, not a signal
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        from flexframe.cli import main

        sys.argv = ["flexframe", "run", str(CASE), "--out", str(out), *arguments]
        main()
        code = 0
    except SystemExit as leaving:
        code = 0 if leaving.code is None else int(leaving.code)
    finally:
        os._exit(code)


def finished(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> float:
    """Seconds of a run; also imports and compiles what the children then inherit."""
    from flexframe.commands.run import RunOptions, run

    out = tmp_path_factory.mktemp("warm") / "out"
    run(CASE, out, RunOptions(as_json=True))
    began = time.monotonic()
    assert finished(started(out)) == 0
    return time.monotonic() - began


def test_killed_runs_leave_the_old_or_the_new_result(tmp_path: Path, warm: float) -> None:
    out = tmp_path / "out"
    assert finished(started(out, "--set", "title=before")) == 0
    chance = random.Random(7)
    seen = {"before"}
    for number in range(KILLS):
        child = started(out, "--set", f"title=run {number}")
        time.sleep(chance.uniform(0.0, 1.1 * warm))
        os.kill(child, signal.SIGKILL)
        finished(child)
        stored = read_results(out)  # whole: the summary parses, and every analysis can be read
        for name in stored.summary["analyses"]:
            stored.dataset(name)
        assert stored.summary["title"] in seen | {f"run {number}"}
        seen = {stored.summary["title"]}
    assert finished(started(out, "--set", "title=after")) == 0
    assert read_results(out).summary["title"] == "after"
    beside = sorted(entry.name for entry in tmp_path.iterdir())
    assert [name for name in beside if ".new-" in name] == []  # what killed runs left is cleared away


def test_a_full_disk_keeps_the_earlier_result(tmp_path: Path, warm: float) -> None:
    out = tmp_path / "out"
    assert finished(started(out)) == 0
    before = (out / SUMMARY).read_bytes()
    for size in (4096, 9000, 14_000, 20_000):  # wherever the library is when the disk is full
        assert finished(started(out, "--set", "title=larger", file_size=size)) == 3
    assert (out / SUMMARY).read_bytes() == before
    assert sorted(entry.name for entry in out.iterdir()) == [
        "case.yaml",
        "report.html",
        "results.nc",
        "summary.json",
    ]


def test_a_place_that_cannot_be_written_is_an_error_with_a_reason(tmp_path: Path, warm: float) -> None:
    (tmp_path / "file").write_text("in the way")
    assert finished(started(tmp_path / "file" / "out")) == 3


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_damaged_arrays_are_told_and_not_read(tmp_path: Path, warm: float, part: float) -> None:
    out = tmp_path / "out"
    assert finished(started(out)) == 0
    whole = (out / DATA).read_bytes()
    (out / DATA).write_bytes(whole[: int(part * len(whole))])
    stored = read_results(out)
    with pytest.raises(InputError, match="damaged"):
        for name in stored.summary["analyses"]:
            stored.dataset(name)


def test_a_damaged_summary_is_told(tmp_path: Path, warm: float) -> None:
    out = tmp_path / "out"
    assert finished(started(out)) == 0
    text = (out / SUMMARY).read_text(encoding="utf-8")
    (out / SUMMARY).write_text(text[: len(text) // 2], encoding="utf-8")
    with pytest.raises(InputError, match="no flexframe results here"):
        read_results(out)


def test_results_say_what_made_them(tmp_path: Path, warm: float) -> None:
    from flexframe import __version__

    out = tmp_path / "out"
    assert finished(started(out, "--set", "title=renamed")) == 0
    summary = json.loads((out / SUMMARY).read_text(encoding="utf-8"))
    assert summary["version"] == __version__
    assert len(summary["case_sha256"]) == 64
    assert summary["settings"] == {"title": "renamed"}

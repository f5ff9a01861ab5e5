"""Sweeps that are killed, find the disk full or closed, lose their workers or share a folder.

Nothing finished is lost, nothing is computed twice, and what is continued gives the same bits.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import xarray

from flexframe.cases.stopping import used_memory
from flexframe.errors import AnalysisError, InputError
from flexframe.sweeps import cluster
from flexframe.sweeps.evaluation import CaseSource, Outcome, Task, evaluate_some
from flexframe.sweeps.store import CASES, DATA, PLAN, SUMMARY, outcomes
from flexframe.sweeps.sweep import Sweep, sweep

from .cheap import LENGTH, cheap_case
from .forking import Forker, forker

KILLS = int(os.environ.get("FLEXFRAME_KILLS", "0"))
"""Kills of each runner; by default a few."""
COUNT = 40
VARY = {LENGTH: f"0.5:1.5:{COUNT}"}
PROCESSES = ("--workers", "2", "--scheduler", "processes")
DASK = ("--workers", "2", "--scheduler", "local")
PATIENCE = 600.0  # s: a busy machine


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cheap_case(tmp_path_factory.mktemp("case"))


@pytest.fixture(scope="module")
def undisturbed(case: Path) -> Sweep:
    return sweep(case, VARY)


@pytest.fixture(scope="module")
def commands(case: Path) -> Iterator[Forker]:
    with forker() as program:
        yield program


def arguments(case: Path, out: Path, *more: str) -> list[str]:
    return ["sweep", str(case), "--vary", f"{LENGTH}={VARY[LENGTH]}", "--out", str(out), "--resume", *more]


def kept(out: Path) -> list[int]:
    """Places in the plan of the cases that are stored, in the order in which they finished."""
    return [outcome.index for outcome in outcomes(out / CASES)]


@pytest.mark.parametrize(
    ("runner", "usual"), [((), 6), (PROCESSES, 2), (DASK, 1)], ids=["serial", "processes", "dask"]
)
def test_killed_at_random_moments(
    case: Path, undisturbed: Sweep, commands: Forker, tmp_path: Path, runner: tuple[str, ...], usual: int
) -> None:
    if runner == DASK:
        pytest.importorskip("distributed")
    psutil = pytest.importorskip("psutil")
    chance = random.Random(len(runner) + KILLS)
    kills, rounds = 0, 0
    while kills < (KILLS or usual):
        out = tmp_path / f"out {rounds}"
        rounds += 1
        before: list[int] = []
        while kills < (KILLS or usual) and len(before) < COUNT:
            number = commands.start(*arguments(case, out, *runner))
            _wait_for_a_moment(out, len(before), chance)
            helpers = _stopped_helpers(psutil, number)
            commands.kill(number)
            kills += 1
            _require_gone(psutil, helpers)
            now = kept(out)
            assert now[: len(before)] == before  # what was finished stays
            assert len(set(now)) == len(now)  # and nothing is computed twice
            before = now
            if (out / DATA).exists():  # whole, or not there
                stored = xarray.load_dataset(out / DATA, engine="h5netcdf")
                assert stored.sizes["length"] == COUNT
        resumed = sweep(case, VARY, out=out, resume=True)
        assert resumed.computed == COUNT - len(before)
        assert sorted(kept(out)) == list(range(COUNT))
        xarray.testing.assert_identical(resumed.dataset, undisturbed.dataset)


def _wait_for_a_moment(out: Path, known: int, chance: random.Random) -> None:
    """While the sweep begins, while it adds cases (between lines or within one), or while it writes the whole."""
    moment = chance.choices(("beginning", "working", "ending"), (0.2, 0.6, 0.2))[0]
    if moment == "beginning":
        time.sleep(chance.uniform(0, 0.5))
        return
    wanted = min(COUNT, known + chance.randint(1, 8)) if moment == "working" else COUNT
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if (out / SUMMARY).exists() or _lines(out) >= wanted:
            break
        time.sleep(0.002)
    time.sleep(chance.uniform(0, 0.03 if moment == "working" else 0.3))


def _lines(out: Path) -> int:
    return (out / CASES).read_bytes().count(b"\n") if (out / CASES).exists() else 0


def _stopped_helpers(psutil: Any, number: int) -> list[Any]:
    """The processes that a sweep has started; it is stopped first, so that none comes after them."""
    sweeping = psutil.Process(number)
    os.kill(number, signal.SIGSTOP)
    until = time.monotonic() + PATIENCE
    while sweeping.status() not in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE):
        assert time.monotonic() < until
        time.sleep(0.002)
    return list(sweeping.children(recursive=True))


def _require_gone(psutil: Any, helpers: Sequence[Any]) -> None:
    """Workers do not outlive the sweep."""
    _, alive = psutil.wait_procs(helpers, timeout=PATIENCE)
    assert alive == []


@pytest.mark.parametrize("part", [pytest.param(0.3, marks=pytest.mark.slow), 1.0])
def test_a_full_disk_costs_nothing_that_was_finished(
    case: Path, undisturbed: Sweep, commands: Forker, tmp_path: Path, part: float
) -> None:
    """Too small for the cases, or for all but the dataset of the whole."""
    whole, out = tmp_path / "whole", tmp_path / "out"
    assert commands.run(*arguments(case, whole)) == 0
    room = int(part * (whole / CASES).stat().st_size)
    assert (whole / DATA).stat().st_size > room
    assert commands.run(*arguments(case, out), file_size=room) == 3
    finished = kept(out)
    assert len(finished) >= int(part * COUNT) - 1  # lines are of equal length, but for a digit
    assert not (out / DATA).exists()
    assert not (out / SUMMARY).exists()
    resumed = sweep(case, VARY, out=out, resume=True)
    assert resumed.computed == COUNT - len(finished)
    xarray.testing.assert_identical(resumed.dataset, undisturbed.dataset)


def test_a_folder_that_cannot_be_written_is_told(case: Path, commands: Forker, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert commands.run(*arguments(case, tmp_path / "file" / "out")) == 3
    with pytest.raises(AnalysisError, match="cannot be written"):
        sweep(case, VARY, out=tmp_path / "file" / "out")


def test_a_read_only_folder_is_told_in_one_line(case: Path, tmp_path: Path) -> None:
    """… also of a sweep that began before; root obeys the folder when it gives its privilege up."""
    obeying = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root may write anywhere, and setpriv is not there to forbid it")
        obeying = ["setpriv", "--bounding-set=-dac_override"]
    closed = tmp_path / "closed"
    sweep(case, VARY, out=closed / "begun")
    (closed / "begun" / CASES).write_bytes((closed / "begun" / CASES).read_bytes()[:-10])
    (closed / "begun" / CASES).chmod(0o444)
    for folder in (closed / "begun", closed):
        folder.chmod(0o555)
    try:
        for name in ("new", "begun"):
            command = [*obeying, sys.executable, "-c", "from flexframe.cli import main; main()"]
            answer = subprocess.run(
                [*command, *arguments(case, closed / name)], capture_output=True, text=True, check=False
            )
            assert answer.returncode == 3
            assert len(answer.stderr.splitlines()) == 1
            assert "Permission denied" in answer.stderr
    finally:
        for folder in (closed, closed / "begun"):
            folder.chmod(0o755)
    assert len(kept(closed / "begun")) == COUNT - 1


def test_of_two_sweeps_into_one_folder_one_goes_on(
    case: Path, undisturbed: Sweep, commands: Forker, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    numbers = [commands.start(*arguments(case, out)) for _ in range(3)]
    codes = sorted(commands.wait(number) for number in numbers)
    assert codes[0] == 0
    assert set(codes) <= {0, 3}  # refused, unless it came when the first had finished
    assert sorted(kept(out)) == list(range(COUNT))
    stored = xarray.load_dataset(out / DATA, engine="h5netcdf")
    xarray.testing.assert_equal(stored["modes.frequencies_hz"], undisturbed.dataset["modes.frequencies_hz"])


@pytest.mark.parametrize("damage", ["junk", "hole", "lines gone", "empty", "line twice"])
def test_a_damaged_journal_costs_what_was_damaged(
    case: Path, undisturbed: Sweep, tmp_path: Path, damage: str
) -> None:
    out = tmp_path / "out"
    sweep(case, VARY, out=out)
    text = (out / CASES).read_bytes()
    lines = text.splitlines(keepends=True)
    begin, end = len(b"".join(lines[:10])) + 5, len(b"".join(lines[:14])) - 5  # within lines 10 to 13
    changed, lost = {
        "junk": (text[:begin] + random.Random(1).randbytes(end - begin) + text[end:], 4),
        "hole": (text[:begin] + bytes(end - begin) + text[end:], 4),  # as file systems leave after a crash
        "lines gone": (b"".join(lines[:10] + lines[14:]), 4),
        "empty": (b"", COUNT),
        "line twice": (text + lines[7], 0),
    }[damage]
    (out / CASES).write_bytes(changed)
    resumed = sweep(case, VARY, out=out, resume=True)
    assert resumed.computed == lost
    xarray.testing.assert_identical(resumed.dataset, undisturbed.dataset)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"version": 3}', "\0\0"])
def test_a_damaged_plan_is_told_and_nothing_touched(case: Path, tmp_path: Path, text: str) -> None:
    out = tmp_path / "out"
    sweep(case, VARY, out=out)
    journal = (out / CASES).read_bytes()
    (out / PLAN).write_text(text)
    with pytest.raises(InputError, match="give another folder with --out"):
        sweep(case, VARY, out=out, resume=True)
    assert (out / CASES).read_bytes() == journal


def test_a_lost_dask_worker_loses_no_case(case: Path, undisturbed: Sweep) -> None:
    pytest.importorskip("distributed")
    psutil = pytest.importorskip("psutil")
    killed: list[int] = []

    def progress(done: int, failed: int, total: int) -> None:
        if done >= 5 and not killed:
            workers = [p for p in psutil.Process().children() if "multiprocessing.spawn" in " ".join(p.cmdline())]
            victim = max(workers, key=lambda process: process.cpu_times().user)  # one that computes
            killed.append(victim.pid)
            victim.send_signal(signal.SIGKILL)

    found = sweep(case, VARY, workers=2, scheduler="local", progress=progress)
    assert len(killed) == 1
    xarray.testing.assert_identical(found.dataset, undisturbed.dataset)


@pytest.mark.parametrize("moment", ["start", "source", "task", "answer"])
def test_a_process_whose_sweep_was_killed_ends_in_silence(case: Path, moment: str) -> None:
    source = CaseSource(case.read_text(), "cheap.yaml", str(case.parent), (), (tuple(LENGTH.split(".")),))
    line, task = source.as_json() + "\n", '[0, ["1 m"]]\n'
    said = {"start": "", "source": line[:50], "task": line + task[:4], "answer": line + task}[moment]
    command = [sys.executable, "-m", "flexframe.sweeps.worker"]
    reader, writer = os.pipe()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE, text=True
    ) as process:
        os.close(writer)
        os.close(reader)  # nobody reads its answers any more
        assert process.communicate(said, timeout=PATIENCE)[1] == ""
    assert process.returncode == 0


def deadly(source: CaseSource, tasks: Sequence[Task], seconds: float) -> list[Outcome]:
    """Case 12 ends the process that computes it."""
    found = []
    for task in tasks:
        if task.index == 12:
            os.kill(os.getpid(), signal.SIGKILL)
        found += evaluate_some(source, [task], seconds)
    return found


def test_a_case_that_ends_dask_workers_fails_alone(
    case: Path, undisturbed: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    """… whatever cases travelled with it, and however long it takes to start another worker."""
    pytest.importorskip("distributed")
    import dask

    monkeypatch.setattr(cluster, "evaluate_some", deadly)
    # any start of a worker takes longer than what Dask is told to wait for it here
    settings = {"distributed.scheduler.allowed-failures": 0, "distributed.deploy.lost-worker-timeout": "0 s"}
    with dask.config.set(settings):
        found = sweep(case, VARY, workers=1, scheduler="local")
    assert [failed.index for failed in found.failures] == [12]
    assert "the workers that computed it ended" in found.failures[0].reason
    name = "modes.frequencies_hz"
    others = [k for k in range(COUNT) if k != 12]
    xarray.testing.assert_identical(
        found.dataset[name].isel(length=others), undisturbed.dataset[name].isel(length=others)
    )


def test_a_case_beyond_the_memory_fails_and_the_next_one_is_computed(tmp_path: Path) -> None:
    """A block of 24³ cells needs hundreds of megabytes for the factors of its stiffness, one of 3³ hardly any."""
    case = tmp_path / "block.yaml"
    case.write_text(
        "parameters: {n: 3}\n"
        "bodies:\n"
        "  b: {mesh: {block: {lengths: [1, 1, 1], divisions: [n, n, n]}}, material: steel, "
        "supports: [{clamp: left}]}\n"
        "analyses:\n"
        "  m: {kind: modes, body: b, count: 2}\n",
        encoding="utf-8",
    )
    sweep(case, {"n": [3, 4]})  # all that is loaded once
    used = used_memory()
    if used is None:
        pytest.skip("the memory of a process is not known on this system")
    found = sweep(case, {"n": [3, 24, 4]}, max_memory=used + 100e6)
    (failure,) = found.failures
    assert failure.index == 1
    assert "of memory are in use, more than the" in failure.reason
    assert found.computed == 3

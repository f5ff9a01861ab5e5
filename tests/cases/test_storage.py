"""Results in a folder: complete, finite, and whole or not at all."""

import json
import os
import stat
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import numpy as np
import pytest

from flexframe.analyses.matrices.analysis import matrices
from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.statics.analysis import statics
from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import STEEL, Rectangle
from flexframe.errors import AnalysisError, InputError
from flexframe.model.body import Body
from flexframe.model.loads import NodeForce
from flexframe.model.supports import Clamp
from flexframe.motion.frame import FrameMotion
from flexframe.results.record import Record
from flexframe.results.storage import FILES, finite_summary, read_results, result_folder, write_results

BEAM = Body.beam(
    "beam",
    length=1.0,
    divisions=4,
    section=Rectangle(0.02, 0.01),
    material=STEEL,
    supports=(Clamp("start"),),
    loads=(NodeForce("end", (0.0, -1.0)),),
)


@pytest.fixture(scope="module")
def records() -> dict[str, Record]:
    discrete = discretise(BEAM)
    motion = FrameMotion.spin(10.0)
    return {
        "spinning modes": modes(discrete, motion, count=3),
        "bent": statics(discrete, motion),
        "parts": matrices(discrete, motion),
    }


def written(folder: Path, records: dict[str, Record], title: str = "one") -> None:
    summary = {"case": title, "version": "0", "analyses": {name: r.summary() for name, r in records.items()}}
    write_results(folder, summary=summary, records=records, case_text=f"title: {title}\n", report="<html></html>")


def names_beside(folder: Path) -> set[str]:
    return {path.name for path in folder.parent.iterdir()}


# ---------------------------------------------------------------------- what is written


def test_everything_comes_back(tmp_path: Path, records: dict[str, Record]) -> None:
    """Summary, case text and every array of every kind, bit by bit; complex numbers as two parts."""
    written(tmp_path / "out", records)
    assert names_beside(tmp_path / "out") == {"out"}
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(FILES)
    stored = read_results(tmp_path / "out")
    assert stored.case_text == "title: one\n"
    assert set(stored.summary["analyses"]) == set(records)
    for name, record in records.items():
        assert stored.dataset(name).equals(record.to_xarray())
    eigenvalues = stored.dataset("spinning modes")["eigenvalue"].to_numpy()
    assert np.array_equal(eigenvalues[:, 0] + 1j * eigenvalues[:, 1], records["spinning modes"].eigenvalues)  # type: ignore[attr-defined]


def test_earlier_results_are_replaced(tmp_path: Path, records: dict[str, Record]) -> None:
    """The second run takes the place of the first, leaving nothing beside it."""
    written(tmp_path / "out", records)
    written(tmp_path / "out", {"bent": records["bent"]}, "two")
    stored = read_results(tmp_path / "out")
    assert stored.summary["case"] == "two"
    assert list(stored.summary["analyses"]) == ["bent"]
    assert names_beside(tmp_path / "out") == {"out"}
    with pytest.raises(InputError, match="no analysis 'parts'; they have bent"):
        stored.dataset("parts")


def test_folders_are_made_and_are_readable_by_others(tmp_path: Path, records: dict[str, Record]) -> None:
    """Parents are created; permissions are those of an ordinary folder."""
    written(tmp_path / "a" / "b" / "out", records)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE((tmp_path / "a" / "b" / "out").stat().st_mode) == 0o777 & ~umask


def test_symbolic_link_stays_a_link(tmp_path: Path, records: dict[str, Record]) -> None:
    """The folder behind a link is replaced."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    written(tmp_path / "link", records)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "summary.json").exists()


def test_summary_is_strict_json(tmp_path: Path) -> None:
    """NaN and infinity become null with a note that says where; numpy numbers become plain ones."""
    summary = {
        "analyses": {"a": {"values": np.array([1.0, np.nan]), "n": np.int64(3), "worst": -np.inf, "ok": np.True_}}
    }
    finite = finite_summary(summary)
    assert json.loads(json.dumps(finite, allow_nan=False))["analyses"] == {
        "a": {"values": [1.0, None], "n": 3, "worst": None, "ok": True}
    }
    assert finite["notes"] == [
        "analyses.a.values[1] is nan, not a finite number; it is written as null",
        "analyses.a.worst is -inf, not a finite number; it is written as null",
    ]


# ---------------------------------------------------------------------- what is refused


def test_foreign_files_are_kept(tmp_path: Path, records: dict[str, Record]) -> None:
    """A folder with anything else is not replaced, nor is a file, nor the current directory."""
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds 'notes\.txt', which is no result of flexframe") as caught:
        written(tmp_path, records)
    assert caught.value.exit_code == 2
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"
    with pytest.raises(InputError, match="this is a file"):
        written(tmp_path / "notes.txt", records)
    (tmp_path / "out" / "summary.json").mkdir(parents=True)
    with pytest.raises(InputError, match=r"holds 'summary\.json'"):
        written(tmp_path / "out", records)


def test_current_directory_and_root_are_refused(
    tmp_path: Path, records: dict[str, Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replacing the directory one stands in would pull it away."""
    monkeypatch.chdir(tmp_path)
    for place in (".", "/"):
        with pytest.raises(InputError, match="a folder of their own"):
            written(Path(place), records)


def test_file_added_while_computing_is_kept(tmp_path: Path, records: dict[str, Record]) -> None:
    """The folder is looked at again before it is replaced."""
    out = tmp_path / "out"
    written(out, records)
    with result_folder(out) as folder:
        (out / "notes.txt").write_text("mine", encoding="utf-8")
        with pytest.raises(InputError, match=r"notes\.txt"):
            folder.write(summary={"analyses": {}}, records=records, case_text="", report="")
    assert (out / "notes.txt").exists()
    assert names_beside(out) == {"out"}


def test_no_results(tmp_path: Path) -> None:
    """An empty folder and a summary of something else."""
    with pytest.raises(InputError, match="no flexframe results here"):
        read_results(tmp_path)
    (tmp_path / "summary.json").write_text("[]", encoding="utf-8")
    (tmp_path / "case.yaml").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="is not flexframe's"):
        read_results(tmp_path)


def test_two_runs_at_once(tmp_path: Path, records: dict[str, Record]) -> None:
    """The second is told at once, with exit code 3; afterwards the folder is free again."""
    out = tmp_path / "out"
    with (
        result_folder(out) as folder,
        pytest.raises(AnalysisError, match="another run is writing its results here") as caught,
        result_folder(out),
    ):
        pass
    assert caught.value.exit_code == 3
    assert folder.path == out
    written(out, records)


def test_failure_while_writing_leaves_the_old(tmp_path: Path, records: dict[str, Record]) -> None:
    """A record that cannot be written: the error passes on, the old results stay, nothing is left beside them."""

    class Broken:
        def arrays(self) -> None:
            raise KeyboardInterrupt

    out = tmp_path / "out"
    written(out, records)
    with pytest.raises(KeyboardInterrupt):
        write_results(out, summary={"analyses": {}}, records={"x": Broken()}, case_text="", report="")  # type: ignore[dict-item]
    assert read_results(out).summary["case"] == "one"
    assert names_beside(out) == {"out"}


# ---------------------------------------------------------------------- killed, full, forbidden

PRELUDE = """
import os, signal, sys
from pathlib import Path
import numpy, xarray, h5netcdf
from flexframe.results import folders, storage
from flexframe.results.record import NamedArrays

NOISE = numpy.random.default_rng(1).random(20_000)  # 160 kB that cannot be compressed

def report(value):
    return str(value) * 300_000

class Sample:
    kind = "sample"
    def __init__(self, value): self.value = value
    def arrays(self):
        return NamedArrays({"value": ("place", self.value + NOISE)})

def write(value):
    storage.write_results(out, summary={"case": value, "analyses": {"a": {}}}, records={"a": Sample(value)},
                          case_text=str(value), report=report(value))

def whole(value):
    stored = storage.read_results(out)
    return (stored.summary["case"] == value and stored.case_text == str(value)
            and (out / "report.html").read_text() == report(value)
            and (stored.dataset("a")["value"] == value + NOISE).all())

out = Path(sys.argv[1]) / "out"
"""

KILLED = """
STEPS = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "shutil.rmtree", "ctypes.dlsym")
fallback = sys.argv[2] == "fallback"
if fallback:
    folders._exchanged = lambda first, second: False
write(0)
current, step, outcomes = 0, 0, []
while True:
    child = os.fork()
    if child == 0:
        seen = 0
        def hook(event, args):
            global seen
            if event in STEPS:
                if seen == step:
                    os.kill(os.getpid(), signal.SIGKILL)
                seen += 1
        sys.addaudithook(hook)
        write(current + 1)
        os._exit(0)
    killed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0
    if fallback and not out.exists():
        with storage.result_folder(out):
            pass  # claiming the folder puts the old one back
    if whole(current + 1):
        current += 1
        outcomes.append("new")
    else:
        assert whole(current), step
        outcomes.append("old")
    if not killed:
        break
    step += 1
assert outcomes[0] == "old" and outcomes[-1] == "new", outcomes
write(-1)
assert whole(-1)
assert [p.name for p in out.parent.iterdir()] == ["out"], list(out.parent.iterdir())
print(step, outcomes.count("old"), outcomes.count("new"))
"""


def run_script(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(code), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
@pytest.mark.parametrize("way", ["exchange", "fallback"])
def test_killed_at_every_step(tmp_path: Path, way: str) -> None:
    """SIGKILL before each opening, renaming and removing: either all of the old or all of the new is there.

    Without an exchange in the file system the old results may stand aside; the next run puts them back.
    """
    done = run_script(KILLED, str(tmp_path), way)
    assert done.returncode == 0, done.stderr
    steps, old, new = map(int, done.stdout.split())
    assert steps >= 10
    assert old >= 5
    assert new >= 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("limit", [0, 300, 9_000, 100_000, 250_000])
def test_full_disk(tmp_path: Path, limit: int) -> None:
    """No room for the data, or for the report: one clear error, the old results stay, nothing is left."""
    done = run_script(
        f"""
        import resource
        from flexframe.errors import AnalysisError
        write(1)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
        try:
            write(2)
        except AnalysisError as error:
            print(error)
        assert whole(1)
        assert [p.name for p in out.parent.iterdir()] == ["out"], list(out.parent.iterdir())
        """,
        str(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    assert "results cannot be written (" in done.stdout
    assert "give another --out" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such mode")
def test_read_only_folder() -> None:
    """A folder that must not be written to: one clear error with exit code 3, before anything is computed."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o555)
        done = run_script(
            """
            from flexframe.errors import AnalysisError
            if os.geteuid() == 0:
                os.setuid(65534)  # nothing is forbidden to root
            try:
                with storage.result_folder(out):
                    print("claimed")
            except AnalysisError as error:
                print(error, error.exit_code)
            """,
            place,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.endswith(
            "out: results cannot be written (Permission denied); free space or give another --out 3\n"
        )
        Path(place).chmod(0o755)

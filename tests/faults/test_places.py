"""Places where runs are in containers: mount points, read-only folders, no home, no temporary folder."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from flexframe.cases.examples import example_paths
from flexframe.commands.run import RunOptions, run
from flexframe.errors import AnalysisError, InputError
from flexframe.files import ANYWHERE
from flexframe.results import folders, storage
from flexframe.results.storage import FILES, read_results, result_folder

CASE = example_paths()["rectangle_element"]


def _run(out: Path, title: str) -> None:
    run(CASE, out, RunOptions(overrides=[f"title={title}"], as_json=True))


def _unmovable(place: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """The system refuses to rename a folder, as it does with a mount point."""
    rename = Path.rename

    def refusing(self: Path, target: Path) -> Path:
        if place in (self, Path(target)):
            raise OSError(number, os.strerror(number))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refusing)
    monkeypatch.setattr(folders, "_exchange", lambda *_: False)


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EXDEV, errno.EPERM])
def test_a_folder_that_cannot_be_exchanged_gets_the_new_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    _unmovable(out, monkeypatch, number)
    for title in ("first", "second"):
        _run(out, title)
        assert read_results(out).summary["title"] == title
    assert sorted(entry.name for entry in out.iterdir()) == sorted(FILES)
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_files_are_copied_where_they_cannot_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From one file system to another."""
    out = tmp_path / "out"
    out.mkdir()
    _unmovable(out, monkeypatch, errno.EBUSY)
    replace = Path.replace

    def refusing(self: Path, target: Path) -> Path:
        if self.parent != Path(target).parent:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refusing)
    _run(out, "copied")
    assert read_results(out).summary["title"] == "copied"
    assert sorted(entry.name for entry in out.iterdir()) == sorted(FILES)


def _nothing_beside(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files can be made inside a folder but not beside it, as root of a read-only container sees it."""
    opened = os.open

    def refusing(path: object, flags: int, *more: object, **named: object) -> int:
        if flags & os.O_CREAT and Path(str(path)).parent == place.parent:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return opened(path, flags, *more, **named)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(os, "open", refusing)
    mkdir = Path.mkdir

    def no_folder(self: Path, *more: int, **named: bool) -> None:
        if self.parent == place.parent and not self.exists():
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        mkdir(self, *more, **named)

    monkeypatch.setattr(Path, "mkdir", no_folder)


def test_a_folder_beside_which_nothing_can_be_written_is_used_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    (out / "lost+found").mkdir(parents=True)  # as file systems have it
    _nothing_beside(out, monkeypatch)
    for title in ("first", "second"):
        _run(out, title)
        assert read_results(out).summary["title"] == title
    assert sorted(entry.name for entry in out.iterdir()) == sorted((*FILES, "lost+found"))
    with result_folder(out) as folder:
        assert folder.checkpoint("run").path == out / ".flexframe.run.unfinished.npz"
        with pytest.raises(AnalysisError, match="another run is writing"), result_folder(out):
            pass


def test_a_killed_exchange_of_files_is_finished_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    _nothing_beside(out, monkeypatch)
    _run(out, "first")

    class KilledError(BaseException):
        pass

    moved = folders.move_files

    def killed(new: Path, place: Path, last: str) -> None:
        (new / last).rename(new.parent / "summary.kept")  # all but the last file
        moved(new, place, "none")
        (new.parent / "summary.kept").rename(new / last)
        (place / last).unlink()
        raise KilledError

    monkeypatch.setattr(storage, "move_files", killed)
    with pytest.raises(KilledError):
        _run(out, "second")
    with pytest.raises(InputError, match="no flexframe results here"):
        read_results(out)  # not a mixture of both
    monkeypatch.setattr(storage, "move_files", moved)
    with result_folder(out):
        assert read_results(out).summary["title"] == "second"


def test_a_place_that_cannot_be_written_is_reported_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _nothing_beside(tmp_path / "out", monkeypatch)
    monkeypatch.setattr("flexframe.commands.run.run_case", None)  # would be an error of another sort
    with pytest.raises(AnalysisError, match=r"results cannot be written \(Read-only file system\)"):
        _run(tmp_path / "out", "never")


def test_a_file_that_must_be_copied_says_where_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mesh.vtk").write_text("")

    def none(**_: str) -> None:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr("flexframe.files.TemporaryDirectory", none)
    with (
        ANYWHERE.open(tmp_path / "mesh.vtk") as file,
        pytest.raises(InputError, match="set TMPDIR to one that can be written to"),
        file.private_copy(),
    ):
        pass


@pytest.mark.parametrize("home", ["", "/nowhere", "/proc"])
def test_a_run_needs_no_home_no_temporary_folder_and_no_byte_code(tmp_path: Path, home: str) -> None:
    """All that a run writes goes to its folder."""
    out = tmp_path / "out"
    command = [sys.executable, "-m", "flexframe", "run", str(CASE), "--out", str(out)]
    given = {"PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": "/nowhere", **({"HOME": home} if home else {})}
    done = subprocess.run(command, env=given, cwd="/", capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(entry.name for entry in out.iterdir()) == sorted(FILES)

"""Files that a case names are opened in its folder only, when it is confined; and regular ones only, always."""

import os
import threading
from pathlib import Path

import h5py
import pytest
from tests.files.outside import NAMES, PLACES, SECRET, made_names
from typer.testing import CliRunner

from flexframe import files
from flexframe.cli import app
from flexframe.errors import InputError
from flexframe.exchange.meshes import write_mesh
from flexframe.files import ANYWHERE, Folder, MissingFileError, RefusedFileError, leads_outside
from flexframe.mesh.builders import line
from flexframe.results.storage import read_results


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.mark.parametrize("name", NAMES)
def test_a_confined_folder_opens_nothing_else(folder: Path, name: str) -> None:
    wanted = made_names(folder)[name]
    with pytest.raises(RefusedFileError) as caught:
        Folder(folder, confined=True).read(wanted)
    assert str(caught.value).startswith(f"{wanted}: ")
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "told"), [("/dev/zero", "a device"), ("pipe.csv", "a pipe"), ("sub.csv", "a folder")]
)
def test_only_regular_files_are_opened_anywhere(folder: Path, name: str, told: str) -> None:
    made_names(folder)
    with pytest.raises(RefusedFileError, match=f"is {told}, not a regular file"):
        Folder(folder).read(name)


def test_files_inside_are_opened_also_through_links(folder: Path) -> None:
    (folder / "parts").mkdir()
    (folder / "parts" / "a.csv").write_bytes(b"1")
    (folder / "b.csv").symlink_to("parts/a.csv")
    (folder / "c.csv").symlink_to(folder / "b.csv")
    for name in ("parts/a.csv", "b.csv", "c.csv", "./parts/a.csv"):
        assert Folder(folder, confined=True).read(name) == b"1"
    assert Folder(folder).read(folder / "b.csv") == b"1"
    linked = folder.parent / "linked"
    linked.symlink_to(folder)
    assert Folder(linked, confined=True).read("b.csv") == b"1"  # the folder itself may be reached by a link


def test_what_is_not_there_or_no_name_is_told(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nothing")
    for name in ("none.csv", "none/none.csv", "dangling"):
        with pytest.raises(MissingFileError, match="there is no such file"):
            Folder(folder, confined=True).read(name)
    for name in ("loop", "a\0b", "x" * 5000, "loop/a"):
        with pytest.raises(InputError):
            Folder(folder, confined=True).read(name)
        with pytest.raises(InputError):
            Folder(folder).read(name)


@pytest.mark.parametrize("text", ["C:\\Windows", "\\\\host\\share", "..\\x", "c:x", "a/../../b", ".."])
def test_paths_of_other_systems_are_known(text: str) -> None:
    assert leads_outside(text)


@pytest.mark.parametrize("name", ["sub/secret.csv", "secret.csv"])
def test_an_exchange_while_a_file_is_opened_leads_nowhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A folder, or the file itself, becomes a link to the outside after its path was judged."""
    secret = folder.parent / "secret.csv"
    secret.write_text(SECRET)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("fine")
    opener = files._opened_below

    def exchange(root: Path, parts: tuple[str, ...]) -> int:
        first = folder / parts[0]
        first.rename(folder / "moved")
        first.symlink_to(folder.parent if len(parts) > 1 else secret)
        return opener(root, parts)

    monkeypatch.setattr(files, "_opened_below", exchange)
    with pytest.raises(InputError) as caught:
        Folder(folder, confined=True).read(name)
    assert SECRET not in str(caught.value)
    assert (folder / name).read_text() == SECRET  # the exchange was made


def test_where_folders_cannot_be_walked_an_exchanged_file_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.csv").write_text("fine")
    monkeypatch.setattr(files, "_WALKS", False)
    assert Folder(folder, confined=True).read("a.csv") == b"fine"
    opener = files._open

    def exchange(path: Path | str, below: int | None = None) -> int:
        handle = opener(path, below)
        (folder / "other").write_text("x")
        (folder / "other").replace(path)
        return handle

    monkeypatch.setattr(files, "_open", exchange)
    with pytest.raises(RefusedFileError, match="exchanged"):
        Folder(folder, confined=True).read("a.csv")


def test_a_library_reads_a_private_copy(folder: Path) -> None:
    (folder / "part.vtu").write_bytes(b"content")
    with ANYWHERE.open(folder / "part.vtu") as file:
        assert file.head(3) == b"con"
        with file.private_copy() as copy:
            assert copy.suffix == ".vtu"
            assert copy.read_bytes() == b"content"
            assert folder not in copy.parents
    assert not copy.exists()


def called(folder: Path, command: str, text: str, *more: str) -> tuple[int, str]:
    (folder / "case.yaml").write_text(text, encoding="utf-8")
    out = ["--out", str(folder / "out")] if command != "check" else []
    answer = CliRunner().invoke(app, [command, str(folder / "case.yaml"), *out, *more])
    return answer.exit_code, answer.output


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", ["run", "check", "sweep"])
def test_confined_commands_refuse_in_one_line(folder: Path, command: str, place: str, name: str) -> None:
    text, line, field = PLACES[place]
    wanted = made_names(folder)[name]
    more = ["--confined"]
    if command == "sweep":
        kind = "shapes.count=1,2" if place == "body" else "motion.duration=1,2"
        more += ["--vary", f"analyses.{kind}"]
    code, told = called(folder, command, text.format(name=wanted), *more)
    assert code == 2
    (message,) = told.splitlines()
    assert f"case.yaml:{line}: {field}: {wanted}: " in message
    assert SECRET not in told
    assert not (folder / "out").exists()


@pytest.mark.parametrize("name", ["link to a device", "pipe", "folder"])
@pytest.mark.parametrize("place", PLACES)
def test_ordinary_runs_refuse_what_is_no_regular_file(folder: Path, place: str, name: str) -> None:
    text, line, field = PLACES[place]
    code, told = called(folder, "run", text.format(name=made_names(folder)[name]))
    assert code == 2
    assert f"case.yaml:{line}: {field}: " in told.splitlines()[0]
    assert "not a regular file" in told


def test_ordinary_runs_may_read_elsewhere(folder: Path) -> None:
    write_mesh(line(1.0, 4), folder.parent / "part.inp")
    text = PLACES["body"][0]
    for name in ("../part.inp", str(folder.parent / "part.inp")):
        assert called(folder, "check", text.format(name=name))[0] == 0
        assert called(folder, "check", text.format(name=name), "--confined")[0] == 2
    write_mesh(line(1.0, 4), folder / "part.inp")
    assert called(folder, "check", text.format(name="part.inp"), "--confined")[0] == 0


def test_an_override_cannot_lead_out_of_a_confined_run(folder: Path) -> None:
    write_mesh(line(1.0, 4), folder / "part.inp")
    made_names(folder)
    setting = ("--confined", "--set", "bodies.title.mesh.file=../secret.inp")
    code, told = called(folder, "run", PLACES["body"][0].format(name="part.inp"), *setting)
    assert code == 2
    assert "bodies.title.mesh.file: ../secret.inp: leads out of the folder" in told


def test_an_included_file_cannot_lead_out(folder: Path) -> None:
    made_names(folder)
    (folder / "secret.inp").symlink_to("../secret.inp")
    for name in ("../secret.inp", str(folder.parent / "secret.inp"), "secret.inp", "pipe.csv"):
        (folder / "part.inp").write_text(f"*INCLUDE, INPUT={name}\n")
        code, told = called(folder, "run", PLACES["body"][0].format(name="part.inp"))
        assert code == 2
        assert f"part.inp:1: {name}: " in told
        assert SECRET not in told


def test_a_pipe_is_refused_without_waiting_for_its_other_end(folder: Path) -> None:
    os.mkfifo(folder / "pipe.csv")
    found: list[str] = []

    def read() -> None:
        try:
            ANYWHERE.read(folder / "pipe.csv")
        except RefusedFileError as error:
            found.append(str(error))

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(timeout=60)
    assert "a pipe" in found[0]


@pytest.mark.parametrize("kind", ["link", "raw data", "view"])
def test_stored_results_cannot_point_at_other_files(folder: Path, kind: str) -> None:
    write_mesh(line(1.0, 4), folder / "part.inp")
    text = PLACES["body"][0].format(name="part.inp").replace("count: 1", "count: 4")
    assert called(folder, "run", text)[0] == 0
    secret = folder.parent / "secret.bin"
    with h5py.File(secret, "w") as other:
        other["x"] = [1.0, 2.0]
    data = folder / "out" / "results.nc"
    with h5py.File(data, "a") as stored:
        match kind:
            case "link":
                stored["shapes"]["x"] = h5py.ExternalLink(str(secret), "x")
            case "raw data":
                stored["shapes"].create_dataset("x", (8,), "u1", external=[(str(secret), 0, 8)])
            case "view":
                layout = h5py.VirtualLayout((2,), float)
                layout[:] = h5py.VirtualSource(str(secret), "x", (2,))
                stored["shapes"].create_virtual_dataset("x", layout)
    with pytest.raises(RefusedFileError, match="shapes/x' lies in another file"):
        read_results(folder / "out").dataset("shapes")


def test_linked_results_are_read_unless_confined(folder: Path) -> None:
    write_mesh(line(1.0, 4), folder / "part.inp")
    assert called(folder, "run", PLACES["body"][0].format(name="part.inp"))[0] == 0
    (folder / "out" / "results.nc").rename(folder.parent / "results.nc")
    (folder / "out" / "results.nc").symlink_to("../../results.nc")
    assert "frequency" in read_results(folder / "out").dataset("shapes")
    with pytest.raises(RefusedFileError, match="leads out"):
        read_results(folder / "out", confined=True).dataset("shapes")

"""Nothing outside the workspace is read or written, and nothing in it is lost."""

from pathlib import Path

import pytest
from tests.files.outside import BODY

from flexframe.cases.case import case_files
from flexframe.cases.examples import examples_folder
from flexframe.entries.problems import CaseError
from flexframe.errors import InputError
from flexframe.files import Folder, leads_outside
from flexframe.studio.case_reader import CaseReader
from flexframe.studio.runs import INPUT, RunStore
from flexframe.studio.workspace import CaseText, ConflictError, Workspace

OUTSIDE = (
    "/etc/passwd",
    "../secret",
    "a/../../secret",
    "..",
    "C:\\Windows",
    "\\\\host\\share",
    "..\\x",
    "c:x",
    "a\0b",
)
INSIDE = ("part.inp", "meshes/part.inp", "a..b", "140*2*pi/60*t", "2 mm", "...", "~", "x/./y", "-", "lever.start")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "work").mkdir()
    (tmp_path / "secret.csv").write_text("secret", encoding="utf-8")
    return Workspace.at(tmp_path / "work")


@pytest.mark.parametrize("text", OUTSIDE)
def test_paths_that_leave_are_seen_on_every_system(text: str) -> None:
    assert leads_outside(text)


@pytest.mark.parametrize("text", INSIDE)
def test_other_texts_are_not_taken_for_such_paths(text: str) -> None:
    assert not leads_outside(text)


@pytest.mark.parametrize("link", ["file.csv", "folder/secret.csv", "loop"])
def test_links_are_followed_before_they_are_judged(workspace: Workspace, link: str) -> None:
    (workspace.folder / "file.csv").symlink_to(workspace.folder.parent / "secret.csv")
    (workspace.folder / "folder").symlink_to(workspace.folder.parent)
    (workspace.folder / "loop").symlink_to("loop")
    with pytest.raises(InputError):
        workspace.inside(link)


def test_a_linked_case_outside_is_neither_listed_nor_written(workspace: Workspace) -> None:
    outside = workspace.folder.parent / "case.yaml"
    outside.write_text("analyses: {}", encoding="utf-8")
    (workspace.folder / "linked.yaml").symlink_to(outside)
    assert workspace.cases() == []
    with pytest.raises(InputError, match="leads out of the workspace"):
        workspace.save_case("linked.yaml", "x", None)
    assert outside.read_text(encoding="utf-8") == "analyses: {}"


@pytest.mark.parametrize(
    "name", ["../a.yaml", "a/b.yaml", ".hidden.yaml", "a.yml", "a.yaml\n", "", "x" * 90 + ".yaml"]
)
def test_names_of_cases_are_plain(workspace: Workspace, name: str) -> None:
    with pytest.raises(InputError):
        workspace.save_case(name, "x", None)


def test_a_file_changed_by_another_program_is_not_overwritten(workspace: Workspace) -> None:
    first = workspace.save_case("a.yaml", "one", None)
    (workspace.folder / "a.yaml").write_text("two", encoding="utf-8")
    with pytest.raises(ConflictError, match="changed by another program"):
        workspace.save_case("a.yaml", "three", first.sha256)
    assert workspace.read_case("a.yaml").text == "two"
    workspace.save_case("a.yaml", "three", workspace.read_case("a.yaml").sha256)
    assert workspace.read_case("a.yaml").text == "three"
    assert [path.name for path in workspace.folder.iterdir()] == ["a.yaml"]  # no scratch file stays


def test_the_files_that_a_case_names_are_found_and_those_outside_refused_at_their_line(
    workspace: Workspace,
) -> None:
    (workspace.folder / "part.inp").write_text("*INCLUDE, INPUT=more/nodes.inp\n", encoding="utf-8")
    (workspace.folder / "more").mkdir()
    (workspace.folder / "more" / "nodes.inp").write_text("*NODE\n", encoding="utf-8")
    (workspace.folder / "prose").write_text("", encoding="utf-8")
    text = f"description: ../prose\n{BODY.format(name='part.inp')}"
    fine = CaseText("c.yaml", text.replace("../", ""))
    reader = CaseReader()
    try:
        named = reader.read(workspace.folder, fine.name, fine.text).files
        with pytest.raises(CaseError) as caught:
            reader.read(workspace.folder, fine.name, text.replace("part.inp", "../secret.csv"))
    finally:
        reader.stop()
    assert [(p.line, p.path) for p in caught.value.problems] == [(4, ("bodies.title.mesh.file",))]
    kept = RunStore(workspace).create(fine, "", named).folder / INPUT
    found = sorted(path.relative_to(kept).as_posix() for path in kept.rglob("*") if path.is_file())
    assert found == ["c.yaml", "more/nodes.inp", "part.inp"]
    with pytest.raises(InputError, match="leads out"):  # whoever names it
        RunStore(workspace).create(fine, "", ["../secret.csv"])
    assert len(RunStore(workspace).all()) == 1
    assert len(list(RunStore(workspace).folder.iterdir())) == 1


def test_examples_bring_their_files_and_a_second_copy_gets_another_name(workspace: Workspace) -> None:
    source = examples_folder()
    case = CaseText("wind_pump.yaml", (source / "wind_pump.yaml").read_text(encoding="utf-8"))
    files = case_files(case.text, file=case.name, folder=Folder(source, confined=True))
    assert files == ["wind_pump.csv"]
    workspace.add_files(Folder(source), files)
    assert workspace.add_case(case.name, case.text).name == "wind_pump.yaml"
    assert workspace.add_case(case.name, case.text).name == "wind_pump.yaml"  # the same text is the same case
    assert workspace.add_case(case.name, "analyses: {}").name == "wind_pump-2.yaml"
    assert workspace.cases() == ["wind_pump-2.yaml", "wind_pump.yaml"]
    (workspace.folder / "wind_pump.csv").write_text("other", encoding="utf-8")
    with pytest.raises(ConflictError):
        workspace.add_files(Folder(source), files)


def test_data_files_are_listed_as_a_case_names_them(workspace: Workspace) -> None:
    for name in (
        "part.inp",
        "meshes/rod.msh",
        ".hidden.csv",
        "script.py",
        "flexframe-studio/runs.csv",
        "a/b/deep.csv",
    ):
        path = workspace.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    (workspace.folder / "linked.csv").symlink_to(workspace.folder.parent / "secret.csv")
    assert workspace.data_files() == ["meshes/rod.msh", "part.inp"]

"""Parts of other programs in the studio: what is shown of them, and the case that is made of one."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flexframe as ff
from flexframe.cases.case import parse_case
from flexframe.errors import InputError
from flexframe.mesh.mesh import Mesh
from flexframe.studio.case_process import answer
from flexframe.studio.workspace import ConflictError, Workspace

MILLIMETRES = "mm, N, s, tonne"


def asked(place: Path, *files: str, task: str = "part", units: str = MILLIMETRES, **words: Any) -> dict[str, Any]:
    return answer({"task": task, "folder": str(place), "files": list(files), "units": units, **words})


def wish(name: str, *, face: int | None = None, known: str | None = None) -> dict[str, Any]:
    return {"name": name, "set": known, "face": face}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a block in millimetres."""
    body = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (4, 1, 1)), material=ff.STEEL)
    ff.exchange.write_part(body, tmp_path / "part.bdf", units=MILLIMETRES)
    return tmp_path


def test_a_part_is_described_with_its_sets_and_faces(folder: Path) -> None:
    told = asked(folder, "part.bdf")
    assert told["valid"] and told["makes_case"]
    assert told["seems"] == MILLIMETRES
    assert told["lines"][0].startswith("as mesh: mass 31.4 kg")  # 4 l of steel
    assert {found["name"] for found in told["sets"]} >= {"left", "right"}
    ends = {found["words"].partition(",")[0] for found in told["faces"][4:]}
    assert ends == {"plane across -x", "plane across x"}
    drawn = told["scene"]["parts"][0]["triangles"]["shape"][0]
    assert sum(found["triangles"]["shape"][0] for found in told["faces"]) == drawn


def test_the_case_of_a_part_has_its_sets_under_their_new_names(folder: Path) -> None:
    told = asked(folder, "part.bdf")
    far = next(i for i, face in enumerate(told["faces"]) if face["words"].startswith("plane across x"))
    names = [wish("far end", face=far), wish("near end", known="left")]
    made = asked(folder, "part.bdf", task="part_case", names=names)
    case = parse_case(made["text"], file="part.yaml", folder=folder, confined=True)
    (body,) = case.bodies().values()
    own = ff.mesh.block((0.4, 0.1, 0.1), (4, 1, 1))
    for name, known in (("far end", "right"), ("near end", "left")):
        found, wanted = (
            np.sort(mesh.points[mesh.nodes_of(s)], axis=0) for mesh, s in ((body.mesh, name), (own, known))
        )
        np.testing.assert_allclose(found, wanted, atol=1e-9)  # ten digits of the file
    assert case.discrete("part").inertia.mass == pytest.approx(31.4, rel=1e-9)


def test_a_face_is_told_from_others_on_its_plane(tmp_path: Path) -> None:
    """A set on the plane of one leg only, where the other leg ends there, too."""
    mesh = ff.mesh.block((0.3, 0.1, 0.2), (3, 1, 2), order=1)
    middle = np.abs(mesh.points[mesh.blocks[0].nodes].mean(axis=1) - [0.15, 0.05, 0.05]).max(axis=1) < 0.06
    block = mesh.blocks[0]
    fork = Mesh(mesh.points, (type(block)(block.cell, block.nodes[~middle]),)).without_unused_nodes()
    ff.mesh.write_mesh(fork, tmp_path / "fork.msh")
    told = asked(tmp_path, "fork.msh", units="")
    low = [i for i, face in enumerate(told["faces"]) if face["words"] == "plane across -z, 4 nodes"]
    assert len(low) == 3  # both feet, and the roof of the gap between them
    counts = []
    for face in low:
        made = asked(tmp_path, "fork.msh", task="part_case", units="", names=[wish("foot", face=face)])
        case = parse_case(made["text"], file="fork.yaml", folder=tmp_path, confined=True)
        counts.append(case.bodies()["part"].mesh.nodes_of("foot").size)
    assert counts == [4, 4, 4]


def test_a_reduced_body_is_shown_by_its_points(tmp_path: Path) -> None:
    body = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (2, 1, 1)), material=ff.STEEL)
    made = ff.reduction.reduce_body(
        body,
        ff.reduction.Modal(2),
        interfaces=[ff.reduction.Interface("left", "left"), ff.reduction.Interface("right", "right")],
        reference=ff.reduction.MeanAxes(),
    )
    ff.exchange.write_part(made, tmp_path / "block.sid_fem")
    told = asked(tmp_path, "block.sid_fem", units="")
    assert told["valid"] and told["makes_case"]
    assert told["scene"]["parts"][0]["nodes"]["shape"] == [3, 3]  # the frame and two points
    text = asked(tmp_path, "block.sid_fem", task="part_case", units="", names=[])["text"]
    (found,) = parse_case(text, file="part.yaml", folder=tmp_path, confined=True).bodies().values()
    assert sorted(found.mesh.node_sets) == ["left", "right"]


def test_the_case_of_several_files_has_all_of_them(folder: Path) -> None:
    body = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (4, 1, 1)), material=ff.STEEL)
    ff.exchange.write_part(ff.discretise(body), folder / "part.op4", units=MILLIMETRES)
    files = ("part.bdf", "part.op4")
    assert asked(folder, *files)["makes_case"]
    text = asked(folder, *files, task="part_case", names=[wish("end", known="right")])["text"]
    case = parse_case(text, file="part.yaml", folder=folder, confined=True)
    assert case.discrete("part").inertia.mass == pytest.approx(31.4, rel=1e-9)  # 4 l of steel
    assert case.bodies()["part"].matrices is not None and len(case.bodies()["part"].mesh.nodes_of("end")) == 8


def test_files_of_which_no_body_can_be_made_make_no_case(folder: Path) -> None:
    ff.exchange.write_part(
        ff.discretise(ff.Body.solid("b", ff.mesh.block((1.0, 1.0, 1.0), (1, 1, 1)), material=ff.STEEL)),
        folder / "part.op4",
    )
    assert not asked(folder, "part.op4", "part.op4")["valid"]  # twice the same
    (folder / "nodes.bdf").write_text("BEGIN BULK\nGRID,1,,0.,0.,0.\nENDDATA\n", encoding="ascii")
    assert not asked(folder, "nodes.bdf").get("makes_case")
    refused = asked(folder, "nodes.bdf", task="part_case", names=[])
    assert "no body can be made of this" in refused["problems"][0]["message"]


@pytest.mark.parametrize("name", ["../part.bdf", "missing.bdf", "/etc/hosts.bdf"])
def test_files_outside_the_workspace_are_refused(name: str, folder: Path) -> None:
    (folder / "inside").mkdir()
    told = asked(folder / "inside", name)
    assert not told["valid"] and len(told["problems"]) == 1


def test_the_same_file_may_come_again_and_another_may_not(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path)
    workspace.store("Part.BDF", b"one", replace=False)
    workspace.store("Part.BDF", b"one", replace=False)
    with pytest.raises(ConflictError):
        workspace.store("Part.BDF", b"one more", replace=False)
    with pytest.raises(InputError):
        workspace.store("part.exe", b"one", replace=False)
    assert workspace.data_files() == ["Part.BDF"]

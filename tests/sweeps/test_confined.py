"""Cases of a confined sweep open files of its folder only, wherever they are computed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.files.outside import BODY, NAMES, PLACES, SECRET, made_names

from flexframe.exchange.meshes import write_mesh
from flexframe.mesh.builders import line
from flexframe.sweeps.evaluation import CaseSource, Outcome
from flexframe.sweeps.sweep import sweep


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.mark.parametrize("place", PLACES)
def test_a_worker_refuses_what_lies_outside_the_root_that_came_with_the_case(folder: Path, place: str) -> None:
    """All names in one process, as a sweep of processes asks it."""
    text, at_line, field = PLACES[place]
    names = made_names(folder)
    path = tuple(field.split("."))
    source = CaseSource(text.format(name="none"), "case.yaml", str(folder), (), (path,), confined=True)
    tasks = [json.dumps([index, [json.dumps(names[name])]]) for index, name in enumerate(NAMES)]
    answer = subprocess.run(
        [sys.executable, "-m", "flexframe.sweeps.worker"],
        input="\n".join([source.as_json(), *tasks, ""]),
        capture_output=True,
        text=True,
        check=True,
        cwd=folder.parent,
    )
    outcomes = [Outcome.from_json(json.loads(text)) for text in answer.stdout.splitlines()]
    assert [outcome.status for outcome in outcomes] == ["failed"] * len(NAMES)
    for outcome, name in zip(outcomes, NAMES, strict=True):
        assert outcome.reason.startswith(f"case.yaml:{at_line}: {field}: {names[name]}: ")
        assert "\n" not in outcome.reason
    assert SECRET not in answer.stdout + answer.stderr


@pytest.mark.parametrize("scheduler", ["one after another", "processes", "local"])
def test_a_varied_name_that_leads_out_fails_alone(folder: Path, scheduler: str) -> None:
    if scheduler == "local":
        pytest.importorskip("distributed")
    for place in (folder, folder.parent):
        write_mesh(line(1.0, 4), place / "part.inp")
    case = folder / "case.yaml"
    case.write_text(BODY.format(name="part.inp"), encoding="utf-8")
    vary = {"bodies.title.mesh.file": ["part.inp", "../part.inp"]}
    where = {"workers": 1} if scheduler == "one after another" else {"workers": 1, "scheduler": scheduler}
    found = sweep(case, vary, confined=True, **where)
    assert [(failed.index, "leads out of the folder" in failed.reason) for failed in found.failures] == [(1, True)]
    if scheduler == "one after another":
        assert not sweep(case, vary).failures  # an unconfined sweep reads both


def test_a_changed_mesh_or_a_file_that_it_includes_is_another_sweep(folder: Path) -> None:
    from flexframe.errors import InputError

    write_mesh(line(1.0, 4), folder / "nodes.inp")
    (folder / "part.inp").write_text("*INCLUDE, INPUT=nodes.inp\n")
    case, out = folder / "case.yaml", folder / "out"
    case.write_text(BODY.format(name="part.inp"), encoding="utf-8")
    vary = {"analyses.shapes.count": [1, 2]}
    sweep(case, vary, out=out)
    assert sweep(case, vary, out=out, resume=True).computed == 0
    write_mesh(line(2.0, 4), folder / "nodes.inp")
    with pytest.raises(InputError, match="other files"):
        sweep(case, vary, out=out, resume=True)

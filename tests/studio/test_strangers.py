"""Cases, meshes, recordings and results that somebody else made.

The names of tests begin with the line of `docs/reference/studio-security.md` that they show.
"""

import ast
import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest
from fastapi.testclient import TestClient
from tests.files.outside import BODY, SECRET
from tests.studio.conftest import BEAM, TOKEN, opened_client, waited
from tests.studio.live import asked, listening

from flexframe.errors import AnalysisError
from flexframe.results.checkpoint import checkpoint_beside
from flexframe.studio import bounds, runs
from flexframe.studio.app import Studio
from flexframe.studio.case_reader import CaseReader
from flexframe.studio.runs import DOCUMENT, RESULTS, RunStore, State, read_state, write_state
from flexframe.studio.security import Access
from flexframe.studio.workspace import CaseText, Workspace

ROOT = Path(__file__).parents[2]
LONG = "bodies: [" + "1," * 499_990 + "1]\n"
"""A list of a megabyte, which takes a dozen seconds or more to read."""


def _draft(text: str) -> dict[str, str]:
    return {"name": "a.yaml", "text": text}


# ---------------------------------------------------------------------- cases


def test_c2_a_long_list_does_not_occupy_the_server(studio: Studio) -> None:
    """It answers others while the list is read, and then says in one line why that was given up."""
    assert 999_000 < len(LONG) < 1_000_000
    studio.reader.seconds = studio.checker.seconds = 1.0
    answers: list[tuple[int, str]] = []
    with listening(studio) as port:

        def post() -> None:
            answers.append(asked(port, "POST", "/api/runs", json.dumps(_draft(LONG))))

        sending = threading.Thread(target=post)
        sending.start()
        meanwhile = 0
        while sending.is_alive():
            assert asked(port, "GET", "/api/about")[0] == 200
            assert asked(port, "GET", "/api/runs") == (200, "[]")
            meanwhile += sending.is_alive()
        sending.join()
        assert meanwhile > 0
        ((status, text),) = answers
        assert status == 422
        (problem,) = json.loads(text)["problems"]
        assert problem["message"].startswith("reading the case takes more than 1 s of computing")
        assert "\n" not in problem["message"]
        checked = json.loads(asked(port, "POST", "/api/check", json.dumps(_draft(LONG)))[1])
        assert checked["valid"] is False
        assert checked["problems"] == [problem]
        studio.reader.seconds = 600.0
        assert asked(port, "POST", "/api/runs", json.dumps(_draft(BEAM)))[0] == 201  # and the next one is read


def test_c2_a_case_that_wants_too_much_memory_is_refused(tmp_path: Path) -> None:
    """A million values of a mesh, twice as many nodes as fit into the bound."""
    reader = CaseReader(seconds=600.0)
    nodes = bounds.CASE_MEMORY // 12  # three coordinates of eight bytes each
    mesh = f"{{line: {{length: 1, divisions: {nodes}}}}}"
    text = BEAM.replace("{line: {length: 1, divisions: 4}}", mesh)
    assert text != BEAM
    try:
        answer = reader.check(tmp_path, "a.yaml", text)
        assert answer["valid"] is False
        assert len(answer["problems"]) == 1
        assert reader.check(tmp_path, "a.yaml", BEAM)["valid"] is True
    finally:
        reader.stop()


def test_c2_the_server_itself_reads_no_case() -> None:
    """Only the processes import what parses and builds."""
    folder = ROOT / "src/flexframe/studio"
    processes = {"case_process.py", "worker.py", "snapshots.py", "export_process.py"}
    parsing = {"parse_yaml", "parse_case", "load_case", "case_files", "files_of", "build_case", "run_case"}
    for path in sorted(folder.glob("*.py")):
        tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        names = {part.name for node in tree if isinstance(node, ast.ImportFrom) for part in node.names}
        assert path.name in processes or not names & (parsing | processes), path.name


def test_c2_too_many_cases_at_once_are_refused(client: TestClient, studio: Studio) -> None:
    studio.checker._room = studio.reader._room = threading.Semaphore(0)  # as many wait as may
    for path in ("/api/check", "/api/runs"):
        refused = client.post(path, json=_draft(BEAM))
        assert refused.status_code == 429
        assert "try again in a moment" in refused.json()["detail"]


def test_c3_formulas_and_tags_run_nothing(client: TestClient, studio: Studio) -> None:
    mark = studio.workspace.folder.parent / "mark"
    code = f"__import__('pathlib').Path('{mark}').touch()"
    values = (
        code,
        f"!!python/object/apply:pathlib.Path.touch ['{mark}']",
        f"().__class__.__base__.__subclasses__() or {code}",
        f"{{{code!r}: 1}}",
        f'"{code}"',
    )
    for value in values:
        for old in ("length: 1", "count: 3", "material: steel", "title: Small beam"):
            text = BEAM.replace(old, f"{old.partition(':')[0]}: {value}")
            assert client.post("/api/check", json=_draft(text)).status_code == 200
            assert client.post("/api/runs", json=_draft(text)).status_code in (201, 422, 409)
    assert not mark.exists()


def test_c3_nothing_is_imported_from_the_folder(tmp_path: Path) -> None:
    """Modules with the names of ours lie beside the case, and beside its copy."""
    work, mark = tmp_path / "work", tmp_path / "mark"
    work.mkdir()
    for name in ("numpy", "flexframe", "json", "sitecustomize", "usercustomize", "yaml", "encodings"):
        (work / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\n", encoding="utf-8")
    program = (
        "import os, sys; os.chdir(sys.argv[1])\n"
        "from pathlib import Path\n"
        "from tests.studio.test_strangers import run_and_export\n"
        "run_and_export(Path(sys.argv[1]))\n"
    )
    paths = os.pathsep.join([str(ROOT), *sys.path])
    command = [sys.executable, "-P", "-c", program, str(work)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": paths})
    assert not mark.exists()


def run_and_export(folder: Path) -> None:
    """Check, run and export a case in a folder that is the current one, too."""
    with opened_client(Studio(Workspace.at(folder), Access(TOKEN))) as client:
        assert client.post("/api/check", json=_draft(BEAM)).json()["valid"] is True
        run = client.post("/api/runs", json=_draft(BEAM)).json()["id"]
        waited(client, run, "done")
        assert client.post(f"/api/runs/{run}/downloads", json={"what": "csv"}).status_code == 200


# ---------------------------------------------------------------------- meshes and recordings


def test_m1_a_mesh_includes_no_file_outside(client: TestClient, studio: Studio) -> None:
    folder = studio.workspace.folder
    (folder.parent / "secret.inp").write_text(f"{SECRET}\n", encoding="utf-8")
    os.mkfifo(folder / "pipe.inp")
    (folder / "linked.inp").symlink_to("../secret.inp")
    for name in ("../secret.inp", str(folder.parent / "secret.inp"), "pipe.inp", "linked.inp"):
        (folder / "part.inp").write_text(f"*INCLUDE, INPUT={name}\n", encoding="utf-8")
        draft = _draft(BODY.format(name="part.inp"))
        checked = client.post("/api/check", json=draft)
        refused = client.post("/api/runs", json=draft)
        assert refused.status_code == 422
        for answer in (checked, refused):
            (problem,) = answer.json()["problems"]
            assert problem["field"].startswith("bodies.title.mesh")
            assert SECRET not in answer.text


def test_m2_a_mesh_without_end_is_given_up(client: TestClient, studio: Studio) -> None:
    """A terabyte that takes no room on the disk."""
    with (studio.workspace.folder / "part.inp").open("wb") as file:
        file.truncate(1 << 40)
    studio.reader.seconds = studio.checker.seconds = 10.0
    for name in ("part.inp", "part.msh", "part.vtu", "part.nas"):
        if name != "part.inp":
            (studio.workspace.folder / name).symlink_to("part.inp")
        draft = _draft(BODY.format(name=name))
        checked = client.post("/api/check", json=draft)
        assert checked.json()["valid"] is False
        refused = client.post("/api/runs", json=draft)
        assert refused.status_code == 422
        for answer in (checked, refused):
            (problem,) = answer.json()["problems"]
            assert "\n" not in problem["message"]
    scratch = studio.checker._scratch
    assert scratch is not None
    assert list(Path(scratch.name).iterdir()) == []  # no copy is left
    assert client.get("/api/runs").json() == []
    assert not list(RunStore(studio.workspace).folder.glob("*"))


def test_m2_a_run_copies_no_more_than_it_may(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MAX_INPUT", 1000)
    for name, size in (("a.csv", 600), ("b.csv", 400), ("c.csv", 1)):
        (studio.workspace.folder / name).write_bytes(b"x" * size)
    store = RunStore(studio.workspace)
    kept = store.create(CaseText("a.yaml", BEAM), "", ["a.csv", "b.csv"])
    assert (kept.folder / "input" / "b.csv").read_bytes() == b"x" * 400
    with pytest.raises(runs.InputError, match=r"c\.csv: the files of the case have more than"):
        store.create(CaseText("a.yaml", BEAM), "", ["a.csv", "b.csv", "c.csv"])
    assert len(list(store.folder.iterdir())) == 1


@pytest.mark.parametrize(
    "ending", ["inp", "msh", "vtk", "vtu", "nas", "bdf", "mesh", "meshb", "vol", "su2", "csv"]
)
def test_m3_junk_is_told_at_its_field(client: TestClient, studio: Studio, ending: str) -> None:
    chance = random.Random(ending)
    heads = (b"", b"# vtk DataFile Version 5.1\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n", b"$MeshFormat\n4.1 0 8\n")
    for number, head in enumerate(heads):
        name = f"part{number}.{ending}"
        (studio.workspace.folder / name).write_bytes(head + chance.randbytes(2000))
        (problem,) = client.post("/api/check", json=_draft(BODY.format(name=name))).json()["problems"]
        assert problem["field"].startswith("bodies.title.mesh")
        assert "internal error" not in problem["message"]


def _vtu(entities: str, used: str) -> str:
    return (
        f'<?xml version="1.0"?>\n<!DOCTYPE VTKFile [{entities}]>\n'
        '<VTKFile type="UnstructuredGrid" version="0.1"><UnstructuredGrid>'
        f'<Piece NumberOfPoints="1" NumberOfCells="0"><Points><DataArray type="Float64" format="ascii" '
        f'NumberOfComponents="3">{used}</DataArray></Points></Piece></UnstructuredGrid></VTKFile>'
    )


def test_m4_entities_of_a_mesh_are_not_followed(client: TestClient, studio: Studio) -> None:
    folder = studio.workspace.folder
    (folder.parent / "secret.txt").write_text(SECRET, encoding="utf-8")
    grown = '<!ENTITY a0 "0 0 0 0 0 0 0 0 0 0 ">' + "".join(
        f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12)
    )
    outside = f'<!ENTITY other SYSTEM "file://{folder.parent / "secret.txt"}">'
    for text in (_vtu(outside, "&other;"), _vtu(grown, "&a11;")):
        (folder / "part.vtu").write_text(text, encoding="utf-8")
        answer = client.post("/api/check", json=_draft(BODY.format(name="part.vtu")))
        (problem,) = answer.json()["problems"]
        assert problem["field"].startswith("bodies.title.mesh")
        assert SECRET not in answer.text


# ---------------------------------------------------------------------- results


@pytest.fixture
def finished(client: TestClient, studio: Studio) -> Iterator[runs.Run]:
    """A run that is done."""
    run_id = client.post("/api/runs", json=_draft(BEAM)).json()["id"]
    waited(client, run_id, "done")
    yield RunStore(studio.workspace).get(run_id)


def test_r2_r4_results_of_others_are_neither_followed_nor_shown(
    client: TestClient, finished: runs.Run, tmp_path: Path
) -> None:
    script = "<script>document.title = 'owned'</script>"
    (finished.folder / RESULTS / "report.html").write_text(script, encoding="utf-8")
    (finished.folder / DOCUMENT).write_text(json.dumps({"title": script}), encoding="utf-8")
    address = f"/api/runs/{finished.request.id}"
    for what in ("report", "summary", "netcdf"):
        given = client.post(f"{address}/downloads", json={"what": what}).json()["address"]
        answer = client.get(given)
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert client.get(f"{address}/document").headers["content-type"] == "application/json"
    with h5py.File(tmp_path / "secret.h5", "w") as secret:
        secret["x"] = np.frombuffer(SECRET.encode(), dtype=np.uint8)
    with h5py.File(finished.folder / RESULTS / "results.nc", "a") as stored:
        stored["shapes"]["x"] = h5py.ExternalLink(str(tmp_path / "secret.h5"), "x")
    for what in ("csv", "vtk"):
        refused = client.post(f"{address}/downloads", json={"what": what})
        assert refused.status_code == 424
        assert "lies in another file" in refused.json()["detail"]


def test_an_export_is_bounded(finished: runs.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process says what its limits are."""
    from flexframe.studio import downloads

    found = subprocess.run(
        [
            sys.executable,
            "-c",
            "import resource, runpy, sys\n"
            "runpy.run_module = lambda *a, **k: print(resource.getrlimit(resource.RLIMIT_AS)[0], "
            "resource.getrlimit(resource.RLIMIT_CPU)[0], *sys.argv)\n"
            "exec(open(sys.argv.pop(1)).read())",
            str(ROOT / "src/flexframe/studio/export_process.py"),
            "x",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    memory, seconds, *arguments = found.stdout.split()
    assert int(memory) == bounds.EXPORT_MEMORY
    assert bounds.EXPORT_SECONDS <= int(seconds) <= bounds.EXPORT_SECONDS + 100
    assert arguments == ["flexframe", "export", "x"]
    monkeypatch.setattr(downloads, "EXPORT_SECONDS", 0.001)
    with pytest.raises(AnalysisError, match=r"takes more than 0\.001 s; use flexframe export"):
        downloads.offer_file(finished, "csv")


def test_r3_a_state_without_end_is_left_out(studio: Studio) -> None:
    store = RunStore(studio.workspace)
    good, bad, other = (store.create(CaseText("beam.yaml", BEAM), "") for _ in range(3))
    for run, name in ((bad, "state.json"), (other, "request.json")):
        with (run.folder / name).open("r+b") as file:
            file.truncate(1 << 40)
    assert [run.request.id for run in store.all()] == [good.request.id]


def test_r5_an_unfinished_motion_is_plain_arrays_of_the_folder(tmp_path: Path) -> None:
    kept = checkpoint_beside(tmp_path / "run" / "results", "motion", resume=True)
    kept.path.parent.mkdir()
    kept.save("print", {"x": np.arange(3.0)})
    assert kept.load("print") is not None
    mark = tmp_path / "mark"
    arrays = {"fingerprint": np.array("print"), "x": np.array([_Touch(mark)], dtype=object)}
    np.savez(kept.path, **arrays)  # type: ignore[arg-type]
    assert kept.load("print") is None
    assert not mark.exists()
    kept.save("print", {"x": np.arange(3.0)})
    kept.path.rename(tmp_path / "outside.npz")
    kept.path.symlink_to(tmp_path / "outside.npz")
    assert kept.load("print") is None
    kept.path.unlink()
    os.mkfifo(kept.path)
    assert kept.load("print") is None


class _Touch:
    """What makes a file when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self.mark,)


def test_r6_no_process_is_ended_on_the_word_of_a_run(studio: Studio) -> None:
    """A run says that it is computed by a process that has nothing to do with it."""
    store = RunStore(studio.workspace)
    run = store.create(CaseText("beam.yaml", BEAM), "")
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as bystander:
        write_state(run.folder, State("running", pid=bystander.pid))
        with opened_client(studio) as client:
            assert client.post(f"/api/runs/{run.request.id}/cancel").json()["status"] == "interrupted"
        assert read_state(run.folder).pid is None
        assert bystander.poll() is None
        bystander.kill()

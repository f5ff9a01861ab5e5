"""Runs: computed as the command line does, queued, cancelled, lost and found again."""

import io
import json
import os
import signal
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import h5py
import pytest
from fastapi.testclient import TestClient
from tests.studio.conftest import BEAM, PATIENCE, SLOW, TOKEN, opened_client, waited

from flexframe.cases.case import parse_case
from flexframe.cases.run import run_case
from flexframe.studio.app import Studio
from flexframe.studio.queue import RunQueue
from flexframe.studio.runs import RESULTS, Request, Run, RunStore, State, read_state
from flexframe.studio.security import Access
from flexframe.studio.workspace import CaseText, Workspace

TOO_SHORT = """space: planar
ground: {A: [0, 0], D: [10, 0]}
bodies:
  crank: {mass: 1, inertia: 1, points: {A: [0, 0], B: [1, 0]}}
  rod: {mass: 1, inertia: 1, points: {B: [0, 0], D: [1, 0]}}
joints:
  A: {revolute: [ground.A, crank.A]}
  B: {revolute: [crank.B, rod.B]}
  D: {revolute: [ground.D, rod.D]}
analyses:
  motion: {kind: kinematics, duration: 1}
"""


def _started(client: TestClient, text: str, name: str = "beam.yaml") -> str:
    answer = client.post("/api/runs", json={"name": name, "text": text})
    assert answer.status_code == 201
    return str(answer.json()["id"])


def _wait_for(run: Run, status: str) -> None:
    until = monotonic() + PATIENCE
    while read_state(run.folder).status != status:
        assert monotonic() < until
        sleep(0.05)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Run]]:
    """A beam that was run, and the studio that did it."""
    studio = Studio(Workspace.at(tmp_path_factory.mktemp("work")), Access(TOKEN))
    with opened_client(studio) as client:
        run_id = _started(client, BEAM)
        run = waited(client, run_id, "done")
        assert (run["done"], run["total"], run["fraction"]) == (1, 1, 1.0)
        yield client, RunStore(studio.workspace).get(run_id)


def test_a_run_gives_what_the_library_gives(finished: tuple[TestClient, Run], tmp_path: Path) -> None:
    client, run = finished
    summary = json.loads((run.folder / RESULTS / "summary.json").read_text(encoding="utf-8"))
    exact = run_case(parse_case(BEAM, file="beam.yaml", folder=tmp_path)).summary()
    # the same code on the same machine: the same digits
    assert summary["analyses"]["shapes"]["frequencies_hz"] == exact["analyses"]["shapes"]["frequencies_hz"]
    document = client.get(f"/api/runs/{run.request.id}/document").json()
    assert [section["title"] for section in document["sections"]] == ["shapes", "Case file"]
    assert client.get(f"/api/runs/{run.request.id}/case").json()["text"] == BEAM
    assert client.get("/api/cases").json() == []  # a run saves nothing of the user's


def _downloaded(client: TestClient, run: Run, what: str) -> bytes:
    asked = client.post(f"/api/runs/{run.request.id}/downloads", json={"what": what})
    assert asked.status_code == 200, asked.text
    address = asked.json()["address"]
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    assert client.get(address).status_code == 404  # it works once
    return bytes(answer.content)


def test_stored_files_can_be_downloaded(finished: tuple[TestClient, Run]) -> None:
    client, run = finished
    assert b"flexframe-document" in _downloaded(client, run, "report")
    assert len(json.loads(_downloaded(client, run, "summary"))["analyses"]["shapes"]["frequencies_hz"]) == 3
    with h5py.File(io.BytesIO(_downloaded(client, run, "netcdf"))) as file:
        assert "shapes" in file


@pytest.mark.parametrize(("what", "ending"), [("csv", ".csv"), ("vtk", ".vtu")])
def test_exports_can_be_downloaded(finished: tuple[TestClient, Run], what: str, ending: str) -> None:
    with zipfile.ZipFile(io.BytesIO(_downloaded(*finished, what))) as archive:
        names = archive.namelist()
    assert names
    assert all(name.endswith(ending) for name in names)


def test_runs_queue_and_can_be_cancelled_while_they_wait_and_while_they_run(client: TestClient) -> None:
    slow, waiting, last = _started(client, SLOW), _started(client, SLOW), _started(client, BEAM)
    waited(client, slow, "running")
    assert waited(client, waiting, "queued")["status"] == "queued"
    assert client.delete(f"/api/runs/{slow}").status_code == 409  # not while it runs
    assert client.post(f"/api/runs/{waiting}/cancel").json()["status"] == "cancelled"
    client.post(f"/api/runs/{slow}/cancel")
    assert "on request" in waited(client, slow, "cancelled")["message"]
    assert waited(client, last, "done")["status"] == "done"
    assert client.post(f"/api/runs/{last}/cancel").json()["status"] == "done"  # too late changes nothing
    assert [run["status"] for run in client.get("/api/runs").json()].count("cancelled") == 2
    assert client.delete(f"/api/runs/{slow}").status_code == 204
    assert client.get(f"/api/runs/{slow}").status_code == 404


def test_a_stopped_run_can_go_on(client: TestClient) -> None:
    first, second = _started(client, SLOW), _started(client, BEAM)
    assert client.post(f"/api/runs/{second}/resume").status_code == 409  # it waits already
    client.post(f"/api/runs/{second}/cancel")
    client.post(f"/api/runs/{first}/cancel")
    waited(client, first, "cancelled")
    assert client.post(f"/api/runs/{second}/resume").json()["status"] == "queued"
    assert waited(client, second, "done")["status"] == "done"
    assert client.post(f"/api/runs/{second}/resume").status_code == 409


def test_a_killed_process_is_told_and_the_next_run_goes_on(client: TestClient, studio: Studio) -> None:
    run_id = _started(client, SLOW)
    waited(client, run_id, "running")
    pid = read_state(RunStore(studio.workspace).get(run_id).folder).pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    told = waited(client, run_id, "failed")["message"]
    assert "ended unexpectedly (signal 9)" in told
    assert waited(client, _started(client, BEAM), "done")["status"] == "done"


def test_a_broken_case_is_told_with_its_lines(client: TestClient) -> None:
    run = waited(client, _started(client, BEAM.replace("count: 3", "count: -3")), "failed")
    assert [(p["line"], p["field"]) for p in run["problems"]] == [(9, "analyses.shapes.count")]
    refused = client.post("/api/runs", json={"name": "beam.yaml", "text": BEAM + " x: [\n"})
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["line"] >= 9


def test_a_joint_that_cannot_be_closed_is_reported_at_its_line(client: TestClient) -> None:
    run = waited(client, _started(client, TOO_SHORT), "failed")
    assert [(p["line"], p["field"]) for p in run["problems"]] == [(9, "joints.D")]
    assert "cannot be assembled" in run["problems"][0]["message"]


def test_a_restart_finds_the_runs_again(studio: Studio) -> None:
    with opened_client(studio) as client:
        running, queued = _started(client, SLOW), _started(client, BEAM)
        waited(client, running, "running")
    again = Studio(studio.workspace, Access(TOKEN))
    with opened_client(again) as client:
        assert waited(client, running, "interrupted")["message"].endswith("run it again")
        assert waited(client, queued, "done")["status"] == "done"  # what waited is taken up
        assert client.get(f"/api/runs/{queued}/document").status_code == 200


@pytest.mark.skipif(os.name != "posix", reason="needs sessions")
def test_a_run_outlives_a_server_that_was_killed(studio: Studio) -> None:
    store = RunStore(studio.workspace)
    lost = RunQueue(store)
    lost.start()
    run = lost.submit(CaseText("slow.yaml", SLOW), "")
    _wait_for(run, "running")
    # what is left of a killed server: no thread that watches, and a process that computes on
    lost._stopping = True
    assert lost._thread is not None
    lost._thread.join()
    found = RunQueue(store)
    found.start()
    assert list(found.active) == [run.request.id]
    found.cancel(run.request.id)
    for process in lost.active.values():
        assert process.child is not None
        process.child.wait(timeout=PATIENCE)
    _wait_for(run, "cancelled")
    found.stop()


def test_runs_are_listed_by_age_also_within_a_second(studio: Studio) -> None:
    store = RunStore(studio.workspace)
    made = [store.create(CaseText("beam.yaml", BEAM), "").request.id for _ in range(12)]
    assert [run.request.id for run in store.all()] == made[::-1]
    assert [run.request.id for run in store.all(5)] == made[:6:-1]


def test_time_to_go_comes_from_the_last_run(tmp_path: Path) -> None:
    request = Request("x", "a.yaml", "", 0.0, {"first": 2.0, "second": 6.0})
    state = State("running", done=1, total=2, current="second", finished=("first",), started=0.0, since=100.0)
    run = Run(tmp_path, request, state)
    # 2 s of 8 are done, and 3 s of the current analysis: 5/8, and 3 s are left
    assert run.fraction(103.0) == pytest.approx(5 / 8, rel=1e-12)
    assert run.seconds_left(103.0) == pytest.approx(3.0, rel=1e-12)
    # longer than expected: never quite done
    assert run.fraction(1000.0) == pytest.approx((2 + 0.98 * 6) / 8, rel=1e-12)
    # an analysis that tells how far it is knows better: 2 s and a third of 6 s
    telling = Run(tmp_path, request, replace(state, part=1 / 3))
    assert telling.fraction(1000.0) == pytest.approx(4 / 8, rel=1e-12)
    # the last analysis foretells its end from its own pace: a quarter in 3 s leaves 9 s
    alone = Run(tmp_path, Request("x", "a.yaml", "", 0.0), replace(state, part=0.25))
    assert alone.seconds_left(103.0) == pytest.approx(9.0, rel=1e-12)
    unknown = Run(tmp_path, Request("x", "a.yaml", "", 0.0), state)
    assert (unknown.fraction(103.0), unknown.seconds_left(103.0)) == (0.5, None)


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"status": "queued", "problems": 3}', '{"status": "asleep"}', "\x00\xff"]
)
def test_r3_a_damaged_run_is_left_out_and_the_others_are_listed(studio: Studio, damage: str) -> None:
    store = RunStore(studio.workspace)
    good, bad = (store.create(CaseText("beam.yaml", BEAM), "") for _ in range(2))
    (bad.folder / "state.json").write_text(damage, encoding="latin-1")
    (store.folder / "20200101-000000-0000000000").mkdir()  # begun, and never finished
    assert [run.request.id for run in store.all()] == [good.request.id]

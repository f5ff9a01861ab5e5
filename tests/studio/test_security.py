"""Who is answered, and with what.

The names of tests begin with the line of `docs/reference/studio-security.md` that they show.
"""

import asyncio
import json
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.files.outside import PLACES, SECRET, made_names
from tests.studio.conftest import BEAM, HOST, TOKEN

from flexframe.studio import bounds
from flexframe.studio.app import Studio, studio_app
from flexframe.studio.case_reader import CaseReader
from flexframe.studio.runs import DOCUMENT, INPUT, LOG, RESULTS, RunStore, State, write_state
from flexframe.studio.server import _listener
from flexframe.studio.workspace import CaseText


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8517",
        "127.0.0.1.evil.example",
        "127.0.0.1@evil.example",
        "0.0.0.0",
        "",
        "localhost.",
        "[::1",
        "192.168.1.5:8517",
    ],
)
def test_w2_other_hosts_are_refused(client: TestClient, host: str) -> None:
    assert client.get("/api/about", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:1", "localhost:8517", "[::1]:8517", "localhost"])
def test_the_loopback_names_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/api/about", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", f"https://{HOST}", "http://127.0.0.1:9", f"http://{HOST}/x"]
)
def test_w1_other_origins_are_refused_even_with_the_token(client: TestClient, origin: str) -> None:
    assert client.get("/api/about", headers={"Origin": origin}).status_code == 403
    assert client.post("/api/check", json={}, headers={"Origin": origin}).status_code == 403


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)]
)
def test_w1_requests_of_other_pages_are_refused(client: TestClient, site: str, status: int) -> None:
    assert client.get("/api/about", headers={"Sec-Fetch-Site": site}).status_code == status


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", f"bearer  {TOKEN}", "Bearer é"]
)
def test_u1_the_token_is_needed(client: TestClient, given: str) -> None:
    headers = {"Authorization": given.encode()}
    for path in ("/api/about", "/api/cases", "/api/openapi.json", "/api/runs", "/nowhere"):
        assert client.get(path, headers=headers).status_code == 401  # type: ignore[arg-type]


def test_w3_every_answer_carries_the_policy(client: TestClient) -> None:
    for path in ("/", "/api/about", "/assets/studio.js", "/api/nowhere", "/downloads/x"):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "'unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in answer.headers


def test_nonces_differ_and_are_those_of_the_policy(client: TestClient) -> None:
    pages = [client.get("/") for _ in range(2)]
    nonces = [page.text.split('data-nonce="')[1].split('"')[0] for page in pages]
    assert nonces[0] != nonces[1]
    for page, nonce in zip(pages, nonces, strict=True):
        assert f"'nonce-{nonce}'" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../app.py",
        "/assets/%2e%2e/app.py",
        "/assets/..%2fapp.py",
        "/api/cases/..%2f..%2fsecret.yaml",
        "/api/cases/%2e%2e",
        "/api/examples/..%2fx/model",
        "/api/runs/..%2f..%2fx/document",
        "/downloads/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
    ],
)
def test_no_path_leads_out(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (401, 404, 405, 422)


@pytest.mark.parametrize("place", PLACES)
def test_c1_a_case_cannot_name_files_outside(client: TestClient, studio: Studio, place: str) -> None:
    """… also where a body is called title, or a drive description."""
    text, line, field = PLACES[place]
    for name in made_names(studio.workspace.folder).values():
        draft = {"name": "a.yaml", "text": text.format(name=name)}
        checked = client.post("/api/check", json=draft).json()
        assert [(p["line"], p["field"]) for p in checked["problems"]] == [(line, field)]
        refused = client.post("/api/runs", json=draft)
        assert refused.status_code == 422
        assert [(p["line"], p["field"]) for p in refused.json()["problems"]] == [(line, field)]
        assert SECRET not in str(checked) + refused.text
    assert client.get("/api/runs").json() == []


def test_r1_files_of_a_run_are_not_read_through_links(client: TestClient, studio: Studio) -> None:
    """A folder of runs that somebody else made."""
    secret = studio.workspace.folder.parent / "secret.json"
    secret.write_text(json.dumps({"status": "done", "message": SECRET}), encoding="utf-8")
    store = RunStore(studio.workspace)
    run = store.create(CaseText("beam.yaml", BEAM), "")
    write_state(run.folder, State("done"))
    (run.folder / RESULTS).mkdir()
    (run.folder / INPUT / "beam.yaml").unlink()
    for name in (DOCUMENT, LOG, f"{RESULTS}/summary.json", f"{RESULTS}/results.nc", f"{INPUT}/beam.yaml"):
        (run.folder / name).symlink_to(secret)
    address = f"/api/runs/{run.request.id}"
    answers = [client.get(f"{address}/{part}") for part in ("document", "log", "case")]
    answers += [
        client.post(f"{address}/downloads", json={"what": what})
        for what in ("summary", "netcdf", "report", "csv", "vtk")
    ]
    assert [answer.status_code for answer in answers] == [404, 200, 422, 404, 404, 404, 424, 424]
    assert not any(SECRET in answer.text for answer in answers)
    (run.folder / "state.json").unlink()
    (run.folder / "state.json").symlink_to(secret)
    assert client.get(address).status_code == 404


def test_m5_uploads_have_plain_names_and_bounded_size(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.put("/api/files/part.inp", content=b"*NODE\n").status_code == 204
    assert client.put("/api/files/part.inp", content=b"x").status_code == 409
    assert client.put("/api/files/part.inp?replace=true", content=b"x").status_code == 204
    for name in (
        "a.py",
        "a.yaml",
        "..%2fa.inp",
        ".a.inp",
        "a.inp.exe",
        "sub%2fa.inp",
        "a.inp%0a",
        "flexframe-studio",
    ):
        assert client.put(f"/api/files/{name}", content=b"x").status_code in (404, 405, 422)
    monkeypatch.setattr(bounds, "MAX_UPLOAD", 1000)
    assert client.put("/api/files/big.inp", content=b"x" * 1001).status_code == 413
    assert (
        client.put("/api/files/big.inp", content=iter([b"x" * 600, b"x" * 600])).status_code == 413
    )  # no length announced
    assert client.put("/api/files/big.inp", content=b"x" * 1000).status_code == 204


def test_bodies_of_other_requests_are_bounded(client: TestClient) -> None:
    long = "x" * (bounds.MAX_JSON + 1)
    assert client.post("/api/check", content=long).status_code == 413
    parts = iter([long[:2_000_000].encode(), long[2_000_000:].encode()])
    assert client.post("/api/check", content=parts).status_code == 413  # no length announced
    for length in ("9" * 9, "9" * 20, "9" * 300):  # announced, and refused before it comes
        assert client.post("/api/check", content=b"{}", headers={"Content-Length": length}).status_code == 413
    assert client.post("/api/check", json={"name": "a.yaml", "text": "x" * 1_000_001}).status_code == 422


def test_w4_no_web_sockets(studio: Studio) -> None:
    sent: list[Any] = []

    async def run() -> None:
        async def nothing() -> dict[str, Any]:
            return {}

        async def keep(message: Any) -> None:
            sent.append(message)

        await studio_app(studio)({"type": "websocket", "path": "/", "headers": []}, nothing, keep)

    asyncio.run(run())
    assert sent == []


def test_u7_the_server_listens_on_the_loopback_only() -> None:
    with _listener(None) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_c2_a_check_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    """Two hundred bodies to integrate take more than two seconds of any processor."""
    checker = CaseReader(seconds=1.0)
    mesh = "{block: {lengths: [1, 1, 1], divisions: [12, 12, 12]}}"
    bodies = "".join(f"  b{i}: {{mesh: {mesh}, material: steel}}\n" for i in range(200))
    huge = f"bodies:\n{bodies}analyses:\n  shapes: {{kind: modes, body: b0}}\n"
    try:
        (problem,) = checker.check(tmp_path, "a.yaml", huge)["problems"]
        assert "more than 1 s of computing" in problem["message"]
        checker.seconds = 600.0
        assert checker.check(tmp_path, "a.yaml", BEAM)["valid"] is True  # and the next one is answered
    finally:
        checker.stop()


def test_time_in_which_the_check_process_does_not_compute_does_not_count(tmp_path: Path) -> None:
    """It is stopped for three times its patience, as a busy machine stops it."""
    checker = CaseReader(seconds=1.0)
    try:
        checker.seconds = 600.0
        assert checker.check(tmp_path, "a.yaml", BEAM)["valid"] is True  # everything is loaded
        checker.seconds = 1.0
        assert checker._process is not None
        checker._process.send_signal(signal.SIGSTOP)
        go_on = threading.Timer(3.0, checker._process.send_signal, [signal.SIGCONT])
        go_on.start()
        assert checker.check(tmp_path, "a.yaml", "title: [")["problems"][0]["line"] == 1
        go_on.join()
    finally:
        checker.stop()


def test_a_lost_check_process_is_awaited_and_its_pipes_are_closed(tmp_path: Path) -> None:
    checker = CaseReader()
    try:
        checker.warm()
        lost = checker._process
        assert lost is not None
        lost.kill()
        lost.wait()
        assert checker.check(tmp_path, "a.yaml", "title: [")["valid"] is False
        assert checker._process is not lost
        assert lost.stdin is not None and lost.stdin.closed
        assert lost.stdout is not None and lost.stdout.closed
    finally:
        checker.stop()


def test_c2_bombs_are_refused_in_no_time(client: TestClient) -> None:
    aliases = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9)
    )
    deep = "a: " + "[" * 5000
    for text in (aliases, deep, "\x00", "!!python/object/apply:os.system ['true']", "&a [*a]"):
        answer = client.post("/api/check", json={"name": "a.yaml", "text": text})
        assert answer.status_code == 200
        assert answer.json()["valid"] is False
        assert client.post("/api/runs", json={"name": "a.yaml", "text": text}).status_code == 422
    assert len(aliases) < 1000  # which would become 10⁹ values

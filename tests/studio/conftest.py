"""A studio on a small workspace."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from fastapi.testclient import TestClient

from flexframe.studio.app import Studio, studio_app
from flexframe.studio.security import Access
from flexframe.studio.workspace import Workspace

TOKEN = "a-token-for-tests"
HOST = "127.0.0.1:8517"
PATIENCE = 600.0  # s: a process may start slowly on a busy machine

BEAM = """title: Small beam
bodies:
  beam:
    mesh: {line: {length: 1, divisions: 4}}
    material: steel
    section: {rectangle: {width: 20 mm, height: 10 mm}}
    supports: [{clamp: start}]
analyses:
  shapes: {kind: modes, count: 3}
"""

SLOW = (
    BEAM.replace("divisions: 4", "divisions: 40")
    + "  speeds: {kind: campbell, speeds: {end: 900, count: 10000}}\n"
)
"""Takes minutes."""


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    (tmp_path / "work").mkdir()
    return Studio(Workspace.at(tmp_path / "work"), Access(TOKEN))


def opened_client(studio: Studio) -> TestClient:
    """A client with the token."""
    return TestClient(studio_app(studio), base_url=f"http://{HOST}", headers={"Authorization": f"Bearer {TOKEN}"})


@pytest.fixture
def client(studio: Studio) -> Iterator[TestClient]:
    with opened_client(studio) as opened:
        yield opened


def waited(client: TestClient, run_id: str, *statuses: str) -> dict[str, Any]:
    """The run when it has one of the statuses."""
    until = monotonic() + PATIENCE
    while monotonic() < until:
        run = client.get(f"/api/runs/{run_id}").json()
        if run["status"] in statuses:
            return dict(run)
        assert run["status"] in ("queued", "running"), run
        sleep(0.05)
    raise AssertionError(f"the run is {run['status']} after {PATIENCE} s")

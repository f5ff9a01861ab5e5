"""The service against requests made from its own description, and with odd names: it does not fail."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, settings
from tests.studio.conftest import BEAM, HOST, TOKEN
from tools.mutants import ODD_FILES, ODD_NAMES
from tools.mutants import quoted as as_yaml

from flexframe.studio.app import Studio, studio_app
from flexframe.studio.security import Access
from flexframe.studio.workspace import Workspace

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is in the test extra")

HEADERS = {"Authorization": f"Bearer {TOKEN}", "Host": HOST}
EXAMPLES = 25


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Studio:
    """Without the thread that computes: runs are accepted and wait."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "beam.yaml").write_text(BEAM, encoding="utf-8")
    return Studio(Workspace.at(folder), Access(TOKEN))


def test_no_request_makes_it_fail(studio: Studio) -> None:
    app = studio_app(studio)
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app, headers=HEADERS)
    seen: Counter[int] = Counter()
    operations = 0
    try:
        for found in schema.get_all_operations():
            operation = found.ok()
            operations += 1
            for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
                for case in _cases(operation, mode):
                    answer = case.call(headers=HEADERS)  # type: ignore[attr-defined]
                    seen[answer.status_code] += 1
                    assert answer.status_code < 500, (case.method, case.path, case.body, answer.text)  # type: ignore[attr-defined]
    finally:
        studio.checker.stop()
        studio.reader.stop()
    assert operations >= 18
    assert sum(seen.values()) >= 10 * operations
    assert seen[200] > 0
    assert seen[422] > 0


def test_c5_odd_names_are_names_or_refused(tmp_path: Path) -> None:
    """In addresses, in requests and in cases; nothing appears outside the folder, and nothing odd in it."""
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "secret.yaml").write_text(BEAM, encoding="utf-8")
    studio = Studio(Workspace.at(work), Access(TOKEN))
    client = TestClient(
        studio_app(studio), base_url=f"http://{HOST}", headers=HEADERS, raise_server_exceptions=False
    )
    seen: Counter[int] = Counter()
    try:
        for name in (*ODD_NAMES, *ODD_FILES):
            for method, path, body in _named(quote(name.encode("utf-8", "surrogatepass"), safe=""), name):
                answer = client.request(method, path, content=json.dumps(body) if body is not None else None)
                seen[answer.status_code] += 1
                assert answer.status_code < 500, (method, path, answer.text)
                assert "internal error" not in answer.text, (method, path, answer.text)
    finally:
        studio.checker.stop()
        studio.reader.stop()
    assert seen[200] > 0 and seen[422] > 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret.yaml", "work"]
    assert all(re.fullmatch(r"[\w .-]+", path.name, re.ASCII) for path in work.iterdir())


def _named(quoted: str, name: str) -> Iterator[tuple[str, str, object]]:
    """Requests in which a name stands where one is expected."""
    for ending in ("", ".yaml"):
        yield "GET", f"/api/cases/{quoted}{ending}", None
        yield "PUT", f"/api/cases/{quoted}{ending}", {"text": BEAM}
        yield "POST", "/api/check", {"name": f"{name}{ending}", "text": BEAM}
    yield "PUT", f"/api/files/{quoted}.csv", "x"
    yield "GET", f"/api/examples/{quoted}/model", None
    yield "POST", f"/api/examples/{quoted}/copy", None
    yield "GET", f"/api/runs/{quoted}", None
    yield "DELETE", f"/api/runs/{quoted}", None
    yield "GET", f"/api/runs/{quoted}/document", None
    yield "GET", f"/downloads/{quoted}", None
    yield "GET", f"/assets/{quoted}", None
    for text in (
        BEAM.replace("beam", as_yaml(name)),
        BEAM.replace("shapes", as_yaml(name)),
        BEAM.replace("material", as_yaml(name)),
        BEAM.replace("{line: {length: 1, divisions: 4}}", f"{{file: {as_yaml(name)}}}"),
    ):
        yield "POST", "/api/check", {"name": "a.yaml", "text": text}
    yield "POST", "/api/runs", {"name": "a.yaml", "text": text}


def _cases(operation: object, mode: object) -> list[object]:
    """Generated requests of one operation; none where the mode has nothing to vary."""
    from hypothesis import given
    from hypothesis.errors import Unsatisfiable

    made: list[object] = []

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode))  # type: ignore[attr-defined]
    def collect(case: object) -> None:
        made.append(case)

    try:
        collect()
    except Unsatisfiable:
        return []
    return made

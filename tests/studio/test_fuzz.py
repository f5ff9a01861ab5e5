"""The service against requests made from its own description: whatever is sent, it does not fail."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, settings
from tests.studio.conftest import BEAM, HOST, TOKEN

from flexframe.studio.access import Access
from flexframe.studio.app import Studio, studio_app
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
                    answer = case.call(headers=HEADERS)
                    seen[answer.status_code] += 1
                    assert answer.status_code < 500, (case.method, case.path, case.body, answer.text)
    finally:
        studio.checker.stop()
        studio.reader.stop()
    assert operations >= 18
    assert sum(seen.values()) >= 10 * operations
    assert seen[200] > 0
    assert seen[422] > 0


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

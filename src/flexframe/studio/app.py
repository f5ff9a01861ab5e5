"""The web service behind the page: cases, checks, runs and downloads of one workspace."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from time import time
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.concurrency import run_in_threadpool

from flexframe import __version__
from flexframe.cases.document import case_schema
from flexframe.cases.examples import example_paths
from flexframe.cases.source import read_text
from flexframe.errors import FlexframeError, InputError
from flexframe.files import Folder
from flexframe.studio.case_reader import BusyError, CaseReader
from flexframe.studio.downloads import Tickets, file_response, offer_file
from flexframe.studio.messages import report_problems
from flexframe.studio.queue import RunQueue, log_tail
from flexframe.studio.runs import DOCUMENT, INPUT, RunStore
from flexframe.studio.schemas import (
    About,
    Address,
    CaseName,
    Checked,
    DataName,
    Draft,
    Example,
    ExampleName,
    PartNames,
    PartSeen,
    PartWish,
    ProblemSeen,
    RunId,
    RunSeen,
    Save,
    SavedCase,
    Secret,
    Trouble,
    Wish,
)
from flexframe.studio.security import Access, Guard
from flexframe.studio.workspace import CaseText, ConflictError, NotThereError, Workspace

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>flexframe studio</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="assets/studio.css">
</head>
<body>
<noscript>The studio needs JavaScript; allow scripts for this address.</noscript>
<div id="flexframe-root" data-nonce="{nonce}"></div>
<script src="assets/studio.js"></script>
</body>
</html>
"""

SHOWN = 200  # runs in the list

_ASSETS = {"studio.js": "text/javascript", "studio.css": "text/css"}
_STATUS = {ConflictError: 409, NotThereError: 404, BusyError: 429, InputError: 422}
_REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"model": Trouble} for code in (400, 401, 403, 404, 408, 409, 413, 421, 422, 424, 429)
}


@dataclass
class Studio:
    """What the service works with; cases are read in other processes only, so that none can occupy the server.

    What takes long, the check with its picture, has a process of its own beside the one that begins runs.
    """

    workspace: Workspace
    access: Access = field(default_factory=Access)
    opened: str | None = None
    at_once: int = 1
    checker: CaseReader = field(default_factory=CaseReader)
    reader: CaseReader = field(default_factory=CaseReader)
    tickets: Tickets = field(default_factory=Tickets)
    queue: RunQueue = field(init=False)

    def __post_init__(self) -> None:
        self.queue = RunQueue(RunStore(self.workspace), self.at_once)

    @cached_property
    def examples(self) -> list[Example]:
        """What the gallery shows."""
        return [Example(**words) for words in self.reader.examples()]


def studio_app(studio: Studio) -> FastAPI:
    """The service, guarded."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:  # noqa: ARG001 - fastapi's signature
        studio.queue.start()
        studio.checker.warm()
        studio.reader.warm()
        yield
        studio.checker.stop()
        studio.reader.stop()
        studio.queue.stop()

    app = FastAPI(
        title="flexframe studio",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=_REFUSALS,
        separate_input_output_schemas=False,
    )
    app.add_exception_handler(FlexframeError, _report)
    app.add_exception_handler(RequestValidationError, _refuse_request)
    app.add_exception_handler(OSError, _unwritable)
    app.add_middleware(Guard, access=studio.access)
    _add_page(app, studio)
    _add_cases(app, studio)
    _add_runs(app, studio)
    return app


def _add_page(app: FastAPI, studio: Studio) -> None:
    @app.get("/", include_in_schema=False)
    def page(request: Request) -> HTMLResponse:
        return HTMLResponse(_PAGE.format(nonce=request.state.nonce))

    @app.get("/assets/{name}", include_in_schema=False)
    def asset(name: str) -> Response:
        if name not in _ASSETS:
            raise NotThereError("there is no such part of the page; load it again")
        return Response(_asset(name), media_type=_ASSETS[name])

    @app.get("/api/about")
    def about() -> About:
        folder = studio.workspace.folder.name or str(studio.workspace.folder)
        return About(version=__version__, workspace=folder, opened=studio.opened, at_once=studio.at_once)

    @app.get("/api/schema")
    def schema() -> dict[str, Any]:
        return case_schema()

    @app.get("/api/examples")
    def examples() -> list[Example]:
        return studio.examples

    @app.get("/api/examples/{name}/model")
    def example_model(name: ExampleName) -> Checked:
        path = _example_path(name)
        return Checked(**studio.checker.check(path.parent, path.name, read_text(path)))

    @app.post("/api/examples/{name}/copy")
    def copy_example(name: ExampleName) -> SavedCase:
        """A copy of an example, with its files, in the workspace."""
        path = _example_path(name)
        text = read_text(path)
        named = studio.reader.read(path.parent, path.name, text).files
        studio.workspace.add_files(Folder(path.parent, confined=True), list(named))
        return _save(studio.workspace.add_case(path.name, text))

    @app.get("/downloads/{secret}", include_in_schema=False)
    def download(secret: Secret) -> Response:
        found = studio.tickets.redeem(secret)
        return file_response(found.files, found.path, found.media_type, found.name)


def _add_cases(app: FastAPI, studio: Studio) -> None:
    workspace = studio.workspace

    @app.get("/api/cases")
    def cases() -> list[str]:
        return workspace.cases()

    @app.get("/api/cases/{name}")
    def case(name: CaseName) -> SavedCase:
        return _save(workspace.read_case(name))

    @app.put("/api/cases/{name}")
    def save(name: CaseName, body: Save) -> SavedCase:
        return _save(workspace.save_case(name, body.text, body.replaces))

    @app.post("/api/check")
    def check(draft: Draft) -> Checked:
        return Checked(**studio.checker.check(workspace.folder, draft.name, draft.text, draft.known))

    @app.post("/api/trial")
    def trial(draft: Draft) -> Checked:
        """What a run of the draft would refuse."""
        return Checked(**studio.checker.trial(workspace.folder, draft.name, draft.text))

    @app.post("/api/part")
    def part(wish: PartWish) -> PartSeen:
        """What files of another program hold: mass, sets, faces, units, and a picture."""
        return PartSeen(**studio.checker.part(workspace.folder, wish.files, wish.units))

    @app.post("/api/part/case", status_code=201)
    def part_case(wish: PartNames) -> SavedCase:
        """A new case with the mesh of a part and names for its sets."""
        names = [name.model_dump() for name in wish.names]
        text = studio.checker.part_case(workspace.folder, wish.files, wish.units, names)
        return _save(workspace.add_case(f"{Path(wish.files[0]).stem}.yaml", text))

    @app.get("/api/files")
    def files() -> list[str]:
        """Parts, meshes and recordings that a case may name."""
        return workspace.data_files()

    @app.put("/api/files/{name}", status_code=204, openapi_extra=_RAW_BODY)
    async def upload(name: DataName, request: Request, replace: Annotated[bool, Query()] = False) -> Response:
        """A part, a mesh or a recording for the cases of the workspace."""
        content = await request.body()
        await run_in_threadpool(workspace.store, name, content, replace=replace)
        return Response(status_code=204)


def _add_runs(app: FastAPI, studio: Studio) -> None:
    queue = studio.queue

    @app.get("/api/runs")
    def runs() -> list[RunSeen]:
        now = time()
        return [RunSeen.of(run, now) for run in queue.store.all(SHOWN)]

    @app.post("/api/runs", status_code=201)
    def run(draft: Draft) -> RunSeen:
        """Run a case as it stands in the editor; its text is kept with the run."""
        head = studio.reader.read(studio.workspace.folder, draft.name, draft.text)
        case = CaseText(draft.name, draft.text)
        return RunSeen.of(queue.submit(case, head.title, head.files), time())

    @app.get("/api/runs/{run_id}")
    def one_run(run_id: RunId) -> RunSeen:
        return RunSeen.of(queue.store.get(run_id), time())

    @app.delete("/api/runs/{run_id}", status_code=204)
    def remove(run_id: RunId) -> Response:
        queue.remove(run_id)
        return Response(status_code=204)

    @app.post("/api/runs/{run_id}/cancel")
    def cancel(run_id: RunId) -> RunSeen:
        return RunSeen.of(queue.cancel(run_id), time())

    @app.post("/api/runs/{run_id}/resume")
    def resume(run_id: RunId) -> RunSeen:
        """Go on with a run that was cancelled or interrupted."""
        return RunSeen.of(queue.resume(run_id), time())

    @app.get("/api/runs/{run_id}/document")
    def document(run_id: RunId) -> Response:
        """The report of a run as the page draws it."""
        files = queue.store.get(run_id).files
        if not files.has(DOCUMENT):
            raise NotThereError("this run has no report; only a run that is done has one")
        return file_response(files, DOCUMENT, "application/json")

    @app.get("/api/runs/{run_id}/case")
    def run_case_text(run_id: RunId) -> SavedCase:
        """The case as it was run."""
        kept = queue.store.get(run_id)
        return _save(Workspace.at(kept.folder / INPUT).read_case(kept.request.case))

    @app.get("/api/runs/{run_id}/log")
    def log(run_id: RunId) -> PlainTextResponse:
        return PlainTextResponse(log_tail(queue.store.get(run_id)))

    @app.post("/api/runs/{run_id}/downloads")
    def ask(run_id: RunId, wish: Wish) -> Address:
        """An address under which one file of a finished run can be fetched, once and soon."""
        secret = studio.tickets.issue(offer_file(queue.store.get(run_id), wish.what))
        return Address(address=f"downloads/{secret}")


_RAW_BODY = {
    "requestBody": {
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        "required": True,
    }
}


@cache
def _asset(name: str) -> str:
    return (resources.files("flexframe.reports") / "assets" / name).read_text(encoding="ascii")


def _example_path(name: str) -> Path:
    known = example_paths()
    if name not in known:
        raise NotThereError(f"there is no example '{name}'; choose one of {', '.join(known)}")
    return known[name]


def _save(case: CaseText) -> SavedCase:
    return SavedCase(name=case.name, text=case.text, sha256=case.sha256)


def _report(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 - starlette's signature
    """Errors of flexframe as an answer: what is wrong and where; nothing of ours has failed."""
    assert isinstance(error, FlexframeError)
    status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 424)
    return _trouble(status, str(error), [ProblemSeen(**problem) for problem in report_problems(error)])


def _refuse_request(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 - starlette's signature
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return _trouble(422, f"{place}: {first['msg']}", [])


def _unwritable(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 - starlette's signature
    assert isinstance(error, OSError)
    return _trouble(507, f"the workspace cannot be used ({error.strerror}); free space or choose another", [])


def _trouble(status: int, detail: str, problems: list[ProblemSeen]) -> JSONResponse:
    safe = detail.encode("utf-8", "replace").decode()
    return JSONResponse(Trouble(detail=safe, problems=problems).model_dump(), status_code=status)

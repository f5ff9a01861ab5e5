"""The process that reads and checks cases for the server.

One JSON object a line comes in (`task`, `seconds` and what the task needs), one goes out. It is a process of its
own, so that a case which takes too long or too much memory ends it, and not the server; `bounds` has the limits.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from flexframe.cases.case import Case, files_of, parse_case
from flexframe.cases.checking import check_case
from flexframe.cases.examples import example_paths
from flexframe.cases.source import parse_yaml, read_text
from flexframe.errors import FlexframeError
from flexframe.files import Folder
from flexframe.library_warnings import keep_from_terminal
from flexframe.reports.document import encode_document
from flexframe.studio.bounds import CASE_MEMORY, CASE_SCRATCH, limit_memory, limit_scratch, limit_time
from flexframe.studio.case_reader import UNTRIED
from flexframe.studio.messages import report_problems
from flexframe.studio.snapshots import model_snapshot, part_case, part_view

INTEGRATED = 30_000
"""Nodes up to which a body is integrated as well, which finds inverted cells."""


_last: dict[tuple[str, str, str], Case] = {}
"""The case that was built last, by folder, name and text."""


def build_case(request: dict[str, Any]) -> Case:
    """The case of a request."""
    key = (request["folder"], request["name"], request["text"])
    if key not in _last:
        _last.clear()
        _last[key] = parse_case(
            request["text"], file=request["name"], folder=Path(request["folder"]), confined=True
        )
    return _last[key]


def check(request: dict[str, Any]) -> dict[str, Any]:
    """What a case holds; the picture only when it is not the one known already."""
    _last.clear()  # files that it names may have changed
    case = build_case(request)
    bodies = {}
    for body_name, body in case.bodies().items():
        small = body.mesh.node_count <= INTEGRATED
        dofs = case.discrete(body_name).dofs.count if small else None
        bodies[body_name] = {"cells": body.mesh.cell_count, "nodes": body.mesh.node_count, "dofs": dofs}
    scene = json.dumps(encode_document(model_snapshot(case)), allow_nan=False)
    key = sha256(scene.encode()).hexdigest()
    return {
        "title": case.title,
        "bodies": bodies,
        "analyses": {name: analysis.kind for name, analysis in case.analyses.items()},
        "picture": key,
        "scene": None if key == request.get("known") else json.loads(scene),
        "notices": list(case.doubts()),
    }


def trial(request: dict[str, Any]) -> dict[str, Any]:
    """Every analysis up to where its work would begin: what `flexframe check` finds."""
    try:
        check_case(build_case(request))
    except MemoryError:
        return {"notices": [UNTRIED]}
    return {}


def read(request: dict[str, Any]) -> dict[str, Any]:
    """The title of a case and the files that it names, before anything is built."""
    parsed = parse_yaml(request["text"], request["name"])
    fields = parsed.value if isinstance(parsed.value, dict) else {}
    title = fields["title"].value if "title" in fields else ""
    folder = Folder(Path(request["folder"]), confined=True)
    files = files_of(parsed, file=request["name"], folder=folder)
    return {"title": title if isinstance(title, str) else "", "files": files}


def examples(request: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001 - as the other tasks
    """What the gallery shows."""
    found = []
    for name, path in example_paths().items():
        content = parse_yaml(read_text(path), path.name).plain()
        kinds = [str(entry["kind"]) for entry in content["analyses"].values()]
        words = {"title": content["title"], "description": content.get("description", "")}
        found.append({"name": name, **words, "analyses": list(dict.fromkeys(kinds))})
    return {"examples": found}


_TASKS = {
    "check": check,
    "trial": trial,
    "read": read,
    "examples": examples,
    "part": part_view,
    "part_case": part_case,
}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """What a task gives, or the problems that kept it from that."""
    try:
        return {"valid": True, "problems": [], **_TASKS[request["task"]](request)}
    except FlexframeError as error:
        found = error
    except MemoryError:
        found = FlexframeError("this needs more memory than a check may take; use a coarser mesh")
    except Exception as error:  # a fault of ours must not look like one of time or memory
        first = next(iter(str(error).splitlines()), "no message")
        found = FlexframeError(f"internal error: {type(error).__name__}: {first}; please report it")
    return {"valid": False, "problems": report_problems(found)}


def serve() -> None:
    """Answer requests until the input ends."""
    limit_memory(CASE_MEMORY)
    limit_scratch(CASE_SCRATCH)
    keep_from_terminal()
    answers, sys.stdout = sys.stdout, sys.stderr  # nothing else may print between the answers
    for line in sys.stdin:
        request = json.loads(line)
        limit_time(request["seconds"])
        answers.write(json.dumps(answer(request), allow_nan=False) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()

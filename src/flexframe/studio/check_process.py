"""The process that validates cases while they are written.

One JSON object a line comes in (`name`, `text`, `folder`, `known`, `seconds`), one goes out. It is a process of
its own, so that a case which takes too long or too much memory ends it, and not the server.
"""

import json
import sys
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Any

from flexframe.cases.case import parse_case
from flexframe.errors import FlexframeError
from flexframe.library_warnings import keep_from_terminal
from flexframe.reports.html import encode_document
from flexframe.studio.messages import report_problems
from flexframe.studio.model_snapshot import model_snapshot

MEMORY = 4 << 30  # bytes of address space
INTEGRATED = 30_000
"""Nodes up to which a body is integrated as well, which finds inverted cells."""


def checked(request: dict[str, Any]) -> dict[str, Any]:
    """What is wrong with a case, or what it holds; the picture only when it is not the one known already."""
    folder, name, text = Path(request["folder"]), request["name"], request["text"]
    try:
        case = parse_case(text, file=name, folder=folder, confined=True)
        bodies = {}
        for body_name, body in case.bodies().items():
            small = body.mesh.node_count <= INTEGRATED
            dofs = case.discrete(body_name).dofs.count if small else None
            bodies[body_name] = {"cells": body.mesh.cell_count, "nodes": body.mesh.node_count, "dofs": dofs}
        scene = json.dumps(encode_document(model_snapshot(case)), allow_nan=False)
    except FlexframeError as error:
        return {"valid": False, "problems": report_problems(error)}
    except MemoryError:
        told = "this needs more memory than a check may take; use a coarser mesh"
        return {"valid": False, "problems": report_problems(FlexframeError(told))}
    key = sha256(scene.encode()).hexdigest()
    return {
        "valid": True,
        "problems": [],
        "title": case.title,
        "bodies": bodies,
        "analyses": {name: analysis.kind for name, analysis in case.analyses.items()},
        "picture": key,
        "scene": None if key == request.get("known") else json.loads(scene),
    }


def limit_memory() -> None:
    """Let a wish for too much memory fail, where the system can do that."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(
            resource.RLIMIT_CORE, (0, 0)
        )  # an end is no reason to write all that memory to the disk


def limit_time(seconds: float) -> None:
    """Let the system end this process after so much more computing, where it can do that."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        last = ceil(used.ru_utime + used.ru_stime + seconds)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(
            resource.RLIMIT_CPU, (last if hard == resource.RLIM_INFINITY else min(last, hard), hard)
        )


def serve() -> None:
    """Answer requests until the input ends."""
    limit_memory()
    keep_from_terminal()
    answers, sys.stdout = sys.stdout, sys.stderr  # nothing else may print between the answers
    for line in sys.stdin:
        request = json.loads(line)
        limit_time(request["seconds"])
        answers.write(json.dumps(checked(request), allow_nan=False) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()

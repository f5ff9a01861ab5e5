"""The process that validates cases while they are written.

One JSON object a line comes in (`name`, `text`, `folder`, `known`), one goes out. It is a process of its own, so
that a case which takes too long or too much memory ends it, and not the server.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from flexframe.errors import FlexframeError
from flexframe.studio.messages import told_problems
from flexframe.studio.workspace import CaseText, Workspace, named_files

MEMORY = 4 << 30  # bytes of address space
INTEGRATED = 30_000
"""Nodes up to which a body is integrated as well, which finds inverted cells."""


def checked(request: dict[str, Any]) -> dict[str, Any]:
    """What is wrong with a case, or what it holds; the picture only when it is not the one known already."""
    from flexframe.cases.case import parse_case
    from flexframe.reports.html import encode_document
    from flexframe.studio.model_picture import model_picture

    folder, name, text = Path(request["folder"]), request["name"], request["text"]
    try:
        named_files(Workspace.at(folder), CaseText(name, text))
        case = parse_case(text, file=name, folder=folder)
        bodies = {}
        for body_name, body in case.bodies().items():
            small = body.mesh.node_count <= INTEGRATED
            dofs = case.discrete(body_name).dofs.count if small else None
            bodies[body_name] = {"cells": body.mesh.cell_count, "nodes": body.mesh.node_count, "dofs": dofs}
        scene = json.dumps(encode_document(model_picture(case)), allow_nan=False)
    except FlexframeError as error:
        return {"valid": False, "problems": told_problems(error)}
    except MemoryError:
        told = "this needs more memory than a check may take; use a coarser mesh"
        return {"valid": False, "problems": told_problems(FlexframeError(told))}
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


def serve() -> None:
    """Answer requests until the input ends."""
    limit_memory()
    answers, sys.stdout = sys.stdout, sys.stderr  # nothing else may print between the answers
    for line in sys.stdin:
        answers.write(json.dumps(checked(json.loads(line)), allow_nan=False) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()

"""flexframe check: whether a case can be run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flexframe.cases.case import Case, load_case
from flexframe.cases.problems import CaseError, Problem
from flexframe.commands.console import print_json
from flexframe.errors import InputError
from flexframe.model.rigid_body import RigidBody


def check(path: Path, overrides: Sequence[str], as_json: bool) -> None:
    """Validate a case and integrate its bodies; print what it holds."""
    try:
        case = load_case(path, overrides)
        contents = _contents(case)
    except InputError as error:
        if as_json:
            whole = (Problem(str(path), None, (), str(error)),)
            problems = error.problems if isinstance(error, CaseError) else whole
            print_json({"valid": False, "problems": [problem.as_json() for problem in problems]})
        raise
    if as_json:
        print_json({"valid": True, "problems": [], **contents})
        return
    for name, body in contents["bodies"].items():
        print(f"body {name}: {body['cells']} cells, {body['nodes']} nodes, {body['dofs']} degrees of freedom")
        for notice in body["notices"]:
            print(f"  note: {notice}")
    for name, rigid in contents["rigid_bodies"].items():
        print(f"rigid body {name}: {rigid['mass_kg']:.6g} kg, points {', '.join(rigid['points']) or 'none'}")
    for name, kind in contents["analyses"].items():
        print(f"analysis {name}: {kind}")
    print(f"{path}: valid")


def _contents(case: Case) -> dict[str, Any]:
    bodies = {}
    for name, body in case.bodies().items():
        dofs = case.discrete(name).dofs.count
        mesh = body.mesh
        notices = list(mesh.notices)
        bodies[name] = {"cells": mesh.cell_count, "nodes": mesh.node_count, "dofs": dofs, "notices": notices}
    return {
        "bodies": bodies,
        "rigid_bodies": _rigid_bodies(case),
        "analyses": {name: analysis.kind for name, analysis in case.analyses.items()},
    }


def _rigid_bodies(case: Case) -> dict[str, Any]:
    """Mass and named points of the bodies without a mesh."""
    found = case.linked.bodies if case.linked is not None else ()
    return {
        body.name: {"mass_kg": body.mass, "points": list(body.frames)}
        for body in found
        if isinstance(body, RigidBody)
    }

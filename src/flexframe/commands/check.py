"""flexframe check: whether a case can be run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flexframe.cases.case import Case, load_case
from flexframe.cases.section_tables import section_line, section_table
from flexframe.commands.console import print_json
from flexframe.entries.problems import CaseError, Problem
from flexframe.errors import InputError
from flexframe.model.rigid_body import RigidBody


def check(path: Path, overrides: Sequence[str], as_json: bool, *, confined: bool = False) -> None:
    """Validate a case and integrate its bodies; print what it holds."""
    try:
        case = load_case(path, overrides, confined=confined)
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
    for name, parameter in case.parameters.found.items():
        print(f"parameter {name}: {parameter}")
    for name, body in contents["bodies"].items():
        print(f"body {name}: {body['cells']} cells, {body['nodes']} nodes, {body['dofs']} degrees of freedom")
        for row in body["sections"]:
            print(f"  {section_line(row)}")
        for notice in body["notices"]:
            print(f"  note: {notice}")
    for name, rigid in contents["rigid_bodies"].items():
        print(f"rigid body {name}: {rigid['mass_kg']:.6g} kg, points {', '.join(rigid['points']) or 'none'}")
    for name, place in contents["places"].items():
        at = ", ".join(f"{value:.6g}" for value in place["node_m"])
        print(
            f"place {name}: node {place['node']} of {place['body']} at ({at}) m, {place['distance_m']:.3g} m away"
        )
    for notice in contents["notices"]:
        print(f"note: {notice}")
    for name, kind in contents["analyses"].items():
        print(f"analysis {name}: {kind}")
    print(f"{path}: valid")


def _contents(case: Case) -> dict[str, Any]:
    bodies = {}
    sections = section_table(case.bodies().values())
    for name, body in case.bodies().items():
        dofs = case.discrete(name).dofs.count
        mesh = body.mesh
        notices = list(mesh.notices)
        bodies[name] = {
            "cells": mesh.cell_count,
            "nodes": mesh.node_count,
            "dofs": dofs,
            "sections": sections.get(name, []),
            "notices": notices,
        }
    parameters = case.parameters.as_json()
    return {
        **({"parameters": parameters} if parameters else {}),
        "bodies": bodies,
        "rigid_bodies": _rigid_bodies(case),
        "places": case.places(),
        "notices": list(case.doubts()),
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

"""flexframe check: whether a case can be run; flexframe schema: what one may hold."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flexframe.cases.case import Case, load_case
from flexframe.cases.checking import (
    BodyProperties,
    body_properties,
    check_case,
    properties_table,
    section_line,
    section_table,
)
from flexframe.cases.document import case_schema
from flexframe.commands.console import console, print_json
from flexframe.commands.tables import print_table
from flexframe.entries.problems import CaseAnalysisError, CaseError, Problem
from flexframe.errors import FlexframeError
from flexframe.model.rigid_body import RigidBody


def check(path: Path, overrides: Sequence[str], as_json: bool, *, confined: bool = False) -> None:
    """Do everything that a run does before its work begins; print what the case holds."""
    try:
        case = load_case(path, overrides, confined=confined)
        case.discrete_bodies()
        bodies = body_properties(case)
        contents = _contents(case, bodies)
        if not as_json:
            _print_contents(case, bodies, contents)
        check_case(case)
    except FlexframeError as error:
        if as_json:
            whole = (Problem(str(path), None, (), str(error)),)
            problems = error.problems if isinstance(error, CaseError | CaseAnalysisError) else whole
            print_json({"valid": False, "problems": [problem.as_json() for problem in problems]})
        raise
    if as_json:
        print_json({"valid": True, "problems": [], **contents})
        return
    print(f"{path}: valid")


def _print_contents(case: Case, bodies: dict[str, BodyProperties], contents: dict[str, Any]) -> None:
    for name, parameter in case.parameters.found.items():
        print(f"parameter {name}: {parameter}")
    console().print(print_table(properties_table(bodies)))
    for name, body in contents["bodies"].items():
        print(f"body {name}: {body['cells']} cells, {body['nodes']} nodes")
        for row in body["sections"]:
            print(f"  {section_line(row)}")
        for notice in body["notices"]:
            print(f"  note: {notice}")
    for name, rigid in contents["rigid_bodies"].items():
        print(f"rigid body {name}: points {', '.join(rigid['points']) or 'none'}")
    for name, place in contents["places"].items():
        at = ", ".join(f"{value:.6g}" for value in place["node_m"])
        print(
            f"place {name}: node {place['node']} of {place['body']} at ({at}) m, {place['distance_m']:.3g} m away"
        )
    for notice in contents["notices"]:
        print(f"note: {notice}")
    for name, kind in contents["analyses"].items():
        print(f"analysis {name}: {kind}")


def _contents(case: Case, properties: dict[str, BodyProperties]) -> dict[str, Any]:
    sections = section_table(case.bodies().values())
    bodies = {
        name: {
            "cells": body.mesh.cell_count,
            "nodes": body.mesh.node_count,
            **properties[name].as_json(),
            "sections": sections.get(name, []),
            "notices": list(body.mesh.notices),
        }
        for name, body in case.bodies().items()
    }
    parameters = case.parameters.as_json()
    return {
        **({"parameters": parameters} if parameters else {}),
        "bodies": bodies,
        "rigid_bodies": _rigid_bodies(case, properties),
        "places": case.places(),
        "notices": list(case.doubts()),
        "analyses": {name: analysis.kind for name, analysis in case.analyses.items()},
    }


def _rigid_bodies(case: Case, properties: dict[str, BodyProperties]) -> dict[str, Any]:
    """The bodies without a mesh, with their named points."""
    found = case.linked.bodies if case.linked is not None else ()
    return {
        body.name: {**properties[body.name].as_json(), "points": list(body.frames)}
        for body in found
        if isinstance(body, RigidBody)
    }


def schema() -> None:
    """Print the JSON schema of case files."""
    print_json(case_schema())

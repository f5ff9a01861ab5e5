"""What a case says of a system that is stepped: that of one of its transients."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flexframe.analyses.transient.entry import TransientEntry
from flexframe.cases.case import Case, build_case
from flexframe.cases.source import Node
from flexframe.entries.parameters import FIELD
from flexframe.entries.problems import CaseError
from flexframe.entries.sensors import describe_sensors
from flexframe.errors import InputError
from flexframe.model.system import System, unknown


def with_tuned_parameters(case: Case, names: Sequence[str]) -> Case:
    """The case with some parameters of its formulas as inputs, which a unit may change while it runs.

    An InputError where one of them also stands for a number of the compiled model, as a mass or a length.
    """
    tuned = [name for name in names if name in case.parameters.found]
    if not tuned:
        return case
    root = case.root
    assert isinstance(root.value, dict)
    parameters = root.value[FIELD]
    inputs = root.value.get("inputs") or Node(parameters.line, {})
    assert isinstance(parameters.value, dict)
    assert isinstance(inputs.value, dict)
    lines = {name: parameters.key_lines[name] for name in tuned}
    moved = {name: Node(lines[name], {"value": parameters.value[name]}, {"value": lines[name]}) for name in tuned}
    left = {name: node for name, node in parameters.value.items() if name not in tuned}
    changed = {
        **root.value,
        FIELD: Node(parameters.line, left, parameters.key_lines),
        "inputs": Node(inputs.line, {**inputs.value, **moved}, {**inputs.key_lines, **lines}),
    }
    made = Node(root.line, changed, {"inputs": parameters.line, **root.key_lines})
    try:
        return build_case(made, case.text, file=case.file, folder=case.folder, settings=())
    except CaseError as error:
        first = error.problems[0]
        raise InputError(
            f"{', '.join(tuned)} cannot be tuned: only formulas of loads, controllers and events read it while a "
            f"unit runs, and {'.'.join(map(str, first.path))} is a number of the compiled model",
            field="parameter",
        ) from None


def stepped_system(case: Case, analysis: str = "") -> tuple[System, dict[str, Any]]:
    """The system with the sensors of a transient, and the options of `Simulation` that it asks for.

    Without a name it is the first transient of the system.
    """
    if not case.has_system:
        raise InputError("the case has no system; link its bodies by joints, or to the ground")
    found = {
        name: entry
        for name, entry in case.analyses.items()
        if isinstance(entry, TransientEntry) and entry.is_of_system(has_system=True)
    }
    if analysis and analysis not in found:
        raise InputError(unknown("transient of the system", analysis, list(found)), field="analysis")
    system = case.system()
    options: dict[str, Any] = {"reductions": case.reductions()}
    entry = found[analysis] if analysis else next(iter(found.values()), None)
    if entry is None:
        return system, options
    asked = entry.options()
    options["terms"] = asked.terms
    options["duration"] = asked.duration
    if asked.equal_step is not None:
        options["step"] = asked.equal_step
    if asked.spectral_radius is not None:
        options["spectral_radius"] = asked.spectral_radius
    if asked.initial_deformation != "periodic":
        options["initial_deformation"] = asked.initial_deformation
    if entry.damping is not None:
        options["damping"] = entry.damping.damping()
    return replace(system, sensors={**system.sensors, **describe_sensors(entry.sensors)}), options

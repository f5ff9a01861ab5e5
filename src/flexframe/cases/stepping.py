"""What a case says of a system that is stepped: that of one of its transients."""

from dataclasses import replace
from typing import Any

from flexframe.analyses.transient.entry import TransientEntry
from flexframe.cases.case import Case
from flexframe.entries.sensors import described
from flexframe.errors import InputError
from flexframe.model.system import System, unknown


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
    return replace(system, sensors={**system.sensors, **described(entry.sensors)}), options

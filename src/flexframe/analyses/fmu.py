"""Systems as functional mock-up units (FMI 2.0 and 3.0, co-simulation) that any simulator can step.

A unit is a zip file: the description of its variables, the core as a library without Python, and the model file.
"""

import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from platform import machine
from tempfile import TemporaryDirectory
from typing import Any, Literal
from xml.etree import ElementTree

import flexframe
from flexframe.analyses.stepping import Simulation
from flexframe.entries.quantities import unit_of
from flexframe.errors import InputError
from flexframe.model.system import System, unknown

LIBRARY = "flexframe_fmu"
"""Name of the compiled library, which is the identifier of every unit."""

_BASE = ("m", "kg", "s")
_WHEN = (1980, 1, 1, 0, 0, 0)  # of files in a unit, so that equal models make equal units


@dataclass(frozen=True)
class _Variable:
    """A variable of the description; value references are its places in the list."""

    name: str
    causality: str
    variability: str
    unit: str = ""
    start: float | None = None
    words: str = ""


def write_fmu(
    system: System,
    path: str | Path,
    *,
    fmi: Literal[2, 3] = 2,
    parameters: Sequence[str] = (),
    name: str = "",
    **options: Any,
) -> Path:
    """Write a system as a unit for co-simulation.

    Parameters
    ----------
    system
        Its inputs become inputs of the unit, its sensors outputs.
    path
        Of the unit, `.fmu`.
    fmi
        2 for FMI 2.0, 3 for FMI 3.0.
    parameters
        Inputs that become tunable parameters instead.
    name
        Of the model, that of the system without one.
    options
        Those of `Simulation`: step, reductions, outputs and others.

    Returns
    -------
    Path
        Where the unit is.

    Examples
    --------
    >>> system = ff.System(
    ...     [ff.RigidBody("block", 2.0, np.array(0.01))],
    ...     [ff.Prismatic("guide", "ground", "block", axis=(1.0, 0.0))],
    ...     loads=[ff.MarkerForce("push", "block", ("pull", 0.0))],
    ...     sensors={"x": ff.sensors.MarkerSensor("position", "block", along=(1.0, 0.0))},
    ...     inputs=[ff.Input("pull", 0.0, "N")],
    ... )
    >>> ff.write_fmu(system, "block.fmu", fmi=3, step=1e-3).name
    'block.fmu'
    """
    if fmi not in (2, 3):
        raise InputError(f"FMI {fmi} is not known; give 2 or 3", field="fmi")
    known = [each.name for each in system.inputs]
    for parameter in parameters:
        if parameter not in known:
            raise InputError(unknown("input", parameter, known), field="parameters")
    library = compiled_library()
    sim = Simulation(system, **options)
    if not sim.stepping.outputs:
        raise InputError("the system has no sensor that a unit could give out; add sensors", part=("sensors",))
    with TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        sim.save(model)
        content = model.read_bytes()
    token = f"{{{sha256(content).hexdigest()[:32]}}}"
    variables = _variables(sim, parameters)
    describe = _fmi2 if fmi == 2 else _fmi3
    description = describe(name or system.name, token, variables, sim.stepping.step)
    files: Mapping[str, bytes] = {
        "modelDescription.xml": description,
        f"binaries/{_platform(fmi)}/{library.name}": library.read_bytes(),
        "resources/model.flexframe": content,
        "resources/token": token.encode() + b"\n",
    }
    path = Path(path)
    with zipfile.ZipFile(path, "w") as archive:
        for place, data in files.items():
            archive.writestr(zipfile.ZipInfo(place, _WHEN), data, zipfile.ZIP_DEFLATED)
    return path


def compiled_library() -> Path:
    """The library that was compiled with the package."""
    spec = find_spec("flexframe._core")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for ending in (".so", ".dll", ".dylib"):
            found = Path(folder) / f"{LIBRARY}{ending}"
            if found.is_file():
                return found
    raise InputError("this build of flexframe has no library for units; install a wheel, or build it again")


def _platform(fmi: int) -> str:
    """The folder of the library, as the standards name it."""
    arm = machine().lower() in ("arm64", "aarch64")
    system = {"linux": "linux", "win32": "windows", "darwin": "darwin"}.get(sys.platform, sys.platform)
    if fmi == 3:
        return f"{'aarch64' if arm else 'x86_64'}-{system}"
    return {"linux": "linux64", "windows": "win64", "darwin": "darwin64"}.get(system, system)


def _variables(sim: Simulation, parameters: Sequence[str]) -> list[_Variable]:
    """All variables by their value references: the time, inputs, outputs, the internal step."""
    found = [_Variable("time", "independent", "continuous", "s")]
    for each in sim.stepping.inputs:
        tuned = each.name in parameters
        kind = ("parameter", "tunable") if tuned else ("input", "continuous")
        found.append(_Variable(each.name, *kind, each.unit, each.value))
    found += [_Variable(each.name, "output", "continuous", each.unit) for each in sim.stepping.outputs]
    names = [each.name for each in found]
    step = "internal_step" if "internal_step" not in names else "flexframe_internal_step"
    words = "Longest step of the integrator; a communication step takes as many of equal length as it needs"
    found.append(_Variable(step, "parameter", "fixed", "s", sim.stepping.step, words))
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two variables of the unit are called {twice}; give the sensor or input another name")
    return found


def _units(parent: ElementTree.Element, variables: Sequence[_Variable]) -> None:
    used = sorted({each.unit for each in variables if each.unit})
    if not used:
        return
    definitions = ElementTree.SubElement(parent, "UnitDefinitions")
    for name in used:
        element = ElementTree.SubElement(definitions, "Unit", name=name)
        try:
            unit = unit_of(name)
        except InputError:
            continue  # a word of the user
        powers = {base: str(power) for base, power in zip(_BASE, unit.exponents, strict=True) if power}
        angle = {"rad": "1"} if "rad" in name else {}
        factor = {} if unit.factor == 1.0 else {"factor": repr(unit.factor)}
        ElementTree.SubElement(element, "BaseUnit", powers | angle | factor)


def _header(version: str, name: str, token: Mapping[str, str]) -> ElementTree.Element:
    attributes = {
        "fmiVersion": version,
        "modelName": name,
        **token,
        "generationTool": f"flexframe {flexframe.__version__}",
        "variableNamingConvention": "flat",  # sensors may have names with blanks
    }
    return ElementTree.Element("fmiModelDescription", attributes)


def _co_simulation(root: ElementTree.Element, state: str, variables: Sequence[_Variable], step: float) -> None:
    """What the unit can do, units, and the step; `state` is how a version spells that of a unit."""
    able = {f"canGetAndSet{state}": "true", f"canSerialize{state}": "true"}
    able |= {"modelIdentifier": LIBRARY, "canHandleVariableCommunicationStepSize": "true"}
    ElementTree.SubElement(root, "CoSimulation", able)
    _units(root, variables)
    ElementTree.SubElement(root, "DefaultExperiment", startTime="0", stepSize=repr(step))


def _attributes(reference: int, variable: _Variable) -> dict[str, str]:
    found = {
        "name": variable.name,
        "valueReference": str(reference),
        "causality": variable.causality,
        "variability": variable.variability,
    }
    return found | ({"description": variable.words} if variable.words else {})


def _value(variable: _Variable) -> dict[str, str]:
    unit = {"unit": variable.unit} if variable.unit else {}
    return unit | ({} if variable.start is None else {"start": repr(variable.start)})


def _written(root: ElementTree.Element) -> bytes:
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def _fmi2(name: str, token: str, variables: Sequence[_Variable], step: float) -> bytes:
    root = _header("2.0", name, {"guid": token})
    _co_simulation(root, "FMUstate", variables, step)
    listed = ElementTree.SubElement(root, "ModelVariables")
    structure = ElementTree.SubElement(root, "ModelStructure")
    outputs, initial = (ElementTree.SubElement(structure, part) for part in ("Outputs", "InitialUnknowns"))
    for reference, each in enumerate(variables):
        element = ElementTree.SubElement(listed, "ScalarVariable", _attributes(reference, each))
        ElementTree.SubElement(element, "Real", _value(each))
        if each.causality == "output":
            for part in (outputs, initial):
                ElementTree.SubElement(part, "Unknown", index=str(reference + 1))
    return _written(root)


def _fmi3(name: str, token: str, variables: Sequence[_Variable], step: float) -> bytes:
    root = _header("3.0", name, {"instantiationToken": token})
    _co_simulation(root, "FMUState", variables, step)
    listed = ElementTree.SubElement(root, "ModelVariables")
    structure = ElementTree.SubElement(root, "ModelStructure")
    for reference, each in enumerate(variables):
        ElementTree.SubElement(listed, "Float64", _attributes(reference, each) | _value(each))
    outputs = [str(reference) for reference, each in enumerate(variables) if each.causality == "output"]
    for part in ("Output", "InitialUnknown"):
        for output in outputs:
            ElementTree.SubElement(structure, part, valueReference=output)
    return _written(root)

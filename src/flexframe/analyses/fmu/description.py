"""The description of a unit, modelDescription.xml: its variables with units, and which of them are what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

import flexframe
from flexframe.entries.quantities import unit_of
from flexframe.errors import InputError

LIBRARY = "flexframe_fmu"
"""Name of the compiled library, which is the identifier of every unit."""

Interface = Literal["co_simulation", "model_exchange"]

_BASE = ("m", "kg", "s")
_CATEGORIES = ("logStatusWarning", "logStatusDiscard", "logStatusError")
_TOLERANCE = 1e-6  # of an integrator outside, where its user gives none


@dataclass(frozen=True)
class Variable:
    """A variable of the description."""

    reference: int
    name: str
    causality: str
    variability: str
    unit: str = ""
    start: float | None = None
    words: str = ""
    exact: bool = False  # whether the start of a state may be set
    nominal: float | None = None
    derivative_of: int | None = None  # the reference of a state
    indicator: bool = False


@dataclass(frozen=True, eq=False)
class Description:
    """What a unit says of itself."""

    name: str
    token: str
    interfaces: tuple[Interface, ...]
    variables: tuple[Variable, ...]
    step: float  # that the author of the model takes [s]
    derivatives: bool = False  # whether directional derivatives are offered

    @property
    def exchanges(self) -> bool:
        """Whether it is for model exchange, too."""
        return "model_exchange" in self.interfaces

    @property
    def outputs(self) -> list[Variable]:
        """Numbers of the sensors."""
        return [each for each in self.variables if each.causality == "output"]

    @property
    def rates(self) -> list[Variable]:
        """Derivatives of the states."""
        return [each for each in self.variables if each.derivative_of is not None]

    @property
    def indicators(self) -> list[Variable]:
        """Event indicators."""
        return [each for each in self.variables if each.indicator]


def fmi2(description: Description) -> bytes:
    """As FMI 2.0 wants it."""
    root = _header("2.0", description, {"guid": description.token})
    if description.exchanges:
        root.set("numberOfEventIndicators", str(len(description.indicators)))
    _parts(root, description, "FMUstate", "providesDirectionalDerivative")
    listed = ElementTree.SubElement(root, "ModelVariables")
    places = {each.reference: str(number) for number, each in enumerate(description.variables, 1)}
    for each in description.variables:
        element = ElementTree.SubElement(listed, "ScalarVariable", _attributes(each))
        derivative = {} if each.derivative_of is None else {"derivative": places[each.derivative_of]}
        ElementTree.SubElement(element, "Real", _value(each) | derivative)
    structure = ElementTree.SubElement(root, "ModelStructure")
    unknown = [*description.outputs, *description.rates]
    for part, members in (("Outputs", description.outputs), ("Derivatives", description.rates)):
        if members:
            own = ElementTree.SubElement(structure, part)
            for each in members:
                ElementTree.SubElement(own, "Unknown", index=places[each.reference])
    own = ElementTree.SubElement(structure, "InitialUnknowns")
    for index in sorted(int(places[each.reference]) for each in unknown):
        ElementTree.SubElement(own, "Unknown", index=str(index))
    return _xml_bytes(root)


def fmi3(description: Description) -> bytes:
    """As FMI 3.0 wants it."""
    root = _header("3.0", description, {"instantiationToken": description.token})
    _parts(root, description, "FMUState", "providesDirectionalDerivatives")
    listed = ElementTree.SubElement(root, "ModelVariables")
    for each in description.variables:
        derivative = {} if each.derivative_of is None else {"derivative": str(each.derivative_of)}
        ElementTree.SubElement(listed, "Float64", _attributes(each) | _value(each) | derivative)
    structure = ElementTree.SubElement(root, "ModelStructure")
    for part, members in (
        ("Output", description.outputs),
        ("ContinuousStateDerivative", description.rates),
        ("InitialUnknown", [*description.outputs, *description.rates]),
        ("EventIndicator", description.indicators),
    ):
        for each in members:
            ElementTree.SubElement(structure, part, valueReference=str(each.reference))
    return _xml_bytes(root)


def _header(version: str, description: Description, token: Mapping[str, str]) -> ElementTree.Element:
    attributes = {
        "fmiVersion": version,
        "modelName": description.name,
        **token,
        "generationTool": f"flexframe {flexframe.__version__}",
        "variableNamingConvention": "flat",  # sensors may have names with blanks
    }
    return ElementTree.Element("fmiModelDescription", attributes)


def _parts(root: ElementTree.Element, description: Description, state: str, derivatives: str) -> None:
    """What the unit can do, units, categories and the step; `state` and `derivatives` as a version spells them."""
    able = {"modelIdentifier": LIBRARY, f"canGetAndSet{state}": "true", f"canSerialize{state}": "true"}
    if description.exchanges:
        offered = {derivatives: "true"} if description.derivatives else {}
        ElementTree.SubElement(root, "ModelExchange", able | offered)
    if "co_simulation" in description.interfaces:
        ElementTree.SubElement(root, "CoSimulation", able | {"canHandleVariableCommunicationStepSize": "true"})
    _units(root, description.variables)
    categories = ElementTree.SubElement(root, "LogCategories")
    for name in _CATEGORIES:
        ElementTree.SubElement(categories, "Category", name=name)
    experiment = {"startTime": "0", "stepSize": repr(description.step)}
    if description.exchanges:
        experiment["tolerance"] = repr(_TOLERANCE)
    ElementTree.SubElement(root, "DefaultExperiment", experiment)


def _units(parent: ElementTree.Element, variables: Sequence[Variable]) -> None:
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
        if any(power != round(power) for power in unit.exponents):
            continue  # which the standards cannot express
        powers = {base: str(round(power)) for base, power in zip(_BASE, unit.exponents, strict=True) if power}
        angle = {"rad": "1"} if "rad" in name else {}
        factor = {} if unit.factor == 1.0 else {"factor": repr(unit.factor)}
        ElementTree.SubElement(element, "BaseUnit", powers | angle | factor)


def _attributes(variable: Variable) -> dict[str, str]:
    found = {
        "name": variable.name,
        "valueReference": str(variable.reference),
        "causality": variable.causality,
        "variability": variable.variability,
    }
    if variable.exact:
        found["initial"] = "exact"
    return found | ({"description": variable.words} if variable.words else {})


def _value(variable: Variable) -> dict[str, str]:
    unit = {"unit": variable.unit} if variable.unit else {}
    nominal = {} if variable.nominal is None else {"nominal": repr(variable.nominal)}
    return unit | nominal | ({} if variable.start is None else {"start": repr(variable.start)})


def _xml_bytes(root: ElementTree.Element) -> bytes:
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))

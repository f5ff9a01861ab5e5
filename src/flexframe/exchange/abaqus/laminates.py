"""Shells of Abaqus of several layers or beside their nodes."""

from collections.abc import Callable, Sequence

import numpy as np

from flexframe.elements.laminate import LaminateProperty, Layer, laminate
from flexframe.elements.orthotropic import Orientation
from flexframe.elements.properties import Material
from flexframe.errors import InputError
from flexframe.exchange.abaqus.reading import AbaqusSection
from flexframe.exchange.abaqus.scopes import real
from flexframe.exchange.contract import AnyMaterial
from flexframe.exchange.units import Units

_SIDES = {"": 0.0, "SPOS": 0.5, "SNEG": -0.5}
"""Where the nodes are over the middle of the layers, of the thickness."""


def section_layers(section: AbaqusSection, material: Callable[[str], AnyMaterial], units: Units) -> list[Layer]:
    """The layers as the file lists them, from the bottom to the top."""
    found = []
    for place, thickness, name, way in section.layers:
        if not name or not thickness or not real(thickness, place) > 0:
            raise InputError(f"{place}: a layer takes thickness, points, material and angle; complete it")
        angle = 0.0
        if way:
            try:
                angle = float(way)
            except ValueError:
                raise InputError(
                    f"{place}: a layer with an orientation of its own ('{way[:40]}') is not read; give its "
                    "angle, and the orientation in the section"
                ) from None
        found.append(Layer(material(name), real(thickness, place) * units.length, float(np.radians(angle))))
    if not found:
        raise InputError(f"the section of '{section.cell_set}' has no layers; list them")
    return found


def layered_shell(
    section: AbaqusSection, layers: Sequence[Layer], orientation: Orientation | None
) -> LaminateProperty:
    """Axis 1 of isotropic layers does not matter."""
    share = _SIDES[section.offset] if section.offset in _SIDES else real(section.offset, section.cell_set)
    isotropic = all(isinstance(layer.material, Material) for layer in layers)
    name = layers[0].material.name if len(layers) == 1 else f"layers of {section.cell_set}"
    thickness = sum(layer.thickness for layer in layers)
    return laminate(layers, offset=-share * thickness, orientation=None if isotropic else orientation, name=name)

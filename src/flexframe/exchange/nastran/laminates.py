"""Laminates of Nastran (PCOMP, PCOMPG) as shells of layers."""

from collections.abc import Callable

import numpy as np

from flexframe.elements.laminate import LaminateProperty, Layer, laminate
from flexframe.errors import InputError
from flexframe.exchange.contract import AnyMaterial
from flexframe.exchange.nastran.cards import Card
from flexframe.exchange.units import Units

LAMINATES = ("PCOMP", "PCOMPG")
_PLIES = {"PCOMP": (9, 4, 0), "PCOMPG": (9, 8, 1)}  # first field, fields a ply, place of the material among them


def laminate_of(
    card: Card,
    material: Callable[[int], AnyMaterial],
    *,
    lift: float,
    units: Units,
    mass_factor: float,
) -> LaminateProperty:
    """The layers from the bottom to the top; `lift` is the offset of the elements [units of the file]."""
    number, option = card.integer(1), card.text(8) if card.name == "PCOMP" else ""
    if option not in ("", "SYM"):
        raise InputError(f"{card.place}: {card.name} {number} with LAM = {option} is not read; list all its plies")
    layers = _layers(card, material, units)
    if option == "SYM":
        layers += layers[::-1]
    thickness = sum(layer.thickness for layer in layers)
    bottom = card.real(2) * units.length if card.text(2) else -thickness / 2
    return laminate(
        layers,
        offset=lift * units.length + bottom + thickness / 2,
        name=f"{card.name} {number}",
        extra_mass=card.real(3, 0.0) * units.mass / units.length**2 * mass_factor,
    )


def _layers(card: Card, material: Callable[[int], AnyMaterial], units: Units) -> list[Layer]:
    """Plies; material and thickness that are left out are those of the ply before."""
    first, step, place = _PLIES[card.name]
    found: list[Layer] = []
    number, thickness = 0, 0.0
    for field in range(first + place, len(card.fields) + 1, step):
        if not any(card.text(field + k) for k in range(3)):
            continue
        number, thickness = card.integer(field, number), card.real(field + 1, thickness)
        if not (number and thickness > 0):
            raise InputError(
                f"{card.place}: ply {len(found) + 1} of {card.name} {card.integer(1)} has no material or no "
                "thickness; give both"
            )
        angle = float(np.radians(card.real(field + 2, 0.0)))
        found.append(Layer(material(number), thickness * units.length, angle))
    if not found:
        raise InputError(f"{card.place}: {card.name} {card.integer(1)} has no plies; list them")
    return found

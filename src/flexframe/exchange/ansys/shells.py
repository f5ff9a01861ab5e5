"""Shells of Ansys: sections of one layer or of several, and the axes that their angles are measured from."""

from collections.abc import Callable

import numpy as np

from flexframe.elements.laminate import Layer, laminate
from flexframe.elements.orthotropic import Orientation
from flexframe.elements.properties import Material, ShellProperty
from flexframe.errors import InputError
from flexframe.exchange.ansys.database import SectionData
from flexframe.exchange.contract import AnyMaterial
from flexframe.maths.arrays import Array

_SIDES = {"": 0.0, "MID": 0.0, "TOP": -0.5, "BOT": 0.5}
"""Where the middle lies above the nodes, which are on this side, over the thickness."""


def first_axes(corners: Array) -> Array:
    """Axis x of elements by their corners (n, 3 or 4, 3): along the first side, of a quadrilateral the mean."""
    first = corners[:, 1] - corners[:, 0]
    if corners.shape[1] == 4:
        first = first + corners[:, 2] - corners[:, 3]
    return np.asarray(first / np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-300))


def shell_of(  # noqa: PLR0917
    section: SectionData | None,
    real: tuple[float, ...],
    number: int,
    way: Array,
    material: Callable[[int], AnyMaterial],
    length: float,
    notices: list[str],
) -> ShellProperty:
    """What shells are made of: a section or a thickness, of the material `number` where layers name none.

    `way` is axis x of the elements and the number of their coordinate system; `length` is that of the units.
    """
    if section is None or section.kind != "SHELL":
        if not (real and real[0] > 0):
            raise InputError("the shell has no thickness; give SECDATA or a real constant")
        place, offset = "a shell", ""
        rows: tuple[tuple[float, ...], ...] = ((real[0],),)
    else:
        place, offset, rows = section.place, section.offset, section.layers
    if not rows or not all(row and row[0] > 0 for row in rows):
        raise InputError(f"{place}: a layer of the shell has no thickness; give it in SECDATA")
    if offset not in _SIDES:
        raise InputError(
            f"{place}: a shell beside its nodes by SECOFFSET, {offset} is not read; give MID, TOP or BOT"
        )
    layers = [
        Layer(material(int(own) or number), thickness * length, float(np.radians(angle)))
        for thickness, own, angle in ((*row, 0.0, 0.0)[:3] for row in rows)
    ]
    isotropic = all(isinstance(layer.material, Material) for layer in layers)
    if len(layers) == 1 and not _SIDES[offset] and isotropic:
        return ShellProperty(layers[0].material, layers[0].thickness)
    name = layers[0].material.name if len(layers) == 1 else f"section of {len(layers)} layers"
    beside = _SIDES[offset] * sum(layer.thickness for layer in layers)
    made = laminate(layers, offset=beside, orientation=None if isotropic else _axes(way, place), name=name)
    note = f"the shell section of {place} {made.stress_remark}"
    if len(layers) > 1 and note not in notices:
        notices.append(note)
    return made


def _axes(way: Array, place: str) -> Orientation:
    if way[3]:
        raise InputError(
            f"{place}: shells of orthotropic materials in element coordinate system {way[3]:.0f} (ESYS) are not "
            "read; leave it at 0"
        )
    x, y, z = way[:3].tolist()
    other = np.eye(3)[int(np.argmin(np.abs(way[:3])))]
    return Orientation((x, y, z), tuple(np.cross(way[:3], other)))

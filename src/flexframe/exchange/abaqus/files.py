"""Abaqus and CalculiX input files as parts: materials and sections become regions."""

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from flexframe.elements.properties import (
    BarProperty,
    BeamProperty,
    Circle,
    Material,
    PlaneProperty,
    Property,
    Rectangle,
    Section,
    ShellProperty,
    SolidProperty,
)
from flexframe.errors import InputError
from flexframe.exchange.abaqus.keywords import included_files
from flexframe.exchange.abaqus.reading import AbaqusModel, AbaqusSection, abaqus_model
from flexframe.exchange.abaqus.writing import write_abaqus
from flexframe.exchange.bodies import part_body
from flexframe.exchange.contract import AnyMaterial, Format, Part, Settings
from flexframe.exchange.regions import Made, Regions
from flexframe.exchange.units import Units
from flexframe.files import OpenFile
from flexframe.maths.arrays import IntArray
from flexframe.model.body import Body


def abaqus_body(name: str, model: AbaqusModel, *, materials: Mapping[str, AnyMaterial] | None = None) -> Body:
    """A body in space of everything that an Abaqus file describes; supports and loads are added with `replace`.

    The file must be in SI units. `materials` replaces filed materials by name, or gives what the file leaves out.
    A cell in several sections belongs to the last of them, as in Abaqus.

    Parameters
    ----------
    name
        Name of the body.
    model
        What `read_abaqus` read.
    materials
        Materials by the name that the file gives them.

    Returns
    -------
    Body
        A body in space, without supports and loads.

    Examples
    --------
    >>> ff.mesh.write_mesh(ff.mesh.block((0.4, 0.1, 0.1), (4, 1, 1)), "part.inp")
    >>> with open("part.inp", "a") as file:
    ...     _ = file.write("*SOLID SECTION, ELSET=all, MATERIAL=STEEL\\n")
    >>> part = ff.bodies.abaqus_body("part", ff.mesh.read_abaqus("part.inp"), materials={"STEEL": ff.STEEL})
    >>> round(ff.bodies.check_body(part).mass, 6)
    31.4
    """
    return part_body(name, abaqus_part(model, Settings(materials=materials or {})))


def abaqus_part(model: AbaqusModel, settings: Settings) -> Part:
    """What a model describes, in SI units."""
    mesh = model.mesh
    owner = np.full(mesh.cell_count, -1)
    for index, section in enumerate(model.sections):
        owner[mesh.cells_of(section.cell_set)] = index
    regions = Regions()
    for index, section in enumerate(model.sections):
        for kind, cells in _by_kind(model, np.flatnonzero(owner == index).astype(np.int64)).items():

            def make(section: AbaqusSection = section, kind: str = kind) -> Made:
                return _property(section, kind, _material(model, section, settings), settings.units), None

            regions.add(f"section {index + 1} {kind}", cells, make)
    found = {}
    for name in model.materials:
        try:
            found[name] = _filed_material(model, name, settings.units)
        except InputError:  # a region that is made of it says what it lacks
            continue
    ignored = f"keywords that were not read: {', '.join(model.ignored)}"
    return Part(
        mesh=mesh.with_sets(cell_sets=regions.cell_sets).scaled(settings.units.length),
        regions=tuple(regions.made),
        materials=found,
        notices=(*mesh.notices, *((ignored,) if model.ignored else ())),
    )


def _material(model: AbaqusModel, section: AbaqusSection, settings: Settings) -> AnyMaterial:
    return settings.material(section.material) or _filed_material(model, section.material, settings.units)


def _filed_material(model: AbaqusModel, name: str, units: Units) -> Material:
    filed = {key.lower(): value for key, value in model.materials.items()}.get(name.lower())
    if filed is None:
        raise InputError(f"material '{name}' is not in the file; give it in `materials`")
    E, nu, density = filed.youngs_modulus, filed.poisson_ratio, filed.density
    if E is None or nu is None or density is None:
        missing = "isotropic *ELASTIC data" if E is None or nu is None else "*DENSITY"
        raise InputError(f"material '{filed.name}' has no {missing} in the file; give it in `materials`")
    return Material(E * units.stress, nu, density * units.density, filed.name)


_KINDS = (
    (r"C3D.*", "solid"),
    (r"CPS.*|M3D.*", "plane stress"),
    (r"CPE.*", "plane strain"),
    (r"T[23]D.*", "bar"),
    (r"B.*", "beam"),
    (r"S.*", "shell"),
)


def _by_kind(model: AbaqusModel, cells: IntArray) -> dict[str, IntArray]:
    """The cells of a section by what their element types make of it; point elements are left out."""
    found: dict[str, list[IntArray]] = {}
    for type_name, members in model.element_types.items():
        kind = next((kind for pattern, kind in _KINDS if re.fullmatch(pattern, type_name.upper())), None)
        common = np.intersect1d(cells, members)
        if kind is not None and common.size:
            found.setdefault(kind, []).append(common)
    return {kind: np.concatenate(parts) for kind, parts in found.items()}


def _property(section: AbaqusSection, kind: str, material: AnyMaterial, units: Units) -> Property:
    size = section.values[0] * units.length if section.values else None
    if kind == "solid":
        return SolidProperty(material)
    if kind in ("plane stress", "plane strain"):
        return PlaneProperty(material, size or units.length, "stress" if kind == "plane stress" else "strain")
    if not isinstance(material, Material):
        raise InputError(f"material '{material.name}' is orthotropic; a {kind} takes an isotropic one")
    if kind == "beam":
        return BeamProperty(material, _profile(section, units))
    if size is None:
        raise InputError(
            f"the section of '{section.cell_set}' has no {'area' if kind == 'bar' else 'thickness'}; add it"
        )
    return BarProperty(material, size * units.length) if kind == "bar" else ShellProperty(material, size)


def _profile(section: AbaqusSection, units: Units) -> Section:
    match section.profile.upper(), tuple(value * units.length for value in section.values):
        case "RECT", (a, b, *_):
            # Abaqus: a along its local 1-axis (across the plane of a planar beam), b along the 2-axis
            return Rectangle(width=a, height=b)
        case "CIRC", (radius, *_):
            return Circle(diameter=2 * radius)
        case "PIPE", (radius, wall, *_):
            return Circle(diameter=2 * radius, inner_diameter=2 * (radius - wall))
    raise InputError(
        f"beam section {section.profile} of '{section.cell_set}' is not read; give RECT, CIRC or PIPE"
    )


def _read(file: OpenFile, settings: Settings) -> Part:
    return abaqus_part(abaqus_model(file), settings)


def _write(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    assert part.mesh is not None
    write_abaqus(part.mesh.scaled(1 / units.length), path)
    return ()


def knows_abaqus(head: bytes) -> bool:
    """Whether the first bytes of a text are those of an Abaqus or CalculiX input file."""
    return b"\0" not in head and re.search(rb"^\s*\*\s*[A-Za-z]", head, re.MULTILINE) is not None


ABAQUS = Format(
    name="abaqus",
    title="Abaqus input",
    endings=(".inp",),
    reads=("mesh", "sets", "properties"),
    writes=("mesh", "sets"),
    read=_read,
    write=_write,
    includes=included_files,
)

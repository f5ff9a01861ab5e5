"""Bodies from Abaqus input files: materials and sections become regions."""

import re
from collections.abc import Mapping

import numpy as np

from flexframe.elements.orthotropic import OrthotropicMaterial
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
from flexframe.maths.arrays import IntArray
from flexframe.mesh.abaqus import AbaqusModel, AbaqusSection
from flexframe.model.body import Body, Region

AnyMaterial = Material | OrthotropicMaterial


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
    chosen = {key.lower(): value for key, value in (materials or {}).items()}
    mesh = model.mesh
    owner = np.full(mesh.cell_count, -1)
    for index, section in enumerate(model.sections):
        owner[mesh.cells_of(section.cell_set)] = index
    regions, sets = [], {}
    for index, section in enumerate(model.sections):
        material = chosen.get(section.material.lower()) or _filed_material(model, section)
        for kind, cells in _by_kind(model, np.flatnonzero(owner == index).astype(np.int64)).items():
            label = f"section {index + 1} {kind}"
            sets[label] = cells
            regions.append(Region(_property(section, kind, material), label))
    if not regions:
        raise InputError(
            f"body {name}: the file has no section; give a *SOLID SECTION or build the body from its mesh"
        )
    return Body(name, mesh.with_sets(cell_sets=sets), tuple(regions), space="spatial")


def _filed_material(model: AbaqusModel, section: AbaqusSection) -> Material:
    filed = {key.lower(): value for key, value in model.materials.items()}.get(section.material.lower())
    if filed is None:
        raise InputError(f"material '{section.material}' is not in the file; give it in `materials`")
    E, nu, density = filed.youngs_modulus, filed.poisson_ratio, filed.density
    if E is None or nu is None or density is None:
        missing = "isotropic *ELASTIC data" if E is None or nu is None else "*DENSITY"
        raise InputError(f"material '{filed.name}' has no {missing} in the file; give it in `materials`")
    return Material(E, nu, density, filed.name)


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


def _property(section: AbaqusSection, kind: str, material: AnyMaterial) -> Property:
    size = section.values[0] if section.values else None
    if kind == "solid":
        return SolidProperty(material)
    if kind in ("plane stress", "plane strain"):
        return PlaneProperty(material, size or 1.0, "stress" if kind == "plane stress" else "strain")
    if not isinstance(material, Material):
        raise InputError(f"material '{material.name}' is orthotropic; a {kind} takes an isotropic one")
    if kind == "beam":
        return BeamProperty(material, _profile(section))
    if size is None:
        raise InputError(
            f"the section of '{section.cell_set}' has no {'area' if kind == 'bar' else 'thickness'}; add it"
        )
    return BarProperty(material, size) if kind == "bar" else ShellProperty(material, size)


def _profile(section: AbaqusSection) -> Section:
    match section.profile.upper(), section.values:
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

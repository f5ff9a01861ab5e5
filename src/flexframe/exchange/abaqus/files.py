"""Abaqus and CalculiX input files as parts: materials and sections become regions."""

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from flexframe.elements.laminate import Layer
from flexframe.elements.orthotropic import Orientation, OrthotropicMaterial
from flexframe.elements.properties import (
    AxisymmetricProperty,
    BarProperty,
    BeamProperty,
    Material,
    PlaneProperty,
    PlaneState,
    Property,
    ShellProperty,
    SolidProperty,
)
from flexframe.errors import InputError
from flexframe.exchange.abaqus.attachments import Attached, read_attached
from flexframe.exchange.abaqus.keywords import included_files
from flexframe.exchange.abaqus.laminates import layered_shell, section_layers
from flexframe.exchange.abaqus.profiles import beam_profile
from flexframe.exchange.abaqus.reading import AbaqusModel, AbaqusSection, abaqus_model
from flexframe.exchange.abaqus.writing import write_abaqus
from flexframe.exchange.bodies import part_body
from flexframe.exchange.cell_tables import joined_matrices
from flexframe.exchange.contract import AnyMaterial, Format, Part, Settings
from flexframe.exchange.regions import Made, Regions, rows_alike
from flexframe.exchange.units import Units
from flexframe.files import OpenFile
from flexframe.maths.arrays import IntArray
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.reference_points import with_vertices
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
    part = abaqus_part(model, Settings(materials=materials or {}))
    return part_body(name, replace(part, supports=()), use="mesh")


def abaqus_part(model: AbaqusModel, settings: Settings) -> Part:
    """What a model describes, in SI units."""
    mesh = model.mesh
    owner = np.full(mesh.cell_count, -1)
    for index, section in enumerate(model.sections):
        owner[mesh.cells_of(section.cell_set)] = index
    regions = Regions()
    for index, section in enumerate(model.sections):
        for kind, cells in _by_kind(model, np.flatnonzero(owner == index).astype(np.int64)).items():
            _add_region(
                regions,
                model,
                section,
                name=f"section {index + 1} {kind}",
                kind=kind,
                cells=cells,
                settings=settings,
            )
    found = {}
    for name in model.materials:
        try:
            found[name] = _filed_material(model, name, settings.units)
        except InputError:  # a region that is made of it says what it lacks
            continue
    laminates = [
        f"{region.cells}: {region.prop.stress_remark}"
        for region in regions.made
        if region.prop is not None and region.prop.layer_count > 1
    ]
    ignored = f"keywords that were not read: {', '.join(model.ignored)}"
    attached = read_attached(model.assembly, settings.units) if model.assembly is not None else Attached()
    equations = attached.equations.coupling(attached.node_sets, settings.units.length)
    attached.couplings += [] if equations is None else [equations]
    labelled = [(_label_rows(mesh, rows), matrix) for rows, matrix in attached.springs]
    whole = mesh.with_sets(attached.node_sets, cell_sets=regions.cell_sets).scaled(settings.units.length)
    kept = _points_once(with_vertices(whole, _attached_nodes(attached))).without_unused_nodes()
    if kept.node_count < whole.node_count:
        attached.notices.append(f"{whole.node_count - kept.node_count} nodes that nothing uses were left out")
    return Part(
        mesh=kept,
        regions=tuple(regions.made),
        materials=found,
        point_masses=tuple(attached.point_masses),
        couplings=tuple(attached.couplings),
        supports=tuple(support for support in attached.supports if kept.nodes_of(str(support.on)).size),
        extra_stiffness=joined_matrices(labelled),
        notices=(*mesh.notices, *laminates, *attached.notices, *((ignored,) if model.ignored else ())),
        lacks=tuple(attached.lacks),
        lost=tuple(attached.lost),
    )


def _points_once(mesh: Mesh) -> Mesh:
    """The mesh without the second of two point elements at one node, such as MASS and ROTARYI."""
    again = []
    seen = np.empty(0, dtype=np.int64)
    for block, start in zip(mesh.blocks, mesh.block_starts, strict=False):
        if block.cell == VERTEX:
            nodes, first = np.unique(block.nodes[:, 0], return_index=True)
            first = first[~np.isin(nodes, seen)]
            again.append(start + np.setdiff1d(np.arange(len(block)), first))
            seen = np.union1d(seen, nodes)
    repeated = np.concatenate([np.empty(0, dtype=np.int64), *again])
    return mesh.part(np.setdiff1d(np.arange(mesh.cell_count), repeated)) if repeated.size else mesh


def _attached_nodes(attached: Attached) -> IntArray:
    """Nodes that masses, couplings and springs use, with or without cells."""
    names = [str(mass.on) for mass in attached.point_masses]
    names += [str(name) for coupling in attached.couplings for name in coupling.selections]
    found = [attached.node_sets[name] for name in names] + [rows[:, 0] - 1 for rows, _ in attached.springs]
    return np.concatenate([np.empty(0, dtype=np.int64), *found])


def _label_rows(mesh: Mesh, rows: IntArray) -> IntArray:
    """Rows by node number from 1 as rows by label."""
    if mesh.node_labels is None:
        return rows
    return np.column_stack([mesh.node_labels[rows[:, 0] - 1], rows[:, 1]])


def _add_region(
    regions: Regions,
    model: AbaqusModel,
    section: AbaqusSection,
    *,
    name: str,
    kind: str,
    cells: IntArray,
    settings: Settings,
) -> None:
    """Cells of a section; beams by the way in which they are turned."""

    def make(up: tuple[float, ...] | None = None) -> Made:
        if section.layers or section.offset:
            if kind != "shell":
                raise InputError(f"the section of '{section.cell_set}' has layers; only shells have them here")
            return _layered_shell(model, section, settings), None
        material = _material(model, section, settings)
        return _property(model, section, kind, material, units=settings.units, up=up), None

    if kind != "beam" or len(section.direction) < 3:
        regions.add(name, cells, make)
        return
    # n2 = t × n1 is local y; a along n1 is the width along local z = −n1
    tangents = []
    for cell in cells.tolist():
        _, nodes = model.mesh.cell(cell)
        tangents.append(model.mesh.points[nodes[1]] - model.mesh.points[nodes[0]])
    ups = np.cross(np.array(tangents), section.direction[:3])
    ups = ups / np.maximum(np.linalg.norm(ups, axis=1, keepdims=True), 1e-300)
    ways, group = rows_alike(ups)
    for index in range(len(ways)):
        own = np.flatnonzero(group == index)
        label = name if len(ways) == 1 else f"{name} way {index + 1}"
        way = tuple(float(v) for v in ups[own[0]])
        regions.add(label, cells[own], lambda way=way: make(way))  # type: ignore[misc]


def _material(model: AbaqusModel, section: AbaqusSection, settings: Settings) -> AnyMaterial:
    return settings.material(section.material) or _filed_material(model, section.material, settings.units)


def _filed_material(model: AbaqusModel, name: str, units: Units) -> AnyMaterial:
    filed = {key.lower(): value for key, value in model.materials.items()}.get(name.lower())
    if filed is None:
        raise InputError(f"material '{name}' is not in the file; give it in `materials`")
    E, nu, density = filed.youngs_modulus, filed.poisson_ratio, filed.density
    if filed.constants is not None and density is not None:
        E1, E2, E3, nu12, nu13, nu23, G12, G13, G23 = filed.constants
        stress = units.stress
        return OrthotropicMaterial(
            (E1 * stress, E2 * stress, E3 * stress),
            (nu12, nu23, nu13),
            (G12 * stress, G23 * stress, G13 * stress),
            density * units.density,
            filed.name,
        )
    if E is None or nu is None or density is None:
        missing = (
            "isotropic *ELASTIC data" if filed.constants is None and (E is None or nu is None) else "*DENSITY"
        )
        raise InputError(f"material '{filed.name}' has no {missing} in the file; give it in `materials`")
    return Material(E * units.stress, nu, density * units.density, filed.name)


_KINDS = (
    (r"C3D.*", "solid"),
    (r"CPS.*|M3D.*", "plane stress"),
    (r"CPE.*", "plane strain"),
    (r"CAX.*", "axisymmetric"),
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


def _property(
    model: AbaqusModel,
    section: AbaqusSection,
    kind: str,
    material: AnyMaterial,
    *,
    units: Units,
    up: tuple[float, ...] | None,
) -> Property:
    size = section.values[0] * units.length if section.values else None
    orientation = None if isinstance(material, Material) else _orientation(model, section)
    if kind == "solid":
        return SolidProperty(material, orientation)
    if kind == "axisymmetric":
        return AxisymmetricProperty(material, orientation)
    if kind in ("plane stress", "plane strain"):
        state: PlaneState = "stress" if kind == "plane stress" else "strain"
        return PlaneProperty(material, size or units.length, state, orientation)
    if kind == "shell":
        if size is None:
            raise InputError(f"the section of '{section.cell_set}' has no thickness; add it")
        return ShellProperty(material, size, orientation=orientation)
    if not isinstance(material, Material):
        raise InputError(f"material '{material.name}' is orthotropic; a {kind} takes an isotropic one")
    if kind == "beam":
        turned = None if up is None else (up[0], up[1], up[2])
        return BeamProperty(
            material, beam_profile(section.profile, section.values, units, section.cell_set), turned
        )
    if size is None:
        raise InputError(f"the section of '{section.cell_set}' has no area; add it")
    return BarProperty(material, size * units.length)


def _layered_shell(model: AbaqusModel, section: AbaqusSection, settings: Settings) -> ShellProperty:
    """A shell of several layers, or beside its nodes."""

    def material(name: str) -> AnyMaterial:
        return settings.material(name) or _filed_material(model, name, settings.units)

    if section.profile != "COMPOSITE":
        if not section.values:
            raise InputError(f"the section of '{section.cell_set}' has no thickness; add it")
        layers = [Layer(material(section.material), section.values[0] * settings.units.length)]
    else:
        layers = section_layers(section, material, settings.units)
    return layered_shell(section, layers, _orientation(model, section))


def _orientation(model: AbaqusModel, section: AbaqusSection) -> Orientation | None:
    """Axis 1 through a point a, and the plane of a and b, from the origin or a third point."""
    given = model.orientations.get(section.orientation.lower())
    if not section.orientation:
        return None
    if given is None or len(given) < 6:
        raise InputError(
            f"orientation '{section.orientation}' is not in the file, or is not rectangular by coordinates alone "
            "(a turn on its second line is not read)"
        )
    origin = np.array(given[6:9]) if len(given) >= 9 else np.zeros(3)
    return Orientation(tuple(np.array(given[:3]) - origin), tuple(np.array(given[3:6]) - origin))


def _read(file: OpenFile, settings: Settings) -> Part:
    return abaqus_part(abaqus_model(file), settings)


ABAQUS = Format(
    name="abaqus",
    title="Abaqus and CalculiX input",
    endings=(".inp",),
    reads=("mesh", "sets", "properties", "masses", "couplings", "supports"),
    writes=("mesh", "sets", "properties", "masses", "couplings", "supports"),
    read=_read,
    write=write_abaqus,
    includes=included_files,
)

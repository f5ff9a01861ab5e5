"""Abaqus input files: mesh, sets, surfaces, materials and sections.

Read are *NODE, *ELEMENT, *NSET, *ELSET, *SURFACE, *PART, *INSTANCE, *MATERIAL with *ELASTIC and
*DENSITY, and *SOLID, *SHELL, *MEMBRANE and *BEAM SECTION. Steps are passed over; keywords that would
change the mesh are refused; all others are listed in `AbaqusModel.ignored`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.abaqus.assembly import Assembly, Instance, Placed, assemble_instances, placement
from flexframe.exchange.abaqus.elements import unknown_type
from flexframe.exchange.abaqus.keywords import Keyword, read_keywords
from flexframe.exchange.abaqus.scopes import RefusedElements, Scope, reals
from flexframe.files import ANYWHERE, OpenFile
from flexframe.maths.arrays import IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.mesh import Mesh

ATTACHED = (
    *(
        "MASS",
        "ROTARY INERTIA",
        "RIGID BODY",
        "COUPLING",
        "KINEMATIC",
        "DISTRIBUTING",
        "MPC",
        "BOUNDARY",
        "SPRING",
    ),
    *("EQUATION", "TIE", "TRANSFORM", "KINEMATIC COUPLING", "DISTRIBUTING COUPLING"),
)
"""Keywords that attach something to nodes."""
_CHANGES_MESH = ("NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM", "SYMMETRIC MODEL GENERATION")
_STRUCTURE = ("HEADING", "PREPRINT", "END PART", "END ASSEMBLY", "END INSTANCE", "END STEP")


@dataclass(frozen=True)
class AbaqusMaterial:
    """A material as filed, in the units of the file; None where the file does not say.

    Of a table over temperature the first row is read. An anisotropic *ELASTIC leaves modulus and ratio None; its
    nine `constants` are E1, E2, E3, ν12, ν13, ν23, G12, G13, G23 where it is orthotropic.
    """

    name: str
    youngs_modulus: float | None = None
    poisson_ratio: float | None = None
    density: float | None = None
    constants: tuple[float, ...] | None = None


@dataclass(frozen=True)
class AbaqusSection:
    """A section as filed: kind "solid", "shell", "membrane" or "beam", and where it applies.

    `values` is the first data line (thickness of plane, shell and membrane sections, the sizes of a beam
    `profile` such as RECT), `direction` the first axis of a beam where it is given. `layers` of a shell have a
    place, a thickness, a material and an orientation each; `offset` is what the file says of a shell beside its
    nodes.
    """

    kind: str
    cell_set: str
    material: str
    profile: str
    values: tuple[float, ...]
    direction: tuple[float, ...] = ()
    orientation: str = ""
    layers: tuple[tuple[str, ...], ...] = ()
    offset: str = ""


@dataclass(frozen=True, eq=False)
class AbaqusModel:
    """What was read: mesh with sets, materials by name, sections, cell numbers of each element type.

    `ignored` lists the keywords that were not read, with the place of the first of each.
    """

    mesh: Mesh
    materials: Mapping[str, AbaqusMaterial]
    sections: tuple[AbaqusSection, ...]
    element_types: Mapping[str, IntArray]
    ignored: tuple[str, ...]
    assembly: Assembly | None = None  # instances as they were placed
    orientations: Mapping[str, tuple[float, ...]] = field(default_factory=dict)  # two points or axes by name
    refused: tuple[RefusedElements, ...] = ()


def read_abaqus(path: str | Path) -> AbaqusModel:
    """Read an Abaqus input file; errors name file and line.

    Sets keep their names when the file has one instance (or none); of several instances a set of a part is
    `instance.set`, and each instance is a cell set of its name. A surface of element faces is a facet set;
    its sides of shells (SPOS, SNEG) are a cell set; a surface of nodes is a node set.

    Parameters
    ----------
    path
        The input file (.inp), in SI units.

    Returns
    -------
    AbaqusModel
        Mesh, materials and sections.

    Examples
    --------
    >>> ff.mesh.write_mesh(ff.mesh.block((1.0, 0.2, 0.1), (2, 1, 1)), "block.inp")
    >>> sorted(ff.mesh.read_abaqus("block.inp").mesh.facet_sets)
    ['back', 'bottom', 'front', 'left', 'right', 'top']
    """
    with ANYWHERE.open(path) as file:
        model = abaqus_model(file)
    for refused in model.refused:
        raise InputError(unknown_type(refused.type_name, refused.place))
    return model


def abaqus_model(file: OpenFile) -> AbaqusModel:
    """What an Abaqus input file holds that is open; the files that it includes lie in its folder."""
    reading = _Reading()
    for keyword in read_keywords(file):
        reading.take(keyword)
    assembly = assemble_instances(reading.placements())
    refused = [part for placed in assembly.placed.values() for part in placed.instance.scope.refused]
    if refused and not assembly.mesh.cell_count:
        raise InputError(unknown_type(refused[0].type_name, refused[0].place))
    if not assembly.mesh.node_count or not assembly.mesh.cell_count:
        raise InputError(f"{file.name}: has no *NODE and *ELEMENT data; give a file with a mesh (is it cut off?)")
    names = _Names(assembly)
    mesh = replace(
        assembly.mesh,
        node_sets=names.node_sets(),
        cell_sets=names.cell_sets(),
        facet_sets=names.facet_sets(),
    )
    return AbaqusModel(
        mesh,
        {material.name: material for material in reading.materials.values()},
        names.sections(reading.materials),
        _element_types(assembly),
        tuple(f"*{name} ({place})" for name, place in reading.ignored.items()),
        assembly,
        reading.orientations,
        tuple(refused),
    )


@dataclass
class _Reading:
    """Where the reader is: the scopes opened so far, and which of them the next keyword belongs to."""

    top: Scope = field(default_factory=lambda: Scope(""))
    parts: dict[str, Scope] = field(default_factory=dict)
    instances: list[Instance] = field(default_factory=list)
    materials: dict[str, AbaqusMaterial] = field(default_factory=dict)
    ignored: dict[str, str] = field(default_factory=dict)
    orientations: dict[str, tuple[float, ...]] = field(default_factory=dict)
    scope: Scope | None = None
    material: str = ""
    steps: int = 0
    in_step: bool = False

    def take(self, keyword: Keyword) -> None:
        """Act on one keyword."""
        name, scope = keyword.name, self.scope or self.top
        if name in ("STEP", "END STEP"):
            self.in_step = name == "STEP"
            self.steps += self.in_step
        elif self.in_step:
            if name == "BOUNDARY" and self.steps == 1:  # what holds the part in its first step
                self.top.attachments.append(keyword)
        elif name in _CHANGES_MESH:
            raise InputError(f"{keyword.place}: *{name} is not read; write out its nodes and elements")
        elif name == "NODE":
            scope.add_nodes(keyword)
        elif name == "ELEMENT":
            scope.add_elements(keyword)
        elif name in ("NSET", "ELSET"):
            scope.add_set(keyword)
        elif name == "SURFACE":
            scope.add_surface(keyword)
        elif name in ("SOLID SECTION", "SHELL SECTION", "MEMBRANE SECTION", "BEAM SECTION"):
            scope.add_section(keyword)
        elif name in ATTACHED:
            scope.attachments.append(keyword)
        elif name == "ORIENTATION" and keyword.data:
            self.orientations[keyword.required_value("NAME").lower()] = _two_points(keyword)
        elif not self._structure(keyword) and not self._material(keyword):
            self.ignored.setdefault(name, keyword.place)

    def placements(self) -> list[Instance]:
        """The top level, then the instances; parts stand for themselves where nothing is placed."""
        placed = self.instances or [Instance(part.name, part) for part in self.parts.values()]
        return [Instance("", self.top), *placed]

    def _structure(self, keyword: Keyword) -> bool:
        name = keyword.name
        if name == "PART":
            self.scope = Scope(keyword.required_value("NAME"))
            self._once(self.parts, keyword, "part")
            self.parts[self.scope.name.lower()] = self.scope
        elif name == "INSTANCE":
            self.scope = self._instance(keyword)
        elif name in ("ASSEMBLY", "END PART", "END INSTANCE", "END ASSEMBLY"):
            self.scope = None
        return name in (*_STRUCTURE, "PART", "INSTANCE", "ASSEMBLY")

    def _instance(self, keyword: Keyword) -> Scope:
        name = keyword.required_value("NAME")
        self._once([instance.name.lower() for instance in self.instances], keyword, "instance")
        part = keyword.parameters.get("PART", "").lower()
        if part and part not in self.parts:
            known = ", ".join(scope.name for scope in self.parts.values()) or "none"
            raise InputError(f"{keyword.place}: there is no part '{keyword.parameters['PART']}'; known: {known}")
        scope = self.parts[part].copy() if part else Scope(name)
        self.instances.append(placement(name, scope, keyword.data, keyword.place))
        return scope

    def _once(self, known: "dict[str, Scope] | list[str]", keyword: Keyword, kind: str) -> None:
        name = keyword.required_value("NAME")
        if name.lower() in known:
            raise InputError(f"{keyword.place}: there is a {kind} '{name}' already; give each its own name")

    def _material(self, keyword: Keyword) -> bool:
        if keyword.name == "MATERIAL":
            self.material = keyword.required_value("NAME").lower()
            self.materials[self.material] = AbaqusMaterial(keyword.parameters["NAME"])
            return True
        if keyword.name not in ("DENSITY", "ELASTIC"):
            return False
        if not self.material:
            raise InputError(f"{keyword.place}: *{keyword.name} stands before any *MATERIAL")
        if not keyword.data:
            raise InputError(f"{keyword.place}: *{keyword.name} has no data line")
        known = self.materials[self.material]
        values = reals(keyword.data[0])
        if keyword.name == "DENSITY":
            self.materials[self.material] = replace(known, density=values[0])
        elif keyword.parameters.get("TYPE", "ISOTROPIC").upper().startswith("ISO"):
            if len(values) < 2:
                raise InputError(f"{keyword.data[0].place}: *ELASTIC takes Young's modulus and Poisson's ratio")
            modulus, ratio = values[:2]
            self.materials[self.material] = replace(known, youngs_modulus=modulus, poisson_ratio=ratio)
        elif keyword.parameters["TYPE"].upper().startswith("ENG"):
            listed = [value for line in keyword.data[:2] for value in reals(line)][:9]
            if len(listed) < 9:
                raise InputError(f"{keyword.place}: *ELASTIC, TYPE=ENGINEERING CONSTANTS takes nine numbers")
            self.materials[self.material] = replace(known, constants=tuple(listed))
        else:
            self.ignored.setdefault(f"ELASTIC, TYPE={keyword.parameters['TYPE']}", keyword.place)
        return True


def _two_points(keyword: Keyword) -> tuple[float, ...]:
    """Two points or axes of an orientation; none where it is curved, of nodes, or turned on its second line."""
    usual = ("", "RECTANGULAR"), ("", "COORDINATES")
    given = (keyword.parameters.get(name, "").upper() for name in ("SYSTEM", "DEFINITION"))
    turned = len(keyword.data) > 1 and any(reals(keyword.data[1])[1:2])
    if turned or any(word not in known for word, known in zip(given, usual, strict=True)):
        return ()
    return tuple(reals(keyword.data[0]))


@dataclass(frozen=True, eq=False)
class _Names:
    """Sets, surfaces and sections of all instances under the names that they have in the mesh."""

    assembly: Assembly

    def node_sets(self) -> dict[str, IntArray]:
        return {
            self._public(placed, key): self.assembly.members(placed, "node", key, parts[0].place)
            for placed in self.assembly.placed.values()
            for key, parts in placed.instance.scope.node_sets.items()
        }

    def cell_sets(self) -> dict[str, IntArray]:
        sets = {
            placed.instance.name: placed.elements.numbers
            for placed in self.assembly.placed.values()
            if placed.instance.name and placed.elements.numbers.size
        }
        for placed in self.assembly.placed.values():
            scope = placed.instance.scope
            for key, surface in scope.surfaces.items():
                if any(part.face in ("SPOS", "SNEG") for part in surface):
                    sets[self._public(placed, key)] = self.assembly.facets(placed, surface)[1]
            for key, parts in scope.element_sets.items():
                members = self.assembly.members(placed, "element", key, parts[0].place)
                sets[self._public(placed, key)] = members
        return sets

    def facet_sets(self) -> dict[str, tuple[CellBlock, ...]]:
        sets = {}
        for placed in self.assembly.placed.values():
            for key, surface in placed.instance.scope.surfaces.items():
                facets = self.assembly.facets(placed, surface)[0]
                if facets:
                    sets[self._public(placed, key)] = facets
        return sets

    def sections(self, materials: Mapping[str, AbaqusMaterial]) -> tuple[AbaqusSection, ...]:
        found = []
        for placed in self.assembly.placed.values():
            for part in placed.instance.scope.sections:
                if part.element_set.lower() not in placed.instance.scope.element_sets and _has_refused(placed):
                    continue  # of elements that are no cells here
                self.assembly.members(placed, "element", part.element_set, part.place)
                name = self._public(placed, part.element_set.lower())
                known = materials.get(part.material.lower())
                material = known.name if known else part.material
                found.append(
                    AbaqusSection(
                        part.kind,
                        name,
                        material,
                        part.profile,
                        part.values,
                        part.direction,
                        part.orientation,
                        part.layers,
                        part.offset,
                    )
                )
        return tuple(found)

    def _public(self, placed: Placed, key: str) -> str:
        """Name of a set in the mesh: plain, or with its instance where there are several or it is taken."""
        name = placed.instance.scope.spelling.get(key, key)
        owner = placed.instance.name
        if not owner:
            return name
        top = self.assembly.placed[""].instance.scope
        several = len(self.assembly.placed) > 2
        return f"{owner}.{name}" if several or key in top.spelling else name


def _has_refused(placed: Placed) -> bool:
    return bool(placed.instance.scope.refused)


def _element_types(assembly: Assembly) -> dict[str, IntArray]:
    found: dict[str, list[IntArray]] = {}
    for placed in assembly.placed.values():
        for table in placed.instance.scope.elements:
            found.setdefault(table.type_name, []).append(placed.elements.of(table.labels, ""))
    return {name: np.sort(np.concatenate(numbers)) for name, numbers in found.items()}

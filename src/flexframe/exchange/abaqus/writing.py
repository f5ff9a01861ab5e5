"""A part written as an Abaqus input file: mesh with all sets, sections, materials, masses, couplings, supports."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from flexframe.elements.beam_lines import axes_along
from flexframe.elements.contract import NODE_DOFS
from flexframe.elements.properties import (
    AxisymmetricProperty,
    BarProperty,
    BeamProperty,
    Material,
    PlaneProperty,
    Property,
    ShellProperty,
    SolidProperty,
)
from flexframe.elements.sections import Circle, Rectangle
from flexframe.errors import InputError
from flexframe.exchange.contract import AnyMaterial, Part
from flexframe.exchange.equations import equation_terms
from flexframe.exchange.units import Units
from flexframe.maths.arrays import BoolArray, IntArray
from flexframe.mesh.checks import is_flat
from flexframe.mesh.facets import facet_owners
from flexframe.mesh.mesh import Mesh
from flexframe.model.supports import EquationCoupling, RigidCoupling

_TYPES = {
    "vertex": "MASS",
    "line": "B31",
    "line3": "B32",
    "triangle": "S3",
    "triangle6": "STRI65",
    "quad": "S4",
    "quad8": "S8R",
    "tetra": "C3D4",
    "tetra10": "C3D10",
    "hexahedron": "C3D8",
    "hexahedron20": "C3D20",
    "wedge": "C3D6",
    "wedge15": "C3D15",
}
_FLAT_TYPES = {"triangle": "CPS3", "triangle6": "CPS6", "quad": "CPS4", "quad8": "CPS8"}
_UNLIKE = 1e-9


def write_abaqus(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    """Write what a part has, in these units; nodes and cells are numbered from 1."""
    if part.mesh is None:
        raise InputError("the part has no mesh; an Abaqus file needs one")
    writer = _Writer(part, part.mesh.scaled(1 / units.length), units)
    path.write_text("\n".join(writer.lines()) + "\n", encoding="utf-8")
    return tuple(dict.fromkeys(writer.notices))


@dataclass(eq=False)
class _Writer:
    """The part, its mesh in the units of the file, and what was left out."""

    part: Part
    mesh: Mesh
    units: Units
    notices: list[str] = field(default_factory=list)
    materials: dict[AnyMaterial, str] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """The whole file."""
        mesh = self.mesh
        for name in (*mesh.node_sets, *mesh.cell_sets, *mesh.facet_sets):
            if set(name) & set(',"=\n') or not name.strip():
                raise InputError(f"an Abaqus file cannot hold the set name '{name}'; rename it")
        yield "*NODE"
        for number, (x, y, z) in enumerate(mesh.points.tolist(), start=1):
            yield f"{number}, {_field(x)}, {_field(y)}, {_field(z)}"
        yield from self._elements()
        for name, members in mesh.node_sets.items():
            yield f"*NSET, NSET={name}"
            yield from _rows((members + 1).tolist())
        for name, cells in mesh.cell_sets.items():
            members = cells[self._written_cells(cells)]
            yield f"*ELSET, ELSET={name}"
            yield from _rows((members + 1).tolist())
        for name, facets in mesh.facet_sets.items():
            yield f"*SURFACE, NAME={name}, TYPE=ELEMENT"
            for block in facets:
                yield from _surface_rows(*facet_owners(mesh, block))
        for region in self.part.regions:
            if region.prop is not None:
                yield from self._section(region.cells, region.prop, region.family)
        yield from self._material_lines()
        yield from self._couplings()
        yield from self._supports()
        if self.part.extra_stiffness is not None or self.part.extra_mass is not None:
            self.notices.append("springs and extra matrices were left out")

    # ------------------------------------------------------------------ elements

    def _written_cells(self, cells: IntArray) -> BoolArray:
        """Which cells become elements: points do where no masses, which bring their own, stand for them."""
        if not self.part.point_masses:
            return np.ones(len(cells), dtype=bool)
        dimensions = np.repeat(
            [block.cell.dimension for block in self.mesh.blocks], [len(b) for b in self.mesh.blocks]
        )
        return np.asarray(dimensions[cells] > 0)

    def _elements(self) -> Iterator[str]:
        mesh = self.mesh
        prop: list[Property | None] = [None] * (len(self.part.regions) + 1)
        owner = np.zeros(mesh.cell_count, dtype=np.int64)
        for number, region in enumerate(self.part.regions, start=1):
            owner[mesh.cells_of(region.cells)] = number
            prop[number] = region.prop
        flat = is_flat(mesh)
        for block, start in zip(mesh.blocks, mesh.block_starts, strict=False):
            if block.cell.dimension == 0 and self.part.point_masses:
                continue
            own = owner[start : start + len(block)]
            nodes = block.nodes[:, [0, 2, 1]] if block.cell.name == "line3" else block.nodes
            for number in np.unique(own).tolist():
                rows = np.flatnonzero(own == number)
                yield f"*ELEMENT, TYPE={_element_type(block.cell.name, prop[number], flat=flat)}"
                for label, row in zip((start + rows + 1).tolist(), (nodes[rows] + 1).tolist(), strict=True):
                    yield from _rows([label, *row])
        label = mesh.cell_count
        for number, mass in enumerate(self.part.point_masses, start=1):
            name = f"point mass {number}"
            for kind in ("MASS", "ROTARYI") if mass.inertia is not None else ("MASS",):
                yield f"*ELEMENT, TYPE={kind}, ELSET={name} {kind}"
                for node in self._nodes(mass.on):
                    label += 1
                    yield f"{label}, {node}"
            yield f"*MASS, ELSET={name} MASS"
            yield _field(mass.mass / self.units.mass)
            if mass.inertia is not None:
                xx, yy, zz, xy, yz, zx = (*mass.inertia, 0.0, 0.0, 0.0)[:6]
                yield f"*ROTARY INERTIA, ELSET={name} ROTARYI"
                yield ", ".join(_field(v / self.units.inertia) for v in (xx, yy, zz, xy, zx, yz))

    def _nodes(self, on: object) -> list[int]:
        assert isinstance(on, str), "selections of a part are sets"
        return [int(node) + 1 for node in self.mesh.nodes_of(on)]

    # ------------------------------------------------------------------ what cells are made of

    def _section(self, cells: str, prop: Property, family: str | None) -> Iterator[str]:
        length = self.units.length
        named = self.materials.setdefault(prop.material, self._new_name(prop.material.name))
        head = f"ELSET={cells}, MATERIAL={named}"
        if getattr(prop, "orientation", None) is not None:
            self.notices.append("orientations of materials were left out")
        match prop:
            case SolidProperty() | AxisymmetricProperty():
                yield f"*SOLID SECTION, {head}"
            case PlaneProperty():
                yield f"*SOLID SECTION, {head}"
                yield _field(prop.thickness / length)
            case ShellProperty():
                yield f"*SHELL SECTION, {head}"
                yield _field(prop.thickness / length)
            case BarProperty():
                yield f"*SOLID SECTION, {head}"
                yield _field(prop.area / length**2)
            case BeamProperty():
                yield from self._beam(cells, head, prop, family)

    def _beam(self, cells: str, head: str, prop: BeamProperty, family: str | None) -> Iterator[str]:
        """Rectangles and circles; n1 = −z of the first beam, which all of a region have."""
        length, section = self.units.length, prop.section
        values: tuple[float, ...]
        if isinstance(section, Rectangle) and not prop.angle:
            kind, values = "RECT", (section.width, section.height)
        elif isinstance(section, Circle):
            wall = (section.diameter - section.inner_diameter) / 2
            hollow = bool(section.inner_diameter)
            kind, values = ("PIPE", (section.diameter / 2, wall)) if hollow else ("CIRC", (section.diameter / 2,))
        else:
            self.notices.append(f"the section of '{cells}' is neither a rectangle nor a circle and was left out")
            return
        yield f"*BEAM SECTION, {head}, SECTION={kind}"
        yield ", ".join(_field(value / length) for value in values)
        _, nodes = self.mesh.cell(int(self.mesh.cells_of(cells)[0]))
        line = self.mesh.points[nodes[1]] - self.mesh.points[nodes[0]]
        z = axes_along((line / np.linalg.norm(line))[None], prop)[0, 2]
        yield ", ".join(_field(-float(value)) for value in z)
        if any(prop.offset) or prop.twist is not None or family == "euler_bernoulli_beam":
            self.notices.append("offsets, twist and the theory of beams were left out")

    def _new_name(self, name: str) -> str:
        plain = name.replace(",", " ").strip() or "material"
        taken = {other.lower() for other in self.materials.values()}
        return next(n for n in (plain, *(f"{plain} {k}" for k in range(2, 10_000))) if n.lower() not in taken)

    def _material_lines(self) -> Iterator[str]:
        stress = self.units.stress
        for material, name in self.materials.items():
            yield f"*MATERIAL, NAME={name}"
            if isinstance(material, Material):
                yield "*ELASTIC"
                yield f"{_field(material.young / stress)}, {_field(material.poisson)}"
            else:
                nu12, nu23, nu13 = material.poisson
                G12, G23, G13 = (value / stress for value in material.shear)
                values = (*(value / stress for value in material.young), nu12, nu13, nu23, G12, G13, G23)
                yield "*ELASTIC, TYPE=ENGINEERING CONSTANTS"
                yield ", ".join(_field(value) for value in values[:8])
                yield _field(values[8])
            yield "*DENSITY"
            yield _field(material.density / self.units.density)

    # ------------------------------------------------------------------ couplings and supports

    def _couplings(self) -> Iterator[str]:
        for number, coupling in enumerate(self.part.couplings, start=1):
            if isinstance(coupling, EquationCoupling):
                yield from self._equations(coupling)
                continue
            (reference,) = self._nodes(coupling.reference)
            kind = "KINEMATIC" if isinstance(coupling, RigidCoupling) else "DISTRIBUTING"
            if kind == "DISTRIBUTING" and (coupling.weights or coupling.weighting == "area"):  # type: ignore[union-attr]
                self.notices.append("weights of mean couplings were left out; the nodes count alike")
            surface = f"coupling {number} surface"
            yield f"*SURFACE, NAME={surface}, TYPE=NODE"
            yield f"{coupling.on}"
            yield f"*COUPLING, CONSTRAINT NAME=coupling {number}, REF NODE={reference}, SURFACE={surface}"
            yield f"*{kind}"
            for dof in coupling.dofs:
                yield f"{NODE_DOFS.index(dof) + 1}, {NODE_DOFS.index(dof) + 1}"

    def _equations(self, coupling: EquationCoupling) -> Iterator[str]:
        for terms in equation_terms(self.mesh, coupling, self.units.length):
            yield "*EQUATION"
            yield str(len(terms))
            for start in range(0, len(terms), 4):
                yield ", ".join(
                    f"{node + 1}, {column + 1}, {_field(factor)}"
                    for node, column, factor in terms[start : start + 4]
                )

    def _supports(self) -> Iterator[str]:
        for support in self.part.supports:
            rows = support.constraints()
            held = sorted({int(np.argmax(np.abs(row))) for row in rows if np.abs(row).max() > 1 - _UNLIKE})
            if len(held) < len(rows):
                self.notices.append(f"the support on '{support.on}' is not along body axes and was left out")
                continue
            yield "*BOUNDARY"
            yield from (f"{support.on}, {column + 1}, {column + 1}" for column in held)


def _element_type(shape: str, prop: Property | None, *, flat: bool) -> str:
    """Flat cells are plane stress elements unless they are made of something else; lines beams unless bars."""
    if isinstance(prop, BarProperty):
        return "T3D2"
    if isinstance(prop, AxisymmetricProperty):
        return _FLAT_TYPES[shape].replace("CPS", "CAX")
    if shape in _FLAT_TYPES and (isinstance(prop, PlaneProperty) or (prop is None and flat)):
        plane = _FLAT_TYPES[shape]
        return plane.replace("CPS", "CPE") if isinstance(prop, PlaneProperty) and prop.state == "strain" else plane
    return _TYPES[shape]


def _field(value: float) -> str:
    """A number in the twenty characters that a field may have: exact where it fits, else with what digits fit."""
    text = repr(value)
    digits = 16
    while len(text) > 20:
        text = f"{value:.{digits}g}"
        digits -= 1
    return text


def _surface_rows(cells: IntArray, local: IntArray) -> Iterator[str]:
    for cell, face in np.column_stack([cells + 1, local + 1]).tolist():
        yield f"{cell}, S{face}"


def _rows(numbers: list[int]) -> Iterator[str]:
    """At most 16 numbers in a line; a comma says that the element goes on."""
    for start in range(0, len(numbers), 16):
        row = ", ".join(map(str, numbers[start : start + 16]))
        yield row + ("," if start + 16 < len(numbers) else "")

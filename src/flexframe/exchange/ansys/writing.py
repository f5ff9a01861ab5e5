"""A part written as a coded database of Ansys."""

from collections.abc import Iterator, Sequence
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
from flexframe.exchange.contract import AnyMaterial, Part, PartRegion
from flexframe.exchange.equations import equation_terms
from flexframe.exchange.labels import usable_labels
from flexframe.exchange.units import Units
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.mesh import Mesh
from flexframe.model.supports import EquationCoupling, RigidCoupling

_MOST = 999_999_999  # a label has nine characters
# Element type and the places of a cell's nodes in its list; corners that coincide make wedges and triangles.
_SOLIDS: dict[str, tuple[int, Sequence[int]]] = {
    "tetra": (285, range(4)),
    "tetra10": (187, range(10)),
    "hexahedron": (185, range(8)),
    "hexahedron20": (186, range(20)),
    "wedge": (185, (0, 1, 2, 2, 3, 4, 5, 5)),
    "wedge15": (186, (0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 2, 8, 9, 10, 5, 11, 12, 13, 14, 14)),
}
_FLAT: dict[str, tuple[int, int, Sequence[int]]] = {  # as shell and as plane
    "triangle": (181, 182, (0, 1, 2, 2)),
    "quad": (181, 182, range(4)),
    "triangle6": (281, 183, (0, 1, 2, 2, 3, 4, 2, 5)),
    "quad8": (281, 183, range(8)),
}
_DOFS = dict(zip(NODE_DOFS, ("UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"), strict=True))
_UNLIKE = 1e-9


def write_archive(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    """Write what a part has, in these units; what has no place is returned in sentences."""
    writer = _Writer(part, units)
    path.write_text("\n".join(writer.lines()) + "\n", encoding="ascii", errors="replace")
    return tuple(dict.fromkeys(writer.notices))


@dataclass(eq=False)
class _Writer:
    """Labels, numbers of types, materials and sections, and what was left out."""

    part: Part
    units: Units
    notices: list[str] = field(default_factory=list)
    types: dict[tuple[int, int], int] = field(default_factory=dict)  # (element type, KEYOPT(3)) → number
    materials: dict[AnyMaterial, int] = field(default_factory=dict)
    equations: int = 0
    more_nodes: list[Array] = field(default_factory=list)  # that say how beams are turned

    def lines(self) -> Iterator[str]:
        """The whole file."""
        mesh = self.part.mesh
        if mesh is None:
            raise InputError("the part has no mesh; a coded database holds one")
        self.labels = usable_labels(mesh.node_labels, mesh.node_count, _MOST)
        self.cell_labels = usable_labels(mesh.cell_labels, mesh.cell_count, _MOST)
        self.last_node = int(self.labels.max(initial=0))
        self.last_element = int(self.cell_labels.max(initial=0))
        elements = list(self._elements(mesh))
        attached = [*self._masses(mesh), *self._couplings(mesh)]
        supports = list(self._supports(mesh))
        yield f"/COM, written by flexframe; units: {self.units.text}"
        yield "/PREP7"
        yield from (f"ET,{number},{kind}" for (kind, _), number in self.types.items())
        yield from (f"KEYOPT,{number},3,{key}" for (_, key), number in self.types.items() if key)
        yield from self._material_lines()
        yield from self._nodes(mesh)
        yield from elements
        yield from attached
        yield from self._components(mesh)
        yield from supports
        if self.part.extra_stiffness is not None or self.part.extra_mass is not None:
            self.notices.append("springs and extra matrices were left out")
        yield "FINISH"

    # ------------------------------------------------------------------ nodes and elements

    def _nodes(self, mesh: Mesh) -> Iterator[str]:
        points = mesh.points / self.units.length
        more = np.array(self.more_nodes).reshape(-1, 3) / self.units.length
        labels = [*self.labels.tolist(), *range(self.last_node + 1, self.last_node + 1 + len(more))]
        yield f"NBLOCK,6,SOLID,{max(labels, default=0):9d},{len(labels):9d}"
        yield "(3i9,6e21.13e3)"
        for label, (x, y, z) in zip(labels, [*points.tolist(), *more.tolist()], strict=True):
            yield f"{label:9d}        0        0{_real(x)}{_real(y)}{_real(z)}"
        yield "N,R5.3,LOC,       -1,"

    def _elements(self, mesh: Mesh) -> Iterator[str]:
        owner = np.zeros(mesh.cell_count, dtype=np.int64)
        for number, region in enumerate(self.part.regions, start=1):
            owner[mesh.cells_of(region.cells)] = number
        rows: list[str] = []
        for number in range(len(self.part.regions) + 1):
            prop = None
            if number:
                region = self.part.regions[number - 1]
                prop = region.prop
                yield from self._section(number, region)
            for block, start in zip(mesh.blocks, mesh.block_starts, strict=False):
                own = np.flatnonzero(owner[start : start + len(block)] == number)
                if own.size and block.cell.dimension:
                    labels = self.cell_labels[start + own]
                    part = CellBlock(block.cell, block.nodes[own])
                    rows += self._rows(mesh, part, labels, number or 1, prop)
        yield f"EBLOCK,19,SOLID,{self.last_element:9d},{len(rows):9d}"
        yield "(19i9)"
        yield from rows
        yield "       -1"

    def _rows(
        self, mesh: Mesh, block: CellBlock, labels: IntArray, number: int, prop: Property | None
    ) -> list[str]:
        kind, key, places = self._type(block.cell.name, prop)
        listed = self.labels[block.nodes[:, list(places)]]
        if isinstance(prop, BeamProperty):
            listed = np.column_stack([listed, self._third_nodes(mesh, block.nodes, prop)])
        type_number = self.types.setdefault((kind, key), len(self.types) + 1)
        material = self._material(prop.material) if prop is not None else 1
        made = []
        for label, nodes in zip(labels.tolist(), listed.tolist(), strict=True):
            head = [material, type_number, number, number, 0, 0, 0, 0, len(nodes), 0, label]
            text = [f"{value:9d}" for value in (*head, *nodes)]
            made.append("".join(text[:19]))
            if len(text) > 19:
                made.append("".join(text[19:]))
        return made

    def _type(self, shape: str, prop: Property | None) -> tuple[int, int, Sequence[int]]:
        """Element type, KEYOPT(3), and the places of the nodes."""
        if shape in _SOLIDS:
            kind, places = _SOLIDS[shape]
            return kind, 0, places
        if shape in _FLAT:
            shell, plane, places = _FLAT[shape]
            if isinstance(prop, PlaneProperty):
                return plane, 2 if prop.state == "strain" else 3, places
            if isinstance(prop, AxisymmetricProperty):
                return plane, 1, places
            return shell, 0, places
        if shape != "line":
            raise InputError("lines with a node in the middle are not written; divide them into two")
        return (188 if isinstance(prop, BeamProperty) else 180), 0, range(2)

    def _third_nodes(self, mesh: Mesh, nodes: IntArray, prop: BeamProperty) -> IntArray:
        """Nodes that lie in the plane of local x and z, one for each beam that is not turned as usual."""
        ends = mesh.points[nodes[:, :2]]
        line = ends[:, 1] - ends[:, 0]
        length = np.linalg.norm(line, axis=1, keepdims=True)
        axes = axes_along(line / length, prop)
        found = []
        for first, own, size in zip(ends[:, 0], axes, length[:, 0], strict=True):
            self.more_nodes.append(first + size * own[2])
            found.append(self.last_node + len(self.more_nodes))
        return np.array(found, dtype=np.int64)

    # ------------------------------------------------------------------ materials and sections

    def _material(self, material: AnyMaterial) -> int:
        return self.materials.setdefault(material, len(self.materials) + 1)

    def _material_lines(self) -> Iterator[str]:
        for material, number in self.materials.items():
            stress = self.units.stress
            if isinstance(material, Material):
                values = {"EX": material.young / stress, "NUXY": material.poisson}
            else:
                values = {f"E{axis}": E / stress for axis, E in zip("XYZ", material.young, strict=True)}
                for pair, ratio, shear in zip(("XY", "YZ", "XZ"), material.poisson, material.shear, strict=True):
                    values |= {f"PR{pair}": ratio, f"G{pair}": shear / stress}
            values["DENS"] = material.density / self.units.density
            yield from (f"MP,{label},{number},{value!r}" for label, value in values.items())

    def _section(self, number: int, region: PartRegion) -> Iterator[str]:
        length = self.units.length
        match region.prop:
            case ShellProperty() as shell:
                yield f"SECTYPE,{number},SHELL"
                yield f"SECDATA,{shell.thickness / length!r},{self._material(shell.material)},0.0,3"
                if shell.orientation is not None:
                    self.notices.append("the orientation of the material of shells was left out")
            case PlaneProperty() as plane:
                yield f"R,{number},{plane.thickness / length!r}"
            case BarProperty() as bar:
                yield f"SECTYPE,{number},LINK"
                yield f"SECDATA,{bar.area / length**2!r}"
            case BeamProperty() as beam:
                yield from self._beam(number, beam, region.family)
            case SolidProperty() as solid if solid.orientation is not None:
                self.notices.append("the orientation of the material of solids was left out")

    def _beam(self, number: int, prop: BeamProperty, family: str | None) -> Iterator[str]:
        """Rectangles and circles by their sizes, others by their constants."""
        length, section = self.units.length, prop.section
        plain = abs(prop.angle) < _UNLIKE
        values: tuple[float, ...]
        if isinstance(section, Rectangle) and plain and section.shear_factor == 5 / 6:
            shape, values = "RECT", (section.height / length, section.width / length)
        elif isinstance(section, Circle) and section.shear_factor is None:
            shape, values = "CTUBE", (section.inner_diameter / 2 / length, section.diameter / 2 / length)
            if not section.inner_diameter:
                shape, values = "CSOLID", values[1:]
        else:
            turned = prop.angle + section.principal_angle
            mean = (section.inertia_z + section.inertia_y) / 2
            half = (section.inertia_z - section.inertia_y) / 2
            Izz, Iyy = mean + half * np.cos(2 * turned), mean - half * np.cos(2 * turned)
            Iyz = half * np.sin(2 * turned)
            constants = (section.area * length**2, Iyy, Iyz, Izz, 0.0, section.torsion_constant)
            shape, values = "ASEC", tuple(float(value) / length**4 for value in constants)
            self.notices.append("shear factors of general sections were left out; 5/6 will be taken")
        yield f"SECTYPE,{number},BEAM,{shape}"
        yield f"SECDATA,{','.join(repr(float(value)) for value in values)}"
        if any(prop.offset) or any(section.shear_centre) or prop.twist is not None:
            self.notices.append("offsets, shear centres and twist of beams were left out")
        if family == "euler_bernoulli_beam":
            self.notices.append("beams of type 188 yield to shear; those of Euler and Bernoulli do not")

    # ------------------------------------------------------------------ masses, couplings, supports, components

    def _nodes_of(self, mesh: Mesh, on: object) -> list[int]:
        assert isinstance(on, str), "selections of a part are sets"
        return [int(label) for label in self.labels[mesh.nodes_of(on)]]

    def _masses(self, mesh: Mesh) -> Iterator[str]:
        start = len(self.part.regions) + 1
        for number, mass in enumerate(self.part.point_masses, start=start):
            kind = self.types.setdefault((21, 0), len(self.types) + 1)
            inertia = (*(mass.inertia or (0.0, 0.0, 0.0)), 0.0, 0.0, 0.0)[:6]
            if any(inertia[3:]):
                self.notices.append("products of inertia of point masses were left out")
            values = [mass.mass / self.units.mass] * 3 + [value / self.units.inertia for value in inertia[:3]]
            yield f"R,{number},{','.join(repr(float(value)) for value in values)}"
            yield f"TYPE,{kind}"
            yield f"REAL,{number}"
            for node in self._nodes_of(mesh, mass.on):
                self.last_element += 1
                yield f"EN,{self.last_element},{node}"

    def _equations(self, mesh: Mesh, coupling: EquationCoupling) -> Iterator[str]:
        names = ("UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ")
        for terms in equation_terms(mesh, coupling, self.units.length):
            self.equations += 1
            listed = [f"{self.labels[node]},{names[column]},{factor!r}" for node, column, factor in terms]
            for start in range(0, len(listed), 3):
                yield f"CE,{self.equations},0,{','.join(listed[start : start + 3])}"

    def _couplings(self, mesh: Mesh) -> Iterator[str]:
        for coupling in self.part.couplings:
            if isinstance(coupling, EquationCoupling):
                yield from self._equations(mesh, coupling)
                continue
            if not isinstance(coupling, RigidCoupling) or len(coupling.dofs) < 6:
                self.notices.append("couplings other than rigid ones of all degrees of freedom were left out")
                continue
            kind = self.types.setdefault((184, 1), len(self.types) + 1)
            (reference,) = self._nodes_of(mesh, coupling.reference)
            yield f"KEYOPT,{kind},1,1"
            yield f"TYPE,{kind}"
            for node in self._nodes_of(mesh, coupling.on):
                if node != reference:
                    self.last_element += 1
                    yield f"EN,{self.last_element},{reference},{node}"

    def _supports(self, mesh: Mesh) -> Iterator[str]:
        for support in self.part.supports:
            rows = support.constraints()
            held = {int(np.argmax(np.abs(row))) for row in rows if np.abs(row).max() > 1 - _UNLIKE}
            if len(held) < len(rows):
                self.notices.append(f"the support on '{support.on}' is not along body axes and was left out")
                continue
            for node in self._nodes_of(mesh, support.on):
                yield from (f"D,{node},{_DOFS[NODE_DOFS[column]]},0.0" for column in sorted(held))

    def _components(self, mesh: Mesh) -> Iterator[str]:
        own = {region.cells for region in self.part.regions}
        nodes = {**{name: mesh.nodes_of(name) for name in mesh.facet_sets}, **mesh.node_sets}
        listed = [(name, "NODE", self.labels[members]) for name, members in nodes.items()]
        listed += [
            (name, "ELEM", self.cell_labels[cells]) for name, cells in mesh.cell_sets.items() if name not in own
        ]
        for name, kind, labels in listed:
            yield f"CMBLOCK,{name.replace(',', ' ')},{kind},{len(labels):8d}"
            yield "(8i10)"
            texts = [f"{label:10d}" for label in np.sort(labels).tolist()]
            yield from ("".join(texts[k : k + 8]) for k in range(0, len(texts), 8))
        odd = [name for name, _, _ in listed if not name.replace("_", "").isalnum() or len(name) > 32]
        if odd:
            self.notices.append(f"names of components that Ansys does not take: {', '.join(odd[:5])}")
        lost = [name for name in mesh.facet_sets if name not in mesh.node_sets]
        if lost:
            self.notices.append(f"sets of facets were written as sets of their nodes: {', '.join(lost)}")


def _real(value: float) -> str:
    """A number in 21 characters with three digits of the exponent."""
    mantissa, _, power = f"{value:.13E}".partition("E")
    return f"{mantissa}E{int(power):+04d}".rjust(21)

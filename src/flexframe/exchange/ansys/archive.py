"""Coded databases of Ansys (.cdb) as parts."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.elements.contract import NODE_DOFS
from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import (
    AxisymmetricProperty,
    BarProperty,
    BeamProperty,
    Material,
    PlaneProperty,
    Property,
    SolidProperty,
)
from flexframe.errors import InputError
from flexframe.exchange.ansys.database import Database, ElementRows, read_database
from flexframe.exchange.ansys.elements import MadeOf, line_nodes, made_of
from flexframe.exchange.ansys.sections import beam_section
from flexframe.exchange.ansys.shapes import ShapedElements, shaped_elements
from flexframe.exchange.ansys.shells import first_axes, shell_of
from flexframe.exchange.ansys.writing import write_archive
from flexframe.exchange.cell_tables import cell_blocks, joined_matrices
from flexframe.exchange.contract import AnyMaterial, Format, Part, Settings
from flexframe.exchange.equations import Equations, fix_nodes
from flexframe.exchange.numbering import Numbering
from flexframe.exchange.regions import Made, Regions, rows_alike
from flexframe.exchange.units import Units
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.reference_points import with_vertices
from flexframe.model.body import PointMass
from flexframe.model.supports import Coupling, RigidCoupling, Support

_DOFS = {"UX": "ux", "UY": "uy", "UZ": "uz", "ROTX": "rx", "ROTY": "ry", "ROTZ": "rz"}
_LACKING = {
    "CE": "constraint equations",
    "CP": "coupled sets",
    "CEBLOCK": "constraint equations",
    "CERIG": "rigid regions",
}


def read_archive(file: OpenFile, settings: Settings) -> Part:
    """Mesh, components, properties, masses, springs and supports of a coded database."""
    data = read_database(file)
    labels = data.labels
    if not labels.size or not data.elements:
        raise InputError(
            f"{file.name}: has no nodes or no elements; give a coded database of Ansys (is it cut off?)"
        )
    lines = np.concatenate(data.node_lines)
    nodes = Numbering.of_labels("node", labels, lambda k: data.place(int(lines[k])))
    return _Reader(data, settings, nodes, np.concatenate(data.node_values)).part()


@dataclass(eq=False)
class _Reader:
    """A database on its way to a part."""

    data: Database
    settings: Settings
    nodes: Numbering
    values: Array  # x, y, z, angles: (n, 6)
    notices: list[str] = field(default_factory=list)
    lacks: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    node_sets: dict[str, IntArray] = field(default_factory=dict)
    point_masses: list[PointMass] = field(default_factory=list)
    couplings: list[Coupling] = field(default_factory=list)
    springs: list[tuple[IntArray, Array]] = field(default_factory=list)

    def part(self) -> Part:
        """Everything together."""
        self.elements = _join(self.data.elements)
        groups = self._groups()
        blocks, cell_labels, cells = cell_blocks(groups)
        regions = Regions()
        for group, numbers in zip(groups, cells, strict=True):
            self._add_regions(regions, group, numbers)
        self._masses_and_links()
        supports = self._supports()
        self.couplings += self._equations()
        mesh = Mesh(
            self.values[:, :3] * self.settings.units.length,
            blocks,
            node_labels=self.nodes.labels,
            cell_labels=cell_labels,
        )
        cell_sets = {**self._component_cells(cell_labels), **regions.cell_sets}
        mesh = mesh.with_sets({**self._component_nodes(), **self.node_sets}, cell_sets=cell_sets)
        if not mesh.cell_count:
            raise InputError(f"{self.data.name}: has no elements that flexframe knows; see describe")
        kept = with_vertices(mesh, self.node_sets.get("equations", np.empty(0, dtype=np.int64)))
        kept = kept.without_unused_nodes(keep_named=True)
        if kept.node_count < mesh.node_count:
            self.notices.append(f"{mesh.node_count - kept.node_count} nodes that nothing uses were left out")
        self._note_unread()
        return Part(
            mesh=kept,
            regions=tuple(regions.made),
            materials=self._all_materials(),
            point_masses=tuple(self.point_masses),
            couplings=tuple(self.couplings),
            supports=tuple(supports),
            extra_stiffness=joined_matrices(self.springs),
            notices=tuple(dict.fromkeys(self.notices)),
            lacks=tuple(dict.fromkeys(self.lacks)),
            lost=tuple(dict.fromkeys(self.lost)),
        )

    # ------------------------------------------------------------------ cells

    def _groups(self) -> list[ShapedElements]:
        groups: list[ShapedElements] = []
        kinds = self.elements.attributes[:, 1]
        for kind in np.unique(kinds).tolist():
            rows = np.flatnonzero(kinds == kind)
            number = self.data.types.get(kind)
            if number is None:
                place = self.data.place(int(self.elements.lines[rows[0]]))
                raise InputError(f"{place}: element type {kind} is not defined (ET); define it or correct this")
            made = made_of(number)
            if made is None:
                self.lost.append(f"{self._place(rows[0])}: {len(rows)} elements of type {number} are not read")
            elif made == "none":
                self.notices.append(
                    f"{len(rows)} elements of type {number} (no stiffness of their own) were left out"
                )
            elif made not in ("spring", "rigid"):
                groups += self._shaped_elements(number, made, rows, self.data.options.get((kind, 1), 0))
        return groups

    def _place(self, row: int) -> str:
        return self.data.place(int(self.elements.lines[int(row)]))

    def _shaped_elements(self, number: int, made: MadeOf, rows: IntArray, option: int) -> list[ShapedElements]:
        """Elements of a type by the shapes that their nodes make."""
        found, rest = shaped_elements(
            number,
            made,
            self.elements.labels[rows],
            self.elements.nodes[rows],
            nodes=self.nodes,
            option=option,
            place=lambda row: f"{self._place(rows[row])}: element",
        )
        if rest.size:
            row = int(rows[rest[0]])
            self.lost.append(
                f"{self._place(row)}: {rest.size} elements of type {number} are pyramids or lack some of their "
                f"mid-side nodes (element {self.elements.labels[row]}), which is not read"
            )
        return [replace(group, rows=rows[group.rows]) for group in found]

    def _node_place(self, rows: IntArray, columns: int) -> Callable[[int], str]:
        return lambda entry: f"{self._place(rows[entry // columns])}: element"

    # ------------------------------------------------------------------ what cells are made of

    def _add_regions(self, regions: Regions, group: ShapedElements, cells: IntArray) -> None:
        attributes = self.elements.attributes[group.rows]
        ways = self._beam_ways(group) if group.made == "beam" else self._material_ways(group)
        if group.made == "mass":
            return
        if group.made == "mesh":
            regions.refuse(f"type {group.number} {group.cell.name}", cells, "MESH200 cells are made of nothing")
            return
        for kind in np.unique(attributes[:, [1, 0, 2, 3]], axis=0).tolist():
            own = np.flatnonzero((attributes[:, [1, 0, 2, 3]] == kind).all(axis=1))
            different, which = rows_alike(ways[own])
            for index in range(len(different)):
                members = own[which == index]
                type_number, material, constants, section = kind
                name = f"type {type_number} mat {material} real {constants} sec {section}"
                name = name if len(different) == 1 else f"{name} way {index + 1}"
                name = name if name not in regions.cell_sets else f"{name} {group.cell.name}"

                def make(kind: list[int] = kind, way: Array = ways[members[0]]) -> Made:
                    return self._property(group, kind, way)

                regions.add(name, cells[members], make)

    def _property(self, group: ShapedElements, kind: list[int], way: Array) -> Made:
        type_number, material_number, constants, number = kind
        units, real = self.settings.units, self.data.constants.get(constants, ())
        section = self.data.sections.get(number)
        if group.made == "shell":
            length = units.length
            return shell_of(section, real, material_number, way, self._material, length, self.notices), None
        material = self._material(material_number)
        if group.made in ("solid", "plane") and way[3] and not isinstance(material, Material):
            raise InputError(
                f"material {material_number} is orthotropic along element coordinate system {way[3]:.0f} (ESYS), "
                "which is not read; leave it at 0"
            )
        match group.made:
            case "solid":
                return SolidProperty(material), None
            case "plane":
                return self._plane(type_number, material, real), None
        if not isinstance(material, Material):
            raise InputError(f"material {material.name} is orthotropic; bars and beams take an isotropic one")
        if group.made == "bar":
            values = section.values if section is not None and section.kind == "LINK" else real
            if not values or not values[0] > 0:
                raise InputError(f"link elements with real constants {constants} have no area; give one")
            return BarProperty(material, values[0] * units.length**2), None
        if section is None:
            raise InputError(
                f"beam section {number} is not in the file; give SECTYPE and SECDATA (types 188 and 189)"
            )
        shape, angle = beam_section(section, units)
        x, y, z = way.tolist() if way.any() else (0.0, 0.0, 0.0)
        up = (x, y, z) if way.any() else None
        return BeamProperty(material, shape, up, angle=angle), "timoshenko_beam"

    def _plane(self, type_number: int, material: AnyMaterial, real: tuple[float, ...]) -> Property:
        way = self.data.options.get((type_number, 3), 0)
        if way == 1:
            return AxisymmetricProperty(material)
        thickness = (real[0] if real and real[0] > 0 else 1.0) if way == 3 else 1.0
        return PlaneProperty(material, thickness * self.settings.units.length, "strain" if way == 2 else "stress")

    def _material_ways(self, group: ShapedElements) -> Array:
        """Axis 1 of shells, and ESYS of elements; zeros where no material has a direction."""
        if all(isinstance(self._known_material(number), Material | None) for number in self.data.materials):
            return np.zeros((len(group.rows), 4))
        first = np.zeros((len(group.rows), 3))
        if group.made == "shell":
            first = first_axes(self.values[:, :3][group.nodes[:, : group.cell.corners]])
        return np.column_stack([first, self.elements.attributes[group.rows, 4]])

    def _beam_ways(self, group: ShapedElements) -> Array:
        """Local y of beams whose direction a further node gives; zeros where it is the usual one: (n, 3)."""
        found = np.zeros((len(group.rows), 3))
        place = line_nodes(group.number)
        given = self.elements.nodes[group.rows][:, place]
        named = np.flatnonzero(given > 0)
        if named.size:
            points = self.values[:, :3]
            first, last = points[group.nodes[named, 0]], points[group.nodes[named, 1]]
            third = points[self.nodes.of(given[named], self._node_place(group.rows[named], 1))]
            x = (last - first) / np.maximum(np.linalg.norm(last - first, axis=1, keepdims=True), 1e-300)
            # the third node lies in the plane of x and z: z = (K − I) without its part along x, y = z × x
            z = third - first
            z = z - np.einsum("ni,ni->n", z, x)[:, None] * x
            y = np.cross(z, x)
            found[named] = y / np.maximum(np.linalg.norm(y, axis=1, keepdims=True), 1e-300)
        return found

    def _all_materials(self) -> dict[str, AnyMaterial]:
        made = (self._known_material(number) for number in self.data.materials)
        return {material.name: material for material in made if material is not None}

    def _known_material(self, number: int) -> AnyMaterial | None:
        try:
            return self._material(number)
        except InputError:  # a region that is made of it says what it lacks
            return None

    def _material(self, number: int) -> AnyMaterial:
        name = f"MAT {number}"
        given = self.settings.material(name) or self.settings.material(str(number))
        if given is not None:
            return given
        filed = self.data.materials.get(number)
        if filed is None:
            raise InputError(f"material {number} is not in the file; give '{number}' in materials")
        units = self.settings.units
        if not filed.get("DENS", 0.0) > 0:
            raise InputError(f"material {number} has no density (DENS); add it, or give '{number}' in materials")
        if "EX" not in filed:
            raise InputError(f"material {number} has no modulus (EX); add it, or give '{number}' in materials")
        return _elastic(filed, units, filed["DENS"] * units.density, name)

    # ------------------------------------------------------------------ masses, springs, couplings, supports

    def _masses_and_links(self) -> None:
        kinds = self.elements.attributes[:, 1]
        for kind in np.unique(kinds).tolist():
            number, rows = self.data.types.get(kind, 0), np.flatnonzero(kinds == kind)
            made = made_of(number)
            if made == "mass":
                self._masses(rows, kind)
            elif made == "spring":
                self._springs(rows, kind)
            elif made == "rigid":
                self._rigid(rows, kind)

    def _masses(self, rows: IntArray, kind: int) -> None:
        """MASS21: KEYOPT(3) says which of mass and inertia the real constants are."""
        way, units = self.data.options.get((kind, 3), 0), self.settings.units
        for row in rows.tolist():
            real = (*self.data.constants.get(int(self.elements.attributes[row, 2]), ()), *[0.0] * 6)
            masses = real[:3] if way == 0 else (real[0],) * 3
            inertia = real[3:6] if way == 0 else real[1:4] if way == 3 else (0.0, 0.0, 0.0)
            inertia = inertia if way != 3 else (0.0, 0.0, real[1])
            label = int(self.elements.labels[row])
            if len({m for m in masses if m}) > 1 or not masses[0] > 0:
                self.lacks.append(f"{self._place(row)}: MASS21 {label} has no mass, or one for each direction")
                continue
            name = f"MASS21 {label}"
            self.node_sets[name] = self.nodes.of(self.elements.nodes[row, :1], f"{self._place(row)}: MASS21")
            given = tuple(value * units.inertia for value in inertia) if any(inertia) else None
            try:
                self.point_masses.append(PointMass(name, masses[0] * units.mass, given))
            except InputError as error:
                self.lacks.append(f"{self._place(row)}: {error}")

    def _springs(self, rows: IntArray, kind: int) -> None:
        """COMBIN14: along the line of its nodes, or along one degree of freedom (KEYOPT(2))."""
        way, third = self.data.options.get((kind, 2), 0), self.data.options.get((kind, 3), 0)
        units = self.settings.units
        for row in rows.tolist():
            real = self.data.constants.get(int(self.elements.attributes[row, 2]), ())
            ends = [int(label) for label in self.elements.nodes[row, :2] if label > 0]
            numbers = self.nodes.of(np.array(ends), f"{self._place(row)}: COMBIN14")
            if way:
                direction, first = np.eye(6)[way - 1][:3] if way <= 3 else np.eye(3)[way - 4], 1 if way <= 3 else 4
            else:
                line = self.values[numbers[-1], :3] - self.values[numbers[0], :3]
                length = float(np.linalg.norm(line))
                if len(ends) < 2 or not length > 0:
                    self.lacks.append(f"{self._place(row)}: COMBIN14 has no length; give KEYOPT(2)")
                    continue
                direction, first = line / length, 4 if third == 1 else 1
            stiffness = (real[0] if real else 0.0) * (
                units.stiffness if first == 1 else units.force * units.length
            )
            rows_of = np.concatenate([np.column_stack([np.full(3, n), first + np.arange(3)]) for n in ends])
            vector = np.concatenate([direction, -direction][: len(ends)])
            self.springs.append((rows_of, stiffness * np.outer(vector, vector)))

    def _rigid(self, rows: IntArray, kind: int) -> None:
        """MPC184 as rigid beams: the second nodes of elements with the same first follow it."""
        if self.data.options.get((kind, 1), 0) != 1:
            self.lacks.append(
                f"{self._place(rows[0])}: MPC184 other than rigid beams (KEYOPT(1) = 1) are not read"
            )
            return
        for leader in np.unique(self.elements.nodes[rows, 0]).tolist():
            own = rows[self.elements.nodes[rows, 0] == leader]
            name = f"MPC184 {leader}"
            place = f"{self._place(own[0])}: MPC184"
            self.node_sets[name] = self.nodes.of(np.array([leader]), place)
            self.node_sets[f"{name} nodes"] = np.unique(self.nodes.of(self.elements.nodes[own, 1], place))
            self.couplings.append(RigidCoupling(name, f"{name} nodes"))

    def _supports(self) -> list[Support]:
        held: dict[int, set[int]] = {}
        for label, dof, value, place in self.data.held:
            names = set(NODE_DOFS) if dof == "ALL" else {_DOFS[dof]} if dof in _DOFS else set()
            if value and names:
                self.lacks.append(f"{place}: D moves node {label}; supports hold what they hold")
            if names:
                node = int(self.nodes.of(np.array([label]), f"{place}: D")[0])
                held.setdefault(node, set()).update(NODE_DOFS.index(name) for name in names)
        return list(fix_nodes(held, self._axes(np.array(list(held), dtype=np.int64)), "D", self.node_sets))

    def _axes(self, nodes: IntArray) -> Array:
        """Axes of displacements of nodes as columns: (n, 3, 3)."""
        axes = np.broadcast_to(np.eye(3), (len(nodes), 3, 3)).copy()
        for number in np.flatnonzero(self.values[nodes, 3:].any(axis=1)).tolist():
            axes[number] = node_axes(self.values[nodes[number], 3:])
        return axes

    def _equations(self) -> list[Coupling]:
        """CE and CP as one coupling; equations among other things than displacements are left out."""
        made = Equations()
        left_out = 0
        for place, terms in self.data.equations:
            if not terms or any(label not in _DOFS for _, label, _ in terms):
                left_out += 1
                continue
            nodes = self.nodes.of(np.array([node for node, _, _ in terms]), place)
            columns = np.array([NODE_DOFS.index(_DOFS[label]) for _, label, _ in terms])
            factors = np.array([factor for _, _, factor in terms])
            if not factors.any():
                raise InputError(f"{place}: an equation has no factor other than zero; complete it")
            made.add_turned(nodes, columns, factors, self._axes(nodes))
        if left_out:
            self.notices.append(f"{left_out} equations (CE, CP) of no displacements were left out")
        coupling = made.coupling(self.node_sets, self.settings.units.length)
        return [] if coupling is None else [coupling]

    # ------------------------------------------------------------------ components

    def _component_nodes(self) -> dict[str, IntArray]:
        found = {}
        for name, (kind, labels) in self.data.components.items():
            if kind.startswith("NODE"):
                known = labels[self.nodes.is_known(labels)]
                if known.size:
                    found[name] = np.sort(self.nodes.of(known, name))
        return found

    def _component_cells(self, cell_labels: IntArray) -> dict[str, IntArray]:
        found = {}
        cells = Numbering("element", cell_labels, np.arange(len(cell_labels)))
        for name, (kind, labels) in self.data.components.items():
            if kind.startswith("ELEM"):
                known = labels[cells.is_known(labels)]
                if known.size:
                    found[name] = np.sort(cells.of(known, name))
        return found

    def _note_unread(self) -> None:
        for name, what in _LACKING.items():
            if name in self.data.unread:
                count, place = self.data.unread[name]
                self.lacks.append(f"{place}: {count} {name} ({what}) are not read")
        others = {k: v for k, (v, _) in self.data.unread.items() if k not in _LACKING}
        if others:
            listed = ", ".join(f"{name} ({count})" for name, count in sorted(others.items()))
            self.notices.append(f"commands that were not read: {listed}")


def node_axes(angles: Array) -> Array:
    """Axes of a node turned by THXY, THYZ, THZX [degrees], one after the other about z, x and y, as columns."""
    xy, yz, zx = np.radians(angles)
    about_z = np.array([[np.cos(xy), -np.sin(xy), 0], [np.sin(xy), np.cos(xy), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, np.cos(yz), -np.sin(yz)], [0, np.sin(yz), np.cos(yz)]])
    about_y = np.array([[np.cos(zx), 0, np.sin(zx)], [0, 1, 0], [-np.sin(zx), 0, np.cos(zx)]])
    return np.asarray(about_z @ about_x @ about_y)


def _elastic(filed: dict[str, float], units: Units, density: float, name: str) -> AnyMaterial:
    """Moduli and major ratios PR, or minor ones NU: PRxy = NUxy Ex/Ey; what is not given is that of x or xy."""
    E = [filed.get(key, filed["EX"]) * units.stress for key in ("EX", "EY", "EZ")]
    usual = filed.get("PRXY", filed.get("NUXY", 0.3) * E[0] / E[1])
    ratios = []
    for pair, (i, j) in (("XY", (0, 1)), ("YZ", (1, 2)), ("XZ", (0, 2))):
        minor = filed[f"NU{pair}"] * E[i] / E[j] if f"NU{pair}" in filed else usual
        ratios.append(filed.get(f"PR{pair}", minor))
    own = [filed[key] * units.stress for key in ("GXY", "GYZ", "GXZ") if key in filed]
    if len(set(E)) == 1 and len(set(ratios)) == 1 and not own:
        return Material(E[0], ratios[0], density, name)
    first = filed.get("GXY", E[0] / units.stress / (2 * (1 + ratios[0])))
    G = [filed.get(key, first) * units.stress for key in ("GXY", "GYZ", "GXZ")]
    return OrthotropicMaterial(
        (E[0], E[1], E[2]), (ratios[0], ratios[1], ratios[2]), (G[0], G[1], G[2]), density, name
    )


def _join(parts: list[ElementRows]) -> ElementRows:
    return ElementRows(
        np.concatenate([part.attributes for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.nodes for part in parts]),
        np.concatenate([part.lines for part in parts]),
    )


def knows_archive(head: bytes) -> bool:
    """Whether the first bytes are those of a coded database."""
    words = rb"^[ \t]*(/PREP7|/COM,|NBLOCK,|EBLOCK,|ET,|N,|/BATCH|/NOPR|!!? ?ANSYS)"
    return b"\0" not in head and re.search(words, head, re.IGNORECASE | re.MULTILINE) is not None


ANSYS = Format(
    name="ansys",
    title="Ansys coded database",
    endings=(".cdb",),
    reads=("mesh", "sets", "properties", "masses", "couplings", "supports"),
    writes=("mesh", "sets", "properties", "masses", "couplings", "supports"),
    read=read_archive,
    write=write_archive,
    knows=knows_archive,
    needs_cells=True,
)

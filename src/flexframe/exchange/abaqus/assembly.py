"""Parts placed as instances and numbered through, and the names in sets and surfaces looked up."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.abaqus.keywords import DataLine
from flexframe.exchange.abaqus.scopes import Scope, SetPart, SurfacePart, reals
from flexframe.exchange.numbering import Numbering
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh import blocks as topology
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import Cell
from flexframe.mesh.facets import facet_owners, facets_of_owners
from flexframe.mesh.mesh import Mesh


@dataclass(frozen=True, eq=False)
class Instance:
    """A scope put in its place: name ("" for the top level), rotation R and translation t of x' = R x + t."""

    name: str
    scope: Scope
    rotation: Array = field(default_factory=lambda: np.eye(3))
    translation: Array = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True, eq=False)
class Placed:
    """An instance and the mesh numbers of its nodes and elements."""

    instance: Instance
    nodes: Numbering
    elements: Numbering


@dataclass(frozen=True, eq=False)
class Assembly:
    """All instances in one mesh (without sets yet), looked up by lower-case name."""

    mesh: Mesh
    placed: dict[str, Placed]

    def members(self, home: Placed, kind: str, name: str, place: str, trail: tuple[str, ...] = ()) -> IntArray:
        """Mesh numbers of a set ("node" or "element") seen from a home scope; sets may name other sets."""
        owner, key = self._owner(home, name)
        scope = owner.instance.scope
        parts = (scope.node_sets if kind == "node" else scope.element_sets).get(key)
        if parts is None:
            raise InputError(f"{place}: there is no {kind} set '{name}'; define it or correct the name")
        mark = f"{owner.instance.name}.{key}"
        if mark in trail:
            raise InputError(f"{place}: the {kind} set '{name}' contains itself; remove it from its own list")
        found = [self._part_members(owner, kind, part, (*trail, mark)) for part in parts]
        return np.unique(np.concatenate(found))

    def facets(self, home: Placed, parts: Iterable[SurfacePart]) -> tuple[tuple[CellBlock, ...], IntArray]:
        """Facets of a surface, and the cells whose own side (SPOS, SNEG) belongs to it."""
        none = np.empty(0, dtype=np.int64)
        cells, local, sides = [none], [none], [none]
        for part in parts:
            members = self._elements(home, part.member, part.place)
            if part.face in ("SPOS", "SNEG"):
                sides.append(members)
                continue
            owners, faces = self._faces(members, part) if part.face else self._free_faces(members)
            cells.append(owners)
            local.append(faces)
        found = facets_of_owners(self.mesh, np.concatenate(cells), np.concatenate(local))
        return found, np.unique(np.concatenate(sides))

    def _faces(self, cells: IntArray, part: SurfacePart) -> tuple[IntArray, IntArray]:
        """Face S1 … S6 of solids and plane cells, or edge E1 … E4 of shells, of each cell."""
        number = int(part.face[1:]) if part.face[:1] in ("S", "E") and part.face[1:].isdigit() else 0
        for block in self.mesh.cells_in(cells):
            if not 1 <= number <= len(block.cell.facets):
                raise InputError(
                    f"{part.place}: '{part.face}' is not a face of {block.cell.name} cells; "
                    f"use S1 to S{len(block.cell.facets)}"
                )
        return cells, np.full(len(cells), number - 1)

    def _free_faces(self, cells: IntArray) -> tuple[IntArray, IntArray]:
        """Every face of the cells that no other cell shares."""
        none = np.empty(0, dtype=np.int64)
        owned = [(none, none), *(facet_owners(self.mesh, block) for block in self.mesh.boundary())]
        owners, local = (np.concatenate(values) for values in zip(*owned, strict=True))
        chosen = np.isin(owners, cells)
        return owners[chosen], local[chosen]

    def _part_members(self, owner: Placed, kind: str, part: SetPart, trail: tuple[str, ...]) -> IntArray:
        target = self._instance(part.instance, part.place) if part.instance else owner
        numbering = target.nodes if kind == "node" else target.elements
        labels = part.labels if kind == "node" else _without_refused(target, part.labels)
        found = [numbering.of(labels, part.place)]
        for first, last, step in part.ranges:
            found.append(numbering.between(first, last, step))
            if not found[-1].size and not target.instance.scope.refused:
                raise InputError(f"{part.place}: no {kind} from {first} to {last} is defined; correct the range")
        for name in part.names:
            found.append(self._find_set(target, kind, name, part.place, trail))
        if part.element_set:
            cells = self.members(target, "element", part.element_set, part.place)
            found.append(topology.nodes_of_blocks(self.mesh.cells_in(cells)))
        return np.concatenate(found)

    def _find_set(self, home: Placed, kind: str, name: str, place: str, trail: tuple[str, ...]) -> IntArray:
        """A set by name, or one node or element as `instance.label`."""
        instance, _, label = name.rpartition(".")
        if instance and label.isdigit():
            target = self._instance(instance, place)
            return (target.nodes if kind == "node" else target.elements).of(np.array([int(label)]), place)
        return self.members(home, kind, name, place, trail)

    def _elements(self, home: Placed, member: str, place: str) -> IntArray:
        if member.isdigit():
            return home.elements.of(_without_refused(home, np.array([int(member)])), place)
        return self._find_set(home, "element", member, place, ())

    def _owner(self, home: Placed, name: str) -> tuple[Placed, str]:
        """Scope and key of a set name that may begin with an instance name."""
        key = name.lower()
        scope = home.instance.scope
        instance, _, rest = key.rpartition(".")
        if key not in scope.node_sets and key not in scope.element_sets and instance in self.placed:
            return self.placed[instance], rest
        return home, key

    def _instance(self, name: str, place: str) -> Placed:
        try:
            return self.placed[name.lower()]
        except KeyError:
            known = ", ".join(p.instance.name for p in self.placed.values() if p.instance.name) or "none"
            raise InputError(f"{place}: there is no instance '{name}'; known: {known}") from None


def _without_refused(home: Placed, labels: IntArray) -> IntArray:
    """Labels of elements that are cells here."""
    refused = [elements.labels for elements in home.instance.scope.refused]
    return labels if not refused else labels[~np.isin(labels, np.concatenate(refused))]


def placement(name: str, scope: Scope, lines: list[DataLine], place: str) -> Instance:
    """Instance from the data of *INSTANCE: a translation, then a turn about the axis a–b by degrees."""
    if not lines:
        return Instance(name, scope)
    shift = np.zeros(3)
    values = reals(lines[0])
    if len(values) > 3 or len(lines) > 2:
        raise InputError(f"{place}: *INSTANCE takes a translation line and a rotation line")
    shift[: len(values)] = values
    if len(lines) == 1:
        return Instance(name, scope, translation=shift)
    values = reals(lines[1])
    if len(values) != 7:
        raise InputError(f"{lines[1].place}: a rotation takes two points and an angle in degrees, seven numbers")
    start, axis, angle = np.array(values[:3]), np.array(values[3:6]) - values[:3], np.radians(values[6])
    length = float(np.linalg.norm(axis))
    if length == 0:
        raise InputError(f"{lines[1].place}: the two points of the rotation axis are the same")
    x, y, z = axis / length
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    rotation = np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew
    return Instance(name, scope, rotation, rotation @ (shift - start) + start)


def assemble_instances(instances: list[Instance]) -> Assembly:
    """One mesh of all instances: nodes in order of the instances, cells grouped by shape."""
    points: list[Array] = [np.empty((0, 3))]
    node_labels: list[IntArray] = [np.empty(0, dtype=np.int64)]
    numberings = []
    for instance in instances:
        tables = instance.scope.nodes
        labels = np.concatenate([np.empty(0, dtype=np.int64), *(t.labels for t in tables)])
        places = [place for t in tables for place in t.places]
        start = sum(len(p) for p in points)
        made = Numbering.of_labels("node", labels, places.__getitem__)
        numberings.append(replace(made, numbers=start + made.numbers))
        for table in tables:
            points.append(table.points @ instance.rotation.T + instance.translation)
        node_labels.append(labels)
    blocks, cell_labels, elements = _cells(instances, numberings)
    mesh = Mesh(
        np.concatenate(points),
        tuple(blocks),
        node_labels=np.concatenate(node_labels),
        cell_labels=cell_labels,
    )
    placed = {
        instance.name.lower(): Placed(instance, nodes, cells)
        for instance, nodes, cells in zip(instances, numberings, elements, strict=True)
    }
    return Assembly(mesh, placed)


def _cells(
    instances: list[Instance], numberings: list[Numbering]
) -> tuple[list[CellBlock], IntArray, list[Numbering]]:
    """Blocks by shape in order of appearance, labels of all cells, and the numbering of each instance."""
    rows: dict[Cell, list[IntArray]] = {}
    labels: dict[Cell, list[IntArray]] = {}
    for instance, numbering in zip(instances, numberings, strict=True):
        for table in instance.scope.elements:
            nodes = numbering.of(table.nodes, table.place_of)
            rows.setdefault(table.cell, []).append(nodes)
            labels.setdefault(table.cell, []).append(table.labels)
    blocks = [CellBlock(cell, np.concatenate(parts)) for cell, parts in rows.items()]
    starts = dict(zip(rows, np.cumsum([0, *(len(b) for b in blocks)]), strict=False))
    elements = []
    for instance in instances:
        numbers, own, places = [], [], []
        for table in instance.scope.elements:
            numbers.append(starts[table.cell] + np.arange(len(table.labels)))
            starts[table.cell] += len(table.labels)
            own.append(table.labels)
            places += table.places
        none = np.empty(0, dtype=np.int64)
        made = Numbering.of_labels("element", np.concatenate([none, *own]), places.__getitem__)
        elements.append(replace(made, numbers=np.concatenate([none, *numbers])))
    every = [label for parts in labels.values() for label in parts]
    return blocks, np.concatenate([np.empty(0, dtype=np.int64), *every]), elements

"""gmsh text files of version 2 and 4.1; meshio refuses those with cells outside physical groups."""

import shlex
from dataclasses import dataclass, field

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.gmsh.groups import group_name, mesh_of_groups
from flexframe.exchange.gmsh.sections import Section, read_sections
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.blocks import CellBlock, row_keys
from flexframe.mesh.cells import Cell, cell_named
from flexframe.mesh.mesh import Mesh

# Element type of gmsh: cell, and how many nodes the file lists (those inside faces and volumes go).
_TYPES: dict[int, tuple[str, int]] = {
    1: ("line", 2),
    2: ("triangle", 3),
    3: ("quad", 4),
    4: ("tetra", 4),
    5: ("hexahedron", 8),
    6: ("wedge", 6),
    8: ("line3", 3),
    9: ("triangle6", 6),
    10: ("quad8", 9),
    11: ("tetra10", 10),
    12: ("hexahedron20", 27),
    13: ("wedge15", 18),
    15: ("vertex", 1),
    16: ("quad8", 8),
    17: ("hexahedron20", 20),
    18: ("wedge15", 15),
}
# Edges in the order in which gmsh lists their middle nodes, where it is not that of the cell.
_EDGES = {
    "tetra10": ((0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3)),
    "hexahedron20": (
        *((0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3)),
        *((2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)),
    ),
    "wedge15": ((0, 1), (0, 2), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (3, 5), (4, 5)),
}


@dataclass
class _Elements:
    """Elements of one type: labels, lines of the file, node labels, and the rows of each physical tag.

    `listed` is the number of nodes that the file has for each.
    """

    file: str
    cell: Cell
    listed: int
    labels: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    nodes: list[list[int]] = field(default_factory=list)
    groups: dict[int, list[int]] = field(default_factory=dict)

    def add(self, label: int, nodes: list[int], tags: list[int], line: int) -> None:
        """Take over one element."""
        if len(nodes) != self.listed:
            raise InputError(
                f"{self.file}:{line}: element {label} has {len(nodes)} nodes instead of {self.listed}; "
                "save the mesh again"
            )
        for tag in tags:
            self.groups.setdefault(tag, []).append(len(self.labels))
        self.labels.append(label)
        self.lines.append(line)
        self.nodes.append(nodes)


def is_text(file: OpenFile) -> bool:
    """Whether a gmsh file is text of a version that is read here; InputError if it is no gmsh file."""
    head = file.head(10_000)
    words = head[head.find(b"$MeshFormat") :].split(maxsplit=3)
    if not words or words[0] != b"$MeshFormat" or len(words) < 3:
        raise InputError(f"{file.short}: is not a gmsh file; save the mesh in version 4.1 or 2.2")
    return words[2] == b"0" and (words[1].startswith(b"2") or words[1] in (b"4", b"4.1"))


def read_text(file: OpenFile) -> Mesh:
    """Read a gmsh text file; errors name file and line."""
    sections = {section.name: section for section in read_sections(file)}
    head = sections.get("MeshFormat")
    if head is None:
        raise InputError(f"{file.short}:1: $MeshFormat does not stand on a line of its own; save the mesh again")
    version = " ".join(head.lines[:1]).strip()
    names = _physical_names(sections)
    for needed in ("Nodes", "Elements"):
        if needed not in sections:
            raise InputError(f"{file.short}: has no ${needed}; save the mesh again (is the file cut off?)")
    if version.startswith("2"):
        labels, points, lines = _nodes_2(sections["Nodes"])
        tables = _elements_2(sections["Elements"])
    else:
        labels, points, lines = _nodes_4(sections["Nodes"])
        tables = _elements_4(sections["Elements"], _entities(sections))
    if not tables:
        raise InputError(f"{file.short}: has no elements; mesh the model and save again")
    order = np.argsort(labels, kind="stable")
    for twice in order[1:][np.diff(labels[order]) == 0][:1]:
        place = f"{file.short}:{lines[twice]}"
        raise InputError(f"{place}: node {labels[twice]} is defined a second time; save the mesh again")
    blocks, cell_labels = [], []
    groups: dict[int, dict[str, list[IntArray]]] = {}
    for number, table in enumerate(tables):
        block, kept, rows_of = _block(table, labels, order)
        blocks.append(block)
        cell_labels.append(kept)
        for tag, rows in rows_of.items():
            dimension = table.cell.dimension
            members = groups.setdefault(dimension, {}).setdefault(
                group_name(names, dimension, tag), [np.empty(0, dtype=np.int64)] * len(tables)
            )
            members[number] = np.union1d(members[number], rows)
    try:
        return mesh_of_groups(points, blocks, groups, labels, cell_labels)
    except InputError as error:
        raise InputError(f"{file.short}: {error}") from error


def _physical_names(sections: dict[str, Section]) -> dict[tuple[int, int], str]:
    section = sections.get("PhysicalNames")
    names: dict[tuple[int, int], str] = {}
    if section is None:
        return names
    for number, line in enumerate(section.lines[1:], start=section.first + 1):
        try:
            dimension, tag, name = shlex.split(line)
            names[int(dimension), int(tag)] = name
        except ValueError:
            raise InputError(
                f"{section.file}:{number}: '{line[:40]}' is not a physical name; save the mesh again"
            ) from None
    return names


def _nodes_2(section: Section) -> tuple[IntArray, Array, IntArray]:
    """Labels, coordinates and lines of the nodes."""
    (count, *_) = section.integers(1)
    section.require(count)
    lines = section.line + np.arange(count)
    rows = [section.labelled_reals(3) for _ in range(count)]
    labels = np.array([label for label, _ in rows], dtype=np.int64)
    return labels, np.array([values[:3] for _, values in rows]).reshape(-1, 3), lines


def _nodes_4(section: Section) -> tuple[IntArray, Array, IntArray]:
    """Labels, coordinates and lines of the nodes."""
    block_count, *_ = section.integers(2)
    labels: list[int] = []
    lines: list[int] = []
    points: list[list[float]] = []
    section.require(block_count)
    for _ in range(block_count):
        *_, count = section.integers(4)
        section.require(2 * count)
        lines += range(section.line, section.line + count)
        labels += [section.integers(1)[0] for _ in range(count)]
        points += [section.reals(3)[:3] for _ in range(count)]
    return np.array(labels, dtype=np.int64), np.array(points).reshape(-1, 3), np.array(lines, dtype=np.int64)


def _entities(sections: dict[str, Section]) -> dict[tuple[int, int], list[int]]:
    """Physical tags of each (dimension, entity)."""
    section = sections.get("Entities")
    tags: dict[tuple[int, int], list[int]] = {}
    if section is None:
        return tags
    for dimension, count in enumerate(section.integers(4)[:4]):
        section.require(count)
        for _ in range(count):
            skip = 3 if dimension == 0 else 6
            entity, values = section.labelled_reals(skip + 1)
            count_of_tags = int(values[skip])
            physical = values[skip + 1 : skip + 1 + max(count_of_tags, 0)]
            tags[dimension, entity] = [abs(int(tag)) for tag in physical]
    return tags


def _elements_2(section: Section) -> list[_Elements]:
    tables: dict[int, _Elements] = {}
    (count, *_) = section.integers(1)
    section.require(count)
    for _ in range(count):
        line = section.line
        label, kind, tag_count, *rest = section.integers(4)
        table = _table(tables, kind, section.file, line)
        tags, nodes = rest[:tag_count], rest[tag_count:]
        table.add(label, nodes, [abs(tags[0])] if tags and tags[0] else [], line)
    return list(tables.values())


def _elements_4(section: Section, entities: dict[tuple[int, int], list[int]]) -> list[_Elements]:
    tables: dict[int, _Elements] = {}
    block_count, *_ = section.integers(2)
    section.require(block_count)
    for _ in range(block_count):
        line = section.line
        dimension, entity, kind, count = section.integers(4)[:4]
        table = _table(tables, kind, section.file, line)
        section.require(count)
        for _ in range(count):
            line = section.line
            label, *nodes = section.integers(2)
            table.add(label, nodes, entities.get((dimension, entity), []), line)
    return list(tables.values())


def _table(tables: dict[int, _Elements], kind: int, file: str, line: int) -> _Elements:
    if kind not in _TYPES:
        known = ", ".join(dict.fromkeys(name for name, _ in _TYPES.values()))
        raise InputError(f"{file}:{line}: gmsh element type {kind} is not read; mesh with {known}")
    return tables.setdefault(kind, _Elements(file, cell_named(_TYPES[kind][0]), _TYPES[kind][1]))


def _block(table: _Elements, labels: IntArray, order: IntArray) -> tuple[CellBlock, IntArray, dict[int, IntArray]]:
    """Cells, their labels, and the rows of each physical tag; an element listed once per group is one cell."""
    given = np.array(table.nodes, dtype=np.int64)[:, : table.cell.nodes]
    place = np.minimum(np.searchsorted(labels[order], given), len(labels) - 1)
    missing = labels[order][place] != given
    if missing.any():
        row, column = np.argwhere(missing)[0]
        raise InputError(
            f"{table.file}:{table.lines[row]}: element {table.labels[row]} uses node {given[row, column]}, "
            "which is not defined"
        )
    nodes = order[place][:, _cell_order(table.cell)]
    _, first, group = np.unique(row_keys(nodes), return_index=True, return_inverse=True)
    kept = np.sort(first)
    new_row = np.searchsorted(kept, first[group])
    rows_of = {tag: np.unique(new_row[np.array(rows)]) for tag, rows in table.groups.items()}
    return CellBlock(table.cell, nodes[kept]), np.array(table.labels)[kept], rows_of


def _cell_order(cell: Cell) -> list[int]:
    """Place in gmsh's list of each node of the cell."""
    if cell.name not in _EDGES:
        return list(range(cell.nodes))
    listed = {frozenset(edge): cell.corners + k for k, edge in enumerate(_EDGES[cell.name])}
    return [*range(cell.corners), *(listed[frozenset(edge[:2])] for edge in cell.edges)]

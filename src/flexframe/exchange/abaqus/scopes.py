"""What one part, instance or flat Abaqus file defines, as written: labels and names are not yet looked up."""

from dataclasses import dataclass, field
from math import isfinite

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.abaqus.elements import cell_order, element_cell
from flexframe.exchange.abaqus.keywords import DataLine, Keyword
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.cells import Cell


@dataclass(frozen=True, eq=False)
class NodeTable:
    """Nodes of one *NODE: labels (n), points (n, 3), and where each stands."""

    labels: IntArray
    points: Array
    places: list[str]


@dataclass(frozen=True, eq=False)
class ElementTable:
    """Elements of one *ELEMENT: labels (n), node labels (n, nodes) in cell order, and where each stands."""

    type_name: str
    cell: Cell
    labels: IntArray
    nodes: IntArray
    places: list[str]

    def place_of(self, entry: int) -> str:
        """Where an entry of `nodes`, counted row by row, stands."""
        return self.places[entry // self.cell.nodes]


@dataclass(frozen=True, eq=False)
class SetPart:
    """What one keyword adds to a set: labels, ranges (first, last, step), names or labels of other places.

    A name may be `instance.name`; `element_set` stands for the nodes of an element set.
    """

    place: str
    instance: str = ""
    labels: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    ranges: tuple[tuple[int, int, int], ...] = ()
    names: tuple[str, ...] = ()
    element_set: str = ""


@dataclass(frozen=True)
class SurfacePart:
    """One line of a *SURFACE: element or set, and the face ("" for all free faces)."""

    place: str
    member: str
    face: str


@dataclass(frozen=True)
class SectionPart:
    """A section as written: element set of this scope, material, profile and first line of numbers.

    `direction` is the second line of a beam, its first axis; the profile of a layered shell is COMPOSITE, and each
    of its `layers` has a place, a thickness, a material and an orientation. `offset` is that of a shell.
    """

    place: str
    kind: str
    element_set: str
    material: str
    profile: str
    values: tuple[float, ...]
    direction: tuple[float, ...] = ()
    orientation: str = ""
    layers: tuple[tuple[str, ...], ...] = ()
    offset: str = ""


@dataclass(frozen=True, eq=False)
class RefusedElements:
    """Elements that are no cells here: type, place, and labels as far as they can be told."""

    type_name: str
    place: str
    labels: IntArray


@dataclass
class Scope:
    """Everything defined at one level; the keys of the dictionaries are lower-case names."""

    name: str
    nodes: list[NodeTable] = field(default_factory=list)
    elements: list[ElementTable] = field(default_factory=list)
    node_sets: dict[str, list[SetPart]] = field(default_factory=dict)
    element_sets: dict[str, list[SetPart]] = field(default_factory=dict)
    surfaces: dict[str, list[SurfacePart]] = field(default_factory=dict)
    sections: list[SectionPart] = field(default_factory=list)
    spelling: dict[str, str] = field(default_factory=dict)
    attachments: list[Keyword] = field(default_factory=list)  # masses, couplings, springs, supports
    refused: list[RefusedElements] = field(default_factory=list)

    def copy(self) -> "Scope":
        """The same definitions, to which an instance may add its own."""
        return Scope(
            self.name,
            list(self.nodes),
            list(self.elements),
            {key: list(parts) for key, parts in self.node_sets.items()},
            {key: list(parts) for key, parts in self.element_sets.items()},
            {key: list(parts) for key, parts in self.surfaces.items()},
            list(self.sections),
            dict(self.spelling),
            list(self.attachments),
            list(self.refused),
        )

    def key_of(self, name: str) -> str:
        """Lower-case key of a name, whose first spelling is kept."""
        self.spelling.setdefault(name.lower(), name)
        return name.lower()

    def add_nodes(self, keyword: Keyword) -> None:
        """Take over a *NODE."""
        if keyword.parameters.get("SYSTEM", "R").upper() != "R":
            raise InputError(f"{keyword.place}: only SYSTEM=R is read; convert the nodes to x, y, z")
        labels, points = [], []
        for line in keyword.data:
            label, *values = line.fields
            numbers = [real(value, line.place) if value else 0.0 for value in values]
            if not 2 <= len(numbers) <= 6:
                raise InputError(f"{line.place}: a node has a number and 2 or 3 coordinates, not '{line.text}'")
            labels.append(_label(label, line.place))
            points.append((*numbers[:3], 0.0)[:3])
        table = NodeTable(
            np.array(labels, dtype=np.int64), np.array(points).reshape(-1, 3), [d.place for d in keyword.data]
        )
        self.nodes.append(table)
        if keyword.parameters.get("NSET"):
            self._add(self.node_sets, keyword.parameters["NSET"], SetPart(keyword.place, labels=table.labels))

    def add_elements(self, keyword: Keyword) -> None:
        """Take over an *ELEMENT; the nodes of one element may go over several lines."""
        type_name = keyword.required_value("TYPE").upper()
        cell = element_cell(type_name)
        if cell is None:
            first = [line.fields[0] for line in keyword.data if line.fields]
            labels = np.array([int(word) for word in first if word.isdigit() and len(word) < 18], dtype=np.int64)
            self.refused.append(RefusedElements(type_name, keyword.place, labels))
            self.attachments.append(keyword)
            if keyword.parameters.get("ELSET"):
                self.key_of(keyword.parameters["ELSET"])
            return
        rows, places = [], []
        lines = iter(keyword.data)
        for line in lines:
            row = [_label(value, line.place) for value in line.fields]
            while len(row) <= cell.nodes:
                following = next(lines, None)
                if following is None:
                    raise InputError(
                        f"{line.place}: element {row[0]} has {len(row) - 1} of the {cell.nodes} nodes of "
                        f"{type_name}; complete it (is the file cut off?)"
                    )
                row += [_label(value, following.place) for value in following.fields]
            if len(row) > cell.nodes + 1:
                raise InputError(
                    f"{line.place}: element {row[0]} has {len(row) - 1} nodes where {type_name} has {cell.nodes}"
                )
            rows.append(row)
            places.append(line.place)
        table = np.array(rows, dtype=np.int64).reshape(-1, cell.nodes + 1)
        self.elements.append(ElementTable(type_name, cell, table[:, 0], cell_order(table[:, 1:], cell), places))
        if keyword.parameters.get("ELSET"):
            part = SetPart(keyword.place, labels=table[:, 0])
            self._add(self.element_sets, keyword.parameters["ELSET"], part)

    def add_set(self, keyword: Keyword) -> None:
        """Take over an *NSET or *ELSET; a name given again is added to."""
        name = keyword.required_value(keyword.name)
        labels: list[int] = []
        names: list[str] = []
        ranges: list[tuple[int, int, int]] = []
        for line in keyword.data:
            values = [value for value in line.fields if value]
            if keyword.has("GENERATE"):
                ranges.append(_range(values, line))
                continue
            for value in values:
                if value.lstrip("+-").isdigit():
                    labels.append(_label(value, line.place))
                else:
                    names.append(value.strip('"'))
        part = SetPart(
            keyword.place,
            instance=keyword.parameters.get("INSTANCE", ""),
            labels=np.array(labels, dtype=np.int64),
            ranges=tuple(ranges),
            names=tuple(names),
            element_set=keyword.parameters.get("ELSET", "") if keyword.name == "NSET" else "",
        )
        self._add(self.node_sets if keyword.name == "NSET" else self.element_sets, name, part)

    def add_surface(self, keyword: Keyword) -> None:
        """Take over a *SURFACE of element faces, or of nodes, which is a node set."""
        name, kind = keyword.required_value("NAME"), keyword.parameters.get("TYPE", "ELEMENT").upper()
        if kind == "NODE":
            listed = [line.fields[0] for line in keyword.data]
            # a set and the surface of its nodes may have one name
            names = tuple(own for own in listed if not own.isdigit() and own.lower() != name.lower())
            labels = np.array([int(own) for own in listed if own.isdigit()], dtype=np.int64)
            if names or labels.size:
                self._add(self.node_sets, name, SetPart(keyword.place, labels=labels, names=names))
            return
        if kind != "ELEMENT" or keyword.has("COMBINE"):
            raise InputError(
                f"{keyword.place}: only *SURFACE of TYPE=ELEMENT or TYPE=NODE is read; list its faces"
            )
        parts = [
            SurfacePart(line.place, line.fields[0], line.fields[1].upper() if len(line.fields) > 1 else "")
            for line in keyword.data
        ]
        self.surfaces.setdefault(self.key_of(name), []).extend(parts)

    def add_section(self, keyword: Keyword) -> None:
        """Take over a *SOLID, *SHELL, *MEMBRANE or *BEAM SECTION."""
        first, second = ((keyword.data[k] if len(keyword.data) > k else None) for k in (0, 1))
        layered = keyword.has("COMPOSITE")
        kind = keyword.name.split()[0].lower()
        self.sections.append(
            SectionPart(
                keyword.place,
                kind,
                keyword.required_value("ELSET"),
                keyword.parameters.get("MATERIAL", ""),
                "COMPOSITE" if layered else keyword.parameters.get("SECTION", ""),
                () if layered or first is None else _given_numbers(first),
                _given_numbers(second) if kind == "beam" and second is not None else (),
                keyword.parameters.get("ORIENTATION", ""),
                _layers(keyword) if layered else (),
                keyword.parameters.get("OFFSET", "").upper() if kind == "shell" else "",
            )
        )

    def _add(self, sets: dict[str, list[SetPart]], name: str, part: SetPart) -> None:
        sets.setdefault(self.key_of(name), []).append(part)


def _given_numbers(line: DataLine) -> tuple[float, ...]:
    """The numbers of a data line, blank fields left out."""
    return tuple(real(value, line.place) for value in line.fields if value)


def reals(line: DataLine) -> list[float]:
    """The numbers of a data line, 0 where a field is left blank."""
    return [real(value, line.place) if value else 0.0 for value in line.fields]


def real(value: str, place: str) -> float:
    try:
        number = float(value.replace("D", "E").replace("d", "e"))
    except ValueError:
        raise InputError(f"{place}: '{value[:40]}' is not a number; check the line") from None
    if not isfinite(number):
        raise InputError(f"{place}: '{value[:40]}' is not a finite number; check the line")
    return number


def _label(value: str, place: str) -> int:
    try:
        number = int(value)
    except ValueError:
        raise InputError(f"{place}: '{value[:40]}' is not a node or element number; check the line") from None
    if not 0 < number < 2**62:
        raise InputError(f"{place}: number {value[:40]} is not possible; nodes and elements count from 1")
    return number


def _range(values: list[str], line: DataLine) -> tuple[int, int, int]:
    if len(values) not in (2, 3):
        raise InputError(f"{line.place}: GENERATE takes first, last and step, not '{line.text}'")
    first, last, *step = (_label(value, line.place) for value in values)
    if last < first:
        raise InputError(f"{line.place}: GENERATE runs from {first} down to {last}; give the lower number first")
    return first, last, step[0] if step else 1


def _layers(keyword: Keyword) -> tuple[tuple[str, ...], ...]:
    """Place, thickness, material and orientation of the layers of a shell; a symmetric one has them twice."""
    rows = [(line.place, [*line.fields, "", "", ""]) for line in keyword.data]
    found = tuple((place, fields[0], fields[2], fields[3]) for place, fields in rows)
    return found + found[::-1] if keyword.has("SYMMETRIC") else found

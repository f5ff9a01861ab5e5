"""A coded database as tables: nodes, elements, components, element types, materials, real constants, sections."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.ansys.commands import Block, Command, read_commands
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray

_MOST_NODES = 20  # of an element
_LEAD = 11  # numbers before the nodes of a SOLID block
_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class ElementRows:
    """Elements: numbers of material, type, real constants, section and coordinate system, label, nodes, line."""

    attributes: IntArray  # (n, 5)
    labels: IntArray  # (n,)
    nodes: IntArray  # 0 where there are fewer: (n, 20)
    lines: IntArray  # (n,)


@dataclass(frozen=True)
class SectionData:
    """A cross-section: BEAM, SHELL, LINK …, subtype, numbers, and layers of a shell (thickness, material …)."""

    kind: str
    subtype: str = ""
    values: tuple[float, ...] = ()
    layers: tuple[tuple[float, ...], ...] = ()
    offset: str = ""
    place: str = ""


@dataclass(eq=False)
class Database:
    """What a coded database says, as it says it."""

    name: str
    node_labels: list[IntArray] = field(default_factory=list)
    node_values: list[Array] = field(default_factory=list)  # x, y, z and three angles in degrees: (n, 6)
    node_lines: list[IntArray] = field(default_factory=list)
    elements: list[ElementRows] = field(default_factory=list)
    types: dict[int, int] = field(default_factory=dict)
    options: dict[tuple[int, int], int] = field(default_factory=dict)  # KEYOPT of (type, number)
    materials: dict[int, dict[str, float]] = field(default_factory=dict)
    constants: dict[int, tuple[float, ...]] = field(default_factory=dict)
    sections: dict[int, SectionData] = field(default_factory=dict)
    components: dict[str, tuple[str, IntArray]] = field(default_factory=dict)  # NODE or ELEM, and labels
    held: list[tuple[int, str, float, str]] = field(default_factory=list)  # node, label, value, place
    equations: list[tuple[str, list[tuple[int, str, float]]]] = field(default_factory=list)  # node, label, factor
    unread: dict[str, tuple[int, str]] = field(default_factory=dict)  # how often, and where first

    @property
    def labels(self) -> IntArray:
        """Labels of all nodes."""
        return np.concatenate([_NONE, *self.node_labels])

    def place(self, line: int) -> str:
        """File and line."""
        return f"{self.name}:{line}"


# Commands that say nothing about the part: for the solution, for what is selected, loads.
_PASSED = {
    "NUMOFF",
    "DOF",
    "EXTOPT",
    "TREF",
    "BFUNIF",
    "ACEL",
    "OMEGA",
    "DOMEGA",
    "CGLOC",
    "CGOMEGA",
    "DCGOMG",
    "DMPRAT",
    "DMPSTR",
    "ALPHAD",
    "BETAD",
    "ERESX",
    "ANTYPE",
    "MODOPT",
    "MODCONTROL",
    "QRDOPT",
    "TIME",
    "NEQIT",
    "NCNV",
    "KUSE",
    "IRLF",
    "CRPLIM",
    "MPTEMP",
    "FINISH",
    "FINI",
    "SOLVE",
    "MXPAND",
    "LUMPM",
    "PSTRES",
    "OUTRES",
    "EQSLV",
    "KBC",
    "NSUBST",
    "AUTOTS",
    "TIMINT",
    "TINTP",
    "TRNOPT",
    "CNVTOL",
    "SHPP",
    "SECCONTROL",
    "EMUNIT",
    "NLGEOM",
    "TOFFST",
    "STEF",
    "THOPT",
    "CMSEL",
    "ESEL",
    "NSEL",
    "ALLSEL",
    "_CDRDOFF",
    "IF",
    "END",
    "MANF",
    "LCURV",
    "CSCIR",
    "CMDEL",
    "DMPOPT",
    "N",
    "MPAMOD",
    "MPDELE",
    "CSYS",
    "TRNMODE",
    "ETCONTROL",
    "SF",
    "SFE",
    "F",
    "BF",
    "BFE",
    "KEYOP",
    "KEYOPT",
}
_OF_ELEMENTS = ("TYPE", "MAT", "REAL", "SECNUM", "ESYS")


def read_database(file: OpenFile) -> Database:
    """Everything that is read of a coded database."""
    made = _Reading(Database(file.short))
    for item in read_commands(file):
        if isinstance(item, Block):
            made.take_block(item)
        else:
            made.take(item)
    return made.database


@dataclass(eq=False)
class _Reading:
    """What commands before the present one set."""

    database: Database
    current: dict[str, int] = field(default_factory=lambda: {**dict.fromkeys(_OF_ELEMENTS, 1), "ESYS": 0})
    section: int = 0
    last_constants: int = 0
    equations: dict[int, int] = field(default_factory=dict)  # places in the list by number
    last_equation: int = -1

    def take(self, command: Command) -> None:  # noqa: PLR0912 - a case for each command
        """Act on one command."""
        name, data = command.name, self.database
        match name:
            case "ET":
                data.types[command.integer(1)] = _type_number(command)
                for k in range(6):
                    if command.text(3 + k):
                        data.options[command.integer(1), k + 1] = int(command.real(3 + k))
            case "KEYOP" | "KEYOPT" if command.text(1).isdigit():
                data.options[command.integer(1), command.integer(2)] = int(command.real(3, 0.0))
            case "MPDATA":
                self._material(command)
            case "MP":
                data.materials.setdefault(command.integer(2), {})[command.text(1).upper()] = command.real(3, 0.0)
            case "R":
                self.last_constants = command.integer(1)
                data.constants[self.last_constants] = tuple(command.reals(2))
            case "RMORE":
                before = data.constants.get(self.last_constants, ())
                padded = (*before, *[0.0] * (-len(before) % 6))
                data.constants[self.last_constants] = (*padded, *command.reals(1))
            case "SECTYPE":
                self.section = command.integer(1)
                kind, subtype = command.text(2).upper(), command.text(3).upper()
                data.sections[self.section] = SectionData(kind, subtype, place=command.place)
            case "SECDATA" | "SECOFFSET":
                self._section(command)
            case "D":
                self._fix(command)
            case "CE" | "CP" if self._equation(command):
                pass
            case "N" if command.text(1).isdigit():
                values = [command.real(f, 0.0) for f in range(2, 8)]
                line = int(command.place.rpartition(":")[2])
                data.node_labels.append(np.array([command.integer(1)]))
                data.node_values.append(np.array([values]))
                data.node_lines.append(np.array([line]))
            case "EN" | "E" if command.text(1).lstrip("-").isdigit():
                self._element(command)
            case _ if name in _OF_ELEMENTS:
                self.current[name] = command.integer(1, 0 if name == "ESYS" else 1)
            case _ if name[0] not in "/*~_" and name not in _PASSED:
                count, place = data.unread.get(name, (0, command.place))
                data.unread[name] = (count + 1, place)

    def take_block(self, block: Block) -> None:
        """Act on a block of numbers."""
        name, data = block.command.name, self.database
        match name:
            case "NBLOCK":
                self._nodes(block)
            case "EBLOCK":
                self._elements(block)
            case "CMBLOCK":
                self._component(block)
            case "RLBLOCK":
                self._constants(block)
            case "ETBLOCK":
                for labels, _, _ in _rows(block):
                    for row in labels.tolist():
                        if row[0] > 0:
                            data.types[row[0]] = row[1]
                            data.options |= {(row[0], k + 1): value for k, value in enumerate(row[2:])}
            case "SECBLOCK":
                self._layers(block)
            case _:
                count, place = data.unread.get(name, (0, block.command.place))
                data.unread[name] = (count + 1, place)

    def _equation(self, command: Command) -> bool:
        """CE: a constant and terms, as a command or as a coded database has it; CP: nodes that move alike."""
        first, what = command.text(1).upper(), command.text(2).upper()
        if command.name == "CP" and first.isdigit():
            nodes = [command.integer(f) for f in range(3, len(command.fields) + 1) if command.text(f)]
            if not nodes:
                raise InputError(f"{command.place}: CP couples no nodes; complete it (is it cut off?)")
            leader, *others = nodes
            for other in others:
                terms = [(leader, what, 1.0), (other, what, -1.0)]
                self.database.equations.append((command.place, terms))
            return True
        if command.name == "CE" and re.match(r"R\d|UNBL", first):
            if what == "DEFI":
                self._begin_equation(command, command.integer(4), command.real(5, 0.0))
            elif what == "NODE":
                self._add_terms(command, 3)
            return what in ("DEFI", "NODE")
        if command.name == "CE" and first.isdigit():
            self._begin_equation(command, int(first), command.real(2, 0.0))
            self._add_terms(command, 3)
            return True
        return False

    def _begin_equation(self, command: Command, number: int, constant: float) -> None:
        if constant:
            raise InputError(
                f"{command.place}: CE {number} has the constant {constant:g}; equations here are zero, remove it"
            )
        if number not in self.equations:
            self.equations[number] = len(self.database.equations)
            self.database.equations.append((command.place, []))
        self.last_equation = self.equations[number]

    def _add_terms(self, command: Command, first: int) -> None:
        if self.last_equation < 0:
            raise InputError(f"{command.place}: CE gives terms of no equation; complete it (is it cut off?)")
        _, terms = self.database.equations[self.last_equation]
        for f in range(first, len(command.fields) + 1, 3):
            if command.text(f):
                terms.append((command.integer(f), command.text(f + 1).upper(), command.real(f + 2, 0.0)))

    def _material(self, command: Command) -> None:
        """MPDATA, release, how many, property, material, first place, values: the first is taken."""
        first = 2 if re.match(r"R\d|UNBL", command.text(1).upper()) else 0
        label, number = command.text(first + 1).upper(), command.integer(first + 2)
        place = command.integer(first + 3, 1)
        if place == 1:
            self.database.materials.setdefault(number, {})[label] = command.real(first + 4, 0.0)

    def _section(self, command: Command) -> None:
        data, known = self.database, self.database.sections.get(self.section)
        if known is None:
            raise InputError(f"{command.place}: {command.name} stands before any SECTYPE; check the file")
        if command.name == "SECOFFSET":
            made = replace(known, offset=command.text(1).upper())
        elif known.kind == "SHELL":
            layer = tuple(command.real(f, 0.0) for f in range(1, 5))
            made = replace(known, layers=(*known.layers, layer))
        else:
            made = replace(known, values=(*known.values, *command.reals(1)))
        data.sections[self.section] = made

    def _fix(self, command: Command) -> None:
        if not command.text(1).isdigit():
            count, place = self.database.unread.get("D", (0, command.place))
            self.database.unread["D"] = (count + 1, place)
            return
        self.database.held.append(
            (command.integer(1), command.text(2).upper(), command.real(3, 0.0), command.place)
        )

    def _element(self, command: Command) -> None:
        """EN, label, nodes, or E, nodes, with the numbers that TYPE, MAT … set."""
        numbers = [command.integer(f, 0) for f in range(1, len(command.fields) + 1)]
        if command.name == "E":
            numbers = [sum(len(rows.labels) for rows in self.database.elements) + 1, *numbers]
        c = self.current
        attributes = [c["MAT"], c["TYPE"], c["REAL"], c["SECNUM"], c["ESYS"]]
        nodes = [*numbers[1 : _MOST_NODES + 1], *[0] * (_MOST_NODES - len(numbers) + 1)]
        line = int(command.place.rpartition(":")[2])
        self.database.elements.append(
            ElementRows(np.array([attributes]), np.array(numbers[:1]), np.array([nodes]), np.array([line]))
        )

    # ------------------------------------------------------------------ blocks

    def _nodes(self, block: Block) -> None:
        for labels, values, lines in _rows(block):
            if not labels.shape[1] or values.shape[1] < 1:
                raise InputError(f"{block.command.place}: NBLOCK has no format line; write the file again")
            six = np.zeros((len(labels), 6))
            six[:, : min(6, values.shape[1])] = values[:, :6]
            kept = labels[:, 0] > 0
            self.database.node_labels.append(labels[kept, 0])
            self.database.node_values.append(six[kept])
            self.database.node_lines.append(lines[kept])

    def _elements(self, block: Block) -> None:
        parts = [(labels, lines) for labels, _, lines in _rows(block)]
        if not parts:
            return
        table, lines = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
        if block.command.text(2).upper() != "SOLID":
            self._plain_elements(table, lines, block)
            return
        width = table.shape[1]
        if width < _LEAD + 8:
            raise InputError(f"{block.command.place}: EBLOCK has {width} columns; write the file again")
        room = width - _LEAD
        counts = table[:, 8]
        first, at, last = np.zeros(len(table), dtype=bool), 0, len(table)
        if (counts <= room).all():
            first[:] = True
        else:
            listed = counts.tolist()
            while at < last:
                first[at] = True
                at += 1 + max(0, -(-(listed[at] - room) // width))
        starts = np.flatnonzero(first)
        count = np.clip(table[starts, 8], 0, None)
        if (count > _MOST_NODES).any() or at > last:
            line = int(lines[starts[np.argmax(count > _MOST_NODES)] if at <= last else starts[-1]])
            raise InputError(
                f"{self.database.place(line)}: EBLOCK: an element has more nodes than its lines hold; write it "
                "again (is it cut off?)"
            )
        nodes = np.zeros((len(starts), _MOST_NODES), dtype=np.int64)
        nodes[:, :room] = table[starts, _LEAD:][:, :_MOST_NODES]
        longer = np.flatnonzero(count > room)
        if longer.size:
            nodes[longer, room:] = table[starts[longer] + 1][:, : _MOST_NODES - room]
        nodes[np.arange(_MOST_NODES) >= count[:, None]] = 0
        attributes = table[starts][:, [0, 1, 2, 3, 4]]
        self.database.elements.append(ElementRows(attributes, table[starts, 10], nodes, lines[starts]))

    def _plain_elements(self, table: IntArray, lines: IntArray, block: Block) -> None:
        """Element, section, real constants, material, system and ten nodes at most in a line."""
        if table.shape[1] < 6:
            raise InputError(f"{block.command.place}: EBLOCK has {table.shape[1]} columns; write the file again")
        nodes = np.zeros((len(table), _MOST_NODES), dtype=np.int64)
        room = min(table.shape[1] - 5, _MOST_NODES)
        nodes[:, :room] = table[:, 5 : 5 + room]
        kind = np.full(len(table), self.current["TYPE"])
        attributes = np.column_stack([table[:, 3], kind, table[:, 2], table[:, 1], table[:, 4]])
        self.database.elements.append(ElementRows(attributes, table[:, 0], nodes, lines))

    def _component(self, block: Block) -> None:
        """Labels; a negative one is the last of those from the one before it on."""
        name, kind = block.command.text(1), block.command.text(2).upper()
        found = [labels.ravel() for labels, _, _ in _rows(block)]
        labels = np.concatenate([_NONE, *found])
        labels = labels[labels != 0][: block.command.integer(3, len(labels))]
        ranges = np.flatnonzero(labels < 0)
        members = [labels[labels > 0]]
        for at in ranges.tolist():
            if at == 0 or not 0 < -labels[at] - labels[at - 1] < 10**9:
                raise InputError(f"{block.command.place}: component {name} has a range without a beginning")
            members.append(np.arange(labels[at - 1], -labels[at] + 1))
        self.database.components[name] = (kind, np.unique(np.concatenate(members)))

    def _constants(self, block: Block) -> None:
        """Set, how many, values; more of them in lines without the first two."""
        number, left = 0, 0
        for row, place in _numbers(block):
            if left > 0:
                self.database.constants[number] += row
                left -= len(row)
            elif len(row) > 1:
                number, left = int(row[0]), int(row[1]) - len(row) + 2
                self.database.constants[number] = row[2:]
            else:
                raise InputError(f"{place}: RLBLOCK: real constants begin with their number and how many they are")

    def _layers(self, block: Block) -> None:
        known = self.database.sections.get(self.section)
        if known is None:
            raise InputError(f"{block.command.place}: SECBLOCK stands before any SECTYPE; check the file")
        self.database.sections[self.section] = replace(known, layers=tuple(row for row, _ in _numbers(block)))


def _numbers(block: Block) -> Iterator[tuple[tuple[float, ...], str]]:
    """The numbers of each line, parted by blanks or commas, and its place."""
    for chars, lines in block.lines():
        for row, line in zip(chars, lines.tolist(), strict=True):
            place = f"{block.text.name}:{line}"
            words = row.tobytes().replace(b",", b" ").replace(b"D", b"E").split()
            try:
                numbers = tuple(float(word) for word in words)
            except ValueError:
                raise InputError(f"{place}: {block.command.name} holds something else than numbers") from None
            if not np.isfinite(numbers).all() or max(map(abs, numbers), default=0.0) > 1e30:
                raise InputError(f"{place}: {block.command.name} holds numbers that are not possible")
            yield numbers, place


def _rows(block: Block) -> Iterator[tuple[IntArray, Array, IntArray]]:
    if not block.columns:
        raise InputError(f"{block.command.place}: {block.command.name} has no format line; write the file again")
    yield from block.table()


def _type_number(command: Command) -> int:
    """The number of an element type, also behind its name as in SOLID186."""
    text = command.text(2)
    digits = text[len(text.rstrip("0123456789")) :]
    if not digits or len(digits) > 6:
        raise InputError(f"{command.place}: ET: '{text[:20]}' is not an element type")
    return int(digits)

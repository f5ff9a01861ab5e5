"""CalculiX: results (.frd) with mesh and modes, and matrices (.sti, .mas) with the list of their rows (.dof)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path, PurePosixPath

import numpy as np
from scipy import sparse

from flexframe.errors import InputError
from flexframe.exchange.cell_tables import cell_blocks
from flexframe.exchange.columns import Characters, integers, reals, text_lines
from flexframe.exchange.contract import FiledMatrix, FiledModes, Format, Part, Settings, matrix_in_si
from flexframe.exchange.labels import usable_labels
from flexframe.exchange.nastran.elements import ORDER
from flexframe.exchange.numbering import Numbering
from flexframe.exchange.units import Units
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.cells import (
    HEXAHEDRON,
    HEXAHEDRON20,
    LINE,
    LINE3,
    QUAD,
    QUAD8,
    TETRA,
    TETRA10,
    TRIANGLE,
    TRIANGLE6,
    WEDGE,
    WEDGE15,
    Cell,
)
from flexframe.mesh.mesh import Mesh

_CELLS = (
    *(HEXAHEDRON, WEDGE, TETRA, HEXAHEDRON20, WEDGE15, TETRA10),
    *(TRIANGLE, TRIANGLE6, QUAD, QUAD8, LINE, LINE3),
)
"""Cells by their number in results, from 1; mid-side nodes come in the order of Nastran."""
_LARGEST = 999_999_999  # label of a node
_ON_A_LINE = 10  # nodes of an element
_FREQUENCY = 2  # kind of a step
_BLOCK = re.compile(rb"^ {4}([123])C|^ {2}100C[LCA]?", re.MULTILINE)


# ---------------------------------------------------------------------- results


@dataclass(frozen=True, eq=False)
class _Cells:
    cell: Cell
    labels: IntArray
    nodes: IntArray


@dataclass(eq=False)
class _Results:
    """What a file of results holds, as it is."""

    labels: IntArray
    points: Array
    elements: list[tuple[int, int, list[int], int]] = field(default_factory=list)  # label, kind, nodes, line
    shapes: list[Array] = field(default_factory=list)
    values: list[tuple[float, float]] = field(default_factory=list)  # frequency and generalised mass


def read_frd(file: OpenFile, settings: Settings) -> Part:
    """Nodes, cells and, where there are any, modes; numbers have six digits."""
    data = file.stream.read().replace(b"\r\n", b"\n")
    found = _results(file, data)
    nodes = Numbering.of_labels("node", found.labels, file.short)
    units = settings.units
    tables = list(_tables(file, found, nodes))
    blocks, cell_labels, _ = cell_blocks(tables)
    mesh = Mesh(found.points * units.length, blocks, node_labels=found.labels, cell_labels=cell_labels)
    notices = ["coordinates and shapes have six digits in this file; take the mesh from the input file (.inp)"]
    modes = None
    if found.shapes:
        shapes = np.zeros((len(found.shapes), len(found.labels), 6))
        shapes[:, :, :3] = np.array(found.shapes) * units.length
        frequencies, masses = np.array(found.values).T
        scaled = masses * units.mass * units.length**2
        present = (True, True, True, False, False, False)
        modes = FiledModes(frequencies / units.time, shapes, found.labels, scaled, present)
    else:
        notices.append("the file holds no modes")
    return Part(mesh=mesh, modes=modes, notices=tuple(notices))


def _results(file: OpenFile, data: bytes) -> _Results:
    """The blocks of a file in order."""
    starts = [found.start() for found in _BLOCK.finditer(data)] + [len(data)]
    made = _Results(np.empty(0, dtype=np.int64), np.empty((0, 3)))
    masses: list[float] = []
    for start, stop in pairwise(starts):
        head, _, _ = data[start : start + 200].partition(b"\n")
        first = data.count(b"\n", 0, start) + 1
        before = data[max(0, data.rfind(b" -3", 0, start)) : start]
        generalised = re.findall(rb"^ {4}1PGM\s+([-+.0-9Ee]+)", before, re.MULTILINE)
        if head.startswith((b"    2C", b"    3C")):
            if head.rstrip().endswith(b"2") and len(head.rstrip()) > 60:
                raise InputError(f"{file.name}: is binary; write it as text (*NODE FILE without a binary option)")
            if head.startswith(b"    2C"):
                made.labels, made.points = _nodes(file, data[start:stop], first)
            else:
                made.elements = list(_elements(file, data[start:stop], first))
        elif head.lstrip().startswith(b"100C"):
            masses = [_generalised_mass(file, generalised[-1], first)] if generalised else masses
            _mode(file, data[start:stop], first, made, masses[-1] if masses else 1.0)
    if not made.labels.size or not made.elements:
        raise InputError(f"{file.name}: has no nodes or no elements; give results of CalculiX (is it cut off?)")
    return made


def _generalised_mass(file: OpenFile, text: bytes, line: int) -> float:
    """The mass of a mode, which scales its shape."""
    (mass,) = reals(np.frombuffer(text, dtype=np.uint8)[None], lambda _: f"{file.short}:{line}: mode").tolist()
    if not mass > 0:
        raise InputError(f"{file.short}:{line}: the generalised mass of a mode is {mass:g}; write the file again")
    return float(mass)


def _rows(file: OpenFile, block: bytes, first: int, width: int) -> tuple[Characters, IntArray]:
    """Lines of a block behind its head up to −3, and their numbers."""
    end = block.find(b"\n -3")
    if end < 0:
        raise InputError(f"{file.short}:{first}: the block that begins here has no end; write the file again")
    start = block.find(b"\n") + 1
    chars, used = text_lines(np.frombuffer(block[start : end + 1], dtype=np.uint8), width)
    return chars, first + 1 + used


def _nodes(file: OpenFile, block: bytes, first: int) -> tuple[IntArray, Array]:
    short = block[:80].partition(b"\n")[0].rstrip().endswith(b"0")
    chars, lines = _rows(file, block, first, 60)
    end = 8 if short else 13

    def place(entry: int) -> str:
        return f"{file.short}:{int(lines[entry])}: node"

    labels = integers(chars[:, 3:end], place)
    fields = chars[:, end : end + 36].reshape(len(chars), 3, 12)
    points = reals(fields, lambda entry: place(entry // 3))
    return labels, points


def _elements(file: OpenFile, block: bytes, first: int) -> Iterator[tuple[int, int, list[int], int]]:
    short = block[:80].partition(b"\n")[0].rstrip().endswith(b"0")
    width = 5 if short else 10
    chars, lines = _rows(file, block, first, 200)
    current: tuple[int, int, list[int], int] | None = None
    for row, line in zip(chars, lines.tolist(), strict=True):
        text = row.tobytes().decode("latin-1").rstrip()
        try:
            if text.startswith(" -1"):
                if current is not None:
                    yield current
                current = (int(text[3 : 3 + width]), int(text[3 + width : 8 + width]), [], line)
            elif text.startswith(" -2") and current is not None:
                body = text[3:]
                current[2].extend(int(body[k : k + width]) for k in range(0, len(body), width))
            else:
                raise ValueError
        except ValueError:
            raise InputError(
                f"{file.short}:{line}: '{text[:40]}' is not an element; write the file again"
            ) from None
    if current is not None:
        yield current


def _tables(file: OpenFile, found: _Results, nodes: Numbering) -> Iterator[_Cells]:
    kinds: dict[int, list[tuple[int, int, list[int], int]]] = {}
    for element in found.elements:
        kinds.setdefault(element[1], []).append(element)
    for kind, elements in kinds.items():
        if not 1 <= kind <= len(_CELLS):
            raise InputError(f"{file.short}:{elements[0][3]}: elements of kind {kind} are not known")
        cell = _CELLS[kind - 1]
        for _, _, listed, line in elements:
            if len(listed) != cell.nodes:
                raise InputError(
                    f"{file.short}:{line}: an element has {len(listed)} nodes instead of {cell.nodes}"
                )
        rows = np.array([listed for _, _, listed, _ in elements], dtype=np.int64)
        order = list(ORDER.get(cell.name, range(cell.nodes)))
        lines = [line for _, _, _, line in elements]

        def place(entry: int, lines: list[int] = lines, width: int = cell.nodes) -> str:
            return f"{file.short}:{lines[entry // width]}: element"

        yield _Cells(cell, np.array([label for label, *_ in elements]), nodes.of(rows[:, order], place))


def _mode(file: OpenFile, block: bytes, first: int, made: _Results, mass: float) -> None:
    """Displacements of a modal step; other fields are passed over."""
    head, _, rest = block.partition(b"\n")
    name, _, _ = rest.partition(b"\n")
    modal = head[58:64].strip() == b"MODAL" or b"MODAL" in head or head[57:59].strip() == b"2"
    if not name.startswith(b" -4  DISP") or not modal:
        return
    chars, lines = _rows(file, block, first, 60)
    values = chars[:, 2] == ord("1")
    values &= chars[:, 1] == ord("-")
    chars, lines = chars[values], lines[values]

    def place(entry: int) -> str:
        return f"{file.short}:{int(lines[entry])}: displacement"

    labels = integers(chars[:, 3:13], place)
    fields = reals(chars[:, 13:49].reshape(len(chars), 3, 12), lambda entry: place(entry // 3))
    numbers = Numbering("node", made.labels, np.arange(len(made.labels))).of(labels, place)
    shape = np.zeros((len(made.labels), 3))
    shape[numbers] = fields
    frequency = reals(np.frombuffer(head[12:24], dtype=np.uint8)[None], lambda _: f"{file.short}:{first}: mode")
    made.shapes.append(shape)
    made.values.append((abs(float(frequency[0])), mass))


# ---------------------------------------------------------------------- results written


def write_frd(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    """Write nodes, cells and displacements of modes; numbers have six digits."""
    mesh, modes = part.mesh, part.modes
    if mesh is None:
        raise InputError(f"{path.name}: modes alone have no place in it; add the file of the mesh")
    labels = usable_labels(mesh.node_labels, mesh.node_count, _LARGEST)
    notices = ["numbers of .frd files have six digits"]
    lines = ["    1C", "    1UPGM               flexframe", f"    2C{mesh.node_count:30d}{1:38d}"]
    lines += _node_lines(labels, mesh.points / units.length)
    cells = [(block, _CELLS.index(block.cell) + 1) for block in mesh.blocks if block.cell in _CELLS]
    count = sum(len(block) for block, _ in cells)
    if count < mesh.cell_count:
        notices.append(f"{mesh.cell_count - count} cells of kinds that the format does not have were left out")
    lines.append(f"    3C{count:30d}{1:38d}")
    number = 0
    for block, kind in cells:
        order = np.argsort(ORDER.get(block.cell.name, range(block.cell.nodes)))
        for row in labels[block.nodes[:, order]].tolist():
            number += 1
            lines.append(f" -1{number:10d}{kind:5d}{0:5d}{1:5d}")
            lines += [
                " -2" + "".join(f"{label:10d}" for label in row[k : k + _ON_A_LINE])
                for k in range(0, len(row), _ON_A_LINE)
            ]
    lines.append(" -3")
    if modes is not None:
        if np.any(modes.shapes[..., 3:]):
            notices.append("rotations of the nodes were left out")
        known = Numbering("node", labels if mesh.node_labels is None else mesh.node_labels, labels)
        lines += _mode_lines(modes, known.of(modes.node_labels, "modes"), units)
    lines.append(" 9999")
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return tuple(notices)


def _node_lines(labels: IntArray, values: Array) -> list[str]:
    """A label and three numbers to the line."""
    rows = zip(labels.tolist(), values.tolist(), strict=True)
    return [*(f" -1{label:10d}{x:12.5E}{y:12.5E}{z:12.5E}" for label, (x, y, z) in rows), " -3"]


def _mode_lines(modes: FiledModes, labels: IntArray, units: Units) -> Iterator[str]:
    masses = modes.masses / (units.mass * units.length**2)
    frequencies = modes.frequencies_hz * units.time
    for number, (frequency, mass) in enumerate(zip(frequencies.tolist(), masses.tolist(), strict=True), start=1):
        yield f"    1PSTEP{number:26d}{1:12d}{1:12d}"
        yield f"    1PGM{mass:28.6E}"
        yield f"    1PMODE{number:26d}"
        yield (
            f"  100CL{100 + number:5d}{frequency:12.5E}{len(labels):12d}{'':20}{_FREQUENCY:2d}"
            f"{number:5d}{'MODAL':10}{1:2d}"
        )
        yield " -4  DISP        4    1"
        yield from (f" -5  D{axis}          1    2    {axis}    0" for axis in (1, 2, 3))
        yield " -5  ALL         1    2    0    0    1ALL"
        yield from _node_lines(labels, modes.shapes[number - 1, :, :3] / units.length)


# ---------------------------------------------------------------------- matrices


def _reads(name: str) -> Callable[[OpenFile, Settings], Part]:
    def read(file: OpenFile, settings: Settings) -> Part:
        table = _table(file)
        size = int(max(table[:, :2].max(), 1))
        rows = _dofs(file, size)
        half = sparse.coo_array(
            (table[:, 2], (table[:, 0].astype(np.int64) - 1, table[:, 1].astype(np.int64) - 1)), shape=(size, size)
        )
        matrix = sparse.csr_array(half)
        matrix = sparse.csr_array(matrix + matrix.T - sparse.diags_array(matrix.diagonal()))
        return Part(matrices={name: FiledMatrix(matrix_in_si(matrix, rows, name, settings.units), rows)})

    return read


def _table(file: OpenFile) -> Array:
    """Rows row, column, value of one triangle."""
    try:
        table = np.array(file.stream.read().split(), dtype=float)
    except ValueError as error:
        raise InputError(f"{file.name}: is not a matrix of CalculiX ({error}); write it again") from None
    if not table.size or table.size % 3 or not np.isfinite(table).all():
        raise InputError(f"{file.name}: is not a matrix of CalculiX; give rows of row, column, value")
    table = table.reshape(-1, 3)
    indices = table[:, :2]
    if (indices < 1).any() or (indices > 1e8).any() or (indices != np.rint(indices)).any():
        raise InputError(f"{file.name}: has rows or columns that are not possible; write it again")
    return table


def _dofs(file: OpenFile, size: int) -> IntArray:
    """Node and degree of freedom of each row from the file of the same name with the ending .dof."""
    beside = PurePosixPath(file.short).with_suffix(".dof").name
    try:
        words = file.folder.read(beside).split()
    except InputError as error:
        raise InputError(f"{file.name}: the file that says what its rows are is missing: {error}") from None
    try:
        pairs = [word.split(b".") for word in words]
        rows = np.array([(int(node), int(dof)) for node, dof in pairs], dtype=np.int64)
    except ValueError:
        raise InputError(f"{beside}: is not a list of NODE.DOF; write it again") from None
    if len(rows) < size:
        raise InputError(f"{beside}: has {len(rows)} rows, and the matrix has {size}; write both again")
    return rows[:size]


def _beside(file: OpenFile) -> list[str]:
    beside = PurePosixPath(file.short).with_suffix(".dof").name
    return [beside] if file.folder.has(beside) else []


def knows_frd(head: bytes) -> bool:
    """Whether the first bytes are those of results of CalculiX."""
    return head.lstrip()[:2] == b"1C" or b"\n    2C" in head


FRD = Format(
    name="frd",
    title="CalculiX results",
    endings=(".frd",),
    reads=("mesh", "modes"),
    writes=("mesh", "modes"),
    read=read_frd,
    write=write_frd,
    knows=knows_frd,
    needs_cells=True,
)
STIFFNESS = Format(
    name="sti",
    title="CalculiX stiffness",
    endings=(".sti",),
    reads=("matrices",),
    read=_reads("K"),
    includes=_beside,
)
MASS = Format(
    name="mas", title="CalculiX mass", endings=(".mas",), reads=("matrices",), read=_reads("M"), includes=_beside
)

"""Results of Ansys (.rst): the mesh, and the modes of a modal analysis."""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.ansys.archive import node_axes
from flexframe.exchange.ansys.binary import HEADER, AnsysFile, pointer
from flexframe.exchange.ansys.elements import MadeOf, made_of
from flexframe.exchange.ansys.shapes import ShapedElements, shaped_elements
from flexframe.exchange.cell_tables import cell_blocks
from flexframe.exchange.contract import FiledModes, Format, Part, Settings
from flexframe.exchange.numbering import Numbering
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.mesh import Mesh

_KIND = 12  # of file
# Places in the header of results, from 0.
_MOST_SETS, _ANALYSIS, _SETS, _UNITS, _SECTORS = 3, 7, 8, 19, 20
_INDEX, _TIMES, _NODES, _GEOMETRY = (10, 40), (11, 41), (14, 45), (15, 46)
# Places in the header of the geometry: counts, and pointers of one word and of two.
_TYPES, _NODE_COUNT, _ELEMENT_COUNT, _MAPPED = 1, 3, 4, 64
_TYPE_TABLE, _LOCATIONS, _ELEMENTS = (6, 20, 21), (8, 26, 27), (10, 28, 29)
# Places in the header of a set of results.
_SOLUTION, _SOLUTION_WIDE, _DOF_COUNT, _FLUID, _DOF_LIST, _COMPLEX = 10, (104, 105), 19, 97, 20, 18
_MODAL = 2
_NOT_WRITTEN = 2.0**100
_SYSTEMS = {1: "SI", 2: "cm, g, s", 3: "ft, lbf, s", 4: "in, lbf, s", 6: "mm, N, s, tonne", 7: "µm, kg, s"}
_MOST_NODES = 20


@dataclass(frozen=True, eq=False)
class _Geometry:
    labels: IntArray  # (n,)
    points: Array  # (n, 3)
    angles: Array  # degrees: (n, 3)


def read_rst(file: OpenFile, settings: Settings) -> Part:
    """Nodes, cells and, of a modal analysis, frequencies and shapes in body axes."""
    source = AnsysFile.opened(file, _KIND, "file of results (.rst)")
    header = source.integers(HEADER)
    if len(header) < 21:
        source.refuse("its header is too short")
    if header[_SECTORS] > 1:
        raise InputError(
            f"{file.name}: holds a cyclic sector of {header[_SECTORS]}; expand it to the whole part (/CYCEXPAND) "
            "and write it again, or make the modes of nodal diameters here of the mesh of the sector (cyclic "
            "symmetry)"
        )
    place = pointer(header, *_GEOMETRY)
    geometry = source.integers(place)
    if len(geometry) < 30:
        source.refuse("the header of its geometry is too short")
    nodes = _nodes(source, geometry)
    numbering = Numbering.of_labels("node", nodes.labels, file.short)
    shaped, lost, notices = _cells(source, geometry, numbering)
    blocks, cell_labels, _ = cell_blocks(shaped)
    mesh = Mesh(nodes.points * settings.units.length, blocks, node_labels=nodes.labels, cell_labels=cell_labels)
    system = _SYSTEMS.get(int(header[_UNITS]))
    if system is not None:
        notices.append(f"the file says that it is in {system}")
    notices.append("materials and sections are not read from results; add the coded database (.cdb) of the part")
    modes = _modes(source, header, nodes, settings) if header[_ANALYSIS] == _MODAL else None
    if modes is None:
        notices.append("the file holds no modes")
    return Part(mesh=mesh, modes=modes, notices=tuple(notices), lost=tuple(lost))


def _place(header: IntArray, places: tuple[int, int, int]) -> int:
    """A pointer of two words where it is given, else of one."""
    short, low, high = places
    return pointer(header, low, high) or pointer(header, short)


def _nodes(source: AnsysFile, geometry: IntArray) -> _Geometry:
    """Label, coordinates and angles: a record for each node."""
    count, at = int(geometry[_NODE_COUNT]), _place(geometry, _LOCATIONS)
    if not 0 < count <= source.size:
        source.refuse("it has no nodes")
    rows = np.zeros((count, 7))
    for number in range(count):
        values, at = source.record(at)
        if not 1 <= len(values) <= 7:
            source.refuse("a node has not seven numbers")
        rows[number, : len(values)] = values
    if not np.isfinite(rows).all() or (rows[:, 0] < 1).any() or (rows[:, 0] > 2**31).any():
        source.refuse("a node has numbers that are not possible")
    return _Geometry(rows[:, 0].astype(np.int64), rows[:, 1:4], rows[:, 4:])


def _cells(
    source: AnsysFile, geometry: IntArray, nodes: Numbering
) -> tuple[list[ShapedElements], list[str], list[str]]:
    """Elements by their shapes, and which are not read."""
    kinds = _element_types(source, geometry)
    count, start = int(geometry[_ELEMENT_COUNT]), _place(geometry, _ELEMENTS)
    table = source.integers(start)
    if len(table) >= 2 * count:  # pointers of two words
        table = (table[0 : 2 * count : 2] & 0xFFFFFFFF) + (table[1 : 2 * count : 2] << 32)
    if not 0 < count <= len(table):
        source.refuse("it has no elements")
    attributes, labels = np.zeros((count, 2), dtype=np.int64), np.zeros(count, dtype=np.int64)
    rows = np.zeros((count, _MOST_NODES), dtype=np.int64)
    for number, at in enumerate(table[:count].tolist()):
        values = source.integers(start + at)
        if len(values) < 11:
            source.refuse("an element has no nodes")
        attributes[number], labels[number] = values[:2], values[8]
        rows[number, : min(len(values) - 10, _MOST_NODES)] = values[10 : 10 + _MOST_NODES]
    shaped: list[ShapedElements] = []
    lost: list[str] = []
    notices: list[str] = []
    for kind in np.unique(attributes[:, 1]).tolist():
        own = np.flatnonzero(attributes[:, 1] == kind)
        number, option = kinds.get(kind, (0, 0))
        made: MadeOf | None = made_of(number)
        if made is None:
            lost.append(f"{source.file.short}: {len(own)} elements of type {number} are not read")
        elif made in ("none", "spring", "rigid"):
            notices.append(f"{len(own)} elements of type {number} were left out")
        else:
            found, rest = shaped_elements(
                number, made, labels[own], rows[own], nodes=nodes, option=option, place=lambda _: source.file.short
            )
            shaped += found
            if rest.size:
                lost.append(
                    f"{source.file.short}: {rest.size} elements of type {number} are pyramids or lack some of "
                    "their mid-side nodes, which is not read"
                )
    return shaped, lost, notices


def _element_types(source: AnsysFile, geometry: IntArray) -> dict[int, tuple[int, int]]:
    """Number of the element's routine and KEYOPT(1) by the number of the type."""
    start = _place(geometry, _TYPE_TABLE)
    table, after = source.record(start)
    if len(geometry) > _MAPPED and geometry[_MAPPED]:
        table = source.integers(after)
    found = {}
    for at in np.asarray(table, dtype=np.int64).tolist():
        if at:
            values = source.integers(start + at)
            if len(values) < 3:
                source.refuse("an element type is too short")
            found[int(values[0])] = (int(values[1]), int(values[2]))
    return found


def _modes(source: AnsysFile, header: IntArray, nodes: _Geometry, settings: Settings) -> FiledModes | None:
    """Frequencies and shapes of all sets; nodes that a set does not have do not move in it."""
    sets, most = int(header[_SETS]), int(header[_MOST_SETS])
    index = source.integers(pointer(header, *_INDEX))
    times = source.reals(pointer(header, *_TIMES))
    order = source.integers(pointer(header, *_NODES))
    if not 0 < sets <= most or len(index) < most or len(times) < sets:
        return None if not sets else source.refuse("its table of results is too short")
    high = index[most : most + sets] if len(index) >= most + sets else np.zeros(sets, dtype=np.int64)
    places = (index[:sets] & 0xFFFFFFFF) + (high << 32)
    numbering = Numbering("node", nodes.labels, np.arange(len(nodes.labels)))
    shapes = np.zeros((sets, len(nodes.labels), 6))
    present = np.zeros(6, dtype=bool)
    for number, at in enumerate(places.tolist()):
        columns = _shape(source, at, numbering, order, shapes[number])
        present[columns] = True
    turned = np.flatnonzero(nodes.angles.any(axis=1))
    for node in turned.tolist():
        axes = node_axes(nodes.angles[node])
        shapes[:, node] = shapes[:, node] @ np.kron(np.eye(2), axes).T
    if not np.isfinite(shapes).all() or not np.isfinite(times[:sets]).all():
        source.refuse("its modes are not finite numbers")
    units = settings.units
    shapes[..., :3] *= units.length
    # shapes are scaled to a generalised mass of one unit of the file
    masses = np.full(sets, units.mass * units.length**2)
    frequencies = np.abs(times[:sets]) / units.time
    return FiledModes(frequencies, shapes, nodes.labels, masses, tuple(bool(there) for there in present))


def _shape(source: AnsysFile, at: int, nodes: Numbering, order: IntArray, shape: Array) -> IntArray:
    """Fill in the displacements (nodes, 6) of one set; the columns that it has."""
    header = source.integers(at)
    if len(header) < 50:
        source.refuse("the header of a mode is too short")
    if header[_COMPLEX]:
        raise InputError(f"{source.file.name}: its modes are complex; write those of the undamped part at rest")
    count = int(header[_DOF_COUNT]) + (int(header[_FLUID]) if len(header) > _FLUID else 0)
    place = int(header[_SOLUTION]) or pointer(header, *_SOLUTION_WIDE)
    dofs = header[_DOF_LIST : _DOF_LIST + count]
    if not 0 < count <= 30 or not place:
        source.refuse("a mode has no displacements")
    values, after = source.record(at + place)
    rows = values[: len(values) // count * count].reshape(-1, count)
    listed = order
    if len(rows) < len(order):  # not all nodes were written
        which = source.integers(after)
        if len(which) < len(rows) or not ((which >= 1) & (which <= len(order))).all():
            source.refuse("a mode has nodes that do not exist")
        listed = order[which[: len(rows)] - 1]
    numbers = nodes.of(listed, source.file.short)
    columns = [k for k, dof in enumerate(dofs.tolist()) if 1 <= dof <= 6]
    targets = dofs[columns] - 1
    found = np.where(np.asarray(rows[: len(numbers)], dtype=float) == _NOT_WRITTEN, 0.0, rows[: len(numbers)])
    shape[numbers[:, None], targets] = found[:, columns]
    return np.asarray(targets, dtype=np.int64)


def knows_rst(head: bytes) -> bool:
    """Whether the first bytes are those of a file of results."""
    return head[:4] == b"\x64\0\0\0" and head[8:12] == b"\x0c\0\0\0"


RST = Format(
    name="rst",
    title="Ansys results",
    endings=(".rst",),
    reads=("mesh", "modes"),
    read=read_rst,
    knows=knows_rst,
)

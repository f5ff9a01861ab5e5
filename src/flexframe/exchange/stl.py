"""STL files, binary and text: closed surfaces of rigid bodies, and shapes to draw."""

import re
from pathlib import Path

import numpy as np

from flexframe.elements.properties import STEEL
from flexframe.errors import InputError
from flexframe.exchange.contract import Format, Part, Settings
from flexframe.exchange.units import Units
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.blocks import CellBlock, triangulate
from flexframe.mesh.cells import TRIANGLE
from flexframe.mesh.enclosed import enclosed_solid
from flexframe.mesh.mesh import Mesh

_HEADER = 84  # bytes: a comment of 80, the number of triangles
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_LARGEST = 1e15  # of coordinates: what is beyond is damage, and its square would leave single precision


def read_stl(file: OpenFile) -> Mesh:
    """The triangles of a file, equal corners joined, and a cell set for each named solid of a text."""
    corners, solids = stl_corners(file)
    points, inverse = np.unique(corners.reshape(-1, 3) + 0.0, axis=0, return_inverse=True)  # −0 is 0
    return _mesh(points, inverse.reshape(-1, 3).astype(np.int64), solids)


def stl_corners(file: OpenFile) -> tuple[Array, dict[str, IntArray]]:
    """Corners of the triangles (n, 3, 3), and which belong to each solid of a name where there are several."""
    binary = _is_binary(file.head(_HEADER), file.size)
    corners, solids = (_binary(file), dict[str, IntArray]()) if binary else _text(file)
    if not len(corners):
        raise InputError(f"{file.name}: has no triangles; export the part again")
    if not (np.abs(corners) < _LARGEST).all():  # also false for NaN
        number = int(np.argmin((np.abs(corners) < _LARGEST).all(axis=(1, 2))))
        raise InputError(
            f"{file.name}: triangle {number + 1} has a corner that is no place; export the part again"
        )
    return corners, solids


def _mesh(points: Array, nodes: IntArray, solids: dict[str, IntArray]) -> Mesh:
    """Triangles that are lines or points bound nothing: they are left out, which the notice says."""
    kept = (nodes != np.roll(nodes, 1, axis=1)).all(axis=1)
    notices = []
    if not kept.all():
        notices.append(
            f"{int((~kept).sum())} of {len(kept)} triangles have two corners in one place and were left out"
        )
    number = np.cumsum(kept) - 1
    sets = {name: number[rows[kept[rows]]] for name, rows in solids.items()}
    made = Mesh(points, (CellBlock(TRIANGLE, nodes[kept]),), cell_sets=sets, notices=tuple(notices))
    return made.without_unused_nodes()


def _is_binary(head: bytes, size: int) -> bool:
    """By the size that the number of triangles asks for: comments of binary files may begin as texts do."""
    if len(head) < _HEADER:
        return False
    count = int.from_bytes(head[80:84], "little")
    return size == _HEADER + count * _TRIANGLE.itemsize or not _begins_as_text(head)


def _begins_as_text(head: bytes) -> bool:
    return head.lstrip()[:5].lower() == b"solid" and b"\0" not in head


def _binary(file: OpenFile) -> Array:
    data = file.stream.read()
    count = int.from_bytes(data[80:84], "little")
    wanted = _HEADER + count * _TRIANGLE.itemsize
    if len(data) != wanted:
        raise InputError(
            f"{file.name}: is not a whole STL file: {count} triangles take {wanted} bytes, and it has "
            f"{len(data)}; export it again"
        )
    return np.frombuffer(data, dtype=_TRIANGLE, offset=_HEADER)["corners"].astype(float)


_NUMBER = rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_FACET = re.compile(
    rb"\s*facet\s+normal(?:\s+\S+){3}\s+outer\s+loop"
    + 3 * (rb"\s+vertex" + 3 * (rb"\s+(" + _NUMBER + rb")"))
    + rb"\s+endloop\s+endfacet\b",
    re.IGNORECASE,
)
_BEGIN = re.compile(rb"\s*solid\b([^\r\n]*)", re.IGNORECASE)
_END = re.compile(rb"\s*endsolid\b[^\r\n]*", re.IGNORECASE)


def _text(file: OpenFile) -> tuple[Array, dict[str, IntArray]]:
    """Corners of the triangles (n, 3, 3), and which belong to each solid of a name where there are several."""
    data = file.stream.read().rstrip()
    corners: list[list[float]] = []
    solids: dict[str, list[IntArray]] = {}
    at, first, name = 0, 0, None
    while at < len(data) or name is not None:
        if name is None:
            found = _BEGIN.match(data, at)
            if found is not None:
                name, first = found.group(1).decode("utf-8", "replace").strip(), len(corners)
        elif (found := _FACET.match(data, at)) is not None:
            corners.append([float(number) for number in found.groups()])
        elif (found := _END.match(data, at)) is not None:
            solids.setdefault(name, []).append(np.arange(first, len(corners)))
            name = None
        if found is None:
            raise _damage(file, data, at)
        at = found.end()
    named = {name: np.concatenate(rows) for name, rows in solids.items() if name}
    return np.array(corners).reshape(-1, 3, 3), named if len(solids) > 1 else {}


def _damage(file: OpenFile, data: bytes, at: int) -> InputError:
    at += len(data[at:]) - len(data[at:].lstrip())
    line = data.count(b"\n", 0, at) + 1
    if at >= len(data):
        return InputError(f"{file.name}:{line}: ends before its solid does (no endsolid); export it again")
    if data[:5].lower() != b"solid":
        return InputError(f"{file.name}: is not an STL file, neither binary nor text; export it as one")
    return InputError(f"{file.name}:{line}: is not a whole facet of an STL file; export it again")


def _read_part(file: OpenFile, settings: Settings) -> Part:
    """The surface, and what it encloses."""
    mesh = read_stl(file).scaled(settings.units.length)
    return Part(mesh=mesh, notices=(*mesh.notices, _enclosed_text(mesh, settings.units)))


def _enclosed_text(mesh: Mesh, units: Units) -> str:
    try:
        solid = enclosed_solid(mesh)
    except InputError as error:
        return f"it has no mass as a rigid body: {error}"
    mass, moments = STEEL.density * solid.volume, STEEL.density * np.linalg.eigvalsh(solid.inertia).astype(float)
    return (
        f"the surface is closed: volume {solid.volume:.6g} m³, centre ({_numbers(solid.centre)}) m; of steel a "
        f"rigid body of {mass:.6g} kg with principal moments {_numbers(moments)} kg m² (STL has no unit; "
        f"lengths were taken as {units.text.partition(',')[0]})"
    )


def _numbers(values: Array) -> str:
    return ", ".join(f"{value:.6g}" for value in values)


def write_stl(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    """The outer surface of a mesh as a binary file; curved faces become triangles over all their nodes."""
    assert part.mesh is not None
    mesh = part.mesh
    triangles = triangulate([block for block in mesh.blocks if block.cell.dimension == 2])
    if mesh.dimension == 3:
        triangles = np.concatenate([triangulate(mesh.boundary()), triangles])
    if not len(triangles):
        raise InputError(f"{path}: the mesh has no surface, only lines or points; STL files hold triangles")
    corners = mesh.points[triangles] / units.length
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    rows = np.zeros(len(triangles), dtype=_TRIANGLE)
    rows["normal"] = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0)
    rows["corners"] = corners
    path.write_bytes(b"flexframe".ljust(80) + len(rows).to_bytes(4, "little") + rows.tobytes())
    return ("the surface was written with the seven digits that STL holds",)


STL = Format("stl", "STL", (".stl",), ("mesh",), ("mesh",), _read_part, write_stl, needs_cells=True)

"""Surfaces for pictures, as triangles: STL, Wavefront OBJ and COLLADA files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.plain_xml import Element, read_xml
from flexframe.exchange.stl import stl_corners
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import rotation_from_axis_angle
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import TRIANGLE
from flexframe.mesh.mesh import Mesh
from flexframe.presentation.symbols import Solid, block

MAX_BYTES = 200_000_000


@dataclass(frozen=True, eq=False)
class Triangles:
    """Corners of triangles [in the unit of a file]: (n, 3, 3)."""

    corners: Array

    def mesh(self) -> Mesh:
        """A mesh whose equal corners are one node."""
        points, numbers = np.unique(self.corners.reshape(-1, 3), axis=0, return_inverse=True)
        nodes = numbers.reshape(-1, 3).astype(np.int64)
        whole = (nodes[:, 0] != nodes[:, 1]) & (nodes[:, 1] != nodes[:, 2]) & (nodes[:, 2] != nodes[:, 0])
        return Mesh(points, (CellBlock(TRIANGLE, nodes[whole]),))

    def move(self, rotation: Array, place: Array, scale: Array | float = 1.0) -> "Triangles":
        """Scaled along its axes, then turned and shifted."""
        return Triangles(np.asarray((self.corners * scale) @ rotation.T + place))

    def box(self) -> "Triangles":
        """The box around it, along its axes."""
        low, high = self.corners.min(axis=(0, 1)), self.corners.max(axis=(0, 1))
        return triangles_of(block(high - low, np.eye(3), (low + high) / 2))


def triangles_of(solid: Solid) -> Triangles:
    """A drawn solid as triangles."""
    return Triangles(solid.vertices[solid.triangles])


def together(parts: Sequence[Triangles]) -> Triangles:
    """All triangles of several surfaces."""
    return Triangles(np.concatenate([part.corners for part in parts]))


def read_surface(file: OpenFile) -> Triangles:
    """The triangles of a file; its ending says the format."""
    readers = {".stl": _read_stl, ".obj": _read_obj, ".dae": _read_dae}
    if file.suffix not in readers:
        raise InputError(f"{file.name}: surfaces ending in '{file.suffix}' are not read; use {', '.join(readers)}")
    if file.size > MAX_BYTES:
        raise InputError(f"{file.name} is larger than {MAX_BYTES // 10**6} MB; simplify it")
    found = readers[file.suffix](file)
    if not len(found.corners):
        raise InputError(f"{file.name}: has no triangles; export it again")
    if not np.isfinite(found.corners).all():
        raise InputError(f"{file.name}: a corner is not a finite number; export it again")
    return found


def _read_stl(file: OpenFile) -> Triangles:
    return Triangles(stl_corners(file)[0])


def _three(file: OpenFile, line: int, words: Sequence[str]) -> list[float]:
    try:
        found = [float(word) for word in words[:3]]
    except ValueError:
        found = []
    if len(found) != 3:
        raise InputError(f"{file.name}:{line}: three numbers are expected; export the file again")
    return found


def _read_obj(file: OpenFile) -> Triangles:
    points: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for number, line in enumerate(file.stream.read().decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        if words[:1] == ["v"]:
            points.append(_three(file, number, words[1:]))
        elif words[:1] == ["f"]:
            try:
                corners = [int(word.partition("/")[0]) for word in words[1:]]
            except ValueError:
                raise InputError(f"{file.name}:{number}: a face names no points; export the file again") from None
            corners = [k - 1 if k > 0 else len(points) + k for k in corners]
            if not corners or min(corners) < 0 or max(corners) >= len(points):
                raise InputError(f"{file.name}:{number}: a face has a point that is not there; export it again")
            faces += [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
    return Triangles(np.array(points).reshape(-1, 3)[np.array(faces, dtype=np.int64).reshape(-1, 3)])


# ---------------------------------------------------------------------- COLLADA


def _read_dae(file: OpenFile) -> Triangles:
    root = read_xml(file)
    by_id = {each.attributes["id"]: each for each in root.walk() if "id" in each.attributes}
    unit = next((each for each in root.walk() if each.tag == "unit"), None)
    meter = float(unit.attributes.get("meter", 1.0)) if unit is not None else 1.0
    up = next((each.text.strip() for each in root.walk() if each.tag == "up_axis"), "Y_UP")
    turned = {"Z_UP": np.eye(3), "X_UP": np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])}.get(
        up, np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    )
    frame = np.eye(4)
    frame[:3, :3] = meter * turned
    scenes = [each for each in root.walk() if each.tag == "visual_scene"]
    found = []
    try:
        for scene in scenes:
            for geometry, place in _placed_geometries(scene, by_id, frame):
                found += [
                    Triangles(corners @ place[:3, :3].T + place[:3, 3]) for corners in _faces_of(geometry, by_id)
                ]
        if not scenes:
            found = [
                Triangles(corners @ frame[:3, :3].T)
                for each in root.walk()
                if each.tag == "geometry"
                for corners in _faces_of(each, by_id)
            ]
    except (KeyError, ValueError, IndexError, RecursionError):
        raise InputError(f"{file.name}: is no whole COLLADA file; export it again, or as STL") from None
    return together(found) if found else Triangles(np.zeros((0, 3, 3)))


def _placed_geometries(node: Element, by_id: dict[str, Element], place: Array) -> Iterator[tuple[Element, Array]]:
    """Geometries below a node with their places: (4, 4)."""
    for child in node.children:
        numbers = np.array(child.text.split(), dtype=float) if child.tag in _MOVES else np.zeros(0)
        match child.tag:
            case "matrix":
                place = place @ numbers.reshape(4, 4)
            case "translate":
                step = np.eye(4)
                step[:3, 3] = numbers
                place = place @ step
            case "rotate":
                step = np.eye(4)
                step[:3, :3] = rotation_from_axis_angle(
                    numbers[:3] / np.linalg.norm(numbers[:3]), np.radians(numbers[3])
                )
                place = place @ step
            case "scale":
                place = place @ np.diag([*numbers, 1.0])
    for child in node.children:
        if child.tag == "node":
            yield from _placed_geometries(child, by_id, place)
        elif child.tag == "instance_geometry":
            yield by_id[child.attributes["url"].lstrip("#")], place


_MOVES = ("matrix", "translate", "rotate", "scale")


def _faces_of(geometry: Element, by_id: dict[str, Element]) -> Iterator[Array]:
    """Corners of all triangles of a geometry: (n, 3, 3) each."""
    for faces in geometry.walk():
        if faces.tag not in ("triangles", "polylist", "polygons"):
            continue
        inputs = faces.all("input")
        width = 1 + max(int(each.attributes.get("offset", 0)) for each in inputs)
        vertex = next(each for each in inputs if each.attributes["semantic"] == "VERTEX")
        source = by_id[vertex.attributes["source"].lstrip("#")]
        if source.tag == "vertices":
            position = next(each for each in source.all("input") if each.attributes["semantic"] == "POSITION")
            source = by_id[position.attributes["source"].lstrip("#")]
        numbers = next(each for each in source.walk() if each.tag == "float_array")
        points = np.array(numbers.text.split(), dtype=float).reshape(-1, 3)
        own = int(vertex.attributes.get("offset", 0))
        lists = [np.array(each.text.split(), dtype=np.int64).reshape(-1, width)[:, own] for each in faces.all("p")]
        if not lists:
            continue
        counts = faces.one("vcount")
        yield points[_fans(lists, None if counts is None else np.array(counts.text.split(), dtype=np.int64))]


def _fans(lists: Sequence[IntArray], counts: IntArray | None) -> IntArray:
    """Triangles of polygons: all of three corners, of counted ones, or a list for each: (n, 3)."""
    if counts is not None:
        lists = np.split(lists[0], np.cumsum(counts)[:-1])
    elif len(lists) == 1:
        return np.asarray(lists[0].reshape(-1, 3))
    made = [(each[0], each[k], each[k + 1]) for each in lists for k in range(1, len(each) - 1)]
    return np.array(made, dtype=np.int64).reshape(-1, 3)

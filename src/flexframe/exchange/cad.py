"""Geometry of CAD programs (STEP, IGES), meshed with ten-node tetrahedra as it is read."""

import re
from dataclasses import replace
from typing import Any

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.contract import Content, Format, Part, Settings
from flexframe.exchange.meshing import Meshing, run_netgen
from flexframe.exchange.units import SI
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import TETRA, TETRA10, TRIANGLE, TRIANGLE6
from flexframe.mesh.facets import outward
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.shapes import cell_measures

_MILLIMETRE = 1e-3  # m, what OpenCASCADE converts all files to
# netgen's tetrahedra turn the other way: corners 2 and 3 change places, and the middle nodes with them
_TETRAHEDRON = {4: [0, 2, 1, 3], 10: [0, 2, 1, 3, 5, 7, 4, 6, 9, 8]}
_TRIANGLE = {3: [0, 1, 2], 6: [0, 1, 2, 5, 3, 4]}
_ROUNDING = 1e-9  # of volumes
_FAR = 0.25  # of the volume: a mesh that misses so much is not of this geometry
_TURNED = 1e-6  # least det J over (longest edge)³ of a curved cell
_ROUNDS = 10  # of straightening: neighbours of straightened cells may have to follow
_END = b"END-ISO-10303-21"
_FACE = re.compile(rb"=\s*(?:ADVANCED_FACE|FACE_SURFACE)\s*\(")
_SOLID = re.compile(rb"=\s*\(?\s*(?:MANIFOLD_SOLID_BREP|BREP_WITH_VOIDS|FACETED_BREP)\s*\(")


def _read_step(file: OpenFile, settings: Settings) -> Part:
    text = file.stream.read()
    file.stream.seek(0)
    if _END not in text[-2_000:]:
        raise InputError(f"{file.name}: is cut short (no {_END.decode()} at its end); export it again")
    return _mesh_part(file, settings, declared=len(_SOLID.findall(text)), faces=len(_FACE.findall(text)))


def _read_iges(file: OpenFile, settings: Settings) -> Part:
    text = file.stream.read().rstrip()
    file.stream.seek(0)
    if text.splitlines()[-1][72:73] != b"T":
        raise InputError(f"{file.name}: is cut short (no section T at its end); export it again")
    return _mesh_part(file, settings, sew=True)


def _mesh_part(
    file: OpenFile, settings: Settings, *, sew: bool = False, declared: int = 0, faces: int = 0
) -> Part:
    """Cells with their bodies as cell sets and their faces as facet sets, and how much of the volume they hold."""
    if settings.units != SI:
        raise InputError(f"{file.name}: says its unit itself; leave units out")
    with file.private_copy() as copy:
        path = copy.rename(copy.with_suffix(".iges" if sew else ".step"))  # netgen knows no other endings
        made = run_netgen(path, settings.meshing or Meshing(), name=file.name, sew=sew, faces=faces)
    if made["solids"] < declared:
        raise InputError(
            f"{file.name}: only {made['solids']} of its {declared} solids can be read; repair it, export it again"
        )
    points = _MILLIMETRE * made["points"]
    tetrahedra = made["tetrahedra"][:, _TETRAHEDRON[made["tetrahedra"].shape[1]]]
    triangles = made["triangles"][:, _TRIANGLE[made["triangles"].shape[1]]]
    points, straightened = _upright(points, tetrahedra)
    cells = CellBlock(TETRA if tetrahedra.shape[1] == 4 else TETRA10, tetrahedra)
    mesh = Mesh(points, (cells,)).with_sets(cell_sets=_by_name(made["body_names"], made["body"]))
    facet = TRIANGLE if triangles.shape[1] == 3 else TRIANGLE6
    sides = _by_name(made["face_names"], made["face"])
    mesh = mesh.with_sets(
        facet_sets={name: outward(mesh, (CellBlock(facet, triangles[rows]),)) for name, rows in sides.items()}
    )
    notices = [*_volumes(file.name, mesh, made)]
    if made["loose"] > 0:
        notices.append(f"{made['loose']} faces belong to no solid and were left out")
    if straightened:
        notices.append(
            f"{straightened} edges on curved faces were made straight, because their cells would turn over; a "
            "smaller size keeps them curved"
        )
    return Part(mesh=replace(mesh, notices=tuple(notices)), notices=tuple(notices))


def _by_name(names: list[str], number: IntArray) -> dict[str, IntArray]:
    return {name: np.flatnonzero(number == k) for k, name in enumerate(names) if (number == k).any()}


def _upright(points: Array, tetrahedra: IntArray) -> tuple[Array, int]:
    """Middle nodes such that no curved cell turns over, and how many were moved to the middle of their ends."""
    if tetrahedra.shape[1] == 4:
        return points, 0
    moved = np.zeros(len(points), dtype=bool)
    points = points.copy()
    for _ in range(_ROUNDS):
        bad = cell_measures(points, CellBlock(TETRA10, tetrahedra), flat=False).smallest_jacobian < _TURNED
        if not bad.any():
            break
        for first, last, middle in TETRA10.edges:
            ends = points[tetrahedra[bad, first]] + points[tetrahedra[bad, last]]
            curved = np.linalg.norm(points[tetrahedra[bad, middle]] - ends / 2, axis=1) > 0
            moved[tetrahedra[bad, middle][curved]] = True
            points[tetrahedra[bad, middle]] = ends / 2
    return points, int(moved.sum())


def _volumes(name: str, mesh: Mesh, made: dict[str, Any]) -> list[str]:
    """The volume of the mesh beside that of the geometry, of each body; a mesh that misses much is refused."""
    (block,) = mesh.blocks
    sizes = cell_measures(mesh.points, block, flat=False).size
    meshed = np.bincount(made["body"], weights=sizes, minlength=len(made["body_names"]))
    exact = _MILLIMETRE**3 * made["volumes"]
    errors = meshed / exact - 1
    if np.abs(errors).max() > _FAR:
        worst = int(np.argmax(np.abs(errors)))
        raise InputError(
            f"{name}: the mesh of {made['body_names'][worst]} has {meshed[worst]:.4g} of {exact[worst]:.4g} m³; "
            "give a smaller size, or repair the geometry"
        )
    error = float(meshed.sum() / exact.sum() - 1)
    said = [
        f"meshed by netgen into {mesh.cell_count} {block.cell.name} cells of at most {made['size']:.4g} mm; their "
        f"volume of {meshed.sum():.6g} m³, and so the mass, is {_percent(error)} the geometry's"
    ]
    if len(exact) > 1:
        each = ", ".join(
            f"{body} {_percent(error)} it" for body, error in zip(made["body_names"], errors, strict=True)
        )
        said.append(f"volume of each body against its geometry: {each}")
    return said


def _percent(error: float) -> str:
    if abs(error) < _ROUNDING:
        return "equal to"
    return f"{100 * abs(error):.2g} % {'above' if error > 0 else 'below'}"


def _is_step(head: bytes) -> bool:
    return b"ISO-10303-21" in head[:200]


def _is_iges(head: bytes) -> bool:
    return head[72:73] == b"S" and head[73:80].strip().lstrip(b"0") == b"1"


_CONTENTS: tuple[Content, ...] = ("mesh", "sets")
STEP = Format("step", "STEP", (".step", ".stp"), _CONTENTS, read=_read_step, knows=_is_step, is_geometry=True)
IGES = Format("iges", "IGES", (".iges", ".igs"), _CONTENTS, read=_read_iges, knows=_is_iges, is_geometry=True)

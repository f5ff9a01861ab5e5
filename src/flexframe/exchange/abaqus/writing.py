"""A mesh written as an Abaqus input file, with all its sets."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import IntArray
from flexframe.mesh.checks import is_flat
from flexframe.mesh.facets import facet_owners
from flexframe.mesh.mesh import Mesh

_TYPES = {
    "vertex": "MASS",
    "line": "B31",
    "line3": "B32",
    "triangle": "S3",
    "triangle6": "STRI65",
    "quad": "S4",
    "quad8": "S8R",
    "tetra": "C3D4",
    "tetra10": "C3D10",
    "hexahedron": "C3D8",
    "hexahedron20": "C3D20",
    "wedge": "C3D6",
    "wedge15": "C3D15",
}
_FLAT_TYPES = {"triangle": "CPS3", "triangle6": "CPS6", "quad": "CPS4", "quad8": "CPS8"}


def write_abaqus(mesh: Mesh, path: Path) -> None:
    """Write nodes, elements, sets and surfaces, numbered from 1; flat meshes as plane stress elements."""
    for name in (*mesh.node_sets, *mesh.cell_sets, *mesh.facet_sets):
        if set(name) & set(',"=\n') or not name.strip():
            raise InputError(f"an Abaqus file cannot hold the set name '{name}'; rename it")
    path.write_text("\n".join(_lines(mesh)) + "\n", encoding="utf-8")


def _lines(mesh: Mesh) -> Iterator[str]:
    yield "*NODE"
    for number, (x, y, z) in enumerate(mesh.points.tolist(), start=1):
        yield f"{number}, {_field(x)}, {_field(y)}, {_field(z)}"
    types = {**_TYPES, **(_FLAT_TYPES if is_flat(mesh) else {})}
    for block, start in zip(mesh.blocks, mesh.block_starts, strict=False):
        yield f"*ELEMENT, TYPE={types[block.cell.name]}"
        nodes = block.nodes[:, [0, 2, 1]] if block.cell.name == "line3" else block.nodes
        for number, row in enumerate((nodes + 1).tolist(), start=int(start) + 1):
            yield from _rows([number, *row])
    for name, members in mesh.node_sets.items():
        yield f"*NSET, NSET={name}"
        yield from _rows((members + 1).tolist())
    for name, members in mesh.cell_sets.items():
        yield f"*ELSET, ELSET={name}"
        yield from _rows((members + 1).tolist())
    for name, facets in mesh.facet_sets.items():
        yield f"*SURFACE, NAME={name}, TYPE=ELEMENT"
        for block in facets:
            yield from _surface_rows(*facet_owners(mesh, block))


def _field(value: float) -> str:
    """A number in the twenty characters that a field may have: exact where it fits, else with what digits fit."""
    text = repr(value)
    digits = 16
    while len(text) > 20:
        text = f"{value:.{digits}g}"
        digits -= 1
    return text


def _surface_rows(cells: IntArray, local: IntArray) -> Iterator[str]:
    for cell, face in np.column_stack([cells + 1, local + 1]).tolist():
        yield f"{cell}, S{face}"


def _rows(numbers: list[int]) -> Iterator[str]:
    """At most 16 numbers in a line; a comma says that the element goes on."""
    for start in range(0, len(numbers), 16):
        row = ", ".join(map(str, numbers[start : start + 16]))
        yield row + ("," if start + 16 < len(numbers) else "")

"""Which cell an Abaqus element type is, and in which order its nodes come.

Node order of plane and solid elements is that of VTK (corners, then mid-side nodes edge by edge). Only
the three-node trusses and beams differ: their middle node is the second.
"""

import re

import numpy as np

from flexframe.maths.arrays import IntArray
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
    VERTEX,
    WEDGE,
    WEDGE15,
    Cell,
)

# Patterns of names: hybrid (H), reduced (R), incompatible (I), modified (M), warping (OS) and so on are
# the same cell.
_TYPES: tuple[tuple[str, Cell], ...] = (
    (r"T[23]D2H?", LINE),
    (r"T[23]D3H?", LINE3),
    (r"B(21|23|31|33)(H|OS|OSH|R)?", LINE),
    (r"B(22|32)(H|OS|OSH|R)?", LINE3),
    (r"(CPS|CPE|CAX)3H?|S3R?S?|STRI3|M3D3", TRIANGLE),
    (r"(CPS|CPE|CAX)4(H|I|IH|R|RH)?|S4|S4R|S4RS|S4RSW|S4R5|M3D4R?", QUAD),
    (r"(CPS|CPE|CAX)6(H|M|MH)?|STRI65|S6|M3D6", TRIANGLE6),
    (r"(CPS|CPE|CAX)8(H|R|RH)?|S8|S8R5?|M3D8R?", QUAD8),
    (r"C3D4H?", TETRA),
    (r"C3D6(H|R)?", WEDGE),
    (r"C3D8(H|I|IH|R|RH)?", HEXAHEDRON),
    (r"C3D10(H|I|HS|M|MH)?", TETRA10),
    (r"C3D15H?", WEDGE15),
    (r"C3D20(H|R|RH)?", HEXAHEDRON20),
    (r"MASS|ROTARYI", VERTEX),
)
KNOWN = (
    "T2D2, T3D2, B21, B22, B31, B32, CPS3/4/6/8, CPE3/4/6/8, CAX3/4/6/8, S3, S4, S6, S8, STRI3, STRI65, "
    "M3D3/4/6/8, C3D4, C3D6, C3D8, C3D10, C3D15, C3D20, MASS, ROTARYI and their R, H, I, M variants"
)


def element_cell(type_name: str) -> Cell | None:
    """Cell of an element type; None for those that are none here."""
    return next((cell for pattern, cell in _TYPES if re.fullmatch(pattern, type_name.upper())), None)


def unknown_type(type_name: str, place: str) -> str:
    """Why elements of a type are not read."""
    return f"{place}: element type '{type_name}' is not known; use one of {KNOWN}"


def cell_order(nodes: IntArray, cell: Cell) -> IntArray:
    """Nodes (elements, nodes) in Abaqus order put into the order of the cell."""
    return nodes[:, [0, 2, 1]] if cell == LINE3 else np.asarray(nodes)

"""Matrices of Abaqus and CalculiX (.mtx): of substructures as user elements, of models as node, dof, node, dof.

A substructure lists its nodes in comments, the degrees of freedom at each of them as a user element does (those of
the first node, then a position and those from there on), and the lower triangles of its matrices row by row.
"""

import re
from pathlib import Path

import numpy as np
from scipy import sparse

from flexframe.errors import InputError
from flexframe.exchange.contract import FiledMatrix, Format, Part, Role, Settings, matrix_in_si, role_of
from flexframe.exchange.matrices import MatrixFile, labelled_matrix
from flexframe.exchange.units import Units
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray

_NAMES = {"STIFFNESS": "K", "MASS": "M", "VISCOUS DAMPING": "B", "STRUCTURAL DAMPING": "D"}
_TYPES: dict[Role, str] = {"stiffness": "STIFFNESS", "mass": "MASS", "damping": "VISCOUS DAMPING"}
_LARGEST = 50_000  # rows of a dense triangle


def read_mtx(file: OpenFile, settings: Settings) -> Part:
    """The matrices of a substructure, or the one of a file named after it (…STIF1.mtx, …MASS1.mtx)."""
    raw = file.stream.read()
    if b"\0" in raw:
        raise InputError(f"{file.name}: is not text; give a matrix file of Abaqus or CalculiX")
    text = raw.decode("latin-1")
    if re.search(r"^\s*\*USER ELEMENT", text, re.IGNORECASE | re.MULTILINE):
        return _substructure(file, text, settings)
    made = _single(file, text)
    assert made.labels is not None
    name = single_name(file)
    return Part(
        matrices={name: FiledMatrix(matrix_in_si(made.matrix, made.labels, name, settings.units), made.labels)}
    )


def single_name(file: OpenFile) -> str:
    """K, M or B by what the name of a file says, else the name."""
    stem = Path(file.short).stem
    for pattern, name in (
        (r"STIF|(^|_)K($|_|\d)", "K"),
        (r"MASS|(^|_)M($|_|\d)", "M"),
        (r"DAMP|(^|_)B($|_)", "B"),
    ):
        if re.search(pattern, stem.upper()):
            return name
    return stem


def _single(file: OpenFile, text: str) -> MatrixFile:
    """Rows node, dof, node, dof, value; comments and keywords begin with *."""
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.replace(",", " ").replace("D", "E").split()
        if not words or words[0][0] in "*#%":
            continue
        try:
            rows.append([float(word) for word in words])
        except ValueError:
            raise InputError(
                f"{file.short}:{number}: '{line.strip()[:40]}' are not numbers; check the line"
            ) from None
        if len(words) != 5:
            raise InputError(
                f"{file.short}:{number}: a row has {len(words)} numbers; give node, dof, node, dof and value"
            )
    if not rows:
        raise InputError(f"{file.name}: holds no matrix; write it again (is it cut off?)")
    return labelled_matrix(file.name, np.array(rows))


def _substructure(file: OpenFile, text: str, settings: Settings) -> Part:
    nodes: list[int] = []
    dofs: dict[int, list[int]] = {}  # position (from 1) → degrees of freedom from there on
    triangles: dict[str, list[float]] = {}
    count, where, listing = 0, "", False
    for number, line in enumerate(text.splitlines(), start=1):
        place, stripped = f"{file.short}:{number}", line.strip()
        if stripped.upper().startswith("*USER ELEMENT"):
            found = re.search(r"NODES\s*=\s*(\d+)", stripped, re.IGNORECASE)
            if found is None:
                raise InputError(f"{place}: *USER ELEMENT does not say how many nodes it has; write it again")
            count, where = int(found[1]), "dofs"
        elif stripped.upper().startswith("*MATRIX"):
            kind = re.search(r"TYPE\s*=\s*([A-Z ]+)", stripped.upper())
            where = _NAMES.get(kind[1].strip() if kind else "", "")
            if not where or where in triangles:
                raise InputError(f"{place}: '{stripped[:40]}' is no matrix that is read, or is there twice")
            triangles[where] = []
        elif stripped.startswith("**"):
            listing = "ELEMENT NODES" in stripped.upper() or (listing and where == "dofs")
            numbers = re.findall(r"\d+", stripped) if listing else []
            if listing and re.fullmatch(r"\*\*[\s\d,]*", stripped):
                nodes += [int(word) for word in numbers]
        elif stripped.startswith("*"):
            where = ""
        elif stripped and where:
            _take(place, stripped, where, dofs, triangles)
    if not nodes or len(nodes) != count or not dofs or not triangles:
        raise InputError(f"{file.name}: is not a whole substructure (nodes, degrees of freedom, matrices)")
    rows = _rows(file, nodes, dofs)
    found_matrices = {}
    for name, values in triangles.items():
        matrix = sparse.csr_array(_dense(file, name, values, len(rows)))
        found_matrices[name] = FiledMatrix(matrix_in_si(matrix, rows, name, settings.units), rows)
    return Part(matrices=found_matrices)


def _take(
    place: str, line: str, where: str, dofs: dict[int, list[int]], triangles: dict[str, list[float]]
) -> None:
    words = [word for word in re.split(r"[\s,]+", line.replace("D", "E")) if word]
    try:
        if where != "dofs":
            triangles[where] += [float(word) for word in words]
        elif not dofs:
            dofs[1] = [int(word) for word in words]
        else:
            position, *own = (int(word) for word in words)
            dofs[position] = own
    except ValueError:
        raise InputError(f"{place}: '{line[:40]}' are not numbers; check the line") from None


def _rows(file: OpenFile, nodes: list[int], dofs: dict[int, list[int]]) -> IntArray:
    """Node and degree of freedom of each coordinate; what is no displacement and no rotation has 0."""
    rows: list[tuple[int, int]] = []
    current: list[int] = []
    for position, node in enumerate(nodes, start=1):
        current = dofs.get(position, current)
        rows += [(node, dof if 1 <= dof <= 6 else 0) for dof in current]
    if not 0 < len(rows) <= _LARGEST:
        raise InputError(f"{file.name}: a substructure of {len(rows)} coordinates is not read")
    labelled = [row for row in rows if row[1]]
    if len(set(labelled)) < len(labelled):
        raise InputError(f"{file.name}: two coordinates are of the same degree of freedom; write it again")
    return np.array(rows, dtype=np.int64)


def _dense(file: OpenFile, name: str, values: list[float], size: int) -> Array:
    if len(values) != size * (size + 1) // 2 or not np.isfinite(values).all():
        raise InputError(
            f"{file.name}: matrix {name} has {len(values)} numbers, a triangle of {size} rows has "
            f"{size * (size + 1) // 2}; write it again (is it cut off?)"
        )
    matrix = np.zeros((size, size))
    matrix[np.tril_indices(size)] = values
    return np.asarray(matrix + np.tril(matrix, -1).T)


def write_mtx(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    """Write stiffness, mass and damping as a user element of one degree of freedom a node."""
    back = Units(1 / units.length, 1 / units.mass, 1 / units.time)
    roles = {role_of(name): (name, found) for name, found in part.matrices.items()}
    lines: list[str] = []
    rows: IntArray | None = None
    for role, kind in _TYPES.items():
        if role not in roles:
            continue
        name, found = roles[role]
        if found.rows is None or found.matrix.shape[0] > _LARGEST:
            raise InputError(
                f"matrix {name} has no labels of its rows, or too many rows for this format; use .op4"
            )
        if rows is not None and not np.array_equal(rows, found.rows):
            raise InputError("a substructure holds matrices of the same rows; write one file for each")
        rows = found.rows
        dense = matrix_in_si(found.matrix, rows, name, back).toarray()
        lines.append(f"*MATRIX,TYPE={kind}")
        for number, row in enumerate(dense):
            texts = [f"{value:.16E}" for value in row[: number + 1]]
            lines += [", ".join(texts[k : k + 4]) + "," for k in range(0, len(texts), 4)]
    if rows is None:
        raise InputError("the part has no stiffness and no mass matrix; nothing is written")
    head = [f"** written by flexframe; units: {units.text}", f"*USER ELEMENT,NODES={len(rows)},LINEAR"]
    head.append("** ELEMENT NODES")
    labels = [str(label) for label in rows[:, 0].tolist()]
    head += ["** " + ", ".join(labels[k : k + 10]) + "," for k in range(0, len(labels), 10)]
    head.append(str(rows[0, 1]))
    head += [f"{position}, {dof}" for position, dof in enumerate(rows[1:, 1].tolist(), start=2)]
    path.write_text("\n".join([*head, *lines]) + "\n", encoding="ascii")
    return ()


def knows_mtx(head: bytes) -> bool:
    """Whether the first bytes of a text are a matrix of Abaqus or CalculiX."""
    return b"\0" not in head and re.match(rb"\s*(\*|\d+\s*[,\s]\s*\d+\s*[,\s])", head) is not None


MTX = Format(
    name="mtx",
    title="Abaqus and CalculiX matrices",
    endings=(".mtx",),
    reads=("matrices",),
    writes=("matrices",),
    read=read_mtx,
    write=write_mtx,
    knows=knows_mtx,
)

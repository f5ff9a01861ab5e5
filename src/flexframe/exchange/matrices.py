"""Matrices of other programs: Matrix Market, numpy, and the coordinate text that Abaqus generates."""

import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from flexframe.errors import InputError
from flexframe.exchange.contract import FiledMatrix, Format, Part, Settings, matrix_in_si
from flexframe.files import ANYWHERE, Folder, OpenFile
from flexframe.maths.array_archives import DAMAGED
from flexframe.maths.arrays import Array, IntArray, SparseMatrix

_LARGEST = 10**8  # row
_MOST_VALUES = 10**8  # of a full array
_ENDINGS = ".mtx, .npz, .npy or text (row, column, value; or node, dof, node, dof, value)"


@dataclass(frozen=True, eq=False)
class MatrixFile:
    """A square matrix and, where the file says so, node label and degree of freedom (1–6) of each row: (p, 2)."""

    matrix: SparseMatrix
    labels: IntArray | None = None


def read_matrix(path: str | Path, *, folder: Folder = ANYWHERE) -> MatrixFile:
    """Read a stiffness or mass matrix; a file with one triangle only is completed to the symmetric matrix.

    Parameters
    ----------
    path
        Matrix Market (.mtx), scipy (.npz), numpy (.npy) or text.
    folder
        Folder that paths start from.

    Returns
    -------
    MatrixFile
        The sparse matrix in the units of the file, and the labels of its rows if the file has them.

    Examples
    --------
    >>> np.save("K.npy", np.diag([1.0, 2.0, 3.0]))
    >>> ff.mesh.read_matrix("K.npy").matrix.shape
    (3, 3)
    """
    try:
        with folder.open(path) as file:
            made = _read(file)
    except DAMAGED as error:
        raise InputError(f"{path}: is not read as a matrix ({error}); give {_ENDINGS}") from error
    rows, columns = made.matrix.shape
    if rows != columns:
        raise InputError(f"{path}: the matrix is {rows} × {columns}; give a square one")
    if not np.isfinite(made.matrix.data).all():
        raise InputError(f"{path}: the matrix has entries that are not finite numbers")
    return MatrixFile(_complete(made.matrix), made.labels)


def read_coordinates(path: str | Path, *, folder: Folder = ANYWHERE) -> tuple[Array, IntArray | None]:
    """Node coordinates (n, 3) from .npy or text; rows x y z, or label x y z, which gives the labels too.

    Parameters
    ----------
    path
        numpy (.npy) or text.
    folder
        Folder that paths start from.

    Returns
    -------
    tuple
        Coordinates in the unit of the file, (n, 3), and node labels (n,) or None.

    Examples
    --------
    >>> np.save("nodes.npy", np.eye(3))
    >>> points, labels = ff.mesh.read_coordinates("nodes.npy")
    >>> points.shape, labels
    ((3, 3), None)
    """
    try:
        with folder.open(path) as file:
            table = _array(file) if file.suffix == ".npy" else _table(file)
    except DAMAGED as error:
        raise InputError(
            f"{path}: is not read as coordinates ({error}); give rows x y z or label x y z"
        ) from error
    if table.ndim != 2 or table.shape[1] not in (3, 4) or not np.isfinite(table).all():
        raise InputError(f"{path}: has the shape {table.shape}; give finite rows x y z or label x y z")
    if table.shape[1] == 3:
        return np.asarray(table, dtype=float), None
    return np.asarray(table[:, 1:], dtype=float), table[:, 0].astype(np.int64)


def _array(file: OpenFile) -> Array:
    """The array of a .npy file; that Python 2 wrote it is nothing that a user need know."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Reading `.npy` or `.npz` file", category=UserWarning)
        return np.asarray(np.load(file.stream))


def _read(file: OpenFile) -> MatrixFile:
    match file.suffix:
        case ".mtx" if file.head(2) == b"%%":
            return MatrixFile(_market(file))
        case ".npz":
            return MatrixFile(sparse.csr_array(sparse.coo_array(sparse.load_npz(file.stream))).astype(np.float64))
        case ".npy":
            return MatrixFile(sparse.csr_array(np.asarray(_array(file), dtype=float)))
    table = _table(file)
    if table.ndim == 2 and table.shape[1] == 3:
        rows, columns = table[:, 0].astype(np.int64) - 1, table[:, 1].astype(np.int64) - 1
        size = int(max(rows.max(), columns.max())) + 1
        return MatrixFile(sparse.csr_array(sparse.coo_array((table[:, 2], (rows, columns)), shape=(size, size))))
    if table.ndim == 2 and table.shape[1] == 5:
        return labelled_matrix(file.name, table)
    raise ValueError(f"its table has the shape {table.shape}")


_FORMS = ("coordinate", "array")
_FIELDS = ("real", "double", "integer", "pattern")
_SYMMETRIES = {"general": 0.0, "symmetric": 1.0, "skew-symmetric": -1.0}
"""What the other triangle of a Matrix Market file is, as a multiple of the one in it."""


def _market(file: OpenFile) -> SparseMatrix:
    """Matrix Market, coordinates or a full array."""
    first, *lines = file.stream.read().decode("ascii").splitlines()
    words = first.lower().split()
    if len(words) != 5 or words[1] != "matrix" or words[2] not in _FORMS or words[3] not in _FIELDS:
        raise ValueError(f"'{first[:60]}' does not say that it is a real matrix")
    if words[4] not in _SYMMETRIES:
        raise ValueError(f"'{words[4]}' is no symmetry of a real matrix")
    kept = [line for line in lines if line.strip() and not line.startswith("%")]
    if not kept:
        raise ValueError("it has no size")
    rows, columns, *more = (int(word) for word in kept[0].split())
    if not 0 < rows <= _LARGEST or not 0 < columns <= _LARGEST or len(more) != (words[2] == "coordinate"):
        raise ValueError("its size is not possible")
    values = np.array(" ".join(kept[1:]).split(), dtype=float)
    if words[2] == "coordinate":
        row, column, data = _market_entries(values.reshape(more[0], 2 if words[3] == "pattern" else 3))
        if (row < 0).any() or (row >= rows).any() or (column < 0).any() or (column >= columns).any():
            raise ValueError("an entry is outside the matrix")
    else:
        (row, column), data = _array_places(rows, columns, words[4]), values
    if len(data) != len(row):
        raise ValueError(f"it has {len(data)} values in place of {len(row)}")
    half = sparse.coo_array((data, (row, column)), shape=(rows, columns))
    sign = _SYMMETRIES[words[4]]
    if not sign:
        return sparse.csr_array(half)
    if rows != columns:
        raise ValueError("it is symmetric and not square")
    return sparse.csr_array(half + sign * half.T - sign * sparse.diags_array(half.diagonal()))


def _market_entries(table: Array) -> tuple[IntArray, IntArray, Array]:
    """Rows and columns from 0, and values, which a pattern does not have."""
    places = table[:, :2]
    if not (places == np.rint(places)).all() or (np.abs(places) > _LARGEST).any():
        raise ValueError("an entry has no whole row and column")
    data = table[:, 2] if table.shape[1] == 3 else np.ones(len(table))
    return places[:, 0].astype(np.int64) - 1, places[:, 1].astype(np.int64) - 1, data


def _array_places(rows: int, columns: int, symmetry: str) -> tuple[IntArray, IntArray]:
    """Rows and columns of the values of a full array, down its columns; of a symmetric one from its diagonal."""
    if rows * columns > _MOST_VALUES:
        raise ValueError("it is too large for a full array")
    column, row = (np.asarray(part.ravel()) for part in np.indices((columns, rows)))
    below = row - column >= {"general": -rows - columns, "symmetric": 0, "skew-symmetric": 1}[symmetry]
    return row[below], column[below]


def _table(file: OpenFile) -> Array:
    """Numbers of a text with commas or blanks; comments start with *, # or %."""
    text = file.stream.read().decode("utf-8")
    lines = [line.replace(",", " ").replace("D", "E") for line in text.splitlines()]
    kept = [line.split() for line in lines if line.strip() and line.lstrip()[0] not in "*#%"]
    return np.array(kept, dtype=float)


def labelled_matrix(name: str, table: Array) -> MatrixFile:
    """Rows node, dof, node, dof, value; the degrees of freedom are those that occur, by node, then by number."""
    ends = np.concatenate([table[:, :2], table[:, 2:4]])
    if (ends != np.rint(ends)).any() or (ends[:, 0] < 1).any() or (np.abs(ends) > 1e15).any():
        raise InputError(f"{name}: has nodes or degrees of freedom that are not possible; write it again")
    labels, places = np.unique(ends.astype(np.int64), axis=0, return_inverse=True)
    rows, columns = places.ravel()[: len(table)], places.ravel()[len(table) :]
    matrix = sparse.coo_array((table[:, 4], (rows, columns)), shape=(len(labels), len(labels)))
    return MatrixFile(_complete(sparse.csr_array(matrix)), labels)


def _complete(matrix: SparseMatrix) -> SparseMatrix:
    """A + Aᵀ − diag A of a triangle; a matrix with both triangles as it is."""
    lower, upper = sparse.tril(matrix, -1), sparse.triu(matrix, 1)
    if lower.count_nonzero() and upper.count_nonzero():
        return matrix
    return sparse.csr_array(matrix + matrix.T - sparse.diags_array(matrix.diagonal()))


# ---------------------------------------------------------------------- as parts


def _part(file: OpenFile, settings: Settings) -> Part:
    """The one matrix of a file under the name of the file."""
    try:
        made = _read(file)
    except DAMAGED as error:
        raise InputError(f"{file.name}: is not read as a matrix ({error}); write it again") from error
    rows, columns = made.matrix.shape
    if rows != columns or not np.isfinite(made.matrix.data).all():
        raise InputError(f"{file.name}: the matrix is not square or not finite; give a stiffness or mass matrix")
    name = Path(file.short).stem
    notices = []
    if settings.units.length != 1.0:
        notices.append(f"matrix {name} has no labels of its rows; it is taken as if all were displacements")
    assumed = np.column_stack([np.zeros(rows, dtype=np.int64), np.ones(rows, dtype=np.int64)])
    matrix = matrix_in_si(_complete(made.matrix), assumed, name, settings.units)
    return Part(matrices={name: FiledMatrix(matrix, made.labels)}, notices=tuple(notices))


_FIRST = (b"indices.npy", b"row.npy", b"offsets.npy")  # of the arrays in a file of scipy, by the kind of matrix
_NAME = slice(30, 80)  # of the first member of an archive


def _is_scipy(head: bytes) -> bool:
    return head.startswith(b"PK") and head[_NAME].startswith(_FIRST)


MATRIX_MARKET = Format(
    name="matrix market",
    title="Matrix Market",
    endings=(".mtx",),
    reads=("matrices",),
    read=_part,
    knows=lambda head: head.startswith(b"%%MatrixMarket"),
)
SCIPY = Format(
    name="scipy",
    title="scipy sparse matrix",
    endings=(".npz",),
    reads=("matrices",),
    read=_part,
    knows=_is_scipy,
)
NUMPY = Format(
    name="numpy",
    title="numpy matrix",
    endings=(".npy",),
    reads=("matrices",),
    read=_part,
    knows=lambda head: head.startswith(b"\x93NUMPY"),
)

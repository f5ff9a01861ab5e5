"""Matrices of Ansys (.full): stiffness and mass with the node and the degree of freedom of each row."""

import numpy as np
from scipy import sparse

from flexframe.errors import InputError
from flexframe.exchange.ansys.binary import HEADER, AnsysFile, pointer
from flexframe.exchange.contract import FiledMatrix, Format, Part, Settings, matrix_in_si
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray, SparseMatrix

_KIND = 4  # of file
# Places in the header, from 0: numbers of equations and nodes, terms of K and M, pointers.
_EQUATIONS, _DOFS, _LUMPED, _UNSYMMETRIC, _NODES = 1, 7, 10, 13, 32
_TERMS_K, _TERMS_M = (8, 9), (33, 21)
_POINTER_K, _POINTER_M, _POINTER_DOF = (18, 19), (26, 27), (35, 36)
_DOF_NUMBERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}  # UX, UY, UZ, ROTX, ROTY, ROTZ of Ansys


def read_full(file: OpenFile, settings: Settings) -> Part:
    """K and M of a file; rows that constraints hold are left out, as Ansys does."""
    source = AnsysFile.opened(file, _KIND, "file of matrices (.full)")
    header = source.integers(HEADER)
    if len(header) < 40:
        source.refuse("its header is too short")
    equations, nodes = int(header[_EQUATIONS]), int(header[_NODES])
    if header[_UNSYMMETRIC]:
        raise InputError(f"{file.name}: its matrices are not symmetric; export those of a part at rest")
    dof_list, after = source.record(HEADER + len(header) + 3)
    labels, _ = source.record(after)
    each, behind = source.record(pointer(header, *_POINTER_DOF))
    held, _ = source.record(behind)
    if len(each) < nodes or len(labels) < nodes or int(each[:nodes].sum()) != equations or len(held) < equations:
        source.refuse("its tables of nodes do not fit its equations")
    rows = _rows(source, labels[:nodes].astype(np.int64), each[:nodes].astype(np.int64), dof_list)
    free = np.flatnonzero(held[:equations] >= 0)
    notices = []
    if len(free) < equations:
        notices.append(
            f"{equations - len(free)} of {equations} degrees of freedom are constrained and have no rows: "
            "the body is held there; write the matrices of the free part"
        )
    found = {}
    lumped = bool(header[_LUMPED])
    for name, terms, place in (("K", _TERMS_K, _POINTER_K), ("M", _TERMS_M, _POINTER_M)):
        at = pointer(header, *place)
        if not at or not pointer(header, *terms):
            continue
        diagonal = lumped and name == "M"
        matrix = _diagonal(source, at, equations) if diagonal else _matrix(source, at, equations)
        kept = sparse.csr_array(matrix[free][:, free])
        found[name] = FiledMatrix(matrix_in_si(kept, rows[free], name, settings.units), rows[free])
    if "K" not in found:
        raise InputError(f"{file.name}: has no stiffness matrix; write it again")
    if "M" not in found:
        notices.append("the file has no mass matrix; write it in a modal analysis")
    return Part(matrices=found, notices=tuple(notices))


def _rows(source: AnsysFile, labels: IntArray, each: IntArray, dof_list: IntArray | Array) -> IntArray:
    """Node label and degree of freedom of every equation."""
    numbers = [int(number) for number in dof_list]
    if each.min(initial=1) < 0 or each.max(initial=0) > len(numbers):
        source.refuse("a node has more degrees of freedom than there are")
    unknown = [number for number in numbers[: int(each.max(initial=0))] if number not in _DOF_NUMBERS]
    if unknown:
        raise InputError(
            f"{source.file.name}: degree of freedom {unknown[0]} is no displacement and no rotation; write the "
            "matrices of a structural analysis"
        )
    count = int(each.sum())
    starts = np.repeat(np.cumsum(each) - each, each)
    columns = np.array([_DOF_NUMBERS.get(number, 0) for number in numbers])[np.arange(count) - starts]
    return np.column_stack([np.repeat(labels, each), columns])


def _matrix(source: AnsysFile, at: int, equations: int) -> SparseMatrix:
    """Rows of one triangle, each as a record of columns from 1 and one of values."""
    columns, values, counts = [], [], []
    for _ in range(equations):
        own, at = source.record(at)
        entries, at = source.record(at)
        if len(own) != len(entries) or own.dtype != np.int64:
            source.refuse("a row of a matrix has not as many columns as values")
        columns.append(own)
        values.append(entries)
        counts.append(len(own))
    column = np.concatenate([np.empty(0, dtype=np.int64), *columns]) - 1
    if column.size and not 0 <= column.min() <= column.max() < equations:
        source.refuse("a row of a matrix has columns that do not exist")
    row = np.repeat(np.arange(equations), counts)
    data = np.concatenate([np.empty(0), *values])
    if not np.isfinite(data).all():
        source.refuse("a matrix has entries that are not finite numbers")
    half = sparse.csr_array(sparse.coo_array((data, (row, column)), shape=(equations, equations)))
    return sparse.csr_array(half + half.T - sparse.diags_array(half.diagonal()))


def _diagonal(source: AnsysFile, at: int, equations: int) -> SparseMatrix:
    values = source.reals(at)
    if len(values) < equations:
        source.refuse("its lumped mass has not an entry for each equation")
    if not np.isfinite(values[:equations]).all():
        source.refuse("its lumped mass has entries that are not finite numbers")
    return sparse.diags_array(values[:equations], format="csr")


def knows_full(head: bytes) -> bool:
    """Whether the first bytes are those of a binary file of Ansys."""
    return head[:4] == b"\x64\0\0\0" and head[8:12] == b"\x04\0\0\0"


FULL = Format(
    name="full",
    title="Ansys matrices",
    endings=(".full",),
    reads=("matrices",),
    read=read_full,
    knows=knows_full,
)

"""Matrices of Nastran's bulk data and punch files (DMIG)."""

import numpy as np
from scipy import sparse

from flexframe.errors import InputError
from flexframe.exchange.contract import FiledMatrix, matrix_in_si
from flexframe.exchange.nastran.cards import Deck
from flexframe.exchange.nastran.coordinates import Grid
from flexframe.exchange.units import Units
from flexframe.maths.arrays import IntArray, SparseMatrix

_SYMMETRIC, _SQUARE = 6, 1
_REAL = (1, 2)
_TURNED = 1e-12  # by which axes of displacements differ from body axes


def read_matrices(deck: Deck, grid: Grid, units: Units) -> tuple[dict[str, FiledMatrix], list[str]]:
    """Square real matrices by name, in SI units and body axes, and which others there are."""
    table = deck.cards.get("DMIG")
    if table is None:
        return {}, []
    names, heads = table.words(1), np.isin(table.words(2), (b"0", b""))
    form, kind = table.integers(3, default=0), table.integers(4, default=0)
    ends = table.integers(2, 3, default=0)
    groups = range(5, max(table.width - 2, 5), 4)
    rows = np.stack([table.integers(f, f + 1, default=0) for f in groups] or [ends * 0], axis=1)
    values = np.stack([table.reals(f + 2, default=0.0) for f in groups] or [np.zeros(len(ends))], axis=1)
    found: dict[str, FiledMatrix] = {}
    others = []
    for head in np.flatnonzero(heads).tolist():
        name = names[head].decode("latin-1")
        if form[head] not in (_SYMMETRIC, _SQUARE) or kind[head] not in _REAL:
            others.append(f"DMIG {name} is no square real matrix and was not read")
            continue
        own = np.flatnonzero((names == names[head]) & ~heads)
        used = rows[own][..., 0] > 0
        left = rows[own][used]
        right = np.broadcast_to(ends[own][:, None], (*used.shape, 2))[used]
        matrix, labels = _assemble(left, right, values[own][used], symmetric=form[head] == _SYMMETRIC)
        if not len(labels):
            raise InputError(f"{table.place(head)}: DMIG {name} has no entry; complete it (is the file cut off?)")
        turned = in_body_axes(matrix, labels, grid, f"{table.place(head)}: DMIG {name}")
        found[name] = FiledMatrix(matrix_in_si(turned, labels, name, units), labels)
    return found, others


def _assemble(
    left: IntArray, right: IntArray, values: "np.ndarray", *, symmetric: bool
) -> tuple[SparseMatrix, IntArray]:
    """The matrix of entries between labelled rows, by node and then by component, and their labels."""
    labels, inverse = np.unique(np.concatenate([left, right]), axis=0, return_inverse=True)
    places = np.asarray(inverse).ravel()
    row, column, size = places[: len(left)], places[len(left) :], len(labels)
    matrix = sparse.csr_array(sparse.coo_array((values, (row, column)), shape=(size, size)))
    if symmetric:
        matrix = sparse.csr_array(matrix + matrix.T - sparse.diags_array(matrix.diagonal()))
    return matrix, labels


def in_body_axes(matrix: SparseMatrix, labels: IntArray, grid: Grid, place: str) -> SparseMatrix:
    """T A Tᵀ with the axes in which grid points give displacements; points that are not there have body axes."""
    known = grid.nodes.is_known(labels[:, 0]) & (labels[:, 1] > 0)
    if not known.any() or not grid.displacement_systems.any():
        return matrix
    nodes = grid.nodes.of(labels[known, 0], place)
    axes = grid.axes_of(nodes)
    turned = np.abs(axes - np.eye(3)).max(axis=(1, 2)) > _TURNED
    if not turned.any():
        return matrix
    where = {tuple(label): number for number, label in enumerate(labels.tolist())}
    entries: list[tuple[int, int, float]] = []
    for at, own in zip(np.flatnonzero(known)[turned].tolist(), axes[turned], strict=True):
        label, component = labels[at].tolist()
        first = 1 if component <= 3 else 4
        triple = [where.get((label, first + k), -1) for k in range(3)]
        if min(triple) < 0:
            raise InputError(
                f"{place} has component {component} of point {label} without the other two of its turned axes; "
                "export the matrix in basic axes"
            )
        entries += [(row, at, float(own[k, component - first])) for k, row in enumerate(triple)]
    plain = np.setdiff1d(np.arange(len(labels)), [at for _, at, _ in entries])
    entries += [(int(k), int(k), 1.0) for k in plain]
    row, column, value = zip(*entries, strict=True)
    turning = sparse.csr_array(sparse.coo_array((value, (row, column)), shape=(len(labels), len(labels))))
    return sparse.csr_array(turning @ matrix @ turning.T)

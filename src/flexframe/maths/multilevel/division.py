"""How the unknowns of a sparse matrix are divided into substructures, and these into larger ones, level by level.

The graph of the matrix is bisected by METIS again and again. What separates two halves is eliminated after both of
them, so that nothing but unknowns of levels above is beside a substructure.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from flexframe.maths.arrays import IntArray, SparseMatrix
from flexframe.maths.graphs import alike_unknowns
from flexframe.phases import phase

USUAL_SIZE = 20_000  # unknowns of a substructure; smaller ones have more boundary, larger ones larger factors


@dataclass(frozen=True, eq=False)
class Substructure:
    """Unknowns that are eliminated together: the inside of a part, or what separates two of them."""

    own: IntArray
    boundary: IntArray  # unknowns of later ones that elimination couples with: ascending
    children: tuple[int, ...]  # places in the division; empty for a part
    level: int  # 0 for what is eliminated last


Division = tuple[Substructure, ...]
"""Substructures in order of elimination; the last one has no boundary."""


def usual_parts(size: int, workers: int = 1) -> int:
    """How many parts for so many unknowns."""
    return max(2, workers, -(-size // USUAL_SIZE))


@phase("ordering")
def divide(pattern: SparseMatrix, parts: int) -> Division:
    """Divide the unknowns of a symmetric pattern into at most `parts` parts and what separates them."""
    groups = alike_unknowns(pattern)
    # whole numbers below 2²⁴, and indices as narrow as those of the pattern: these are as large as the matrices
    places = np.arange(len(groups), dtype=pattern.indices.dtype)
    incidence = sparse.csr_array((np.ones(len(groups), np.float32), (groups.astype(places.dtype), places)))
    ones = sparse.csr_array(
        (np.ones(pattern.nnz, np.float32), pattern.indices, pattern.indptr), shape=pattern.shape
    )
    graph = sparse.csr_array(incidence @ ones @ incidence.T)
    graph.setdiag(0.0)
    graph.eliminate_zeros()
    graph.sort_indices()
    weights = np.bincount(groups)
    found: list[tuple[IntArray, tuple[int, ...], int]] = []
    _bisect((graph, weights), np.arange(graph.shape[0]), parts, 0, found)
    members = np.argsort(groups, kind="stable")
    starts = np.concatenate([[0], np.cumsum(weights)])
    own = [
        np.sort(np.concatenate([members[starts[v] : starts[v + 1]] for v in vertices] or [members[:0]]))
        for vertices, _, _ in found
    ]
    return _with_boundaries(pattern, own, found)


def _bisect(
    graph: tuple[SparseMatrix, IntArray],
    vertices: IntArray,
    parts: int,
    level: int,
    found: list[tuple[IntArray, tuple[int, ...], int]],
) -> int:
    """Append what a piece of the graph, which has weights, is divided into; the place of the last."""
    halves = _halves(*graph, vertices, parts) if parts > 1 else None
    children: tuple[int, ...] = ()
    own = vertices
    if halves is not None:
        first, second, own = halves
        few = parts // 2
        children = (
            _bisect(graph, first, few, level + 1, found),
            _bisect(graph, second, parts - few, level + 1, found),
        )
    found.append((own, children, level))
    return len(found) - 1


def _halves(
    graph: SparseMatrix, weights: IntArray, vertices: IntArray, parts: int
) -> tuple[IntArray, IntArray, IntArray] | None:
    """Two pieces and the fewest vertices that separate them; None where there is nothing to divide."""
    import pymetis

    if len(vertices) < 4:
        return None
    piece = sparse.csr_array(graph[vertices][:, vertices])
    whole = pymetis.zero_copy_dtype()
    share = (parts // 2) / parts
    adjacency = pymetis.CSRAdjacency(piece.indptr.astype(whole), piece.indices.astype(whole))
    _, sides = pymetis.part_graph(
        2, adjacency, vweights=weights[vertices].astype(whole), tpwgts=[share, 1.0 - share], recursive=True
    )
    side = np.asarray(sides)
    between = _cover(piece, side)
    left, right = (vertices[(side == s) & ~between] for s in (0, 1))
    if not len(left) or not len(right):
        return None
    return left, right, vertices[between]


def _cover(piece: SparseMatrix, side: IntArray) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """The fewest vertices that take part in all edges between the sides (König: from a largest matching)."""
    left, right = np.flatnonzero(side == 0), np.flatnonzero(side == 1)
    cut = sparse.csr_array(piece[left][:, right])
    partner = csgraph.maximum_bipartite_matching(cut, perm_type="column")  # of each on the left, or −1
    # alternating paths from unmatched vertices on the left: any edge to the right, matched edges back
    columns = cut.tocoo()
    matched = partner[columns.row] == columns.col
    count = len(left)
    first = np.where(matched, count + columns.col, columns.row)
    second = np.where(matched, columns.row, count + columns.col)
    start = count + len(right)
    unmatched = np.flatnonzero((partner < 0) & (np.diff(cut.indptr) > 0))
    rows = np.concatenate([first, np.full(len(unmatched), start)])
    ends = np.concatenate([second, unmatched])
    paths = sparse.csr_array((np.ones(len(rows)), (rows, ends)), shape=(start + 1, start + 1))
    reached = np.zeros(start + 1, dtype=bool)
    reached[csgraph.breadth_first_order(paths, start, return_predecessors=False)] = True
    covered = np.zeros(len(side), dtype=bool)
    covered[left[(partner >= 0) & ~reached[:count]]] = True
    covered[right[reached[count:start]]] = True
    return covered


def _with_boundaries(
    pattern: SparseMatrix, own: list[IntArray], found: list[tuple[IntArray, tuple[int, ...], int]]
) -> Division:
    place = np.empty(pattern.shape[0], dtype=np.int64)
    for number, unknowns in enumerate(own):
        place[unknowns] = number
    made: list[Substructure] = []
    for number, (_, children, level) in enumerate(found):
        beside: list[IntArray] = [made[child].boundary for child in children]
        beside.append(pattern[own[number]].indices.astype(np.int64))
        near = np.unique(np.concatenate(beside))
        made.append(Substructure(own[number], near[place[near] > number], children, level))
    return tuple(made)

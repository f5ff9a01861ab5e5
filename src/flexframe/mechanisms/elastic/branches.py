"""Branches of eigenvalues followed through crossings by their shapes.

From one instant to the next every mode is given to the branch whose shape it continues: the modal assurance
|φᴴMφ'|² decides and, where shapes change much within a step, also how near an eigenvalue is to the straight
continuation of the branch.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.maths.assignment import best_partners

_CLEAR = 0.6  # modal assurance above which a mode continues a branch without doubt


@dataclass(frozen=True, eq=False)
class Branches:
    """Eigenvalues by branch; a branch has the number that its mode has at the first instant."""

    eigenvalues: ComplexArray  # (T, branches)
    modes: IntArray  # number of the mode that each branch has at each instant: (T, branches)
    assurance: Array  # modal assurance with the step before, 1 at the first instant: (T, branches)
    ambiguous: IntArray  # instants at which a branch was continued with doubt

    def first(self, count: int) -> "Branches":
        """The branches that start lowest; doubt about others does not count."""
        doubtful = np.flatnonzero((self.assurance[:, :count] < _CLEAR).any(axis=1))
        return Branches(self.eigenvalues[:, :count], self.modes[:, :count], self.assurance[:, :count], doubtful)


def tracked(eigenvalues: ComplexArray, overlaps: Array) -> Branches:
    """Branches from eigenvalues (T, k) and modal assurance of neighbouring instants (T − 1, k before, k after)."""
    T, k = eigenvalues.shape
    order = np.empty((T, k), dtype=np.int64)
    order[0] = np.arange(k)
    assurance = np.ones((T, k))
    partner = np.argmax(overlaps, axis=2)
    clear = (overlaps.max(axis=2) > _CLEAR).all(axis=1) & (np.sort(partner, axis=1) == np.arange(k)).all(axis=1)
    rows = np.arange(k)
    # up to the first instant at which anything crosses, every branch keeps its number
    plain = int(np.argmin(np.append(clear & (partner == rows).all(axis=1), False)))
    order[: plain + 1] = rows
    assurance[1 : plain + 1] = overlaps[:plain, rows, rows]
    for i in range(plain, T - 1):
        step = partner[i] if clear[i] else _assigned(eigenvalues, order, overlaps[i], i)
        order[i + 1] = step[order[i]]
        assurance[i + 1] = overlaps[i, rows, step][order[i]]
    values = np.take_along_axis(eigenvalues, order, axis=1)
    return Branches(values, order, assurance, np.flatnonzero((assurance < _CLEAR).any(axis=1)))


def _assigned(eigenvalues: ComplexArray, order: IntArray, overlap: Array, i: int) -> IntArray:
    """The best one-to-one continuation of the modes of instant i, with prediction by the step before."""
    now = eigenvalues[i]
    expected = now.copy()
    if i:
        expected[order[i]] = 2 * now[order[i]] - eigenvalues[i - 1][order[i - 1]]
    scale = np.abs(np.diff(np.sort(np.abs(now)))).mean() if len(now) > 1 else float(np.abs(now[0]))
    distance = np.abs(expected[:, None] - eigenvalues[i + 1][None]) / max(scale, np.finfo(float).tiny)
    cost = (1 - overlap) + np.minimum(distance, 1.0)
    return best_partners(-cost)[1]


def modal_assurance(vectors: ComplexArray) -> Array:
    """|φᴴφ'|² of neighbouring instants, for vectors (T, r, k) of unit length: (T − 1, k, k)."""
    return np.asarray(np.abs(np.swapaxes(vectors[:-1].conj(), 1, 2) @ vectors[1:]) ** 2)

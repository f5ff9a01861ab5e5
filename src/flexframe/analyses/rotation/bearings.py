"""Bearings: springs and dampers that stay in space while the body turns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly.attachments import attached_nodes
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.model.supports import NodeSelection


@dataclass(frozen=True)
class Bearing:
    """A spring and damper from each selected node to space, alike in all directions across the spin axis.

    Units: N/m, N s/m; `tilt_` values act on the rotations across the axis, N m/rad, N m s/rad. A bearing that is
    stiffer in one direction of space would make the coefficients of the rotating frame periodic.
    """

    on: NodeSelection
    stiffness: float = 0.0
    damping: float = 0.0
    tilt_stiffness: float = 0.0
    tilt_damping: float = 0.0

    def __post_init__(self) -> None:
        for name in ("stiffness", "damping", "tilt_stiffness", "tilt_damping"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0):
                raise InputError(f"bearing: {name} is {value:g}; give a finite value from zero up")


@dataclass(frozen=True, eq=False)
class BearingMatrices:
    """Forces −kPδ − d(Pδ̇ + Ω a × δ) of bearings as the turning frame sees them, P = 1 − aaᵀ: (p, p) each."""

    stiffness: SparseMatrix
    damping: SparseMatrix
    circulatory: SparseMatrix  # for each rad/s; skew


def bearing_matrices(discrete: DiscreteBody, bearings: Sequence[Bearing], axis: Array) -> BearingMatrices:
    """Sum over all bearings; `axis` is a unit vector."""
    across, turn = np.eye(3) - np.outer(axis, axis), skew(axis)
    size = discrete.dofs.count
    total = [sparse.csr_array((size, size)) for _ in range(3)]
    for bearing in bearings:
        nodes = attached_nodes(discrete.body, discrete.dofs, bearing.on, "bearing")
        for columns, k, d in (
            (slice(0, 3), bearing.stiffness, bearing.damping),
            (slice(3, 6), bearing.tilt_stiffness, bearing.tilt_damping),
        ):
            numbers = discrete.dofs.numbers[nodes, columns]
            needed = np.diag(across) > 1e-12
            if (k or d) and (numbers[:, needed] < 0).any():
                node = discrete.body.mesh.node_label(int(nodes[np.argmax((numbers[:, needed] < 0).any(axis=1))]))
                what = "displacements" if columns.start == 0 else "rotations"
                raise InputError(
                    f"body {discrete.body.name}: a bearing acts on the {what} of node {node}, which has "
                    "not all of them across the spin axis; choose another node or leave that part out"
                )
            for place, factor in enumerate((k * across, d * across, d * turn)):
                if factor.any():
                    total[place] = total[place] + _at_nodes(numbers, factor, size)
    return BearingMatrices(*(sparse.csr_array(matrix) for matrix in total))


def _at_nodes(numbers: IntArray, block: Array, size: int) -> SparseMatrix:
    """The same 3×3 block at each node; numbers are (nodes, 3), −1 where there is no such coordinate."""
    rows = np.repeat(numbers[:, :, None], 3, axis=2)
    columns = np.repeat(numbers[:, None, :], 3, axis=1)
    values = np.broadcast_to(block, rows.shape)
    kept = (rows >= 0) & (columns >= 0) & (values != 0)
    triplets = (values[kept], (rows[kept], columns[kept]))
    return sparse.csr_array(sparse.coo_array(triplets, shape=(size, size)))

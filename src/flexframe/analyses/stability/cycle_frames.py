"""Coordinates of a mechanism's elastic bodies that follow its cycle.

All bodies side by side have coordinates q; joints leave a subspace that turns with the mechanism. F(t) spans the
k lowest modes at rest in each position, M-orthonormal. Within a piece of the cycle its columns are turned to those
of the middle of the piece as nearly as can be (Procrustes), which makes F as smooth as the mechanism's motion.
With q = F z and Γ = FᵀMḞ Lagrange's equations are

    z̈ + (2Γ + FᵀCF) ż + (FᵀKF + FᵀCḞ + Γ̇ − ḞᵀMḞ) z = 0 ,

and between two pieces F₂ = F₁U turns z into Uᵀz while FᵀMq̇ = ż + Γz is turned alike.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array
from flexframe.multibody.links.assembly import ElasticAssembly
from flexframe.spectra.floquet.chebyshev import Chebyshev

_GAP = 1e-3  # relative distance of the frequencies k and k + 1 below which the subspace of k modes is not smooth
_EXTRA = 6  # modes more than asked for among which the largest gap is sought


@dataclass(frozen=True, eq=False)
class FramePiece:
    """F, Ḟ, Γ, Γ̇ and ḞᵀMḞ at the points of a piece of the cycle, for a motion at the given speed."""

    grid: Chebyshev
    frames: Array  # F: (points, q, k)
    rates: Array  # Ḟ: (points, q, k)
    gamma: Array  # Γ: (points, k, k)
    gamma_rate: Array
    turning: Array  # ḞᵀMḞ: (points, k, k)


@dataclass(frozen=True, eq=False)
class CycleFrames:
    """Pieces of the cycle, the turns U between them (from each to the next, the last to the first)."""

    pieces: tuple[FramePiece, ...]
    turns: tuple[Array, ...]
    frequencies: Array  # at rest [rad/s]: (points of all pieces, k)

    @property
    def size(self) -> int:
        """Number of coordinates k."""
        return int(self.frequencies.shape[1])


def constant_frames(grids: tuple[Chebyshev, ...], basis: Array, frequencies: Array) -> CycleFrames:
    """The same M-orthonormal shapes all the time."""
    k = basis.shape[1]
    pieces = []
    for grid in grids:
        count = len(grid.points)
        nothing = np.zeros((count, k, k))
        F = np.broadcast_to(basis, (count, *basis.shape))
        pieces.append(FramePiece(grid, F, np.zeros_like(F), nothing, nothing, nothing))
    turns = tuple(np.eye(k) for _ in grids)
    return CycleFrames(tuple(pieces), turns, np.broadcast_to(frequencies, (sum(map(_count, grids)), k)))


def _count(grid: Chebyshev) -> int:
    return len(grid.points)


def moving_frames(grids: tuple[Chebyshev, ...], resting: ElasticAssembly, modes: int) -> CycleFrames:
    """Modes of an assembly that stands still at the points of all grids, one after the other."""
    squares, vectors = _modes_at_rest(resting, min(modes + _EXTRA, resting.size - resting.rank))
    kept = _widest_gap(squares, min(modes, squares.shape[1]), resting.size - resting.rank)
    M = resting.mass
    pieces: list[FramePiece] = []
    start = 0
    for grid in grids:
        count = _count(grid)
        Phi = vectors[start : start + count, :, :kept]
        middle = np.asarray(M @ Phi[count // 2])
        F = np.array([phi @ scipy.linalg.polar(phi.T @ middle)[0] for phi in Phi])
        rates = np.einsum("ts,sqk->tqk", grid.differentiation, F)
        weighted = np.array([np.asarray(M @ rate) for rate in rates])
        gamma = np.einsum("tqa,tqb->tab", F, weighted)
        gamma = (gamma - np.swapaxes(gamma, 1, 2)) / 2  # FᵀMF = 1 makes it skew
        turning = np.einsum("tqa,tqb->tab", rates, weighted)
        gamma_rate = np.einsum("ts,sab->tab", grid.differentiation, gamma)
        pieces.append(FramePiece(grid, F, rates, gamma, gamma_rate, turning))
        start += count
    turns = []
    for i, piece in enumerate(pieces):
        U = piece.frames[-1].T @ np.asarray(M @ pieces[(i + 1) % len(pieces)].frames[0])
        if np.abs(U @ U.T - np.eye(kept)).max() > 1e-6:
            raise AnalysisError(
                "the positions of the mechanism at the end of the period are not those at its start; give the "
                "time after which all bodies come back"
            )
        turns.append(scipy.linalg.polar(U)[0])
    return CycleFrames(tuple(pieces), tuple(turns), np.sqrt(np.maximum(squares[:, :kept], 0.0)))


def _modes_at_rest(resting: ElasticAssembly, count: int) -> tuple[Array, Array]:
    T = len(resting.motion.times)
    squares = np.empty((T, count))
    vectors = np.empty((T, resting.size, count))
    M = resting.mass
    for i in range(T):
        B = resting.basis_at(i)
        _, K, _ = resting.blocks(i)
        small = B.T @ K @ B
        mass = B.T @ np.asarray(M @ B)
        squares[i], y = scipy.linalg.eigh((small + small.T) / 2, mass, subset_by_index=(0, count - 1))
        vectors[i] = B @ y
    return squares, vectors


def _widest_gap(squares: Array, wanted: int, largest: int) -> int:
    """The number of modes, from the wanted one up, that are parted best from the rest in all positions."""
    count = squares.shape[1]
    if count == largest and wanted == count:
        return count
    frequencies = np.sqrt(np.maximum(squares, 0.0))
    gaps = (frequencies[:, 1:] / np.maximum(frequencies[:, :-1], 1e-300) - 1).min(axis=0)  # above mode 1, 2, …
    candidates = range(wanted, count)
    best = max(candidates, key=lambda k: gaps[k - 1], default=count)
    if best < count and gaps[best - 1] < _GAP:
        if count == largest:
            return count
        raise AnalysisError(
            f"the {wanted} lowest modes and the next ones cross along the cycle, so that no subspace of them is "
            "smooth; ask for another number of modes"
        )
    return best

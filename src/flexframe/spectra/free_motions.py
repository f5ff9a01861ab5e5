"""Rigid motions of a free or partly free body in a turning frame whose eigenvalues are known exactly.

A body at rest in space, in uniform motion, or spinning about an axis tilted in space, is seen from the turning
frame to circle at Ω: φ is rigid and λ = iΩ. A turn about the spin axis and a shift along it stay as they are:
λ = 0. Most of these are defective double eigenvalues, which a general solver finds only to the square root of its
precision, and splits; they are found here from the geometry and kept out of the search.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.equations.parts import EquationsOfMotion
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix

_EXACT = 1e-8  # of the inertia forces: what the solution for the static stress leaves of forces that should vanish
_DRIFT = 1e-10  # of the inertia forces: the same where only mass and spin take part
_BLURRED = 1e-3  # of the inertia forces: rounding of the stiffness above which a turn cannot be told from a wobble


@dataclass(frozen=True, eq=False)
class FreeMotions:
    """Eigenpairs of (λ²M + λC + K)φ = 0 with rigid φ, each double zero once, and the states that they span."""

    eigenvalues: ComplexArray  # (k,)
    vectors: ComplexArray  # (n, k), φᴴMφ = 1
    states: Array  # real (φ, φ̇) of an invariant subspace: (2n, m)
    simple_zeros: int  # zeros of `states` whose other half, which is not rigid, is outside


def free_motions(
    discrete: DiscreteBody | HarmonicBody,
    equations: EquationsOfMotion,
    matrices: tuple[SparseMatrix, SparseMatrix, SparseMatrix],
) -> FreeMotions:
    """The rigid motions at λ = 0 and λ = iΩ that the supports allow; `matrices` are its reduced M, C, K."""
    M, C, K = matrices
    rigid = discrete.equilibrium.rigid
    size = M.shape[0]
    none = FreeMotions(np.empty(0, complex), np.empty((size, 0), complex), np.empty((2 * size, 0)), 0)
    if not rigid.shape[1]:
        return none
    forces = [np.asarray(matrix @ rigid) for matrix in (M, C, K)]
    speed = _turning_speed(discrete, equations)
    if speed == 0.0:
        return none
    rounding = 30.0 * np.finfo(float).eps * float(np.linalg.norm(abs(K) @ np.abs(rigid), axis=0).max())
    values: list[complex] = []
    vectors: list[ComplexArray] = []
    states: list[Array] = []
    simple_zeros = 0
    for value in (0.0, 1j * speed):
        fixed, drifting = _rigid_amounts(forces, rigid, value, speed, rounding)
        steady, growing = rigid @ fixed, rigid @ drifting
        chain = [np.concatenate([steady, value * steady]), np.concatenate([0.0 * growing, growing])]
        states += [
            part for state in chain for part in ([state.real] if value == 0.0 else [state.real, state.imag])
        ]
        listed = steady if value == 0.0 else np.hstack([steady, growing])
        values += [value] * listed.shape[1]
        vectors.append(listed.astype(complex))
        if value == 0.0:
            simple_zeros = _undamped_motions(forces, rigid, fixed[:, drifting.shape[1] :], speed)
    found = np.hstack(vectors)
    found = found / np.sqrt(np.einsum("ij,ij->j", found.conj(), np.asarray(M @ found)).real)
    return FreeMotions(np.array(values, dtype=complex), found, np.hstack(states), simple_zeros)


def _rigid_amounts(
    forces: list[Array], rigid: Array, value: complex, speed: float, rounding: float
) -> tuple[ComplexArray, ComplexArray]:
    """Combinations y of rigid motions with P(λ)Ry = 0, and those among them that may also grow with time.

    The second, with P'(λ)Ry = 0 too, are shifts, found from mass and spin alone; what rounding of K leaves of
    P(λ)Ry for them tells what to accept as zero for the turns.
    """
    inertia = speed**2 * float(np.linalg.norm(forces[0], axis=0).max())
    held = value**2 * forces[0] + value * forces[1] + forces[2]
    drifting = _null_amounts(2.0 * value * forces[0] + forces[1], _DRIFT * inertia / speed)
    drifting = drifting @ _null_amounts(held @ drifting, rounding + _EXACT * inertia)
    noise = 10.0 * float(np.linalg.norm(held @ drifting)) if drifting.shape[1] else rounding
    if noise > _BLURRED * inertia:
        return drifting, drifting
    fixed = _null_amounts(held, noise + _EXACT * inertia)
    return _with_first(drifting, fixed, rigid.T @ forces[0]), drifting


def _undamped_motions(forces: list[Array], rigid: Array, amounts: ComplexArray, speed: float) -> int:
    """How many of the motions at rest no damper resists, so that the body may turn a little faster for good."""
    mass, power = (amounts.conj().T @ (rigid.T @ force) @ amounts for force in forces[:2])
    return int(np.count_nonzero(np.abs(np.diagonal(power)) <= _DRIFT * speed * np.abs(np.diagonal(mass))))


def _turning_speed(discrete: DiscreteBody | HarmonicBody, equations: EquationsOfMotion) -> float:
    """Ω from C = 2∫ρNᵀω̃N on fields of the body without its supports: half the frequency of M⁻¹C."""
    fields = discrete.turning_fields
    mass, damping = (fields.T @ np.asarray(a @ fields) for a in (equations.mass, equations.damping))
    skew = 0.5 * (damping - damping.T)
    return 0.5 * float(np.abs(np.linalg.eigvals(np.linalg.solve(mass, skew))).max(initial=0.0))


def _with_first(first: ComplexArray, all_: ComplexArray, mass: Array) -> ComplexArray:
    """A basis of the same space that begins with `first`, and continues M-orthogonal to it."""
    if not 0 < first.shape[1] < all_.shape[1]:
        return all_
    weighted = mass @ first
    rest = all_ - first @ np.linalg.solve(first.conj().T @ weighted, weighted.conj().T @ all_)
    left, _, _ = np.linalg.svd(rest, full_matrices=False)
    return np.hstack([first, left[:, : all_.shape[1] - first.shape[1]]])


def _null_amounts(columns: NDArray[Any], limit: float) -> ComplexArray:
    """Orthonormal combinations of columns whose sum is smaller than the limit: (columns, k)."""
    if not columns.shape[1]:
        return np.empty((0, 0), dtype=complex)
    _, sizes, right = np.linalg.svd(np.linalg.qr(columns, mode="r"))
    sizes = np.concatenate([sizes, np.zeros(columns.shape[1] - len(sizes))])
    return np.asarray(right[sizes <= limit].conj().T)

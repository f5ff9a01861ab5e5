"""How good a reduction basis is, from the body itself: frequencies, static answers, mass that takes part.

Bound of a frequency: with r = Kφ − λMφ of a reduced mode and ρ² = rᵀT r / φᵀKφ some mode of the body has
|λ_j − λ| ≤ ρ λ_j; T is the flexibility. Estimate: the fields T r are added to the basis once, and the frequencies
fall by about the error that they had. Static answers are compared in energy, ‖δ − δ_V‖ / ‖δ‖ = √(1 − E_V/E) with
E = fᵀT f, as δ_V is the best answer of the basis in that norm.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.reduction.attached import AttachedBody
from flexframe.reduction.basis import UNFELT, ReductionBasis, inertia_loads, reduced_modes


@dataclass(frozen=True, eq=False)
class ModeAccuracy:
    """Modes of the reduced body at rest, ascending, against those of the body."""

    frequencies_hz: Array  # of the reduced body: (k,)
    full_hz: Array  # of the body, lowest first: (k,)
    estimates: Array  # relative error of each frequency, estimated without the modes of the body: (k,)
    bounds: Array  # |f / f_j − 1| of the nearest mode of the body is no larger: (k,)
    effective_mass: Array  # share of mass and of moments of inertia that each mode takes: (k, 6)

    @property
    def errors(self) -> Array:
        """f / f_full − 1, never negative but for rounding: (k,)."""
        return np.asarray(self.frequencies_hz / self.full_hz - 1)

    def band_hz(self, tolerance: float) -> float:
        """Frequency below which every mode of the body is met to the tolerance."""
        bad = np.flatnonzero(self.errors > tolerance)
        return float(self.full_hz[bad[0]] if bad.size else self.full_hz[-1]) if len(self.full_hz) else 0.0


@dataclass(frozen=True, eq=False)
class Accuracy:
    """Modes, and the part of each static answer that the basis lacks, in energy norm."""

    modes: ModeAccuracy
    interface_loads: dict[str, float]  # unit force or moment → ‖δ − δ_V‖ / ‖δ‖
    inertia_loads: dict[str, float]  # unit acceleration or spin of the frame, likewise
    own_loads: float = 0.0  # all loads of the body itself, likewise


def accuracy(attached: AttachedBody, basis: ReductionBasis, *, count: int | None = None) -> Accuracy:
    """Compare a basis with its body; `count` modes, as many as the basis has but at most 20 unless given."""
    unit_forces = dict(zip(attached.row_names, attached.rows.toarray(), strict=True))
    return Accuracy(
        modes=mode_accuracy(attached, basis, count or 20),
        interface_loads=_static_errors(attached, basis, unit_forces, attached.attachments),
        inertia_loads=_static_errors(attached, basis, inertia_loads(attached)),
        own_loads=_own_error(attached, basis),
    )


def _own_error(attached: AttachedBody, basis: ReductionBasis) -> float:
    """Of the loads of the body itself; zero where there are none, or none that a free body feels."""
    forces, others = attached.discrete.loads.forces, inertia_loads(attached)
    if not forces.any():
        return 0.0
    usual = max(float(np.linalg.norm(load)) for load in others.values())
    scaled = forces * (usual / np.linalg.norm(forces))
    return _static_errors(attached, basis, others | {"": scaled}).get("", 0.0)


def mode_accuracy(attached: AttachedBody, basis: ReductionBasis, count: int) -> ModeAccuracy:
    """The lowest modes of the basis against the body, as many as there are up to `count`."""
    K, M, count = attached.discrete.stiffness, attached.discrete.mass, min(count, basis.size)
    values, shapes = reduced_modes(basis.vectors, K, M)
    values, shapes = values[:count], basis.vectors @ shapes[:, :count]
    residuals = np.asarray(K @ shapes) - values * np.asarray(M @ shapes)
    corrections = attached.flexibility(residuals)
    # forces of supports and couplings are no residual: the flexibility does not feel them
    rho = np.sqrt(np.maximum(np.einsum("pk,pk->k", residuals, corrections), 0.0) / values)
    # f / f_j is between √(1 − ρ) and √(1 + ρ), and some mode lies above f
    bounds = 1 - np.sqrt(np.maximum(1 - rho, 0.0))
    improved = _enriched_eigenvalues(shapes, corrections, K, M)[:count]
    reduced_hz, improved_hz = (np.sqrt(v) / (2 * np.pi) for v in (values, improved))
    full_hz = attached.modes(count).frequencies_hz
    return ModeAccuracy(
        frequencies_hz=reduced_hz,
        full_hz=full_hz,
        estimates=reduced_hz / improved_hz - 1,
        bounds=bounds,
        effective_mass=_effective_mass(attached, shapes),
    )


def _enriched_eigenvalues(shapes: Array, corrections: Array, stiffness: SparseMatrix, mass: SparseMatrix) -> Array:
    """Eigenvalues on the modes and their corrections, those that are rounding left out: ascending."""
    size, own = (np.sqrt(np.einsum("pk,pk->k", t, np.asarray(stiffness @ t))) for t in (shapes, corrections))
    kept = own > 1e-7 * size
    if not kept.any():
        return reduced_modes(shapes, stiffness, mass)[0]
    # directions of the corrections that are independent of each other and of the modes, by strain energy
    modes, fresh = shapes / size, corrections[:, kept] / own[kept]
    fresh = fresh - modes @ (modes.T @ np.asarray(stiffness @ fresh))
    gram = fresh.T @ np.asarray(stiffness @ fresh)
    strength, turn = linalg.eigh((gram + gram.T) / 2)
    good = strength > 1e-6 * strength[-1]
    fields = np.hstack([modes, fresh @ (turn[:, good] / np.sqrt(strength[good]))])
    return reduced_modes(fields, stiffness, mass)[0]


def _effective_mass(attached: AttachedBody, shapes: Array) -> Array:
    """(M_O φ)² / m and (d_aᵀφ)² / I_aa of modes with unit modal mass, zero where the body has none: (k, 6)."""
    inertia = attached.discrete.inertia
    turning = np.array([inertia.euler_load_invariant(a) for a in range(3)])
    taking = np.concatenate([inertia.origin_coupling, turning]) @ shapes
    whole = np.concatenate([np.full(3, inertia.mass), np.diagonal(inertia.inertia_tensor)])
    return np.asarray((taking**2 / np.where(whole > 0, whole, np.inf)[:, None]).T)


def _static_errors(
    attached: AttachedBody, basis: ReductionBasis, loads: dict[str, Array], answers: Array | None = None
) -> dict[str, float]:
    """For loads whose answers are not given, those that the balanced body does not feel are left out."""
    if not loads:
        return {}
    forces = np.array(list(loads.values())).T
    full = attached.flexibility(forces) if answers is None else answers
    K = basis.reduce(attached.discrete.stiffness)
    scale = 1 / np.sqrt(np.diagonal(K))
    projected = basis.reduce_vector(forces) * scale[:, None]
    factor = linalg.cho_factor(K * np.outer(scale, scale))
    energy = np.einsum("pk,pk->k", forces, full)
    kept = np.einsum("mk,mk->k", projected, linalg.cho_solve(factor, projected))
    felt = energy > (UNFELT * energy.max() if answers is None else 0.0)
    # rounding of the two energies, 1e-16 times the condition of the body, is no error of the basis
    lacking = np.sqrt(np.maximum(1 - kept / np.where(felt, energy, 1.0), 0.0))
    return {name: float(lacking[k]) for k, name in enumerate(loads) if felt[k]}

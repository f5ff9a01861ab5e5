"""How far the frequencies of a projected problem can be from those of the full one.

Where K(Ω) ≥ θK̂ is definite, ν = 1/ω are the eigenvalues of the Hermitian pencil of `small_spectra`, and with
η = ‖r‖ / √θ‖z‖, ‖z‖² = φᴴK(Ω)φ + ω²φᴴMφ,

    |ν − ν̃| ≤ ην̃   and, for a cluster at the distance d from the rest,   |ν − ν̃| ≤ Σ(ην̃)²/d.

The second takes it that no mode is missing. Both include what rounding may have added to ‖r‖. Where K(Ω) is not
definite or damping acts, the same numbers with θ = 1 and K̂ in place of K(Ω) are an estimate.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array, BoolArray, ComplexArray
from flexframe.spectra.rotation.small_spectra import SmallModes
from flexframe.spectra.rotation.speed_projection import SpeedProjection

_CLUSTER = 6
_REAL = 1e-8  # real parts that are rounding, of |λ|
_ZERO = 1e-4  # zeros that rounding has split, of the lowest frequencies


@dataclass(frozen=True, eq=False)
class Errors:
    """Relative error of each frequency, whether it is guaranteed, and the residuals behind it."""

    relative: Array  # (m,)
    guaranteed: bool
    weighted: ComplexArray  # residual coordinates divided by ‖z‖: (Q, m)
    solved: BoolArray  # whether K̂ was solved for the residual: (m,)
    rounded: BoolArray  # whether the error is no more than rounding, which nothing makes smaller: (m,)


def errors(projection: SpeedProjection, modes: SmallModes, goals: Array) -> Errors:
    """Bounds or estimates of the relative errors of the modes at one speed.

    Where one is above its goal for rounding alone, its residual is solved for. Modes beyond the goals have none.
    """
    values, vectors, speed = modes.eigenvalues, modes.vectors, modes.speed
    residuals = projection.residuals(values, speed, vectors)
    theta = projection.margin(speed)
    moving = np.abs(values) > _ZERO * projection.scale
    guaranteed = theta > 0 and bool((np.abs(values.real[moving]) <= _REAL * np.abs(values[moving])).all())
    stiff = projection.small.at_speed(0, speed) if guaranteed else projection.metric
    energy = np.einsum("im,ij,jm->m", vectors.conj(), stiff, vectors, optimize=True).real
    # a zero has no relative error: its own is taken of the lowest frequencies
    size = np.sqrt(np.maximum(energy, 0) + np.where(moving, np.abs(values), projection.scale) ** 2)

    def relative(norms: Array) -> Array:
        eta = norms / (size * (np.sqrt(theta) if guaranteed else 1.0))
        best = eta.copy()
        if guaranteed or (eta > limits).any():  # an estimate that is small enough needs no better one
            best[moving] = np.minimum(eta[moving], clustered(1 / np.abs(values[moving]), eta[moving]))
        return best

    limits = np.full(len(values), np.inf)
    limits[: len(goals)] = goals[: len(values)]
    found = relative(residuals.norms)
    solved, rounded = (found > limits) & residuals.rounded, np.zeros(len(values), dtype=bool)
    if solved.any():
        norms = residuals.norms.copy()
        _, norms[solved], rounding = projection.solved_residuals(values[solved], speed, vectors[:, solved])
        found, rounded[solved] = relative(norms), rounding > 0.5 * norms[solved]
    return Errors(found, guaranteed, residuals.coordinates / size, solved, rounded)


def clustered(nu: Array, eta: Array) -> Array:
    """Σ(ην)²/d of the best cluster around each eigenvalue of a Hermitian pencil, relative to it: (m,)."""
    reach = eta * nu
    best = np.full(len(nu), np.inf)
    for j in range(len(nu)):
        near = np.argsort(np.abs(nu - nu[j]), kind="stable")
        for size in range(1, min(_CLUSTER, len(nu) - 1) + 1):
            inside, outside = near[:size], near[size:]
            gap = float((np.abs(nu[outside] - nu[j]) - reach[outside]).min())
            if gap > 0:
                best[j] = min(best[j], float((reach[inside] ** 2).sum()) / gap / nu[j])
    return best

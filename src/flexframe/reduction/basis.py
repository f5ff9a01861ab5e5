"""A reduction basis: the fields of a strategy, static answers beside them, and what each coordinate is."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.assembly.inertia import CYCLIC
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.reduction.attached import AttachedBody
from flexframe.reduction.strategies import Coordinate, ReductionStrategy, Shapes


@dataclass(frozen=True, eq=False)
class ReductionBasis:
    """δ = vectors · q; the vectors obey supports, couplings and the reference condition."""

    vectors: Array  # V: (p, m)
    coordinates: tuple[Coordinate, ...]  # (m,)
    strategy: str
    reference: str

    @property
    def size(self) -> int:
        """Number of coordinates m."""
        return int(self.vectors.shape[1])

    def reduce(self, matrix: SparseMatrix) -> Array:
        """VᵀAV: (m, m)."""
        return np.asarray(self.vectors.T @ np.asarray(matrix @ self.vectors))

    def reduce_vector(self, vector: Array) -> Array:
        """Vᵀf of a vector (p,) or the columns of a block (p, k)."""
        return np.asarray(self.vectors.T @ vector)

    def expand(self, coordinates: Array) -> Array:
        """V q of one state (m,) → (p,) or of a history (times, m) → (times, p)."""
        return np.asarray(coordinates @ self.vectors.T)


UNFELT = 1e-11  # strain energy of an inertia load, relative to the largest, that inertia relief leaves by rounding
_DEPENDENT = 1e-8  # strain energy that a unit field has of its own, relative, below which it is left out


def reduction_basis(
    attached: AttachedBody,
    strategy: ReductionStrategy,
    *,
    inertia_shapes: bool = False,
    loads: Array | None = None,
    derivatives: Array | None = None,
    orthonormal: bool = False,
) -> ReductionBasis:
    """The basis of a strategy under the reference condition of the body.

    `inertia_shapes` adds the static answers to unit accelerations and spins of the frame, `loads` (p, k) those to
    given nodal forces, `derivatives` those to forces that products of deflections bring. `orthonormal` combines
    the fields into modes of the reduced body, so that mass and stiffness become diagonal.

    Parameters
    ----------
    attached
        What `attach` returned.
    strategy
        `CraigBampton`, `Guyan`, `Modal` or `Multilevel`.
    inertia_shapes
        Whether static shapes of accelerations and spins are added.
    loads
        Nodal forces whose static shapes are added [N, N m]: (p, k).
    derivatives
        Nodal forces of products of deflections [N, N m], whose static shapes are modal derivatives: (p, k).
    orthonormal
        Whether the fields are combined so that mass and stiffness are diagonal.

    Returns
    -------
    ReductionBasis
        Fields V of displacements and rotations [m, rad] in body axes (p, m), and what each coordinate is.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=10, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> attached = ff.reduction.attach(blade, reference=ff.reduction.MeanAxes())
    >>> ff.reduction.reduction_basis(attached, ff.reduction.Modal(3)).size
    3
    """
    shapes = strategy.shapes(attached)
    shapes = _without_rigid(attached, shapes)
    if inertia_shapes:
        shapes = _with_inertia_shapes(attached, shapes)
    if loads is not None:
        shapes = _with_load_shapes(attached, shapes, loads)
    if derivatives is not None and derivatives.shape[1]:
        made = tuple(Coordinate("load", f"modal derivative {k + 1}") for k in range(derivatives.shape[1]))
        answers = attached.flexibility(derivatives)
        shapes = Shapes(np.hstack([shapes.vectors, answers]), (*shapes.coordinates, *made))
    shapes = _independent(attached, shapes)
    if not shapes.coordinates:
        raise InputError(
            f"body {attached.discrete.body.name}: the basis is empty; ask for modes, or give interfaces that move",
            field="modes",
        )
    if orthonormal:
        shapes = _orthonormal(attached, shapes)
    description = strategy.description() + (", with static answers to inertia" if inertia_shapes else "")
    description += ", with those to its loads" if loads is not None else ""
    description += ", with modal derivatives" if derivatives is not None and derivatives.shape[1] else ""
    return ReductionBasis(shapes.vectors, shapes.coordinates, description, attached.reference)


def inertia_loads(attached: AttachedBody) -> dict[str, Array]:
    """Unit inertia loads of the frame's motion on the body by name, those that it cannot feel left out: (p,).

    Unit accelerations, along an axis or at the distance of the body's size; of a planar body those in its plane.
    """
    discrete, axes = attached.discrete, "xyz"
    inertia, planar = discrete.inertia, discrete.body.space == "planar"
    loads: dict[str, Array] = {}
    for i, b, c in CYCLIC:
        if not (planar and i == 2):
            loads[f"acceleration {axes[i]}"] = -inertia.origin_load(np.eye(3)[i])
        if not planar or i == 2:
            loads[f"angular acceleration {axes[i]}"] = -inertia.euler_load_invariant(i) / discrete.size
            loads[f"spin {axes[i]}"] = -inertia.centrifugal_load_invariant(i, i) / discrete.size
        if not planar:
            loads[f"spins {axes[b]} {axes[c]}"] = -inertia.centrifugal_load_invariant(b, c) / discrete.size
    largest = max(float(np.abs(load).max()) for load in loads.values())
    return {name: load for name, load in loads.items() if np.abs(load).max() > 1e-14 * largest}


def _without_rigid(attached: AttachedBody, shapes: Shapes) -> Shapes:
    """Fields that obey the reference condition; of interface fields that rigid motions relate, some are dropped.

    Σ (L R q)_j ψ_j = R q for static shapes ψ: after the projection r of them depend on the others.
    """
    R = attached.rigid
    if not R.shape[1]:
        return shapes
    kept = np.arange(len(shapes.coordinates))
    kinds = np.array([coordinate.kind for coordinate in shapes.coordinates])
    places = np.flatnonzero(kinds == "interface")
    if places.size:
        related = np.asarray(attached.rows @ R)
        pivots = linalg.qr((related / np.linalg.norm(related, axis=0)).T, mode="r", pivoting=True)[1]
        kept = np.setdiff1d(kept, places[pivots[: R.shape[1]]])
    return _choose(Shapes(attached.without_rigid(shapes.vectors), shapes.coordinates), kept)


def _with_inertia_shapes(attached: AttachedBody, shapes: Shapes) -> Shapes:
    loads = inertia_loads(attached)
    answers = attached.flexibility(np.array(list(loads.values())).T)
    strained = np.einsum("pk,pk->k", np.array(list(loads.values())).T, answers)
    felt = strained > UNFELT * strained.max(initial=0.0)
    coordinates = tuple(Coordinate("inertia", name) for name, there in zip(loads, felt, strict=True) if there)
    return Shapes(np.hstack([shapes.vectors, answers[:, felt]]), (*shapes.coordinates, *coordinates))


def _with_load_shapes(attached: AttachedBody, shapes: Shapes, loads: Array) -> Shapes:
    answers, energies = _flexibilities(attached, loads)
    _, usual = _flexibilities(attached, np.array(list(inertia_loads(attached).values())).T)
    felt = energies > UNFELT * usual.max(initial=0.0)  # weight alone does not bend a body that is free
    numbers = np.flatnonzero(felt)
    coordinates = tuple(Coordinate("load", f"load {k + 1}" if len(felt) > 1 else "its loads") for k in numbers)
    return Shapes(np.hstack([shapes.vectors, answers[:, felt]]), (*shapes.coordinates, *coordinates))


def _flexibilities(attached: AttachedBody, loads: Array) -> tuple[Array, Array]:
    """Answers to loads (p, k), and the energy of each for loads of one length."""
    answers = attached.flexibility(loads)
    return answers, np.einsum("pk,pk->k", loads, answers) / np.einsum("pk,pk->k", loads, loads)


def _independent(attached: AttachedBody, shapes: Shapes) -> Shapes:
    """Leave out fields that are combinations of those before them, measured by strain energy."""
    K = attached.discrete.stiffness
    energy = shapes.vectors.T @ np.asarray(K @ shapes.vectors)
    scale = np.sqrt(np.maximum(np.diagonal(energy), 1e-300))
    gram = energy / np.outer(scale, scale)
    kept: list[int] = []
    factor = np.zeros((0, 0))
    for k in range(len(scale)):
        # one more row of the Cholesky factor; its last entry is what the field has of its own
        row = linalg.solve_triangular(factor, gram[kept, k], lower=True) if kept else np.zeros(0)
        own = gram[k, k] - row @ row
        if own > _DEPENDENT:
            size = len(kept)
            grown = np.zeros((size + 1, size + 1))
            grown[:size, :size], grown[size, :size], grown[size, size] = factor, row, np.sqrt(own)
            factor = grown
            kept.append(k)
    return _choose(shapes, np.array(kept, dtype=np.int64))


def _orthonormal(attached: AttachedBody, shapes: Shapes) -> Shapes:
    values, vectors = reduced_modes(shapes.vectors, attached.discrete.stiffness, attached.discrete.mass)
    frequencies = np.sqrt(np.maximum(values, 0.0)) / (2 * np.pi)
    coordinates = tuple(
        Coordinate("mode", f"mode {k + 1} of the basis", float(f)) for k, f in enumerate(frequencies)
    )
    return Shapes(shapes.vectors @ vectors, coordinates)


def reduced_modes(vectors: Array, stiffness: SparseMatrix, mass: SparseMatrix) -> tuple[Array, Array]:
    """Eigenvalues (ascending) and M-orthonormal eigenvectors of VᵀKV y = λ VᵀMV y: (m,), (m, m)."""
    K, M = (vectors.T @ np.asarray(matrix @ vectors) for matrix in (stiffness, mass))
    # columns of unit strain energy, so that a displacement and a rotation are of one size
    scale = 1 / np.sqrt(np.diagonal(K))
    K, M = ((A + A.T) / 2 * np.outer(scale, scale) for A in (K, M))
    try:
        mu, y = linalg.eigh(M, K)  # K is definite: 1/λ, the lowest modes last and most accurate
    except linalg.LinAlgError:
        raise AnalysisError(
            "the fields of the basis are not independent; ask for fewer modes or interfaces"
        ) from None
    mu, y = mu[::-1], y[:, ::-1]
    floor = len(mu) * np.finfo(float).eps * mu[0]
    if mu[-1] <= floor:
        raise AnalysisError(
            "a field of the basis moves no mass, so that it has no frequency; leave out its interface rotation, "
            "or give the beam rotary inertia"
        )
    return np.asarray(1 / mu), np.asarray(scale[:, None] * y / np.sqrt(mu))


def _choose(shapes: Shapes, kept: IntArray) -> Shapes:
    return Shapes(shapes.vectors[:, kept], tuple(shapes.coordinates[k] for k in kept))

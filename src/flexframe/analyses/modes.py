"""Modes of a body at rest or at one frozen instant of its motion."""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.angular import angular_content
from flexframe.assembly.discrete import DiscreteBody, discretised
from flexframe.assembly.dofs import rigid_displacements
from flexframe.assembly.equations import EquationsOfMotion, Terms, equations_of_motion
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.maths.eigenproblems import quadratic_modes, symmetric_modes
from flexframe.model.body import Body
from flexframe.motion.frame import REST, FrameMotion
from flexframe.results.records import Modes, Whirl

RESIDUAL_LIMIT = 1e-6
UNSTABLE = 1e-6  # growth rate relative to the largest |λ| of the answer, above round-off of the eigensolver


@dataclass(frozen=True, eq=False)
class _Eigenpairs:
    eigenvalues: ComplexArray
    vectors: ComplexArray  # in the coordinates that the supports leave: (n, modes)
    residuals: Array
    method: str


def modes(
    body: Body | DiscreteBody, motion: FrameMotion = REST, *, terms: Terms | None = None, count: int = 10
) -> Modes:
    """The `count` lowest modes of (λ²M + λC + K)φ = 0 with the terms of the frozen motion.

    At rest and without damping this is the symmetric problem; in rotation the quadratic gyroscopic one.
    """
    if count < 1:
        raise InputError(f"the number of modes is {count}; ask for at least one")
    discrete = discretised(body)
    terms = terms or Terms()
    equations = equations_of_motion(discrete, motion, terms)
    pairs = _solved(discrete, equations, min(count, discrete.supports.size))
    full = discrete.supports.expand(pairs.vectors)
    shapes = np.moveaxis(discrete.dofs.nodal(full), -1, 0).astype(complex)
    shapes, full = _normalised(shapes, full)
    rotating = motion.speed > 0
    labels = _labels(discrete, pairs.eigenvalues, full)
    diameters, signed = _nodal_diameters(discrete, shapes, motion, labels)
    whirl: tuple[Whirl, ...] | None = None
    inertial = None
    if diameters is not None and rotating:
        assert signed is not None
        # a wave e^{i(nθ+ωt)} of the rotating frame is e^{i(nθ+(ω−nΩ)t)} in space; a standing wave has no such n
        known = np.array([np.nan if n is None else n for n in diameters])
        travelling = np.abs(np.abs(signed) - known) < 0.25
        seen_from_space = np.abs(pairs.eigenvalues.imag - np.rint(signed) * motion.speed) / (2 * np.pi)
        inertial = np.where(travelling, seen_from_space, np.nan)
        whirl = tuple(_whirl(n, value) for n, value in zip(signed, pairs.eigenvalues, strict=True))
    return Modes(
        body=discrete.body.name,
        mesh=discrete.body.mesh,
        eigenvalues=pairs.eigenvalues,
        shapes=shapes,
        residuals=pairs.residuals,
        labels=labels,
        frame="rotating" if rotating else "fixed",
        speed_rad_s=motion.speed,
        terms=terms,
        method=pairs.method,
        nodal_diameters=diameters,
        whirl=whirl,
        inertial_frequencies_hz=inertial,
        direction_shares=_direction_shares(discrete, full),
        notices=_notices(equations, motion, pairs),
    )


def _solved(discrete: DiscreteBody, equations: EquationsOfMotion, count: int) -> _Eigenpairs:
    reduce = discrete.supports.reduce_matrix
    M, K = reduce(equations.mass), reduce(equations.stiffness)
    if equations.damping_parts or "euler" in equations.stiffness_parts:
        C = reduce(equations.damping)
        solution = quadratic_modes(M, C, K, count)
        pairs = _Eigenpairs(solution.eigenvalues, solution.vectors, solution.residuals, solution.method)
        return _with_exact_translations(discrete, pairs, M, C, K)
    rigid = discrete.equilibrium.rigid
    # rigid motions store no energy only while nothing but the elastic stiffness acts
    known = rigid if rigid.shape[1] and set(equations.stiffness_parts) == {"elastic"} else None
    symmetric = symmetric_modes(K, M, count, rigid_modes=known)
    # λ² = −μ: a negative μ is a pair of real eigenvalues ±√−μ, of which the unstable one is listed
    eigenvalues = np.sqrt(-symmetric.eigenvalues.astype(complex))
    return _Eigenpairs(
        np.where(eigenvalues.imag < 0, -eigenvalues, eigenvalues),
        symmetric.vectors.astype(complex),
        symmetric.residuals,
        symmetric.method,
    )


def _with_exact_translations(
    discrete: DiscreteBody, pairs: _Eigenpairs, M: SparseMatrix, C: SparseMatrix, K: SparseMatrix
) -> _Eigenpairs:
    """Rigid translations of a free body by projection on their own space, which is exactly invariant.

    A free body at rest in space, or in uniform motion, is seen to circle at Ω by the rotating frame: a defective
    double eigenvalue, which a general solver can only find to the square root of its precision.
    """
    fields = rigid_displacements(discrete.dofs, discrete.body.mesh.points)[:, :3]
    fields = fields[:, np.abs(fields).max(axis=0) > 0]
    basis = discrete.supports.reduce_vector(fields)
    if not np.allclose(discrete.supports.expand(basis), fields, atol=1e-12):
        return pairs
    basis = basis / np.sqrt(np.einsum("pi,pi->i", basis, np.asarray(M @ basis)))
    moved = np.asarray(M @ basis)
    small = [basis.T @ np.asarray(matrix @ basis) for matrix in (C, K)]
    for matrix, projected in zip((C, K), small, strict=True):
        image = np.asarray(matrix @ basis)
        if np.abs(image - moved @ projected).max() > 1e-8 * float(
            np.abs(matrix.diagonal()).max() + np.abs(image).max()
        ):
            return pairs
    values, states = _small_quadratic(*small)
    eigenvalues, vectors = pairs.eigenvalues.copy(), pairs.vectors.copy()
    amounts = moved.T @ vectors
    total = _energy(M, vectors)
    unused = values.imag >= -1e-9 * np.abs(values).max()
    for k in np.flatnonzero(np.einsum("im,im->m", amounts.conj(), amounts).real > (1 - 1e-6) * total):
        if not unused.any():
            break
        nearest = int(np.argmin(np.where(unused, np.abs(values - eigenvalues[k]), np.inf)))
        unused[nearest] = False
        eigenvalues[k] = values[nearest]
        vectors[:, k] = basis @ states[:, nearest]
    order = np.lexsort((eigenvalues.real, np.abs(eigenvalues)))
    return _Eigenpairs(eigenvalues[order], vectors[:, order], pairs.residuals[order], pairs.method)


def _small_quadratic(C: Array, K: Array) -> tuple[ComplexArray, ComplexArray]:
    """All eigenpairs of λ² + λC + K for the projected translations, each double one exactly double.

    In the complete physics K = (C/2)², so that (λ + C/2)² φ = 0: twice the eigenvalues of −C/2.
    """
    if np.abs(K - C @ C / 4).max() <= 1e-9 * np.abs(K).max():
        values, vectors = np.linalg.eig(-C / 2)
        return np.tile(values, 2).astype(complex), np.tile(vectors, 2).astype(complex)
    size, scale = len(C), float(np.sqrt(np.abs(K).max())) or 1.0
    companion = np.block([[np.zeros((size, size)), np.eye(size)], [-K / scale**2, -C / scale]])
    values, vectors = np.linalg.eig(companion)
    return (scale * values).astype(complex), vectors[:size].astype(complex)


def _normalised(shapes: ComplexArray, full: ComplexArray) -> tuple[ComplexArray, ComplexArray]:
    """Scale each mode so that its largest displacement component is 1 (real)."""
    flat = shapes[:, :, :3].reshape(len(shapes), -1)
    largest = flat[np.arange(len(flat)), np.argmax(np.abs(flat), axis=1)]
    largest = np.where(largest == 0, 1.0, largest)
    return shapes / largest[:, None, None], full / largest


def _nodal_diameters(
    discrete: DiscreteBody, shapes: ComplexArray, motion: FrameMotion, labels: tuple[str, ...]
) -> tuple[tuple[int | None, ...] | None, Array | None]:
    """Nodal diameters about the spin axis (z at rest): None for modes that mix several.

    A body counts as axisymmetric when three quarters of its elastic modes have one number; otherwise None.
    """
    axis = motion.angular_velocity / motion.speed if motion.speed else np.array([0.0, 0.0, 1.0])
    if discrete.supports.kept is None or discrete.body.mesh.dimension < 2:
        return None, None
    content = angular_content(discrete, shapes[:, :, :3], axis)
    if content is None:
        return None, None
    number = np.rint(np.sqrt(content.squared))
    pure = np.abs(content.squared - number**2) <= 0.1 * np.maximum(1, number)
    elastic = np.array(["rigid" not in label for label in labels])
    if not elastic.any() or pure[elastic].mean() < 0.75:
        return None, None
    return tuple(int(n) if clear else None for n, clear in zip(number, pure, strict=True)), content.signed


def _whirl(signed: float, eigenvalue: complex) -> Whirl:
    """e^{i(nθ+ωt)} with n, ω > 0 runs against θ, that is against the spin about the axis."""
    if abs(signed) < 0.5 or eigenvalue.imag == 0:
        return ""
    return "backward" if signed * eigenvalue.imag > 0 else "forward"


def _labels(discrete: DiscreteBody, eigenvalues: ComplexArray, full: ComplexArray) -> tuple[str, ...]:
    """Rigid motions by their share of the kinetic energy, instabilities by their eigenvalue."""
    M = discrete.mass
    fields = rigid_displacements(discrete.dofs, discrete.body.mesh.points - discrete.inertia.centre_of_mass)
    total = _energy(M, full)
    shares = []
    for group in (fields[:, :3], fields):
        present = group[:, np.abs(group).max(axis=0) > 0]
        weighted = np.asarray(M @ present)
        amounts = np.linalg.lstsq(present.T @ weighted, weighted.T @ full, rcond=None)[0]
        shares.append(_energy(M, np.asarray(present @ amounts, dtype=complex)) / total)
    scale = float(np.abs(eigenvalues).max(initial=0.0))
    labels = []
    for value, translation, rigid in zip(eigenvalues, *shares, strict=True):
        parts = []
        if rigid > 1 - 1e-6:
            kind = "translation" if translation > 1 - 1e-6 else "rotation" if translation < 1e-6 else "motion"
            parts.append(f"rigid {kind}")
        if value.real > UNSTABLE * scale:
            parts.append("divergence" if abs(value.imag) <= UNSTABLE * scale else "flutter")
        labels.append(", ".join(parts))
    return tuple(labels)


def _energy(matrix: SparseMatrix, fields: ComplexArray) -> Array:
    """φᴴMφ of each column: (modes,)."""
    return np.einsum("pm,pm->m", fields.conj(), np.asarray(matrix @ fields, dtype=complex)).real


def _direction_shares(discrete: DiscreteBody, full: ComplexArray) -> Array:
    """Share of the kinetic energy of each mode in x, y, z: (modes, 3)."""
    energies = np.zeros((full.shape[1], 3))
    for k in range(3):
        factor = np.zeros((3, 3))
        factor[k, k] = 1.0
        energies[:, k] = _energy(discrete.inertia.contraction(factor), full)
    return energies / energies.sum(axis=1, keepdims=True)


def _notices(equations: EquationsOfMotion, motion: FrameMotion, pairs: _Eigenpairs) -> tuple[str, ...]:
    terms, notices = equations.terms, []
    if motion.speed and terms.geometric == 0:
        notices.append(
            "geometric stiffness is off on a spinning body: the stress of rotation is left out, and softening "
            "without it can show divergence that does not exist"
        )
    if not terms.physical:
        changed = ", ".join(
            f"{name} {getattr(terms, name):g}"
            for name in ("coriolis", "euler", "centrifugal", "geometric")
            if getattr(terms, name) != 1
        )
        notices.append(f"not the complete physics: term multipliers {changed}")
    if motion.angular_acceleration.any() or motion.origin_acceleration.any():
        notices.append("eigenvalues of frozen coefficients do not decide the stability of a motion that changes")
    worst = float(pairs.residuals.max(initial=0.0))
    if worst > RESIDUAL_LIMIT:
        notices.append(f"an eigenpair has the relative residual {worst:.1e}; treat its frequency with care")
    scale = float(np.abs(pairs.eigenvalues).max(initial=0.0))
    unstable = int((pairs.eigenvalues.real > UNSTABLE * scale).sum())
    if unstable:
        notices.append(f"{unstable} of the modes are unstable (positive real part)")
    return tuple(notices)

"""Whether modes are missing: a count that does not depend on how they were found.

Q(ω) = K(Ω) + iωC(Ω) − ω²M of a conservative body is Hermitian. Between two frequencies its number of negative
eigenvalues grows by one for each mode with φᴴQ'φ < 0 and falls by one for each with φᴴQ'φ > 0. While K(Ω) is
definite there are only modes of the first kind, and the count is a proof. Where it is not (a free body that spins)
or where there is damping, eigenvalues are counted by the argument principle; above a size for which that takes too
long, by the signed count, and damped bodies are searched by an independent solver.
"""

from dataclasses import dataclass, replace

import numpy as np

from flexframe.equations.affine import AffineEquations
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.gyroscopic_eigenproblems import modes_below
from flexframe.maths.quadratic_eigenproblems import quadratic_modes
from flexframe.spectra.rotation.contour import eigenvalues_inside
from flexframe.spectra.rotation.free_motions import translation_modes
from flexframe.spectra.rotation.small_spectra import SmallModes, small_modes
from flexframe.spectra.rotation.speed_projection import SpeedProjection

CONTOUR = 1_500  # unknowns up to which a curve is followed


@dataclass(frozen=True, eq=False)
class Confirmation:
    """What a count said (True: nothing is missing; None: it could not tell) and how it was done."""

    confirmed: bool | None
    method: str


def confirmation(projection: SpeedProjection, modes: SmallModes, wanted: int) -> Confirmation:
    """Count the modes of the full equations below a gap after the wanted ones.

    Where coefficients depend on the frequency, the modes are counted by branches of frozen frequencies (see
    `frequency_dependence`), and those at the highest one that is looked at as others are.
    """
    if projection.equations.depends_on_frequency:
        return _frozen_confirmation(projection, modes, wanted)
    if projection.whole:
        return Confirmation(True, "all eigenvalues of the full equations")
    return _count(projection, modes, wanted)


def _count(projection: SpeedProjection, modes: SmallModes, wanted: int) -> Confirmation:
    definite = projection.margin(modes.speed) > 0 and not projection.translations
    definite = definite and projection.equations.conservative and not projection.free.others.size
    if not definite and projection.equations.size <= CONTOUR:
        counted = _encircle(projection, modes, wanted)
        if counted is not None:
            return counted
    if not projection.equations.conservative:
        return _search(projection, modes, wanted)
    speed, frequencies = modes.speed, np.abs(modes.eigenvalues.imag)
    gaps = np.diff(frequencies[wanted - 1 :]) / frequencies[wanted:]
    last = wanted - 1 + int(np.argmax(gaps))
    if gaps.max() < 1e-7:
        return Confirmation(None, "no gap to count below")
    cut = 0.5 * float(frequencies[last] + frequencies[last + 1])
    start = 0.0
    if not definite:
        start = 0.5 * float(frequencies[frequencies > 1e-4 * projection.scale].min())
    inside = np.flatnonzero(
        (frequencies > start) & (frequencies < cut) & (np.abs(modes.eigenvalues.real) < 1e-6 * cut)
    )
    found = -int(np.sign(_slopes(projection, modes))[inside].sum())
    lower = 0 if definite else negative_eigenvalues(projection.equations, speed, start)
    expected = None if lower is None else lower + found
    upper = negative_eigenvalues(projection.equations, speed, cut, expected)
    if upper is None or lower is None:
        return Confirmation(None, "the factorisation gives no count")
    kind = "Sylvester's count" if definite else "signed Sylvester count (pairs of opposite sign could hide)"
    return Confirmation(upper - lower == found, kind)


def _frozen_confirmation(projection: SpeedProjection, modes: SmallModes, wanted: int) -> Confirmation:
    if modes.speed in projection.uncounted:
        return Confirmation(False, "branches of frozen frequencies")
    if projection.whole:
        return Confirmation(True, "branches of frozen frequencies of the full equations")
    frequency = float(np.abs(modes.eigenvalues[:wanted].imag).max())
    frozen = small_modes(projection.moving, modes.speed, wanted + 8, scale=projection.scale, frequency=frequency)
    rows = projection.size - len(frozen.vectors)
    frozen = replace(frozen, vectors=np.pad(frozen.vectors, ((rows, 0), (0, 0))))
    counted = _encircle(projection, frozen, wanted, frequency)
    how = "branches of frozen frequencies, the highest by the argument principle"
    return Confirmation(None if counted is None else counted.confirmed, how)


def _encircle(
    projection: SpeedProjection, modes: SmallModes, wanted: int, frequency: float = 0.0
) -> Confirmation | None:
    """Count the eigenvalues inside a half disc whose radius lies in the widest gap after the wanted ones."""
    sizes = np.abs(modes.eigenvalues)
    gaps = np.diff(sizes[wanted - 1 :]) / sizes[wanted:]
    last = wanted - 1 + int(np.argmax(gaps))
    if gaps.max(initial=0.0) < 1e-6:
        return None
    radius = 0.5 * float(sizes[last] + sizes[last + 1])
    known = modes.eigenvalues
    if projection.translations:
        moving = projection.small.block(slice(0, projection.translations))
        known = np.concatenate([known, translation_modes(moving, modes.speed)[0]])
    heights = np.sort(np.abs(known.imag))
    heights = heights[heights > 1e-4 * projection.scale]
    if not heights.size:
        return None
    floor = 0.5 * float(heights[0])
    gap = 0.5 * float(sizes[last + 1] - sizes[last])
    count = eigenvalues_inside(projection.equations, modes.speed, floor, radius, gap, frequency=frequency)
    if count is None:
        return None
    # either of a conjugate pair stands for both
    found = int(((np.abs(known) < radius) & (np.abs(known.imag) > floor)).sum())
    return Confirmation(count == found, "argument principle on a curve around the modes")


def negative_eigenvalues(
    equations: AffineEquations, speed: float, frequency: float, expected: int | None = None
) -> int | None:
    """Negative eigenvalues of K(Ω) + iωC(Ω) − ω²M, C skew."""
    M, C, K = (equations.at_speed(rate, speed) for rate in (2, 1, 0))
    return modes_below(M, C, K, frequency, expected=expected)


def _slopes(projection: SpeedProjection, modes: SmallModes) -> Array:
    """φᴴQ'φ = φᴴ(iC − 2ωM)φ of each mode: (m,)."""
    C, M = (projection.small.at_speed(rate, modes.speed) for rate in (1, 2))
    y, omega = modes.vectors, modes.eigenvalues.imag
    gyroscopic = np.einsum("im,ij,jm->m", y.conj(), 1j * C, y, optimize=True).real
    return np.asarray(gyroscopic - 2 * omega * np.einsum("im,ij,jm->m", y.conj(), M, y, optimize=True).real)


def independent_modes(equations: AffineEquations, speed: float, count: int) -> tuple[Array, ComplexArray]:
    """Real and imaginary parts of the lowest modes of the full equations, and their eigenvalues."""
    M, C, K = (equations.at_speed(rate, speed) for rate in (2, 1, 0))
    found = quadratic_modes(M, C, K, count)
    return np.hstack([found.vectors.real, found.vectors.imag]), found.eigenvalues


def _search(projection: SpeedProjection, modes: SmallModes, wanted: int) -> Confirmation:
    count = min(wanted + projection.translations, projection.equations.size)
    _, values = independent_modes(projection.equations, modes.speed, count)
    limit = float(np.abs(modes.eigenvalues[wanted - 1]))
    translations = 1j * modes.speed * np.array([1.0, 0.0]) if projection.translations else np.empty(0)
    known = np.concatenate([modes.eigenvalues, translations])
    inside = values[(np.abs(values) < limit * (1 - 1e-6)) & (values.imag > 1e-6 * limit)]
    away = [np.abs(known - value).min() > 1e-4 * max(abs(value), projection.scale) for value in inside]
    return Confirmation(not any(away), "independent search by Arnoldi")

"""Modes of equations whose coefficients depend on the frequency of the motion: tables over ω, impedances.

With ω = |Im λ| the problem P(λ; ω)φ = (λ²M(ω) + λC(ω) + K(ω))φ = 0 is not linear in λ. At any fixed ω̂ it is an
ordinary one with eigenvalues λ_j(ω̂), and those with |Im λ_j(ω̂)| = ω̂ solve the whole. Newton's steps from the
eigenvalues at the speed of rotation find them. How many there are below a frequency ω̂ is known without finding
them:

    N(ω̂) = number of j with |Im λ_j(ω̂)| < ω̂

grows by one where a branch crosses ω̂ from above, and falls where it crosses back, so that N is the number of
solutions below ω̂ as long as none crosses back. Where Newton's steps found fewer, branches are searched between
the points of a grid of frequencies.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import OperatingPoint
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.spectra.rotation.small_spectra import SmallModes, small_modes

_STEPS = 30
_CONVERGED, _CROSSED = 1e-13, 1e-11
_EQUAL = 1e-9  # of |λ|: two starts that led to one mode
_GRID = 60
_DIFFERENCE = 1e-4  # of the frequency, for slopes of the coefficients
_REAL = 1e-9


@dataclass(frozen=True, eq=False)
class DependentModes:
    """The lowest modes, and whether their number is what branches of frozen frequencies say."""

    modes: SmallModes
    counted: bool


def dependent_modes(
    equations: AffineEquations[Array], speed: float, count: int, *, scale: float
) -> DependentModes:
    """The lowest modes at a speed; `scale` [rad/s] is of the size of the lowest frequencies."""
    count = min(count, equations.size)
    starts = small_modes(equations, speed, count + 4, scale=scale, frequency=abs(speed))
    still = small_modes(equations, speed, count + 4, scale=scale, frequency=0.0)
    flat = np.abs(still.eigenvalues.imag) <= _REAL * np.abs(still.eigenvalues)
    found = _Found(equations, speed)
    for value, vector in zip(still.eigenvalues[flat], still.vectors.T[flat], strict=True):
        found.add(value, vector)
    for value, vector in zip(starts.eigenvalues, starts.vectors.T, strict=True):
        if abs(value.imag) > _REAL * abs(value):
            found.search(value, vector)
    counted = _is_complete(found, count, scale)
    if not counted:
        top = 1.2 * max(float(np.abs(starts.eigenvalues[:count]).max()), abs(speed))
        for frequency in np.linspace(0.0, top, _GRID + 1)[1:]:
            frozen = small_modes(equations, speed, count + 4, scale=scale, frequency=float(frequency))
            near = np.abs(frozen.eigenvalues.imag - frequency) <= top / _GRID
            for value, vector in zip(frozen.eigenvalues[near], frozen.vectors.T[near], strict=True):
                found.search(value, vector)
        counted = _is_complete(found, count, scale)
    return DependentModes(found.lowest(count), counted)


def _is_complete(found: "_Found", count: int, scale: float) -> bool:
    """Whether as many modes were found below a gap after the wanted ones as branches cross there."""
    known = np.sort([abs(value.imag) for value in found.values if abs(value.imag) > _REAL * abs(value)])
    if len(known) < 2:
        return False
    last = min(count, len(known) - 1)
    gap = int(np.argmax(np.diff(known[last - 1 :]))) + last - 1
    cut = float(known[gap] + known[gap + 1]) / 2
    frozen = small_modes(found.equations, found.speed, found.equations.size, scale=scale, frequency=cut)
    moving = np.abs(frozen.eigenvalues.imag) > _REAL * np.abs(frozen.eigenvalues)
    below = int(np.count_nonzero(moving & (np.abs(frozen.eigenvalues.imag) < cut)))
    return below == gap + 1


class _Found:
    """Modes found so far, each once."""

    def __init__(self, equations: AffineEquations[Array], speed: float) -> None:
        self.equations, self.speed = equations, speed
        self.values: list[complex] = []
        self.vectors: list[ComplexArray] = []

    def add(self, value: complex, vector: ComplexArray) -> None:
        """A mode that is not there yet."""
        self.values.append(complex(value))
        self.vectors.append(vector / np.linalg.norm(vector))

    def search(self, value: complex, vector: ComplexArray) -> None:
        """Newton's steps from an eigenpair of a frozen frequency; an eigenvalue met again may have more shapes."""
        found = newton_mode(self.equations, self.speed, value, vector)
        if found is None:
            return
        same = [k for k, other in enumerate(self.values) if abs(found[0] - other) <= _EQUAL * abs(other)]
        if not same:
            self.add(*found)
            return
        K, C, M = _matrices(self.equations, self.speed, abs(found[0].imag))
        _, sizes, right = np.linalg.svd(found[0] ** 2 * M + found[0] * C + K)
        shapes = right[sizes <= 2 * _EQUAL * abs(found[0]) ** 2].conj()  # the basis has unit mass
        if len(shapes) > len(same):
            for k in reversed(same):
                del self.values[k], self.vectors[k]
            for shape in shapes:
                self.add(found[0], shape)

    def lowest(self, count: int) -> SmallModes:
        values, vectors = np.array(self.values), np.array(self.vectors).T
        size = float(np.abs(values).max(initial=1.0))
        order = np.lexsort((-values.real, np.round(np.abs(values) / size, 9)))[:count]
        values, vectors = values[order], vectors[:, order]
        M = self.equations.constant_mass
        vectors = vectors / np.sqrt(np.einsum("im,ij,jm->m", vectors.conj(), M, vectors, optimize=True).real)
        return SmallModes(self.speed, values, vectors)


def _two_real(first: complex, second: complex) -> tuple[float, float] | None:
    """Real numbers p, q with p first + q second = −1; None where there are none."""
    system = np.array([[first.real, second.real], [first.imag, second.imag]])
    try:
        p, q = np.linalg.solve(system, [-1.0, 0.0])
    except np.linalg.LinAlgError:
        return None
    return float(p), float(q)


def newton_crossing(
    equations: AffineEquations[Array], order: int, speed: float, value: complex, vector: ComplexArray
) -> tuple[float, complex, ComplexArray] | None:
    """Speed, eigenvalue and shape of the mode with Im λ = eΩ that Newton's steps lead to; None where they do not.

    With λ = σ + ieΩ: x + x' = −(δσ P⁻¹P_λ x + δΩ P⁻¹(ie P_λ + P_Ω) x).
    """
    x = vector / np.linalg.norm(vector)
    w, rate = x.conj(), float(value.real)
    for _ in range(_STEPS):
        value = complex(rate, order * speed)
        K, C, M = _matrices(equations, speed, order * speed)
        step = _DIFFERENCE * speed
        ends = [_matrices(equations, speed + s, order * (speed + s)) for s in (-step, step)]
        P, P1, P2 = (value**2 * m + value * c + k for k, c, m in ((K, C, M), *ends))
        along = (2 * value * M + C) @ x
        try:
            a, b = np.linalg.solve(P, np.column_stack([along, 1j * order * along + (P2 - P1) @ x / (2 * step)])).T
        except np.linalg.LinAlgError:
            return speed, value, x
        steps = _two_real(w @ a, w @ b)
        if steps is None:
            return None
        x = -(steps[0] * a + steps[1] * b)
        size = np.linalg.norm(x)
        x, w = x / size, x.conj() / size
        rate, speed = rate + steps[0], speed + steps[1]
        if not speed > 0:
            return None
        if max(abs(steps[0]), order * abs(steps[1])) <= _CROSSED * abs(value):
            return speed, complex(rate, order * speed), x
    return None


def _matrices(equations: AffineEquations[Array], speed: float, frequency: float) -> tuple[Array, Array, Array]:
    point = OperatingPoint.at_speed(speed, 1j * frequency)
    K, C, M = (equations.summed_at(order, point) for order in (STIFFNESS, DAMPING, MASS))
    return K, C, M


def newton_mode(
    equations: AffineEquations[Array], speed: float, value: complex, vector: ComplexArray
) -> tuple[complex, ComplexArray] | None:
    """The mode at a speed that Newton's steps lead to from an eigenvalue and a shape; None where they do not.

    P x = 0 with wᴴx = 1: x + x' = −(δλ P⁻¹P_λ x + δω P⁻¹P_ω x), δω = Im δλ.
    """
    x = vector / np.linalg.norm(vector)
    w = x.conj()
    varies = equations.depends_on_frequency
    matrices = _matrices(equations, speed, abs(value.imag))
    for _ in range(_STEPS):
        frequency = abs(value.imag)
        K, C, M = matrices = _matrices(equations, speed, frequency) if varies else matrices
        P = value**2 * M + value * C + K
        by_frequency = np.zeros_like(x)
        if varies:
            step = max(_DIFFERENCE * frequency, 1e-8 * abs(value))
            K2, C2, M2 = _matrices(equations, speed, frequency + step)
            K1, C1, M1 = _matrices(equations, speed, max(frequency - step, 0.0))
            width = frequency + step - max(frequency - step, 0.0)
            by_frequency = (value**2 * (M2 - M1) + value * (C2 - C1) + (K2 - K1)) @ x / width
        right = np.column_stack([(2 * value * M + C) @ x, by_frequency])
        try:
            a, b = np.linalg.solve(P, right).T
        except np.linalg.LinAlgError:
            return value, x  # singular to the last digit: an eigenvalue
        # −(δλ wᴴa + Im(δλ) wᴴb) = 1 in real and imaginary parts
        steps = _two_real(w @ a, 1j * (w @ a) + w @ b)
        if steps is None:
            return None
        change, imaginary = complex(*steps), steps[1]
        x = -(change * a + imaginary * b)
        size = np.linalg.norm(x)
        x, w = x / size, x.conj() / size
        value += change
        if abs(change) <= _CONVERGED * abs(value):
            return (value, x) if value.imag >= 0 else (value.conjugate(), x.conj())
    return None

"""Exact beams between two sections: the screw d = (U, Ω) from one to the other, and flexibility.

An element is curved and twisted at rest as the constant deformation d₀/L says, exp d₀ = H_A⁻¹H_B. Without load
along it the forces of its sections change by f' = ad_dᵀf/L, and with A(ξ) = T⁻¹(d) e^(−(1−ξ) ad_d) a change of
strain δε(ξ) changes d by L∫A δε dξ. Both ends are then as flexible as

    F = ∫ A(ξ) C A(ξ)ᵀ dξ = C + (1/12) ad_d C ad_dᵀ + O(L⁴),      C the flexibility of the section, full 6×6,

so that small displacements of nodes by forces at nodes are exact. F is taken at rest; where the beam is bent on,
the term of second order follows Ω (`core/src/beams.cpp`).
"""

from typing import NamedTuple

import numpy as np

from flexframe.elements.contract import SectionLaw
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew, vector_from_rotation

_TERMS = 30  # of exponential series; turns are below half a revolution
_POINTS, _WEIGHTS = (np.polynomial.legendre.leggauss(10)[i] / 2 for i in (0, 1))


class ElementLaw(NamedTuple):
    """How elements deform, seen from rest."""

    lengths: Array  # L: (elements,)
    references: Array  # d₀: (elements, 6)
    flexibility: Array  # F₀ = F − (1/12) A C Aᵀ with A = [Ũ₀; Ω̃₀]: (elements, 6, 6)
    bending: Array  # C of twist and bends: (elements, 3, 3)

    def at(self, d: Array) -> Array:
        """F(d) = F₀ + (1/12) A C Aᵀ with A = [Ũ₀; Ω̃]: (..., elements, 6) → (..., elements, 6, 6)."""
        arms = self._arms(d)
        return np.asarray(self.flexibility + arms @ self.bending @ np.swapaxes(arms, -1, -2) / 12)

    def _arms(self, d: Array) -> Array:
        fixed = np.broadcast_to(skew(self.references[:, :3]), (*d.shape[:-1], 3, 3))
        return np.concatenate([fixed, skew(d[..., 3:])], axis=-2)


def screws(first: Array, last: Array, apart: Array) -> Array:
    """d of sections with axes first, last (..., 3, 3) as columns, apart in space (..., 3): (..., 6).

    Ω = log RᵀR' and U = (1 − ½ Ω̃ + c Ω̃²) Rᵀ(r' − r) with c = (1 − (φ/2) cot(φ/2))/φ².
    """
    back = np.swapaxes(first, -1, -2)
    turn = vector_from_rotation(back @ last)
    moved = (back @ apart[..., None])[..., 0]
    x = (turn * turn).sum(axis=-1, keepdims=True)
    half = np.sqrt(x) / 2
    near = x < 1e-3  # where the quotient would cancel: 1/12 + x/720 + x²/30240
    quotient = np.divide(half, np.tan(half), out=np.ones_like(half), where=~near)
    c = np.where(
        near, 1 / 12 + x / 720 + x**2 / 30240, np.divide(1 - quotient, x, out=np.ones_like(x), where=~near)
    )
    once = np.cross(turn, moved)
    return np.concatenate([moved - once / 2 + c * np.cross(turn, once), turn], axis=-1)


def element_law(law: SectionLaw, coordinates: Array) -> ElementLaw:
    """Of all elements of a section, from where their nodes are: (elements, 2, 3)."""
    places = coordinates + law.arms
    axes = np.swapaxes(law.axes, -1, -2)
    d = screws(axes[:, 0], axes[:, 1], places[:, 1] - places[:, 0])
    C = law.flexibility
    ad = _adjoint(d)
    back = [_exponential(-(0.5 - point) * ad) for point in _POINTS]  # e^(−(1−ξ) ad), ξ = ½ + point
    T = sum(w * B for w, B in zip(_WEIGHTS, back, strict=True))
    A = [np.linalg.solve(T, B) for B in back]
    F = sum(w * a @ C @ np.swapaxes(a, -1, -2) for w, a in zip(_WEIGHTS, A, strict=True))
    made = ElementLaw(
        np.linalg.norm(d[:, :3], axis=1), d, np.asarray(F), np.repeat(C[None, 3:, 3:], len(d), axis=0)
    )
    return made._replace(flexibility=2 * made.flexibility - made.at(d))


def _adjoint(d: Array) -> Array:
    """[Ω̃, Ũ; 0, Ω̃]: (elements, 6, 6)."""
    out = np.zeros((len(d), 6, 6))
    out[:, :3, :3] = out[:, 3:, 3:] = skew(d[:, 3:])
    out[:, :3, 3:] = skew(d[:, :3])
    return out


def _exponential(matrix: Array) -> Array:
    one = np.eye(6)
    total = one + matrix / _TERMS
    for n in range(_TERMS - 1, 0, -1):
        total = one + matrix @ total / n
    return np.asarray(total)

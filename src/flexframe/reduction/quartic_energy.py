"""What equations of third order need of a body: its strain energy and its shortening of fourth degree."""

from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array


@dataclass(frozen=True, eq=False)
class QuarticEnergy:
    """V₄ = ½ Σ_j s_j (δᵀR_j δ)² with symmetric R_j."""

    signs: Array  # ±1: (terms,)
    forms: Array  # R: (terms, m, m)

    def value(self, deformation: Array) -> Array:
        """V₄ [J] of coordinates (…, m)."""
        squares = np.einsum("...r,jrt,...t->...j", deformation, self.forms, deformation, optimize=True)
        return np.asarray(0.5 * (squares**2) @ self.signs)


@dataclass(frozen=True, eq=False)
class Shortening:
    """u₄ and its rotation at one point, U ϑ⁴ by slopes ϑ = L δ of the body."""

    leans: Array  # L: (g, m)
    moved: Array  # U: (6, g)


@dataclass(frozen=True, eq=False)
class NextOrder:
    """V₄, and the displacement u₄ = Σ_g U_g ϑ_g⁴ by slopes ϑ = L δ of the body at points along it."""

    energy: QuarticEnergy
    leans: Array  # L: (g, m)
    origin_shortening: Array  # ∫ρU: (3, g)
    position_shortening: Array  # ∫ρx_aU_b: (3, 3, g)

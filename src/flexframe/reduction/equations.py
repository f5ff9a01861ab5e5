"""The equations of motion of a reduced body whose frame moves in a known way.

m δ̈ + (2c(ω) + d) δ̇ + [k + k_g + k(ε) + k(ω²)] δ = q − q_i(ε) − q_i(ω²) − M_Oᵀ a_O, with forces at points to be
added; q and its part of k_g are those of the loads of the body itself, which turn with it.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.geometric import UnitLoad
from flexframe.equations.affine import AffineEquations
from flexframe.equations.bodies import frame_parts
from flexframe.equations.coefficients import Terms
from flexframe.equations.parts import DAMPING, LOAD, STIFFNESS, EquationsOfMotion, Part
from flexframe.maths.arrays import Array
from flexframe.motion.frame import FrameMotion
from flexframe.reduction.reduced_body import ReducedBody


@dataclass(frozen=True, eq=False)
class ReducedInvariants:
    """The invariants of a reduced body."""

    body: ReducedBody

    def mass_matrix(self) -> Array:
        return self.body.elastic_mass

    def contraction(self, factor: Array) -> Array:
        return np.einsum("ab,abrt->rt", factor, self.body.shape_products)

    def position_load(self, factor: Array) -> Array:
        return np.einsum("ab,bar->r", factor, self.body.position_coupling)

    def origin_load(self, acceleration: Array) -> Array:
        return acceleration @ self.body.origin_coupling

    def geometric_stiffness(self, load: UnitLoad) -> Array:
        kind, i, j = load
        if kind == "origin":
            return self.body.origin_quadratic[i]
        return self.body.euler_quadratic[i] if kind == "euler" else self.body.centrifugal_quadratic[i, j]


def reduced_affine_equations(body: ReducedBody, terms: Terms | None = None) -> AffineEquations[Array]:
    """The equations of a reduced body for any motion of its frame."""
    parts = [
        *frame_parts(ReducedInvariants(body)),
        Part[Array].constant("elastic", STIFFNESS, body.stiffness),
        Part[Array].constant("structural", DAMPING, body.damping),
    ]
    loads = body.loads
    if loads is not None:
        stress = -np.einsum("iirt->rt", loads.quadratic + loads.turn_quadratic)
        parts.append(Part.constant("geometric", STIFFNESS, stress))
        parts.append(Part.constant("applied", LOAD, np.einsum("iir->r", loads.rows + loads.turn_rows)))
    return AffineEquations(body.size, tuple(parts), terms or Terms())


def reduced_equations(
    body: ReducedBody, motion: FrameMotion, terms: Terms | None = None
) -> EquationsOfMotion[Array]:
    """The equations of one instant, dense, as `equations_of_motion` gives them for a whole body.

    Parameters
    ----------
    body
        The reduced body.
    motion
        ω, ε, v_O and a_O of its frame at one instant.
    terms
        Multipliers of the parts; all 1 if not given.

    Returns
    -------
    EquationsOfMotion
        M, C, K and the load on the m coordinates, SI units.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=10, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> body = ff.reduction.reduce_body(blade, ff.reduction.Modal(3), reference=ff.reduction.MeanAxes())
    >>> ff.reduction.reduced_equations(body, ff.FrameMotion.spin(10.0)).mass.shape
    (3, 3)
    """
    return reduced_affine_equations(body, terms).at(motion)

"""The equations of motion of a reduced body whose frame moves in a known way.

m δ̈ + (2c(ω) + d) δ̇ + [k + k_g + k(ε) + k(ω²)] δ = q − q_i(ε) − q_i(ω²) − M_Oᵀ a_O, with forces at points to be
added; q and its part of k_g are those of the loads of the body itself, which turn with it.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.assembly.equations import Terms
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.motion.frame import FrameMotion
from flexframe.reduction.reduced_body import ReducedBody


@dataclass(frozen=True, eq=False)
class ReducedEquations:
    """M δ̈ + C δ̇ + K δ = f, dense."""

    mass: Array  # (m, m)
    damping: Array  # with the Coriolis term: (m, m)
    stiffness: Array  # (m, m)
    load: Array  # (m,)

    def eigenvalues(self) -> ComplexArray:
        """λ of (λ²M + λC + K)φ = 0 by ascending |λ|, of each conjugate pair the one with Im λ > 0."""
        size = len(self.mass)
        # modes of M and the diagonal of K bring all unknowns to one size
        _, basis = linalg.eigh(self.mass)
        basis = basis / np.sqrt(np.einsum("ri,rt,ti->i", basis, self.mass, basis))
        C, K = (basis.T @ matrix @ basis for matrix in (self.damping, self.stiffness))
        scale = float(np.sqrt(np.abs(np.diagonal(K)).max())) or 1.0
        companion = np.block([[np.zeros((size, size)), np.eye(size)], [-K / scale**2, -C / scale]])
        values = scale * linalg.eigvals(companion)
        values = values[values.imag >= -1e-9 * np.abs(values)]
        return np.asarray(values[np.argsort(np.abs(values))], dtype=complex)


def reduced_equations(body: ReducedBody, motion: FrameMotion, terms: Terms | None = None) -> ReducedEquations:
    """Combine the invariants for one instant of the frame's motion, as `equations_of_motion` does for all of p.

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
    ReducedEquations
        M, C, K and the load on the m coordinates, SI units; `eigenvalues()` in rad/s.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=10, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> body = ff.reduction.reduce_body(blade, ff.reduction.Modal(3), reference=ff.reduction.MeanAxes())
    >>> ff.reduction.reduced_equations(body, ff.FrameMotion.spin(10.0)).mass.shape
    (3, 3)
    """
    terms = terms or Terms()
    omega, epsilon, a = motion.angular_velocity, motion.angular_acceleration, motion.origin_acceleration
    squares = np.outer(omega, omega)
    geometric = np.einsum("ab,abrt->rt", squares, body.centrifugal_quadratic)
    geometric += np.einsum("a,art->rt", epsilon, body.euler_quadratic)
    geometric += np.einsum("i,irt->rt", a, body.origin_quadratic)
    applied, loads = np.zeros(body.size), body.loads
    if loads is not None:
        applied = np.einsum("iir->r", loads.rows + loads.turn_rows)
        geometric -= np.einsum("iirt->rt", loads.quadratic + loads.turn_quadratic)
    return ReducedEquations(
        mass=body.elastic_mass,
        damping=body.damping + 2 * terms.coriolis * np.einsum("a,art->rt", omega, body.coriolis),
        stiffness=body.stiffness
        + terms.geometric * geometric
        + terms.euler * np.einsum("a,art->rt", epsilon, body.coriolis)
        + terms.centrifugal * np.einsum("ab,abrt->rt", squares, body.centrifugal),
        load=applied
        - terms.euler * epsilon @ body.euler_loads
        - terms.centrifugal * np.einsum("ab,abr->r", squares, body.centrifugal_loads)
        - a @ body.origin_coupling,
    )

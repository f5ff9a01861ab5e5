"""The equations of a discrete body.

m δ̈ + [2c(ω) + d] δ̇ + [k + k_g + k(ε) + k(ω²)] δ = q − q_i(ε) − q_i(ω²) − M_Oᵀ a_O
"""

from dataclasses import dataclass

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.geometric import UnitLoad
from flexframe.equations.affine import AffineEquations
from flexframe.equations.damping import rayleigh_damping
from flexframe.equations.instant import EquationsOfMotion
from flexframe.equations.invariants import frame_parts
from flexframe.equations.parts import DAMPING, LOAD, STIFFNESS, Once, Part
from flexframe.equations.terms import Terms
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.motion.frame import FrameMotion


@dataclass(frozen=True, eq=False)
class DiscreteInvariants:
    """The invariants of a discrete body, supports not eliminated."""

    discrete: DiscreteBody

    def mass_matrix(self) -> SparseMatrix:
        return self.discrete.mass

    def contraction(self, factor: Array) -> SparseMatrix:
        return self.discrete.inertia.contraction(factor)

    def position_load(self, factor: Array) -> Array:
        return self.discrete.inertia.position_load(factor)

    def origin_load(self, acceleration: Array) -> Array:
        return self.discrete.inertia.origin_load(acceleration)

    def geometric_stiffness(self, load: UnitLoad) -> SparseMatrix:
        return self.discrete.geometric.invariant(load)


def affine_equations(discrete: DiscreteBody, terms: Terms | None = None) -> AffineEquations:
    """The equations of a body for any motion of its frame, on all its degrees of freedom."""
    parts = [
        *frame_parts(DiscreteInvariants(discrete)),
        Part[SparseMatrix]("elastic", STIFFNESS, Once(lambda: discrete.stiffness)),
    ]
    damping = rayleigh_damping(discrete)
    if damping is not None:
        parts.append(Part("structural", DAMPING, Once(lambda: damping.matrix, damping.project)))
    if discrete.spring_damping is not None:
        parts.append(Part.given("springs", DAMPING, discrete.spring_damping))
    if discrete.loads.forces.any():
        stress = Once(lambda: discrete.geometric.invariant(("applied", 0, 0)))
        parts += [Part("geometric", STIFFNESS, stress), Part.given("applied", LOAD, discrete.loads.forces)]
    return AffineEquations(discrete.dofs.count, tuple(parts), terms or Terms())


def equations_of_motion(
    discrete: DiscreteBody, motion: FrameMotion, terms: Terms | None = None
) -> EquationsOfMotion:
    """The equations of a body at one instant of its frame motion.

    Parameters
    ----------
    discrete
        The body with its invariants.
    motion
        ω, ε, v_O and a_O of its frame at one instant.
    terms
        Multipliers of the parts; all 1 if not given.

    Returns
    -------
    EquationsOfMotion
        M, C, the parts of K and of the load, before supports are applied; SI units.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=2, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> equations = ff.bodies.equations_of_motion(ff.discretise(blade), ff.FrameMotion.spin(30.0))
    >>> equations.mass.shape
    (9, 9)
    """
    return affine_equations(discrete, terms).at(motion)

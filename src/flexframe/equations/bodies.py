"""The equations of a discrete body.

m δ̈ + [2c(ω) + d] δ̇ + [k + k_g + k(ε) + k(ω²)] δ = q − q_i(ε) − q_i(ω²) − M_Oᵀ a_O
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly.axisymmetric import harmonics_only
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.dofs import turning_generator
from flexframe.assembly.geometric import UnitLoad
from flexframe.equations.affine import CROSS_COUPLED, AffineEquations
from flexframe.equations.coefficients import Monomial
from flexframe.equations.damping import proportional, rayleigh_damping
from flexframe.equations.instant import EquationsOfMotion
from flexframe.equations.invariants import frame_parts
from flexframe.equations.operating_point import SPIN
from flexframe.equations.parts import DAMPING, LOAD, STIFFNESS, Once, Part
from flexframe.equations.terms import Terms
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.model.body import Damping
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


def affine_equations(
    discrete: DiscreteBody, terms: Terms | None = None, *, held_in_space: bool = False
) -> AffineEquations:
    """The equations of a body for any motion of its frame, on all its degrees of freedom.

    Bearings of a body stay in space and have no part in it; `held_in_space` says that they are added elsewhere.
    """
    if discrete.body.axisymmetric:
        raise harmonics_only(discrete.body.name)
    if discrete.body.bearings and not held_in_space:
        raise InputError(
            f"body {discrete.body.name} has bearings, which stay in space while it turns, and this analysis does "
            "not know them; ask for a Campbell diagram, an unbalance response, a run-up, stability or a linear "
            "model",
            part=("bodies", discrete.body.name, "bearings"),
        )
    parts = [
        *frame_parts(DiscreteInvariants(discrete)),
        Part[SparseMatrix]("elastic", STIFFNESS, Once(lambda: discrete.stiffness)),
    ]
    damping = rayleigh_damping(discrete)
    if damping is not None:
        parts.append(Part("structural", DAMPING, Once(lambda: damping.matrix, damping.project)))
    parts += _fixed_damping(discrete)
    if discrete.prestress is not None:
        stressed, ends = discrete.prestress
        parts.append(Part.given("geometric", STIFFNESS, stressed))
        parts += [Part.given(CROSS_COUPLED, STIFFNESS, ends)] if ends.nnz else []
    if discrete.spring_damping is not None:
        parts.append(Part.given("springs", DAMPING, discrete.spring_damping))
    if discrete.given_damping is not None:
        parts.append(Part.given("structural", DAMPING, discrete.given_damping))
    if discrete.loads.forces.any():
        stress = Once(lambda: discrete.geometric.invariant(("applied", 0, 0)))
        parts += [Part("geometric", STIFFNESS, stress), Part.given("applied", LOAD, discrete.loads.forces)]
    return AffineEquations(discrete.dofs.count, tuple(parts), terms or Terms())


def _fixed_damping(discrete: DiscreteBody) -> Iterator[Part[SparseMatrix]]:
    """C = α m + β k of the elements on δ̇ + ω × δ, the rate of displacements in space."""
    given = discrete.body.damping
    if not (given.fixed_mass or given.fixed_stiffness):
        return
    inside = Damping(given.fixed_mass, given.fixed_stiffness)
    matrix = Once(
        lambda: sparse.csr_array(proportional(inside, discrete.element_mass, discrete.element_stiffness))
    )
    yield Part("fixed", DAMPING, matrix)
    for a in range(3):
        turn = turning_generator(discrete.dofs, np.eye(3)[a])
        yield Part("circulatory", STIFFNESS, _product(matrix, turn), Monomial((SPIN[a],)))


def _product(matrix: Once, turn: SparseMatrix) -> Once:
    return Once(lambda: sparse.csr_array(matrix.value @ turn))


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

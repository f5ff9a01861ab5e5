"""The equations of a body: the parts that a moving frame adds, from the invariants of what has inertia.

    m δ̈ + [2c(ω) + d] δ̇ + [k + k_g + k(ε) + k(ω²)] δ = q − q_i(ε) − q_i(ω²) − M_Oᵀ a_O

With ∫ρNᵀAN and ∫ρNᵀAx linear in A, and W, E and W² linear in ω_a, ε_a and ω_a ω_b, every part that the frame adds
is one constant matrix or vector times one monomial of the motion.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from scipy import sparse

from flexframe.assembly.axisymmetric import harmonics_only
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.dofs import turning_generator
from flexframe.assembly.geometric import UnitLoad
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.assembly.inertia import centrifugal_factor, euler_factor
from flexframe.assembly.section_rotors import SectionBody
from flexframe.equations.affine import CROSS_COUPLED, AffineEquations
from flexframe.equations.coefficients import ORIGIN, SPIN, SPIN_UP, Monomial, Terms
from flexframe.equations.damping import proportional, rayleigh_damping
from flexframe.equations.parts import DAMPING, LOAD, MASS, STIFFNESS, EquationsOfMotion, MatrixT, Once, Part
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.model.body import Damping
from flexframe.motion.frame import FrameMotion

Made_co = TypeVar("Made_co", bound="SparseMatrix | Array", covariant=True)


class FrameInvariants(Protocol[Made_co]):
    """What has inertia: a discrete body, a reduced body, a rigid one."""

    def mass_matrix(self) -> Made_co:
        """∫ρ NᵀN: (n, n)."""
        ...

    def contraction(self, factor: Array) -> Made_co:
        """∫ρ NᵀAN of a matrix A (3, 3): (n, n)."""
        ...

    def position_load(self, factor: Array) -> Array:
        """∫ρ NᵀAx of a matrix A (3, 3): (n,)."""
        ...

    def origin_load(self, acceleration: Array) -> Array:
        """∫ρ Nᵀa: (n,)."""
        ...

    def geometric_stiffness(self, load: UnitLoad) -> Made_co:
        """k_g of a unit of inertia load, centrifugal (a, b), euler a or origin i: (n, n)."""
        ...


def frame_parts(invariants: FrameInvariants[MatrixT]) -> Iterator[Part[MatrixT]]:
    """mass, coriolis, euler, centrifugal, geometric and origin parts, each made when it is needed."""
    yield Part("mass", MASS, Once(invariants.mass_matrix))
    spinning = [_contraction(invariants, euler_factor(a)) for a in range(3)]
    for a in range(3):
        yield Part("coriolis", DAMPING, spinning[a], Monomial((SPIN[a],), 2.0))
    for a in range(3):
        yield Part("euler", STIFFNESS, spinning[a], Monomial((SPIN_UP[a],)))
    pairs = [(a, b) for a in range(3) for b in range(a, 3)]
    # ω_a ω_b and ω_b ω_a have one matrix
    products = {(a, b): Monomial((SPIN[a], SPIN[b]), 1.0 if a == b else 2.0) for a, b in pairs}
    for a, b in pairs:
        yield Part("centrifugal", STIFFNESS, _contraction(invariants, centrifugal_factor(a, b)), products[a, b])
    for a in range(3):
        yield _geometric(invariants, ("euler", a, 0), Monomial((SPIN_UP[a],)))
        yield _geometric(invariants, ("origin", a, 0), Monomial((ORIGIN[a],)))
    for a, b in pairs:
        yield _geometric(invariants, ("centrifugal", a, b), products[a, b])
    for a in range(3):
        yield Part("euler", LOAD, _load(invariants, euler_factor(a)), Monomial((SPIN_UP[a],), -1.0))
    for a, b in pairs:
        opposite = Monomial(products[a, b].components, -products[a, b].scale)
        yield Part("centrifugal", LOAD, _load(invariants, centrifugal_factor(a, b)), opposite)
    for a in range(3):
        yield Part("origin", LOAD, Once(_bind(invariants.origin_load, np.eye(3)[a])), Monomial((ORIGIN[a],), -1.0))


def _contraction(invariants: FrameInvariants[MatrixT], factor: Array) -> Once:
    return Once(lambda: invariants.contraction(factor))


def _load(invariants: FrameInvariants[MatrixT], factor: Array) -> Once:
    return Once(_bind(invariants.position_load, factor))


def _geometric(invariants: FrameInvariants[MatrixT], load: UnitLoad, coefficient: Monomial) -> Part[MatrixT]:
    return Part("geometric", STIFFNESS, Once(lambda: invariants.geometric_stiffness(load)), coefficient)


def _bind(function: Callable[[Array], Array], argument: Array) -> Callable[[], Array]:
    return lambda: function(argument)


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
    if isinstance(discrete, SectionBody):
        return harmonic_equations(discrete.waves, terms).project(discrete.map)
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
        parts.append(Part.constant("geometric", STIFFNESS, stressed))
        parts += [Part.constant(CROSS_COUPLED, STIFFNESS, ends)] if ends.nnz else []
    if discrete.spring_damping is not None:
        parts.append(Part.constant("springs", DAMPING, discrete.spring_damping))
    if discrete.given_damping is not None:
        parts.append(Part.constant("structural", DAMPING, discrete.given_damping))
    if discrete.loads.forces.any():
        stress = Once(lambda: discrete.geometric.invariant(("applied", 0, 0)))
        parts += [Part("geometric", STIFFNESS, stress), Part.constant("applied", LOAD, discrete.loads.forces)]
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


def harmonic_equations(harmonic: HarmonicBody, terms: Terms | None = None) -> AffineEquations:
    """m δ̈ + [2c(ω) + d] δ̇ + [k + k_g + k(ε) + k(ω²)] δ = −q_i, for rotations about the axis of symmetry.

    The coordinates are those of `HarmonicBody`, without its supports.
    """
    parts = [
        *frame_parts(harmonic),
        Part[SparseMatrix]("elastic", STIFFNESS, Once(lambda: harmonic.stiffness)),
    ]
    damping = rayleigh_damping(harmonic)
    if damping is not None:
        parts.append(Part("structural", DAMPING, Once(lambda: damping.matrix, damping.project)))
    if harmonic.spring_damping is not None:
        parts.append(Part.constant("springs", DAMPING, harmonic.spring_damping))
    return AffineEquations(harmonic.size, tuple(parts), terms or Terms())

"""The parts that a moving frame adds, from the invariants of whatever has inertia.

    m δ̈ + 2c(ω) δ̇ + [k_g + k(ε) + k(ω²)] δ = −q_i(ε) − q_i(ω²) − M_Oᵀ a_O

With ∫ρNᵀAN and ∫ρNᵀAx linear in A, and W, E and W² linear in ω_a, ε_a and ω_a ω_b, every part is one constant
matrix or vector times one monomial of the motion.
"""

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

import numpy as np

from flexframe.assembly.geometric import UnitLoad
from flexframe.assembly.inertia import centrifugal_factor, euler_factor
from flexframe.equations.coefficients import Monomial
from flexframe.equations.operating_point import ORIGIN, SPIN, SPIN_UP
from flexframe.equations.parts import DAMPING, LOAD, MASS, STIFFNESS, MatrixT, Once, Part
from flexframe.maths.arrays import Array, SparseMatrix

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
        yield Part(
            "origin", LOAD, Once(_bound(invariants.origin_load, np.eye(3)[a])), Monomial((ORIGIN[a],), -1.0)
        )


def _contraction(invariants: FrameInvariants[MatrixT], factor: Array) -> Once:
    return Once(lambda: invariants.contraction(factor))


def _load(invariants: FrameInvariants[MatrixT], factor: Array) -> Once:
    return Once(_bound(invariants.position_load, factor))


def _geometric(invariants: FrameInvariants[MatrixT], load: UnitLoad, coefficient: Monomial) -> Part[MatrixT]:
    return Part("geometric", STIFFNESS, Once(lambda: invariants.geometric_stiffness(load)), coefficient)


def _bound(function: Callable[[Array], Array], argument: Array) -> Callable[[], Array]:
    return lambda: function(argument)

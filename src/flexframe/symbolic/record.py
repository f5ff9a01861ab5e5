"""The result of a derivation, the same for all formalisms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sympy import ImmutableMatrix, Symbol

from flexframe.formalisms.registry import formalism_named
from flexframe.symbolic.algebra import Primitive
from flexframe.symbolic.element_data import Expression, Matrix, SymbolicElement
from flexframe.symbolic.motions import SymbolicMotion

STIFFNESS_PARTS = ("elastic", "geometric", "euler", "centrifugal")
LOAD_PARTS = ("euler", "centrifugal", "origin", "body")


class Step(NamedTuple):
    """An intermediate primitive of a route; `formula` is its definition in LaTeX.

    A `factored` expression is meant to be read as it stands, another one may be expanded and sorted.
    """

    title: str
    expression: Expression
    formula: str
    factored: bool = False


@dataclass(frozen=True)
class Operations:
    """Operations that a route needs on paper, primitive by primitive."""

    primitives: tuple[Primitive, ...]

    @property
    def additions(self) -> int:
        return sum(p.additions for p in self.primitives)

    @property
    def multiplications(self) -> int:
        return sum(p.multiplications for p in self.primitives)

    @property
    def differentiations(self) -> int:
        return sum(p.differentiations for p in self.primitives)


@dataclass(frozen=True)
class Derivation:
    """mass δ̈ + (coriolis + damping) δ̇ + Σ stiffness δ = Σ load, for one element in a moving frame.

    `coriolis` is 2c(ω). Loads carry the sign with which they stand on the right side: euler is −q(ε), centrifugal
    −q(ω²), origin −m_O a_O, body q*. Vectors are in components of the element frame, whose origin O and axes move
    with ω, ε = ω̇, a_O.
    """

    element: SymbolicElement
    motion: SymbolicMotion
    formalism: str
    mass: Matrix  # (p, p)
    coriolis: Matrix  # (p, p), skew
    damping: Matrix  # (p, p)
    stiffness: Mapping[str, Matrix]  # parts of STIFFNESS_PARTS: (p, p)
    load: Mapping[str, Matrix]  # parts of LOAD_PARTS: (p, 1)
    state: tuple[Symbol, ...]  # variables of the formalism's own equations
    steps: tuple[Step, ...]
    operations: Operations
    parameters: tuple[Symbol, ...]  # what the matrices depend on beside the motion
    conditions: tuple[str, ...] = ()  # under which the formalism holds

    @property
    def authors(self) -> str:
        """`Gibbs–Appell` for the formalism gibbs_appell."""
        return formalism_named(self.formalism).title

    @property
    def total_stiffness(self) -> Matrix:
        """Sum of the parts."""
        return sum(self.stiffness.values(), ImmutableMatrix.zeros(*self.mass.shape))

    @property
    def total_damping(self) -> Matrix:
        """2c(ω) and, if asked for, material damping."""
        return self.coriolis + self.damping

    @property
    def total_load(self) -> Matrix:
        """Sum of the parts."""
        return sum(self.load.values(), ImmutableMatrix.zeros(self.mass.rows, 1))

    @property
    def definitions(self) -> tuple[tuple[Symbol, Expression], ...]:
        """Symbols in the matrices that stand for longer expressions, in order of evaluation."""
        return self.element.definitions

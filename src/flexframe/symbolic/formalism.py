"""The contract of a symbolic formalism: the steps that it shows, and the derivation that results.

The Lagrangian without the velocity of the origin.

A total time derivative may be added to a Lagrangian. Taking d/dt(δᵀs), s = ∂T/∂δ̇ at rest and undeformed, away from
T − V removes v_O; what remains contains ω, ε, a_O only.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from sympy import Add, ImmutableMatrix, Symbol

from flexframe.formalisms.registry import formalism_named
from flexframe.symbolic.algebra import Algebra, Polynomial, Primitive, SymbolicMotion, Worksheet
from flexframe.symbolic.elements import Expression, Matrix, SymbolicElement
from flexframe.symbolic.fields import HALF, Field, FieldSpace, Options, add, cross_field

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


@dataclass(frozen=True)
class Route:
    """What a formalism hands over: rows of 0 = M δ̈ + C δ̇ + K δ − f, its steps and its own state variables."""

    rows: tuple[Polynomial, ...]
    algebra: Algebra
    steps: tuple[Step, ...]
    state: tuple[Symbol, ...]
    conditions: tuple[str, ...] = ()


class SymbolicFormalism(ABC):
    """A route from the fields of one element to its equations of motion, formula by formula."""

    beam_route: ClassVar[str] = ""  # from what the inertia of an exact beam is derived: a name of `exact_beam`

    varying: ClassVar[tuple[str, ...]] = ("omega", "a_O")  # data that change in time unless others are named
    broken: ClassVar[bool] = False  # whether the element comes with its particles

    def with_gauge(self, gauge: str) -> "SymbolicFormalism":  # noqa: ARG002
        """The same in a gauge of the Lagrangian; most know none."""
        return self

    def require(self, motion: SymbolicMotion, options: Options) -> None:  # noqa: ARG002
        """Raise an `AnalysisError` where the route does not exist; it names the term."""
        return

    def symbols(self, size: int) -> tuple[Symbol, ...]:  # noqa: ARG002
        """Symbols that the route needs beside those of an element with that many degrees of freedom."""
        return ()

    @abstractmethod
    def route(self, space: FieldSpace, sheet: Worksheet) -> Route:
        """Rows, steps and own variables; every primitive goes through the worksheet, which counts."""


def show_primitive(space: FieldSpace, title: str, polynomial: Polynomial, formula: str) -> Step:
    """A scalar primitive."""
    return Step(title, space.algebra.expression(polynomial), formula)


def shown_list(space: FieldSpace, title: str, polynomials: Iterable[Polynomial], formula: str) -> Step:
    """One polynomial for each coordinate, as a column."""
    return Step(title, ImmutableMatrix([space.algebra.expression(p) for p in polynomials]), formula)


def shown_field(space: FieldSpace, title: str, field: Field, formula: str) -> Step:
    """A vector field at a point of the element, as a column of three components."""
    components = [
        Add(*(space.algebra.expression(c) * space.functions[j] for j, c in component.items()))
        for component in field
    ]
    return Step(title, ImmutableMatrix(components), formula, factored=True)


def kinetic_energy(space: FieldSpace) -> Polynomial:
    """T = ½∫ρ|v_O + ω×(x + Nδ) + Nδ̇|²."""
    point = add(space.place, space.interpolate(space.delta))
    velocity = add(space.uniform(space.v_O), cross_field(space.omega, point), space.interpolate(space.rate))
    return space.integral(velocity, velocity) * HALF


def invariant_lagrangian(space: FieldSpace, sheet: Worksheet) -> Polynomial:
    """T − T₀ − d/dt(δᵀs) − V."""
    kinetic = kinetic_energy(space)
    sheet.note_primitive("kinetic energy", [kinetic])
    at_rest = without(without(kinetic, space.rate, space.algebra), space.delta, space.algebra)
    generator = space.algebra.zero
    for value, momentum in zip(space.delta, sheet.gradient(kinetic, space.rate), strict=True):
        generator += value * without(without(momentum, space.rate, space.algebra), space.delta, space.algebra)
    lagrangian = kinetic - at_rest - sheet.total_rate(generator, space.local_rates()) - space.potential()
    sheet.note_primitive("invariant Lagrangian", [lagrangian])
    return lagrangian


def without(polynomial: Polynomial, variables: tuple[Polynomial, ...], algebra: Algebra) -> Polynomial:
    """The terms free of the variables, that is the polynomial at variables = 0."""
    held = [algebra.ring.index(variable) for variable in variables]
    kept = {m: c for m, c in polynomial.terms() if not any(m[i] for i in held)}
    return algebra.ring.from_dict(kept)

"""The contract of a symbolic formalism, and the steps that it shows to a reader."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from sympy import Add, ImmutableMatrix, Symbol

from flexframe.symbolic.algebra import Algebra, Polynomial, Worksheet
from flexframe.symbolic.fields import Field, FieldSpace, Options
from flexframe.symbolic.motions import SymbolicMotion
from flexframe.symbolic.record import Step


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


def shown(space: FieldSpace, title: str, polynomial: Polynomial, formula: str) -> Step:
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

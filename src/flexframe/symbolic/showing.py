"""Primitives of a route as expressions a reader can follow."""

from collections.abc import Iterable

from sympy import Add, ImmutableMatrix

from flexframe.symbolic.algebra import Polynomial
from flexframe.symbolic.fields import Field, FieldSpace
from flexframe.symbolic.record import Step


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

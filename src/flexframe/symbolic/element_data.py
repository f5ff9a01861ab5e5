"""What a symbolic element is: shape matrix, domain, constitutive law, and its integrals, all exact.

Every field is a polynomial in reference coordinates (ξ = x/L, volume coordinates λ, …), so an integral over the
element is a sum of known means of monomials; nothing is approximated.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

from sympy import ImmutableMatrix, Integer, Poly, Rational, Symbol, expand, factorial

Expression = Any
"""A SymPy expression; SymPy carries no type information."""

Matrix = Any
"""An immutable SymPy matrix."""


@dataclass(frozen=True)
class MaterialPoint:
    """One particle of the element: its share of the mass and its place in reference coordinates."""

    share: Expression
    place: tuple[Expression, ...]


@dataclass(frozen=True)
class SymbolicElement:
    """One finite element in its own frame, displacement u = N δ at every point of its volume."""

    name: str
    title: str
    dofs: tuple[str, ...]
    density: Symbol
    volume: Expression
    coordinates: tuple[Symbol, ...]  # reference coordinates
    mean: Callable[[tuple[int, ...]], Expression]  # exponents → mean of that monomial over the volume
    position: Matrix  # x in the element frame: (3, 1)
    shape: Matrix  # N: (3, p)
    slopes: tuple[Matrix, Matrix, Matrix]  # ∂N/∂x, ∂N/∂y, ∂N/∂z: (3, p) each
    strain: Matrix  # B: (strains, p)
    constitutive: Matrix  # D: (strains, strains)
    stress: Matrix  # initial stress σ⁰: (3, 3)
    stressed_rows: tuple[int, ...]  # displacement components whose gradients meet σ⁰
    particles: tuple[MaterialPoint, ...]  # a rule with positive weights, exact for all products of N and x
    parameters: tuple[Symbol, ...]
    prestress: tuple[Symbol, ...]
    groups: tuple[Symbol, ...] = ()  # section data by which a printed matrix is split
    definitions: tuple[tuple[Symbol, Expression], ...] = ()  # symbols that stand for longer expressions
    remarks: tuple[str, ...] = ()

    @property
    def mass(self) -> Expression:
        """ρ times the volume."""
        return self.density * self.volume

    def integral(self, field: Expression) -> Expression:
        """∫ field dV of a polynomial field."""
        terms = Poly(expand(field), *self.coordinates).terms()
        return expand(self.volume * sum(c * self.mean(powers) for powers, c in terms))

    def stiffness(self) -> Matrix:
        """k = ∫ Bᵀ D B dV."""
        return self._symmetric(self.strain.T * self.constitutive * self.strain)

    def geometric_stiffness(self) -> Matrix:
        """k_g = ∫ σ⁰_ij ∂N_k/∂x_i ∂N_k/∂x_j dV over the rows k that meet the initial stress."""
        rows = list(self.stressed_rows)
        slopes = [slope.extract(rows, list(range(slope.cols))) for slope in self.slopes]
        total = ImmutableMatrix.zeros(len(self.dofs), len(self.dofs))
        for i, j in product(range(3), repeat=2):
            if self.stress[i, j] != 0:
                total += self.stress[i, j] * slopes[i].T * slopes[j]
        return self._symmetric(total)

    def _symmetric(self, integrand: Matrix) -> Matrix:
        size = integrand.rows
        upper = {(r, t): self.integral(integrand[r, t]) for r in range(size) for t in range(r, size)}
        return ImmutableMatrix(size, size, lambda r, t: upper[min(r, t), max(r, t)])


def box_mean(powers: tuple[int, ...]) -> Rational:
    """Mean of a monomial over the unit interval, square or cube."""
    mean = Integer(1)
    for power in powers:
        mean /= power + 1
    return mean


def simplex_mean(powers: tuple[int, ...]) -> Rational:
    """Mean of λ₂^a λ₃^b … over a simplex of dimension d: d! a! b! … / (a + b + … + d)!."""
    dimension = len(powers)
    mean = factorial(dimension) / factorial(sum(powers) + dimension)
    for power in powers:
        mean *= factorial(power)
    return mean


def newton_cotes(points: int) -> tuple[tuple[Rational, Rational], ...]:
    """Places and weights on [0, 1] at equal distances, exact up to degree points − 1 (one more if odd)."""
    s = Symbol("s")
    places = [Rational(i, points - 1) for i in range(points)]
    rule = []
    for here in places:
        cardinal = Poly(1, s)
        for other in places:
            if other != here:
                cardinal *= Poly((s - other) / (here - other), s)
        weight = sum(c * box_mean(power) for power, c in cardinal.terms())
        rule.append((here, weight))
    return tuple(rule)

"""Vector fields on the element: components over the functions 1, x, y, z and the entries of N.

Every velocity or acceleration of a point is a combination of those functions with polynomial coefficients. The
integral of a product of two fields needs only the table ∫ρ φ_j φ_l dV, evaluated exactly and once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import QQ, Symbol, symbols

from flexframe.symbolic.algebra import Algebra, Polynomial, SymbolicMotion
from flexframe.symbolic.elements import Expression, SymbolicElement

HALF = QQ(1, 2)
BETA = Symbol("beta", positive=True)
BODY_LOAD = tuple(symbols("p_V1 p_V2 p_V3", real=True))

Field = tuple[dict[int, Polynomial], ...]
"""Three components, each function number → coefficient."""


@dataclass(frozen=True)
class Options:
    """What an equation contains beside inertia and elasticity."""

    prestress: bool = False
    damping: bool = False
    load: bool = False


@dataclass(frozen=True)
class Coordinates:
    """Symbols of δ, δ̇, δ̈."""

    delta: tuple[Symbol, ...]
    rate: tuple[Symbol, ...]
    second: tuple[Symbol, ...]


def coordinates(count: int) -> Coordinates:
    """δ_1 … δ_p and their derivatives."""

    def make_symbols(stem: str) -> tuple[Symbol, ...]:
        return tuple(Symbol(f"{stem}_{r + 1}", real=True) for r in range(count))

    return Coordinates(make_symbols("delta"), make_symbols("deltadot"), make_symbols("deltaddot"))


@dataclass(frozen=True)
class Particle:
    """A particle of the broken element: mass, place x_g and shape matrix N_g."""

    mass: Polynomial
    place: tuple[Polynomial, ...]
    shape: tuple[tuple[Polynomial, ...], ...]


@dataclass(frozen=True)
class FieldSpace:
    """An element in a moving frame, ready for a route: polynomials for all its data."""

    element: SymbolicElement
    motion: SymbolicMotion
    options: Options
    symbols: Coordinates
    algebra: Algebra
    delta: tuple[Polynomial, ...]
    rate: tuple[Polynomial, ...]
    second: tuple[Polynomial, ...]
    omega: tuple[Polynomial, ...]
    epsilon: tuple[Polynomial, ...]
    v_O: tuple[Polynomial, ...]
    a_O: tuple[Polynomial, ...]
    functions: tuple[Expression, ...]  # φ_j, the first is 1
    place: Field  # x
    columns: tuple[Field, ...]  # the columns of N
    table: Mapping[tuple[int, int], Polynomial]  # ∫ρ φ_j φ_l dV
    stiffness: Mapping[tuple[int, int], Polynomial]  # k + k_g
    dissipation: Mapping[tuple[int, int], Polynomial]  # β k
    body_load: tuple[Polynomial, ...]  # q* = ∫ Nᵀ p dV
    particles: tuple[Particle, ...]  # only where the route asks for them

    def integral(self, left: Field, right: Field) -> Polynomial:
        """∫ρ left · right dV."""
        total = self.algebra.zero
        for mine, other in zip(left, right, strict=True):
            for j, c in mine.items():
                inner = self.algebra.zero
                for m, d in other.items():
                    moment = self.table.get((min(j, m), max(j, m)))
                    if moment is not None:
                        inner += d * moment
                total += c * inner
        return total

    def uniform(self, vector: tuple[Polynomial, ...]) -> Field:
        """A field that is the same everywhere."""
        return tuple({0: c} if c else {} for c in vector)

    def interpolate(self, nodal: tuple[Polynomial, ...]) -> Field:
        """N times nodal values."""
        total: Field = ({}, {}, {})
        for column, value in zip(self.columns, nodal, strict=True):
            total = add(total, scale(column, value))
        return total

    def elastic_force(self) -> tuple[Polynomial, ...]:
        """−(k + k_g) δ − β k δ̇ + q*, the generalised force that is not of inertia."""
        force = list(self.body_load)
        for (r, t), entry in self.stiffness.items():
            force[r] -= entry * self.delta[t]
        for (r, t), entry in self.dissipation.items():
            force[r] -= entry * self.rate[t]
        return tuple(force)

    def damping_force(self) -> tuple[Polynomial, ...]:
        """−β k δ̇, the force without potential."""
        force = [self.algebra.zero] * len(self.delta)
        for (r, t), entry in self.dissipation.items():
            force[r] -= entry * self.rate[t]
        return tuple(force)

    def potential(self) -> Polynomial:
        """½ δᵀ(k + k_g) δ − δᵀ q*."""
        total = self.algebra.zero
        for (r, t), entry in self.stiffness.items():
            total += entry * self.delta[r] * self.delta[t] * HALF
        for value, load in zip(self.delta, self.body_load, strict=True):
            total -= value * load
        return total

    def local_rates(self) -> dict[Polynomial, Polynomial]:
        """d/dt of every quantity in frame components: δ̇, δ̈, ω̇ = ε, v̇ = a − ω × v."""
        rates = dict(zip(self.delta, self.rate, strict=True))
        rates.update(zip(self.rate, self.second, strict=True))
        rates.update((w, e) for w, e in zip(self.omega, self.epsilon, strict=True) if w)
        drag = cross(self.omega, self.v_O)
        rates.update((v, a - d) for v, a, d in zip(self.v_O, self.a_O, drag, strict=True) if v)
        return rates


def cross(left: tuple[Polynomial, ...], right: tuple[Polynomial, ...]) -> tuple[Polynomial, ...]:
    """left × right."""
    return tuple(left[(i + 1) % 3] * right[(i + 2) % 3] - left[(i + 2) % 3] * right[(i + 1) % 3] for i in range(3))


def add(*fields: Field) -> Field:
    """Sum of fields."""
    total: Field = ({}, {}, {})
    for field in fields:
        for mine, other in zip(total, field, strict=True):
            for j, c in other.items():
                mine[j] = mine[j] + c if j in mine else c
    return total


def scale(field: Field, factor: Polynomial) -> Field:
    """Field times a polynomial."""
    return tuple({j: c * factor for j, c in component.items()} for component in field)


def cross_field(omega: tuple[Polynomial, ...], field: Field) -> Field:
    """ω × field."""
    result: Field = ({}, {}, {})
    for i in range(3):
        for axis, arm, sign in (((i + 1) % 3, (i + 2) % 3, 1), ((i + 2) % 3, (i + 1) % 3, -1)):
            if omega[axis]:
                for j, c in field[arm].items():
                    term = omega[axis] * c * sign
                    result[i][j] = result[i][j] + term if j in result[i] else term
    return result

"""Polynomials in which the routes work: named integrals × frame motion × δ, δ̇, δ̈.

The integrals of an element are evaluated once and enter under short names, so that kinetic energies, momenta and
forces are sparse polynomials with rational coefficients; SymPy differentiates those thousands of times faster than
expression trees. Names are replaced by their values when a result leaves the route.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import QQ, Add, Integer, Mul, Symbol, symbols
from sympy.polys.rings import ring

from flexframe.errors import InputError
from flexframe.symbolic.elements import Expression
from flexframe.symbolic.names import MOTIONS, VARYING, check_name


@dataclass(frozen=True)
class SymbolicMotion:
    """Motion of the frame; a component that does not exist is None.

    In planar motion ω = (0, 0, ω), and v_O, a_O lie in the plane. `varying` names the data that depend on time in
    the moving frame: without "omega" there is no ε = ω̇.
    """

    space: str
    omega: tuple[Any, ...]
    epsilon: tuple[Any, ...]
    v_O: tuple[Any, ...]
    a_O: tuple[Any, ...]
    varying: tuple[str, ...]

    @property
    def coefficients(self) -> tuple[Symbol, ...]:
        """Symbols that may appear in an equation of motion: ω, ε, a_O."""
        return tuple(s for group in (self.omega, self.epsilon, self.a_O) for s in group if s is not None)


def symbolic_motion(space: str, varying: tuple[str, ...] = ("omega", "a_O")) -> SymbolicMotion:
    """General motion in the plane or in space."""
    space = check_name(space, MOTIONS, "motion")
    unknown = [name for name in varying if name not in VARYING]
    if unknown:
        raise InputError(f"{unknown[0]!r} cannot vary in time; choose among {', '.join(VARYING)}")
    if space == "planar":
        in_plane = ("1", "2", None)
        turning: tuple[str | None, ...] = (None, None, "")
    else:
        in_plane = ("1", "2", "3")  # type: ignore[assignment]
        turning = ("_1", "_2", "_3")

    def make_symbols(stem: str, suffixes: tuple[str | None, ...]) -> tuple[Any, ...]:
        return tuple(None if s is None else symbols(stem + s, real=True) for s in suffixes)

    no_rate: tuple[Any, ...] = (None, None, None)
    return SymbolicMotion(
        space=space,
        omega=make_symbols("omega", turning),
        epsilon=make_symbols("epsilon", turning) if "omega" in varying else no_rate,
        v_O=make_symbols("v_O", in_plane),
        a_O=make_symbols("a_O", in_plane),
        varying=varying,
    )


Polynomial = Any
"""An element of a SymPy polynomial ring."""


class Names:
    """Short names for expressions, one for all rational multiples of the same expression."""

    def __init__(self) -> None:
        self.values: dict[Symbol, Expression] = {}
        self.kinds: dict[Symbol, str] = {}
        self._known: dict[tuple[Expression, str], Symbol] = {}

    def linear(self, value: Expression, kind: str) -> tuple[Expression, Symbol | None]:
        """The expression as (rational factor, name); the name is None for zero."""
        if value == 0:
            return Integer(0), None
        factor, primitive = value.as_content_primitive()
        if primitive.could_extract_minus_sign():
            factor, primitive = -factor, -primitive
        symbol = self._known.get((primitive, kind))
        if symbol is None:
            symbol = Symbol(f"_{kind}{len(self.values)}")
            self._known[primitive, kind] = symbol
            self.values[symbol] = primitive
            self.kinds[symbol] = kind
        return factor, symbol


@dataclass(frozen=True)
class Algebra:
    """A polynomial ring, its generators by symbol, and what the named symbols stand for."""

    ring: Any
    generators: Mapping[Symbol, Polynomial]
    values: Mapping[Symbol, Expression]
    kinds: Mapping[Symbol, str]

    @property
    def zero(self) -> Polynomial:
        return self.ring.zero

    @property
    def one(self) -> Polynomial:
        return self.ring.one

    def of(self, symbol: Symbol | None) -> Polynomial:
        """The generator of a symbol; an absent component is zero."""
        return self.zero if symbol is None else self.generators[symbol]

    def many(self, symbols: Iterable[Symbol | None]) -> tuple[Polynomial, ...]:
        """The generators of several symbols."""
        return tuple(self.of(symbol) for symbol in symbols)

    def name_multiple(self, linear: tuple[Expression, Symbol | None]) -> Polynomial:
        """rational factor × name."""
        factor, symbol = linear
        return self.zero if symbol is None else self.generators[symbol] * QQ.from_sympy(factor)

    def expression(self, polynomial: Polynomial) -> Expression:
        """The polynomial with every name replaced by what it stands for."""
        return Add(*(self.term(monomial, c) for monomial, c in polynomial.terms()))

    def term(self, monomial: tuple[int, ...], coefficient: Any) -> Expression:
        """One term as an expression."""
        factors = [QQ.to_sympy(coefficient)]
        for symbol, power in zip(self.ring.symbols, monomial, strict=True):
            if power:
                factors.append(self.values.get(symbol, symbol) ** power)
        return Mul(*factors)


def algebra(names: Names, symbols: Sequence[Symbol]) -> Algebra:
    """The ring over the names and the given symbols."""
    every = (*names.values, *symbols)
    made, *generators = ring(every, QQ)
    return Algebra(
        ring=made,
        generators=dict(zip(every, generators, strict=True)),
        values=dict(names.values),
        kinds=dict(names.kinds),
    )


@dataclass(frozen=True)
class Primitive:
    """What it takes to write one primitive of a route: sums, products, derivatives."""

    title: str
    additions: int
    multiplications: int
    differentiations: int


class Worksheet:
    """Counts the derivatives a route takes and keeps the primitives it forms."""

    def __init__(self) -> None:
        self.primitives: list[Primitive] = []
        self._taken = 0

    def derivative(self, polynomial: Polynomial, variable: Polynomial) -> Polynomial:
        """∂polynomial/∂variable; a derivative that vanishes at sight is not counted."""
        result = polynomial.diff(variable)
        self._taken += bool(result)
        return result

    def gradient(self, polynomial: Polynomial, variables: Iterable[Polynomial]) -> tuple[Polynomial, ...]:
        """All partial derivatives."""
        return tuple(self.derivative(polynomial, variable) for variable in variables)

    def total_rate(self, polynomial: Polynomial, rates: Mapping[Polynomial, Polynomial]) -> Polynomial:
        """Total derivative Σ ∂polynomial/∂g · ġ over the generators that occur."""
        ring_ = polynomial.ring
        used = {i for monomial in polynomial.itermonoms() for i, power in enumerate(monomial) if power}
        result = ring_.zero
        for generator, rate in rates.items():
            if ring_.index(generator) in used:
                result += self.derivative(polynomial, generator) * rate
        return result

    def note_primitive(self, title: str, polynomials: Iterable[Polynomial]) -> None:
        """Note a primitive; derivatives taken since the last note belong to it."""
        additions = multiplications = 0
        for polynomial in polynomials:
            sums, products = operations_text(polynomial)
            additions += sums
            multiplications += products
        self.primitives.append(Primitive(title, additions, multiplications, self._taken))
        self._taken = 0


def operations_text(polynomial: Polynomial) -> tuple[int, int]:
    """Additions and multiplications in the expanded sum of products, names counted as one symbol each."""
    additions = max(len(polynomial) - 1, 0)
    multiplications = 0
    for monomial, coefficient in polynomial.terms():
        factors = sum(monomial) + (abs(coefficient) != 1)
        multiplications += max(factors - 1, 0)
    return additions, multiplications

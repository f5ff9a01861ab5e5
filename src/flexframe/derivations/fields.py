"""Vector fields on the element: components over the functions 1, x, y, z and the entries of N.

Every velocity or acceleration of a point is a combination of those functions with polynomial coefficients. The
integral of a product of two fields needs only the table ∫ρ φ_j φ_l dV, evaluated exactly and once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import QQ, Integer, Rational, Symbol, symbols

from flexframe.derivations.algebra import Algebra, Names, Polynomial, algebra
from flexframe.derivations.element_data import Expression, SymbolicElement
from flexframe.derivations.motions import SymbolicMotion

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

    def named(stem: str) -> tuple[Symbol, ...]:
        return tuple(Symbol(f"{stem}_{r + 1}", real=True) for r in range(count))

    return Coordinates(named("delta"), named("deltadot"), named("deltaddot"))


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

    def interpolated(self, nodal: tuple[Polynomial, ...]) -> Field:
        """N times nodal values."""
        total: Field = ({}, {}, {})
        for column, value in zip(self.columns, nodal, strict=True):
            total = added(total, scaled(column, value))
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
        drag = crossed(self.omega, self.v_O)
        rates.update((v, a - d) for v, a, d in zip(self.v_O, self.a_O, drag, strict=True) if v)
        return rates


def crossed(left: tuple[Polynomial, ...], right: tuple[Polynomial, ...]) -> tuple[Polynomial, ...]:
    """left × right."""
    return tuple(left[(i + 1) % 3] * right[(i + 2) % 3] - left[(i + 2) % 3] * right[(i + 1) % 3] for i in range(3))


def added(*fields: Field) -> Field:
    """Sum of fields."""
    total: Field = ({}, {}, {})
    for field in fields:
        for mine, other in zip(total, field, strict=True):
            for j, c in other.items():
                mine[j] = mine[j] + c if j in mine else c
    return total


def scaled(field: Field, factor: Polynomial) -> Field:
    """Field times a polynomial."""
    return tuple({j: c * factor for j, c in component.items()} for component in field)


def turned(omega: tuple[Polynomial, ...], field: Field) -> Field:
    """ω × field."""
    result: Field = ({}, {}, {})
    for i in range(3):
        for axis, arm, sign in (((i + 1) % 3, (i + 2) % 3, 1), ((i + 2) % 3, (i + 1) % 3, -1)):
            if omega[axis]:
                for j, c in field[arm].items():
                    term = omega[axis] * c * sign
                    result[i][j] = result[i][j] + term if j in result[i] else term
    return result


def field_space(
    element: SymbolicElement,
    motion: SymbolicMotion,
    options: Options,
    extra: tuple[Symbol, ...] = (),
    *,
    broken: bool = False,
) -> FieldSpace:
    """Evaluate the integrals of an element and open the ring for a route with `extra` symbols of its own.

    A `broken` element comes with its particles.
    """
    names = Names()
    samples = _samples(element, names) if broken else []
    functions, place, columns = _functions(element)
    moments = _moments(element, functions, names)
    size = len(element.dofs)
    elastic = _named_matrix(element.stiffness(), "elastic", names)
    geometric = _named_matrix(element.geometric_stiffness(), "geometric", names) if options.prestress else {}
    loads = {
        (r, i): names.linear(element.integral(element.shape[i, r]), "load")
        for r in range(size)
        for i in range(3)
        if options.load and element.shape[i, r] != 0
    }
    symbols_ = coordinates(size)
    motion_symbols = [
        s for group in (motion.omega, motion.epsilon, motion.v_O, motion.a_O) for s in group if s is not None
    ]
    optional = (*((BETA,) if options.damping else ()), *(BODY_LOAD if options.load else ()))
    alg = algebra(
        names,
        (*motion_symbols, *optional, *symbols_.delta, *symbols_.rate, *symbols_.second, *extra),
    )

    stiffness = {at: alg.named(entry) for at, entry in elastic.items()}
    dissipation = {at: alg.of(BETA) * entry for at, entry in stiffness.items()} if options.damping else {}
    for at, entry in geometric.items():
        stiffness[at] = stiffness.get(at, alg.zero) + alg.named(entry)
    body_load = [alg.zero] * size
    for (r, i), linear in loads.items():
        body_load[r] += alg.named(linear) * alg.of(BODY_LOAD[i])

    def polynomial_field(field: tuple[dict[int, int], ...]) -> Field:
        return tuple({j: alg.one * sign for j, sign in component.items()} for component in field)

    return FieldSpace(
        element=element,
        motion=motion,
        options=options,
        symbols=symbols_,
        algebra=alg,
        delta=alg.many(symbols_.delta),
        rate=alg.many(symbols_.rate),
        second=alg.many(symbols_.second),
        omega=alg.many(motion.omega),
        epsilon=alg.many(motion.epsilon),
        v_O=alg.many(motion.v_O),
        a_O=alg.many(motion.a_O),
        functions=tuple(functions),
        place=polynomial_field(place),
        columns=tuple(polynomial_field(column) for column in columns),
        table={at: alg.named(moment) for at, moment in moments.items()},
        stiffness=stiffness,
        dissipation=dissipation,
        body_load=tuple(body_load),
        particles=tuple(
            Particle(
                mass=alg.named(mass),
                place=tuple(alg.named(x) for x in place),
                shape=tuple(tuple(alg.named(entry) for entry in row) for row in shape),
            )
            for mass, place, shape in samples
        ),
    )


Linear = tuple[Rational, Symbol | None]
"""Rational factor and name."""


def _samples(element: SymbolicElement, names: Names) -> list[tuple[Linear, list[Linear], list[list[Linear]]]]:
    """m_g, x_g, N_g of every particle."""
    samples = []
    for point in element.particles:
        here = dict(zip(element.coordinates, point.place, strict=True))
        place = [names.linear(x.subs(here).expand(), "geometry") for x in element.position]
        shape = [
            [names.linear(element.shape[i, r].subs(here).expand(), "geometry") for r in range(element.shape.cols)]
            for i in range(3)
        ]
        samples.append((names.linear(element.mass * point.share, "inertia"), place, shape))
    return samples


SignedField = tuple[dict[int, int], ...]


def _functions(element: SymbolicElement) -> tuple[list[Expression], SignedField, list[SignedField]]:
    """The distinct functions φ_j (φ_0 = 1), and x and the columns of N over them with signs ±1."""
    functions: list[Expression] = [Integer(1)]
    numbers: dict[Expression, int] = {Integer(1): 0}

    def component(function: Expression) -> dict[int, int]:
        function = function.expand()
        if function == 0:
            return {}
        sign = -1 if function.could_extract_minus_sign() else 1
        if sign * function not in numbers:
            numbers[sign * function] = len(functions)
            functions.append(sign * function)
        return {numbers[sign * function]: sign}

    place = tuple(component(element.position[i]) for i in range(3))
    columns = [tuple(component(element.shape[i, r]) for i in range(3)) for r in range(len(element.dofs))]
    return functions, place, columns


def _moments(
    element: SymbolicElement, functions: list[Expression], names: Names
) -> dict[tuple[int, int], tuple[Rational, Symbol | None]]:
    """∫ρ φ_j φ_l dV for j ≤ l, zeros left out."""
    table = {}
    for j, left in enumerate(functions):
        for m in range(j, len(functions)):
            value = element.density * element.integral(left * functions[m])
            if value != 0:
                table[j, m] = names.linear(value.expand(), "inertia")
    return table


def _named_matrix(
    matrix: Expression, kind: str, names: Names
) -> dict[tuple[int, int], tuple[Rational, Symbol | None]]:
    entries = {(r, t): matrix[r, t] for r in range(matrix.rows) for t in range(matrix.cols) if matrix[r, t] != 0}
    return {at: names.linear(entry, kind) for at, entry in entries.items()}

"""Open the polynomial ring of a route: evaluate the integrals of an element and name them."""

from sympy import Integer, Rational, Symbol

from flexframe.symbolic.algebra import Names, algebra
from flexframe.symbolic.element_data import Expression, SymbolicElement
from flexframe.symbolic.fields import (
    BETA,
    BODY_LOAD,
    Field,
    FieldSpace,
    Options,
    Particle,
    coordinates,
)
from flexframe.symbolic.motions import SymbolicMotion

Linear = tuple[Rational, Symbol | None]
"""Rational factor and name."""

SignedField = tuple[dict[int, int], ...]
"""Three components, each function number → ±1."""


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


def _moments(element: SymbolicElement, functions: list[Expression], names: Names) -> dict[tuple[int, int], Linear]:
    """∫ρ φ_j φ_l dV for j ≤ l, zeros left out."""
    table = {}
    for j, left in enumerate(functions):
        for m in range(j, len(functions)):
            value = element.density * element.integral(left * functions[m])
            if value != 0:
                table[j, m] = names.linear(value.expand(), "inertia")
    return table


def _named_matrix(matrix: Expression, kind: str, names: Names) -> dict[tuple[int, int], Linear]:
    entries = {(r, t): matrix[r, t] for r in range(matrix.rows) for t in range(matrix.cols) if matrix[r, t] != 0}
    return {at: names.linear(entry, kind) for at, entry in entries.items()}

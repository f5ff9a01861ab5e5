"""Derive the equations of motion of one element by a formalism of the user's choice."""

from collections.abc import Sequence
from dataclasses import dataclass

from sympy import Add, ImmutableMatrix, Integer, Rational, Symbol, expand

from flexframe.formalisms.registry import find_formalism
from flexframe.symbolic.algebra import (
    Algebra,
    Names,
    Polynomial,
    SymbolicMotion,
    Worksheet,
    algebra,
    symbolic_motion,
)
from flexframe.symbolic.elements import (
    Expression,
    Matrix,
    SymbolicElement,
    bar,
    planar_beam,
    rectangle,
    spatial_beam,
    tetrahedron,
    triangle,
)
from flexframe.symbolic.fields import (
    BETA,
    BODY_LOAD,
    Coordinates,
    Field,
    FieldSpace,
    Options,
    Particle,
    coordinates,
)
from flexframe.symbolic.formalism import LOAD_PARTS, STIFFNESS_PARTS, Derivation, Operations, SymbolicFormalism
from flexframe.symbolic.names import GAUGES, LOADS, PLANE_STATES, check_element, check_name

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

    stiffness = {at: alg.name_multiple(entry) for at, entry in elastic.items()}
    dissipation = {at: alg.of(BETA) * entry for at, entry in stiffness.items()} if options.damping else {}
    for at, entry in geometric.items():
        stiffness[at] = stiffness.get(at, alg.zero) + alg.name_multiple(entry)
    body_load = [alg.zero] * size
    for (r, i), linear in loads.items():
        body_load[r] += alg.name_multiple(linear) * alg.of(BODY_LOAD[i])

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
        table={at: alg.name_multiple(moment) for at, moment in moments.items()},
        stiffness=stiffness,
        dissipation=dissipation,
        body_load=tuple(body_load),
        particles=tuple(
            Particle(
                mass=alg.name_multiple(mass),
                place=tuple(alg.name_multiple(x) for x in place),
                shape=tuple(tuple(alg.name_multiple(entry) for entry in row) for row in shape),
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


@dataclass(frozen=True)
class Parts:
    """Matrices by (derivative of δ, name of the part)."""

    matrices: dict[tuple[str, str], Matrix]
    size: int

    def matrix(self, factor: str, part: str) -> Matrix:
        """A (p, p) part; zero if it does not occur."""
        return self.matrices.get((factor, part), ImmutableMatrix.zeros(self.size, self.size))

    def load(self, part: str) -> Matrix:
        """A (p, 1) part with the sign of the right side."""
        left = self.matrices.get(("constant", part))
        return ImmutableMatrix.zeros(self.size, 1) if left is None else -left


def collect(rows: Sequence[Polynomial], algebra: Algebra, symbols: Coordinates, motion: SymbolicMotion) -> Parts:
    """Sort every term by what it multiplies and by its physical origin."""
    index = {symbol: i for i, symbol in enumerate(algebra.ring.symbols)}
    unknowns = {
        index[symbol]: (factor, column)
        for factor, group in (("second", symbols.second), ("rate", symbols.rate), ("delta", symbols.delta))
        for column, symbol in enumerate(group)
    }
    entries: dict[tuple[str, str], dict[tuple[int, int], list[Expression]]] = {}
    for row, polynomial in enumerate(rows):
        for monomial, coefficient in polynomial.terms():
            present = [i for i, power in enumerate(monomial) if power]
            held = [unknowns[i] for i in present if i in unknowns]
            assert len(held) <= 1, "an element equation is linear in δ, δ̇, δ̈"
            factor, column = held[0] if held else ("constant", 0)
            known = tuple(0 if i in unknowns else power for i, power in enumerate(monomial))
            part = _part(factor, {algebra.ring.symbols[i]: known[i] for i in present}, algebra, motion)
            place = entries.setdefault((factor, part), {}).setdefault((row, column), [])
            place.append(algebra.term(known, coefficient))
    size = len(rows)

    def matrix(columns: int, places: dict[tuple[int, int], list[Expression]]) -> Matrix:
        return ImmutableMatrix(size, columns, lambda r, t: expand(Add(*places.get((r, t), ()))))

    return Parts({at: matrix(1 if at[0] == "constant" else size, places) for at, places in entries.items()}, size)


def _part(factor: str, powers: dict[Symbol, int], algebra: Algebra, motion: SymbolicMotion) -> str:
    """The physical origin of a term from the motion and the kind of integral that it contains."""
    kinds = {algebra.kinds[symbol] for symbol in powers if symbol in algebra.kinds} - {"geometry"}
    spin = sum(powers.get(symbol, 0) for symbol in motion.omega if symbol is not None)
    spin_rate = sum(powers.get(symbol, 0) for symbol in motion.epsilon if symbol is not None)
    origin = sum(powers.get(symbol, 0) for symbol in motion.a_O if symbol is not None)
    damped = powers.get(BETA, 0)
    assert len(kinds) == 1, f"a term mixes {sorted(kinds)}"
    parts = {
        ("second", "inertia", 0, 0, 0, 0): "mass",
        ("rate", "inertia", 1, 0, 0, 0): "coriolis",
        ("rate", "elastic", 0, 0, 0, 1): "damping",
        ("delta", "elastic", 0, 0, 0, 0): "elastic",
        ("delta", "geometric", 0, 0, 0, 0): "geometric",
        ("delta", "inertia", 0, 1, 0, 0): "euler",
        ("delta", "inertia", 2, 0, 0, 0): "centrifugal",
        ("constant", "inertia", 0, 1, 0, 0): "euler",
        ("constant", "inertia", 2, 0, 0, 0): "centrifugal",
        ("constant", "inertia", 0, 0, 1, 0): "origin",
        ("constant", "load", 0, 0, 0, 0): "body",
    }
    signature = (factor, *kinds, spin, spin_rate, origin, damped)
    speeds = [s for s in motion.v_O if s is not None and powers.get(s)]
    assert not speeds, f"the equation contains the velocity {speeds[0]} of the origin"
    assert signature in parts, f"a term {signature} has no place in the equation of motion"
    return parts[signature]


def derive(
    element: str,
    motion: str = "planar",
    formalism: str = "lagrange",
    *,
    plane_state: str = "stress",
    prestress: bool = False,
    damping: bool = False,
    load: str = "none",
    varying: tuple[str, ...] | None = None,
    gauge: str = "natural",
) -> Derivation:
    """The equations of motion of one finite element in a moving frame.

    `prestress` adds the geometric stiffness of a constant axial force or stress, `damping` a force −β k δ̇, and
    `load="body"` a uniform force density p_V in frame components. `varying` names the data that change in time in
    the frame, among "omega", "a_O" and "load"; by default ω and a_O do, except where a formalism exists only
    for constant data. `gauge` belongs to Hamilton.

    Parameters
    ----------
    element
        Name of the element, such as "bar" or "planar_beam".
    motion
        "planar" or "spatial" motion of the frame.
    formalism
        Name of the formalism, see `flexframe derive --help`.
    plane_state
        Plane "stress" or "strain", for plane elements.
    prestress, damping, load
        Terms to include.
    varying
        Data that change in time.
    gauge
        Which momenta Hamilton's route takes.

    Returns
    -------
    Derivation
        Symbolic M, C, K and f with every step; `latex()`, `python()` and `c()` write them.

    Examples
    --------
    >>> ff.derive("bar").mass.shape
    (4, 4)
    """
    entry = find_formalism(formalism)
    gauge = check_name(gauge, GAUGES, "gauge")
    load = check_name(load, LOADS, "load")
    form: SymbolicFormalism = entry.form("symbolic")
    form = form.with_gauge(gauge)
    frame = symbolic_motion(motion, form.varying if varying is None else varying)
    data = symbolic_element(element, space=frame.space, plane_state=plane_state)
    options = Options(prestress=prestress, damping=damping, load=load == "body")
    sheet = Worksheet()
    form.require(frame, options)
    space = field_space(data, frame, options, form.symbols(len(data.dofs)), broken=form.broken)
    route = form.route(space, sheet)
    parts = collect(route.rows, route.algebra, space.symbols, frame)
    stiffness = {name: parts.matrix("delta", name) for name in STIFFNESS_PARTS}
    loads = {name: parts.load(name) for name in LOAD_PARTS}
    return Derivation(
        element=data,
        motion=frame,
        formalism=entry.name,
        mass=parts.matrix("second", "mass"),
        coriolis=parts.matrix("rate", "coriolis"),
        damping=parts.matrix("rate", "damping"),
        stiffness={n: part for n, part in stiffness.items() if n != "geometric" or prestress},
        load={n: part for n, part in loads.items() if n != "body" or options.load},
        state=route.state,
        steps=route.steps,
        operations=Operations(tuple(sheet.primitives)),
        parameters=_parameters(data, options),
        conditions=route.conditions,
    )


def symbolic_element(name: str, *, space: str = "planar", plane_state: str = "stress") -> SymbolicElement:
    """The data of an element; a bar has two or three displacement components a node, as its motion has."""
    name = check_element(name)
    plane_state = check_name(plane_state, PLANE_STATES, "plane state")
    if name == "bar":
        return bar(spatial=space == "spatial")
    if name == "planar_beam":
        return planar_beam()
    if name == "spatial_beam":
        return spatial_beam()
    if name == "triangle":
        return triangle(plane_state)
    if name == "rectangle":
        return rectangle(plane_state)
    return tetrahedron()


def _parameters(element: SymbolicElement, options: Options) -> tuple[Symbol, ...]:
    """Symbols of the matrices beside the motion, in the order of a function's arguments."""
    in_use = [
        p for i, p in enumerate(BODY_LOAD) if any(element.shape[i, r] != 0 for r in range(len(element.dofs)))
    ]
    return (
        *element.parameters,
        *(element.prestress if options.prestress else ()),
        *((BETA,) if options.damping else ()),
        *(in_use if options.load else ()),
    )

"""The planar geometrically exact beam with two nodes, as formulas: strains, energies, forces, inertia.

Its coordinates q = (x₁, y₁, θ₁, x₂, y₂, θ₂) are those of both sections in space, of any size. Between them the
section turns evenly and its centre follows an arc. With φ = θ₂ − θ₁ and c the vector from node 1 to node 2

    U = (φ/2)/sin(φ/2) R(−(θ₁ + θ₂)/2) c,     r(ξ) = r₁ + sin(ξφ/2)/sin(φ/2) R(−(1 − ξ)φ/2) c,

the logarithm of the motion from one section to the other and the screw between them, written out in the plane. The
strains are (U₁/L − 1, U₂/L, φ/L), constant along the element, and its mass is that of two sections of Gauss.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import (
    Function,
    ImmutableMatrix,
    Matrix,
    Rational,
    S,
    Symbol,
    cos,
    cse,
    expand,
    latex,
    numbered_symbols,
    sin,
    sqrt,
    symbols,
)
from sympy.printing.pycode import PythonCodePrinter

from flexframe.errors import InputError
from flexframe.formalisms.registry import find_formalism, formalism_named
from flexframe.symbolic.elements import Expression
from flexframe.symbolic.formalism import SymbolicFormalism
from flexframe.symbolic.names import EXACT_BEAM as NAME
from flexframe.symbolic.whittaker import ENERGY, SPEED, surface_factors

COORDINATES = symbols("x_1 y_1 theta_1 x_2 y_2 theta_2", real=True)
RATES = symbols("vx_1 vy_1 omega_1 vx_2 vy_2 omega_2", real=True)
SECOND = symbols("ax_1 ay_1 epsilon_1 ax_2 ay_2 epsilon_2", real=True)
PARAMETERS = symbols("EA GA EI rhoA rhoI L", positive=True)
WITHOUT_ENERGY = "partial velocities"
GAUSS = (Rational(1, 2) - sqrt(3) / 6, Rational(1, 2) + sqrt(3) / 6)


@dataclass(frozen=True)
class ExactBeamDerivation:
    """M(q) q̈ + h(q, q̇) + f(q) = forces on the nodes, of one planar exact beam; φ = θ₂ − θ₁ = 0 is a limit."""

    formalism: str
    strains: Any  # (Γ₁, Γ₂, κ): (3, 1)
    strain_energy: Expression
    resistance: Any  # f = ∂V/∂q: (6, 1)
    places: tuple[Any, ...]  # centres of the two sections of Gauss: (2, 1) each
    primitive: (
        Expression  # T of Lagrange and Maggi, H − V of Hamilton, S of Gibbs–Appell, L* of Whittaker, none of Kane
    )
    mass: Any  # (6, 6)
    inertia: Any  # h: (6, 1)

    def latex(self, *, document: bool = False) -> str:
        """The derivation as LaTeX (amsmath)."""
        return _latex(self, document=document)

    def python(self) -> str:
        """Source of a function (q, rates, parameters) → (M, h, f) that needs NumPy only."""
        return _python(self)


def derive_exact_beam(formalism: str = "lagrange") -> ExactBeamDerivation:
    """The planar exact beam by a formalism: lagrange, gibbs_appell, kane, maggi, hamilton or whittaker.

    Strain forces are ∂V/∂q by the routes of energies, and work along ∂ε/∂q by Kane's.
    """
    entry = find_formalism(formalism)
    form: SymbolicFormalism = entry.form("symbolic")
    if form.beam_route not in _ROUTES:
        raise InputError(
            f"{entry.name} has no symbolic route to {NAME}; choose another formalism",
            field="formalism",
        )
    EA, GA, EI, _, _, L = PARAMETERS
    strains = _strains()
    stiffness = Matrix([[EA, 0, 0], [0, GA, 0], [0, 0, EI]])
    energy = L * (strains.T * stiffness * strains)[0] / 2
    if form.beam_route == WITHOUT_ENERGY:
        resistance = L * strains.jacobian(COORDINATES).T * stiffness * strains
    else:
        resistance = Matrix([energy.diff(q) for q in COORDINATES])
    places = tuple(_place(xi) for xi in GAUSS)
    primitive, mass, inertia = _ROUTES[form.beam_route](places)
    return ExactBeamDerivation(
        formalism=entry.name,
        strains=ImmutableMatrix(strains),
        strain_energy=energy,
        resistance=ImmutableMatrix(resistance),
        places=tuple(ImmutableMatrix(place) for place in places),
        primitive=primitive,
        mass=ImmutableMatrix(mass),
        inertia=ImmutableMatrix(inertia),
    )


def _rotate(angle: Expression, vector: Any) -> Any:
    return Matrix([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]]) * vector


def _strains() -> Any:
    x1, y1, t1, x2, y2, t2 = COORDINATES
    L, phi = PARAMETERS[-1], t2 - t1
    U = phi / 2 / sin(phi / 2) * _rotate(-(t1 + t2) / 2, Matrix([x2 - x1, y2 - y1]))
    return Matrix([U[0] / L - 1, U[1] / L, phi / L])


def _place(xi: Expression) -> Any:
    x1, y1, t1, x2, y2, t2 = COORDINATES
    phi = t2 - t1
    share = sin(xi * phi / 2) / sin(phi / 2)
    return Matrix([x1, y1]) + share * _rotate(-(1 - xi) * phi / 2, Matrix([x2 - x1, y2 - y1]))


def _sections(places: tuple[Any, ...]) -> list[tuple[Any, Any]]:
    """(x, y, θ) of each section as functions of q, and its mass ½L (ρA, ρA, ρI)."""
    _, _, _, rhoA, rhoI, L = PARAMETERS
    t1, t2 = COORDINATES[2], COORDINATES[5]
    weights = L / 2 * Matrix([[rhoA, 0, 0], [0, rhoA, 0], [0, 0, rhoI]])
    return [(Matrix([*place, (1 - xi) * t1 + xi * t2]), weights) for place, xi in zip(places, GAUSS, strict=True)]


def _rate(field: Any) -> Any:
    """d/dt at q̈ = 0."""
    return sum((field.diff(q) * v for q, v in zip(COORDINATES, RATES, strict=True)), field * 0)


def _kinetic_energy(places: tuple[Any, ...]) -> tuple[Expression, Any, Any]:
    """d/dt ∂T/∂q̇ − ∂T/∂q."""
    velocities = [(_rate(section), weights) for section, weights in _sections(places)]
    kinetic = sum((v.T * w * v)[0] / 2 for v, w in velocities)
    momenta, pull, mass = Matrix.zeros(6, 1), Matrix.zeros(6, 1), Matrix.zeros(6, 6)
    for v, w in velocities:  # by the chain rule, which keeps T short
        by_rate = v.jacobian(RATES)
        momenta += by_rate.T * w * v
        mass += by_rate.T * w * by_rate
        pull += v.jacobian(COORDINATES).T * w * v
    return kinetic, mass, _rate(momenta) - pull


def _acceleration_energy(places: tuple[Any, ...]) -> tuple[Expression, Any, Any]:
    """∂S/∂q̈ with S = ½ Σ w |r̈|²."""
    total: Expression = 0
    mass, inertia, still = Matrix.zeros(6, 6), Matrix.zeros(6, 1), dict.fromkeys(SECOND, 0)
    for section, weights in _sections(places):
        acceleration = _rate(_rate(section)) + section.jacobian(COORDINATES) * Matrix(SECOND)
        total += (acceleration.T * weights * acceleration)[0] / 2
        by_second = acceleration.jacobian(SECOND)
        mass += by_second.T * weights * by_second
        inertia += by_second.T * weights * acceleration.subs(still)
    return total, mass, inertia


def _partial_velocities(places: tuple[Any, ...]) -> tuple[Expression, Any, Any]:
    """Σ Gᵀw r̈ with the partial velocities G = ∂ṙ/∂q̇ and r̈ = G q̈ + Ġ q̇."""
    mass, inertia = Matrix.zeros(6, 6), Matrix.zeros(6, 1)
    for section, weights in _sections(places):
        partial = section.jacobian(COORDINATES)
        mass += partial.T * weights * partial
        inertia += partial.T * weights * (_rate(partial) * Matrix(RATES))
    return None, mass, inertia


def _broken_equations(places: tuple[Any, ...]) -> tuple[Expression, Any, Any]:
    """Bᵀ[d/dt ∂T/∂ṡ − ∂T/∂s] with T = ½ Σ w ṡ² of sections that nothing joins, and ṡ = B q̇ that joins them."""
    mass, inertia, energy = Matrix.zeros(6, 6), Matrix.zeros(6, 1), S.Zero
    for number, (section, weights) in enumerate(_sections(places), start=1):
        free = Matrix(symbols(f"x_s{number}' y_s{number}' theta_s{number}'"))
        energy += (free.T * weights * free)[0] / 2
        momenta = Matrix([energy.diff(rate) for rate in free])  # of the free section: w ṡ
        W, B = momenta.jacobian(free), section.jacobian(COORDINATES)
        mass += B.T * W * B
        inertia += B.T * W * (_rate(B) * Matrix(RATES))
    return energy, mass, inertia


def _mass(places: tuple[Any, ...]) -> Any:
    """M = Σ Bᵀw B."""
    mass = Matrix.zeros(6, 6)
    for section, weights in _sections(places):
        B = section.jacobian(COORDINATES)
        mass += B.T * weights * B
    return mass


def _canonical(places: tuple[Any, ...]) -> tuple[Expression, Any, Any]:
    """ṗ + ∂(H − V)/∂q of H = ½ pᵀM⁻¹p + V, p = M q̇ left to be solved: ∂(H − V)/∂q = −½ q̇ᵀ(∂M/∂q) q̇."""
    mass, rates = _mass(places), Matrix(RATES)
    slopes = [mass.diff(q) for q in COORDINATES]
    change = sum((slope * rate for slope, rate in zip(slopes, RATES, strict=True)), mass * 0)  # Ṁ
    pull = Matrix([(rates.T * slope * rates)[0] / 2 for slope in slopes])
    return (rates.T * mass * rates)[0] / 2, mass, change * rates - pull


def _reduced_function(places: tuple[Any, ...]) -> tuple[Expression, Any, Any]:
    """d/dτ ∂L*/∂z' − ∂L*/∂z with τ = x₁, L* = √(2(h − V)α), α = wᵀMw, w = (1, z'), and the energy integral for τ.

    The entries of M and V stay unknown functions of q until τ̇ has cancelled, so that what is found holds where x₁
    rests, too.
    """
    entries = [[Function(f"M_{min(i, j)}{max(i, j)}")(*COORDINATES) for j in range(6)] for i in range(6)]
    potential = Function("V")(*COORDINATES)
    slopes = symbols("y_1' theta_1' x_2' y_2' theta_2'", real=True)  # z'
    w = Matrix([1, *slopes])
    alpha = (w.T * Matrix(entries) * w)[0]
    (speed, *others), (second, *bends) = RATES, SECOND
    by_alpha, by_free, bend = (factor.xreplace({SPEED: speed}) for factor in surface_factors())

    def in_time(expression: Expression) -> Expression:
        """With z' = ż/τ̇."""
        return expand(expression.xreplace({s: rate / speed for s, rate in zip(slopes, others, strict=True)}))

    rows = []
    for value, slope in zip(COORDINATES[1:], slopes, strict=True):
        momentum = alpha.diff(slope)
        along = sum(momentum.diff(q) * step for q, step in zip(COORDINATES, w, strict=True))  # d/dτ
        along += sum(
            momentum.diff(s) * (bent - s * second) / speed**2 for s, bent in zip(slopes, bends, strict=True)
        )  # z'' = (z̈ − z' τ̈)/τ̇²
        pull = by_alpha * alpha.diff(value) - by_free * potential.diff(value)
        rows.append(in_time(speed * (bend * second * momentum + by_alpha * along - pull)))
    energy = in_time(speed**2 * alpha / 2 + potential)
    power = _rate(energy) + sum(energy.diff(rate) * a for rate, a in zip(RATES, SECOND, strict=True))
    power -= sum(rate * row for rate, row in zip(others, rows, strict=True))
    rows.insert(0, expand(power / speed))

    mass = _mass(places)
    known = {entries[i][j]: mass[i, j] for i in range(6) for j in range(i, 6)}
    changes = {name.diff(q): value.diff(q) for name, value in known.items() for q in COORDINATES}
    forces = Matrix([row - potential.diff(q) for row, q in zip(rows, COORDINATES, strict=True)])
    own, inertia = forces.jacobian(SECOND).xreplace(known), forces.xreplace(dict.fromkeys(SECOND, S.Zero))
    return sqrt(2 * (ENERGY - potential) * alpha.xreplace(known)), own, inertia.xreplace(changes)


_ROUTES: dict[str, Callable[[tuple[Any, ...]], tuple[Expression, Any, Any]]] = {
    "kinetic energy": _kinetic_energy,
    "energy of accelerations": _acceleration_energy,
    WITHOUT_ENERGY: _partial_velocities,
    "broken element": _broken_equations,
    "canonical equations": _canonical,
    "reduced function": _reduced_function,
}


def _short(expression: Expression) -> tuple[list[tuple[Symbol, Expression]], list[Expression]]:
    entries = list(expression) if getattr(expression, "is_Matrix", False) else [expression]
    replaced, reduced = cse(entries, symbols=numbered_symbols("s"), order="canonical")
    return replaced, list(reduced)


def _latex(made: ExactBeamDerivation, *, document: bool) -> str:
    phi = r"\varphi=\theta_2-\theta_1"
    lines = [
        rf"\section*{{Planar geometrically exact beam; {formalism_named(made.formalism).title}}}",
        r"Coordinates of both sections in space: \(x_1,y_1,\theta_1,x_2,y_2,\theta_2\), of any size. "
        rf"\({phi}=0\) is a limit. \(GA\) is the shear stiffness of the element, "
        r"\(1/(1/\kappa GA+L^2/12EI)\).",
        rf"\paragraph{{Strains.}}\[\boldsymbol\varepsilon={latex(made.strains)}\]",
        rf"\paragraph{{Strain energy.}}\[V={latex(made.strain_energy)}\]",
        r"\paragraph{Forces of the strain, \(\partial V/\partial\boldsymbol q\).}With",
        *_code_lines("f", made.resistance),
        r"\paragraph{Centres of the sections of Gauss.}",
        *(rf"\[\boldsymbol r_{{{n}}}={latex(place)}\]" for n, place in enumerate(made.places, start=1)),
        r"\paragraph{Inertia, \(\mathbf M\ddot{\boldsymbol q}+\boldsymbol h\) by two sections of Gauss.}With",
        *_code_lines("h", made.inertia),
        *_code_lines("M", made.mass),
    ]
    body = "\n".join(lines) + "\n"
    if not document:
        return body
    head = r"\documentclass[10pt]{article}" + "\n" + r"\usepackage{amsmath,amssymb}"
    paper = r"\usepackage[a3paper,landscape,margin=15mm]{geometry}"
    return f"{head}\n{paper}\n\\begin{{document}}\n{body}\\end{{document}}\n"


def _code_lines(name: str, matrix: Any) -> list[str]:
    """Common subexpressions, then the entries that are not zero."""
    replaced, reduced = _short(matrix)
    lines = [rf"\[{latex(symbol)}={latex(value)}\]" for symbol, value in replaced]
    for number, value in enumerate(reduced):
        row, column = divmod(number, matrix.cols)
        place = f"{row + 1}" if matrix.cols == 1 else f"{row + 1}{column + 1}"
        if value != 0 and column >= (row if matrix.cols > 1 else 0):
            lines.append(rf"\[{name}_{{{place}}}={latex(value)}\]")
    return lines


def _python(made: ExactBeamDerivation) -> str:
    printer = PythonCodePrinter({"fully_qualified_modules": True})
    entries = [*made.mass, *made.inertia, *made.resistance]
    replaced, reduced = cse(entries, symbols=numbered_symbols("tmp"), order="canonical")
    names = ", ".join(str(symbol) for symbol in PARAMETERS)
    lines = [
        "import math",
        "",
        "import numpy as np",
        "",
        "",
        f"def {NAME}_{made.formalism}(q, rates, {names}):",
        '    """M q\'\' + h + f = forces on the nodes, of one planar geometrically exact beam.',
        "",
        "    q = x_1, y_1, theta_1, x_2, y_2, theta_2 in space, of any size; theta_2 = theta_1 is a limit.",
        "    GA is the shear stiffness of the element, 1/(1/(kappa*G*A) + L**2/(12*EI)).",
        "    Returns M (6, 6), h (6,), f (6,).",
        '    """',
        f"    {', '.join(str(s) for s in COORDINATES)} = q",
        f"    {', '.join(str(s) for s in RATES)} = rates",
        *(f"    {symbol} = {printer.doprint(value)}" for symbol, value in replaced),
        "    entries = np.array([",
        *(f"        {printer.doprint(value)}," for value in reduced),
        "    ])",
        "    return entries[:36].reshape(6, 6), entries[36:42], entries[42:]",
    ]
    return "\n".join(lines) + "\n"

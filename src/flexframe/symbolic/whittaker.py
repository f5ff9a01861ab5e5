"""Whittaker: the energy integral eliminates time, and δ_1 = τ becomes the independent variable.

With δ̇ = τ̇ (1, z'), Ω(τ, z, τ̇, z') = L and the integral τ̇ Ω_τ̇ − Ω = h, the reduced function L* = Ω_τ̇, taken at
the τ̇ of that integral, obeys d/dτ ∂L*/∂z' − ∂L*/∂z = 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from sympy import Expr, Symbol, simplify, sqrt, symbols

from flexframe.errors import AnalysisError
from flexframe.symbolic.algebra import Polynomial, SymbolicMotion, Worksheet
from flexframe.symbolic.fields import FieldSpace, Options
from flexframe.symbolic.formalism import Route, Step, SymbolicFormalism, invariant_lagrangian, show_primitive

ENERGY = Symbol("h", real=True)
SPEED = Symbol("taudot", positive=True)  # τ̇ of the energy integral
PER_SPEED = Symbol("_per_taudot", positive=True)  # 1/τ̇
CONDITIONS = (
    "ω is constant in the frame, so ε = ω̇ = 0",
    "a_O is constant in the frame",
    "loads are constant in the frame and there is no damping",
    "τ = δ_1 moves: where τ̇ = 0 another coordinate must be taken",
)


def slope_symbols(count: int) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]]:
    """z'_i and z''_i for i = 2 … p."""
    first = tuple(Symbol(f"delta'_{i}", real=True) for i in range(2, count + 1))
    second = tuple(Symbol(f"delta''_{i}", real=True) for i in range(2, count + 1))
    return first, second


def refuse_time_dependence(motion: SymbolicMotion, options: Options) -> None:
    """Raise unless the energy integral exists; the message names every term that stands in the way."""
    reasons = []
    if "omega" in motion.varying:
        reasons.append("ω̇ = ε (ω varies in the frame; it enters c(ω), k(ω²), k(ε) and their loads)")
    if "a_O" in motion.varying:
        reasons.append("ȧ_O (the acceleration of the origin varies in the frame; it enters m_O a_O)")
    if options.load and "load" in motion.varying:
        reasons.append("p(t) (a load that varies in the frame is non-potential: no V(δ) without time gives it)")
    if options.damping:
        reasons.append("β k δ̇ (damping: energy is not conserved)")
    if reasons:
        raise AnalysisError(
            "Whittaker's reduction needs the energy integral of a Lagrangian without time, which is lost through "
            + "; ".join(reasons)
            + ". Hold these data constant in the frame, or choose another formalism"
        )


@dataclass(frozen=True)
class _Reduced:
    """Ω = ½ τ̇² α + τ̇ γ − V, with α = wᵀMw, γ = wᵀg, w = (1, z')."""

    alpha: Polynomial
    gamma: Polynomial
    potential: Polynomial


@dataclass(frozen=True)
class Whittaker(SymbolicFormalism):
    """d/dτ ∂L*/∂z' − ∂L*/∂z = 0, where τ = δ_1 and L* is the reduced function."""

    beam_route: ClassVar[str] = "reduced function"

    varying: ClassVar[tuple[str, ...]] = ()  # it exists only for constant data

    def require(self, motion: SymbolicMotion, options: Options) -> None:
        """The energy integral must exist."""
        refuse_time_dependence(motion, options)

    def symbols(self, size: int) -> tuple[Symbol, ...]:
        """h, 1/τ̇, z' and z''."""
        first, second = slope_symbols(size)
        return (ENERGY, PER_SPEED, *first, *second)

    def route(self, space: FieldSpace, sheet: Worksheet) -> Route:
        """Form Ω, the energy integral and L* = √(2(h − V)α) + γ; its Euler–Lagrange equations; back to time.

        L* depends on z, z' through α, γ and U = h − V; SymPy differentiates √(2Uα) by α and U, and α, γ, U by τ, z
        and z'. The equation of τ comes from the energy integral, whose rate is the sum of all equations times
        speeds.
        """
        alg = space.algebra
        first, second = (alg.many(group) for group in slope_symbols(len(space.delta)))
        speed, others = space.rate[0], space.rate[1:]

        lagrangian = invariant_lagrangian(space, sheet)
        omega = lagrangian.compose([(rate, speed * slope) for rate, slope in zip(others, first, strict=True)])
        integral = speed * sheet.derivative(omega, speed) - omega
        sheet.note_primitive("energy integral", [integral])
        reduced = _split_powers(space, omega, integral)

        along = dict(zip(space.delta, (alg.one, *first), strict=True))  # d/dτ
        along.update(zip(first, second, strict=True))
        to_time = _time_substitution(space, first, second)
        rows = []
        for slope, value in zip(first, space.delta[1:], strict=True):
            equation = _euler_lagrange(space, sheet, reduced, pair=(value, slope), along=along)
            rows.append(_cancel(space, (equation * speed).compose(to_time)))
        sheet.note_primitive("Euler–Lagrange equations of L*", rows)

        energy = _cancel(space, integral.compose(to_time))
        power = sheet.total_rate(energy, space.local_rates())
        for rate, row in zip(others, rows, strict=True):
            power -= rate * row
        rows.insert(0, _cancel(space, power * alg.of(PER_SPEED)))
        sheet.note_primitive("equation of τ from the energy integral", rows[:1])
        slopes, _ = slope_symbols(len(space.delta))
        return Route(
            rows=tuple(rows),
            algebra=alg,
            steps=_steps(space, lagrangian, integral, reduced),
            state=(*space.symbols.delta, *slopes),
            conditions=CONDITIONS,
        )


def _split_powers(space: FieldSpace, omega: Polynomial, integral: Polynomial) -> _Reduced:
    """α, γ, V by powers of τ̇; the integral ½τ̇²α + V has no first power, so it gives τ̇ at once."""
    place = space.algebra.ring.index(space.rate[0])
    powers: dict[int, dict[tuple[int, ...], object]] = {0: {}, 1: {}, 2: {}}
    for monomial, coefficient in omega.terms():
        rest = (*monomial[:place], 0, *monomial[place + 1 :])
        powers[monomial[place]][rest] = coefficient
    quadratic, linear, static = (space.algebra.ring.from_dict(powers[power]) for power in (2, 1, 0))
    speed = space.rate[0]
    assert integral == quadratic * speed**2 - static, "the gyroscopic term drops out of the energy integral"
    return _Reduced(alpha=quadratic * 2, gamma=linear, potential=-static)


@cache
def surface_factors() -> tuple[Expr, Expr, Expr]:
    """∂√(2Uα)/∂α, ∂√(2Uα)/∂U and (d/dτ ∂√(2Uα)/∂α)/τ̈ on the energy surface U = ½τ̇²α, functions of τ̇ only."""
    U, alpha = symbols("U alpha", positive=True)
    U_slope, alpha_slope = symbols("U_slope alpha_slope", real=True)
    root = sqrt(2 * U * alpha)

    def along(function: Expr) -> Expr:
        return function.diff(U) * U_slope + function.diff(alpha) * alpha_slope

    tau_rate = sqrt(2 * U / alpha)
    tau_second = tau_rate * along(tau_rate)
    factors = (root.diff(alpha), root.diff(U), along(root.diff(alpha)) / tau_second)
    found = tuple(simplify(simplify(f).subs(U, SPEED**2 * alpha / 2)) for f in factors)
    assert all(f.free_symbols == {SPEED} for f in found)
    return found


def _euler_lagrange(
    space: FieldSpace,
    sheet: Worksheet,
    reduced: _Reduced,
    *,
    pair: tuple[Polynomial, Polynomial],
    along: dict[Polynomial, Polynomial],
) -> Polynomial:
    """d/dτ ∂L*/∂z' − ∂L*/∂z for one pair (z, z'), on the energy surface, with 1/τ̇ as a generator."""
    alg, second = space.algebra, space.second[0]
    value, slope = pair
    by_alpha, by_U, bend = (_in_ring(space, factor) for factor in surface_factors())
    alpha_slope = sheet.derivative(reduced.alpha, slope)
    gamma_slope = sheet.derivative(reduced.gamma, slope)
    momentum_rate = (
        bend * second * alpha_slope
        + by_alpha * sheet.total_rate(alpha_slope, along)
        + sheet.total_rate(gamma_slope, along)
    )
    free_energy = alg.of(ENERGY) - reduced.potential  # U
    pull = (
        by_alpha * sheet.derivative(reduced.alpha, value)
        + by_U * sheet.derivative(free_energy, value)
        + sheet.derivative(reduced.gamma, value)
    )
    return momentum_rate - pull


def _in_ring(space: FieldSpace, factor: Expr) -> Polynomial:
    """c τ̇ⁿ, n = ±1, as a polynomial in τ̇ and 1/τ̇."""
    coefficient, power = factor.as_coeff_Mul()
    exponent = power.as_base_exp()[1]
    generator = space.rate[0] if exponent > 0 else space.algebra.of(PER_SPEED)
    return generator ** abs(int(exponent)) * space.algebra.ring.domain.from_sympy(coefficient)


def _time_substitution(
    space: FieldSpace, first: Sequence[Polynomial], second: Sequence[Polynomial]
) -> list[tuple[Polynomial, Polynomial]]:
    """z' = ż/τ̇, z'' = (z̈ − z' τ̈)/τ̇²."""
    per = space.algebra.of(PER_SPEED)
    pairs = []
    for i, (slope, bend) in enumerate(zip(first, second, strict=True), start=1):
        pairs.append((slope, space.rate[i] * per))
        pairs.append((bend, (space.second[i] - space.rate[i] * per * space.second[0]) * per**2))
    return pairs


def _cancel(space: FieldSpace, polynomial: Polynomial) -> Polynomial:
    """Cancel τ̇ against 1/τ̇."""
    ring = space.algebra.ring
    up, down = ring.index(space.rate[0]), ring.index(space.algebra.of(PER_SPEED))
    terms: dict[tuple[int, ...], object] = {}
    for monomial, coefficient in polynomial.terms():
        powers = list(monomial)
        common = min(powers[up], powers[down])
        powers[up] -= common
        powers[down] -= common
        key = tuple(powers)
        terms[key] = terms.get(key, 0) + coefficient
    return ring.from_dict({key: c for key, c in terms.items() if c})


def _steps(space: FieldSpace, lagrangian: Polynomial, integral: Polynomial, reduced: _Reduced) -> tuple[Step, ...]:
    expression = space.algebra.expression
    alpha, gamma, potential = (expression(p) for p in (reduced.alpha, reduced.gamma, reduced.potential))
    return (
        show_primitive(
            space,
            "Lagrangian without time",
            lagrangian,
            r"L=T-T_0-\frac{d}{dt}(\boldsymbol\delta^T\boldsymbol s)-V",
        ),
        show_primitive(
            space,
            "energy integral",
            integral,
            r"\tau=\delta_1,\quad\dot{\boldsymbol\delta}=\dot\tau\,\boldsymbol w,\quad"
            r"\boldsymbol w=(1,\boldsymbol z'),\quad"
            r" h=\dot\tau\,\Omega_{\dot\tau}-\Omega",
        ),
        Step("quadratic form of the mass matrix", alpha, r"\alpha=\boldsymbol w^T\mathbf m\boldsymbol w"),
        Step("gyroscopic function", gamma, r"\gamma=\boldsymbol w^T\mathbf c\boldsymbol\delta"),
        Step("potential", potential, r"V"),
        Step(
            "time from the energy integral",
            sqrt(2 * (ENERGY - potential) / alpha),
            r"\dot\tau=\sqrt{2(h-V)/\alpha}",
            factored=True,
        ),
        Step(
            "reduced function, whose Euler–Lagrange equations in τ are the equations of motion",
            sqrt(2 * (ENERGY - potential) * alpha) + gamma,
            r"L^*=\sqrt{2(h-V)\alpha}+\gamma",
            factored=True,
        ),
    )

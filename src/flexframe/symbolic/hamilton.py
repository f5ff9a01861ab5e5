"""Hamilton: δ̇ = ∂H/∂p, ṗ = −∂H/∂δ."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from sympy import Add, ImmutableMatrix, Rational, Symbol
from sympy.polys.matrices import DomainMatrix

from flexframe.symbolic.algebra import Polynomial, Worksheet
from flexframe.symbolic.elements import Matrix
from flexframe.symbolic.fields import HALF, FieldSpace
from flexframe.symbolic.formalism import (
    Route,
    Step,
    SymbolicFormalism,
    invariant_lagrangian,
    kinetic_energy,
    shown_list,
    without,
)


def momentum_symbols(count: int) -> tuple[Symbol, ...]:
    """p_1 … p_p."""
    return tuple(Symbol(f"p_{r + 1}", real=True) for r in range(count))


def inverse_symbols(count: int) -> dict[tuple[int, int], Symbol]:
    """n_rt, the entries r ≤ t of the inverse mass matrix."""
    return {(r, t): Symbol(f"n_{{{r + 1},{t + 1}}}", real=True) for r in range(count) for t in range(r, count)}


@dataclass(frozen=True)
class _Canonical:
    """The pieces of H = ½ uᵀ n u − L₀, u = p − ∂L₁/∂δ̇, and its gradients."""

    momentum: tuple[Polynomial, ...]  # p(δ, δ̇)
    relative: tuple[Polynomial, ...]  # u(δ, p)
    inverse: Mapping[tuple[int, int], Polynomial]  # n_rt, r ≤ t
    static: Polynomial  # L₀
    speeds: tuple[Polynomial, ...]  # ∂H/∂p
    forces: tuple[Polynomial, ...]  # −∂H/∂δ


@dataclass(frozen=True)
class Hamilton(SymbolicFormalism):
    """δ̇ = ∂H/∂p, ṗ = −∂H/∂δ, where H = p·δ̇ − L."""

    beam_route: ClassVar[str] = "canonical equations"  # p = M q̇ is left to be solved

    gauge: str = "natural"

    def with_gauge(self, gauge: str) -> "Hamilton":
        return Hamilton(gauge)

    def symbols(self, size: int) -> tuple[Symbol, ...]:
        """Momenta and the entries of the inverse mass matrix."""
        return (*momentum_symbols(size), *inverse_symbols(size).values())

    def route(self, space: FieldSpace, sheet: Worksheet) -> Route:
        """Form L, p = ∂L/∂δ̇, the Legendre transform H(δ, p, t) and the canonical equations.

        L = L₂ + L₁ + L₀ by degree in δ̇, so p = mδ̇ + ∂L₁/∂δ̇, H = L₂ − L₀ with δ̇ = n(p − ∂L₁/∂δ̇), n = m⁻¹. The
        natural gauge takes L = T − V (needs v_O and ω); the invariant one takes d/dt(δᵀs) away first (needs ω, ε,
        a_O). Putting the first canonical equation into the second gives back the second-order form.
        """
        if self.gauge == "natural":
            kinetic = kinetic_energy(space)
            sheet.note_primitive("kinetic energy", [kinetic])
            lagrangian = kinetic - space.potential()
        else:
            lagrangian = invariant_lagrangian(space, sheet)

        momentum = sheet.gradient(lagrangian, space.rate)
        sheet.note_primitive("momenta", momentum)
        shift = tuple(without(p, space.rate, space.algebra) for p in momentum)  # ∂L₁/∂δ̇
        conjugate = space.algebra.many(momentum_symbols(len(momentum)))
        inverse = _inverse(space, momentum, sheet)
        relative = tuple(p - s for p, s in zip(conjugate, shift, strict=True))
        static = without(lagrangian, space.rate, space.algebra)  # L₀
        hamiltonian = _quadratic(relative, inverse, space) * HALF - static
        sheet.note_primitive("Hamiltonian", [hamiltonian])

        speeds = sheet.gradient(hamiltonian, conjugate)
        forces = tuple(-g for g in sheet.gradient(hamiltonian, space.delta))
        sheet.note_primitive("canonical equations", (*speeds, *forces))
        rates = space.local_rates()
        rows = []
        for r, (p, force, damped) in enumerate(zip(momentum, forces, space.damping_force(), strict=True)):
            remainder, carried = force, space.algebra.zero
            for t, s in enumerate(shift):
                coupling = s.diff(space.delta[r])
                remainder -= coupling * speeds[t]
                carried += coupling * space.rate[t]
            rows.append(sheet.total_rate(p, rates) - remainder - carried - damped)
        sheet.note_primitive("second-order form", rows)
        return Route(
            rows=tuple(rows),
            algebra=space.algebra,
            steps=_steps(space, self.gauge, _Canonical(momentum, relative, inverse, static, speeds, forces)),
            state=(*space.symbols.delta, *momentum_symbols(len(momentum))),
        )


def _inverse(
    space: FieldSpace, momentum: tuple[Polynomial, ...], sheet: Worksheet
) -> dict[tuple[int, int], Polynomial]:
    """Entries of n = m⁻¹ that can differ from zero: those inside a coupled block of m = ∂p/∂δ̇."""
    size = len(momentum)
    block = list(range(size))
    for r, p in enumerate(momentum):
        for t in range(r + 1, size):
            if sheet.derivative(p, space.rate[t]) and block[r] != block[t]:
                old, new = block[t], block[r]
                block = [new if b == old else b for b in block]
    names = inverse_symbols(size)
    return {at: space.algebra.of(name) for at, name in names.items() if block[at[0]] == block[at[1]]}


def _quadratic(
    vector: tuple[Polynomial, ...], matrix: Mapping[tuple[int, int], Polynomial], space: FieldSpace
) -> Polynomial:
    """vectorᵀ matrix vector, the matrix given by its upper half."""
    total = space.algebra.zero
    for (r, t), entry in matrix.items():
        total += entry * (vector[r] * vector[t]) * (1 if r == t else 2)
    return total


def _steps(space: FieldSpace, gauge: str, parts: _Canonical) -> tuple[Step, ...]:
    expression = space.algebra.expression
    differences = [expression(u) for u in parts.relative]
    momentum = parts.momentum
    kinetic = Add(
        *(
            Rational(1 if r == t else 2, 2) * expression(entry) * differences[r] * differences[t]
            for (r, t), entry in parts.inverse.items()
        )
    )
    mass = ImmutableMatrix(len(momentum), len(momentum), lambda r, t: expression(momentum[r].diff(space.rate[t])))
    lagrangian = r"L=T-V" if gauge == "natural" else r"L=T-T_0-\frac{d}{dt}(\boldsymbol\delta^T\boldsymbol s)-V"
    return (
        shown_list(
            space,
            f"momenta, {gauge} gauge",
            momentum,
            lagrangian + r",\quad\boldsymbol p=\partial L/\partial\dot{\boldsymbol\delta}",
        ),
        Step("inverse of the mass matrix", _block_inverse(mass), r"\mathbf n=\mathbf m^{-1}"),
        Step(
            "Hamiltonian",
            kinetic - expression(parts.static),
            r"H=\boldsymbol p^T\dot{\boldsymbol\delta}-L",
            factored=True,
        ),
        shown_list(
            space,
            "first canonical equations",
            parts.speeds,
            r"\dot{\boldsymbol\delta}=\partial H/\partial\boldsymbol p",
        ),
        shown_list(
            space,
            "second canonical equations",
            parts.forces,
            r"\dot{\boldsymbol p}=-\partial H/\partial\boldsymbol\delta",
        ),
    )


def _block_inverse(matrix: Matrix) -> Matrix:
    """Invert a symmetric matrix block by block; a block holds the coordinates that are coupled."""
    result = ImmutableMatrix.zeros(*matrix.shape).as_mutable()
    for block in matrix.connected_components():
        part = DomainMatrix.from_Matrix(matrix.extract(block, block)).to_field().inv().to_Matrix()
        for i, r in enumerate(block):
            for j, t in enumerate(block):
                result[r, t] = part[i, j].factor()
    return result.as_immutable()

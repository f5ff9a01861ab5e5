"""The Lagrangian without the velocity of the origin.

A total time derivative may be added to a Lagrangian. Taking d/dt(δᵀs), s = ∂T/∂δ̇ at rest and undeformed, away from
T − V removes v_O; what remains contains ω, ε, a_O only.
"""

from flexframe.symbolic.algebra import Algebra, Polynomial, Worksheet
from flexframe.symbolic.fields import HALF, FieldSpace, added, turned


def kinetic_energy(space: FieldSpace) -> Polynomial:
    """T = ½∫ρ|v_O + ω×(x + Nδ) + Nδ̇|²."""
    point = added(space.place, space.interpolated(space.delta))
    velocity = added(space.uniform(space.v_O), turned(space.omega, point), space.interpolated(space.rate))
    return space.integral(velocity, velocity) * HALF


def invariant_lagrangian(space: FieldSpace, sheet: Worksheet) -> Polynomial:
    """T − T₀ − d/dt(δᵀs) − V."""
    kinetic = kinetic_energy(space)
    sheet.formed("kinetic energy", [kinetic])
    at_rest = without(without(kinetic, space.rate, space.algebra), space.delta, space.algebra)
    generator = space.algebra.zero
    for value, momentum in zip(space.delta, sheet.gradient(kinetic, space.rate), strict=True):
        generator += value * without(without(momentum, space.rate, space.algebra), space.delta, space.algebra)
    lagrangian = kinetic - at_rest - sheet.total_rate(generator, space.local_rates()) - space.potential()
    sheet.formed("invariant Lagrangian", [lagrangian])
    return lagrangian


def without(polynomial: Polynomial, variables: tuple[Polynomial, ...], algebra: Algebra) -> Polynomial:
    """The terms free of the variables, that is the polynomial at variables = 0."""
    held = [algebra.ring.index(variable) for variable in variables]
    kept = {m: c for m, c in polynomial.terms() if not any(m[i] for i in held)}
    return algebra.ring.from_dict(kept)

"""Maggi: Bᵀ[d/dt ∂T/∂q̇ − ∂T/∂q − Q] = 0 on the broken element.

The element is a cloud of free particles whose masses integrate all products of N and x exactly. Coordinates are
the particles' positions in the frame and δ, q = (y_1, …, y_n, δ); the joints ẏ_g − N_g δ̇ = 0 read A q̇ = 0 with
A = [1, −N]. The basis B = [N; 1] satisfies A B = 0, so the joint forces Aᵀλ drop out of the projection.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from sympy import ImmutableMatrix, Symbol

from flexframe.symbolic.algebra import Polynomial, Worksheet
from flexframe.symbolic.fields import HALF, FieldSpace, Particle, cross
from flexframe.symbolic.formalism import Route, Step, SymbolicFormalism, shown_list

PLACE = tuple(Symbol(f"y_{i}", real=True) for i in (1, 2, 3))
SPEED = tuple(Symbol(f"ydot_{i}", real=True) for i in (1, 2, 3))
SECOND = tuple(Symbol(f"yddot_{i}", real=True) for i in (1, 2, 3))
MASS = Symbol("m_g", positive=True)
PARTICLE_SYMBOLS = (*PLACE, *SPEED, *SECOND, MASS)


@dataclass(frozen=True)
class Maggi(SymbolicFormalism):
    """Bᵀ[d/dt ∂T/∂q̇ − ∂T/∂q − Q] = 0 on the broken element, A B = 0."""

    beam_route: ClassVar[str] = "broken element"
    broken: ClassVar[bool] = True

    def symbols(self, size: int) -> tuple[Symbol, ...]:  # noqa: ARG002
        """Place, velocity, acceleration and mass of one particle."""
        return PARTICLE_SYMBOLS

    def route(self, space: FieldSpace, sheet: Worksheet) -> Route:
        """Lagrange's left side of the free particles, projected on the basis of the joints.

        T is a sum over the particles and each term holds the coordinates of one particle, so the derivatives are
        taken for one particle of mass m_g and written for all.
        """
        kinetic, left = _particle_left_side(space, sheet)
        rows = [space.algebra.zero] * len(space.delta)
        inertia = [_on_joints(space, particle, left) for particle in space.particles]
        sheet.note_primitive("left sides on the joints", [value for values in inertia for value in values])
        for particle, values in zip(space.particles, inertia, strict=True):
            for row_of_N, value in zip(particle.shape, values, strict=True):
                for r, entry in enumerate(row_of_N):
                    if entry:
                        rows[r] += entry * value  # Bᵀ, upper block N_gᵀ
        sheet.note_primitive("projection on the joints", rows)
        force = space.elastic_force()  # acts on δ: the lower block of Bᵀ is the unit matrix
        sheet.note_primitive("generalised force", force)
        return Route(
            rows=tuple(row - q for row, q in zip(rows, force, strict=True)),
            algebra=space.algebra,
            steps=_steps(space, kinetic, left, force),
            state=(*space.symbols.delta, *space.symbols.rate),
        )


def _particle_left_side(space: FieldSpace, sheet: Worksheet) -> tuple[Polynomial, tuple[Polynomial, ...]]:
    """T_g = ½ m_g |v_O + ω×y + ẏ|² and d/dt ∂T_g/∂ẏ − ∂T_g/∂y."""
    place, speed, second = (space.algebra.many(group) for group in (PLACE, SPEED, SECOND))
    carried = cross(space.omega, place)
    velocity = [v + c + s for v, c, s in zip(space.v_O, carried, speed, strict=True)]
    kinetic = sum((c * c for c in velocity), space.algebra.zero) * space.algebra.of(MASS) * HALF
    sheet.note_primitive("kinetic energy of a particle", [kinetic])
    rates = space.local_rates()
    rates.update(zip(place, speed, strict=True))
    rates.update(zip(speed, second, strict=True))
    momentum = sheet.gradient(kinetic, speed)
    momentum_rate = tuple(sheet.total_rate(p, rates) for p in momentum)
    pull = sheet.gradient(kinetic, place)
    left = tuple(p - q for p, q in zip(momentum_rate, pull, strict=True))
    sheet.note_primitive("left side for a particle", left)
    return kinetic, left


def _on_joints(space: FieldSpace, particle: Particle, left: tuple[Polynomial, ...]) -> tuple[Polynomial, ...]:
    """The left side at y = x_g + N_g δ, ẏ = N_g δ̇, ÿ = N_g δ̈."""
    substitution: list[tuple[Any, Any]] = [(space.algebra.of(MASS), particle.mass)]
    for i in range(3):
        for symbol, nodal, start in (
            (PLACE[i], space.delta, particle.place[i]),
            (SPEED[i], space.rate, space.algebra.zero),
            (SECOND[i], space.second, space.algebra.zero),
        ):
            value = start
            for entry, nodal_value in zip(particle.shape[i], nodal, strict=True):
                if entry:
                    value += entry * nodal_value
            substitution.append((space.algebra.of(symbol), value))
    return tuple(p.compose(substitution) for p in left)


def _steps(
    space: FieldSpace,
    kinetic: Polynomial,
    left: tuple[Polynomial, ...],
    force: tuple[Polynomial, ...],
) -> tuple[Step, ...]:
    element, expression = space.element, space.algebra.expression
    places = ImmutableMatrix([[expression(x) for x in particle.place] for particle in space.particles])
    masses = ImmutableMatrix([element.mass * point.share for point in element.particles])
    return (
        Step(
            "kinetic energy of a particle",
            expression(kinetic),
            r"T_g=\tfrac12 m_g|\boldsymbol v_O+\boldsymbol\omega\times\boldsymbol y_g+\dot{\boldsymbol y}_g|^2",
        ),
        shown_list(
            space,
            "left side of Lagrange's equations of a particle",
            left,
            r"\frac{d}{dt}\frac{\partial T_g}{\partial\dot{\boldsymbol y}_g}"
            r"-\frac{\partial T_g}{\partial\boldsymbol y_g}",
        ),
        Step("places of the particles, one a row", places, r"\boldsymbol x_g^T"),
        Step("masses of the particles", masses, r"m_g"),
        Step(
            "joints and their basis",
            element.shape,
            r"\mathbf A=[\mathbf 1,\;-\mathbf N_g],\quad"
            r"\mathbf B=\begin{bmatrix}\mathbf N_g\\ \mathbf 1\end{bmatrix},\quad"
            r"\mathbf A\mathbf B=\mathbf 0,\quad\mathbf N_g=\mathbf N(\boldsymbol x_g),\quad\mathbf N",
        ),
        shown_list(
            space,
            "generalised force",
            force,
            r"\boldsymbol Q=-(\mathbf k+\mathbf k_g)\boldsymbol\delta+\boldsymbol q^*",
        ),
    )

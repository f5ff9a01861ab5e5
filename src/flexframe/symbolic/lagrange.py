"""Lagrange: d/dt ∂T/∂δ̇ − ∂T/∂δ = Q."""

from dataclasses import dataclass
from typing import ClassVar

from flexframe.symbolic.algebra import Worksheet
from flexframe.symbolic.fields import HALF, FieldSpace, add, cross_field
from flexframe.symbolic.formalism import Route, SymbolicFormalism, show_primitive, shown_field, shown_list


@dataclass(frozen=True)
class Lagrange(SymbolicFormalism):
    """d/dt ∂T/∂δ̇ − ∂T/∂δ = Q, where T = ½∫ρ v·v is the kinetic energy."""

    beam_route: ClassVar[str] = "kinetic energy"

    def route(self, space: FieldSpace, sheet: Worksheet) -> Route:
        """Form T = ½∫ρ|v_O + ω×(x + Nδ) + Nδ̇|², then take ∂/∂δ̇, d/dt and ∂/∂δ.

        T contains v_O. In frame components v̇_O = a_O − ω×v_O, and the two terms with ω×v_O cancel.
        """
        point = add(space.place, space.interpolate(space.delta))
        velocity = add(space.uniform(space.v_O), cross_field(space.omega, point), space.interpolate(space.rate))
        kinetic = space.integral(velocity, velocity) * HALF
        sheet.note_primitive("kinetic energy", [kinetic])

        momentum = sheet.gradient(kinetic, space.rate)
        sheet.note_primitive("momenta", momentum)
        rates = space.local_rates()
        momentum_rate = tuple(sheet.total_rate(p, rates) for p in momentum)
        sheet.note_primitive("rates of the momenta", momentum_rate)
        pull = sheet.gradient(kinetic, space.delta)
        sheet.note_primitive("gradient of the kinetic energy", pull)

        potential = space.potential()
        restoring = sheet.gradient(potential, space.delta)
        sheet.note_primitive("gradient of the potential energy", restoring)
        rows = tuple(
            p_rate - pulled + restored - damped
            for p_rate, pulled, restored, damped in zip(
                momentum_rate, pull, restoring, space.damping_force(), strict=True
            )
        )
        steps = (
            shown_field(
                space,
                "velocity of a point in frame components",
                velocity,
                r"\boldsymbol v=\boldsymbol v_O+\boldsymbol\omega\times(\boldsymbol x+\mathbf N\boldsymbol\delta)"
                r"+\mathbf N\dot{\boldsymbol\delta}",
            ),
            show_primitive(
                space, "kinetic energy", kinetic, r"T=\tfrac12\int\rho\,\boldsymbol v\cdot\boldsymbol v\,dV"
            ),
            shown_list(space, "momenta", momentum, r"\boldsymbol p=\partial T/\partial\dot{\boldsymbol\delta}"),
            shown_list(
                space,
                "rates of the momenta",
                momentum_rate,
                r"\dot{\boldsymbol p}=\frac{d}{dt}\frac{\partial T}{\partial\dot{\boldsymbol\delta}}",
            ),
            shown_list(space, "gradient of the kinetic energy", pull, r"\partial T/\partial\boldsymbol\delta"),
            show_primitive(
                space,
                "potential energy",
                potential,
                r"V=\tfrac12\boldsymbol\delta^T(\mathbf k+\mathbf k_g)\boldsymbol\delta"
                r"-\boldsymbol\delta^T\boldsymbol q^*",
            ),
        )
        return Route(
            rows=rows,
            algebra=space.algebra,
            steps=steps,
            state=(*space.symbols.delta, *space.symbols.rate),
        )

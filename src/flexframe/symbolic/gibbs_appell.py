"""Gibbs–Appell: ∂S/∂δ̈ = Q with the energy of accelerations S = ½∫ρ a·a."""

from dataclasses import dataclass
from typing import ClassVar

from flexframe.symbolic.algebra import Worksheet
from flexframe.symbolic.fields import HALF, Field, FieldSpace, add, cross_field, scale
from flexframe.symbolic.formalism import Route, SymbolicFormalism, show_primitive, shown_field, shown_list


@dataclass(frozen=True)
class GibbsAppell(SymbolicFormalism):
    """∂S/∂δ̈ = Q, where S = ½∫ρ a·a is the energy of accelerations."""

    beam_route: ClassVar[str] = "energy of accelerations"

    def route(self, space: FieldSpace, sheet: Worksheet) -> Route:
        """Differentiate the position x + Nδ twice in the turning frame, form S, take one gradient.

        Terms of S without δ̈ have no gradient and are left out, as the method allows.
        """
        point = add(space.place, space.interpolate(space.delta))
        relative = add(space.interpolate(space.rate), cross_field(space.omega, point))
        rates = space.local_rates()
        turned_rate: Field = tuple(
            {j: sheet.total_rate(c, rates) for j, c in component.items()} for component in relative
        )
        acceleration = add(space.uniform(space.a_O), turned_rate, cross_field(space.omega, relative))
        sheet.note_primitive("acceleration", [c for component in acceleration for c in component.values()])

        free = space.interpolate(space.second)  # N δ̈
        bound = add(acceleration, scale(free, -space.algebra.one))
        energy = space.integral(free, free) * HALF + space.integral(free, bound)
        sheet.note_primitive("energy of accelerations", [energy])
        gradient = sheet.gradient(energy, space.second)
        sheet.note_primitive("gradient of the energy of accelerations", gradient)

        force = space.elastic_force()
        sheet.note_primitive("generalised force", force)
        rows = tuple(inertia - q for inertia, q in zip(gradient, force, strict=True))
        steps = (
            shown_field(
                space,
                "acceleration of a point in frame components",
                acceleration,
                r"\boldsymbol a=\boldsymbol a_O+(\tilde{\boldsymbol\varepsilon}+\tilde{\boldsymbol\omega}^2)"
                r"(\boldsymbol x+\mathbf N\boldsymbol\delta)"
                r"+2\tilde{\boldsymbol\omega}\mathbf N\dot{\boldsymbol\delta}+\mathbf N\ddot{\boldsymbol\delta}",
            ),
            show_primitive(
                space,
                "energy of accelerations (terms with second derivatives)",
                energy,
                r"S=\tfrac12\int\rho\,\boldsymbol a\cdot\boldsymbol a\,dV+\dots",
            ),
            shown_list(
                space,
                "gradient of the energy of accelerations",
                gradient,
                r"\partial S/\partial\ddot{\boldsymbol\delta}",
            ),
            shown_list(
                space,
                "generalised force",
                force,
                r"\boldsymbol Q=-(\mathbf k+\mathbf k_g)\boldsymbol\delta+\boldsymbol q^*",
            ),
        )
        return Route(
            rows=rows,
            algebra=space.algebra,
            steps=steps,
            state=(*space.symbols.delta, *space.symbols.rate),
        )

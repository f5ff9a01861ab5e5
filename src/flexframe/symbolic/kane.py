"""Kane: F + F* = 0 with the partial velocities ∂v/∂δ̇."""

from dataclasses import dataclass
from typing import ClassVar

from flexframe.symbolic.algebra import Worksheet
from flexframe.symbolic.fields import Field, FieldSpace, add, cross_field
from flexframe.symbolic.formalism import Route, SymbolicFormalism, shown_field, shown_list


@dataclass(frozen=True)
class Kane(SymbolicFormalism):
    """F + F* = 0 along the partial velocities ∂v/∂δ̇."""

    beam_route: ClassVar[str] = "partial velocities"

    def route(self, space: FieldSpace, sheet: Worksheet) -> Route:
        """Differentiate the velocity once in time and once by δ̇; no scalar function is formed.

        The generalised speeds are δ̇. Active force F = −(k + k_g)δ + q*, inertia force F*_r = −∫ρ (∂v/∂δ̇_r)·a.
        """
        point = add(space.place, space.interpolate(space.delta))
        velocity = add(space.uniform(space.v_O), cross_field(space.omega, point), space.interpolate(space.rate))
        sheet.note_primitive("velocity", [c for component in velocity for c in component.values()])
        rates = space.local_rates()
        local_rate: Field = tuple(
            {j: sheet.total_rate(c, rates) for j, c in component.items()} for component in velocity
        )
        acceleration = add(local_rate, cross_field(space.omega, velocity))
        sheet.note_primitive("acceleration", [c for component in acceleration for c in component.values()])

        partial = tuple(_partial_velocity(velocity, speed, sheet) for speed in space.rate)
        sheet.note_primitive(
            "partial velocities", [c for field in partial for part in field for c in part.values()]
        )
        inertia = tuple(-space.integral(field, acceleration) for field in partial)
        sheet.note_primitive("generalised inertia forces", inertia)
        active = space.elastic_force()
        sheet.note_primitive("generalised active forces", active)
        rows = tuple(-f - f_star for f, f_star in zip(active, inertia, strict=True))
        steps = (
            shown_field(
                space,
                "velocity of a point in frame components",
                velocity,
                r"\boldsymbol v=\boldsymbol v_O+\boldsymbol\omega\times(\boldsymbol x+\mathbf N\boldsymbol\delta)"
                r"+\mathbf N\dot{\boldsymbol\delta}",
            ),
            shown_field(
                space,
                "acceleration of a point in frame components",
                acceleration,
                r"\boldsymbol a=\left.\frac{d\boldsymbol v}{dt}\right|_{\text{frame}}"
                r"+\boldsymbol\omega\times\boldsymbol v",
            ),
            *(
                shown_field(
                    space,
                    f"partial velocity of {dof}",
                    field,
                    rf"\partial\boldsymbol v/\partial\dot\delta_{{{r + 1}}}",
                )
                for r, (dof, field) in enumerate(zip(space.element.dofs, partial, strict=True))
            ),
            shown_list(
                space,
                "generalised inertia forces",
                inertia,
                r"F^*_r=-\int\rho\,\frac{\partial\boldsymbol v}{\partial\dot\delta_r}\cdot\boldsymbol a\,dV",
            ),
            shown_list(
                space,
                "generalised active forces",
                active,
                r"\boldsymbol F=-(\mathbf k+\mathbf k_g)\boldsymbol\delta+\boldsymbol q^*",
            ),
        )
        return Route(
            rows=rows,
            algebra=space.algebra,
            steps=steps,
            state=(*space.symbols.delta, *space.symbols.rate),
        )


def _partial_velocity(velocity: Field, speed: object, sheet: Worksheet) -> Field:
    """∂v/∂(speed), function by function; a coefficient without the speed has no derivative."""
    result: Field = ({}, {}, {})
    for mine, component in zip(result, velocity, strict=True):
        for j, coefficient in component.items():
            derivative = sheet.derivative(coefficient, speed)
            if derivative:
                mine[j] = derivative
    return result

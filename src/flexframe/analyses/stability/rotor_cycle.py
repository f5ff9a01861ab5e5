"""A rotor whose bearings are stiffer in one direction of space than in another.

Its own frame, in which its shape need not be round, sees the bearings turn backward:

    K_b(t) = R(Ωt)ᵀ k R(Ωt) = ½(k₁ + k₂) P + ½(k₁ − k₂) [cos 2Ωt A − sin 2Ωt B],

P, A, B on the two directions across the axis. Dampers act on the velocity in space, δ̇ + Ωa × δ. Coefficients
repeat after half a turn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import SPEED as OMEGA
from flexframe.equations.coefficients import OperatingPoint, Terms
from flexframe.equations.parts import MASS
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.bearings import Bearing
from flexframe.reduction.rest_basis import RestBasis, rest_basis
from flexframe.spectra.floquet.combined import CombinedPiece, CombinedSystem, highest_frequency, varying_amounts
from flexframe.spectra.rotation.bearings import (
    COSINE,
    SINE,
    bearing_parts,
    require_known,
    turning_bearing_parts,
)
from flexframe.spectra.rotation.rotor_model import Rotor, RotorModel, rotor_model
from flexframe.spectra.rotation.spinning_equations import turning_equations

SPEED = "speed"


@dataclass(eq=False)
class RotorCycle:
    """A rotor at a steady speed [rad/s] about an axis through its origin, over half a turn."""

    body: Rotor
    axis: ArrayLike | None = None
    bearings: Sequence[Bearing] = ()
    modes: int | None = None
    terms: Terms = field(default_factory=Terms)
    _model: RotorModel = field(init=False)
    _known: tuple[RestBasis, AffineEquations[Array]] | None = field(default=None)

    def __post_init__(self) -> None:
        self._model = rotor_model(self.body, self.bearings, self.axis)

    @property
    def name(self) -> str:
        """Of the body."""
        return self._model.discrete.body.name

    @property
    def discrete(self) -> DiscreteBody:
        """The body."""
        return self._model.discrete

    @property
    def basis(self) -> Array:
        """Modes at rest, whose amounts are the coordinates of the equations: (unknowns, modes)."""
        return self._project()[0].vectors

    @property
    def unknowns(self) -> int:
        """Coordinates that the supports leave."""
        return self._model.discrete.supports.size

    @property
    def description(self) -> str:
        """How the equations were made."""
        return f"turning frame, {self._project()[0].size} modes at rest, bearings at twice the speed"

    def unit(self, parameter: str) -> str:  # noqa: ARG002 - there is one
        """Unit of the speed."""
        return "rad/s"

    def with_modes(self, count: int) -> "RotorCycle":
        """The same with another number of modes."""
        return RotorCycle(self.body, self.axis, self.bearings, count, self.terms)

    def require(self, parameters: Mapping[str, float]) -> None:
        """Refuse a speed at which nothing repeats."""
        if SPEED not in parameters:
            raise InputError("no speed of the rotor is given; give one, or speeds", field="speed")
        speed = float(parameters[SPEED])
        if not (np.isfinite(speed) and speed != 0):
            raise InputError(
                f"the speed is {speed:g} rad/s; at rest nothing repeats: give another one", field="speed"
            )

    def system(self, parameters: Mapping[str, float]) -> CombinedSystem[CombinedPiece]:
        """The equations at a speed."""
        self.require(parameters)
        speed = float(parameters[SPEED])
        require_known(self._model.bearings, np.array([speed]))
        # coefficients of this speed; what changes in time are the cosine and sine of twice the angle
        equations = self._project()[1].merge({OMEGA: (speed, None)})

        def points(times: Array) -> OperatingPoint:
            return OperatingPoint(amounts={COSINE: np.cos(2 * speed * times), SINE: np.sin(2 * speed * times)})

        piece = CombinedPiece(0.0, float(np.pi / abs(speed)), equations, varying_amounts(equations, points))
        return CombinedSystem(piece, max(highest_frequency(piece), abs(speed)))

    def _project(self) -> tuple[RestBasis, AffineEquations[Array]]:
        """The modes at rest, and the equations on them at any speed."""
        if self._known is None:
            discrete, axis, bearings = self._model.discrete, self._model.axis, self._model.bearings
            parts = [
                *bearing_parts(discrete, bearings, axis, mean=True),
                *turning_bearing_parts(discrete, bearings, axis),
            ]
            body = turning_equations(self._model, self.terms).homogeneous.extend(parts)
            equations = body.about(axis).project(discrete.supports)
            if len(equations.of_order(MASS)) > 1:
                raise InputError(
                    "the mass of a bearing is not alike in all directions or depends on the speed, which "
                    "stability by Floquet's theory does not know; ask for a Campbell diagram in the inertial "
                    "frame",
                    field="bearings",
                )
            if equations.depends_on_frequency:
                raise InputError(
                    "a table of a bearing depends on the frequency of the motion, of which a periodic motion has "
                    "many; give a table over the speed, or ask for a Campbell diagram in the inertial frame",
                    field="bearings",
                )
            basis = rest_basis(equations.constant_stiffness, equations.constant_mass, self.modes)
            self._known = basis, equations.project(basis.vectors)
        return self._known

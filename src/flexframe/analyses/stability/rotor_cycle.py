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

from flexframe.assembly.discrete import DiscreteBody, discretised
from flexframe.assembly.equations import Terms
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.model.body import Body
from flexframe.motion.frame import PLANAR_AXIS
from flexframe.reduction.rest_basis import rest_basis
from flexframe.spectra.floquet.combined import CombinedPiece, CombinedSystem, highest_frequency
from flexframe.spectra.rotation.bearings import Bearing, turning_bearings
from flexframe.spectra.rotation.spinning_equations import SpinningEquations, spinning_equations

SPEED = "speed"


@dataclass(frozen=True, eq=False)
class _Projected:
    """Constant matrices on the modes: powers of Ω, and what the bearings add at twice the speed."""

    fixed: Mapping[str, Array]
    stiffness: tuple[Array, Array]  # of cos 2Ωt and sin 2Ωt
    damping: tuple[Array, Array]
    circulatory: tuple[Array, Array]  # for each rad/s
    frequencies: Array


@dataclass(eq=False)
class RotorCycle:
    """A rotor at a steady speed [rad/s] about an axis through its origin, over half a turn."""

    body: Body | DiscreteBody
    axis: ArrayLike = PLANAR_AXIS
    bearings: Sequence[Bearing] = ()
    modes: int | None = None
    terms: Terms = field(default_factory=Terms)
    _discrete: DiscreteBody = field(init=False)
    _known: _Projected | None = field(default=None)

    def __post_init__(self) -> None:
        self._discrete = discretised(self.body)

    @property
    def name(self) -> str:
        """Of the body."""
        return self._discrete.body.name

    @property
    def unknowns(self) -> int:
        """Coordinates that the supports leave."""
        return self._discrete.supports.size

    @property
    def description(self) -> str:
        """How the equations were made."""
        return f"turning frame, {len(self._projected().frequencies)} modes at rest, bearings at twice the speed"

    def unit(self, parameter: str) -> str:  # noqa: ARG002 - there is one
        """Unit of the speed."""
        return "rad/s"

    def with_modes(self, count: int) -> "RotorCycle":
        """The same with another number of modes."""
        return RotorCycle(self._discrete, self.axis, self.bearings, count, self.terms)

    def system(self, parameters: Mapping[str, float]) -> CombinedSystem:
        """The equations at a speed."""
        if SPEED not in parameters:
            raise InputError("no speed of the rotor is given; give one, or speeds")
        speed = float(parameters[SPEED])
        if not (np.isfinite(speed) and speed != 0):
            raise InputError(f"the speed is {speed:g} rad/s; at rest nothing repeats: give another one")
        known = self._projected()
        nothing = np.zeros_like(known.fixed["mass"])

        def part(name: str) -> Array:
            return known.fixed.get(name, nothing)

        C = part("damping") + speed * part("gyroscopic")
        K = part("stiffness") + speed * part("circulatory") + speed**2 * part("spin_stiffness")

        def amounts(times: Array) -> Array:
            wave = (np.cos(2 * speed * times), np.sin(2 * speed * times))
            return np.stack([*wave, *wave], axis=1)

        stiffness = [k + speed * n for k, n in zip(known.stiffness, known.circulatory, strict=True)]
        piece = CombinedPiece(
            0.0, float(np.pi / abs(speed)), C, K, np.array(known.damping), np.array(stiffness), amounts
        )
        return CombinedSystem(piece, max(highest_frequency(piece), abs(speed)))

    def _projected(self) -> _Projected:
        if self._known is None:
            equations = spinning_equations(
                self._discrete, self.axis, terms=self.terms, bearings=self.bearings, mean=True
            )
            basis = rest_basis(equations.stiffness, equations.mass, self.modes)
            frequencies, V = basis.frequencies, basis.vectors

            def small(matrix: SparseMatrix) -> Array:
                return np.asarray(V.T @ np.asarray(matrix @ V))

            turning = turning_bearings(self._discrete, self.bearings, equations.axis)
            reduce = self._discrete.supports.reduce_matrix

            def both(pair: tuple[SparseMatrix, SparseMatrix]) -> tuple[Array, Array]:
                return small(reduce(pair[0])), small(reduce(pair[1]))

            self._known = _Projected(
                _fixed(equations, V),
                both(turning.stiffness),
                both(turning.damping),
                both(turning.circulatory),
                frequencies,
            )
        return self._known


def _fixed(equations: SpinningEquations, V: Array) -> dict[str, Array]:
    return {c.name: np.asarray(V.T @ np.asarray(c.matrix @ V)) for c in equations.coefficients}

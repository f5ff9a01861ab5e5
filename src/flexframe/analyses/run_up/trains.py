"""Motion in time of shafts that turn at different speeds, in axes of space.

No frame turns with all of them. In space each shaft has the matrices of its own speed rΩ and of its change rΩ̇,
and bearings stay as they are. An unbalance u = m e e^{iα} of a shaft pushes with ((rΩ)² − i rΩ̇) u e^{irθ}, as a
complex number along e₁ + ie₂, with θ the angle of the train.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import ACCELERATION, SPEED, Monomial, OperatingPoint, Terms
from flexframe.equations.parts import DAMPING, LOAD, MASS, STIFFNESS, Part
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.spectra.rotation.harmonic_loads import Unbalance, unbalance_vector
from flexframe.spectra.rotation.inertial_equations import inertial_equations
from flexframe.spectra.rotation.rotor_model import RotorModel, turning_shaft


@dataclass(frozen=True, eq=False)
class TrainMotion:
    """The equations in space, and the loads of the shafts by their ratio to the speed of the train."""

    equations: AffineEquations
    ratios: tuple[float, ...]

    def amounts(self, angle: Array, speed: Array, acceleration: Array) -> dict[str, Array]:
        """What multiplies the loads over time: (t,) each."""
        found: dict[str, Array] = {}
        for ratio in self.ratios:
            force = ((ratio * speed) ** 2 - 1j * ratio * acceleration) * np.exp(1j * ratio * angle)
            found |= {_amount(ratio, 0): force.real, _amount(ratio, 1): force.imag}
        return found

    def steady_start(self, small: AffineEquations[Array], speed: float) -> Array:
        """(y, ẏ) at the angle 0 of the answer to all unbalances at a steady speed: (2r,).

        Re(c)f₁ + Im(c)f₂ of c = (rΩ)²e^{irΩt} is Re[(rΩ)²(f₁ − if₂)e^{irΩt}].
        """
        point = OperatingPoint(amounts={SPEED: np.array(speed), ACCELERATION: np.array(0.0)})
        M, C, K = (np.asarray(small.matrix(order, point)) for order in (MASS, DAMPING, STIFFNESS))
        state: ComplexArray = np.zeros(2 * small.size, dtype=complex)
        for ratio in self.ratios:
            first, second = (_load(small, _amount(ratio, side)) for side in (0, 1))
            rate = ratio * speed
            force = np.asarray(rate**2 * (first - 1j * second), dtype=complex)
            answer = np.linalg.solve(K + 1j * rate * C - rate**2 * M, force)
            state = state + np.concatenate([answer, 1j * rate * answer])
        return np.asarray(state.real)


def train_motion(
    model: RotorModel, terms: Terms | None, unbalance: Sequence[Unbalance], forces: Sequence[Part[SparseMatrix]]
) -> TrainMotion:
    """The equations of a train for any speed, with its unbalances and with forces of space."""
    for bearing in model.bearings:
        if bearing.table is not None and bearing.table.frequencies is not None:
            raise InputError(
                f"{bearing.name}: its table is over the frequency, and shafts of several speeds move with "
                "several; give a table over the speed",
                field="bearings",
            )
    owners = [turning_shaft(model, each, number) for number, each in enumerate(unbalance)]
    ratios, parts = tuple(dict.fromkeys(owners)), list(forces)
    for ratio in ratios:
        own = [each for each, owner in zip(unbalance, owners, strict=True) if owner == ratio]
        ahead = [replace(each, angle=each.angle + np.pi / 2) for each in own]
        for side, loads in enumerate((own, ahead)):
            vector = unbalance_vector(model.discrete, loads, model.axis)
            parts.append(
                Part[SparseMatrix].constant(
                    _amount(ratio, side),
                    LOAD,
                    model.discrete.supports.reduce_vector(vector),
                    Monomial((_amount(ratio, side),)),
                )
            )
    equations = inertial_equations(model, terms=terms, steady=False)
    return TrainMotion(equations.extend(parts), ratios)


def shaft_ratio(model: RotorModel, row: Array) -> float:
    """How fast, by the speed of the train, the part turns that a sensor (3, p) is on: 0 of one at rest."""
    used = np.flatnonzero(np.abs(row).max(axis=0))
    return next((m.ratio for m in model.members if np.isin(used, m.numbers).any()), 0.0)


def _amount(ratio: float, side: int) -> str:
    return f"unbalance at {ratio!r} along e{side + 1}"


def _load(small: AffineEquations[Array], name: str) -> Array:
    return next(part.vector for part in small.of_order(LOAD) if part.name == name)

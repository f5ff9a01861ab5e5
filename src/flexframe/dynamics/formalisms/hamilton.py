"""Hamilton: momenta P = ∂T/∂u instead of velocities, and H(δ, P) = ½PᵀM(δ)⁻¹P + V.

For the frames the canonical equations take the form of Poincaré, with u = ∂H/∂P:

    Ṗ_v = P_v × ω + Q_v,      Ṗ_ω = P_ω × ω + P_v × v + Q_ω,      Ṗ_δ = −∂H/∂δ + Q_δ .

Constraints on u are constraints on M⁻¹P; the multipliers follow from keeping them (Dirac). Accelerations are the
rate of ∂H/∂P: u̇ = H_PP Ṗ + Ḣ_PP P.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import linalg

from flexframe.dynamics.contract import DynamicSystem
from flexframe.dynamics.formalisms.constraints import count, scaled, with_factor, with_inverse_mass
from flexframe.dynamics.formalisms.contract import Instant
from flexframe.dynamics.formalisms.mass_points import PointMotion
from flexframe.formalisms.contract import BoundMotion
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array


@dataclass(frozen=True)
class Hamilton:
    """u = ∂H/∂P, Ṗ = −∂H/∂q + Q + Aᵀλ."""

    name: ClassVar[str] = "hamilton"
    title: ClassVar[str] = "Hamilton"
    primitive: ClassVar[str] = "Hamilton's function H and momenta P"

    def refusal(self, system: DynamicSystem) -> None:  # noqa: ARG002
        return None

    def unknowns(self, size: int, rank: int, rows: int) -> int:  # noqa: ARG002
        return 2 * size

    def motion(self, instant: Instant, work: Work) -> BoundMotion:
        inverse, rates = inverse_mass(instant, work), np.zeros((len(instant.velocity),) * 2)
        for place, body in zip(instant.places, instant.bodies, strict=True):
            half = body.sum(body.partial_rate, body.partial, work)
            rates[place, place] = half + half.T  # Ṁ
        u = inverse.matrix @ (momenta(instant, work) + inverse.shift)  # ∂H/∂P
        # d/dt(H_PP P) = H_PP Ṗ − H_PP Ṁ H_PP P
        count(work, 3 * len(u) ** 2)
        free = inverse.matrix @ (momentum_rates(instant, work) - rates @ u - inverse.bias)
        return with_inverse_mass(inverse.matrix, free, instant.constraint, instant.bias, work)


@dataclass(frozen=True, eq=False)
class InverseMass:
    """H_PP, with u = H_PP (P + shift) and u̇ = H_PP (Ṗ − … − bias).

    Where a body has no inertia of its own but is held, ½|A u + b|² is added to T: it is zero for every motion that
    the constraints allow, and makes H_PP exist (Dirac's extended function). Shift and bias are what it brings.
    """

    matrix: Array  # (n, n)
    shift: Array  # (n,)
    bias: Array  # (n,)


def inverse_mass(instant: Instant, work: Work) -> InverseMass:
    """H_PP of all bodies."""
    n = len(instant.velocity)
    mass = np.zeros((n, n))
    for place, body in zip(instant.places, instant.bodies, strict=True):
        mass[place, place] = body.sum(body.partial, body.partial, work)
    count(work, sum((place.stop - place.start) ** 3 for place in instant.places))
    problem = scaled(mass, np.zeros(n), instant.constraint, instant.bias)
    definite, factor = with_factor(problem)
    matrix = linalg.cho_solve((factor, True), np.eye(n)) * np.outer(problem.unit, problem.unit)
    if definite is problem:
        return InverseMass(matrix, np.zeros(n), np.zeros(n))
    count(work, n**3)
    drives = scaled(mass, np.zeros(n), instant.constraint, instant.drive)  # b in the same rows; A u = −b
    A = problem.constraint / problem.unit
    return InverseMass(matrix, -A.T @ drives.bias, A.T @ problem.bias)


def momenta(instant: Instant, work: Work) -> Array:
    """P = Σ w (∂ṙ/∂u)ᵀṙ of all bodies: (n,)."""
    return np.concatenate([body.sum(body.partial, body.velocities, work) for body in instant.bodies])


def momentum_rates(instant: Instant, work: Work) -> Array:
    """Ṗ without joint forces, at the velocities of the instant: (n,)."""
    parts = zip(instant.places, instant.bodies, strict=True)
    return np.concatenate([_momentum_rate(body, instant.applied[place], work) for place, body in parts])


def _momentum_rate(body: PointMotion, applied: Array, work: Work) -> Array:
    linear = (body.weights * body.shares) @ body.velocities
    angular = body.weights @ np.cross(body.places, body.velocities)
    # ∂H/∂δ at fixed P is −½uᵀ(∂M/∂δ)u = −Σ w ṙ·∂ṙ/∂δ
    dragged = np.cross(body.spin, body.shapes, axisb=1, axisc=1) + body.shape_rates
    work.multiplications += 9 * len(body.weights)
    work.additions += 9 * len(body.weights)
    carried = np.concatenate(
        [
            np.cross(linear, body.spin),
            np.cross(angular, body.spin) + np.cross(linear, body.velocity),
            body.sum(dragged, body.velocities, work),
        ]
    )
    return work.sum(carried[body.columns], applied)

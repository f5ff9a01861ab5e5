"""Lagrange's equations of a system in the velocities of the frames, with multipliers.

T = ½Σ w|v + ω × ξ + ξ̇|² of each body. Its derivatives are the momenta P = ∂T/∂u, their total rate, and ∂T/∂δ. The
velocities v, ω are not rates of coordinates, so that the equations are those of Boltzmann and Hamel:

    Ṗ_v + ω × P_v = Q_v,      Ṗ_ω + ω × P_ω + v × P_v = Q_ω,      Ṗ_δ − ∂T/∂δ = Q_δ .

All joints and drives keep their multipliers: one system for u̇ and λ.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.dynamics.contract import DynamicSystem
from flexframe.dynamics.formalisms.constraints import scaled, with_multipliers
from flexframe.dynamics.formalisms.contract import Instant, gathered
from flexframe.dynamics.formalisms.mass_points import PointMotion
from flexframe.formalisms.contract import BoundMotion
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array


@dataclass(frozen=True)
class Lagrange:
    """d/dt ∂T/∂u − … = Q + Aᵀλ."""

    name: ClassVar[str] = "lagrange"
    title: ClassVar[str] = "Lagrange"
    primitive: ClassVar[str] = "kinetic energy T, multipliers λ"

    def refusal(self, system: DynamicSystem) -> None:  # noqa: ARG002
        return None

    def unknowns(self, size: int, rank: int, rows: int) -> int:  # noqa: ARG002
        return size + rows

    def motion(self, instant: Instant, work: Work) -> BoundMotion:
        inertia = gathered(instant, [_equations(body, work) for body in instant.bodies])
        force = instant.applied - inertia.force
        return with_multipliers(scaled(inertia.mass, force, instant.constraint, instant.bias), work)


def _equations(body: PointMotion, work: Work) -> tuple[Array, Array]:
    """M and h of Ṗ + … = M u̇ + h."""
    partial, rate, spin, v = body.partial, body.partial_rate, body.spin, body.velocities
    mass = body.sum(partial, partial, work)
    u = np.concatenate([body.velocity, spin, body.rates])[body.columns]
    # P = Σ w Gᵀṙ and ṙ = G u; G changes with ξ
    changed = work.sum(body.sum(rate, v, work), body.sum(partial, np.asarray(rate @ u), work))
    dragged = np.cross(spin, body.shapes, axisb=1, axisc=1) + body.shape_rates  # ∂ṙ/∂δ
    linear = (body.weights * body.shares) @ v
    angular = body.weights @ np.cross(body.places, v)
    work.multiplications += 9 * len(v)
    work.additions += 9 * len(v)
    turned = np.concatenate(
        [
            np.cross(spin, linear),
            np.cross(spin, angular) + np.cross(body.velocity, linear),
            -body.sum(dragged, v, work),
        ]
    )
    return mass, work.sum(changed, turned[body.columns])

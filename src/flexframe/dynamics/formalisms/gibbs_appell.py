"""Gibbs and Appell: ∂S/∂u̇ = Q with S = ½Σ w|r̈|² of all bodies, constraints by Gauss's principle.

r̈ = v̇ + ω × v + (ε̃ + ω̃²) ξ + 2 ω × ξ̇ + ξ̈ is affine in u̇. One gradient, no derivative with respect to time. Among
the accelerations that joints and drives allow, the true ones make ½(u̇ − a)ᵀM(u̇ − a) smallest, a those of bodies
that nothing holds.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.dynamics.contract import DynamicSystem
from flexframe.dynamics.formalisms.constraints import least_constraint, scaled
from flexframe.dynamics.formalisms.contract import Instant, gathered
from flexframe.dynamics.formalisms.mass_points import PointMotion
from flexframe.formalisms.contract import BoundMotion
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew


@dataclass(frozen=True)
class GibbsAppell:
    """∂S/∂u̇ = Q, as the minimum of Gauss's function where there are constraints."""

    name: ClassVar[str] = "gibbs_appell"
    title: ClassVar[str] = "Gibbs–Appell"
    primitive: ClassVar[str] = "energy of accelerations S, least constraint"

    def refusal(self, system: DynamicSystem) -> None:  # noqa: ARG002
        return None

    def unknowns(self, size: int, rank: int, rows: int) -> int:  # noqa: ARG002
        return size

    def motion(self, instant: Instant, work: Work) -> BoundMotion:
        inertia = gathered(instant, [_gradient(body, work) for body in instant.bodies])
        force = instant.applied - inertia.force
        return least_constraint(scaled(inertia.mass, force, instant.constraint, instant.bias), work)


def _gradient(body: PointMotion, work: Work) -> tuple[Array, Array]:
    """∂S/∂u̇ = Σ w (∂r̈/∂u̇)ᵀ r̈ as M u̇ + h."""
    by_acceleration = body.partial  # r̈ is as linear in u̇ as ṙ is in u
    W = skew(body.spin)
    rest = (
        np.outer(body.shares, W @ body.velocity) + body.places @ (W @ W).T + 2 * body.relative @ W.T + body.bending
    )
    work.multiplications += 18 * len(rest)
    work.additions += 18 * len(rest)
    return body.sum(by_acceleration, by_acceleration, work), body.sum(by_acceleration, np.asarray(rest), work)

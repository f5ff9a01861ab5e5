"""Maggi: too many coordinates, and only the motions that all bonds allow.

The coordinates are the places of all mass points, free particles with w r̈ = f. Frames and shapes bind them, ṙ
= G u, and joints and drives bind u: A u + b = 0. With A B = 0 the motions left over are ṙ = G B ż + …, and
along them

    (G B)ᵀ (w r̈ − f) = 0 .

B is an orthonormal null space; joint forces drop out and come back as M u̇ + h − Q.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.dynamics.contract import DynamicSystem
from flexframe.dynamics.formalisms.constraints import allowed_motions, projected, scaled
from flexframe.dynamics.formalisms.contract import Instant, gathered
from flexframe.dynamics.formalisms.mass_points import PointMotion
from flexframe.formalisms.contract import BoundMotion
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew


@dataclass(frozen=True)
class Maggi:
    """Bᵀ[d/dt ∂T/∂q̇ − ∂T/∂q − Q] = 0 with A B = 0."""

    name: ClassVar[str] = "maggi"
    title: ClassVar[str] = "Maggi"
    primitive: ClassVar[str] = "free particles, null space of all bonds"

    def refusal(self, system: DynamicSystem) -> None:  # noqa: ARG002
        return None

    def unknowns(self, size: int, rank: int, rows: int) -> int:  # noqa: ARG002
        return size - rank

    def motion(self, instant: Instant, work: Work) -> BoundMotion:
        inertia = gathered(instant, [_bound_particles(body, work) for body in instant.bodies])
        problem = scaled(inertia.mass, instant.applied - inertia.force, instant.constraint, instant.bias)
        basis, rest = allowed_motions(problem, work)
        return projected(problem, basis, rest, work)


def _bound_particles(body: PointMotion, work: Work) -> tuple[Array, Array]:
    """Gᵀ w r̈ with r̈ = G u̇ + Ġ u, the rate Ġ taken in space: that in the frame and ω × G."""
    u = np.concatenate([body.velocity, body.spin, body.rates])[body.columns]
    bond = body.partial
    bond_rate = work.turned(skew(body.spin), bond[None])[0] + body.partial_rate
    return body.sum(bond, bond, work), body.sum(bond, np.asarray(bond_rate @ u), work)

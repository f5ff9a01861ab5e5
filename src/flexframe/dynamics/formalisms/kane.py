"""Kane: F + F* = 0 along the partial velocities of independent speeds.

The velocity of every point gives its partial velocities by one Jacobian, and its acceleration by one
derivative of its components in the frame plus ω × velocity. Joints make some speeds depend on others: u = Y
η + z with the identity in the rows of the independent speeds η, and only along these is the balance written.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.dynamics.contract import DynamicSystem
from flexframe.dynamics.formalisms.constraints import independent_speeds, projected, scaled
from flexframe.dynamics.formalisms.contract import Instant, gathered
from flexframe.dynamics.formalisms.mass_points import PointMotion
from flexframe.formalisms.contract import BoundMotion
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array


@dataclass(frozen=True)
class Kane:
    """F + F* = 0 for every independent speed."""

    name: ClassVar[str] = "kane"
    title: ClassVar[str] = "Kane"
    primitive: ClassVar[str] = "partial velocities, independent speeds"

    def refusal(self, system: DynamicSystem) -> None:  # noqa: ARG002
        return None

    def unknowns(self, size: int, rank: int, rows: int) -> int:  # noqa: ARG002
        return size - rank

    def motion(self, instant: Instant, work: Work) -> BoundMotion:
        inertia = gathered(instant, [_inertia_force(body, work) for body in instant.bodies])
        problem = scaled(inertia.mass, instant.applied - inertia.force, instant.constraint, instant.bias)
        basis, rest = independent_speeds(problem, work)
        return projected(problem, basis, rest, work)


def _inertia_force(body: PointMotion, work: Work) -> tuple[Array, Array]:
    """−F* = Σ w (∂ṙ/∂u)ᵀ r̈ as M u̇ + h."""
    components_rate = np.cross(body.spin, body.relative) + body.bending
    rest = components_rate + np.cross(body.spin, body.velocities)
    work.multiplications += 12 * len(rest)
    work.additions += 12 * len(rest)
    return body.sum(body.partial, body.partial, work), body.sum(body.partial, rest, work)

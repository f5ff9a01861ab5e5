"""What a formalism is given of a whole system, and what it must give back.

Given are the mass points of all bodies with their velocities, the applied forces Q (elastic and damping
forces, gravity, springs, loads), and the constraints A u̇ + γ = 0 of joints and drives, all at one state.
Each formalism forms inertia by its own route from the points, deals with the constraints in its own way, and
must end at the same u̇ and at the same joint forces Aᵀλ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from flexframe.dynamics.contract import DynamicState, DynamicSystem
from flexframe.dynamics.formalisms.mass_points import PointMotion
from flexframe.formalisms.contract import BoundMotion
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array


@dataclass(frozen=True, eq=False)
class Instant:
    """A system at one state."""

    system: DynamicSystem
    state: DynamicState
    bodies: tuple[PointMotion, ...]
    places: tuple[slice, ...]  # of the velocities of each body in u
    velocity: Array  # u: (n,)
    applied: Array  # Q: (n,)
    constraint: Array  # A: (rows, n)
    drive: Array  # b of A u + b = 0: (rows,)
    bias: Array  # γ: (rows,)
    potential: float  # V of gravity, springs and strain


@dataclass(frozen=True, eq=False)
class Inertia:
    """M u̇ + h of a system: (n, n) and (n,)."""

    mass: Array
    force: Array


class SystemFormalism(Protocol):
    """A route from mass points to the accelerations of a system, named after its author."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def primitive(self) -> str:
        """What the route starts from, in words."""
        ...

    def refusal(self, system: DynamicSystem) -> str | None:
        """Why the route does not exist for a system, or None; it names the part that forbids it."""
        ...

    def unknowns(self, size: int, rank: int, rows: int) -> int:
        """Unknowns that the route solves for; n velocities, `rows` constraints of which `rank` are independent."""
        ...

    def motion(self, instant: Instant, work: Work) -> BoundMotion:
        """Accelerations u̇ and joint forces Aᵀλ."""
        ...


def gathered(instant: Instant, parts: Sequence[tuple[Array, Array]]) -> Inertia:
    """Inertia of all bodies side by side from M and h of each."""
    size = len(instant.velocity)
    mass, force = np.zeros((size, size)), np.zeros(size)
    for place, (M, h) in zip(instant.places, parts, strict=True):
        mass[place, place], force[place] = M, h
    return Inertia(mass, force)

"""A system at one state as the formalisms see it: mass points, applied forces and constraints."""

from dataclasses import dataclass

import numpy as np

from flexframe.dynamics.contract import DynamicState, DynamicSystem
from flexframe.dynamics.equations import equations_at
from flexframe.dynamics.formalisms.contract import Instant
from flexframe.dynamics.formalisms.mass_points import MassPoints, mass_points, point_motion
from flexframe.maths.arrays import Array, IntArray

_PLANAR, _SPATIAL = (0, 1, 5), (0, 1, 2, 3, 4, 5)


@dataclass(frozen=True, eq=False)
class PointSystem:
    """A system whose bodies are mass points, prepared once for many states."""

    system: DynamicSystem
    points: tuple[MassPoints, ...]
    columns: tuple[IntArray, ...]  # of (v, ω, δ̇) that each body uses
    places: tuple[slice, ...]  # of its velocities in u

    def local(self, state: DynamicState, number: int) -> Array:
        """(v, ω, δ̇) of a body: (6 + m,)."""
        rates = state.rates[self.system.elastic(number)]
        return np.concatenate([state.velocities[number], state.angular_velocities[number], rates])

    def at(self, state: DynamicState) -> Instant:
        """Everything at one state."""
        system = self.system
        equations = equations_at(system, state)
        bodies = tuple(
            point_motion(
                points, body, state.deformation[system.elastic(number)], self.local(state, number), columns
            )
            for number, (points, body, columns) in enumerate(
                zip(self.points, system.bodies, self.columns, strict=True)
            )
        )
        return Instant(
            system=system,
            state=state,
            bodies=bodies,
            places=self.places,
            velocity=equations.velocity,
            applied=equations.applied_force,
            constraint=equations.constraint,
            drive=equations.drive_rate,
            bias=equations.bias,
            potential=equations.potential_energy,
        )


def point_system(system: DynamicSystem) -> PointSystem:
    """Find the mass points of all bodies."""
    rigid = _PLANAR if system.planar else _SPATIAL
    points, columns, places = [], [], []
    for number, body in enumerate(system.bodies):
        points.append(mass_points(body, planar=system.planar))
        columns.append(np.array([*rigid, *range(6, 6 + body.size)], dtype=np.int64))
        first = int(system.rigid_starts[number])
        places.append(slice(first, first + len(columns[-1])))
    return PointSystem(system, tuple(points), tuple(columns), tuple(places))

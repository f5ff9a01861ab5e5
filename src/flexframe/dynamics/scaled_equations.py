"""The equations of a system at a place in lengths of the system and radians, for searches of equilibria."""

from dataclasses import dataclass

import numpy as np

from flexframe import _core
from flexframe.dynamics.contract import DynamicSystem
from flexframe.dynamics.places import move_place, set_velocity
from flexframe.dynamics.tables import Place
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion, vector_from_rotation

_DEPENDENT = 1e-10  # part of the largest singular value below which constraints say the same thing twice
_LARGEST = 0.1  # step that is taken at once


@dataclass(frozen=True, eq=False)
class Equations:
    """M u̇ + h = Q + Aᵀλ with A u = ḟ and A u̇ + γ = 0 at a place, columns and rows scaled."""

    mass: Array  # M: (n, n)
    force: Array  # h − Q: (n,)
    constraints: Array  # A: (rows, n)
    gap: Array  # s − f: (rows,)
    target: Array  # ḟ: (rows,)
    bias: Array  # γ: (rows,)


@dataclass(frozen=True, eq=False)
class Range:
    """What A allows and what it asks for."""

    inverse: Array  # shortest solution of A x = b: (n, rows)
    null: Array  # all x with A x = 0, orthonormal: (n, f)


def range_of(constraints: Array) -> Range:
    """Shortest solutions and null space of A, rows that say the same thing twice allowed."""
    rows, n = constraints.shape
    if not rows:
        return Range(np.zeros((n, 0)), np.eye(n))
    U, values, Vt = np.linalg.svd(constraints)
    rank = int(np.count_nonzero(values > _DEPENDENT * values.max()))
    return Range((Vt[:rank].T / values[:rank]) @ U[:, :rank].T, Vt[rank:].T)


class ScaledEquations:
    """A system with its laws at one time."""

    def __init__(self, system: DynamicSystem, time: float) -> None:
        self.system, self.time = system, time
        self.scales, self.row_scales = system.tables.scales, system.tables.rows.scales
        self._evaluation = _core.Evaluation(system.compiled)
        self._still, self._no_force = np.zeros(system.size), np.zeros(system.rows)

    def at(self, place: Place) -> Equations:
        """The equations at a place with its velocities."""
        own, n, s = self._evaluation, self.system.size, self.scales
        own.evaluate(place, self.time, self._still, self._no_force, False)
        residual, matrices = own.residual(), own.matrices()
        gap = np.where(self.system.tables.rows.holonomic == 1, residual[n:], 0.0)
        return Equations(
            mass=matrices[:n] * s[:, None] * s,
            force=residual[:n] * s,
            constraints=matrices[n:] * self.row_scales[:, None] * s,
            gap=gap * self.row_scales,
            target=own.targets()[:, 1] * self.row_scales,
            bias=own.biases() * self.row_scales,
        )

    def force_coordinates(self, place: Place) -> Array:
        """Coordinates of the force elements at a place [m, rad]: (forces,)."""
        self._evaluation.evaluate(place, self.time, self._still, self._no_force, False)
        return self._evaluation.coordinates()

    def moved(self, place: Place, step: Array) -> Place:
        """The place after a step."""
        return move_place(self.system, place, step * self.scales)

    def moved_carefully(self, place: Place, step: Array) -> Place:
        """The place after a step, or after as much of it as is taken at once."""
        longest = float(np.abs(step).max(initial=0.0))
        return self.moved(place, step * min(1.0, _LARGEST / max(longest, _LARGEST)))

    def with_velocities(self, place: Place, velocities: Array) -> Place:
        """The place with other velocities."""
        after = Place(*(array.copy() for array in place))
        set_velocity(self.system, velocities * self.scales, after)
        return after

    def vector(self, local: Array) -> Array:
        """Local coordinates of all bodies (bodies, 6 + m) as one vector: (n,)."""
        numbers = self.system.tables.bodies.numbers
        x = np.zeros(self.system.size)
        x[numbers[numbers >= 0]] = local[numbers >= 0]
        return x / self.scales


def elastic_matrices(system: DynamicSystem) -> tuple[Array, Array]:
    """Elastic stiffness and mass of all bodies relative to their frames, scaled: (n, n) each."""
    K, M = (np.zeros((system.size, system.size)) for _ in range(2))
    for body, numbers in zip(system.bodies, system.tables.bodies.numbers, strict=True):
        own = numbers[6 : 6 + body.size]
        K[np.ix_(own, own)] = body.stiffness
        M[np.ix_(own, own)] = body.elastic_mass
    scale = system.tables.scales[:, None] * system.tables.scales
    return K * scale, M * scale


def frame_displacements(before: Place, after: Place) -> Array:
    """How frames are displaced [m] and turned [rad], in components of the bodies before: (bodies, 6)."""
    R, there = (rotation_from_quaternion(place.quaternions) for place in (before, after))
    shift = np.einsum("bji,bj->bi", R, after.positions - before.positions)
    turn = vector_from_rotation(np.swapaxes(R, 1, 2) @ there)
    return np.concatenate([shift, turn], axis=1)

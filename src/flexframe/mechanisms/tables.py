"""Constraints in flat tables, evaluated by the core for all rows and all instants.

For the coordinate s of every row they give

    value s,   rows J with ṡ = J · (v, ω),   rate ṡ,   and bias β with s̈ = J · (v̇, ω̇) + β,

with v, ω the velocities of all bodies in space axes. J is (T, rows, bodies + 1, 6); the last body is the ground.
In the formulas a and b are the first and the second body, ρ the arm of a place from the origin of its body,
Δ = p_b − p_a, and x, y, z directions fixed in a (or in space), b and a.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe import _core
from flexframe.maths.arrays import Array, IntArray
from flexframe.mechanisms.states import Configuration, Rates
from flexframe.model.constraints import (
    Along,
    BladeSlip,
    Constraint,
    Distance,
    Perpendicular,
    RimHeight,
    RimSlip,
    Rotation,
    two_normals,
    unit,
)


@dataclass(frozen=True, eq=False)
class BoundFrames:
    """A constraint with the bodies it binds and the frames on them, in body axes."""

    constraint: Constraint
    first: int
    second: int
    first_point: Array  # (3,)
    second_point: Array
    first_axes: Array  # (3, 3), columns
    second_axes: Array


@dataclass(frozen=True, eq=False)
class ConstraintTable:
    """Rows of constraints: type, bodies or other frames, places and directions."""

    types: IntArray  # numbers of the types in the core: (rows,)
    frames: IntArray  # first, second, and the one that carries x: (rows, 3)
    places: Array  # on the first and the second body: (rows, 2, 3)
    directions: Array  # x, y, z: (rows, 3, 3)
    radii: Array  # (rows,)

    def values(self, c: Configuration) -> tuple[Array, Array]:
        """s (T, rows) and J (T, rows, bodies + 1, 6)."""
        T, rows = c.count, len(self.types)
        s, J = np.zeros((T, rows)), np.zeros((T, rows, c.positions.shape[1], 6))
        _core.constraint_values(self, np.ascontiguousarray(c.positions), np.ascontiguousarray(c.rotations), s, J)
        return s, J

    def rates(self, c: Configuration, u: Rates) -> tuple[Array, Array]:
        """ṡ and β: (T, rows) each."""
        rate, bias = np.zeros((c.count, len(self.types))), np.zeros((c.count, len(self.types)))
        r, R, v, w = map(np.ascontiguousarray, (c.positions, c.rotations, u.linear, u.angular))
        _core.constraint_rates(self, r, R, v, w, rate, bias)
        return rate, bias


def constraint_table(entries: Sequence[BoundFrames], ground: int) -> ConstraintTable:
    """One row for each constraint, in their order."""
    m, number = len(entries), {name: number for number, name in enumerate(_core.constraint_types())}
    types, bodies = np.zeros(m, dtype=np.int64), np.zeros((m, 3), dtype=np.int64)
    places, directions, radii = np.zeros((m, 2, 3)), np.zeros((m, 3, 3)), np.zeros(m)
    for row, e in enumerate(entries):
        bodies[row] = e.first, e.second, e.first
        places[row] = e.first_point, e.second_point
        on_first, on_second = e.first_axes, e.second_axes
        match e.constraint:
            case Along(direction=d, in_space=in_space):
                types[row] = number["along"]
                bodies[row, 2] = ground if in_space else e.first
                directions[row, 0] = unit(d, "axis") if in_space else on_first @ unit(d, "axis")
            case Perpendicular(first=x, second=y):
                types[row] = number["perpendicular"]
                directions[row, :2] = on_first @ unit(x, "axis"), on_second @ unit(y, "axis")
            case Rotation(axis=axis):
                u, v = two_normals(axis)
                types[row] = number["rotation"]
                directions[row] = on_first @ u, on_second @ u, on_first @ v
            case Distance():
                types[row] = number["distance"]
            case RimHeight(radius=radius, normal=n, axis=k):
                types[row], radii[row] = number["rim_height"], radius
                directions[row, :2] = on_first @ n, on_second @ k
            case RimSlip(radius=radius, normal=n, axis=k, direction=t):
                types[row], radii[row] = number["rim_slip"], radius
                directions[row] = on_first @ n, on_second @ k, on_first @ t
            case BladeSlip(normal=n):
                types[row] = number["blade_slip"]
                directions[row, 1] = on_second @ unit(n, "normal")
    return ConstraintTable(types, bodies, places, directions, radii)

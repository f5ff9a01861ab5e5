"""Mass points that stand for a body, how they move at one instant, and counted integrals over them.

Every integral of a body is a second moment of the functions 1, x and F: ∫ρ, ∫ρx, ∫ρxx, ∫ρF, ∫ρxF and ∫ρFF. As many
points as there are functions have the same sums. From there on a body is nothing but points at r = r_O + R ξ with
ξ = x + F η(δ), and each formalism can begin where it begins in a textbook.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg

from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import skew

if TYPE_CHECKING:
    from flexframe.multibody.contract import DynamicBody


@dataclass
class Work:
    """Additions and multiplications done so far; every array operation of a route goes through here."""

    additions: int = 0
    multiplications: int = 0

    @property
    def operations(self) -> int:
        """Both together."""
        return self.additions + self.multiplications

    def count(self, operations: int) -> None:
        """Count so many multiplications and as many additions."""
        self.multiplications += operations
        self.additions += operations

    def integral(self, weights: Array, left: Array, right: Array) -> Array:
        """∫ρ LᵀR of fields (elements, points, 3, k) and (elements, points, 3, l): (elements, k, l)."""
        elements, points, _, k = left.shape
        width = right.shape[-1]
        self.multiplications += elements * points * 3 * k * (1 + width)
        self.additions += elements * (3 * points - 1) * k * width
        weighted = (left * weights[..., None, None]).reshape(elements, points * 3, k)
        return np.matmul(weighted.swapaxes(1, 2), right.reshape(elements, points * 3, width))

    def multiply(self, matrix: Array, field: Array) -> Array:
        """(3, 3) matrix times a field (elements, points, 3, k)."""
        self.multiplications += 3 * field.size
        self.additions += 2 * field.size
        return np.matmul(matrix, field)

    def product(self, left: Array, right: Array) -> Array:
        """Matrix product of (elements, k, l) and (elements, l, m)."""
        elements, rows, inner = left.shape
        columns = right.shape[-1]
        self.multiplications += elements * rows * inner * columns
        self.additions += elements * rows * (inner - 1) * columns
        return np.matmul(left, right)

    def sum(self, first: Array, *others: Array) -> Array:
        """Sum of arrays of one shape."""
        total = first
        for other in others:
            self.additions += other.size
            total = total + other
        return total

    def inverse(self, matrices: Array) -> Array:
        """Inverses of symmetric positive definite matrices (elements, p, p), scaled to a unit diagonal first."""
        elements, size, _ = matrices.shape
        scale = 1 / np.sqrt(np.einsum("eii->ei", matrices))
        self.multiplications += elements * size**3
        self.additions += elements * size**3
        inverse = np.linalg.inv(matrices * scale[:, :, None] * scale[:, None, :])
        return np.asarray((inverse + inverse.swapaxes(1, 2)) / 2 * scale[:, :, None] * scale[:, None, :])


def column(vectors: Array) -> Array:
    """Vectors (…, 3) as a field of one column (…, 3, 1)."""
    return vectors[..., None]


def at_points(field: Array, amounts: Array) -> Array:
    """Σ field_k amount_k, (elements, points, 3, k) and (elements, k): (elements, points, 3)."""
    return np.einsum("egik,ek->egi", field, amounts)


def half_square(weights: Array, values: Array) -> Array:
    """½∫ρ|values|²: (elements,)."""
    return np.asarray(np.einsum("eg,egi,egi->e", weights, values, values) / 2)


_NEGATIVE = 1e-9  # second moment, relative, that no mass can have
_NOTHING = 1e-15  # relative, what is left by rounding


@dataclass(frozen=True, eq=False)
class MassPoints:
    """Points with the integrals of a body.

    A body whose kinetic energy leaves terms out has moments that no mass has; some weights are then negative, and
    a point is moved by a share of the frame's translation.
    """

    weights: Array  # in kg: (g,)
    shares: Array  # of the frame's translation, one for each true mass point: (g,)
    positions: Array  # x: (g, 3)
    fields: Array  # F: (g, 3, n)


def mass_points(body: "DynamicBody", *, planar: bool) -> MassPoints:
    """The points of a body; of a planar one only what happens in the x–y plane."""
    axes = [0, 1] if planar else [0, 1, 2]
    d, n = len(axes), body.fields
    X, Y = body.position_coupling[np.ix_(axes, axes)], body.shape_products[np.ix_(axes, axes)]
    moments = np.empty((1 + d + d * n, 1 + d + d * n))
    moments[0, 0] = body.mass
    moments[0, 1 : 1 + d] = body.first_moment[axes]
    moments[0, 1 + d :] = body.origin_coupling[axes].reshape(-1)
    moments[1 : 1 + d, 1 : 1 + d] = body.second_moment[np.ix_(axes, axes)]
    moments[1 : 1 + d, 1 + d :] = X.reshape(d, d * n)
    moments[1 + d :, 1 + d :] = Y.transpose(0, 2, 1, 3).reshape(d * n, d * n)
    moments = np.triu(moments) + np.triu(moments, 1).T
    diagonal = np.diagonal(moments)
    size = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    squares, directions = linalg.eigh(moments / np.outer(size, size))
    kept = np.abs(squares) > _NOTHING * squares[-1]
    rows = np.sqrt(np.abs(squares[kept]))[:, None] * directions[:, kept].T * size
    if squares[0] < -_NEGATIVE * squares[-1] or not body.mass > 0:
        return _points(np.sign(squares[kept]), rows[:, 0], rows[:, 1:], axes)
    weight, moved = equal_masses(rows)
    return _points(np.full(len(moved), weight), np.ones(len(moved)), moved, axes)


def equal_masses(rows: Array) -> tuple[float, Array]:
    """Mass w and rows (x, F) of points with equal masses that have the second moments of rows √w (1, x, F).

    An orthogonal matrix turns the rows into a triangle, which keeps every sum of products and leaves all mass in
    one row; the reflection that takes (1, 0, 0, …) to (1, 1, 1, …)/√n then gives all rows the same share.
    """
    triangle = linalg.qr(rows, mode="r")[0][: min(rows.shape)]
    count = len(triangle)
    normal = np.full(count, -1 / np.sqrt(count))
    normal[0] += 1.0
    root = triangle[0, 0] / np.sqrt(count)
    if count > 1:
        triangle = triangle - 2 * np.outer(normal, normal @ triangle) / (normal @ normal)
    return float(root**2), triangle[:, 1:] / root


def _points(weights: Array, shares: Array, rows: Array, axes: list[int]) -> MassPoints:
    """Points from rows (x, F) in the axes that matter."""
    count, d = len(weights), len(axes)
    n = rows.shape[1] // d - 1
    positions, fields = np.zeros((count, 3)), np.zeros((count, 3, n))
    positions[:, axes] = rows[:, :d]
    fields[:, axes] = rows[:, d:].reshape(count, d, n)
    return MassPoints(weights, shares, positions, fields)


@dataclass(frozen=True, eq=False)
class PointMotion:
    """The points of one body at one instant, in body axes; `columns` are the velocities (v, ω, δ̇) in use."""

    weights: Array  # (g,)
    shares: Array  # (g,)
    places: Array  # ξ: (g, 3)
    shapes: Array  # ∂ξ/∂δ: (g, 3, m)
    shape_rates: Array  # d/dt ∂ξ/∂δ: (g, 3, m)
    velocity: Array  # v of the frame: (3,)
    spin: Array  # ω: (3,)
    rates: Array  # δ̇: (m,)
    columns: IntArray

    @cached_property
    def relative(self) -> Array:
        """ξ̇ = (∂ξ/∂δ) δ̇: (g, 3)."""
        return np.asarray(self.shapes @ self.rates)

    @cached_property
    def bending(self) -> Array:
        """(d/dt ∂ξ/∂δ) δ̇: (g, 3)."""
        return np.asarray(self.shape_rates @ self.rates)

    @cached_property
    def velocities(self) -> Array:
        """ṙ = v + ω × ξ + ξ̇: (g, 3)."""
        return np.asarray(np.outer(self.shares, self.velocity) + np.cross(self.spin, self.places) + self.relative)

    @cached_property
    def partial(self) -> Array:
        """∂ṙ/∂(v, ω, δ̇) = [1, −ξ̃, ∂ξ/∂δ] in the columns in use: (g, 3, k)."""
        ones = self.shares[:, None, None] * np.eye(3)
        return np.concatenate([ones, -skew(self.places), self.shapes], axis=2)[:, :, self.columns]

    @cached_property
    def partial_rate(self) -> Array:
        """d/dt of [1, −ξ̃, ∂ξ/∂δ] in the frame: (g, 3, k)."""
        zeros = np.zeros((len(self.weights), 3, 3))
        return np.concatenate([zeros, -skew(self.relative), self.shape_rates], axis=2)[:, :, self.columns]

    def sum(self, left: Array, right: Array, work: Work) -> Array:
        """Σ w LᵀR of (g, 3, k) and (g, 3, l), or of vectors (g, 3): (k, l) or (k,)."""
        if not len(self.weights):
            return np.zeros((left.shape[2], *right.shape[2:]))
        wide = right if right.ndim == 3 else right[..., None]
        total = work.integral(self.weights[None], left[None], wide[None])[0]
        return total if right.ndim == 3 else total[:, 0]


def point_motion(
    points: MassPoints, body: "DynamicBody", delta: Array, u: Array, columns: IntArray
) -> PointMotion:
    """The points at the deformation δ and the velocities u = (v, ω, δ̇) of the body."""
    m = body.size
    slopes, turns = body.slopes(delta), body.slope_rates(delta, u[6:])
    linear, quadratic = points.fields[..., :m], points.fields[..., m:]
    return PointMotion(
        weights=points.weights,
        shares=points.shares,
        places=points.positions + linear @ delta + quadratic @ body.amplitudes(delta),
        shapes=linear + quadratic @ slopes,
        shape_rates=quadratic @ turns,
        velocity=u[:3],
        spin=u[3:6],
        rates=u[6:],
        columns=columns,
    )

"""Integrals over the mass points of elements, with a count of the operations that they take."""

from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array


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

    def turned(self, matrix: Array, field: Array) -> Array:
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

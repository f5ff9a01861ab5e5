"""What the eigensolvers share: residuals, normalisation, the seed of their starting vectors.

Residuals are |P φ| divided by the sum of the norms of the terms of P φ and √eps |K||φ|. The last term, the
absolute values of the entries, keeps the residual of a rigid motion meaningful, whose terms all vanish.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.matrix_products import absolute_product

Block = NDArray[Any]

SEED = 7
ROUNDINGS = 4.0  # that a sum of a row and of a column may add up to


def check_count(count: int, size: int) -> None:
    """Refuse a number of modes that the model does not have."""
    if not 1 <= count <= size:
        raise InputError(f"{count} modes of a model with {size} unknowns are not possible; ask for 1 to {size}")


def is_symmetric(matrix: SparseMatrix) -> bool:
    """Whether a matrix equals its transpose to round-off."""
    return bool(abs(matrix - matrix.T).max() <= 1e-14 * abs(matrix).max())


def is_skew(matrix: SparseMatrix) -> bool:
    """Whether a matrix is minus its transpose to round-off."""
    return bool(abs(matrix + matrix.T).max() <= 1e-14 * abs(matrix).max())


def with_largest_entry_positive(vectors: Block) -> Block:
    """Columns turned so that their largest entries are real and positive."""
    largest = np.take_along_axis(vectors, np.argmax(np.abs(vectors), axis=0)[None, :], axis=0)
    return np.asarray(vectors * (np.conj(largest) / np.abs(largest)))


def rounding_floor(stiffness: SparseMatrix, vectors: Block) -> Array:
    """√eps |K||φ| of each column."""
    return np.asarray(np.sqrt(np.finfo(float).eps) * np.linalg.norm(absolute_product(stiffness, vectors), axis=0))


def energy_rounding(stiffness: SparseMatrix, vectors: Block) -> Array:
    """What rounding may do to xᵀKx of each column: some eps |x|ᵀ|K||x|."""
    size = np.einsum("ij,ij->j", np.abs(vectors), absolute_product(stiffness, vectors))
    return np.asarray(ROUNDINGS * np.finfo(float).eps * size)


def relative_residuals(*terms: Block, floor: Array) -> Array:
    """|Σ terms| / (Σ |terms| + floor), column by column."""
    sizes = floor + sum(np.linalg.norm(term, axis=0) for term in terms)
    return np.asarray(np.linalg.norm(sum(terms), axis=0) / np.maximum(sizes, np.finfo(float).tiny))

"""The coordinates in which the stability of one body is decided: its lowest modes at rest."""

import numpy as np
import scipy.linalg

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.eigenproblems import symmetric_modes

MODES = 12
_DENSE = 400  # unknowns


def modal_basis(stiffness: SparseMatrix, mass: SparseMatrix, count: int | None) -> tuple[Array, Array]:
    """Natural frequencies [rad/s] (r,) and M-orthonormal shapes (n, r) of the lowest modes at rest."""
    n = mass.shape[0]
    if count is not None and count < 1:
        raise InputError(f"the number of modes is {count}; give at least one")
    kept = min(MODES if count is None else count, n)
    if n <= _DENSE:
        squares, vectors = scipy.linalg.eigh(stiffness.toarray(), mass.toarray(), subset_by_index=(0, kept - 1))
    else:
        found = symmetric_modes(stiffness, mass, kept, confirm=False)
        squares, vectors = found.eigenvalues, found.vectors
    return np.sqrt(np.maximum(squares, 0.0)), np.asarray(vectors)

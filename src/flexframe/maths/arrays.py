"""Array types used in signatures throughout the package."""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array: TypeAlias = NDArray[np.float64]
ComplexArray: TypeAlias = NDArray[np.complex128]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
if TYPE_CHECKING:
    SparseMatrix: TypeAlias = sparse.csr_array[Any, tuple[int, int]]
else:
    SparseMatrix = sparse.csr_array

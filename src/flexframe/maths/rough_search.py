"""Modes of a large supported body by factors in single precision, and their count by those of the same pattern."""

from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.block_davidson import NearlyInverted, davidson_bytes, lowest_pairs
from flexframe.maths.eigen_residuals import SEED
from flexframe.maths.factorisation import RoughFactors, rough_factors
from flexframe.maths.matrix_products import shifted
from flexframe.phases import phase


class TooRoughError(Exception):
    """Single precision does not do for this body."""


class RoughSearch:
    """The lowest modes of definite K and M by block Davidson, and how many there are below a value."""

    def __init__(self, stiffness: SparseMatrix, mass: SparseMatrix, factors: RoughFactors, spare: int) -> None:
        self._stiffness, self._mass = stiffness, mass
        self._factors, self._spare = factors, spare
        self._is_ready = True  # the factors are those of K
        self.method = f"block Davidson, {factors.solver}"

    def modes(self, count: int, found: Array) -> tuple[Array, Array]:
        """Modes M-orthogonal to those found, ascending; `count` of them accurate."""
        if not self._is_ready:
            self._factors.replace(self._stiffness)
            self._is_ready = True
        pencil = NearlyInverted(self._stiffness, self._mass, self._factors.solve, found)
        pairs = lowest_pairs(pencil, count, spare=self._spare, seed=SEED + found.shape[1])
        if pairs is None:
            raise TooRoughError
        return pairs

    @phase("count")
    def count_roughly(self, value: float) -> int | None:
        """Eigenvalues below `value` by single precision; None where it fails."""
        self._is_ready = False
        return self._factors.replace(shifted(self._stiffness, self._mass, value))

    def close(self) -> None:
        """Free the factors."""
        self._factors.close()


def rough_search(stiffness: SparseMatrix, mass: SparseMatrix, count: int, spare: int) -> RoughSearch | None:
    """The search, where single precision does for K and no unknown is without mass."""
    if not (mass.diagonal() > 0.0).all():
        return None
    factors = rough_factors(stiffness, davidson_bytes(stiffness.shape[0], count, spare))
    return None if factors is None else RoughSearch(stiffness, mass, factors, spare)

"""Exact inverse of a symbolic mass matrix."""

from sympy import ImmutableMatrix
from sympy.polys.matrices import DomainMatrix

from flexframe.symbolic.element_data import Matrix


def block_inverse(matrix: Matrix) -> Matrix:
    """Invert a symmetric matrix block by block; a block holds the coordinates that are coupled."""
    result = ImmutableMatrix.zeros(*matrix.shape).as_mutable()
    for block in matrix.connected_components():
        part = DomainMatrix.from_Matrix(matrix.extract(block, block)).to_field().inv().to_Matrix()
        for i, r in enumerate(block):
            for j, t in enumerate(block):
                result[r, t] = part[i, j].factor()
    return result.as_immutable()

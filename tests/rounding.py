"""How far rounding may take a number from its exact value, for the bounds of tests.

A processor, its vector width and the kernels of its linear algebra decide in which order sums are taken, so that
the last digits differ from machine to machine. A bound must hold for every order, and is derived, not measured:

    relative error ≤ n ε κ

with ε = 2⁻⁵², n the number of roundings that follow one another (the length of the longest sum, or the number of
unknowns of a factorisation), and κ the condition of the problem: by how much a relative change of the data is
magnified in the answer (Higham, Accuracy and Stability of Numerical Algorithms, chapters 3, 7 and 9). Roundings of
a real computation partly cancel: a right answer is as a rule ten or a hundred times below this, and one by a wrong
formula far above.
"""

import numpy as np

EPSILON = float(np.finfo(float).eps)


def rounding(operations: float, condition: float = 1.0) -> float:
    """n ε κ of a number of roundings in a row and a condition."""
    return EPSILON * operations * condition


ROUNDING = rounding(100)
"""A hundred roundings in a row of numbers that do not cancel, condition 1.

Sums over the cells or points of a small test body, products of small matrices, elementary functions of numbers of
order one.
"""

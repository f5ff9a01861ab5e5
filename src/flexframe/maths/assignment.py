"""Partners of two groups, each of one for one of the other."""

import numpy as np

from flexframe.maths.arrays import Array, IntArray


def best_partners(shares: Array) -> tuple[IntArray, IntArray]:
    """Rows and columns of the pairs with the largest sum of shares (m, n); of the larger group some stay alone.

    Where the favourites of the smaller group all differ, they are the answer. Only rivals need the assignment of
    scipy, whose package takes longer to load than many cases to compute.
    """
    wide = shares.shape[0] <= shares.shape[1]
    favourites = np.argmax(shares, axis=1 if wide else 0)
    if len(np.unique(favourites)) == len(favourites):
        numbers = np.arange(len(favourites))
        if wide:
            return numbers, favourites
        order = np.argsort(favourites)
        return favourites[order], numbers[order]
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(shares, maximize=True)
    return rows, columns

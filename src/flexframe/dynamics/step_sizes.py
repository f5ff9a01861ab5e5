"""Steps of equal length between the samples of a motion."""

import numpy as np


def equal_steps(begin: float, end: float, step: float) -> tuple[float, int]:
    """Length and number of the steps from begin to end, no longer than asked for.

    Twelve digits are kept of the length, so that intervals that are equal but for rounding have the same one and
    factors of a matrix that belong to it can be kept.
    """
    count = max(1, int(np.ceil((end - begin) / step * (1 - 1e-9))))
    return float(f"{(end - begin) / count:.11e}"), count

"""Extreme eigenvalues of many symmetric 3 × 3 matrices at once."""

import numpy as np

from flexframe.maths.arrays import Array


def extreme_eigenvalues(tensor: Array) -> tuple[Array, Array]:
    """Smallest and largest eigenvalue of symmetric matrices (…, 3, 3), to some 1e-8 of the largest where two meet.

    With the mean m = tr A/3 and 2p² = |A − m|²/3 they are m + 2p cos(φ + 2kπ/3), cos 3φ = det(A − m)/(2p³)
    (Smith 1961). Many times faster than an iteration for each matrix.
    """
    xx, yy, zz = tensor[..., 0, 0], tensor[..., 1, 1], tensor[..., 2, 2]
    xy, yz, zx = tensor[..., 0, 1], tensor[..., 1, 2], tensor[..., 0, 2]
    mean = (xx + yy + zz) / 3
    a, b, c = xx - mean, yy - mean, zz - mean
    p = np.sqrt((a * a + b * b + c * c + 2 * (xy * xy + yz * yz + zx * zx)) / 6)
    determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * zx) + zx * (xy * yz - b * zx)
    cubed = 2 * p**3
    ratio = np.divide(determinant, cubed, out=np.zeros_like(p), where=cubed > 0)
    angle = np.arccos(np.clip(ratio, -1.0, 1.0)) / 3
    return mean + 2 * p * np.cos(angle + 2 * np.pi / 3), mean + 2 * p * np.cos(angle)

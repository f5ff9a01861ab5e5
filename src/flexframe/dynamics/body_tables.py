"""Bodies as flat tables for compiled functions, and the numbers and scales of their velocities."""

from collections.abc import Sequence

import numpy as np

from flexframe.dynamics.contract import DynamicBody
from flexframe.dynamics.tables import BodyTables
from flexframe.maths.arrays import Array, IntArray

PLANAR, SPATIAL = (0, 1, 5), (0, 1, 2, 3, 4, 5)
"""Local velocities (v, ω) that a body in the plane and in space has."""


def numbering(bodies: Sequence[DynamicBody], *, planar: bool) -> tuple[IntArray, list[int]]:
    sizes = [body.size for body in bodies]
    rigid = len(PLANAR if planar else SPATIAL)
    return np.concatenate([[0], np.cumsum([rigid + size for size in sizes])]).astype(np.int64), sizes


def body_tables(bodies: Sequence[DynamicBody], starts: IntArray, *, planar: bool) -> BodyTables:
    columns = PLANAR if planar else SPATIAL
    most = max(1, *(body.size for body in bodies))
    numbers, lengths = np.full((len(bodies), 6 + most), -1, dtype=np.int64), np.ones(len(bodies))
    for b, body in enumerate(bodies):
        first = int(starts[b])
        numbers[b, list(columns)] = first + np.arange(len(columns))
        numbers[b, 6 : 6 + body.size] = first + len(columns) + np.arange(body.size)
        if body.mass > 0:
            lengths[b] = np.sqrt(3 * np.trace(body.second_moment) / body.mass) or 1.0
    return BodyTables(np.array([body.size for body in bodies], dtype=np.int64), numbers, lengths)


def velocity_scales(bodies: Sequence[DynamicBody], starts: IntArray, length: float, *, planar: bool) -> Array:
    """One length, one radian, and the elastic coordinate that moves a body by one length on average."""
    scales = np.ones(int(starts[-1]))
    for b, body in enumerate(bodies):
        first, rigid = int(starts[b]), len(PLANAR if planar else SPATIAL)
        scales[first : first + (2 if planar else 3)] = length
        own = np.diagonal(body.elastic_mass)
        usual = np.where(own > 0, own, 1.0)
        scales[first + rigid : first + rigid + body.size] = length * np.sqrt(max(body.mass, 1e-300) / usual)
    return scales

"""Structural elements whose ends rigid arms join to the nodes, and batches in pieces."""

from collections.abc import Iterator

import numpy as np

from flexframe.elements.contract import ElementBatch
from flexframe.maths.arrays import Array


def element_ends(batch: ElementBatch, arms: Array | None) -> Array:
    """Places of the element ends, which rigid arms join to the nodes: (elements, nodes, 3)."""
    return batch.coordinates if arms is None else batch.coordinates + arms


def at_nodes(columns: Array, arms: Array | None) -> Array:
    """Columns for displacements of the ends as columns for those of the nodes, u_end = u + θ × arm: (e, …, p)."""
    if arms is None:
        return columns
    elements, nodes, _ = arms.shape
    moved = columns.reshape(elements, -1, nodes, 6).copy()
    moved[..., 3:] += np.cross(arms[:, None], moved[..., :3])  # c·(θ × arm) = θ·(arm × c)
    return moved.reshape(columns.shape)


def rows_of_pieces(batch: ElementBatch) -> Iterator[tuple[ElementBatch, slice]]:
    """The pieces of a batch with their rows in its arrays."""
    start = 0
    for part in batch.pieces():
        yield part, slice(start, start + part.count)
        start += part.count

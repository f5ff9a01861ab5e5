"""Which triangles of a shell are wide facets of a curved thin surface."""

import numpy as np

from flexframe.elements.contract import ElementBatch
from flexframe.elements.shell_common import local_axes
from flexframe.maths.arrays import Array, BoolArray
from flexframe.mesh.blocks import row_keys

_FOLD = np.cos(np.radians(30))  # sharper edges are edges of the body, not of a mesh
_LOCKING = 0.7  # tilt × width / thickness above which corner rotations would stiffen the membrane


def is_wide_facet(batch: ElementBatch) -> BoolArray:
    """Which shell triangles would lock by their corner rotations: (elements,).

    Neighbours at an angle 2τ bend against each other: their curvature κ gives corner rotations of about κ h τ
    relative to the plane, and a membrane strain of the same order, beside the bending strain κ t.
    """
    width = np.sqrt(np.linalg.norm(_doubled_areas(batch.coordinates), axis=1))
    return np.asarray(_tilts(batch) * width > _LOCKING * batch.prop.extent)


def _doubled_areas(coordinates: Array) -> Array:
    """Normals of the triangles, of twice their area: (elements, 3)."""
    return np.cross(coordinates[:, 1] - coordinates[:, 0], coordinates[:, 2] - coordinates[:, 0])


def _tilts(batch: ElementBatch) -> Array:
    """Half of the largest angle to a neighbour across an edge, folds left out: (elements,)."""
    ends = np.sort(batch.nodes[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    keys = row_keys(ends)
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    first, second = order[:-1][same] // 3, order[1:][same] // 3
    normals = local_axes(batch.coordinates)[:, 2]
    cosine = np.abs(np.einsum("ei,ei->e", normals[first], normals[second]))
    smooth: BoolArray = cosine > _FOLD
    half = np.arccos(np.minimum(cosine[smooth], 1.0)) / 2
    tilts = np.zeros(batch.count)
    np.maximum.at(tilts, first[smooth], half)
    np.maximum.at(tilts, second[smooth], half)
    return tilts

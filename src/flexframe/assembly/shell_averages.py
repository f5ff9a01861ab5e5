"""Membrane forces and moments of shells, averaged at the nodes in space so that curved shells can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.stress_recovery import nodal_extension
from flexframe.elements.contract import ElementBatch
from flexframe.elements.shell_common import BENDING, MEMBRANE, local_axes, surface
from flexframe.elements.shell_quadrilateral import ShellQuadrilateral
from flexframe.elements.shell_triangle import ShellTriangle
from flexframe.maths.arrays import Array
from flexframe.mesh.shapes import cell_geometry

_FOLD = np.cos(np.radians(20))  # shorter means of unit normals are those of an edge, where moments may jump


@dataclass(frozen=True, eq=False)
class SmoothedResultants:
    """Nxx, Nyy, Nxy, Mxx, Myy, Mxy of elements, in their axes at the points of a rule: (elements, points, 6)."""

    computed: Array
    recovered: Array  # interpolated from the averages at the nodes
    areas: Array  # dA: (elements, points)


def smoothed_resultants(
    node_count: int, parts: Sequence[tuple[ElementBatch, Array]]
) -> tuple[SmoothedResultants, ...]:
    """Averages over all batches, which come with their resultants at the rule: (elements, points, resultants)."""
    total, normals, count = np.zeros((node_count, 2, 3, 3)), np.zeros((node_count, 3)), np.zeros(node_count)
    own = []
    for batch, values in parts:
        axes = local_axes(batch.coordinates)
        extension = nodal_extension(batch)
        assert extension is not None
        at_nodes = np.einsum("ag,egr->ear", extension, _joined(values))
        own.append((axes, at_nodes))
        np.add.at(total, batch.nodes, _in_space(at_nodes, axes))
        np.add.at(normals, batch.nodes, np.broadcast_to(axes[:, None, 2], (*batch.nodes.shape, 3)))
        np.add.at(count, batch.nodes, 1.0)
    used = np.maximum(count, 1)
    mean = total / used[:, None, None, None]
    smooth = np.linalg.norm(normals, axis=1) > _FOLD * used
    out = []
    for (batch, values), (axes, at_nodes) in zip(parts, own, strict=True):
        averaged = _in_plane(mean[batch.nodes], axes)
        nodal = np.where(smooth[batch.nodes][..., None], averaged, at_nodes)
        family = batch.family
        assert isinstance(family, ShellTriangle | ShellQuadrilateral)
        shape = cell_geometry(family.cell).shape(family.rule.points)
        areas = surface(batch.coordinates, family.cell, family.rule).weights
        out.append(SmoothedResultants(_joined(values), np.einsum("ga,ear->egr", shape, nodal), areas))
    return tuple(out)


def _joined(values: Array) -> Array:
    return np.concatenate([values[..., MEMBRANE], values[..., BENDING]], axis=-1)


def _in_space(values: Array, axes: Array) -> Array:
    """N and M as tensors in body axes: (elements, nodes, 2, 3, 3)."""
    plane = np.empty((*values.shape[:2], 2, 2, 2))
    for kind in range(2):
        xx, yy, xy = (values[..., 3 * kind + i] for i in range(3))
        plane[..., kind, 0, 0], plane[..., kind, 1, 1] = xx, yy
        plane[..., kind, 0, 1] = plane[..., kind, 1, 0] = xy
    return np.einsum("eki,eankl,elj->eanij", axes[:, :2], plane, axes[:, :2], optimize=True)


def _in_plane(tensors: Array, axes: Array) -> Array:
    """Components in the plane of the elements: (elements, nodes, 6)."""
    plane = np.einsum("eki,eanij,elj->eankl", axes[:, :2], tensors, axes[:, :2], optimize=True)
    parts = [plane[:, :, kind, i, j] for kind in range(2) for i, j in ((0, 0), (1, 1), (0, 1))]
    return np.stack(parts, axis=-1)

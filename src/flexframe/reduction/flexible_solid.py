"""A body with interface frames as multibody programs with flexible bodies of reduced order take it.

Craig and Bampton's coordinates, no rigid motion taken out: six displacements of each frame (Tx, Ty, Tz, Rx, Ry, Rz
in axes of the body), then amounts of modes with all frames fixed,

    q = (u_b, z),   δ_b = T u_b,   δ_i = −K_ii⁻¹K_ib T u_b + Φ z,   K = VᵀKV,  M = VᵀMV .

T moves the nodes of a frame as a rigid piece. This is the arrangement of Simscape's Reduced Order Flexible Solid.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.bodies import affine_equations
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.factorisation import factorise
from flexframe.maths.rotations import skew
from flexframe.model.supports import NodeSelection

MODES = 8


@dataclass(frozen=True, eq=False)
class FlexibleSolid:
    """Origins of frames [m] and symmetric matrices of 6 n + m coordinates, SI units."""

    frames: tuple[str, ...]  # n names
    origins: Array  # in body axes: (n, 3)
    stiffness: Array  # (6 n + m, 6 n + m)
    mass: Array
    damping: Array


@dataclass(frozen=True, eq=False)
class Boundary:
    """Nodes of frames: where frames are, numbers of their displacements, and T."""

    origins: Array  # (n, 3)
    numbers: IntArray  # (k,)
    moved: Array  # T: (k, 6 n)


def frame_boundary(discrete: DiscreteBody, frames: Mapping[str, NodeSelection]) -> Boundary:
    """What frames hold of a body in space."""
    if discrete.body.space != "spatial":
        raise InputError(
            f"body {discrete.body.name} is planar, and a frame has six displacements; give it space: spatial",
            field="frames",
        )
    origins, blocks, owned = [], [], []
    for name, on in frames.items():
        nodes = discrete.body.selected_nodes(on)
        origin = discrete.body.mesh.points[nodes].mean(axis=0)
        own, moved = _rigid_piece(discrete, nodes, origin, name)
        origins.append(origin)
        blocks.append(moved)
        owned.append(own)
    boundary = np.concatenate(owned)
    if len(np.unique(boundary)) < len(boundary):
        raise InputError("two frames share nodes; let each have its own", field="frames")
    T = np.zeros((len(boundary), 6 * len(frames)))
    start = 0
    for k, moved in enumerate(blocks):
        T[start : start + len(moved), 6 * k : 6 * k + 6] = moved
        start += len(moved)
    return Boundary(np.array(origins), boundary, T)


def flexible_solid(
    discrete: DiscreteBody, frames: Mapping[str, NodeSelection], modes: int | None = None
) -> FlexibleSolid:
    """The matrices of a body in space, its supports left out: frames hold it."""
    held = frame_boundary(discrete, frames)
    boundary, T = held.numbers, held.moved
    K, M = discrete.stiffness.tocsr(), discrete.mass.tocsr()
    interior = np.setdiff1d(np.arange(K.shape[0]), boundary)
    V = np.zeros((K.shape[0], T.shape[1]))
    V[boundary] = T
    if len(interior):
        K_ii, M_ii = K[interior][:, interior], M[interior][:, interior]
        with factorise(K_ii, "spd") as factors:
            V[interior] = -factors.solve(np.asarray(K[interior][:, boundary] @ T))
        count = min(MODES if modes is None else modes, len(interior) - 1)
        shapes = np.zeros((K.shape[0], count))
        shapes[interior] = symmetric_modes(K_ii, M_ii, count, confirm=False).vectors
        V = np.hstack([V, shapes])
    C = affine_equations(discrete).damping
    project = (_symmetric(V.T @ np.asarray(matrix @ V)) for matrix in (K, M, C))
    return FlexibleSolid(tuple(frames), held.origins, *project)


def _rigid_piece(discrete: DiscreteBody, nodes: IntArray, origin: Array, name: str) -> tuple[IntArray, Array]:
    """Numbers of the displacements of nodes, and what a displacement of their frame does to them: (k,), (k, 6)."""
    numbers = discrete.dofs.numbers[nodes]  # (nodes, 6)
    arms = skew(discrete.body.mesh.points[nodes] - origin)
    full = np.zeros((len(nodes), 6, 6))
    full[:, :3, :3] = full[:, 3:, 3:] = np.eye(3)
    full[:, :3, 3:] = -arms  # t + θ × r
    there = numbers >= 0
    moved = full[there]
    if np.linalg.matrix_rank(moved) < 6:
        raise InputError(
            f"frame {name} does not turn with its nodes; give it a set of nodes that are not on one line",
            field=("frames", name),
        )
    return numbers[there], moved


def _symmetric(matrix: Array) -> Array:
    return np.asarray((matrix + matrix.T) / 2)

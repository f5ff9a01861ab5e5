"""What a closed surface of triangles encloses: volume, centre and inertia, exact for the flat triangles."""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.graphs import connected_parts
from flexframe.mesh.blocks import row_keys
from flexframe.mesh.mesh import Mesh

_FLAT = 1e-12  # of the cube of the size: a volume that is rounding
_HALF = 0.5  # of a turn round a surface: between inside (1) and outside (0)


@dataclass(frozen=True, eq=False)
class EnclosedSolid:
    """The solid inside a closed surface, in the axes of its points."""

    volume: float  # m³
    area: float  # m², of the surface
    centre: Array  # m: (3,)
    inertia: Array  # ∫ (|r|² 1 − r rᵀ) dV about the centre, times a density the moments of inertia [m⁵]: (3, 3)
    shells: int  # closed pieces of the surface; cavities are pieces of their own


@dataclass(frozen=True)
class SurfaceFaults:
    """Edges that keep a surface from enclosing anything."""

    open: int  # edges that belong to an odd number of triangles
    twisted: int  # edges that two triangles walk in the same direction

    @property
    def text(self) -> str:
        """What is wrong; empty where the surface is closed and its triangles are turned alike."""
        if self.open:
            is_open = "edge is open" if self.open == 1 else "edges are open"
            return f"the surface is not closed: {self.open} {is_open}; close it and export it again"
        if self.twisted:
            lies = "edge lies" if self.twisted == 1 else "edges lie"
            return (
                f"the triangles are not turned alike: {self.twisted} {lies} between one that faces out and one "
                "that faces in; make the normals consistent and export it again"
            )
        return ""


def surface_faults(triangles: IntArray) -> SurfaceFaults:
    """How many edges of triangles (n, 3) are open, and at how many the triangles are turned against each other."""
    directed = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    forth = directed[:, 0] < directed[:, 1]
    _, edge, uses = np.unique(row_keys(np.sort(directed, axis=1)), return_inverse=True, return_counts=True)
    balance = np.bincount(edge, weights=np.where(forth, 1.0, -1.0), minlength=len(uses))
    odd = uses % 2 == 1
    return SurfaceFaults(int(odd.sum()), int(((balance != 0) & ~odd).sum()))


def enclosed_solid(mesh: Mesh) -> EnclosedSolid:
    """Volume, centre and inertia of the solid inside a closed surface of triangles that face outwards.

    The surface may have several pieces: solids beside each other, and cavities, whose triangles face into the
    cavity. The integrals over the tetrahedra between the triangles and a common point are exact; what a curved
    surface loses to its triangles is not in them.
    """
    triangles = _triangles(mesh)
    faults = surface_faults(triangles)
    if faults.text:
        raise InputError(faults.text)
    low, high = mesh.bounding_box
    middle, size = (low + high) / 2, float(np.linalg.norm(high - low))
    corners = mesh.points[triangles] - middle  # about the middle: what cancels is no larger than the part
    first, second = triangles[:, [0, 1]].ravel(), triangles[:, [1, 2]].ravel()
    piece = connected_parts(mesh.node_count, first, second)[triangles[:, 0]]
    determinants = np.linalg.det(corners)  # six times the volume of each tetrahedron
    order = np.argsort(piece, kind="stable")
    starts = np.flatnonzero(np.diff(piece[order], prepend=-1))
    volumes = np.add.reduceat(determinants[order], starts) / 6
    _require_solid(corners[order] + middle, starts, volumes, size)
    volume = float(determinants.sum() / 6)
    sums = corners.sum(axis=1)
    centre = np.einsum("t,ti->i", determinants, sums) / (24 * volume)
    # ∫ x xᵀ over a tetrahedron with a corner at the origin is det/120 (Σ vₐ vₐᵀ + s sᵀ), s = Σ vₐ
    moments = np.einsum("t,tai,taj->ij", determinants, corners, corners)
    moments = (moments + np.einsum("t,ti,tj->ij", determinants, sums, sums)) / 120
    moments -= volume * np.outer(centre, centre)
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum() / 2
    inertia = np.trace(moments) * np.eye(3) - moments
    return EnclosedSolid(volume, float(area), centre + middle, (inertia + inertia.T) / 2, len(volumes))


def _triangles(mesh: Mesh) -> IntArray:
    other = [block.cell.name for block in mesh.blocks if block.cell.name != "triangle"]
    if other or not mesh.blocks:
        raise InputError(
            f"a closed surface is made of triangle cells, and the mesh has {other[0] if other else 'no'} cells; "
            "give a surface such as that of an STL file"
        )
    return np.concatenate([block.nodes for block in mesh.blocks])


def _require_solid(corners: Array, starts: IntArray, volumes: Array, size: float) -> None:
    """Solids have positive volumes and lie outside of all others, cavities negative ones and lie in a solid.

    Triangles (n, 3, 3) are in the order of the pieces, which begin at `starts`.
    """
    total = float(volumes.sum())
    if abs(total) <= _FLAT * size**3:
        raise InputError("the surface encloses no volume; export a solid")
    if total < 0:
        raise InputError(
            f"the surface is inside out: its volume is {total:.6g} m³; turn its normals outwards and export it "
            "again"
        )
    if len(volumes) == 1:
        return
    low, high = np.minimum.reduceat(corners.min(axis=1), starts), np.maximum.reduceat(corners.max(axis=1), starts)
    pieces = np.split(corners, starts[1:])
    for k, volume in enumerate(volumes):
        around = np.flatnonzero(((low <= low[k]) & (high >= high[k])).all(axis=1))
        within = sum(_turns(pieces[j], pieces[k][0].mean(axis=0)) for j in around if j != k)
        about = _show(low[k] + high[k])
        which = f"one of {len(volumes)} closed pieces of the surface ({volume:.6g} m³ about {about})"
        if volume < 0 and within < _HALF:
            raise InputError(
                f"{which} is inside out and no cavity of another; turn its normals outwards and export it again"
            )
        if volume > 0 and within > _HALF:
            raise InputError(
                f"{which} lies inside another and would count twice; turn its normals if it is a cavity"
            )


def _show(twice: Array) -> str:
    return "(" + ", ".join(f"{value / 2:.4g}" for value in twice) + ")"


def _turns(corners: Array, place: Array) -> float:
    """Sum of the solid angles of triangles (n, 3, 3) seen from a place, over 4π: 1 inside, 0 outside.

    tan(Ω/2) = a·(b × c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|), van Oosterom and Strackee.
    """
    a, b, c = np.moveaxis(corners - place, 1, 0)
    lengths = [np.linalg.norm(v, axis=1) for v in (a, b, c)]
    above = np.einsum("ti,ti->t", a, np.cross(b, c))
    below = lengths[0] * lengths[1] * lengths[2] + sum(
        np.einsum("ti,ti->t", u, v) * w for u, v, w in ((a, b, lengths[2]), (b, c, lengths[0]), (c, a, lengths[1]))
    )
    return float(np.arctan2(above, below).sum() / (2 * np.pi))

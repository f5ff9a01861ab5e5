"""Mass points of a beam's section: its area and second moments, with a multiplier on the inertia of bending."""

from dataclasses import dataclass

import numpy as np

from flexframe.elements.sections import Section
from flexframe.maths.arrays import Array, BoolArray


@dataclass(frozen=True, eq=False)
class SectionPoints:
    """Points with shares of the area, and whether they follow the bending and the torsion of their section."""

    shares: Array  # of the area, their sum is 1: (points,)
    places: Array  # (x, y, z) from the centroid: (points, 3)
    bends: BoolArray  # whether the rotations about y and z move the point: (points,)
    twists: BoolArray  # whether the rotation about x moves it: (points,)


def section_points(section: Section, rotary: float) -> SectionPoints:
    """Points with ∫1, ∫y², ∫z² of the section; its inertia of turning about y and z is multiplied by `rotary`.

    A share `rotary` of the four corners (±√(Iz/A), ±√(Iy/A)) moves with the section. The rest only twists with
    it, and points that do not turn take its moments about y and z out of the rigid inertia: (0, −Iy, −Iz) has the
    second moments ∫xx = −(Iy + Iz)/2, ∫yy = (Iy − Iz)/2, ∫zz = (Iz − Iy)/2. So the section has the inertia
    (Iy + Iz, rotary Iy, rotary Iz) in the rigid motion of the beam and in that of its own.
    """
    y, z = np.sqrt(section.inertia_z / section.area), np.sqrt(section.inertia_y / section.area)
    corners = np.array([[0, y, z], [0, -y, z], [0, -y, -z], [0, y, -z]])
    quarter, yes = np.full(4, 0.25), np.ones(4, dtype=bool)
    if rotary == 1.0:
        return SectionPoints(quarter, corners, yes, yes)
    Iy, Iz = section.inertia_y, section.inertia_z
    moments = np.array([-(Iy + Iz), Iy - Iz, Iz - Iy]) / 2
    # pairs at ± the polar radius of gyration, Σ share × radius² × area = moments; one point more, so that no mass
    # is added
    pairs = np.repeat(moments / (2 * (Iy + Iz)), 2)
    radius = np.sqrt(y**2 + z**2)
    still = radius * np.concatenate([np.kron(np.eye(3), [[1.0], [-1.0]]), np.zeros((1, 3))])
    shares = (1 - rotary) * np.concatenate([quarter, pairs, [-pairs.sum()]])
    none = np.zeros(7, dtype=bool)
    return SectionPoints(
        np.concatenate([rotary * quarter, shares]),
        np.concatenate([corners, corners, still]),
        np.concatenate([yes, ~yes, none]),
        np.concatenate([yes, yes, none]),
    )

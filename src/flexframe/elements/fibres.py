"""Normal stress in the outer fibres of a beam's section, and which fibre carries the largest.

With y and z the principal axes of the section

    σ = N/A − y M_z/I_z + z M_y/I_y .

A section answers with its `stress_points` (y, z); one without them is round, and the largest stress lies on its
rim in the plane of the total moment.
"""

import numpy as np

from flexframe.elements.properties import Section
from flexframe.maths.arrays import Array


def fibre_stress(section: Section, N: Array, My: Array, Mz: Array) -> Array:
    """Largest |σ| of the section, Pa, of forces [N] and moments [N m] of any shape."""
    axial, about_y, about_z = N / section.area, My / section.inertia_y, Mz / section.inertia_z
    if not section.stress_points:
        return np.asarray(np.abs(axial) + np.hypot(about_y, about_z) * section.height / 2)
    largest = np.zeros_like(axial)
    for y, z in section.stress_points:
        np.maximum(largest, np.abs(axial - y * about_z + z * about_y), out=largest)
    return largest


def worst_fibre(section: Section, N: Array, My: Array, Mz: Array) -> Array:
    """(y, z) [m] of the fibre with the largest |σ|, in the principal axes of the section: (…, 2)."""
    axial, about_y, about_z = N / section.area, My / section.inertia_y, Mz / section.inertia_z
    if section.stress_points:
        points = np.array(section.stress_points)
        sizes = np.abs(axial[..., None] - about_z[..., None] * points[:, 0] + about_y[..., None] * points[:, 1])
        return np.asarray(points[sizes.argmax(axis=-1)])
    size = np.hypot(about_y, about_z)
    bent = np.where(size > 0, size, 1.0)
    # unit vector towards tension; without bending every fibre is as good
    towards = np.stack([np.where(size > 0, -about_z / bent, 1.0), about_y / bent], axis=-1)
    return np.asarray(section.height / 2 * np.where(axial < 0, -1.0, 1.0)[..., None] * towards)

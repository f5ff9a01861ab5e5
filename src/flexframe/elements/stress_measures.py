"""What follows from stress components or resultants at a point: fibre, surface, von Mises and principal stress.

In the outer fibres of a beam, with y and z the principal axes of its section,

    σ = N/A − y M_z/I_z + z M_y/I_y .

A section answers with its `stress_points` (y, z); one without them is round, and the largest stress lies on its
rim in the plane of the total moment. Components and measures have the names of results: sxx …, von_mises, fibre.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from flexframe.elements.sections import Section
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


VOIGT_PLANE = ((0, 0), (1, 1), (0, 1))
VOIGT_SOLID = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
PAIRS = ("xx", "yy", "zz", "xy", "yz", "zx")
_DERIVED = ("von_mises", "principal", "fibre")  # what the names of measures begin with that are not linear


def is_linear(name: str) -> bool:
    """Whether a measure of stress is a component, and so linear in the displacements."""
    return not name.startswith(_DERIVED)


def von_mises(values: Mapping[str, Any]) -> Any:
    """√(3/2 s:s) of the deviator, Pa; components sxx … that are not there are zero.

    The components are arrays, or quantities that numpy's functions take as such (values with their derivatives).
    """
    none = values["sxx"] * 0.0
    xx, yy, zz, xy, yz, zx = (values.get(f"s{pair}", none) for pair in PAIRS)
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    return np.sqrt(normal / 2 + 3 * (xy**2 + yz**2 + zx**2))


def tensor_measures(values: Mapping[str, Array], *, many: bool = False) -> dict[str, Array]:
    """Von Mises and principal stress of components sxx …; of `many` tensors the latter in closed form."""
    first = next(iter(values.values()))
    tensor = np.zeros((*first.shape, 3, 3))
    for name, value in values.items():
        i, j = "xyz".index(name[1]), "xyz".index(name[2])
        tensor[..., i, j] = tensor[..., j, i] = value
    mean = np.trace(tensor, axis1=-2, axis2=-1) / 3
    deviator = tensor - mean[..., None, None] * np.eye(3)
    if many:
        smallest, largest = extreme_eigenvalues(tensor)
    else:
        principal = np.linalg.eigvalsh(tensor)
        smallest, largest = principal[..., 0], principal[..., 2]
    return {
        "von_mises": np.sqrt(1.5 * np.einsum("...ij,...ij->...", deviator, deviator)),
        "principal_max": largest,
        "principal_min": smallest,
    }


def surface_measures(values: Mapping[str, Array], thickness: float) -> dict[str, Array]:
    """N, M, Q of a shell, and the stress N/t ± 6M/t² of its surfaces: "top" is where the normal points.

    Von Mises and principal stresses without the name of a surface are the extremes of both.
    """
    measures = {name: value for name, value in values.items() if name[0] in "NMQ"}
    for surface, side in (("top", 1.0), ("bottom", -1.0)):
        sxx, syy, sxy = (
            values[f"N{pair}"] / thickness + side * 6 * values[f"M{pair}"] / thickness**2
            for pair in ("xx", "yy", "xy")
        )
        measures |= {f"sxx_{surface}": sxx, f"syy_{surface}": syy, f"sxy_{surface}": sxy}
        measures[f"von_mises_{surface}"] = np.sqrt(sxx**2 - sxx * syy + syy**2 + 3 * sxy**2)
        # the stress across the surface is zero, one of the three principal values
        middle, radius = (sxx + syy) / 2, np.hypot((sxx - syy) / 2, sxy)
        largest, smallest = np.maximum(middle + radius, 0.0), np.minimum(middle - radius, 0.0)
        measures["principal_max"] = np.maximum(measures.get("principal_max", largest), largest)
        measures["principal_min"] = np.minimum(measures.get("principal_min", smallest), smallest)
    measures["von_mises"] = np.maximum(measures["von_mises_top"], measures["von_mises_bottom"])
    return measures


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

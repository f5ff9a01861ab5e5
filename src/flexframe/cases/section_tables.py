"""Which constants the beams of a case have, for summary and check."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from flexframe.model.body import Body


def section_table(bodies: Iterable[Body]) -> dict[str, list[dict[str, Any]]]:
    """Constants of every beam region by body, SI units; bodies without beams are left out."""
    table: dict[str, list[dict[str, Any]]] = {}
    for body in bodies:
        found = [(region.cells, region.prop.section_constants()) for region in body.regions]
        rows = [{"cells": cells, **constants} for cells, constants in found if constants is not None]
        if rows:
            table[body.name] = rows
    return table


_WORDS = {
    "area_m2": "area {:.6g} m²",
    "inertia_z_m4": "Iz {:.6g} m⁴",
    "inertia_y_m4": "Iy {:.6g} m⁴",
    "torsion_constant_m4": "J {:.6g} m⁴",
}


def section_line(row: dict[str, Any]) -> str:
    """A row of the table in words."""
    where = f" of {row['cells']}" if row["cells"] else ""
    if "stiffness" in row:
        return f"section{where}: {_of_matrices(row)}"
    words = [text.format(row[key]) for key, text in _WORDS.items() if key in row]
    if "shear_factors" in row:
        along_y, along_z = row["shear_factors"]
        words.append(f"shear factors {along_y:.6g} (y), {along_z:.6g} (z)")
    return f"section{where}: {', '.join(words)}" + _beside(row)


def _of_matrices(row: dict[str, Any]) -> str:
    """The diagonal of the stiffness, how much beside it couples, and the mass."""
    names = ("EA {:.6g} N", "GAy {:.6g} N", "GAz {:.6g} N", "GJ {:.6g} N m²", "EIy {:.6g} N m²", "EIz {:.6g} N m²")
    K = np.array(row["stiffness"])
    size = np.sqrt(np.diag(K))
    coupled = np.abs(np.triu(K / np.outer(size, size), 1))
    words = [text.format(value) for text, value in zip(names, np.diag(K), strict=True)]
    words.append(f"{np.count_nonzero(coupled)} couplings, the largest {coupled.max():.3g} of the diagonal")
    y, z = row["centre_of_mass_m"]
    beside = f", its centre at ({y:.6g}, {z:.6g}) m" if y or z else ""
    return ", ".join(words) + f"; mass {row['mass'][0][0]:.6g} kg/m{beside}"


def _beside(row: dict[str, Any]) -> str:
    """Where the shear centre is if it is not the centroid, and how the axes are turned."""
    y, z = row.get("shear_centre_m", (0.0, 0.0))
    words = f", shear centre at ({y:.6g}, {z:.6g}) m from the centroid" if y or z else ""
    turned = row.get("principal_angle_rad", 0.0)
    if abs(turned) > 1e-9:
        words += f", principal axes turned by {turned:.6g} rad"
    if "torsion_error" in row:
        words += f"; estimated errors {row['torsion_error']:.1g} of J, {row['shear_error']:.1g} of the factors"
        words += "; warping is not modelled"
    return words

"""Which constants the beams of a case have, for summary and check."""

from collections.abc import Iterable
from typing import Any

from flexframe.elements.polygon_section import PolygonSection
from flexframe.elements.properties import BeamProperty
from flexframe.model.body import Body


def section_table(bodies: Iterable[Body]) -> dict[str, list[dict[str, Any]]]:
    """Constants of every beam region by body, SI units; bodies without beams are left out."""
    table: dict[str, list[dict[str, Any]]] = {}
    for body in bodies:
        rows = [_constants(r.prop, r.cells) for r in body.regions if isinstance(r.prop, BeamProperty)]
        if rows:
            table[body.name] = rows
    return table


def section_line(row: dict[str, Any]) -> str:
    """A row of the table in words."""
    along_y, along_z = row["shear_factors"]
    where = f" of {row['cells']}" if row["cells"] else ""
    return (
        f"section{where}: area {row['area_m2']:.6g} m², Iz {row['inertia_z_m4']:.6g} m⁴, "
        f"Iy {row['inertia_y_m4']:.6g} m⁴, J {row['torsion_constant_m4']:.6g} m⁴, "
        f"shear factors {along_y:.6g} (y), {along_z:.6g} (z)" + _beside(row)
    )


def _beside(row: dict[str, Any]) -> str:
    """Where the shear centre is if it is not the centroid, and how the axes are turned."""
    y, z = row["shear_centre_m"]
    words = f", shear centre at ({y:.6g}, {z:.6g}) m from the centroid" if y or z else ""
    turned = row["principal_angle_rad"]
    if abs(turned) > 1e-9:
        words += f", principal axes turned by {turned:.6g} rad"
    if "torsion_error" in row:
        words += f"; estimated errors {row['torsion_error']:.1g} of J, {row['shear_error']:.1g} of the factors"
        words += "; warping is not modelled"
    return words


def _constants(prop: BeamProperty, cells: str | None) -> dict[str, Any]:
    section = prop.section
    made: dict[str, Any] = {
        "cells": cells,
        "area_m2": section.area,
        "inertia_z_m4": section.inertia_z,
        "inertia_y_m4": section.inertia_y,
        "torsion_constant_m4": section.torsion_constant,
        "shear_factors": list(prop.shear_factors),
        "shear_centre_m": list(section.shear_centre),
        "principal_angle_rad": section.principal_angle,
    }
    if isinstance(section, PolygonSection):
        made |= {"torsion_error": section.torsion_error, "shear_error": section.shear_error}
    return made

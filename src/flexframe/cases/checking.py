"""A case before its work begins: every analysis up to where it would, and bodies and sections in numbers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.cases.case import Case
from flexframe.entries.problems import CaseAnalysisError, CaseError, Problem, locate_errors
from flexframe.library_warnings import noted_warnings
from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.rigid_body import RigidBody
from flexframe.presentation.blocks import Cell, Column, Table


def check_case(case: Case) -> None:
    """Find what a run would refuse: build, assemble and evaluate one state of every analysis.

    CaseError with every problem of all analyses; CaseAnalysisError where none of them is one of input.
    """
    refused: list[Problem] = []
    impossible: list[Problem] = []
    for name, analysis in case.analyses.items():
        try:
            with locate_errors(case.problems(), "analyses", name), noted_warnings():
                analysis.check(case)
        except CaseError as error:
            refused += error.problems
        except CaseAnalysisError as error:
            impossible += error.problems
    found = sorted(dict.fromkeys((*refused, *impossible)), key=lambda problem: problem.line or 0)
    if refused:
        raise CaseError(found)
    if impossible:
        raise CaseAnalysisError(found)


_SMALL = 2.0  # m
_ROUNDING = 1e-6  # of coordinates in mesh files


@dataclass(frozen=True, eq=False)
class BodyProperties:
    """A body in numbers, SI units, in its own axes."""

    name: str
    mass: float  # kg
    centre: Array  # m: (3,)
    inertia: Array  # kg m², about the centre: (3, 3)
    box: Array  # m, lowest and highest coordinates; of a rigid body its points and its shape: (2, 3)
    length: float  # m, along the lines of beams and bars, else the longest side of the box
    dofs: int
    free_dofs: int  # that the supports leave

    @property
    def sides(self) -> Array:
        """Of the box [m]: (3,)."""
        return np.asarray(self.box[1] - self.box[0])

    def as_json(self) -> dict[str, Any]:
        """By name, with units."""
        return {
            "mass_kg": self.mass,
            "centre_m": self.centre.tolist(),
            "inertia_kg_m2": self.inertia.tolist(),
            "box_m": self.box.tolist(),
            "length_m": self.length,
            "dofs": self.dofs,
            "free_dofs": self.free_dofs,
        }


def body_properties(case: Case) -> dict[str, BodyProperties]:
    """Of all bodies, in the order of the case."""
    described = [*case.bodies().values()] if case.linked is None else case.linked.bodies
    return {
        body.name: _of_rigid(body, case) if isinstance(body, RigidBody) else _of_meshed(case.discrete(body.name))
        for body in described
    }


def _of_meshed(discrete: DiscreteBody) -> BodyProperties:
    inertia, mesh = discrete.inertia, discrete.body.mesh
    centre = inertia.centre_of_mass
    about_centre = inertia.inertia_tensor - inertia.mass * (
        (centre @ centre) * np.eye(3) - np.outer(centre, centre)
    )
    return BodyProperties(
        name=discrete.body.name,
        mass=float(inertia.mass),
        centre=centre,
        inertia=about_centre,
        box=np.array(mesh.bounding_box),
        length=_length(mesh),
        dofs=discrete.dofs.count,
        free_dofs=discrete.supports.size,
    )


def _of_rigid(body: RigidBody, case: Case) -> BodyProperties:
    places = np.array([np.zeros(3), body.centre, *(frame.point for frame in body.frames.values())])
    if body.mesh is not None:
        places = np.concatenate([places, body.mesh.points])
    box = np.array([places.min(axis=0), places.max(axis=0)])
    dofs = 3 if case.system().space == "planar" else 6
    return BodyProperties(
        body.name, body.mass, body.centre, body.inertia, box, float((box[1] - box[0]).max()), dofs, dofs
    )


def _length(mesh: Mesh) -> float:
    low, high = mesh.bounding_box
    lines = [block for block in mesh.blocks if block.cell.dimension == 1]
    if not lines or mesh.dimension > 1:
        return float((high - low).max())
    ends = [mesh.points[block.nodes[:, :2]] for block in lines]
    return float(sum(np.linalg.norm(part[:, 1] - part[:, 0], axis=1).sum() for part in ends))


def properties_table(bodies: dict[str, BodyProperties]) -> Table:
    """One row a body; in millimetres where no body is larger than two metres."""
    small = max(float(np.abs(body.box).max()) for body in bodies.values()) < _SMALL
    unit, factor = ("mm", 1e3) if small else ("m", 1.0)
    columns = (
        Column("body"),
        Column("mass", "kg", 4),
        Column("centre x, y, z", unit),
        Column("Ixx, Iyy, Izz", f"kg {unit}²"),
        Column("box x × y × z", unit),
        Column("length", unit, 4),
        Column("dofs"),
    )
    caption = "Moments of inertia are about the centre of mass, in body axes."
    return Table(columns, tuple(_row(body, factor) for body in bodies.values()), caption)


def _row(body: BodyProperties, factor: float) -> tuple[Cell, ...]:
    size = float(np.abs(body.box).max()) or 1.0
    moments = np.diagonal(body.inertia)
    held = body.dofs - body.free_dofs
    return (
        body.name,
        body.mass,
        _join(body.centre, factor, ", ", size),
        _join(moments, factor**2, ", ", float(np.abs(moments).max())),
        _join(body.sides, factor, " × ", size),
        factor * body.length,
        f"{body.dofs}, {held} held" if held else f"{body.dofs}",
    )


def _join(values: Array, factor: float, between: str, size: float) -> str:
    """Numbers beside each other; what is rounding beside the size is zero."""
    shown = np.where(np.abs(values) < _ROUNDING * size, 0.0, factor * values)
    return between.join(_four_digits(value) for value in shown)


def _four_digits(value: float) -> str:
    """Numbers of engineering size without an exponent."""
    text = f"{value:.4g}"
    return f"{float(text):.0f}" if 1e4 <= abs(value) < 1e7 else text


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

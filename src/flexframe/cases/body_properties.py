"""What every body of a case amounts to: mass, centre, inertia, size and degrees of freedom, to be compared with a
drawing. Slips of units show here."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.cases.case import Case
from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh
from flexframe.model.rigid_body import RigidBody
from flexframe.presentation.blocks import Cell, Column, Table

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
        _joined(body.centre, factor, ", ", size),
        _joined(moments, factor**2, ", ", float(np.abs(moments).max())),
        _joined(body.sides, factor, " × ", size),
        factor * body.length,
        f"{body.dofs}, {held} held" if held else f"{body.dofs}",
    )


def _joined(values: Array, factor: float, between: str, size: float) -> str:
    """Numbers beside each other; what is rounding beside the size is zero."""
    shown = np.where(np.abs(values) < _ROUNDING * size, 0.0, factor * values)
    return between.join(_four_digits(value) for value in shown)


def _four_digits(value: float) -> str:
    """Numbers of engineering size without an exponent."""
    text = f"{value:.4g}"
    return f"{float(text):.0f}" if 1e4 <= abs(value) < 1e7 else text

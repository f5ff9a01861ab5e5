"""Bodies of every kind, and the kinetic energy of their mass points one by one."""

from dataclasses import replace

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.integration import inertia_points
from flexframe.elements.properties import (
    BarProperty,
    Material,
    PlaneProperty,
    Rectangle,
    ShellProperty,
    SolidProperty,
)
from flexframe.maths.arrays import Array
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import block, polyline, rectangle
from flexframe.mesh.cells import LINE
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.reference_points import with_points
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.supports import Clamp, Fix, RigidCoupling

# numbers of order one, so that errors of round-off are of the order of 1e-16
MATERIAL = Material(young=2.1, poisson=0.3, density=1.7, name="sample")
SECTION = Rectangle(width=0.11, height=0.17)


def beam(space: str = "spatial", divisions: int = 8, **changes) -> Body:
    return Body.beam(
        "beam", length=1.5, divisions=divisions, section=SECTION, material=MATERIAL, space=space, **changes
    )


def frame(space: str = "spatial") -> Body:
    """A bent beam, out of every plane of symmetry where it lives in space."""
    rise = 0.4 if space == "spatial" else 0.0
    mesh = polyline([(0, 0, 0), (1.0, 0.2, 0), (1.3, 0.9, rise)], 4)
    plain = beam(space)
    return replace(plain, name="frame", mesh=mesh)


def plate(divisions: tuple[int, int] = (6, 2), **changes) -> Body:
    region = Region(PlaneProperty(MATERIAL, 0.3))
    return Body("plate", rectangle(1.5, 0.4, divisions), (region,), **changes)


def solid(divisions: tuple[int, int, int] = (4, 1, 1), shape: str = "hexahedron", order: int = 2) -> Body:
    mesh = block((1.5, 0.4, 0.3), divisions, order=order, shape=shape)
    return Body("solid", mesh, (Region(SolidProperty(MATERIAL)),), space="spatial")


def truss() -> Body:
    corners = np.array([[0, 0, 0], [1, 0.2, 0], [0.3, 0.9, 0], [1.2, 1.0, 0], [0.6, 0.5, 0.8]])
    bars = np.array([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (0, 4), (1, 4), (2, 4), (3, 4)])
    mesh = Mesh(corners, (CellBlock(LINE, bars),))
    return Body("truss", mesh, (Region(BarProperty(MATERIAL, 0.2)),), space="spatial")


def flanged() -> Body:
    """A solid whose end follows a reference node with a heavy, turning mass."""
    plain = solid((3, 1, 1))
    mesh = with_points(plain.mesh, {"hub": (1.7, 0.2, 0.1)})
    mass = PointMass("hub", 0.4, (0.02, 0.03, 0.04))
    return replace(plain, mesh=mesh, couplings=(RigidCoupling("hub", "right"),), point_masses=(mass,))


def shell() -> Body:
    """A curved strip of shell elements."""
    mesh = rectangle(1.5, 0.4, (5, 2), order=1)
    curved = replace(mesh, points=mesh.points + [0, 0, 0.2] * mesh.points[:, :1] ** 2)
    return Body("shell", curved, (Region(ShellProperty(MATERIAL, 0.05)),), space="spatial")


FREE = {
    "spatial beam": beam(),
    "planar beam": beam("planar"),
    "spatial frame": frame(),
    "planar frame": frame("planar"),
    "plate": plate(),
    "plate of triangles": Body(
        "plate", rectangle(1.5, 0.4, (5, 2), order=1, shape="triangle"), (Region(PlaneProperty(MATERIAL, 0.3)),)
    ),
    "solid": solid(),
    "solid of incompatible bricks": solid((4, 2, 2), order=1),
    "solid of tetrahedra": solid((3, 1, 1), "tetra"),
    "shell": shell(),
    "truss": truss(),
    "flanged solid": flanged(),
}
"""Bodies without supports."""


def clamped(body: Body) -> Body:
    """Held at its first end, which is node 0 or the left side."""
    if "left" in body.mesh.node_sets or "left" in body.mesh.facet_sets:
        return replace(body, supports=(Clamp("left"),))
    if body.name == "truss":
        return replace(body, supports=tuple(Fix(node, ("ux", "uy", "uz")) for node in (0, 1, 2)))
    return replace(body, supports=(Clamp(0),))


def particles(discrete: DiscreteBody) -> list[tuple[float, Array, Array]]:
    """Mass, place and N (3, p) of every mass point, element by element."""
    made = []
    fields = [(inertia_points(batch), discrete.dofs.of_elements(batch)) for batch in discrete.batches]
    if discrete.point_bodies is not None:
        fields.append((discrete.point_bodies.fields, discrete.point_bodies.numbers))
    for samples, numbers in fields:
        for element in range(len(numbers)):
            for point in range(samples.weights.shape[1]):
                N = np.zeros((3, discrete.dofs.count + 1))
                for column, number in enumerate(numbers[element]):
                    N[:, number] += samples.shape[element, point, :, column]
                made.append((samples.weights[element, point], samples.positions[element, point], N[:, :-1]))
    return made

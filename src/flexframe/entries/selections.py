"""Sets of a mesh: nodes on a plane, cylinder or circle with the facets there, and sets under another name."""

from typing import ClassVar

import numpy as np
from pydantic import model_validator

from flexframe.entries.entry import Entry, choose_lead, refusal
from flexframe.entries.fields import Direction, Length, Point
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh
from flexframe.motion.frame import vector3

_NEAR = 1e-3  # of the size of the mesh, when no tolerance is given: files round coordinates


class PlaneEntry(Entry):
    """A plane through a point."""

    point: Point
    normal: Direction


class CylinderSurfaceEntry(Entry):
    """The surface of a cylinder about an axis through a point, such as a bore."""

    point: Point
    axis: Direction = (0.0, 0.0, 1.0)
    radius: Length


class RimEntry(Entry):
    """A circle about an axis through its centre, such as the rim of a bore."""

    centre: Point
    axis: Direction = (0.0, 0.0, 1.0)
    radius: Length


class CornersEntry(Entry):
    """A box along the axes, by two opposite corners."""

    low: Point
    high: Point


class PlaceSetEntry(Entry):
    """Nodes (and boundary facets) within `tolerance` of a plane, cylinder or circle, in a box; or a known set."""

    leads: ClassVar[tuple[str, ...]] = ("plane", "cylinder", "circle", "set")
    plane: PlaneEntry | None = None
    cylinder: CylinderSurfaceEntry | None = None
    circle: RimEntry | None = None
    set: str | None = None
    within: CornersEntry | None = None
    tolerance: Length | None = None

    @model_validator(mode="after")
    def _one_place(self) -> "PlaceSetEntry":
        lead = choose_lead([key for key in self.leads if getattr(self, key) is not None], self.leads, "place")
        for companion in ("within", "tolerance"):
            if lead == "set" and getattr(self, companion) is not None:
                raise refusal(f"{companion} is for a place, not for a set; leave it out")
        return self

    def added(self, mesh: Mesh, name: str) -> Mesh:
        """The mesh with the set of that name."""
        if self.set is not None:
            return _renamed(mesh, self.set, name)
        low, high = mesh.bounding_box
        tolerance = self.tolerance or _NEAR * float(np.linalg.norm(high - low))
        near = self._distance(mesh.points) <= tolerance
        if self.within is not None:
            corners = [vector3(corner, "corner") for corner in (self.within.low, self.within.high)]
            lower, upper = np.minimum(*corners) - tolerance, np.maximum(*corners) + tolerance
            near &= ((mesh.points >= lower) & (mesh.points <= upper)).all(axis=1)
        nodes = np.flatnonzero(near)
        if not nodes.size:
            raise InputError(f"no node lies on '{name}'; check the place, or give a larger tolerance")
        facets = mesh.facets_on(nodes)
        return mesh.with_sets(node_sets={name: nodes}, facet_sets={name: facets} if facets else {})

    def _distance(self, points: Array) -> Array:
        if self.plane is not None:
            return np.asarray(np.abs((points - self.plane.point) @ _unit(self.plane.normal)))
        if self.circle is not None:
            return np.hypot(*_off_axis(points - self.circle.centre, self.circle.axis, self.circle.radius))
        assert self.cylinder is not None
        off, _ = _off_axis(points - self.cylinder.point, self.cylinder.axis, self.cylinder.radius)
        return np.asarray(np.abs(off))


def _renamed(mesh: Mesh, old: str, new: str) -> Mesh:
    """The mesh with a set under one more name, of whatever kind it is."""
    mesh.nodes_of(old)
    return mesh.with_sets(
        node_sets={new: mesh.node_sets[old]} if old in mesh.node_sets else {},
        facet_sets={new: mesh.facet_sets[old]} if old in mesh.facet_sets else {},
        cell_sets={new: mesh.cell_sets[old]} if old in mesh.cell_sets else {},
    )


def _off_axis(offsets: Array, direction: tuple[float, ...], radius: float) -> tuple[Array, Array]:
    """Distance from an axis less the radius, and position along it: (points,) each."""
    axis = _unit(direction)
    along = offsets @ axis
    return np.linalg.norm(offsets - np.outer(along, axis), axis=1) - radius, along


def _unit(direction: tuple[float, ...]) -> Array:
    vector = vector3(direction, "direction")
    length = float(np.linalg.norm(vector))
    if length == 0:
        raise InputError("a direction has no length; give a vector other than zero")
    return np.asarray(vector / length)

"""Loads and point masses of a case."""

from typing import Annotated, ClassVar

from pydantic import Field

from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry
from flexframe.entries.fields import (
    AccelerationVector,
    ForcePerLengthVector,
    ForceVector,
    Mass,
    MomentVector,
    Selection,
    Stress,
    StressVector,
    quantity,
)
from flexframe.model.body import PointMass
from flexframe.model.loads import Gravity, LineLoad, Load, NodeForce, Pressure, Traction

Inertia = Annotated[float, quantity(q.Dimension("a moment of inertia", "kg m^2", (2, 1, 0), "0.02 kg m^2"))]


class NodeLoadEntry(Entry):
    """A force, a moment, or both, at each selected node."""

    leads: ClassVar[tuple[str, ...]] = ("force", "moment")
    force: ForceVector = (0.0, 0.0, 0.0)
    moment: MomentVector = (0.0, 0.0, 0.0)
    on: Selection

    def load(self) -> Load:
        return NodeForce(self.on, self.force, self.moment)


class TractionEntry(Entry):
    """A force per area on a set of edges (of plane elements) or faces (of solids)."""

    leads: ClassVar[tuple[str, ...]] = ("traction",)
    traction: StressVector
    on: str

    def load(self) -> Load:
        return Traction(self.on, self.traction)


class PressureEntry(Entry):
    """A pressure on a set of edges or faces, positive towards the body."""

    leads: ClassVar[tuple[str, ...]] = ("pressure",)
    pressure: Stress
    on: str

    def load(self) -> Load:
        return Pressure(self.on, self.pressure)


class LineLoadEntry(Entry):
    """A force per length along beams or bars; all of them without a cell set."""

    leads: ClassVar[tuple[str, ...]] = ("line_load",)
    line_load: ForcePerLengthVector
    on: str | None = None

    def load(self) -> Load:
        return LineLoad(self.line_load, self.on)


class GravityEntry(Entry):
    """An acceleration field, constant in body axes."""

    leads: ClassVar[tuple[str, ...]] = ("gravity",)
    gravity: AccelerationVector

    def load(self) -> Load:
        return Gravity(self.gravity)


LoadEntry = Annotated[
    NodeLoadEntry | TractionEntry | PressureEntry | LineLoadEntry | GravityEntry,
    ByKeys("load"),
]


class PointMassEntry(Entry):
    """A mass at each selected node, with moments of inertia xx, yy, zz (and xy, yz, zx) about it if it has any."""

    mass: Mass
    on: Selection
    inertia: Annotated[tuple[Inertia, ...], Field(min_length=3, max_length=6, strict=False)] | None = None

    def point_mass(self) -> PointMass:
        """The point mass that is described."""
        return PointMass(self.on, self.mass, self.inertia)

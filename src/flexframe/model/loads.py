"""Loads on a body, constant in body axes."""

from dataclasses import dataclass

from flexframe.given import Described
from flexframe.model.supports import NodeSelection

Vector = tuple[float, ...]


@dataclass(frozen=True)
class NodeForce(Described):
    """A force [N] and a moment [N m] at each selected node."""

    on: NodeSelection
    force: Vector = (0.0, 0.0, 0.0)
    moment: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Traction(Described):
    """A force per area [Pa] on a facet set: edges of a plane body (times its thickness) or faces of a solid.

    Edges of shells are like those of plane bodies; the name of a cell set of shells stands for their surface.
    """

    on: str
    traction: Vector


@dataclass(frozen=True)
class Pressure(Described):
    """A pressure [Pa] against a facet set, positive towards the body; on cells of shells, against their normal."""

    on: str
    pressure: float


@dataclass(frozen=True)
class LineLoad(Described):
    """A force per length [N/m] along the beams or bars of a cell set (all of them without a name)."""

    force: Vector
    on: str | None = None


@dataclass(frozen=True)
class Gravity(Described):
    """An acceleration field [m/s²] on the whole mass of the body."""

    acceleration: Vector = (0.0, -9.81, 0.0)


Load = NodeForce | Traction | Pressure | LineLoad | Gravity

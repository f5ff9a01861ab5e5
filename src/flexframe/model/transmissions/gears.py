"""Gears and racks: teeth with a ratio, a line of action, flanks, and helical thrust."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, cast

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.model.constraints import (
    Along,
    Between,
    Coupled,
    Direction,
    Holonomic,
    MeshAngle,
    Perpendicular,
    Rotation,
    unit,
)
from flexframe.model.transmissions.contract import (
    SAME,
    FlankForce,
    MeshForce,
    Pull,
    Transmission,
    TransmissionForce,
    X,
    Z,
    as_tuple,
    fields_of,
    of_unit_length,
    require_not_negative,
    require_positive,
    same_line,
)
from flexframe.model.transmissions.followers import Proportional

PRESSURE_ANGLE = float(np.radians(20.0))
"""Of teeth that give none [rad]."""


Flanks = Literal["one", "both"]
"""On which flanks rigid teeth press: along one line, or on the one that touches."""


class Toothed(Transmission):
    """A transmission by teeth: elastic ones have play and damping, and press along a line."""

    stiffness: float | None
    damping: float
    backlash: float
    pressure_angle: float
    torque_only: bool
    flanks: Flanks

    def _require_teeth(self) -> None:
        require_not_negative(self, "stiffness", "damping", "backlash")
        if self.stiffness is None and (self.backlash or self.damping):
            raise InputError(
                f"{self.kind} {self.name} has play or damping but no stiffness; give one", field="stiffness"
            )
        if not abs(self.pressure_angle) < np.radians(60):
            raise InputError(
                f"the pressure angle of {self.name} is {np.degrees(self.pressure_angle):g} deg; give less than 60 "
                "deg, as 20 deg",
                field="pressure_angle",
            )

    def _push(self, on_tangent: bool) -> float:
        """tan α where the line is the tangent."""
        return abs(float(np.tan(self.pressure_angle))) if on_tangent else 0.0

    def _apart(self, mesh: "MeshLine", push: float) -> tuple[Pull, ...]:
        """Rigid teeth on the flank that touches push both sides apart by tan α of their force on the tangent."""
        if not push:
            return ()
        radius = abs(mesh.radii[1])
        each = push / radius if np.isfinite(radius) else push  # of a torque on a wheel, of a force on a rack
        law = Formula.parse("push*abs(force)", ("force",), {"push": each})
        carrier, coupled = cast("Any", self).carrier, self.coupling()
        away = np.array(mesh.apart)
        return tuple(
            Pull(f"{self.name} apart {side}", carrier, wheel, Along(as_tuple(way)), self.name, law, coupled)
            for side, wheel, way in ((1, self.first, -away), (2, self.second, away))
        )

    def element(self) -> TransmissionForce | None:
        if self.stiffness is None:
            return None
        own = (self.name, self.first, self.second, self.coupling())
        return MeshForce(*own, self.stiffness, self.backlash, self.damping)


@dataclass(frozen=True)
class MeshLine:
    """How teeth press, in the axes of the carrier: along a line, on wheels with centres and base radii [m].

    A radius is negative where a force along the line turns its wheel backwards.
    """

    line: Direction
    centres: tuple[Direction, Direction]
    radii: tuple[float, float]
    apart: Direction  # from where teeth touch into the second wheel, or into the rack

    def pressing(self, sense: float) -> "MeshLine":
        """That of the flank on which a force along the line times `sense` pushes the second wheel away."""
        line, apart = np.array(self.line), np.array(self.apart)
        radial = line @ apart
        return replace(self, line=as_tuple(line + (sense * abs(radial) - radial) * apart))


@dataclass(frozen=True)
class Gear(Toothed):
    """Two wheels that mesh: the second turns by ∓ 1/ratio of the first, both against the carrier.

    `ratio` is the speed of the first over that of the second, `teeth` gives it as [z₁, z₂]: z₂/z₁. Wheels that
    mesh from outside turn against each other, `internal` ones with each other. Where the axes are not parallel the
    sense of `second_axis` decides. `phase` [rad] is the angle of the second wheel where the first has none;
    without one rigid teeth take zero, elastic ones begin unstretched. With `stiffness` [N m/rad, about the axis of
    the second wheel] teeth are elastic, with `damping` [N m s/rad] and a `backlash` [rad, of the second wheel,
    from flank to flank].

    Markers are the centres of the wheels: the force of the teeth acts at the pitch point, which divides the
    distance of the centres at the start by the ratio, and bearings feel it. It lies at `pressure_angle` [rad] to
    the common tangent. Elastic teeth press on the flank that touches, rigid ones with `flanks` both; else these
    have the line of the flank on which the first wheel drives in its positive sense, and a negative angle is for
    the other one. With a `helix_angle` [rad], positive of a first wheel with a right-hand helix, a force along the
    axis acts there too and tilts the wheels; `pressure_angle` is then the one in the plane of the wheels. There
    are torques alone, which the carrier holds, with `torque_only`, where axes are not parallel or the same, and
    where no revolute or cylindrical joint holds the markers of both wheels in the carrier.
    """

    kind: ClassVar[str] = "gear"
    name: str
    first: str
    second: str
    ratio: float = 1.0
    teeth: tuple[float, ...] = ()
    carrier: str = "ground"
    internal: bool = False
    axis: Direction = Z
    second_axis: Direction | None = None
    phase: float | None = None
    stiffness: float | None = None
    damping: float = 0.0
    backlash: float = 0.0
    pressure_angle: float = PRESSURE_ANGLE
    torque_only: bool = False
    flanks: Flanks = "one"
    helix_angle: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not abs(self.helix_angle) < np.radians(60):
            raise InputError(
                f"the helix angle of {self.name} is {np.degrees(self.helix_angle):g} deg; give less than 60 deg, "
                "as 15 deg",
                field="helix_angle",
            )
        with at_field("ratio"):
            require_positive(f"ratio of {self.name}", self.ratio)
        if self.teeth and len(self.teeth) != 2:
            raise InputError(f"gear {self.name} has two wheels; give two numbers of teeth", field="teeth")
        if self.teeth and self.ratio != 1.0:
            raise InputError(f"gear {self.name} has teeth and a ratio; give one of them", field="ratio")
        for number in self.teeth:
            with at_field("teeth"):
                require_positive(f"a number of teeth of {self.name}", number)
        self._require_teeth()

    @property
    def slope(self) -> float:
        """Speed of the second wheel over that of the first."""
        size = self.teeth[0] / self.teeth[1] if self.teeth else 1.0 / self.ratio
        return size if self.internal else -size

    def coupling(self) -> Coupled:
        return Coupled(
            Between(self.carrier, self.second, Rotation(self.second_axis or self.axis)),
            Between(self.carrier, self.first, Rotation(self.axis)),
            Proportional(self.slope, self.phase or 0.0),
        )

    def assemble(self, centres: tuple[Array, Array] | None, misfit: float) -> Transmission:
        phased = self
        if self.stiffness is not None and self.phase is None:
            phased = replace(self, phase=misfit)
        on_tangent = self.stiffness is None and self.flanks == "both"
        line = replace(phased, pressure_angle=0.0) if on_tangent else phased
        mesh = None if self.torque_only or centres is None else line.mesh_line(centres)
        if mesh is None:
            return phased
        return MeshedGear(**fields_of(line), mesh=mesh, push=self._push(on_tangent))

    def mesh_line(self, centres: tuple[Array, Array]) -> MeshLine | None:
        """The line on which teeth press; none where axes are not parallel, or the same.

        With e from the first centre to the second one, a apart, and the slope f of the second angle over the
        first, the pitch point is at f a/(f − 1) from the first centre and a/(f − 1) from the second, along e.
        """
        axis = unit(self.axis, "axis")
        second = axis if self.second_axis is None else unit(self.second_axis, "second axis")
        apart = (centres[1] - centres[0]) - axis * (axis @ (centres[1] - centres[0]))
        sense = float(np.sign(axis @ second))
        distance, f = float(np.linalg.norm(apart)), sense * self.slope  # both angles about the first axis
        if not same_line(axis, second) or distance < SAME * (1 + np.abs(centres).max()) or abs(f - 1) < SAME:
            return None
        e = apart / distance
        outwards = -1.0 if f > 0 else 1.0
        angle = self.pressure_angle
        drive = float(np.sign(f / (f - 1)))  # of the rim of the first wheel, along axis × e
        line = drive * np.cos(angle) * np.cross(axis, e) + outwards * np.sin(angle) * e
        base = drive * distance / (f - 1) * np.cos(angle)
        radii = (f * base, base)
        both = (as_tuple(centres[0]), as_tuple(centres[1]))
        return MeshLine(as_tuple(line), both, (radii[0], sense * radii[1]), as_tuple(outwards * e))


@dataclass(frozen=True, kw_only=True)
class MeshedGear(Gear):
    """A gear whose line of contact is known."""

    mesh: MeshLine
    push: float = 0.0  # tan α of rigid teeth on both flanks, whose line is the tangent

    def coupling(self) -> Coupled:
        both = zip((self.first, self.second), self._axes, self.mesh.centres, self.mesh.radii, strict=True)
        leader, follower = (
            Between(self.carrier, wheel, MeshAngle(axis, line=self.mesh.line, centre=centre, radius=radius))
            for wheel, axis, centre, radius in both
        )
        return Coupled(follower, leader, Proportional(self.slope, self.phase or 0.0))

    def elements(self) -> tuple[TransmissionForce, ...]:
        if self.stiffness is None:
            return ()
        numbers = (self.stiffness, self.backlash, self.damping)
        pushes = float(np.sign(self.mesh.radii[1]))  # a torque along the angle of the second wheel
        flanks = (replace(self, mesh=self.mesh.pressing(-side * pushes)) for side in (1.0, -1.0))
        return tuple(
            flank_force(flank, flank.coupling(), side, numbers)
            for flank, side in zip(flanks, (1.0, -1.0), strict=True)
        )

    def pulls(self) -> tuple[Pull, ...]:
        return (*self._apart(self.mesh, self.push), *self._axial())

    def _axial(self) -> tuple[Pull, ...]:
        """Helical teeth: F tan β along the axis at the pitch point, which tilts both wheels.

        Teeth that turn a first wheel with a right-hand helix forwards push it along −axis. With the torque M
        along the angle of the second wheel that is sgn(slope) M/r₂ tan β along the axis a, and r e × a of it as a
        moment, e being from the centre of the wheel to the pitch point; the second wheel feels the opposite force.
        """
        if not self.helix_angle:
            return ()
        a, (first, second) = unit(self.axis, "axis"), (np.array(centre) for centre in self.mesh.centres)
        apart = (second - first) - a * (a @ (second - first))
        sense = float(np.sign(a @ unit(self.second_axis or self.axis, "axis")))
        f = sense * self.slope
        arms = (f / (f - 1) * apart, 1 / (f - 1) * apart)  # to the pitch point, see `mesh_line`
        push = float(np.sign(self.slope) * np.tan(self.helix_angle) / np.linalg.norm(arms[1]))
        coupled, found = self.coupling(), []
        for side, wheel, arm, way in ((1, self.first, arms[0], push), (2, self.second, arms[1], -push)):
            radius = float(np.linalg.norm(arm))
            tilt = np.cross(np.cross(arm, a), a) / radius  # (m × a) · a₂ turns about m
            ways = (
                ("axial", Along(as_tuple(a)), way),
                ("tilt", Perpendicular(as_tuple(tilt), as_tuple(a)), way * radius),
            )
            for what, along, factor in ways:
                law = Formula.parse("push*force", ("force",), {"push": factor})
                name = f"{self.name} {what} {side}"
                found.append(Pull(name, self.carrier, wheel, along, self.name, law, coupled))
        return tuple(found)

    @property
    def _axes(self) -> tuple[Direction, Direction]:
        return self.axis, self.second_axis or self.axis


@dataclass(frozen=True)
class Rack(Toothed):
    """Rack and pinion: the second body travels along `direction` by radius · angle of the first.

    Travel and angle are against the carrier; with `opposite` the rack lies on the other side of the pinion.
    `offset` [m] is the travel where the angle is zero; without one rigid teeth take zero, elastic ones begin
    unstretched. With `stiffness` [N/m] the teeth are elastic, with `damping` [N s/m] and `backlash` [m].

    The marker of the pinion is its centre; the force of the teeth acts as that of a gear does, with a
    `pressure_angle` [rad], or along the travel and as a torque alone with `torque_only`.
    """

    kind: ClassVar[str] = "rack"
    name: str
    first: str
    second: str
    radius: float
    carrier: str = "ground"
    opposite: bool = False
    axis: Direction = Z
    direction: Direction = X
    offset: float | None = None
    stiffness: float | None = None
    damping: float = 0.0
    backlash: float = 0.0
    pressure_angle: float = PRESSURE_ANGLE
    torque_only: bool = False
    flanks: Flanks = "one"

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("radius"):
            require_positive(f"radius of {self.name}", self.radius)
        self._require_teeth()

    def coupling(self) -> Coupled:
        return Coupled(
            Between(self.carrier, self.second, Along(of_unit_length(self.direction))),
            Between(self.carrier, self.first, Rotation(self.axis)),
            Proportional(-self.radius if self.opposite else self.radius, self.offset or 0.0),
        )

    def assemble(self, centres: tuple[Array, Array] | None, misfit: float) -> Transmission:
        phased = self
        if self.stiffness is not None and self.offset is None:
            phased = replace(self, offset=misfit)
        axis, travel = unit(self.axis, "axis"), unit(self.direction, "direction")
        if self.torque_only or centres is None or abs(axis @ travel) > SAME:
            return phased
        # e from the pinion to the rack, where the rim moves along its drive = axis × e
        on_tangent = self.stiffness is None and self.flanks == "both"
        line = replace(phased, pressure_angle=0.0) if on_tangent else phased
        drive = -travel if self.opposite else travel
        e = np.cross(drive, axis)
        along = np.cos(line.pressure_angle) * drive + np.sin(line.pressure_angle) * e
        base = self.radius * np.cos(line.pressure_angle)
        mesh = MeshLine(as_tuple(along), (as_tuple(centres[0]), as_tuple(centres[1])), (base, np.inf), as_tuple(e))
        return MeshedRack(**fields_of(line), mesh=mesh, push=self._push(on_tangent))


@dataclass(frozen=True, kw_only=True)
class MeshedRack(Rack):
    """A rack whose line of contact is known: n · p of the rack is r cos α times the angle of the pinion.

    What is across the travel of the rack stays as it is at the start.
    """

    mesh: MeshLine
    push: float = 0.0  # tan α of rigid teeth on both flanks, whose line is the tangent

    def coupling(self) -> Coupled:
        mesh, sense = self.mesh, -1.0 if self.opposite else 1.0
        travel, line = unit(self.direction, "direction"), np.array(mesh.line)
        across = line - travel * (line @ travel)
        offset = sense * np.cos(self.pressure_angle) * (self.offset or 0.0) + across @ mesh.centres[1]
        pinion = MeshAngle(self.axis, line=mesh.line, centre=mesh.centres[0], radius=mesh.radii[0])
        return Coupled(
            Between(self.carrier, self.second, Along(mesh.line)),
            Between(self.carrier, self.first, pinion),
            Proportional(mesh.radii[0], float(offset)),
        )

    def element(self) -> TransmissionForce | None:
        if self.stiffness is None:
            return None
        return MeshForce(self.name, self.first, self.second, self.coupling(), *self._numbers(self.stiffness))

    def elements(self) -> tuple[TransmissionForce, ...]:
        if self.stiffness is None:
            return ()
        numbers = self._numbers(self.stiffness)
        flanks = (replace(self, mesh=self.mesh.pressing(-side)) for side in (1.0, -1.0))
        return tuple(
            flank_force(flank, flank.coupling(), side, numbers)
            for flank, side in zip(flanks, (1.0, -1.0), strict=True)
        )

    def pulls(self) -> tuple[Pull, ...]:
        return self._apart(self.mesh, self.push)

    def _numbers(self, stiffness: float) -> tuple[float, float, float]:
        """Stiffness, play and damping along the line, whose way is cos α of the travel."""
        c = float(np.cos(self.pressure_angle))
        return stiffness / c**2, self.backlash * c, self.damping / c**2


def flank_force(
    joint: Transmission, coupled: Coupled, side: float, numbers: tuple[float, float, float]
) -> TransmissionForce:
    """One flank of elastic teeth, which presses where `side` · s is more than half the play.

    It is a strand whose tension begins at the other end of the play, along s or, with the side −1, along −s.
    """
    stiffness, play, damping = numbers
    along = coupled if side > 0 else _reverse(coupled)
    own = (joint.name, joint.first, joint.second, along)
    return FlankForce(*own, stiffness, -0.5 * stiffness * play, damping, side)


def _reverse(coupled: Coupled) -> Coupled:
    """−s = −f(r)."""
    between, law = coupled.follower, coupled.law
    assert isinstance(law, Proportional), "as teeth have it"
    match between.coordinate:
        case MeshAngle() as angle:
            other: Holonomic = replace(angle, axis=as_tuple(-np.array(angle.axis)), radius=-angle.radius)
        case Along() as way:
            other = replace(way, direction=as_tuple(-np.array(way.direction)))
        case _:
            raise AssertionError("teeth act on wheels and racks")
    back = replace(between, coordinate=other)
    return replace(coupled, follower=back, law=Proportional(-law.slope, -law.offset))

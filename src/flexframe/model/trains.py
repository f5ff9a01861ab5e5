"""Trains: shafts that turn at their own speeds, casings at rest, bearings and gears between them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class TrainMember(Described):
    """A body of a train: a shaft that turns at `ratio` times the speed of the train, or a casing (ratio 0).

    Its axes are those of the train; its origin lies `at` a point [m]. A negative ratio turns the other way.
    Without a ratio it follows from the gears; the first member has 1.
    """

    body: Body
    ratio: float | None = None
    at: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class GearMesh(Described):
    """Two gears that mesh: a spring and damper [N/m, N s/m] along the line on which their teeth push each other.

    `first` and `second` name node sets as "member.set"; the radii [m] are those of the pitch circles, and both are
    positive where the gears lie outside each other. `centres` is the direction from the first centre to the second
    one, across the axes. The force is turned from the common tangent by the pressure angle, towards the centres,
    and out of the plane of the gears by the helix angle [rad]; the pressure angle has the sign of the driving
    flank.
    """

    first: str
    second: str
    radii: tuple[float, float]
    stiffness: float
    damping: float = 0.0
    centres: Vector = (0.0, 1.0, 0.0)
    pressure_angle: float = np.pi / 9
    helix_angle: float = 0.0
    name: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(np.isfinite(radius) and radius > 0 for radius in self.radii):
            raise InputError(f"gear mesh: its radii are {self.radii}; give positive ones in m", field="radii")
        for name in ("stiffness", "damping"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0):
                raise InputError(f"gear mesh: {name} is {value:g}; give a value from zero up", field=name)

    def rows(self, axis: Array) -> tuple[Array, Array]:
        """g₁ and g₂ of the approach g₁·(u, θ)₁ + g₂·(u, θ)₂ of the teeth, for u and θ in axes of space: (6,) each.

        With the tangent t = a × c the line of action is n = cos β (cos α t + sin α c) + sin β a. A point of
        contact p on wheel i moves by u + θ × r, r₁ = r₁c and r₂ = −r₂c, and the teeth approach by n·(v₁ − v₂).
        """
        a = np.asarray(axis, dtype=float)
        c = np.asarray(self.centres, dtype=float)
        c = c - (c @ a) * a
        size = np.linalg.norm(c)
        if size < 1e-9:
            raise InputError(
                "gear mesh: the centres lie along the axis; give a direction across it", field="centres"
            )
        c = c / size
        t = np.cross(a, c)
        n = np.cos(self.helix_angle) * (np.cos(self.pressure_angle) * t + np.sin(self.pressure_angle) * c)
        n = n + np.sin(self.helix_angle) * a
        arms = (self.radii[0] * c, -self.radii[1] * c)
        return tuple(  # type: ignore[return-value]
            sign * np.concatenate([n, np.cross(arm, n)]) for sign, arm in zip((1.0, -1.0), arms, strict=True)
        )


@dataclass(frozen=True)
class RotorTrain(Described):
    """Shafts and casings with what lies between them; bearings of the members are part of it.

    Bearings of the train act `on` a node set "member.set" and go `to` another one, or to space; bearings of a
    member may go `to` a node set of another member.
    """

    name: str
    members: tuple[TrainMember, ...]
    bearings: tuple[Bearing, ...] = ()
    gears: tuple[GearMesh, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        names = [member.body.name for member in self.members]
        if not names or len(set(names)) != len(names):
            raise InputError(f"train {self.name}: its members are {names}; give one or more with different names")
        self.ratios  # noqa: B018 - refuses gears that do not fit

    @cached_property
    def ratios(self) -> Mapping[str, float]:
        """Speed of each member over that of the train."""
        found = {m.body.name: float(m.ratio) for m in self.members if m.ratio is not None}
        first = self.members[0].body.name
        found.setdefault(first, 1.0)
        changed = True
        while changed:
            changed = False
            for number, gear in enumerate(self.gears):
                ends = [place.partition(".")[0] for place in (gear.first, gear.second)]
                with at_field("gears", number):
                    for name in ends:
                        if name not in {m.body.name for m in self.members}:
                            raise InputError(f"gear mesh: {name} is no member of train {self.name}; name one")
                ratio = -gear.radii[0] / gear.radii[1]
                for one, other, factor in ((ends[0], ends[1], ratio), (ends[1], ends[0], 1 / ratio)):
                    if one in found and other not in found:
                        found[other], changed = found[one] * factor, True
                    elif one in found and abs(found[other] - found[one] * factor) > 1e-6 * abs(found[other]):
                        raise InputError(
                            f"gear mesh: {other} turns at {found[other]:g} times the speed, and its gear asks for "
                            f"{found[one] * factor:g}; change the ratio or the radii",
                            field=("gears", number, "radii"),
                        )
        missing = [m.body.name for m in self.members if m.body.name not in found]
        if missing:
            raise InputError(
                f"train {self.name}: nothing says how fast {missing[0]} turns; give its ratio (0 at rest), or a "
                "gear"
            )
        return found

"""What a joint says of its play and of its stops."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.model.contacts import ContactFriction, NormalLaw, hertz_stiffness

RADIUS = 0.01
"""Of journals, balls and the rounded ends of slides that give none [m]."""
STEEL = (210e9, 0.3)
"""Young's modulus [Pa] and Poisson's ratio where no law is given."""
RESTITUTION = 0.9
"""Where no law is given."""


@dataclass(frozen=True)
class JointClearance(Described):
    """The play of a joint: contact takes the place of its rigid constraints.

    `radial` is the radius of the bearing less that of the journal or ball, for a slide the gap on each side while
    it is in the middle of its guide [m]. `radius` is that of the journal, of the ball, or of the rounded ends of
    the slide, which is twice as high. `length` is that of a slide; in space a bearing with a length lets its
    journal tilt, one without does not. `width` is that of the square section of a slide in space, whose edges are
    rounded with the radius.

    Without a `law` both are of steel: Hertz's stiffness for 210 GPa and 0.3, and a restitution of 0.9; without
    `friction` there is none.
    """

    radial: float
    radius: float = RADIUS
    length: float | None = None
    law: NormalLaw | None = None
    friction: ContactFriction | None = None
    width: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("radial", "radius", "length", "width"):
            value = getattr(self, name)
            if value is not None and not (np.isfinite(value) and value > 0):
                remedy = ", or leave the clearance out for an ideal joint" if name == "radial" else ""
                raise InputError(
                    f"{name} of a clearance is {value:g} m; give one above zero{remedy}", field="clearance"
                )

    def radii(self, *, slide: bool) -> tuple[float, float]:
        """Radii of curvature of the two surfaces, the hollow one negative."""
        return (np.inf if slide else -self.radius - self.radial), self.radius

    def normal_law(self, *, slide: bool) -> NormalLaw:
        """The law that is given, or that of steel."""
        if self.law is not None:
            return self.law
        young, poisson = STEEL
        stiffness = hertz_stiffness(self.radii(slide=slide), (young, young), (poisson, poisson))
        return NormalLaw("restitution", stiffness, restitution=RESTITUTION)


def joint_clearance(given: "float | JointClearance | None") -> JointClearance | None:
    """The clearance that a number [m] or a description stands for."""
    return JointClearance(float(given)) if isinstance(given, int | float) else given


@dataclass(frozen=True)
class Stops(Described):
    """Ends of the coordinate of a joint, lower and upper [m or rad], and the law with which it meets them."""

    lower: float
    upper: float
    law: NormalLaw


def joint_stops(
    given: Mapping[str, tuple[float, float] | None],
    spring: tuple[float | None, float],
    law: NormalLaw | None,
    most: float,
    prefix: str = "",
) -> dict[str, Stops]:
    """The stops of coordinates of a joint: with a law of contact, or a spring with a damper (stiffness, damping).

    Those are refused that leave no way between them, or do not say how they are met. `prefix` is that of the names
    of the fields of law and spring.
    """
    stiffness, damping = spring
    there = {field: ends for field, ends in given.items() if ends is not None}
    if not there:
        if stiffness is not None or damping or law is not None:
            field = next(iter(given))
            raise InputError(
                f"{prefix}stop_stiffness, {prefix}stop_damping and {prefix}stop_law are for stops; give {field} "
                "too",
                field=field,
            )
        return {}
    for field, ends in there.items():
        if len(ends) != 2 or not np.isfinite(ends).all() or not ends[0] < ends[1]:
            raise InputError("stops are no lower and upper end; give two numbers that increase", field=field)
        if ends[1] - ends[0] >= most:
            raise InputError(
                f"the stops are {ends[1] - ends[0]:g} rad apart, where a turn cannot be told from the next one; "
                "give less than 2π",
                field=field,
            )
    if law is not None and (stiffness is not None or damping):
        raise InputError(
            f"stops follow a {prefix}stop_law, or a {prefix}stop_stiffness; leave one out",
            field=f"{prefix}stop_law",
        )
    if law is None and (stiffness is None or not stiffness > 0 or damping < 0):
        raise InputError(
            f"stops need a {prefix}stop_law, or a {prefix}stop_stiffness above zero with a {prefix}stop_damping "
            "of zero or more; give one",
            field=f"{prefix}stop_stiffness",
        )
    if law is None:
        assert stiffness is not None
        law = NormalLaw("kelvin_voigt", stiffness, 1.0, damping=damping)
    return {field: Stops(float(ends[0]), float(ends[1]), law) for field, ends in there.items()}

"""What a joint says of its play and of its stops."""

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
    journal tilt, one without does not.

    Without a `law` both are of steel: Hertz's stiffness for 210 GPa and 0.3, and a restitution of 0.9; without
    `friction` there is none.
    """

    radial: float
    radius: float = RADIUS
    length: float | None = None
    law: NormalLaw | None = None
    friction: ContactFriction | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("radial", "radius", "length"):
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


def require_stops(stops: tuple[float, float] | None, stiffness: float | None, damping: float, most: float) -> None:
    """Refuse stops that leave no way between them, or have no stiffness."""
    if stops is None:
        if stiffness is not None or damping:
            raise InputError(
                "stop_stiffness and stop_damping are for stops; give stops too", field="stop_stiffness"
            )
        return
    if len(stops) != 2 or not np.isfinite(stops).all() or not stops[0] < stops[1]:
        raise InputError("stops are no lower and upper end; give two numbers that increase", field="stops")
    if stops[1] - stops[0] >= most:
        raise InputError(
            f"the stops are {stops[1] - stops[0]:g} rad apart, where a turn cannot be told from the next one; "
            "give less than 2π",
            field="stops",
        )
    if stiffness is None or not stiffness > 0 or damping < 0:
        raise InputError(
            "stops need a stop_stiffness above zero, and a stop_damping of zero or more; give them",
            field="stop_stiffness",
        )

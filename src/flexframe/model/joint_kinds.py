"""Every kind of joint, transmissions among them."""

from flexframe.model.joints import (
    ConstantVelocity,
    Cylindrical,
    InPlane,
    Joint,
    KnifeEdge,
    PointOnLine,
    Prismatic,
    Revolute,
    Rod,
    Rolling,
    Screw,
    Spherical,
    Universal,
    Weld,
)
from flexframe.model.transmissions.belts import Belt, Cable
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.followers import Cam, Mimic
from flexframe.model.transmissions.gears import Gear, Rack

TRANSMISSIONS: tuple[type[Transmission], ...] = (Gear, Rack, Cam, Belt, Cable, Mimic)
"""Every kind of transmission; adding one is a class and its name here."""

JOINTS: tuple[type[Joint], ...] = (
    Revolute,
    Prismatic,
    Cylindrical,
    Spherical,
    Universal,
    ConstantVelocity,
    Screw,
    Weld,
    InPlane,
    PointOnLine,
    Rod,
    Rolling,
    KnifeEdge,
    *TRANSMISSIONS,
)
"""Every kind of joint; adding one is a class and its name here, and the contract tests find it."""

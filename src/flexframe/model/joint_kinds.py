"""Every kind of joint."""

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
from flexframe.model.transmissions.kinds import TRANSMISSIONS

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

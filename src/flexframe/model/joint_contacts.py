"""Joints with clearance: contacts in the place of rigid constraints."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.clearance import RESTITUTION, STEEL, JointClearance
from flexframe.model.constraints import Along, Constraint, Direction, Perpendicular, unit
from flexframe.model.contacts import Contact, JournalBearing, ShapeSize, SphereInSphere, SpherePlane
from flexframe.model.joints import Joint, Prismatic, Revolute, WithClearance

if TYPE_CHECKING:
    from flexframe.model.system import System


@dataclass(frozen=True, kw_only=True)
class SlideEnd(SpherePlane):
    """A rounded end of a slide on one side of its guide: `at` along the axis, the side at a distance."""

    axis: Direction
    at: float
    distance: float

    def shapes(self) -> tuple[ShapeSize, ShapeSize]:
        side, end = super().shapes()
        normal, axis = unit(self.normal, "normal"), unit(self.axis, "axis")
        return side._replace(beside=_three(-self.distance * normal)), end._replace(beside=_three(self.at * axis))


def _three(vector: Array) -> tuple[float, float, float]:
    x, y, z = vector.tolist()
    return x, y, z


def clearance_of(joint: object) -> JointClearance | None:
    """The play of a joint, None where it has none."""
    if not isinstance(joint, WithClearance):
        return None
    assert not isinstance(joint.clearance, int | float), "made a description at the start"
    return joint.clearance


def constraints_beside_play(joint: Joint) -> tuple[Constraint, ...]:
    """What stays rigid: along the axis of a bearing, and against tilting where it has no length."""
    play = clearance_of(joint)
    assert play is not None
    if not isinstance(joint, Revolute):
        return ()
    tilt = [row for row in joint.constraints() if isinstance(row, Perpendicular)]
    return Along(joint.axis), *(tilt if play.length is None else ())


def joint_contacts(joint: Joint, *, planar: bool) -> tuple[Contact, ...]:
    """The contacts of a joint with clearance, named after it."""
    play = clearance_of(joint)
    if play is None:
        return ()
    ends: dict[str, Any] = {
        "first": joint.first,
        "second": joint.second,
        "friction": play.friction,
        "radius": play.radius,
    }
    if isinstance(joint, Prismatic):
        return _slide(joint, play, ends, planar=planar)
    law = play.normal_law(slide=False)
    if play.length is not None and (planar or not isinstance(joint, Revolute)):
        raise InputError(
            f"{joint.name}: the length of a clearance is for slides, and for bearings in space; leave it out",
            field="clearance",
        )
    if play.length is not None:
        assert isinstance(joint, Revolute)
        own: dict[str, Any] = {"clearance": play.radial, "length": play.length, "axis": joint.axis}
        return (JournalBearing(name=joint.name, law=law, **own, **ends),)
    return (SphereInSphere(name=joint.name, law=law, clearance=play.radial, **ends),)


def _slide(joint: Prismatic, play: JointClearance, ends: dict[str, Any], *, planar: bool) -> tuple[Contact, ...]:
    """Four: both ends of the slide with both sides of the guide."""
    if not planar:
        raise InputError(
            f"{joint.name}: a slide with clearance is known in the plane only; leave the clearance out, or "
            "describe the surfaces as contacts",
            field="clearance",
        )
    if play.length is None:
        raise InputError(
            f"{joint.name}: how far a slide tilts in its guide depends on its length; give clearance: {{radial, "
            "length}",
            field="clearance",
        )
    axis = unit(joint.axis, "axis")
    across = np.array([-axis[1], axis[0], 0.0])
    law = play.normal_law(slide=True)
    return tuple(
        SlideEnd(
            name=f"{joint.name}.{end}.{side}",
            law=law,
            normal=_three(-sign * across),
            axis=_three(axis),
            at=where * play.length / 2,
            distance=play.radius + play.radial,
            **ends,
        )
        for end, where in (("front", 1.0), ("back", -1.0))
        for side, sign in (("left", 1.0), ("right", -1.0))
    )


def with_ideal_joints(system: "System") -> tuple["System", tuple[str, ...]]:
    """The system with rigid joints in the place of those with clearance, and words about these."""
    loose = [joint.name for joint in system.joints if clearance_of(joint) is not None]
    if not loose:
        return system, ()
    joints = [replace(joint, clearance=None) if joint.name in loose else joint for joint in system.joints]  # type: ignore[type-var]
    words = f"{', '.join(loose)} {'are' if len(loose) > 1 else 'is'} taken as ideal here, without clearance"
    return replace(system, joints=joints), (words,)


def assumed_laws(joints: Sequence[Joint]) -> tuple[str, ...]:
    """What is taken for joints whose clearance gives no law."""
    young, poisson = STEEL
    return tuple(
        f"joint {joint.name}: its clearance gives no law; taken are surfaces of steel ({young / 1e9:g} GPa, "
        f"{poisson:g}) with a radius of {play.radius * 1e3:g} mm after Hertz, a restitution of {RESTITUTION:g} "
        f"and {'no friction' if play.friction is None else 'the friction given'}"
        for joint in joints
        if (play := clearance_of(joint)) is not None and play.law is None
    )

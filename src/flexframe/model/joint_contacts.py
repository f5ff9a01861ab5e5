"""Joints with clearance: contacts in the place of rigid constraints; stops of joints as contacts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from flexframe.errors import InputError, at_part
from flexframe.maths.arrays import Array
from flexframe.model.clearance import RESTITUTION, STEEL, JointClearance, Stops
from flexframe.model.constraints import Along, Constraint, Direction, Perpendicular, two_normals, unit
from flexframe.model.contacts import (
    AngleStop,
    BendStop,
    Contact,
    JournalBearing,
    ShapeSize,
    SphereInSphere,
    SpherePlane,
)
from flexframe.model.joints import (
    BendStopped,
    ConstantVelocity,
    Cylindrical,
    InPlane,
    Joint,
    Jointed,
    PointOnLine,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    Stopped,
    Universal,
    WithClearance,
)

if TYPE_CHECKING:
    from flexframe.model.system import System

_Elastic = TypeVar("_Elastic", bound=Jointed)


@dataclass(frozen=True, kw_only=True)
class SlideEnd(SpherePlane):
    """A rounded corner of a slide, or its end, beside its marker, and a side of its guide at a distance."""

    beside: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distance: float

    def shapes(self) -> tuple[ShapeSize, ShapeSize]:
        side, corner = super().shapes()
        normal = unit(self.normal, "normal")
        return side._replace(beside=_three(-self.distance * normal)), corner._replace(beside=self.beside)


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
    """The contacts of a joint with clearance, and its stops, named after it."""
    return (*_play_contacts(joint, planar=planar), *stop_contacts(joint))


def stop_contacts(joint: Joint) -> tuple[Contact, ...]:
    """The lower and the upper stop of every coordinate of a joint that has them."""
    if not isinstance(joint, Stopped | BendStopped):
        return ()
    found: list[Contact] = []
    for field, stops in joint.ends().items():
        name = f"{joint.name}{_WHICH[field]}"
        match joint, field:
            case Revolute(), _:
                found += _angle_stops(joint, name, stops, joint.axis, two_normals(joint.axis)[0])
            case Cylindrical(), "rotation_stops":
                found += _angle_stops(joint, name, stops, joint.axis, two_normals(joint.axis)[0])
            case InPlane(), "rotation_stops":
                found += _angle_stops(joint, name, stops, joint.normal, two_normals(joint.normal)[0])
            case InPlane(), _:
                found += _travel_stops(joint, name, stops, two_normals(joint.normal)[field == "second_stops"])
            case Universal(), "stops":  # the angle of the cross, which carries the second axis, in the first frame
                found += _angle_stops(joint, name, stops, joint.axis, joint.second_axis)
            case Universal(), _:  # against the cross: that of the first axis in the second frame, backwards
                back = _three(-unit(joint.second_axis, "second_axis"))
                found += _angle_stops(joint, name, stops, back, joint.axis, swapped=True)
            case ((Prismatic() | Cylindrical() | Screw() | PointOnLine()), _):
                found += _travel_stops(joint, name, stops, joint.axis)
            case ((Spherical() | ConstantVelocity()), _):
                axis = joint.axis if isinstance(joint, ConstantVelocity) else joint.bend_axis
                ends: dict[str, Any] = {"first": joint.first, "second": joint.second, "law": stops.law}
                found.append(BendStop(name=name, axis=axis, angle=stops.upper, **ends))
    return tuple(found)


_WHICH = {"stops": "", "second_stops": ".second", "rotation_stops": ".rotation", "bend_stop": ".bend"}


def _angle_stops(
    joint: Joint, name: str, stops: Stops, axis: Direction, zero: Direction, *, swapped: bool = False
) -> list[Contact]:
    """Both ends of an angle about an axis, counted from a direction across it.

    Each is the upper one about an axis of its own. `swapped`: the angle of the first marker in the second one.
    """
    first, second = (joint.second, joint.first) if swapped else (joint.first, joint.second)
    middle, half = (stops.lower + stops.upper) / 2, (stops.upper - stops.lower) / 2
    return [
        AngleStop(
            name=f"{name}.{end}",
            first=first,
            second=second,
            law=stops.law,
            axis=_three(sense * unit(axis, "axis")),
            zero=_three(unit(zero, "axis")),
            middle=sense * middle,
            angle=half,
        )
        for end, sense in (("lower", -1.0), ("upper", 1.0))
    ]


def _travel_stops(joint: Joint, name: str, stops: Stops, axis: Direction) -> list[Contact]:
    return [
        SlideEnd(
            name=f"{name}.{end}",
            first=joint.first,
            second=joint.second,
            law=stops.law,
            normal=_three(-sense * unit(axis, "axis")),
            distance=sense * at,
        )
        for end, sense, at in (("lower", -1.0, stops.lower), ("upper", 1.0, stops.upper))
    ]


def _play_contacts(joint: Joint, *, planar: bool) -> tuple[Contact, ...]:
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
    """Both ends of the slide with both sides of the guide: four; in space eight corners with two sides each."""
    if play.length is None or (play.width is None) != planar:
        what = "{radial, length}" if planar else "{radial, length, width}"
        why = "length" if planar else "length and width" if play.length is None or play.width is None else "length"
        raise InputError(
            f"{joint.name}: how far a slide tilts in its guide depends on its {why}; give clearance: {what}",
            field="clearance",
        )
    axis = unit(joint.axis, "axis")
    ends = {**ends, "law": play.normal_law(slide=True)}
    lengthwise = [(name, sign * play.length / 2 * axis) for name, sign in (("front", 1.0), ("back", -1.0))]
    if planar:
        across = np.array([-axis[1], axis[0], 0.0])
        sides = (("left", across), ("right", -across))
        return tuple(
            SlideEnd(
                name=f"{joint.name}.{end}.{side}",
                normal=_three(-outwards),
                beside=_three(at),
                distance=play.radius + play.radial,
                **ends,
            )
            for end, at in lengthwise
            for side, outwards in sides
        )
    assert play.width is not None
    u, v = (np.asarray(normal) for normal in two_normals(joint.axis))
    half = (play.width - 2 * play.radius) / 2  # to the middle of a rounded edge
    if half < 0:
        raise InputError(
            f"{joint.name}: the rounded edges of a slide have a radius of {play.radius:g} m and are "
            f"{play.width:g} m apart; give a radius of at most half the width",
            field="clearance",
        )
    walls = (("left", v, u), ("right", -v, u), ("top", u, v), ("bottom", -u, v))
    return tuple(
        SlideEnd(
            name=f"{joint.name}.{end}.{wall}{number}",
            normal=_three(-outwards),
            beside=_three(at + half * outwards + sign * half * along),
            distance=half + play.radius + play.radial,
            **ends,
        )
        for end, at in lengthwise
        for wall, outwards, along in walls
        for number, sign in ((1, 1.0), (2, -1.0))
    )


def with_ideal_joints(system: "System") -> tuple["System", tuple[str, ...]]:
    """The system with rigid joints in the place of those that are elastic or have play, and words about these.

    Stops and locks are left out, too.
    """
    words = []
    joints = list(system.joints)
    for what, none in _NOT_IDEAL.items():
        names = [
            joint.name
            for joint in joints
            if isinstance(joint, Jointed) and any(getattr(joint, field, None) for field in none)
        ]
        if not names:
            continue
        joints = [
            _with(joint, none) if isinstance(joint, Jointed) and joint.name in names else joint for joint in joints
        ]
        words.append(f"{', '.join(names)} {'are' if len(names) > 1 else 'is'} taken as ideal here, without {what}")
    return (replace(system, joints=joints) if words else system), tuple(words)


def with_variants(system: "System", variants: Mapping[str, Mapping[str, Any]]) -> "System":
    """The system with other joints in the place of some: ideal but for the elasticity or the play given here."""
    joints = []
    for joint in system.joints:
        with at_part("joints", joint.name):
            joints.append(_variant(joint, variants[joint.name]) if joint.name in variants else joint)
    return replace(system, joints=joints)


def _variant(joint: Joint, given: Mapping[str, Any]) -> Joint:
    if not isinstance(joint, Jointed):
        raise InputError(
            f"{joint.name} is a {type(joint).kind}, which is the same in all motions; say there what it is, or "
            "make a case of its own"
        )
    for name in given:
        if not hasattr(joint, name):
            raise InputError(f"a {joint.kind} joint has no {name}; leave it out", field=name)
    return _with(joint, {**_NOT_IDEAL["clearance"], **_NOT_IDEAL["elasticity"], **given})


def _with(joint: _Elastic, values: Mapping[str, Any]) -> _Elastic:
    """The joint with those of the values that it has fields for."""
    own = {field.name for field in fields(joint)}
    return replace(joint, **{name: value for name, value in values.items() if name in own})


_STOPS = ("stops", "second_stops", "rotation_stops", "bend_stop")
_NOT_IDEAL: Mapping[str, dict[str, Any]] = {
    "clearance": {"clearance": None},
    "elasticity": {"stiffness": None, "damping": 0.0, "rotation_stiffness": None, "rotation_damping": 0.0},
    "stops": {
        **dict.fromkeys(_STOPS, None),
        **dict.fromkeys(("stop_stiffness", "stop_law", "rotation_stop_stiffness", "rotation_stop_law"), None),
        **dict.fromkeys(("stop_damping", "rotation_stop_damping"), 0.0),
    },
    "a lock": {"lock": None},
}


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

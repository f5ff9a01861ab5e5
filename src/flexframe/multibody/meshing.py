"""Transmissions with what follows from the assembled start: where their teeth press, and how they are turned."""

from collections.abc import Iterator

import numpy as np

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.constraints import unit
from flexframe.model.joints import Cylindrical, Joint, Revolute
from flexframe.model.system import GROUND, System
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.gears import Rack
from flexframe.multibody.closure import rough_assembly
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.states import Configuration

_SAME = 1e-9  # distance beside the size of a body that is none


def assembled_joints(ready: Mechanism) -> list[Joint]:
    """The joints of a system, its transmissions as they are where it starts."""
    system = ready.system
    try:
        c = rough_assembly(ready, 0.0, elastic=any(isinstance(body, Body) for body in system.bodies))
    except (InputError, AnalysisError):  # said where the assembly is asked for
        return list(system.joints)
    stretched = ready.forces.values(c)[0][0].tolist() if ready.forces.count else []
    misfits = dict(zip(ready.forces.owners, stretched, strict=True))
    return [
        joint.assembled(_centres(system, joint, c), misfits.get(joint.name, 0.0))
        if isinstance(joint, Transmission)
        else joint
        for joint in system.joints
    ]


def _centres(system: System, joint: Transmission, c: Configuration) -> tuple[Array, Array] | None:
    """Where both markers are in the axes of the carrier; none where bearings do not hold wheels there."""
    carrier = getattr(joint, "carrier", GROUND)
    wheels = (joint.first,) if isinstance(joint, Rack) else (joint.first, joint.second)
    if not all(_is_held(system, wheel, carrier) for wheel in wheels):
        return None
    number = {body.name: k for k, body in enumerate(system.bodies)} | {GROUND: len(system.bodies)}

    def place(marker: str) -> Array:
        (owner, at), (other, frame) = system.frame(marker), system.frame(carrier)
        a, b = number[owner], number[other]
        there = c.positions[0, a] + c.rotations[0, a] @ at.point
        origin = c.positions[0, b] + c.rotations[0, b] @ frame.point
        return np.asarray((c.rotations[0, b] @ frame.axes).T @ (there - origin))

    return place(joint.first), place(joint.second)


def _is_held(system: System, marker: str, carrier: str) -> bool:
    """Whether a bearing at a marker holds it in the carrier, or in a body that turns there in the carrier."""
    holder = system.frame(carrier)[0]
    for other, at in _bearings(system, marker):
        if other == holder:
            return True
        if any(body == holder for body, _ in _bearings(system, at)):
            return True
    return False


def _bearings(system: System, marker: str) -> Iterator[tuple[str, str]]:
    """Bearings on whose axis a marker lies: the other body, and the marker on it."""
    owner, frame = system.frame(marker)
    for joint in system.joints:
        if not isinstance(joint, Revolute | Cylindrical):
            continue
        for own, other in ((joint.first, joint.second), (joint.second, joint.first)):
            body, at = system.frame(own)
            if body != owner:
                continue
            axis = at.axes @ unit(joint.axis, "axis")
            off = np.cross(axis, frame.point - at.point)
            if np.linalg.norm(off) <= _SAME * (1.0 + np.linalg.norm(at.point)):
                yield system.frame(other)[0], other

"""Forces that only a motion in time knows, as arrows: of contacts, and of loads that follow the state."""

import numpy as np

from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.maths.arrays import IntArray
from flexframe.model.constraints import follows_state, state_law
from flexframe.model.system_loads import MarkerForce
from flexframe.presentation.scenes import ForceArrow


def contact_arrows(record: CoupledMotion, instants: IntArray) -> tuple[ForceArrow, ...]:
    """Forces of contacts on their second bodies where shapes touch; those of joints with play are theirs."""
    arrows = []
    for contact in record.motion.mechanism.system.contacts:
        found = record.contacts[contact.name]
        vectors = found.force[instants]
        if vectors.any():
            arrows.append(ForceArrow(contact.name, found.points[instants], vectors, colour="green"))
    return tuple(arrows)


def following_arrows(record: CoupledMotion, instants: IntArray) -> tuple[ForceArrow, ...]:
    """Forces at markers that follow the state, as the motion recorded them."""
    arrows, motion = [], record.motion
    for load in motion.mechanism.system.loads:
        if not isinstance(load, MarkerForce) or load.name not in record.sensors or load.axes == "body":
            continue
        laws = [state_law(part) for part in (*load.force, 0.0, 0.0)[:3]]
        if not any(map(follows_state, laws)):
            continue
        seen = record.sensors[load.name].columns()
        times = record.times[instants]
        parts = [
            seen[axis][instants] if axis in seen else law.jet(times)[0]
            for axis, law in zip("xyz", laws, strict=True)
        ]
        vectors = np.stack(parts, axis=1)
        if vectors.any():
            arrows.append(ForceArrow(load.name, motion.marker(load.on)[0][instants], vectors, colour="orange"))
    return tuple(arrows)

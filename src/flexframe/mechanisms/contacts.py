"""Contacts that can only press: where a computed motion asks them to pull, which nothing does in truth."""

import numpy as np

from flexframe.mechanisms.inverse_dynamics import MechanismForces
from flexframe.model.joints import Rolling

_ROUNDING = 1e-9
"""Part of the largest force of a contact that counts as none."""


def contact_notices(forces: MechanismForces) -> tuple[str, ...]:
    """Which rolling contacts pull, from when on and how hard; they would lift off there."""
    notices = []
    times = forces.motion.times
    for link in forces.motion.mechanism.system.joints:
        if not isinstance(link, Rolling):
            continue
        found = forces.joints[link.name]
        normal = found.values[:, 0]  # the multiplier of the height of the rim above the plane
        strongest = float(np.linalg.norm(found.force, axis=1).max(initial=0.0))
        pulling = np.flatnonzero(normal < -_ROUNDING * strongest)
        if pulling.size:
            worst = int(normal.argmin())
            notices.append(
                f"the rolling contact {link.name} pulls from t = {times[pulling[0]]:.6g} s on, with up to "
                f"{-normal[worst]:.4g} N (t = {times[worst]:.6g} s): a body that only rests there would lift off, "
                "and the motion after that is not what would happen"
            )
    return tuple(notices)

"""Where the bodies of a system are roughly at the start, undeformed."""

import numpy as np

from flexframe.mechanisms.closure import assembled, closed
from flexframe.mechanisms.mechanism import Mechanism
from flexframe.mechanisms.states import Configuration

NEARLY_CLOSED = 1e-6
"""Gap that elastic bodies make up for, in lengths of the system and radians."""


def rough_assembly(mechanism: Mechanism, time: float, *, elastic: bool) -> Configuration:
    """Positions that satisfy the joints between undeformed bodies.

    Where bodies are elastic it is enough to be near: places on a mesh lie where its nodes are, and joints that
    rigid bodies could only meet with exact places are met by a small deformation.
    """
    constraints = mechanism.start_constraints
    if elastic and constraints.count:
        targets = constraints.targets(np.array([time]))
        best, gap = closed(mechanism, constraints, mechanism.rough_start(), targets)
        if np.abs(gap).max(initial=0.0) < NEARLY_CLOSED:
            return best
    return assembled(mechanism, constraints, time)

"""The body force per mass inside a body: inertia of the motion of its frame, and gravity."""

import numpy as np

from flexframe.assembly.stress_recovery import AccelerationField
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.motion.frame import FrameMotion


def frame_body_force(
    motion: FrameMotion, terms: Terms, gravity: Array, relief: Array | None = None
) -> AccelerationField:
    """g − a_O − (E + W²) x as far as its terms are on, and the inertia relief (−a, −α) of a free body."""
    W, given = motion.W, np.zeros(6) if relief is None else relief
    gradient = terms.euler * motion.E + terms.centrifugal * (W @ W) - skew(given[3:])
    constant = gravity + given[:3] - motion.origin_acceleration
    return lambda positions: constant - positions @ gradient.T

"""Geometric stiffness of a body in a motion, for tests of every folder."""

from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.bodies import equations_of_motion
from flexframe.maths.arrays import SparseMatrix
from flexframe.motion.frame import FrameMotion


def geometric_stiffness(discrete: DiscreteBody, motion: FrameMotion) -> SparseMatrix:
    """k_g of the loads that a motion brings, and of the applied loads: (p, p)."""
    return equations_of_motion(discrete, motion).stiffness_parts["geometric"]

"""The equations of a body of revolution with n nodal diameters, in the frame that turns about its axis."""

from flexframe.assembly.harmonics import HarmonicBody
from flexframe.equations.affine import AffineEquations
from flexframe.equations.damping import rayleigh_damping
from flexframe.equations.invariants import frame_parts
from flexframe.equations.parts import DAMPING, STIFFNESS, Once, Part
from flexframe.equations.terms import Terms
from flexframe.maths.arrays import SparseMatrix


def harmonic_equations(harmonic: HarmonicBody, terms: Terms | None = None) -> AffineEquations:
    """m δ̈ + [2c(ω) + d] δ̇ + [k + k_g + k(ε) + k(ω²)] δ = −q_i, for rotations about the axis of symmetry.

    The coordinates are those of `HarmonicBody`, without its supports.
    """
    parts = [
        *frame_parts(harmonic),
        Part[SparseMatrix]("elastic", STIFFNESS, Once(lambda: harmonic.stiffness)),
    ]
    damping = rayleigh_damping(harmonic)
    if damping is not None:
        parts.append(Part("structural", DAMPING, Once(lambda: damping.matrix, damping.project)))
    return AffineEquations(harmonic.size, tuple(parts), terms or Terms())

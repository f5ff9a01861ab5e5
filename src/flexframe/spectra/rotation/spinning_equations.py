"""The equations of a body in steady rotation as a polynomial of its speed.

M δ̈ + (D + ΩG) δ̇ + (K + ΩN + Ω²S) δ = f

G = 2c is the Coriolis matrix of unit speed, S = k(ω²) + k_g the softening and the stiffness of the stress of unit
speed, N what dampers that stay in space add. Beside the elastic stiffness S would drown, so it is never a
difference of it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.affine import AffineEquations
from flexframe.equations.bodies import affine_equations
from flexframe.equations.terms import Terms
from flexframe.errors import InputError, at_field
from flexframe.maths.arrays import Array
from flexframe.motion.frame import PLANAR_AXIS, FrameMotion
from flexframe.spectra.rotation.bearings import Bearing, bearing_parts


def unit_axis(axis: ArrayLike) -> Array:
    """The direction of a spin axis."""
    with at_field("axis"):
        return FrameMotion.spin(1.0, axis).angular_velocity


def spinning_equations(
    discrete: DiscreteBody,
    axis: ArrayLike = PLANAR_AXIS,
    *,
    terms: Terms | None = None,
    bearings: Sequence[Bearing] = (),
    mean: bool = False,
) -> AffineEquations:
    """The equations at any steady speed about an axis through the origin, supports eliminated.

    With `mean`, bearings whose directions differ give the mean of both.
    """
    direction = spin_axis(discrete, axis)
    body = affine_equations(discrete, terms).extended(bearing_parts(discrete, bearings, direction, mean=mean))
    return body.about(direction).project(discrete.supports)


def spin_axis(discrete: DiscreteBody, axis: ArrayLike) -> Array:
    """The direction of a spin axis about which a body can turn."""
    direction = unit_axis(axis)
    if discrete.body.space == "planar" and np.abs(direction[:2]).max() > 1e-12:
        raise InputError(
            f"body {discrete.body.name} is planar and spins about {direction.tolist()}; "
            "a planar body spins about z",
            field="axis",
        )
    return direction

"""How one coordinate follows another: in proportion, or as the profile of a cam says."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.maths.pieces import DEGREE, Pieces, spline_pieces
from flexframe.model.constraints import (
    Fixed,
    Piecewise,
    TimeLaw,
)
from flexframe.model.transmissions.vectors import SAME

ANGLE = "angle"
"""Name of the angle of a cam in a formula of its profile."""


@dataclass(frozen=True)
class Proportional:
    """offset + slope · r."""

    slope: float
    offset: float = 0.0

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:
        r = np.asarray(times, dtype=float)
        return self.offset + self.slope * r, np.full(r.shape, self.slope), np.zeros(r.shape)

    @property
    def pieces(self) -> Pieces:
        """Its polynomial."""
        coefficients = np.zeros((1, DEGREE + 1))
        coefficients[0, :2] = self.offset, self.slope
        return Pieces(np.zeros(1), coefficients)


@dataclass(frozen=True)
class ProfilePoints:
    """A quintic spline through values at angles [rad].

    It repeats after a turn where the points span one with the same value at both ends; else the angle must stay
    between the points.
    """

    angles: tuple[float, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.angles) != len(self.values) or len(self.angles) < _FEWEST:
            raise InputError(f"a profile needs a value for each angle, at least {_FEWEST} of them")
        if not (np.diff(self.angles) > 0).all():
            raise InputError("the angles of a profile do not increase; sort its points")

    @property
    def closed(self) -> bool:
        """Whether it repeats after a turn."""
        height = np.ptp(self.values)
        whole = abs(self.angles[-1] - self.angles[0] - 2 * np.pi) < SAME
        return bool(whole and abs(self.values[-1] - self.values[0]) <= SAME * height)

    @cached_property
    def pieces(self) -> Pieces:
        """Its polynomials."""
        from scipy.interpolate import make_interp_spline  # takes a third of a second to import

        angles, values = np.array(self.angles), np.array(self.values)
        if self.closed:
            angles[-1], values[-1] = angles[0] + 2 * np.pi, values[0]
        spline = make_interp_spline(angles, values, k=5, bc_type="periodic" if self.closed else None)
        ends, coefficients = spline_pieces(spline.t, spline.c, 5)
        period = 2 * np.pi if self.closed else 0.0
        return Pieces(ends[:-1], coefficients, float(angles[0]), period)

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:
        return self.pieces.jet(times)


_FEWEST = 6

Profile = Formula | ProfilePoints | str | float
"""A formula of `angle`, points of a curve, or a number."""


def profile_law(profile: Profile) -> TimeLaw:
    """The law of a profile in words or as it is."""
    if isinstance(profile, str):
        return Formula.parse(profile, (ANGLE,))
    if isinstance(profile, int | float):
        return Fixed(float(profile))
    if isinstance(profile, Formula):
        if profile.variables != (ANGLE,):
            raise InputError(f"the profile is a formula of {', '.join(profile.variables)}; write it of {ANGLE}")
        return profile
    if not isinstance(profile, Piecewise):
        raise InputError(f"{profile!r} is no profile; give a formula of {ANGLE}, or ff.joints.ProfilePoints")
    return profile

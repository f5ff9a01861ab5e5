"""One coordinate that follows another, in proportion or as a profile says: mimics and cams."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError, at_field
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.maths.pieces import DEGREE, Pieces, spline_pieces
from flexframe.model.constraints import (
    Along,
    Between,
    Coupled,
    Direction,
    Fixed,
    Holonomic,
    Piecewise,
    Rotation,
    TimeLaw,
)
from flexframe.model.transmissions.contract import SAME, Transmission, Z, of_unit_length

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


@dataclass(frozen=True)
class Cam(Transmission):
    """A cam and its follower, always in contact: a coordinate of the second body is a function of the angle.

    The angle is that of the first body about `axis`, the follower travels along `direction` or (`of: rotation`)
    turns about `second_axis`, all against the carrier. `profile` is a formula of `angle` [rad] or points of a
    curve [m, or rad of a follower that turns]. A force of the contact below zero would lift the follower off.
    """

    kind: ClassVar[str] = "cam"
    name: str
    first: str
    second: str
    profile: Profile
    carrier: str = "ground"
    of: Literal["travel", "rotation"] = "travel"
    axis: Direction = Z
    direction: Direction = (0.0, 1.0, 0.0)
    second_axis: Direction = Z

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("profile"):
            profile_law(self.profile)

    def coupling(self) -> Coupled:
        travels = self.of == "travel"
        coordinate = Along(of_unit_length(self.direction)) if travels else Rotation(self.second_axis)
        return Coupled(
            Between(self.carrier, self.second, coordinate),
            Between(self.carrier, self.first, Rotation(self.axis)),
            profile_law(self.profile),
        )


Coordinate = Literal["rotation", "travel"]


@dataclass(frozen=True)
class Mimic(Transmission):
    """A joint whose coordinate is factor × that of another joint + offset, wherever both joints are.

    The markers are those of the joint that follows, `leader` are those of the one that leads. A coordinate is the
    angle about `axis` (`of: rotation`) or the way along it (`of: travel`), of the leader about `leader_axis`;
    `offset` is in m or rad, `factor` in what the units of both make.
    """

    kind: ClassVar[str] = "mimic"
    name: str
    first: str
    second: str
    leader: tuple[str, str]
    factor: float = 1.0
    offset: float = 0.0
    of: Coordinate = "rotation"
    axis: Direction = Z
    leader_of: Coordinate = "rotation"
    leader_axis: Direction = Z

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.factor) and np.isfinite(self.offset)):
            raise InputError(f"factor or offset of {self.name} is not a finite number; give one", field="factor")
        if len(self.leader) != 2:
            raise InputError(f"leader of {self.name} is not two markers; give those of a joint", field="leader")

    def coupling(self) -> Coupled:
        return Coupled(
            Between(self.first, self.second, _coordinate(self.of, self.axis)),
            Between(*self.leader, _coordinate(self.leader_of, self.leader_axis)),
            Proportional(self.factor, self.offset),
        )


def _coordinate(of: Coordinate, axis: Direction) -> Holonomic:
    return Rotation(axis) if of == "rotation" else Along(of_unit_length(axis))

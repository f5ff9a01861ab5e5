"""Cams: a follower that goes as a profile says."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from flexframe.errors import at_field
from flexframe.model.constraints import (
    Along,
    Between,
    Coupled,
    Direction,
    Rotation,
)
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.profiles import Profile, profile_law
from flexframe.model.transmissions.vectors import Z, of_unit_length


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

    def coupled(self) -> Coupled:
        travels = self.of == "travel"
        coordinate = Along(of_unit_length(self.direction)) if travels else Rotation(self.second_axis)
        return Coupled(
            Between(self.carrier, self.second, coordinate),
            Between(self.carrier, self.first, Rotation(self.axis)),
            profile_law(self.profile),
        )

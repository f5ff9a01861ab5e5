"""Profiles of cams in a case: a formula of the angle, points of a curve, or columns of a CSV file."""

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from flexframe.entries.entry import ByKeys, Entry, refusal
from flexframe.entries.fields import Angle, AnyQuantity, Checked, FileName
from flexframe.entries.parameters import current
from flexframe.entries.problems import shown
from flexframe.entries.recordings import recorded_columns
from flexframe.entries.tables import ByShape
from flexframe.errors import InputError
from flexframe.files import Folder
from flexframe.maths.formula import Formula
from flexframe.model.transmissions.followers import ANGLE, ProfilePoints

_Point = Annotated[tuple[Angle, AnyQuantity], Field(strict=False)]


class ProfilePointsEntry:
    """A profile by points."""

    def profile(self, folder: Folder) -> ProfilePoints:
        """The profile that is described."""
        raise NotImplementedError


class PointListEntry(ProfilePointsEntry, Entry):
    """Points [angle, value] of a smooth curve; a whole turn that ends as it begins repeats."""

    leads: ClassVar[tuple[str, ...]] = ("points",)
    points: Annotated[tuple[_Point, ...], Field(strict=False)]

    def profile(self, folder: Folder) -> ProfilePoints:  # noqa: ARG002 - no file
        return ProfilePoints(tuple(a for a, _ in self.points), tuple(v for _, v in self.points))


class ProfileColumnEntry(ProfilePointsEntry, Entry):
    """Two columns of a CSV file with a header: angles and values, which `scale` turns into SI units."""

    leads: ClassVar[tuple[str, ...]] = ("samples",)
    samples: FileName
    column: str
    angle: str = "angle"
    angle_unit: Literal["rad", "deg"] = "rad"
    scale: AnyQuantity = 1.0

    def profile(self, folder: Folder) -> ProfilePoints:
        angles, columns = recorded_columns(self.samples, folder, self.angle, [self.column])
        in_radians = np.radians(angles) if self.angle_unit == "deg" else angles
        return ProfilePoints(tuple(in_radians.tolist()), tuple((self.scale * columns[self.column]).tolist()))


def _profile(value: Any) -> Formula | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise refusal(f"{shown(value)} is no profile; give a formula such as '0.01*(1 - cos({ANGLE}))'")
    if isinstance(value, int | float):
        return float(value)
    try:
        return current().formula(value, variables=(ANGLE,))
    except InputError as error:
        raise refusal(str(error)) from None


ProfileFormula = Annotated[
    Formula | float,
    Checked(_profile, {"description": f"A formula of {ANGLE} [rad], in SI units", "type": ["string", "number"]}),
]
_Points = Annotated[PointListEntry | ProfileColumnEntry, ByKeys("profile")]
ProfileEntry = Annotated[ProfileFormula | _Points, ByShape(_Points, ProfileFormula)]
"""A formula of `angle`, points of a curve, or columns of a CSV file."""

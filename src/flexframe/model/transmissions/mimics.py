"""Joints that follow others: both fingers of a gripper, axes that belts or rods couple."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from flexframe.errors import InputError
from flexframe.model.constraints import Along, Between, Coupled, Direction, Holonomic, Rotation
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.profiles import Proportional
from flexframe.model.transmissions.vectors import Z, of_unit_length

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

    def coupled(self) -> Coupled:
        return Coupled(
            Between(self.first, self.second, _coordinate(self.of, self.axis)),
            Between(*self.leader, _coordinate(self.leader_of, self.leader_axis)),
            Proportional(self.factor, self.offset),
        )


def _coordinate(of: Coordinate, axis: Direction) -> Holonomic:
    return Rotation(axis) if of == "rotation" else Along(of_unit_length(axis))

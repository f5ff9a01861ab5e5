"""What a reduction strategy is given and what it gives."""

from dataclasses import dataclass
from typing import Protocol

from flexframe.maths.arrays import Array
from flexframe.reduction.attached import AttachedBody
from flexframe.reduction.basis import Coordinate


@dataclass(frozen=True, eq=False)
class Shapes:
    """Displacement fields with what they stand for; they may contain rigid motions of the body."""

    vectors: Array  # (p, m)
    coordinates: tuple[Coordinate, ...]


class ReductionStrategy(Protocol):
    """A way to choose the displacement fields that a reduced body keeps."""

    @property
    def name(self) -> str: ...

    def shapes(self, attached: AttachedBody) -> Shapes:
        """The fields, independent of each other, in the order of the coordinates."""
        ...

    def description(self) -> str:
        """The strategy in words."""
        ...

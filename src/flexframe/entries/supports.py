"""Supports of a case."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from flexframe.entries.entry import ByKeys, Entry
from flexframe.entries.fields import Direction, Selection
from flexframe.model.supports import Clamp, Fix, Pin, Roller, Support, Symmetric

DofName = Literal["ux", "uy", "uz", "rx", "ry", "rz"]


class ClampEntry(Entry):
    """No displacement and no rotation."""

    leads: ClassVar[tuple[str, ...]] = ("clamp",)
    clamp: Selection

    def support(self) -> Support:
        return Clamp(self.clamp)


class PinEntry(Entry):
    """No displacement; rotations are free."""

    leads: ClassVar[tuple[str, ...]] = ("pin",)
    pin: Selection

    def support(self) -> Support:
        return Pin(self.pin)


class RollerEntry(Entry):
    """No displacement along the direction."""

    leads: ClassVar[tuple[str, ...]] = ("roller",)
    roller: Selection
    direction: Direction

    def support(self) -> Support:
        return Roller(self.roller, self.direction)


class SymmetricEntry(Entry):
    """A plane of symmetry with this normal."""

    leads: ClassVar[tuple[str, ...]] = ("symmetric",)
    symmetric: Selection
    normal: Direction

    def support(self) -> Support:
        return Symmetric(self.symmetric, self.normal)


class FixEntry(Entry):
    """Single degrees of freedom fixed."""

    leads: ClassVar[tuple[str, ...]] = ("fix",)
    fix: Selection
    dofs: Annotated[tuple[DofName, ...], Field(min_length=1, strict=False)]

    def support(self) -> Support:
        return Fix(self.fix, self.dofs)


SupportEntry = Annotated[
    ClampEntry | PinEntry | RollerEntry | SymmetricEntry | FixEntry,
    ByKeys("support"),
]

"""What a kind of analysis gets from the case, and what it gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.equations import Terms
from flexframe.cases.entries import Entry
from flexframe.cases.fields import Number, Text
from flexframe.cases.links import DriveEntry
from flexframe.cases.motions import MotionEntry
from flexframe.model.drives import Drive
from flexframe.model.system import System
from flexframe.motion.frame import FrameMotion
from flexframe.motion.laws import MotionLaw
from flexframe.results.records import Record


@dataclass(frozen=True, eq=False)
class FrozenBody:
    """A discrete body and the motion of its frame at one instant."""

    discrete: DiscreteBody
    motion: FrameMotion


@dataclass(frozen=True, eq=False)
class MovingBody:
    """A discrete body and the motion of its frame over time."""

    discrete: DiscreteBody
    law: MotionLaw


class Bodies(Protocol):
    """The bodies of a case, ready for an analysis."""

    def frozen(self, body: str | None, motion: MotionEntry | None, time: float) -> FrozenBody:
        """A body (the only one without a name) at an instant of a motion (its own when none is given)."""
        ...

    def moving(self, body: str | None, motion: MotionEntry | None) -> MovingBody:
        """A body (the only one without a name) and a motion over time (its own when none is given)."""
        ...

    def system(self) -> System:
        """All bodies with their liaisons, drives and loads."""
        ...

    def drives(self, entries: Mapping[str, DriveEntry]) -> list[Drive]:
        """Drives that an analysis describes."""
        ...

    def recordings(self) -> tuple[str, ...]:
        """What the reader must know about the recordings that drive the system."""
        ...


class AnalysisEntry(Protocol):
    """An analysis as a case asks for it."""

    @property
    def kind(self) -> str: ...
    @property
    def description(self) -> Text: ...

    def run(self, bodies: Bodies) -> Record:
        """Do it."""
        ...


class TermsEntry(Entry):
    """Multipliers of the terms of the moving frame: 1 is the physics, other values are for study."""

    coriolis: Number = 1.0
    euler: Number = 1.0
    centrifugal: Number = 1.0
    geometric: Number = 1.0

    def terms(self) -> Terms:
        """The terms that are described."""
        return Terms(**dict(self))

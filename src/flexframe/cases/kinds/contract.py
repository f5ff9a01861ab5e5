"""What a kind of analysis gets from the case, and what it gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from flexframe.assembly.discrete import DiscreteBody
from flexframe.cases.entries import Entry
from flexframe.cases.fields import Number, Text
from flexframe.cases.links import DriveEntry
from flexframe.cases.motions import MotionEntry
from flexframe.equations.terms import Terms
from flexframe.model.drives import Drive
from flexframe.model.system import System
from flexframe.motion.frame import FrameMotion
from flexframe.motion.laws import MotionLaw
from flexframe.results.checkpoint import Checkpoint
from flexframe.results.records import Record

if TYPE_CHECKING:
    from flexframe.analyses.coupled.elastic_parts import ReductionChoice


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


@dataclass(frozen=True, eq=False)
class Monitor:
    """Who looks on while an analysis runs: is told the finished part, and keeps what is not finished."""

    progress: Callable[[float], None] | None = None
    checkpoint: Checkpoint | None = None


class Bodies(Protocol):
    """The bodies of a case, ready for an analysis."""

    @property
    def has_system(self) -> bool:
        """Whether the bodies make a system."""
        ...

    @property
    def monitor(self) -> Monitor:
        """Who looks on."""
        ...

    def discrete_bodies(self) -> Mapping[str, DiscreteBody]:
        """The meshed bodies with their matrices, integrated when first asked for."""
        ...

    def reductions(self) -> "Mapping[str, ReductionChoice | Literal['rigid']]":
        """The reductions that the case asks for, by body."""
        ...

    def frozen(self, body: str | None, motion: MotionEntry | None, time: float) -> FrozenBody:
        """A body (the only one without a name) at an instant of a motion (its own when none is given)."""
        ...

    def moving(self, body: str | None, motion: MotionEntry | None) -> MovingBody:
        """A body (the only one without a name) and a motion over time (its own when none is given)."""
        ...

    def system(self) -> System:
        """All bodies with their joints, drives and loads."""
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

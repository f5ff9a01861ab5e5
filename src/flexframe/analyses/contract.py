"""What a kind of analysis gets from the case, and what it gives."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from flexframe.assembly.discrete import DiscreteBody
from flexframe.entries.entry import Entry
from flexframe.entries.fields import Name, Number, Text
from flexframe.entries.links import DriveEntry
from flexframe.entries.motions import MotionEntry
from flexframe.entries.problems import Problems
from flexframe.equations.coefficients import Terms
from flexframe.errors import FieldPath, FlexframeError
from flexframe.files import Folder
from flexframe.model.drives import Drive
from flexframe.model.system import System
from flexframe.motion.frame import FrameMotion, MotionLaw
from flexframe.results.record import Record
from flexframe.stages import only_checked

if TYPE_CHECKING:
    from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
    from flexframe.model.trains import RotorTrain


Misfit = tuple[FieldPath, str]
NOT_EXACT = (
    "{kind} takes body {body} as one that deflects little, and reduction: exact lets it bend far; make a system "
    "of it (joints: {{root: {{fixed: [ground, {body}.start]}}}}) whose statics or transient takes exact beams, or "
    "leave reduction: exact out"
)
NO_BEARINGS = (
    "{kind} does not know bearings, which stay in space while the body turns; ask for campbell (at speed 0 as "
    "well), frequency_response, run_up (a motion in time, also at a steady speed), stability or linear_model, or "
    "hold the body by supports and springs instead"
)
NO_HARMONICS = (
    "{kind} does not know the nodal diameters of body {body}, which is the section of a body of revolution; ask "
    "for modes, campbell, frequency_response, run_up, critical_speed_map or stability_threshold, or mesh the "
    "whole body with solid elements"
)
NO_MESH = (
    "{kind} is about the deformation of a body, and every body of the case is rigid; give one a mesh and a "
    "material, or ask for kinematics, joint_forces or rigid_motion"
)


@dataclass(frozen=True, eq=False)
class FrozenBody:
    """A discrete body and the motion of its frame at one instant; `exact` ones are made of exact beams."""

    discrete: DiscreteBody
    motion: FrameMotion
    exact: bool = False


@dataclass(frozen=True, eq=False)
class MovingBody:
    """A discrete body and the motion of its frame over time."""

    discrete: DiscreteBody
    law: MotionLaw


@dataclass(frozen=True, eq=False)
class Monitor:
    """What is called while an analysis runs, with the finished part; records of analyses before it, by name."""

    progress: Callable[[float], None] | None = None
    records: Mapping[str, Record] = field(default_factory=dict)


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

    @property
    def folder(self) -> Folder:
        """Where the files that the case names are found."""
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

    def rotor(self, name: str | None) -> "DiscreteBody | RotorTrain":
        """A body or a train; without a name the only train, or the only body."""
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


class AnalysisEntry(Entry):
    """An analysis as a case asks for it; a kind states its word, its fields and how it is run."""

    needs_system: ClassVar[bool] = False  # whether it makes a system of the bodies of the case

    kind: str
    description: Text = ""

    @abstractmethod
    def run(self, bodies: Bodies) -> Record:
        """Do it."""

    def check(self, bodies: Bodies) -> None:
        """Everything that `run` does before its work begins: it builds, assembles and evaluates one state."""
        with only_checked():
            self.run(bodies)

    def foreseen_steps(self) -> float | None:
        """Steps in time that it will take, where that is known before."""
        return None

    def is_of_system(self, *, has_system: bool) -> bool:
        """Whether it treats the whole system."""
        return has_system

    def lacks(self, *, has_system: bool, elastic: bool) -> Iterator[Misfit]:  # noqa: ARG002
        """What it needs and the case does not have: a system, an elastic body; the field and what to do."""
        return iter(())

    def check_system(self, system: System, problems: Problems, path: FieldPath) -> None:
        """Report fields that name what the system does not have; `path` is where the analysis stands."""

    def doubts(self, system: System) -> Iterator[str]:  # noqa: ARG002
        """Sentences about what is unlikely together with a system."""
        return iter(())


class BodyAnalysisEntry(AnalysisEntry):
    """An analysis of one body; some kinds treat the whole system where the case has one and no body is named."""

    takes_exact: ClassVar[bool] = False  # whether it takes one body of exact beams about its equilibrium
    takes_rotors: ClassVar[bool] = False  # whether it takes bearings of a body, and trains of several
    takes_sections: ClassVar[bool] = False  # whether it takes bodies of revolution by their nodal diameters

    body: Name | None = None

    @property
    def of_body(self) -> bool:
        """Whether it may ask for one body."""
        return True

    @property
    def known_motion(self) -> MotionEntry | None:
        """The motion of the frame that it gives the body instead of its own."""
        motion: MotionEntry | None = getattr(self, "motion", None)
        return motion

    def is_of_system(self, *, has_system: bool) -> bool:  # noqa: ARG002
        """Whether it treats the whole system."""
        return False

    def lacks(self, *, has_system: bool, elastic: bool) -> Iterator[Misfit]:
        """One body is an elastic one."""
        if not elastic and not self.is_of_system(has_system=has_system):
            yield ("kind",), NO_MESH.format(kind=self.kind)

    @contextmanager
    def blaming_motion(self, body: str) -> Iterator[None]:
        """Errors about the motion belong to the body where the analysis gives none."""
        try:
            yield
        except FlexframeError as error:
            if self.known_motion is None and error.field[:1] == ("motion",):
                error.part = ("bodies", body, *error.field)
            raise

    def misfits(self, *, of_system: bool) -> Iterator[Misfit]:  # noqa: ARG002
        """Fields that do not fit the body or the system, and what to do."""
        return iter(())


class TermsEntry(Entry):
    """Multipliers of the terms of the moving frame: 1 is the physics, other values are for study."""

    coriolis: Number = 1.0
    euler: Number = 1.0
    centrifugal: Number = 1.0
    geometric: Number = 1.0

    def terms(self) -> Terms:
        """The terms that are described."""
        return Terms(**dict(self))

"""Reduction of a body to few coordinates."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry
from flexframe.entries.bodies import (
    ReferenceEntry,
    StrategyName,
    build_reference,
    build_strategy,
    require_divided,
)
from flexframe.entries.entry import Entry
from flexframe.entries.fields import Count, Name, Point, PositiveNumber, Selection, Time
from flexframe.entries.motions import MotionEntry
from flexframe.reduction.interfaces import Interface

if TYPE_CHECKING:
    from flexframe.analyses.reduction.record import Reduction


class PointEntry(Entry):
    """Nodes that make a point, and how they follow each other."""

    on: Selection
    coupling: Literal["rigid", "mean"] = "mean"
    at: Point | None = None

    def interface(self, name: str) -> Interface:
        """The interface that is described."""
        return Interface(name, self.on, self.coupling, self.at)


class ReductionEntry(BodyAnalysisEntry):
    """A body with few coordinates: frequencies, static answers and mass compared with the body itself."""

    kind: Literal["reduction"]
    motion: MotionEntry | None = None
    time: Time = 0.0
    strategy: StrategyName = "craig_bampton"
    modes: Count = 10
    attachments: bool = True
    inertia_shapes: bool = False
    orthonormal: bool = False
    reference: ReferenceEntry | None = None
    interfaces: dict[Name, PointEntry] = Field(default_factory=dict)
    sensors: dict[Name, PointEntry] = Field(default_factory=dict)
    compare: Count | None = None
    tolerance: PositiveNumber = 0.01
    wanted_hz: PositiveNumber | None = None
    substructures: Count | None = None

    @model_validator(mode="after")
    def _meant(self) -> "ReductionEntry":
        require_divided(self.strategy, self.substructures)
        return self

    def run(self, bodies: Bodies) -> "Reduction":
        from flexframe.analyses.reduction.analysis import reduction

        frozen = bodies.frozen(self.body, self.motion, self.time)
        return reduction(
            frozen.discrete,
            build_strategy(
                self.strategy, self.modes, attachments=self.attachments, substructures=self.substructures
            ),
            interfaces=[entry.interface(name) for name, entry in self.interfaces.items()],
            sensors=[entry.interface(name) for name, entry in self.sensors.items()],
            reference=build_reference(self.reference),
            inertia_shapes=self.inertia_shapes,
            orthonormal=self.orthonormal,
            motion=frozen.motion,
            count=self.compare,
            tolerance=self.tolerance,
            wanted_hz=self.wanted_hz,
        )

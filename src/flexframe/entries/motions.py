"""Motions of a body frame in a case: a spin, formulas of time, a record, or the components at one instant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry, refusal
from flexframe.entries.fields import (
    AccelerationVector,
    AngularAccelerationVector,
    AngularVelocity,
    AngularVelocityVector,
    Direction,
    FileName,
    VelocityVector,
    quantity,
)
from flexframe.entries.recordings import LawEntry, build_law, sampled_columns, smoothed_columns
from flexframe.files import Folder
from flexframe.model.constraints import TimeLaw
from flexframe.motion.frame import PLANAR_AXIS, REST, Constant, FrameMotion, MotionLaw, Prescribed, Signal, Steady

_ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class LawSignal:
    """A law of time as a signal."""

    law: TimeLaw

    def jet(self, t: float) -> tuple[float, float, float]:
        value, rate, acceleration = self.law.jet(t)
        return float(value), float(rate), float(acceleration)


class SpinEntry(Entry):
    """A steady rotation about an axis through the origin of the frame."""

    leads: ClassVar[tuple[str, ...]] = ("spin",)
    spin: AngularVelocity
    axis: Direction = PLANAR_AXIS

    def law(self, folder: Folder) -> MotionLaw:  # noqa: ARG002 - no file is needed
        return Steady(FrameMotion.spin(self.spin, self.axis))


class RotationEntry(Entry):
    """A rotation by an angle [rad] about an axis fixed in the frame turned so far."""

    angle: LawEntry
    axis: Direction = PLANAR_AXIS


class FormulaMotionEntry(Entry):
    """Angle [rad] and path of the origin [m, in space axes] as laws of time, such as formulas of t."""

    leads: ClassVar[tuple[str, ...]] = ("angle", "rotations", "path")
    angle: LawEntry | None = None
    axis: Direction = PLANAR_AXIS
    rotations: Annotated[tuple[RotationEntry, ...], Field(strict=False)] = ()
    path: Annotated[tuple[LawEntry, ...], Field(min_length=2, max_length=3, strict=False)] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> "FormulaMotionEntry":
        if self.angle is not None and self.rotations:
            raise refusal("angle and rotations are given together; make the angle the first rotation")
        if self.angle is None and "axis" in self.model_fields_set:
            raise refusal("axis is given without an angle; give the angle as a formula of t")
        return self

    def law(self, folder: Folder) -> MotionLaw:
        rotations = [(entry.axis, LawSignal(build_law(entry.angle, folder))) for entry in self.rotations]
        if self.angle is not None:
            rotations = [(self.axis, LawSignal(build_law(self.angle, folder)))]
        path = [LawSignal(build_law(law, folder)) for law in self.path or ()]
        return Prescribed(tuple(rotations), _three(path))


class SamplesEntry(Entry):
    """A record in a CSV file with a header: columns of time [s], angle [rad] and path [m] by name.

    The curve goes through the samples; with `smooth` it is the smoothing spline of a measurement with noise, whose
    standard deviation is found from the samples.
    """

    leads: ClassVar[tuple[str, ...]] = ("samples",)
    samples: FileName
    time: str = "t"
    angle: str | None = None
    axis: Direction = PLANAR_AXIS
    x: str | None = None
    y: str | None = None
    z: str | None = None
    smooth: bool = False
    period: Annotated[float, quantity(q.TIME, "positive")] | None = None

    @model_validator(mode="after")
    def _something_moves(self) -> "SamplesEntry":
        if not (self.angle or self.x or self.y or self.z):
            raise refusal("no column moves the body; name the column of angle, x, y or z")
        if self.period is not None and not self.smooth:
            raise refusal("period is given without smooth; a curve through the samples has none")
        return self

    def law(self, folder: Folder) -> MotionLaw:
        wanted = [name for name in (self.angle, self.x, self.y, self.z) if name is not None]
        signals: Mapping[str, Signal]
        if self.smooth:
            signals = smoothed_columns(self.samples, folder, self.time, wanted, self.period)
        else:
            signals = sampled_columns(self.samples, folder, self.time, wanted)
        path = [Constant() if name is None else signals[name] for name in (self.x, self.y, self.z)]
        return Prescribed(() if self.angle is None else ((self.axis, signals[self.angle]),), _three(path))


class InstantEntry(Entry):
    """The components in body axes, the same at all times."""

    leads: ClassVar[tuple[str, ...]] = (
        "angular_velocity",
        "angular_acceleration",
        "origin_velocity",
        "origin_acceleration",
    )
    angular_velocity: AngularVelocityVector = _ZERO
    angular_acceleration: AngularAccelerationVector = _ZERO
    origin_velocity: VelocityVector = _ZERO
    origin_acceleration: AccelerationVector = _ZERO

    def law(self, folder: Folder) -> MotionLaw:  # noqa: ARG002 - no file is needed
        return Steady(FrameMotion(**dict(self)))


def _three(path: Sequence[Signal]) -> tuple[Signal, Signal, Signal]:
    x, y, z = [*path, Constant(), Constant(), Constant()][:3]
    return x, y, z


MotionEntry = Annotated[
    Literal["rest"] | SpinEntry | FormulaMotionEntry | SamplesEntry | InstantEntry,
    ByKeys("motion", words=("rest",)),
]


def motion_law(entry: MotionEntry, folder: Folder) -> MotionLaw:
    """The law that is described; files are found from the folder of the case."""
    return Steady(REST) if entry == "rest" else entry.law(folder)

"""Sensors of a coupled motion in a case: what they watch, and where."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import model_validator

from flexframe.entries.entry import ByKeys, Entry, chosen_lead
from flexframe.entries.fields import Direction, Name, Point, Selection

if TYPE_CHECKING:
    from flexframe.analyses.transient.coupled.sensors import MotionSensor

AxesName = Literal["space", "body"]


class SensorEntry(Entry):
    """A displacement [m] or rotation [rad] relative to the body frame, averaged over the selected nodes."""

    leads: ClassVar[tuple[str, ...]] = ("on",)
    on: Selection
    dof: Literal["ux", "uy", "uz", "rx", "ry", "rz"] = "uy"
    body: Name | None = None

    def sensor(self) -> "MotionSensor":
        """The sensor in a coupled motion: a component along an axis of its body."""
        from flexframe.analyses.transient.coupled.sensors import PointSensor

        assert self.body is not None, "checked with the case"
        along = tuple(float(axis == self.dof[1]) for axis in "xyz")
        quantity: Literal["displacement", "rotation"] = "displacement" if self.dof[0] == "u" else "rotation"
        if isinstance(self.on, str):
            return PointSensor(quantity, f"{self.body}.{self.on}", along=along)
        return PointSensor(quantity, self.body, self.on, along)


class PointSensorEntry(Entry):
    """A point "body.point", or "body" and the node nearest to `at`; `along` makes it a single number."""

    leads: ClassVar[tuple[str, ...]] = ("displacement", "rotation", "position", "velocity", "acceleration")
    displacement: str | None = None
    rotation: str | None = None
    position: str | None = None
    velocity: str | None = None
    acceleration: str | None = None
    at: Point | None = None
    along: Direction | None = None
    axes: AxesName | None = None

    @model_validator(mode="after")
    def _one(self) -> "PointSensorEntry":
        _chosen(self)
        return self

    def sensor(self) -> "MotionSensor":
        """The sensor that is described."""
        from flexframe.analyses.transient.coupled.sensors import PointSensor

        quantity = _chosen(self)
        return PointSensor(quantity, getattr(self, quantity), self.at, self.along, self.axes)  # type: ignore[arg-type]  # a lead


class RotationSensorEntry(Entry):
    """How a body turns: its angle in the plane, angular velocity or angular acceleration."""

    leads: ClassVar[tuple[str, ...]] = ("angle", "angular_velocity", "angular_acceleration")
    angle: Name | None = None
    angular_velocity: Name | None = None
    angular_acceleration: Name | None = None
    along: Direction | None = None
    axes: AxesName = "space"

    @model_validator(mode="after")
    def _one(self) -> "RotationSensorEntry":
        _chosen(self)
        return self

    def sensor(self) -> "MotionSensor":
        """The sensor that is described."""
        from flexframe.analyses.transient.coupled.sensors import RotationSensor

        quantity = _chosen(self)
        return RotationSensor(quantity, getattr(self, quantity), self.along, self.axes)  # type: ignore[arg-type]  # a lead


class StressSensorEntry(Entry):
    """Stress or strain at a place of an elastic body; `measure` is von_mises, fibre, sxx, exx_top (shells), …"""

    leads: ClassVar[tuple[str, ...]] = ("stress", "strain")
    stress: str | None = None
    strain: str | None = None
    at: Point | None = None
    measure: str | None = None

    @model_validator(mode="after")
    def _one(self) -> "StressSensorEntry":
        _chosen(self)
        return self

    def sensor(self) -> "MotionSensor":
        """The sensor that is described."""
        from flexframe.analyses.transient.coupled.sensors import StressSensor

        quantity = _chosen(self)
        return StressSensor(getattr(self, quantity), self.at, self.measure, strain=quantity == "strain")


class JointSensorEntry(Entry):
    """Force or moment of a joint or drive on its second body, or what a drive must give."""

    leads: ClassVar[tuple[str, ...]] = ("joint_force", "joint_moment", "drive")
    joint_force: Name | None = None
    joint_moment: Name | None = None
    drive: Name | None = None
    along: Direction | None = None
    axes: AxesName = "space"

    @model_validator(mode="after")
    def _one(self) -> "JointSensorEntry":
        _chosen(self)
        return self

    def sensor(self) -> "MotionSensor":
        """The sensor that is described."""
        from flexframe.analyses.transient.coupled.sensors import JointSensor

        lead = _chosen(self)
        quantity: Literal["force", "moment", "value"] = (
            "value" if lead == "drive" else "force" if lead == "joint_force" else "moment"
        )
        return JointSensor(quantity, getattr(self, lead), self.along, self.axes)


class EnergySensorEntry(Entry):
    """An energy of the whole system [J]."""

    leads: ClassVar[tuple[str, ...]] = ("energy",)
    energy: Literal["kinetic", "strain", "potential", "supplied", "dissipated", "total"]

    def sensor(self) -> "MotionSensor":
        """The sensor that is described."""
        from flexframe.analyses.transient.coupled.sensors import SystemSensor

        return SystemSensor("energy", self.energy)


class MomentumSensorEntry(Entry):
    """Momentum of the whole system; angular about the origin of space."""

    leads: ClassVar[tuple[str, ...]] = ("momentum",)
    momentum: Literal["linear", "angular"]
    along: Direction | None = None

    def sensor(self) -> "MotionSensor":
        """The sensor that is described."""
        from flexframe.analyses.transient.coupled.sensors import SystemSensor

        return SystemSensor("momentum", self.momentum, self.along)


def _chosen(entry: Entry) -> str:
    """The one lead of an entry that is given."""
    return chosen_lead([key for key in entry.leads if getattr(entry, key) is not None], entry.leads, "sensor")


MotionSensorEntry = (
    PointSensorEntry
    | RotationSensorEntry
    | StressSensorEntry
    | JointSensorEntry
    | EnergySensorEntry
    | MomentumSensorEntry
)
AnySensorEntry = Annotated[SensorEntry | MotionSensorEntry, ByKeys("sensor")]

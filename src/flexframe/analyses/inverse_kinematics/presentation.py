"""How joint values are shown: the table of the joints, other solutions, and the way to the pose."""

import numpy as np

from flexframe.analyses.inverse_kinematics.record import InverseKinematics, JointValues
from flexframe.presentation.blocks import Cell, Check, Column, KeyValue, KeyValues, Notice, Table
from flexframe.presentation.mechanism_scene import mechanism_scene
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact
from flexframe.presentation.scenes import Block, Scene
from flexframe.sensors.contract import Marker

_NEAR = 1e-6  # m or rad, within which a pose is met


class InverseKinematicsPresentation(Presentation[InverseKinematics]):
    """Joints with values and limits, then all other solutions."""

    axes = ("joint",)

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        level = "info" if record.reached else "warning"
        return (
            KeyValues(self._figures()),
            *(Notice("warning" if level == "warning" else "info", text) for text in record.notices),
            _joint_table(record),
            *((_other_table(record),) if len(record.others) else ()),
            self._scene(f"pose-{name}"),
        )

    def _figures(self) -> tuple[KeyValue, ...]:
        record = self.record
        return (
            KeyValue("Pose", "reached" if record.reached else "out of reach"),
            KeyValue("Distance from it", record.distance, "m"),
            KeyValue("Solutions", 1 + len(record.others)),
            KeyValue("Smallest singular value", record.singular_value, note="beside the largest; 0 is singular"),
        )

    def overview(self) -> tuple[Table, ...]:
        record = self.record
        words = (
            "reached" if record.reached else f"out of reach by {record.distance * 1e3:.4g} mm: the nearest pose"
        )
        tables = [compact(_joint_table(record), caption=f"{record.tool}: {words}")]
        return (*tables, compact(_other_table(record))) if len(record.others) else tuple(tables)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        words = "the pose is out of reach; the values are those of the nearest one"
        turned = "the tool is turned otherwise; the values are those of the nearest pose"
        return (
            Check("distance from the pose", record.distance, "m", _NEAR, words),
            Check("turned against it", record.turned, "rad", _NEAR, turned),
            Check("smallest singular value (0 is singular)", record.singular_value),
        )

    def data(self) -> DataTable:
        """A row for each joint."""
        joints = self.record.joints
        columns = {
            "value": [joint.value for joint in joints],
            "unit": [joint.unit for joint in joints],
            "lower": [joint.limits[0] for joint in joints],
            "upper": [joint.limits[1] for joint in joints],
        }
        return DataTable("joint", [joint.name for joint in joints], columns)

    def figure(self) -> Figure:
        """The way from the start to the pose."""
        return self._scene("pose")

    def _scene(self, scene: str) -> Scene:
        motion = self.record.motion
        owner, frame = motion.mechanism.system.frame(self.record.tool)
        return mechanism_scene(scene, motion, watched={self.record.tool: Marker(owner, None, frame.point)})


def _shown_value(value: float, joint: JointValues) -> Cell:
    """Angles in degrees; nothing where there is no limit."""
    return (float(np.degrees(value)) if joint.unit == "rad" else value) if np.isfinite(value) else None


def _joint_table(record: InverseKinematics) -> Table:
    columns = (
        Column("joint"),
        Column("value", "", 6, of_row=True),
        Column("lower limit", "", 5, of_row=True),
        Column("upper limit", "", 5, of_row=True),
        Column("margin", "", 4, of_row=True),
        Column("unit"),
    )
    rows = tuple(
        (joint.name, *(_shown_value(value, joint) for value in (joint.value, *joint.limits, joint.margin)), unit)
        for joint in record.joints
        for unit in ("deg" if joint.unit == "rad" else joint.unit,)
    )
    return Table(columns, rows, caption=f"Joints with {record.tool} at {_solutions_text(record)}")


def _solutions_text(record: InverseKinematics) -> str:
    return "[" + ", ".join(f"{x + 0.0:.5g}" for x in np.round(record.place, 9)) + "] m"


def _other_table(record: InverseKinematics) -> Table:
    columns = (Column("solution"), *(Column(joint.name, joint.unit, 5) for joint in record.joints))
    rows = tuple((k, *map(float, values)) for k, values in enumerate(record.others, start=2))
    return Table(columns, rows, caption="Other solutions, by their distance from the start")

"""How a tool on its path is shown: joints beside their limits, the moving robot with its path, torques."""

import numpy as np

from flexframe.analyses.mechanism_tables import SOUGHT, balance_of_bodies, peak_checks, peak_forces
from flexframe.analyses.tool_motion.record import ToolMotion
from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import Cell, Check, Column, KeyValue, KeyValues, Notice, Table
from flexframe.presentation.mechanism_scene import mechanism_scene, quantity_plot, time_plot
from flexframe.presentation.presentation import DataTable, Figure, Presentation, history
from flexframe.presentation.scenes import Block, Row, Scene
from flexframe.sensors.contract import Marker


class ToolMotionPresentation(Presentation[ToolMotion]):
    """The table of the joints, the robot along the path, joint values, speeds and torques."""

    axes = ("instant",)
    telling = ("joints.*.largest_force", "joints.*.largest_speed")

    def blocks(self, name: str) -> tuple[Block, ...]:
        record, scene = self.record, f"path-{name}"
        velocity, acceleration = record.tool()[1:]
        return (
            KeyValues(self._figures()),
            _needs(record),
            *(Notice("info" if record.within_limits else "warning", text) for text in record.notices),
            self._scene(scene),
            *self._plots(scene),
            Row(
                (
                    quantity_plot(scene, record.times, [("tool", _size(velocity))], "Speed of the tool", "m/s"),
                    quantity_plot(
                        scene, record.times, [("tool", _size(acceleration))], "Acceleration of the tool", "m/s²"
                    ),
                )
            ),
            *peak_forces(record.forces.forces, between=record.forces.between),
        )

    def _figures(self) -> tuple[KeyValue, ...]:
        record = self.record
        found = [
            KeyValue("Duration", record.duration, "s"),
            KeyValue("Limits", "kept" if record.within_limits else "not kept"),
            KeyValue("Deviation from the path, at most", record.path.deviation, "m"),
        ]
        for label, place, unit in (("speed", 0, ""), ("torque or force", 1, "")):
            parts = [(joint.parts[place], joint.name) for joint in record.joints]
            known = [(part, name) for part, name in parts if part is not None]
            if known:
                part, name = max(known)
                found.append(KeyValue(f"Largest part of a limit of {label}", part, unit, note=name, digits=3))
        return tuple(found)

    def _plots(self, scene: str) -> tuple[Block, ...]:
        record = self.record
        values, speeds, torques = record.joint_histories()
        blocks: list[Block] = []
        for turns, factor, units in ((True, 180 / np.pi, ("°", "rad/s", "N m")), (False, 1.0, ("m", "m/s", "N"))):
            own = [k for k, joint in enumerate(record.joints) if joint.turns == turns]
            if not own:
                continue

            def curves(array: Array, factor: float = 1.0, own: list[int] = own) -> list[tuple[str, Array]]:
                return [(record.joints[k].name, factor * array[:, k]) for k in own]

            title = "Angles of the joints" if turns else "Travel of the joints"
            blocks += [
                quantity_plot(
                    scene,
                    record.times,
                    curves(torques),
                    "Torques of the drives" if turns else "Forces of the drives",
                    units[2],
                ),
                Row(
                    (
                        time_plot(
                            scene,
                            record.times,
                            curves(values, factor),
                            title=title,
                            label="angle" if turns else "travel",
                            unit=units[0],
                        ),
                        quantity_plot(scene, record.times, curves(speeds), "Speeds of the joints", units[1]),
                    )
                ),
            ]
        return tuple(blocks)

    def _scene(self, scene: str) -> Scene:
        motion = self.record.motion
        owner, frame = motion.mechanism.system.frame(self.record.path.tool)
        watched = {self.record.path.tool: Marker(owner, None, frame.point)}
        return mechanism_scene(scene, motion, watched=watched)

    def overview(self) -> tuple[Table, ...]:
        """Joints beside their limits."""
        return (_needs(self.record),)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        path = record.path
        words = "the tool leaves its path between the solutions by this; look for singular poses"
        checks = [
            Check("deviation from the path", path.deviation, "m", 1e-4, words),
            balance_of_bodies(record.forces.forces),
            Check(f"smallest singular value (t = {path.singular_at:.4g} s, 0 is singular)", path.singular_value),
            Check("solutions of the inverse kinematics", path.solutions),
        ]
        for label, place in (("speed", 0), ("torque or force", 1)):
            parts = [part for joint in record.joints if (part := joint.parts[place]) is not None]
            if parts:
                over = f"a limit of {label} is not kept; see the table of the joints"
                checks.append(Check(f"largest part of a limit of {label}", max(parts), "", 1.0 + 1e-9, over))
        return (*checks, *peak_checks(record.forces.between))

    def data(self) -> DataTable:
        """Values, speeds and forces of every joint over time."""
        values, speeds, torques = self.record.joint_histories()
        columns = {
            f"{joint.name}.{what}": array[:, k]
            for k, joint in enumerate(self.record.joints)
            for what, array in (("value", values), ("speed", speeds), ("force", torques))
        }
        return history(self.record.times, columns)

    def figure(self) -> Figure:
        """The robot along the path."""
        return self._scene("path")


def _size(vectors: Array) -> Array:
    return np.linalg.norm(vectors, axis=1)


def _needs(record: ToolMotion) -> Table:
    """Angles in degrees and travel in mm, in one unit where all joints are alike."""
    alike = len({joint.turns for joint in record.joints}) == 1
    turns = record.joints[0].turns
    units = (("deg", "rad/s", "N m") if turns else ("mm", "m/s", "N")) if alike else ("", "", "")
    force = "largest torque or force" if not alike else "largest torque" if turns else "largest force"
    columns = (
        Column("joint"),
        Column("from", units[0], 5),
        Column("to", units[0], 5),
        Column("limits", units[0]),
        Column("largest speed", units[1], 4),
        Column("of its limit", "%", 3),
        Column(force, units[2], 5),
        Column("of its limit", "%", 3),
        Column("units"),
    )
    rows: list[tuple[Cell, ...]] = []
    for joint in record.joints:
        scale = 180 / np.pi if joint.turns else 1e3
        low, high = joint.limits.range
        bounds = f"{low * scale:.4g} … {high * scale:.4g}" if np.isfinite([low, high]).all() else None
        parts: list[Cell] = [None if part is None else 100 * _no_rounding(part) for part in joint.parts]
        own = None if alike else "deg, rad/s, N m" if joint.turns else "mm, m/s, N"
        ends = (_no_rounding(joint.lowest * scale), _no_rounding(joint.highest * scale))
        speed = _no_rounding(joint.speed)
        rows.append((joint.name, *ends, bounds, speed, parts[0], _no_rounding(joint.force), parts[1], own))
    return Table(columns, tuple(rows), caption=f"Joints along the path, and their limits, over {SOUGHT}")


def _no_rounding(value: float) -> float:
    return round(value, 9) + 0.0

"""How the forces in a mechanism are shown: arrows, forces over time, largest forces."""

import numpy as np

from flexframe.analyses.joint_forces.record import JointForces
from flexframe.analyses.mechanism_tables import balance_of_bodies, mobility_checks, peak_checks, peak_forces
from flexframe.multibody.inverse_dynamics import MechanismForces, applied_power, drive_power
from flexframe.presentation.blocks import Axis, Check, Notice, Table
from flexframe.presentation.mechanism_scene import mechanism_scene, quantity_plot
from flexframe.presentation.presentation import DataTable, Figure, Presentation, history, sizes, unit_plots
from flexframe.presentation.scenes import Block


class JointForcesPresentation(Presentation[JointForces]):
    """The moving mechanism with force arrows, forces over time, largest forces."""

    axes = ("instant",)
    telling = ("joints.*.force", "drives.*.moment")

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        motion, scene = record.motion, f"forces-{name}"
        blocks: list[Block] = [
            *self.overview(),
            *(Notice("info", text) for text in record.notices),
            mechanism_scene(scene, motion, record.forces),
            *force_blocks(scene, record.forces),
        ]
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """Largest forces and moments of every joint, and what every drive needs, with their instants."""
        return peak_forces(self.record.forces, between=self.record.between)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        return (
            balance_of_bodies(record.forces),
            *mobility_checks(record.motion),
            *peak_checks(record.between),
        )

    def data(self) -> DataTable:
        """Components in space axes of every force [N] and moment [N m], columns `JOINT.fx` … `JOINT.mz`."""
        columns = {
            f"{name}.{letter}{axis}": values[:, i]
            for name, found in self.record.forces.joints.items()
            for letter, values in (("f", found.force), ("m", found.moment))
            for i, axis in enumerate("xyz")
        }
        return history(self.record.motion.times, columns)

    def figure(self) -> Figure:
        """Sizes of forces and moments."""
        joints = self.record.forces.joints
        forces = {name: ("N", sizes(found.force)) for name, found in joints.items()}
        moments = {
            f"{name} ": ("N m", sizes(found.moment)) for name, found in joints.items() if found.moment.any()
        }
        return unit_plots(Axis("time", "s"), self.record.motion.times, forces | moments)


def force_blocks(scene: str, forces: MechanismForces) -> list[Block]:
    times = forces.motion.times
    links = [force for force in forces.joints.values() if not force.drive]
    drives = [force for force in forces.joints.values() if force.drive]
    blocks: list[Block] = []
    if links:
        sizes = [(force.name, np.linalg.norm(force.force, axis=1)) for force in links]
        blocks.append(quantity_plot(scene, times, sizes, "Joint forces", "N"))
        components = [
            (f"{force.name} {axis}", force.force[:, i])
            for force in links
            for i, axis in enumerate("xyz")
            if np.abs(force.force[:, i]).max(initial=0.0) > 0
        ]
        blocks.append(quantity_plot(scene, times, components, "Components of the joint forces", "N"))
        moments = [(f.name, np.linalg.norm(f.moment, axis=1)) for f in links]
        largest = max(float(values.max(initial=0.0)) for _, values in moments)
        scale = max(float(values.max(initial=0.0)) for _, values in sizes) * forces.motion.mechanism.length
        shown = [
            (name, values) for name, values in moments if values.max(initial=0.0) > 1e-12 * max(scale, largest)
        ]
        if shown:
            blocks.append(quantity_plot(scene, times, shown, "Joint moments", "N m"))
    for force in drives:
        torque = np.abs(force.moment).max(initial=0.0) > 0 and not np.abs(force.force).max(initial=0.0) > 0
        curves = [
            (f"{force.name}{f' {i + 1}' if force.values.shape[1] > 1 else ''}", force.values[:, i])
            for i in range(force.values.shape[1])
        ]
        title, unit = (f"Torque of {force.name}", "N m") if torque else (f"Force of {force.name}", "N")
        blocks.append(quantity_plot(scene, times, curves, title, unit))
    if drives:
        powers = [("drives", drive_power(forces)), ("loads", applied_power(forces.motion))]
        blocks.append(quantity_plot(scene, times, powers, "Power", "W"))
    return blocks

"""From the robots of a case to bodies, joints and drives; what does not fit is noted at its field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexframe.entries.problems import Problems
from flexframe.entries.robots import LinkEntry, RobotEntry, ToolDriveEntry
from flexframe.errors import FieldPath, InputError
from flexframe.exchange.urdf import read_urdf
from flexframe.files import Folder
from flexframe.maths.rotations import vector_from_rotation
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Space
from flexframe.model.drives import Drive, joint_drive
from flexframe.model.rigid_body import BodyFrame
from flexframe.model.system import System, unknown
from flexframe.motion.tool_paths import ToolPose
from flexframe.multibody.robots.assembly import link_body, link_line
from flexframe.multibody.robots.description import Robot
from flexframe.multibody.robots.joint_space import JointSpace
from flexframe.multibody.robots.tool_drives import JointLaw, joint_path


def read_robots(entries: Mapping[str, RobotEntry], folder: Folder, problems: Problems) -> dict[str, Robot]:
    """The robots by name."""
    robots: dict[str, Robot] = {}
    for name, entry in entries.items():
        with problems.at("robots", name, "urdf"):
            robots[name] = read_urdf(entry.urdf, packages=entry.packages, meshes=entry.meshes, folder=folder)
        if name in robots:
            known = list(robots[name].links)
            strange = [link for link in entry.links if link not in known]
            for link in strange:
                problems.add(("robots", name, "links", link), unknown("link", link, known))
            if strange:  # no body can be made of them
                problems.raise_if_any()
    return robots


@dataclass(frozen=True, eq=False)
class LinkPlace:
    """An elastic link of a robot."""

    link: str
    robot: Robot

    def mesh(self, entry: LinkEntry, path: FieldPath, folder: Folder, problems: Problems) -> Mesh | None:
        """Its mesh: that of a beam between its joints, or the one that is given."""
        if entry.mesh is None:
            with problems.at(*path):
                return link_line(self.robot, self.link, entry.divisions, entry.to)
        else:
            with problems.at(*path, "mesh"):
                return entry.mesh.mesh(folder)
        return None

    def dress(self, entry: LinkEntry, body: Body, path: FieldPath, problems: Problems) -> Body | None:
        """The body with the axes of its joints and the mass of the link."""
        with problems.at(*path):
            spatial = replace(body, space="spatial")
            keep = entry.mass == "urdf"
            return link_body(self.robot, self.link, spatial, keep_mass=keep, attach=entry.attach)
        return None


def robot_systems(
    entries: Mapping[str, RobotEntry],
    robots: Mapping[str, Robot],
    meshed: Mapping[str, Body],
    space: Space,
    problems: Problems,
) -> list[System]:
    """Each robot by itself."""
    if entries and space == "planar":
        problems.add(("space",), "a robot moves in space; give space: spatial")
        problems.raise_if_any()
    systems: list[System] = []
    for name, entry in entries.items():
        elastic = {link: meshed[f"{entry.prefix}{link}"] for link in entry.links}
        at = BodyFrame(np.zeros(3)) if entry.at is None else entry.at.frame()
        with problems.at("robots", name):
            systems.append(
                robots[name].system(
                    elastic=elastic,
                    base=entry.base,
                    at=at,
                    values=_values(entry, robots[name]),
                    limits=entry.limits,
                    stop_stiffness=entry.stop_stiffness,
                    prefix=entry.prefix,
                )
            )
    problems.raise_if_any()
    return systems


def _values(entry: RobotEntry, robot: Robot) -> dict[str, float]:
    """Values of joints at the start, within limits."""
    for name, value in entry.values.items():
        limits = robot.joints[name].limits if name in robot.joints else None
        if limits is not None and entry.limits != "none" and limits.nearest(value) != value:
            turns = robot.joints[name].kind != "prismatic"
            size, unit = (np.degrees(1.0), "deg") if turns else (1.0, "m")
            shown = [f"{size * each:.6g}" for each in (value, *limits.range)]
            raise InputError(
                f"{name} starts at {shown[0]} {unit}, outside its limits {shown[1]} to {shown[2]} {unit}; "
                "give a value within",
                field=("values", name),
            )
    return dict(entry.values)


def path_drives(entry: ToolDriveEntry, name: str, system: System, folder: Folder) -> Sequence[Drive]:
    """Drives of all joints that lead a tool along its path."""
    space = JointSpace(system, entry.tool, entry.joints)
    place, axes = space.pose(space.start)
    here = ToolPose(place[0], vector_from_rotation(axes[0]))
    found = joint_path(space, entry.path.path(here, folder), entry.starts)
    return [joint_drive(joint, JointLaw(found, joint.name), f"{name} {joint.name}") for joint in space.joints]

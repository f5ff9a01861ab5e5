"""Robots in the Unified Robot Description Format (URDF), as ROS and most programs of robots write it.

Links with mass, inertia and visual shapes, and joints with axes, limits, dynamics and mimic become a `Robot`. What
has no place in it (collision shapes, transmissions, sensors, materials, extensions of simulators) is left out and
named. Every message has the file and the line.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import cast, get_args

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.plain_xml import Element, read_xml
from flexframe.exchange.surfaces import Triangles, read_surface, together, triangles_of
from flexframe.files import ANYWHERE, Folder, MissingFileError, OpenFile
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_axis_angle
from flexframe.mesh.mesh import Mesh
from flexframe.model.constraints import Direction
from flexframe.model.drives import JointLimits
from flexframe.model.rigid_body import RigidBody
from flexframe.multibody.robots.description import Follows, JointKind, Pose, Robot, RobotJoint, RobotLink
from flexframe.presentation.symbols import ball, block, disc

_KINDS = get_args(JointKind)
_BOUNDED = ("revolute", "prismatic")
_MOST_TRIANGLES = 60_000  # of a link in a picture; more are drawn as a box
_PACKAGE = "package://"
_KNOWN = {
    "robot": ("link", "joint", "material", "transmission", "gazebo"),
    "link": ("inertial", "visual", "collision"),
    "joint": (
        "origin",
        "parent",
        "child",
        "axis",
        "limit",
        "dynamics",
        "mimic",
        "calibration",
        "safety_controller",
    ),
}
_QUIET = ("material", "collision", "calibration", "safety_controller")  # nothing that a motion would show


def read_urdf(
    path: str | Path,
    *,
    packages: Mapping[str, str | Path] | None = None,
    meshes: bool = True,
    folder: Folder = ANYWHERE,
) -> Robot:
    """Read a robot from a URDF file.

    Visual meshes (STL, OBJ, COLLADA) are read for pictures only; files that they name lie in the folder of the
    URDF file or below it, those of `package://NAME/…` in the folder of that package, or beside the URDF file. One
    that is not found is an error; without `meshes` none is read.

    Parameters
    ----------
    path
        The file.
    packages
        Folders of packages, by name.
    meshes
        Whether files of visual meshes are read; boxes, cylinders and spheres are drawn in either case.
    folder
        Folder that paths start from.

    Returns
    -------
    Robot
        Links and joints; `robot.system()` makes the system, `robot.notices` says what was left out.

    Examples
    --------
    >>> arm = ff.robots.read_urdf(ff.example_paths()["robot_arm_path"].parent / "six_axis_arm.urdf")
    >>> arm.driven[:2]
    ('shoulder_pan', 'shoulder_lift')
    """
    with folder.open(path) as file:
        root = read_xml(file)
        shapes = _Shapes(file, {name: folder.inside(place) for name, place in (packages or {}).items()})
        return _Reader(file.short, shapes if meshes else None).robot(root)


def mesh_files(file: OpenFile) -> list[str]:
    """Names of the mesh files of a URDF file that lie beside it, for whoever copies it."""
    try:
        root = read_xml(file)
    except InputError:
        return []
    names = [each.attributes.get("filename", "") for each in root.walk() if each.tag == "mesh"]
    found = (next((place for place in _beside(name) if file.folder.has(place)), None) for name in names)
    return [name for name in dict.fromkeys(found) if name is not None]


def _beside(name: str) -> list[str]:
    """Where a mesh may lie, from the folder of the URDF file."""
    if not name.startswith(_PACKAGE):
        return [name.removeprefix("file://")]
    rest = PurePosixPath(name.removeprefix(_PACKAGE))
    return [str(PurePosixPath(*rest.parts[1:])), str(rest)]


@dataclass(eq=False)
class _Shapes:
    """Opens the meshes that a file names."""

    file: OpenFile
    packages: Mapping[str, Folder]

    def read(self, name: str) -> Triangles:
        """The triangles of a mesh by its name in the URDF file."""
        package, _, rest = name.removeprefix(_PACKAGE).partition("/")
        folder = self.packages.get(package) if name.startswith(_PACKAGE) else None
        if folder is not None:
            with folder.open(rest) as found:
                return read_surface(found)
        for place in _beside(name):
            try:
                with self.file.folder.open(place) as found:
                    return read_surface(found)
            except MissingFileError:
                continue
        raise MissingFileError(
            f"{name}: there is no such file beside {self.file.short}; name its folder in packages"
            if name.startswith(_PACKAGE)
            else f"{name}: there is no such file beside {self.file.short}; put it there"
        )


@dataclass(eq=False)
class _Reader:
    file: str
    shapes: _Shapes | None  # none: meshes are left out
    notices: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)  # as they are written, and as they are used
    left_out: dict[str, int] = field(default_factory=dict)

    def error(self, element: Element, message: str) -> InputError:
        """An error at a line of the file."""
        return InputError(f"{self.file}:{element.line}: {message}")

    def robot(self, root: Element) -> Robot:
        """The robot of a root element."""
        if root.tag != "robot":
            raise self.error(root, f"<{root.tag}> is no robot; give a URDF file, which begins with <robot>")
        for each in root.walk():
            if each.attributes.get("xmlns") == "xacro":
                raise self.error(each, "is written in xacro; make a URDF of it first: xacro FILE > robot.urdf")
        self._count_left_out(root, "robot")
        links = [self._link(each) for each in root.all("link")]
        if not links:
            raise self.error(root, "the robot has no link; give at least one")
        joints = [self._joint(each) for each in root.all("joint")]
        for things in (links, joints):
            self._require_unique(root, [each.name for each in things])
        for what, count in self.left_out.items():
            self.notices.append(f"{self.file}: {count} <{what}> are not read")
        name = root.attributes.get("name") or Path(self.file).stem
        try:
            robot = Robot(
                name,
                {each.name: each for each in links},
                {each.name: each for each in joints},
                tuple(self.notices),
            )
            robot.values()
        except InputError as error:
            raise InputError(f"{self.file}: {error}") from None
        return robot

    def _require_unique(self, root: Element, names: list[str]) -> None:
        for name in names:
            if names.count(name) > 1:
                raise self.error(root, f"two parts are called '{name}'; give each its own name")

    def _count_left_out(self, element: Element, kind: str) -> None:
        for child in element.children:
            if child.tag not in _KNOWN[kind] or child.tag in ("transmission", "gazebo"):
                self.left_out[child.tag] = self.left_out.get(child.tag, 0) + 1

    def _name(self, element: Element) -> str:
        """A name as bodies and joints may have it: without dots and slashes."""
        given = element.attributes.get("name", "").strip()
        if not given:
            raise self.error(element, f"a <{element.tag}> has no name; give it one")
        return self._use(given)

    def _use(self, given: str) -> str:
        if given not in self.names:
            used = "".join(c if c.isalnum() or c in " -_" else "_" for c in given)[:60].strip() or "_"
            used = used if used[0].isalnum() else f"n{used}"
            if used != given:
                self.notices.append(
                    f"{self.file}: '{given}' is called '{used}', as names here have no {_odd(given)}"
                )
            self.names[given] = used
        return self.names[given]

    # ------------------------------------------------------------------ numbers

    def numbers(self, element: Element, attribute: str, default: str, count: int) -> Array:
        """Numbers of an attribute."""
        words = element.attributes.get(attribute, default).split()
        try:
            found = np.array([float(word) for word in words])
        except ValueError:
            found = np.zeros(0)
        if found.shape != (count,) or not np.isfinite(found).all():
            what = "one number" if count == 1 else f"{count} numbers"
            raise self.error(
                element, f"{attribute} of <{element.tag}> is '{' '.join(words)}', not {what}; correct it"
            )
        return found

    def number(self, element: Element, attribute: str, default: str = "0") -> float:
        """One number of an attribute."""
        return float(self.numbers(element, attribute, default, 1)[0])

    def optional_number(self, element: Element, attribute: str) -> float | None:
        """One number of an attribute, where it is there."""
        return self.number(element, attribute) if attribute in element.attributes else None

    def origin(self, element: Element) -> Pose:
        """The pose in <origin>: R = R_z(yaw) R_y(pitch) R_x(roll)."""
        found = element.one("origin")
        if found is None:
            return Pose()
        roll, pitch, yaw = self.numbers(found, "rpy", "0 0 0", 3)
        x, y, z = np.eye(3)
        R = (
            rotation_from_axis_angle(z, yaw)
            @ rotation_from_axis_angle(y, pitch)
            @ rotation_from_axis_angle(x, roll)
        )
        return Pose(R, self.numbers(found, "xyz", "0 0 0", 3))

    # ------------------------------------------------------------------ links

    def _link(self, element: Element) -> RobotLink:
        name = self._name(element)
        self._count_left_out(element, "link")
        mesh = self._shape(element, name)
        inertial = element.one("inertial")
        if inertial is None:
            return RobotLink(name, mesh=mesh)
        mass, moments = inertial.one("mass"), inertial.one("inertia")
        if mass is None:
            raise self.error(inertial, f"link {name} has <inertial> without <mass>; give its mass")
        value = self.number(mass, "value", "")
        at = self.origin(inertial)
        tensor = np.zeros((3, 3))
        if moments is not None:
            xx, yy, zz, xy, yz, xz = (self.number(moments, f"i{part}") for part in _MOMENTS)
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        tensor = at.rotation @ tensor @ at.rotation.T
        tensor = (tensor + tensor.T) / 2
        try:
            RigidBody(name, value, tensor, at.place).require_spatial()
        except InputError as error:
            raise self.error(inertial, str(error)) from None
        return RobotLink(name, value, at.place, tensor, mesh)

    def _shape(self, link: Element, name: str) -> Mesh | None:
        """All visual shapes of a link in its axes."""
        parts: list[Triangles] = []
        for visual in link.all("visual"):
            geometry = visual.one("geometry")
            shape = geometry.children[0] if geometry is not None and geometry.children else None
            if shape is None:
                raise self.error(visual, f"a <visual> of link {name} has no geometry; give one, or leave it out")
            found = self._triangles(shape, name)
            if found is not None:
                at = self.origin(visual)
                parts.append(found.move(at.rotation, at.place))
        if not parts:
            return None
        whole = together(parts)
        if len(whole.corners) > _MOST_TRIANGLES:
            self.notices.append(
                f"{self.file}: link {name} has {len(whole.corners):,} triangles and is drawn as boxes; simplify "
                "its meshes to see them"
            )
            whole = together([part.box() for part in parts])
        return whole.mesh()

    def _triangles(self, shape: Element, name: str) -> Triangles | None:
        match shape.tag:
            case "box":
                return triangles_of(block(self.numbers(shape, "size", "", 3), np.eye(3)))
            case "cylinder":
                radius, length = self.number(shape, "radius", ""), self.number(shape, "length", "")
                return triangles_of(disc(radius, length, np.array([0.0, 0.0, 1.0])))
            case "sphere":
                return triangles_of(ball(self.number(shape, "radius", "")))
            case "mesh":
                return self._mesh(shape, name)
        raise self.error(shape, f"link {name} has the shape <{shape.tag}>; use box, cylinder, sphere or mesh")

    def _mesh(self, shape: Element, name: str) -> Triangles | None:
        file = shape.attributes.get("filename", "")
        scale = self.numbers(shape, "scale", "1 1 1", 3)
        if not file:
            raise self.error(shape, f"a mesh of link {name} has no filename; give it")
        if self.shapes is None:
            return None
        try:
            return self.shapes.read(file).move(np.eye(3), np.zeros(3), scale)
        except InputError as error:
            raise self.error(shape, f"link {name}: {error}; or leave all meshes out (meshes: false)") from None

    # ------------------------------------------------------------------ joints

    def _joint(self, element: Element) -> RobotJoint:
        name = self._name(element)
        self._count_left_out(element, "joint")
        kind = element.attributes.get("type", "")
        if kind not in _KINDS:
            raise self.error(element, f"joint {name} has the type '{kind}'; use one of {', '.join(_KINDS)}")
        axis = element.one("axis")
        direction = np.array([1.0, 0.0, 0.0]) if axis is None else self.numbers(axis, "xyz", "1 0 0", 3)
        if axis is not None and not direction.any() and kind not in ("fixed", "floating"):
            raise self.error(axis, f"the axis of joint {name} is zero; give a direction")
        dynamics, mimic = element.one("dynamics"), element.one("mimic")
        damping = friction = 0.0
        if dynamics is not None:
            damping, friction = self.number(dynamics, "damping"), self.number(dynamics, "friction")
            if damping < 0 or friction < 0:
                raise self.error(dynamics, f"damping or friction of joint {name} is negative; give zero or more")
        return RobotJoint(
            name,
            cast("JointKind", kind),
            self._end(element, name, "parent"),
            self._end(element, name, "child"),
            self.origin(element),
            cast("Direction", tuple(direction.tolist())),
            self._limits(element, name, kind),
            damping,
            friction,
            None if mimic is None else self._follows(mimic, name),
        )

    def _end(self, element: Element, name: str, side: str) -> str:
        found = element.one(side)
        link = "" if found is None else found.attributes.get("link", "").strip()
        if not link:
            raise self.error(element, f"joint {name} has no {side}; give <{side} link=…>")
        return self._use(link)

    def _follows(self, mimic: Element, name: str) -> Follows:
        leader = mimic.attributes.get("joint", "").strip()
        if not leader:
            raise self.error(mimic, f"joint {name} mimics no joint; name one")
        factor, offset = self.number(mimic, "multiplier", "1"), self.number(mimic, "offset")
        return Follows(self._use(leader), factor, offset)

    def _limits(self, element: Element, name: str, kind: str) -> JointLimits | None:
        found = element.one("limit")
        if found is None:
            if kind in _BOUNDED:
                self.notices.append(
                    f"{self.file}:{element.line}: joint {name} has no <limit>; it is without bounds"
                )
            return None
        lower = upper = None
        if kind in _BOUNDED:
            lower, upper = self.number(found, "lower"), self.number(found, "upper")
            if lower == upper == 0.0:
                lower = upper = None
        # a bound of zero is written where none is known
        speed, force = (self.optional_number(found, word) or None for word in ("velocity", "effort"))
        if lower is None and speed is None and force is None:
            return None
        try:
            return JointLimits(name, lower, upper, speed, force)
        except InputError as error:
            raise self.error(found, str(error)) from None


_MOMENTS = ("xx", "yy", "zz", "xy", "yz", "xz")


def _odd(name: str) -> str:
    """The characters of a name that are replaced, in words."""
    odd = sorted({c for c in name if not (c.isalnum() or c in " -_")})
    return f"'{''.join(odd)}'" if odd else "such length or beginning"

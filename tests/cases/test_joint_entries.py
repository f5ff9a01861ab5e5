"""What a case may say of joints and drives follows from the classes of the model."""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, get_args

import pytest
from pydantic import TypeAdapter

from flexframe.cases.case import Case
from flexframe.entries import links
from flexframe.entries.entry import ByKeys, Entry
from flexframe.entries.links import drive_entry, joint_entry
from flexframe.errors import InputError
from flexframe.files import Folder
from flexframe.maths.formula import Formula
from flexframe.model.constraints import Constraint, Direction, Distance, Fixed
from flexframe.model.drives import DRIVES, AngleDrive, Drive, PathDrive, PositionDrive
from flexframe.model.joint_kinds import JOINTS
from flexframe.model.joints import Joint, Revolute, Weld

Found = Callable[..., list[str]]
HERE = Folder(Path())


@dataclass(frozen=True)
class Strut:
    """A strut of given length and radius, with a direction of its own."""

    kind: ClassVar[str] = "strut"
    name: str
    first: str
    second: str
    length: float
    radius: float = 0.1
    side: Direction = (0.0, 1.0, 0.0)

    def constraints(self) -> tuple[Constraint, ...]:
        return (Distance(Fixed(self.length)),)


def test_a_new_joint_is_one_class() -> None:
    """Its entry has the fields with units, vectors and defaults, explains itself, and makes the joint."""
    entry = joint_entry(Strut)
    made = entry.model_validate({"strut": ["a.A", "b.B"], "length": "30 cm", "side": [1, 0]})
    assert made.joint("s") == Strut("s", "a.A", "b.B", 0.3, 0.1, (1.0, 0.0))  # type: ignore[attr-defined]
    schema = entry.model_json_schema()
    assert schema["description"] == Strut.__doc__
    assert schema["required"] == ["strut", "length"] and schema["additionalProperties"] is False
    chosen: Any = TypeAdapter(Annotated[entry | joint_entry(Revolute), ByKeys("joint")])
    assert isinstance(chosen.validate_python({"strut": ["a", "b"], "length": 1}), entry)


@pytest.mark.parametrize("kind", JOINTS, ids=lambda kind: kind.kind)
def test_every_joint_has_its_fields(kind: type[Any]) -> None:
    needed = [f for f in fields(kind) if not f.kw_only and f.default is MISSING][3:]
    own: dict[str, Any] = {field.name: ("c.C", "d.D") if field.name == "leader" else 2.0 for field in needed}
    given = {kind.kind: ["a.A", "b.B"], **own}
    entry = next(e for e in get_args(get_args(links.JointEntry)[0]) if e.leads == (kind.kind,))
    wanted = kind("x", "a.A", "b.B", *own.values())
    assert entry.model_validate(given).joint("x") == wanted


@pytest.mark.parametrize("kind", DRIVES, ids=lambda kind: kind.kind)
def test_every_drive_has_its_fields(kind: type[Drive]) -> None:
    laws = ("t", "2*t") if kind is PathDrive else "t"
    made = drive(kind, {kind.kind: list(laws) if kind is PathDrive else laws, "between": ["a.A", "b.B"]})
    law: Any = tuple(map(Formula.parse, laws)) if kind is PathDrive else Formula.parse("t")
    assert made == kind("d", "a.A", "b.B", law)  # type: ignore[call-arg]


def drive(kind: type[Drive], given: dict[str, Any], *joints: Joint) -> Drive:
    entry: Any = drive_entry(kind).model_validate(given)
    found: Drive = entry.drive("d", {joint.name: joint for joint in joints}, HERE)
    return found


def test_the_axis_of_a_drive() -> None:
    """Its own, that of its joint, or the usual one."""
    hinge, weld = Revolute("h", "a.A", "b.B", (1.0, 0.0, 0.0)), Weld("w", "a.A", "b.B")
    t = Formula.parse("t")
    assert drive(AngleDrive, {"angle": "t", "joint": "h"}, hinge) == AngleDrive("d", "a.A", "b.B", t, hinge.axis)
    own = {"angle": "t", "joint": "h", "axis": [0, 1, 0]}
    assert drive(AngleDrive, own, hinge) == AngleDrive("d", "a.A", "b.B", t, (0.0, 1.0, 0.0))
    assert drive(AngleDrive, {"angle": "t", "joint": "w"}, weld) == AngleDrive("d", "a.A", "b.B", t)
    assert drive(PositionDrive, {"position": "t", "joint": "w"}, weld) == PositionDrive("d", "a.A", "b.B", t)


def test_refusals() -> None:
    with pytest.raises(InputError, match="give either joint, the name of one, or between, two markers"):
        drive(AngleDrive, {"angle": "t"})
    with pytest.raises(InputError, match="there is no joint 'x'; known are h"):
        drive(AngleDrive, {"angle": "t", "joint": "x"}, Revolute("h", "a.A", "b.B"))


def test_messages_of_a_case_stay_plain(problems: Found, parse: Callable[..., Case]) -> None:
    """Unknown kinds and fields are told with the nearest known one."""
    text = """\
    ground: {A: [0, 0]}
    bodies: {arm: {mass: 1, inertia: 1, points: {A: [0, 0]}}}
    joints: {A: {revolute: [ground.A, arm.A]}}
    analyses: {m: {kind: kinematics, duration: 1}}
    """
    assert parse(text).system().joints == [Revolute("A", "ground.A", "arm.A")]
    for wrong, message in (
        ("{revolut: [ground.A, arm.A]}", "joints.A: 'revolut' is not a joint (did you mean 'revolute'?)"),
        ("{revolute: [ground.A, arm.A], axs: [1, 0]}", "joints.A.axs: unknown field (did you mean 'axis'?)"),
        ("{rod: [ground.A, arm.A]}", "joints.A.length: is missing; give it"),
        (
            "{rod: [ground.A, arm.A], length: 2 kg}",
            "joints.A.length: '2 kg' is a mass, but a length is expected",
        ),
        ("{revolute: [ground.A, arm.B]}", "joints.A: A: "),
    ):
        (found,) = problems(text.replace("{revolute: [ground.A, arm.A]}", wrong))
        assert message in found


def test_the_entries_are_part_of_the_format() -> None:
    names = {entry.__name__ for entry in Entry.__subclasses__()}
    assert {"RevoluteEntry", "KnifeEdgeEntry", "AngleDriveEntry", "PathDriveEntry"} <= names

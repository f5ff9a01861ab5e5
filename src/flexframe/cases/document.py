"""The case format: what a case file may hold, values changed from outside (PATH=VALUE), and the files it names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, Field, ValidationInfo, field_validator

from flexframe.analyses.contract import AnalysisEntry, BodyAnalysisEntry
from flexframe.analyses.kinds import KINDS, entry_class
from flexframe.cases.source import Node, parse_yaml
from flexframe.entries.bodies import BodyEntry, PartBodyEntry
from flexframe.entries.controllers import ControllerEntry, EventEntry, InputEntry
from flexframe.entries.entry import ByField, ByKeys, Entry, refusal
from flexframe.entries.fields import FileName, Name, ParameterName, ParameterValue, Text
from flexframe.entries.links import (
    DriveEntry,
    JointEntry,
    MarkerEntry,
    RigidBodyEntry,
    StartEntry,
    SurfaceBodyEntry,
)
from flexframe.entries.materials import MaterialEntry
from flexframe.entries.parameters import FIELD
from flexframe.entries.problems import CaseError, Problem, Problems, did_you_mean, shown_path
from flexframe.entries.robots import AnyDriveEntry, LimitsEntry, RobotEntry
from flexframe.entries.sensors import AnySensorEntry
from flexframe.entries.shafts import RossEntry, RotorEntry, TrainEntry
from flexframe.entries.system_loads import ContactEntry, SystemLoadEntry
from flexframe.entries.units import UnitsEntry
from flexframe.errors import FieldPath, InputError
from flexframe.files import Folder, MissingFileError, RefusedFileError

_NOT_GIVEN = {"": None}  # no name of a body
MeshedEntry = BodyEntry | PartBodyEntry | RotorEntry | RossEntry
_AnyBodyEntry = MeshedEntry | RigidBodyEntry | SurfaceBodyEntry


_IN_LOADS = "write it into loads, as loads: {NAME: {…}}"
_IN_JOINTS = "write it into joints, as joints: {NAME: {…}}"
_IN_BODIES = "it belongs to a body: write it into bodies: {NAME: {…}}"
_IN_ANALYSES = "it belongs to an analysis: write it into analyses: {NAME: {…}}"
_ELSEWHERE = {
    "gravity": "it is a load: write loads: {weight: {gravity: [0, -9.81]}}",
    **dict.fromkeys(
        (
            "forces",
            "force",
            "moments",
            "springs",
            "spring",
            "dampers",
            "bushings",
            "friction",
            "motors",
            "actuators",
        ),
        _IN_LOADS,
    ),
    **dict.fromkeys(("constraints", "gears", "belts", "cams", "transmissions", "clearance", "stops"), _IN_JOINTS),
    **dict.fromkeys(("mesh", "material", "section", "supports", "reduction", "shaft", "bearings"), _IN_BODIES),
    **dict.fromkeys(("markers", "points"), "write points: into a body, or ground: for points of space"),
    **dict.fromkeys(("duration", "step", "tolerance", "integrator", "samples", "motion"), _IN_ANALYSES),
    "motions": "what moves a joint is a drive: write drives: {NAME: {…}}",
}


class CaseDocument(Entry):
    """A flexframe case: materials, bodies, how they are linked and driven, and what is asked of them."""

    elsewhere: ClassVar[Mapping[str, str]] = _ELSEWHERE

    title: Text = ""
    description: Text = ""
    parameters: dict[ParameterName, ParameterValue] = Field(default_factory=dict)
    units: UnitsEntry = Field(default_factory=UnitsEntry)
    materials: dict[Name, MaterialEntry] = Field(default_factory=dict)
    space: Literal["planar", "spatial"] = "planar"
    ground: dict[Name, MarkerEntry] = Field(default_factory=dict)
    robots: dict[Name, RobotEntry] = Field(default_factory=dict)
    bodies: dict[Name, Annotated[_AnyBodyEntry, ByKeys("body")]] = Field(
        default_factory=lambda: dict(_NOT_GIVEN), validate_default=True
    )
    trains: dict[Name, TrainEntry] = Field(default_factory=dict)
    start: dict[Name, StartEntry] = Field(default_factory=dict)
    joints: dict[Name, JointEntry] = Field(default_factory=dict)
    drives: dict[Name, AnyDriveEntry] = Field(default_factory=dict)
    limits: dict[Name, LimitsEntry] = Field(default_factory=dict)
    sensors: dict[Name, AnySensorEntry] = Field(default_factory=dict)
    controllers: dict[ParameterName, ControllerEntry] = Field(default_factory=dict)
    inputs: dict[ParameterName, InputEntry] = Field(default_factory=dict)
    events: dict[Name, EventEntry] = Field(default_factory=dict)
    loads: dict[Name, SystemLoadEntry] = Field(default_factory=dict)
    contacts: dict[Name, ContactEntry] = Field(default_factory=dict)
    initial: dict[Name, DriveEntry] = Field(default_factory=dict)
    analyses: Annotated[
        dict[Name, Annotated[AnalysisEntry, ByField("kind", KINDS, entry_class)]], Field(min_length=1)
    ]

    @field_validator("bodies", mode="before")
    @classmethod
    def _has_bodies(cls, bodies: Any, info: ValidationInfo) -> Any:
        given = bodies != _NOT_GIVEN
        if not info.data.get("robots") and (not given or bodies == {}):
            raise refusal("has too few entries; give 1 or more" if given else "is missing; give it")
        return bodies if given else {}

    @property
    def meshed_bodies(self) -> dict[str, MeshedEntry]:
        """The elastic bodies, and links of robots that are elastic, by the names of their bodies."""
        found: dict[str, MeshedEntry] = {
            f"{robot.prefix}{link}": entry for robot in self.robots.values() for link, entry in robot.links.items()
        }
        return found | {name: body for name, body in self.bodies.items() if isinstance(body, MeshedEntry)}

    def body_path(self, name: str) -> FieldPath:
        """Where an elastic body stands in the file."""
        for robot, entry in self.robots.items():
            if name not in self.bodies and name.removeprefix(entry.prefix) in entry.links:
                return ("robots", robot, "links", name.removeprefix(entry.prefix))
        return ("bodies", name)

    @property
    def body_analyses(self) -> dict[str, BodyAnalysisEntry]:
        """What is asked of single bodies."""
        return {n: a for n, a in self.analyses.items() if isinstance(a, BodyAnalysisEntry) and a.of_body}

    @cached_property
    def has_system(self) -> bool:
        """Whether bodies are linked, driven or rigid, so that they make a system."""
        parts = (self.ground, self.start, self.joints, self.drives, self.loads, self.initial, self.contacts)
        asked = any(analysis.needs_system for analysis in self.analyses.values())
        rigid = any(not isinstance(body, MeshedEntry) for body in self.bodies.values())
        return asked or any(parts) or bool(self.robots) or rigid


def case_schema() -> dict[str, Any]:
    """The case format as a JSON schema."""
    schema = CaseDocument.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "flexframe case",
    }


def named_files(value: Any, path: FieldPath = ()) -> Iterator[tuple[FieldPath, FileName]]:
    """The names of files in a document, or in a part of it, with their fields."""
    if isinstance(value, FileName):
        yield path, value
    elif isinstance(value, BaseModel):
        for key in type(value).model_fields:
            yield from named_files(getattr(value, key), (*path, key))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from named_files(part, (*path, key))
    elif isinstance(value, tuple | list):
        for index, part in enumerate(value):
            yield from named_files(part, (*path, index))


def check_files(document: BaseModel, folder: Folder, problems: Problems) -> None:
    """Note each file that cannot be opened, at its field."""
    for path, name in named_files(document):
        with problems.at(*path):
            folder.require(name)


def find_files(document: BaseModel, folder: Folder, problems: Problems) -> list[str]:
    """The files that a document names and what they include, where they exist; CaseError for refused ones."""
    found: dict[str, None] = {}
    for path, name in named_files(document):
        try:
            found |= dict.fromkeys(with_included(name, folder))
        except RefusedFileError as error:
            problems.add(path, str(error))
        except MissingFileError:
            continue
    problems.raise_if_any()
    return list(found)


def with_included(name: str, folder: Folder) -> list[str]:
    """A file and what it includes, by their names from the folder; a damaged file includes nothing."""
    from flexframe.exchange.formats import FORMATS

    with folder.open(name) as file:
        for form in FORMATS:
            if form.includes is None or file.suffix not in form.endings:
                continue
            try:
                return [name, *((PurePosixPath(name).parent / other).as_posix() for other in form.includes(file))]
            except RefusedFileError:
                raise
            except InputError:
                return [name]
    return [name]


_INDEX = re.compile(r"\[(\d{1,9})\]")


@dataclass(frozen=True)
class Override:
    """A field by its path, and the YAML text of its new value."""

    path: tuple[str, ...]
    value: str

    @classmethod
    def parse(cls, text: str) -> "Override":
        """From `bodies.disc.thickness=12 mm`; list positions as `supports.0` or `supports[0]`."""
        path, equals, value = text.partition("=")
        parts = tuple(part.strip() for part in _INDEX.sub(r".\1", path).split("."))
        if not equals or not all(parts):
            raise InputError(f"--set {text}: this is not PATH=VALUE; write it like bodies.disc.thickness=12 mm")
        return cls(parts, value.strip())

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}={self.value}"


def full_path(path: tuple[str, ...], root: Node) -> tuple[str, ...]:
    """The path of a field; the name of a parameter is enough, unless a field at the top has that name."""
    if len(path) != 1 or not isinstance(root.value, dict) or path[0] in root.value:
        return path
    section = root.value.get(FIELD)
    names = section.value if section is not None and isinstance(section.value, dict) else {}
    if path[0] in names:
        return FIELD, *path
    near = did_you_mean(path[0], list(names))
    if near and not _is_field(path[0]):
        raise InputError(f"there is no field or parameter '{path[0]}'{near}; known are {', '.join(names)}")
    return path


def _is_field(name: str) -> bool:

    return name in CaseDocument.model_fields


def overridden(root: Node, overrides: Sequence[Override], file: str) -> Node:
    """The document with its values replaced; all overrides that fit nowhere are reported together."""
    problems: list[Problem] = []
    for override in overrides:
        try:
            root = _replace(root, full_path(override.path, root), _value(override), (), root.line)
        except InputError as error:
            problems.append(Problem(file, None, (), f"--set {override}: {error}"))
    if problems:
        raise CaseError(problems)
    return root


def _value(override: Override) -> Node:
    try:
        return parse_yaml(override.value, "value") if override.value else Node(0, None)
    except CaseError as error:
        raise InputError(error.problems[0].message) from None


def _replace(node: Node, path: Sequence[str], value: Node, walked: FieldPath, line: int) -> Node:
    """A copy along the path, so that values shared through aliases stay as they are; `line` is the field's."""
    part, rest = path[0], path[1:]
    place = shown_path(walked) or "the case"
    if isinstance(node.value, dict):
        if part not in node.value and rest:
            near = did_you_mean(part, list(node.value))
            raise InputError(f"there is no '{part}' in {place}{near}; known are {', '.join(node.value)}")
        old = node.value.get(part)
        line = node.key_lines.get(part, line)
        new = _replace(old, rest, value, (*walked, part), line) if rest and old else _move(value, line)
        return Node(node.line, {**node.value, part: new}, {**node.key_lines, part: line})
    if isinstance(node.value, list):
        if not part.isdecimal() or int(part) >= len(node.value):
            raise InputError(f"{place} has entries 0 to {len(node.value) - 1}, not '{part}'; use one of them")
        old = node.value[int(part)]
        new = _replace(old, rest, value, (*walked, int(part)), old.line) if rest else _move(value, old.line)
        return Node(node.line, [*node.value[: int(part)], new, *node.value[int(part) + 1 :]])
    raise InputError(f"{place} is a single value, it has no '{part}'; shorten the path")


def _move(node: Node, line: int) -> Node:
    """The value with every line set to that of the field which it replaces."""
    if isinstance(node.value, dict):
        entries = {key: _move(child, line) for key, child in node.value.items()}
        return Node(line, entries, dict.fromkeys(entries, line))
    if isinstance(node.value, list):
        return Node(line, [_move(child, line) for child in node.value])
    return Node(line, node.value)

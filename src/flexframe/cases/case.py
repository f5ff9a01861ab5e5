"""A case: a validated file, its bodies and the analyses that it asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

import flexframe
from flexframe.analyses.contract import AnalysisEntry, FrozenBody, Monitor, MovingBody
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.cases.building import (
    BuiltBodies,
    build_bodies,
    check_places,
    check_references,
    check_system_analyses,
    responsible_field,
    take_nodes,
)
from flexframe.cases.document import CaseDocument, Override, find_files, overridden
from flexframe.cases.source import Node, angle_doubts, parse_yaml, read_text, rename_path, rename_words
from flexframe.cases.system import build_system
from flexframe.entries.analysis_fields import ANNOUNCED_STEPS
from flexframe.entries.bodies import ReductionChoiceEntry, build_reference, build_strategy
from flexframe.entries.links import DriveEntry
from flexframe.entries.motions import MotionEntry, motion_law
from flexframe.entries.parameters import FIELD, Parameters, read_parameters, reading_with
from flexframe.entries.problems import CaseError, Problems
from flexframe.entries.recordings import Recording
from flexframe.entries.units import display_units
from flexframe.errors import InputError, at_field, at_part
from flexframe.files import Folder
from flexframe.keeping import fingerprint
from flexframe.model.body import Body
from flexframe.model.constraints import Along, Distance, Rotation
from flexframe.model.doubts import system_doubts
from flexframe.model.drives import Drive
from flexframe.model.plausibility import USUAL
from flexframe.model.system import System
from flexframe.presentation.units import DisplayUnits

if TYPE_CHECKING:
    from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
    from flexframe.model.trains import RotorTrain


@dataclass(frozen=True, eq=False)
class Case:
    """A case file that holds together: names are known, meshes exist, sets are found.

    `file` is the name shown in messages; `root` knows the lines; `folder` opens the files that the case names.
    """

    file: str
    folder: Folder
    text: str
    overrides: tuple[Override, ...]
    root: Node
    document: CaseDocument
    built: BuiltBodies
    linked: System | None = None
    parameters: Parameters = field(default_factory=Parameters)
    old_words: tuple[str, ...] = ()  # notices of words that have a new spelling
    monitor: Monitor = field(default_factory=Monitor)
    _discrete: dict[str, DiscreteBody] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return Path(self.file).stem

    @property
    def title(self) -> str:
        """The title, or the name where there is none."""
        return self.document.title or self.name

    @property
    def sha256(self) -> str:
        """Hash of the text, before overrides."""
        return sha256(self.text.encode()).hexdigest()

    @cached_property
    def fingerprint(self) -> str:
        """Hash of everything that decides the results: text, overrides, files that it names, and our version."""
        named = find_files(self.document, self.folder, self.problems())
        files = {name: sha256(self.folder.read(name)).hexdigest() for name in named}
        settings = [(override.path, override.value) for override in self.overrides]
        return fingerprint(flexframe.__version__, self.text, repr(settings), files)

    @property
    def analyses(self) -> Mapping[str, AnalysisEntry]:
        """What is asked, by name."""
        return self.document.analyses

    @property
    def units(self) -> DisplayUnits:
        """In which units results are shown: those of the field `units`, else those that the case is written in."""
        return display_units(self.document.units, self.root.plain())

    def bodies(self) -> Mapping[str, Body]:
        """The bodies by name."""
        return self.built.bodies

    def places(self) -> dict[str, Any]:
        """Which node stands for every place that is given by coordinates, by field."""
        return take_nodes(self.document, self.built.bodies)

    def doubts(self) -> tuple[str, ...]:
        """Old words of the file, and what is unlikely in bodies, system and damping, sentence by sentence."""
        found = [words for robot in self.built.robots.values() for words in robot.notices]
        found += [doubt for body in self.built.bodies.values() for doubt in body.doubts]
        found += () if self.linked is None else system_doubts(self.linked)
        if self.linked is not None:
            for name, analysis in self.analyses.items():
                found += [f"analyses.{name}: {doubt}" for doubt in analysis.doubts(self.linked)]
        found += angle_doubts(self.root)
        if self.linked is not None and self.linked.space == "planar":
            found += [
                f"body {name} deforms in space, and the system is planar: its frame stays in the x–y plane; use "
                "space: spatial at the top of the case, or space: planar for the body"
                for name, body in self.built.bodies.items()
                if body.space == "spatial" and self.document.meshed_bodies[name].reduction != "rigid"
            ]
        for name, choice in self.reductions().items():
            ratio = 0.0 if choice == "rigid" else choice.damping_ratio
            found += filter(None, [USUAL["damping_ratio"].doubt(f"body {name}", ratio)])
        found += [
            f"parameter {name} is not used; use it, or remove it from parameters"
            for name in self.parameters.unused_names()
        ]
        return tuple(dict.fromkeys((*self.old_words, *found)))

    def announcements(self) -> tuple[str, ...]:
        """What takes long, for whoever is about to run it."""
        steps = {name: analysis.foreseen_steps() or 0.0 for name, analysis in self.analyses.items()}
        return tuple(
            f"analyses.{name}: {count:,.0f} steps take a while; --max-time bounds a run, Ctrl-C stops it, and "
            "--resume goes on"
            for name, count in steps.items()
            if count > ANNOUNCED_STEPS
        )

    def problems(self) -> Problems:
        """A collector that knows the lines of this case."""
        return Problems(self.file, self.root)

    def discrete(self, name: str) -> DiscreteBody:
        """The matrices of a body, integrated at the first call."""
        if name not in self._discrete:
            body = self.built.bodies[name]
            problems = self.problems()
            try:
                self._discrete[name] = discretise(body)
            except InputError as error:
                problems.add(
                    responsible_field(
                        body, self.document.meshed_bodies[name], self.document.body_path(name), error
                    ),
                    str(error),
                )
            problems.raise_if_any()
        return self._discrete[name]

    def adopt(self, other: "Case") -> None:
        """Take over the matrices of bodies that another case describes in the same words; motion changes none."""
        if self.linked is not None or self.folder != other.folder:
            return
        mine, theirs = self.document, other.document
        if mine.materials != theirs.materials or mine.space != theirs.space:
            return
        at_rest = {"motion": "rest"}
        bodies = {name: entry.model_copy(update=at_rest) for name, entry in mine.meshed_bodies.items()}
        for name, discrete in other._discrete.items():
            if bodies.get(name) == theirs.meshed_bodies[name].model_copy(update=at_rest):
                self._discrete[name] = discrete

    def frozen(self, body: str | None, motion: MotionEntry | None, time: float) -> FrozenBody:
        """A body (the only one without a name) at an instant of a motion (its own when none is given)."""
        moving = self.moving(body, motion)
        part = ("bodies", moving.discrete.body.name, "motion")
        with at_part(*part) if motion is None else at_field("motion"):
            name = moving.discrete.body.name
            exact = self.document.meshed_bodies[name].reduction == "exact"
            return FrozenBody(moving.discrete, moving.law.at(time), exact)

    def moving(self, body: str | None, motion: MotionEntry | None) -> MovingBody:
        """A body (the only one without a name) and a motion over time (its own when none is given)."""
        name = body or next(iter(self.built.bodies))
        law = self.built.laws[name] if motion is None else motion_law(motion, self.folder)
        return MovingBody(self.discrete(name), law)

    def rotor(self, name: str | None) -> "DiscreteBody | RotorTrain":
        """A body or a train; without a name the only train, or the only body."""
        trains = self.built.trains
        chosen = name or next(iter(trains or self.built.bodies))
        return trains[chosen] if chosen in trains else self.discrete(chosen)

    def system(self) -> System:
        """All bodies with their joints, drives and loads."""
        assert self.linked is not None, "a case that asks for it has one"
        return self.linked

    @property
    def has_system(self) -> bool:
        """Whether the bodies make a system."""
        return self.linked is not None

    def discrete_bodies(self) -> Mapping[str, DiscreteBody]:
        """The meshed bodies with their matrices."""
        return {name: self.discrete(name) for name in self.built.bodies}

    def reductions(self) -> "Mapping[str, ReductionChoice | Literal['rigid']]":
        """The reductions that the case asks for, by body."""
        return {
            name: "rigid"
            if entry.reduction == "rigid"
            else _reduction_choice(entry.reduction, self.built.bodies[name])
            for name, entry in self.document.meshed_bodies.items()
            if entry.reduction is not None
        }

    def drives(self, entries: Mapping[str, DriveEntry]) -> list[Drive]:
        """Drives that an analysis describes."""
        joints = {joint.name: joint for joint in self.system().joints}
        made = []
        for name, entry in entries.items():
            with at_field("events", name):
                made.append(entry.drive(name, joints, self.folder))
        return made

    def recordings(self) -> tuple[str, ...]:
        """What the reader must know about the recordings that drive the system."""
        laws = [
            constraint.law
            for drive in self.system().drives
            for constraint in drive.constraints()
            if isinstance(constraint, Along | Rotation | Distance)
        ]
        return tuple(law.notice() for law in laws if isinstance(law, Recording))


def _reduction_choice(entry: ReductionChoiceEntry | Literal["exact"], body: Body) -> "ReductionChoice":
    """The few coordinates that a case asks for."""
    from flexframe.analyses.transient.coupled.division import modes_of_a_part
    from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice

    if entry == "exact":
        return ReductionChoice(exact=True)
    by_default = "modes" not in entry.model_fields_set and entry.parts > 1
    modes = modes_of_a_part(body) if by_default else entry.modes
    return ReductionChoice(
        strategy=build_strategy(
            entry.strategy, modes, attachments=entry.attachments, substructures=entry.substructures
        ),
        reference=build_reference(entry.reference),
        inertia_shapes=entry.inertia_shapes,
        damping_ratio=entry.damping_ratio,
        couplings=dict(entry.interfaces),
        parts=entry.parts,
        order=entry.order,
    )


def load_case(path: str | Path, overrides: Sequence[str] = (), *, confined: bool = False) -> Case:
    """Read and validate a case file; CaseError with every problem found.

    Overrides are texts PATH=VALUE that change single fields. When `confined`, the case may only name files in its
    own folder.

    Parameters
    ----------
    path
        The case file (YAML).
    overrides
        Texts PATH=VALUE, such as "bodies.blade.mesh.line.length=1.1 m".
    confined
        Whether the case may only name files in its own folder.

    Returns
    -------
    Case
        The validated case, in SI units.

    Examples
    --------
    >>> case = ff.load_case(ff.example_paths()["rotating_beam"])
    >>> case.name
    'rotating_beam'
    """
    if not isinstance(path, str | Path):
        raise InputError(f"the path is {path!r}; give that of a case file")
    place = Path(path)
    folder = place.resolve().parent
    return parse_case(read_text(place), file=str(path), folder=folder, overrides=overrides, confined=confined)


def parse_case(
    text: str, *, file: str, folder: Path, overrides: Sequence[str] = (), confined: bool = False
) -> Case:
    """Validate the text of a case; files that it names are found from the folder, when `confined` only in it."""
    settings = tuple(Override.parse(override) for override in overrides)
    parsed = parse_yaml(text, file)
    return build_case(parsed, text, file=file, folder=Folder(folder, confined), settings=settings)


def case_files(text: str, *, file: str, folder: Folder) -> list[str]:
    """The files that a case names, and those that they include; CaseError for the refused ones, with their lines.

    A case that is not valid names none, and a file that is not there is left out: whoever runs it hears of that.
    """
    return files_of(parse_yaml(text, file), file=file, folder=folder)


def files_of(parsed: Node, *, file: str, folder: Folder) -> list[str]:
    """`case_files` of a text that is parsed already."""
    root, _ = rename_words(parsed)
    try:
        document, _ = _validate(root, root, Problems(file, root))
    except CaseError:
        return []
    return find_files(document, folder, Problems(file, root))


def build_case(parsed: Node, text: str, *, file: str, folder: Folder, settings: Sequence[Override]) -> Case:
    """The case of a text that is parsed already, with some fields changed."""
    root, old_words = rename_words(parsed)
    settings = [replace(setting, path=rename_path(setting.path)) for setting in settings]
    root = overridden(root, settings, file)
    problems = Problems(file, root)
    document, parameters = _validate(root, parsed, problems)
    check_references(document, problems)
    problems.raise_if_any()
    built = build_bodies(document, folder, problems)
    check_places(document, built.bodies, problems)
    linked = build_system(document, built, folder, problems) if document.has_system else None
    if linked is not None:
        check_system_analyses(document, linked, problems)
    return Case(file, folder, text, tuple(settings), root, document, built, linked, parameters, old_words)


def _validate(root: Node, parsed: Node, problems: Problems) -> tuple[CaseDocument, Parameters]:
    """The document and its parameters; `parsed` is the file without overrides."""
    data = root.plain()
    if not isinstance(data, dict):
        problems.add((), "the case is not a mapping; write fields like 'title: …', 'bodies: …', 'analyses: …'")
        problems.raise_if_any()
    parameters = read_parameters(data.get(FIELD), _section(parsed, FIELD), problems)
    problems.raise_if_any()
    try:
        with reading_with(parameters):
            return CaseDocument.model_validate(data), parameters
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            place = tuple(part for part in detail["loc"] if part != "[key]")
            if not _other_choice(place, detail["input"]):
                problems.add(tuple(part for part in place if not _is_choice(part)), detail["msg"])
        problems.raise_if_any()
        raise


def _section(root: Node, name: str) -> object:
    """A part of the file as plain values."""
    part = root.value.get(name) if isinstance(root.value, dict) else None
    return None if part is None else part.plain()


def _is_choice(part: str | int) -> bool:
    """Whether a part of a place is no field but pydantic's name for one of several allowed types."""
    return isinstance(part, str) and part.startswith(("literal[", "function-"))


def _other_choice(place: tuple[str | int, ...], value: object) -> bool:
    """Whether a problem is only that a mapping is not the word, or a word not the mapping, that is allowed too."""
    last = place[-1] if place else ""
    if not _is_choice(last):
        return False
    return isinstance(value, dict) == str(last).startswith("literal[")

"""What travels between page and server."""

from typing import Annotated, Any, Literal

from fastapi import Path as PathPart
from pydantic import BaseModel, ConfigDict, Field

from flexframe.cases.source import MAX_BYTES
from flexframe.studio.runs import RUN_ID, Run, Status
from flexframe.studio.workspace import CASE_NAME, DATA_NAME

EXAMPLE_NAME = r"^[a-z0-9_]{1,60}$"

CaseText = Annotated[str, Field(max_length=MAX_BYTES)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
CaseName = Annotated[str, PathPart(pattern=CASE_NAME)]
DataName = Annotated[str, PathPart(pattern=DATA_NAME)]
DataFile = Annotated[str, Field(pattern=DATA_NAME)]
ExampleName = Annotated[str, PathPart(pattern=EXAMPLE_NAME)]
RunId = Annotated[str, PathPart(pattern=RUN_ID)]
Secret = Annotated[str, PathPart(pattern=r"^[A-Za-z0-9_\-]{43}$")]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class About(_Body):
    """The studio itself."""

    version: str
    workspace: str
    opened: str | None
    at_once: int


class Example(_Body):
    """A case that comes with flexframe."""

    name: str
    title: str
    description: str
    analyses: list[str]


class SavedCase(_Body):
    """A case file as it is on the disk."""

    name: str
    text: str
    sha256: str


class Save(_Body):
    """A text to write; `replaces` is the hash of the text that it was made from."""

    text: CaseText
    replaces: Hash | None = None


class Draft(_Body):
    """A case as it stands in the editor; `known` is the key of the picture that is shown."""

    name: Annotated[str, Field(pattern=CASE_NAME)]
    text: CaseText
    known: Hash | None = None


class PartWish(_Body):
    """Files of one part, and what they are in."""

    files: Annotated[list[DataFile], Field(min_length=1, max_length=8)]
    units: Annotated[str, Field(max_length=60)] = ""


class SetName(_Body):
    """A name for a set of the file, or for a face of the part by its number."""

    name: Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f]+$")]
    set: Annotated[str, Field(max_length=200)] | None = None
    face: Annotated[int, Field(ge=0)] | None = None


class PartNames(PartWish):
    """Names that a case of the part gives to sets."""

    names: Annotated[list[SetName], Field(max_length=200)] = []


class ProblemSeen(_Body):
    """Something to correct."""

    file: str
    line: int | None
    field: str
    message: str


class BodySize(_Body):
    """How large a body is."""

    cells: int
    nodes: int
    dofs: int | None


class Checked(_Body):
    """What a draft holds, or what is wrong with it; `scene` only when it is not the known one."""

    valid: bool
    problems: list[ProblemSeen]
    title: str = ""
    bodies: dict[str, BodySize] = {}
    analyses: dict[str, str] = {}
    picture: str | None = None
    scene: dict[str, Any] | None = None
    notices: list[str] = []


class SetSeen(_Body):
    """A set of a part, with what the picture has of it."""

    name: str
    words: str
    triangles: dict[str, Any]
    points: dict[str, Any]


class FaceSeen(_Body):
    """A face of a part between sharp edges."""

    words: str
    can_be_named: bool
    triangles: dict[str, Any]


class PartSeen(_Body):
    """What files hold of a part, its picture, its sets and its faces."""

    valid: bool
    problems: list[ProblemSeen]
    lines: list[str] = []
    seems: str | None = None
    makes_case: bool = False
    scene: dict[str, Any] | None = None
    sets: list[SetSeen] = []
    faces: list[FaceSeen] = []


class RunSeen(_Body):
    """A run in the list."""

    id: str
    case: str
    title: str
    status: Status
    created: float
    started: float | None
    ended: float | None
    done: int
    total: int
    current: str
    fraction: float
    seconds_left: float | None
    message: str
    problems: list[ProblemSeen]

    @classmethod
    def of(cls, run: Run, now: float) -> "RunSeen":
        """The run as it is at this moment."""
        state, request = run.state, run.request
        return cls(
            id=request.id,
            case=request.case,
            title=request.title,
            status=state.status,
            created=request.created,
            started=state.started,
            ended=state.ended,
            done=state.done,
            total=state.total,
            current=state.current,
            fraction=run.fraction(now),
            seconds_left=run.seconds_left(now),
            message=state.message,
            problems=[ProblemSeen(**problem) for problem in state.problems],
        )


class Wish(_Body):
    """A file of a run to take away."""

    what: Literal["report", "summary", "netcdf", "csv", "vtk"]


class Address(_Body):
    """Where it is, for a short time."""

    address: str


class Trouble(_Body):
    """Why something was refused."""

    detail: str
    problems: list[ProblemSeen] = []

"""Every place that a case gives on a meshed body, where it stands in the file, and the node that is taken."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flexframe.cases.document import CaseDocument
from flexframe.entries.entry import Entry
from flexframe.entries.problems import Problems, shown_path
from flexframe.entries.reductions import ClampedFrameEntry
from flexframe.entries.sensors import ENTRIES
from flexframe.errors import FieldPath, InputError
from flexframe.model.body import Body
from flexframe.model.supports import NodePlace, NodeSelection

_SELECTION = str | int | tuple[float, ...]  # the type of a field that selects nodes


@dataclass(frozen=True)
class GivenPlace:
    """A selection of nodes, the body that it is on, and its field."""

    path: FieldPath
    body: str
    on: NodeSelection


def given_places(document: CaseDocument, bodies: Mapping[str, Body]) -> Iterator[GivenPlace]:
    """All selections of nodes of meshed bodies, those of the bodies first."""
    for name in bodies:
        yield from _inside(document.meshed_bodies[name], document.body_path(name), name)
    only = next(iter(bodies)) if len(bodies) == 1 else None
    for name, analysis in document.analyses.items():
        whole = analysis.is_of_system(has_system=document.has_system)  # which names markers of bodies
        for place in _inside(
            analysis, ("analyses", name), getattr(analysis, "body", None) or (None if whole else only)
        ):
            if place.body in bodies:
                yield place


def check_places(document: CaseDocument, bodies: Mapping[str, Body], problems: Problems) -> None:
    """Every place must be on its body, every set and node there."""
    for place in given_places(document, bodies):
        with problems.at(*place.path):
            if not bodies[place.body].selected_nodes(place.on).size:
                raise InputError(f"the set '{place.on}' has no node; choose another one")
    problems.raise_if_any()


def take_nodes(document: CaseDocument, bodies: Mapping[str, Body]) -> dict[str, Any]:
    """Which node stands for every place that is given by coordinates, by field."""
    return {
        shown_path(place.path): {"body": place.body, **_summary(bodies[place.body], place.on)}
        for place in given_places(document, bodies)
        if isinstance(place.on, tuple)
    }


def _summary(body: Body, point: tuple[float, ...]) -> dict[str, Any]:
    taken: NodePlace = body.place(point)
    return {
        "point_m": taken.point.tolist(),
        "node": taken.node,
        "node_m": taken.position.tolist(),
        "distance_m": taken.distance,
    }


def _inside(value: Any, path: FieldPath, body: str | None) -> Iterator[GivenPlace]:
    """Selections in an entry and in what it holds; an entry may name another body."""
    match value:
        case Entry():
            body = _body_of(value) or body
            for name in type(value).model_fields:
                part = getattr(value, name)
                if _selects(value, name, part):
                    if body is not None:
                        yield GivenPlace((*path, name), body, part)
                else:
                    yield from _inside(part, (*path, name), body)
        case Mapping():
            for key, part in value.items():
                yield from _inside(part, (*path, key), body)
        case tuple():
            for index, part in enumerate(value):
                yield from _inside(part, (*path, index), body)
        case _:
            return


def _selects(entry: Entry, name: str, value: Any) -> bool:
    """Whether a field stands for nodes of a body."""
    if name == "at" and type(entry) in ENTRIES.values():
        return value is not None
    if isinstance(entry, ClampedFrameEntry) and isinstance(value, str):
        return False  # may be the name of an interface
    return bool(type(entry).model_fields[name].annotation == _SELECTION)


def _body_of(entry: Entry) -> str | None:
    """The body that a sensor or an analysis names itself."""
    if "at" in type(entry).model_fields and type(entry) in ENTRIES.values():
        marker = next(str(getattr(entry, lead)) for lead in entry.leads if getattr(entry, lead) is not None)
        return marker.partition(".")[0]
    return getattr(entry, "body", None)

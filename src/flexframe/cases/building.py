"""From the entries of a case to bodies and motion laws; what does not fit is noted at its field."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from flexframe.analyses.contract import NO_BEARINGS, NO_HARMONICS, NOT_EXACT, BodyAnalysisEntry
from flexframe.assembly.discrete import discretise
from flexframe.cases.document import CaseDocument, MeshedEntry, check_files
from flexframe.entries.analysis_fields import require_room
from flexframe.entries.bodies import (
    AnyMaterial,
    BodyEntry,
    ClampedFrameEntry,
    ElasticEntry,
    PartBodyEntry,
    region,
)
from flexframe.entries.entry import Entry
from flexframe.entries.links import SurfaceBodyEntry
from flexframe.entries.materials import BUILT_IN_MATERIALS
from flexframe.entries.motions import motion_law
from flexframe.entries.problems import Problems, shown_path, unknown_name
from flexframe.entries.robots import LinkEntry
from flexframe.entries.sensors import ENTRIES
from flexframe.entries.shafts import RossEntry, RotorEntry
from flexframe.errors import FieldPath, InputError
from flexframe.files import Folder
from flexframe.mesh.checks import require_valid
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region
from flexframe.model.loads import Gravity, LineLoad, Load, NodeForce
from flexframe.model.supports import NodePlace, NodeSelection
from flexframe.model.system import GROUND, System
from flexframe.model.trains import RotorTrain
from flexframe.motion.frame import MotionLaw

if TYPE_CHECKING:
    from flexframe.multibody.robots.description import Robot


@dataclass(frozen=True, eq=False)
class BuiltBodies:
    """The meshed bodies of a case by name, how their frames move, all materials, and the robots of some bodies."""

    bodies: Mapping[str, Body]
    laws: Mapping[str, MotionLaw]
    materials: Mapping[str, AnyMaterial] = field(default_factory=dict)
    robots: Mapping[str, "Robot"] = field(default_factory=dict)
    trains: Mapping[str, RotorTrain] = field(default_factory=dict)


def check_references(document: CaseDocument, problems: Problems) -> None:
    """Names of materials and bodies must stand for something in the file."""
    _check_materials(document, problems)
    if document.has_system and GROUND in document.bodies:
        problems.add(("bodies", GROUND), "this is the name of the fixed frame; choose another")
    _check_trains(document, problems)
    for name, asked in document.analyses.items():
        for place, message in asked.lacks(has_system=document.has_system, elastic=bool(document.meshed_bodies)):
            problems.add(("analyses", name, *place), message)
    for name, analysis in document.body_analyses.items():
        coupled = analysis.is_of_system(has_system=document.has_system)
        for place, message in analysis.misfits(of_system=coupled):
            problems.add(("analyses", name, *place), message)
        moved = [key for key, entry in document.meshed_bodies.items() if coupled and entry.motion != "rest"]
        for key in moved:
            message = f"is not used by {name}, which computes the motion; give it to the analyses that need it"
            problems.add((*document.body_path(key), "motion"), message)
        if not coupled or analysis.body is not None:
            _check_body(name, analysis, document, problems)
        _check_order(name, analysis, document, problems)


def _check_order(name: str, analysis: BodyAnalysisEntry, document: CaseDocument, problems: Problems) -> None:
    """A motion goes on after one that stands before it."""
    after = getattr(analysis, "after", None)
    before = takewhile(lambda other: other != name, document.analyses)
    motions = [each for each in before if document.analyses[each].kind == "transient"]
    if after is not None and after not in motions:
        message = (
            unknown_name("motion before this one", after, motions) if motions else "no motion stands before it"
        )
        problems.add(("analyses", name, "after"), message)


def _check_trains(document: CaseDocument, problems: Problems) -> None:
    """Members of trains are meshed bodies, and no body has the name of a train."""
    bodies = list(document.meshed_bodies)
    for name, train in document.trains.items():
        if name in document.bodies:
            problems.add(("trains", name), f"the name '{name}' is also that of a body; choose another")
        for member in train.members:
            if member not in bodies:
                problems.add(("trains", name, "members", member), unknown_name("body", member, bodies))


def _check_body(name: str, analysis: BodyAnalysisEntry, document: CaseDocument, problems: Problems) -> None:
    """The body or train of an analysis must be there and be of its sort."""
    path, bodies = ("analyses", name, "body"), list(document.meshed_bodies)
    coupled = analysis.is_of_system(has_system=document.has_system)
    if analysis.body in document.trains or (analysis.body is None and document.trains):
        if not analysis.takes_rotors:
            problems.add(
                path, f"{analysis.kind} is about one body, and a train has several; name one of its bodies"
            )
        elif analysis.body is None and len(document.trains) > 1:
            problems.add(
                path, f"the case has several trains ({', '.join(document.trains)}); say which one with body"
            )
    elif analysis.body is not None and analysis.body not in bodies:
        problems.add(path, _no_such_body(analysis.body, analysis.kind, document))
    elif analysis.body is None and len(bodies) > 1:
        problems.add(path, f"the case has {len(bodies)} bodies ({', '.join(bodies)}); say which one with body")
    elif not coupled:
        _check_exact(document, analysis, problems)
        entry = document.meshed_bodies[analysis.body or bodies[0]] if bodies else None
        held = isinstance(entry, RossEntry) or (entry is not None and bool(entry.bearings))
        if held and not analysis.takes_rotors:
            problems.add(("analyses", name, "kind"), NO_BEARINGS.format(kind=analysis.kind))


def _check_materials(document: CaseDocument, problems: Problems) -> None:
    materials = [*document.materials, *BUILT_IN_MATERIALS]
    used: list[tuple[FieldPath, str | None]] = []
    for name, body in document.meshed_bodies.items():
        at = document.body_path(name)
        used += [((*at, *path), material) for path, material in body.materials_used()]
    surfaces = {name: body for name, body in document.bodies.items() if isinstance(body, SurfaceBodyEntry)}
    used += [(("bodies", name, "material"), body.material) for name, body in surfaces.items()]
    for path, material in used:
        if material is not None and material not in materials:
            problems.add(path, unknown_name("material", material, materials))


def _check_exact(document: CaseDocument, analysis: BodyAnalysisEntry, problems: Problems) -> None:
    """An analysis of one body that deflects little is no analysis of exact beams."""
    name = analysis.body or next(iter(document.meshed_bodies), None)
    if name is not None and not analysis.takes_exact and document.meshed_bodies[name].reduction == "exact":
        message = NOT_EXACT.format(kind=analysis.kind, body=name)
        problems.add((*document.body_path(name), "reduction"), message)


def _no_such_body(name: str, kind: str, document: CaseDocument) -> str:
    """Why a body cannot be the one of an analysis."""
    meshed = list(document.meshed_bodies)
    if name not in document.bodies:
        return unknown_name("body", name, meshed or list(document.bodies))
    remedy = f"name one with a mesh: {', '.join(meshed)}" if meshed else "give it a mesh and a material"
    return f"body '{name}' is rigid, and {kind} is about the deformation of a body; {remedy}"


def check_system_analyses(document: CaseDocument, system: System, problems: Problems) -> None:
    """What analyses of the system name must be there."""
    for name, analysis in document.analyses.items():
        if analysis.is_of_system(has_system=True):
            analysis.check_system(system, problems, ("analyses", name))
            with problems.at("analyses", name, "samples"):
                require_room(getattr(analysis, "samples", None), len(system.bodies))
    problems.raise_if_any()


def build_bodies(document: CaseDocument, folder: Folder, problems: Problems) -> BuiltBodies:
    """Materials, meshes, bodies and laws; files are found from the folder."""
    materials = dict(BUILT_IN_MATERIALS)
    for name, entry in document.materials.items():
        with problems.at("materials", name):
            materials[name] = entry.material(name)
    problems.raise_if_any()
    check_files(document, folder, problems)
    robots: dict[str, Robot] = {}
    if document.robots:
        from flexframe.cases.robots import read_robots

        robots = read_robots(document.robots, folder, problems)
    bodies: dict[str, Body] = {}
    laws: dict[str, MotionLaw] = {}
    for name, body_entry in document.meshed_bodies.items():
        path = document.body_path(name)
        with problems.at(*path, "motion"):
            laws[name] = motion_law(body_entry.motion, folder)
        body = None
        if isinstance(body_entry, RotorEntry | RossEntry):
            with problems.at(*path):
                body = body_entry.rotor(name, materials, folder)
        elif isinstance(body_entry, PartBodyEntry):
            with problems.at(*path):
                body = _attach(
                    body_entry.filed_body(name, materials, folder), body_entry, (path, folder, problems)
                )
        elif not isinstance(body_entry, LinkEntry):
            mesh = _mesh(body_entry, path, folder, problems)
            body = None if mesh is None else _body(name, body_entry, materials, mesh, (path, folder, problems))
        elif path[1] in robots:
            from flexframe.cases.robots import LinkPlace

            link, robot = LinkPlace(str(path[3]), robots[str(path[1])]), body_entry
            mesh = link.mesh(robot, path, folder, problems)
            made = None if mesh is None else _body(name, robot, materials, mesh, (path, folder, problems))
            body = None if made is None else link.dress(robot, made, path, problems)
        if body is not None:
            bodies[name] = replace(body, space=document.space) if _lives_in_system(body_entry) else body
    _check_sections(document, bodies, problems)
    for name, analysis in document.body_analyses.items():
        if analysis.known_motion is not None:
            with problems.at("analyses", name, "motion"):
                motion_law(analysis.known_motion, folder)
    problems.raise_if_any()
    trains: dict[str, RotorTrain] = {}
    for name, train in document.trains.items():
        with problems.at("trains", name):
            trains[name] = train.train(name, bodies, folder)
    problems.raise_if_any()
    return BuiltBodies(bodies, laws, materials, robots, trains)


def _check_sections(document: CaseDocument, bodies: Mapping[str, Body], problems: Problems) -> None:
    """The section of a body of revolution is for analyses that know nodal diameters."""
    for name, analysis in document.body_analyses.items():
        body = bodies.get(analysis.body or next(iter(bodies), ""))
        alone = analysis.body is not None or not analysis.is_of_system(has_system=document.has_system)
        if body is not None and alone and body.axisymmetric and not analysis.takes_sections:
            message = NO_HARMONICS.format(kind=analysis.kind, body=body.name)
            problems.add(("analyses", name, "kind"), message)


def _lives_in_system(entry: MeshedEntry) -> bool:
    """Whether a body is planar or spatial as the system is, since it does not say."""
    return isinstance(entry, BodyEntry) and entry.space is None and entry.takes_space_of_system


def responsible_field(body: Body, entry: MeshedEntry, path: FieldPath, error: InputError) -> FieldPath:
    """The field of a body at a path that keeps it from being discretised, found by leaving parts out."""
    lead = "part" if isinstance(entry, PartBodyEntry) else "mesh"
    try:
        require_valid(body.mesh)
    except InputError:
        return (*path, lead)
    bare = replace(body, supports=(), loads=(), point_masses=(), springs=())
    if _fails(bare, error):
        return (*path, lead) if isinstance(entry, PartBodyEntry) else path
    alone: dict[str, list[Body]] = {
        "supports": [replace(bare, supports=(one,)) for one in body.supports],
        "loads": [replace(bare, loads=(one,)) for one in body.loads],
        "point_masses": [replace(bare, point_masses=(one,)) for one in body.point_masses],
        "springs": [replace(bare, springs=(one,)) for one in body.springs],
    }
    for part, bodies in alone.items():
        for index, one in enumerate(bodies):
            if _fails(one, error):
                of_case = lead == "mesh" or index < len(getattr(entry, part))
                return (*path, part, index) if of_case else (*path, lead)
    return path


def _fails(body: Body, error: InputError) -> bool:
    try:
        discretise(body)
    except InputError as again:
        return str(again) == str(error)
    return False


def _mesh(entry: BodyEntry, path: FieldPath, folder: Folder, problems: Problems) -> Mesh | None:
    with problems.at(*path, "mesh"):
        return entry.mesh.mesh(folder)
    return None


def _body(
    name: str,
    entry: BodyEntry,
    materials: Mapping[str, AnyMaterial],
    mesh: Mesh,
    where: tuple[FieldPath, Folder, Problems],
) -> Body | None:
    path, _, problems = where
    regions = _regions(entry, materials, mesh, path, problems)
    if not regions:
        return None
    in_space = mesh.dimension == 3 or any(part.prop.spatial for part in regions)
    with problems.at(*path):
        body = Body(name, mesh, regions, space=entry.space or ("spatial" if in_space else "planar"))
        return _attach(body, entry, where)
    return None


def _attach(body: Body, entry: ElasticEntry, where: tuple[FieldPath, Folder, Problems]) -> Body:
    """The body with what the case adds to what it is made of."""
    path, folder, problems = where
    made = entry.complete(body, folder)
    _check_sets(made, path, problems)
    return made


def _regions(
    entry: BodyEntry, materials: Mapping[str, AnyMaterial], mesh: Mesh, path: FieldPath, problems: Problems
) -> tuple[Region, ...]:
    if entry.regions is None:
        with problems.at(*path):
            return (region(entry, None, materials, mesh.dimension),)
        return ()
    made = []
    for index, part in enumerate(entry.regions):
        dimension = mesh.dimension
        if part.cells is not None:
            with problems.at(*path, "regions", index, "cells"):
                blocks = mesh.cells_in(mesh.cells_of(part.cells))
                dimension = max((block.cell.dimension for block in blocks), default=dimension)
        with problems.at(*path, "regions", index):
            made.append(region(part, part.cells, materials, dimension))
    return tuple(made)


def _check_sets(body: Body, path: FieldPath, problems: Problems) -> None:
    """Supports and loads must fit the body; the nodes they name are looked for with all places of the case."""
    for index, support in enumerate(body.supports):
        with problems.at(*path, "supports", index):
            support.constraints()
    for index, load in enumerate(body.loads):
        with problems.at(*path, "loads", index, "on"):
            _check_load(body, load)


def _check_load(body: Body, load: Load) -> None:
    match load:
        case LineLoad(on=cells):
            if cells is not None:
                body.mesh.cells_of(cells)
        case Gravity() | NodeForce():
            pass
        case _:
            if load.on not in body.mesh.cell_sets:
                body.mesh.facets_of(load.on)


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

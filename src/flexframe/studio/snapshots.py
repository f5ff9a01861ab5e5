"""What the page shows before anything is computed: a case where it starts, or a part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from flexframe.cases.case import Case
from flexframe.errors import FlexframeError, InputError
from flexframe.exchange.bodies import usable
from flexframe.exchange.contract import Part
from flexframe.exchange.describing import PartDescription, describe_part
from flexframe.exchange.formats import is_geometry
from flexframe.exchange.reading import read_part
from flexframe.exchange.units import parse_units
from flexframe.files import Folder
from flexframe.maths.arrays import IntArray
from flexframe.mesh.facets import Cylinder, Face, Plane, faces
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.system import System
from flexframe.multibody.closure import assemble_positions
from flexframe.multibody.mechanism import Mechanism, mechanism
from flexframe.multibody.mobility import mobility
from flexframe.multibody.motion import MechanismMotion
from flexframe.multibody.states import Configuration, Rates
from flexframe.presentation.drawing import Drawing, drawing
from flexframe.presentation.mechanism_scene import mechanism_scene
from flexframe.presentation.scenes import History, Scene, StaticShape, Trace
from flexframe.presentation.scenes import Part as ScenePart
from flexframe.presentation.symbols import Carried
from flexframe.reports.document import encode_array, encode_document

SCENE = "model"
_HEIGHT = 420


def model_snapshot(case: Case) -> Scene:
    """The bodies of a case; a linkage is closed first, and shown at its rough start where that fails."""
    if case.linked is not None:
        return _linkage(case.linked)
    parts = tuple(part for body in case.bodies().values() for part in _draw(body).parts)
    return Scene(
        id=SCENE,
        parts=parts,
        content=StaticShape((None,) * len(parts)),
        title="Model",
        view="corner" if any(body.space == "spatial" for body in case.bodies().values()) else "auto",
        height=_HEIGHT,
    )


def _draw(body: Body) -> Drawing:
    """A body with all that it carries; one of bars only is drawn as tubes that can be seen."""
    mesh = body.mesh
    lines_only = all(block.cell.dimension == 1 for block in mesh.blocks)
    size = float(np.ptp(mesh.points, axis=0).max(initial=0.0))
    carried: Carried = ("masses", "supports", "springs", "loads")
    return drawing(body.name, mesh, body, radius=0.012 * size if lines_only else 0.0, carried=carried)


def _linkage(system: System) -> Scene:
    ready = mechanism(system)
    motion = _still(ready, _start(ready))
    scene = mechanism_scene(SCENE, motion)
    assert isinstance(scene.content, History)
    # a path of one point is a dot with a name
    places = tuple(Trace(link.name, motion.marker(link.second)[0], colour="grey") for link in system.joints)
    return replace(scene, title="Model", height=_HEIGHT, content=replace(scene.content, traces=places))


def _start(ready: Mechanism) -> Configuration:
    try:
        return assemble_positions(ready, ready.constraints, 0.0)
    except FlexframeError:
        return ready.rough_start()


def _still(ready: Mechanism, start: Configuration) -> MechanismMotion:
    rest = Rates(np.zeros_like(start.positions), np.zeros_like(start.positions))
    return MechanismMotion(
        mechanism=ready,
        times=np.zeros(1),
        configuration=start,
        velocities=rest,
        accelerations=rest,
        mobility=mobility(ready, start, 0.0),
        closure=0.0,
    )


MOST_NODES = 300_000  # of a picture
MOST_FACES = 200
MARKED = 2_000  # nodes of a set that are marked
_DIGITS = 6  # of the places of faces in a case


@dataclass(frozen=True)
class SeenPart:
    """A part with the nodes and triangles that its picture has."""

    part: Part
    faces: tuple[Face, ...]
    drawn: ScenePart | None
    used: IntArray  # nodes of the mesh that the picture has


def seen_part(folder: Path, names: Sequence[str], units: str | None) -> SeenPart:
    """Read the files of one part."""
    part = read_part(list(names), units=units, folder=Folder(folder, confined=True))
    mesh = part.mesh
    if mesh is None or not mesh.cell_count:
        return SeenPart(part, (), _points_of(part), np.arange(0))
    if mesh.node_count > MOST_NODES:
        return SeenPart(part, (), None, np.arange(0))
    lines_only = all(block.cell.dimension < 2 for block in mesh.blocks)
    size = float(np.ptp(mesh.points, axis=0).max(initial=0.0))
    piece = drawing("part", mesh, radius=0.012 * size if lines_only else 0.0).pieces[0]
    return SeenPart(part, faces(mesh)[:MOST_FACES], piece.part, piece.nodes)


def part_view(request: Mapping[str, Any]) -> dict[str, Any]:
    """What the page shows of a part."""
    units = request["units"] or None
    seen = seen_part(Path(request["folder"]), request["files"], units)
    found = describe_part(seen.part, units=units)
    scene = None
    if seen.drawn is not None:
        scene = Scene(
            id="part",
            parts=(seen.drawn,),
            content=StaticShape((None,)),
            title="Part",
            view="corner",
            height=420,
        )
    return {
        "lines": list(found.lines()),
        "seems": None if found.seems.units is None else found.seems.units.text,
        "makes_case": _makes_body(seen.part) or _mesh_to_take(seen, request["files"]),
        "scene": None if scene is None else encode_document(scene),
        "sets": _sets(seen, found),
        "faces": [_face(face) for face in seen.faces],
    }


def _points_of(part: Part) -> ScenePart | None:
    """The interfaces and sensors of a reduced body as points, joined to its frame."""
    if part.reduced is None:
        return None
    places = [point.position for point in (*part.reduced.interfaces, *part.reduced.sensors)]
    nodes = np.array([np.zeros(3), *places])
    size = float(np.ptp(nodes, axis=0).max(initial=0.0))
    ends = np.arange(1, len(nodes))
    lines = np.column_stack([np.zeros_like(ends), ends])
    return ScenePart(name="part", nodes=nodes, lines=lines if len(ends) else None, radius=0.01 * size)


def _sets(seen: SeenPart, found: PartDescription) -> list[dict[str, Any]]:
    """Sets by name, each once, with what the picture has of them."""
    names: dict[str, list[str]] = {}
    for kind, members in found.sets.items():
        for name, count in members.items():
            names.setdefault(name, []).append(f"{count} {kind}{'' if count == 1 else 's'}")
    mesh = seen.part.mesh
    if mesh is None:
        return []
    return [
        {"name": name, "words": ", ".join(words), **_show(seen, mesh, mesh.nodes_of(name))}
        for name, words in names.items()
    ]


def _show(seen: SeenPart, mesh: Mesh, nodes: IntArray) -> dict[str, Any]:
    """Triangles all of whose nodes are meant, and the other nodes that are, by the numbers of the picture."""
    if seen.drawn is None or seen.drawn.triangles is None:
        triangles = np.arange(0)
        covered = np.zeros(mesh.node_count, dtype=bool)
    else:
        meant = np.zeros(mesh.node_count, dtype=bool)
        meant[nodes] = True
        whole = meant[seen.used][seen.drawn.triangles].all(axis=1)
        triangles = np.flatnonzero(whole)
        covered = np.zeros(mesh.node_count, dtype=bool)
        covered[seen.used[seen.drawn.triangles[triangles]]] = True
    alone = nodes[~covered[nodes]][:MARKED]
    return {"triangles": encode_array(triangles), "points": encode_array(mesh.points[alone].reshape(-1, 3))}


def _face(face: Face) -> dict[str, Any]:
    return {
        "words": _words(face),
        "can_be_named": face.place is not None,
        "triangles": encode_array(face.triangles),
    }


def _words(face: Face) -> str:
    size = f"{len(face.nodes)} nodes"
    if isinstance(face.place, Plane):
        return f"plane across {_direction(face.place.normal)}, {size}"
    if isinstance(face.place, Cylinder):
        return f"cylinder of radius {face.place.radius:.4g} m along {_direction(face.place.axis)}, {size}"
    return f"neither plane nor cylinder, {size}"


def _direction(vector: Any) -> str:
    along = int(np.argmax(np.abs(vector)))
    if abs(vector[along]) > 1 - 1e-6:
        return ("-" if vector[along] < 0 else "") + "xyz"[along]
    return f"({', '.join(f'{x:.3g}' for x in vector)})"


# ---------------------------------------------------------------------- a case of a part


def _mesh_to_take(seen: SeenPart, names: Sequence[str]) -> bool:
    """Whether a case can take the mesh alone, and say itself what it is made of."""
    return seen.part.mesh is not None and bool(seen.part.mesh.cell_count) and len(names) == 1


def _makes_body(part: Part) -> bool:
    """Whether the files say what a body is made of."""
    found = usable(part)
    return bool(found) and not (found == ("mesh",) and part.hindrances)


def part_case(request: Mapping[str, Any]) -> dict[str, Any]:
    """A case with a part and named sets, to go on from."""
    units = request["units"] or None
    names = request["files"]
    seen = seen_part(Path(request["folder"]), names, units)
    whole = _makes_body(seen.part)
    if not (whole or _mesh_to_take(seen, names)):
        raise InputError(f"{', '.join(names)}: no body can be made of this; add the files that describe lacks")
    mesh = seen.part.mesh
    select = {}
    for wish in request["names"]:
        if mesh is None:
            raise InputError("a reduced body has its own points; their names are sets already")
        if wish["set"] is not None:
            mesh.nodes_of(wish["set"])
            select[wish["name"]] = f"{{set: {_quote(wish['set'])}}}"
        else:
            select[wish["name"]] = _place(seen, wish["face"])
    if len(select) < len(request["names"]):
        raise InputError("two sets have the same name; give each its own")
    made = _part_lines(names, units) if whole else _mesh_lines(names[0], units)
    lines = [f"title: {_quote(f'Part {names[0]}')}", "", "bodies:", "  part:", *made]
    if select:
        lines.append("      select:")
        lines += [f"        {_quote(key)}: {place}" for key, place in select.items()]
    dimension = 0 if mesh is None else mesh.dimension
    if not whole:
        lines += _material_lines(dimension)
    count = 12 if dimension else 6
    lines += ["", "analyses:", "  shapes:", "    kind: modes", f"    count: {count}", ""]
    return {"text": "\n".join(lines)}


def _part_lines(names: Sequence[str], units: str | None) -> list[str]:
    """A body that the files describe."""
    lines = ["    part:", f"      files: [{', '.join(map(_quote, names))}]"]
    return lines if units is None else [*lines, f"      units: {_quote(units)}"]


def _mesh_lines(name: str, units: str | None) -> list[str]:
    """A body that has the mesh of a file."""
    scale = 1.0 if units is None else parse_units(units).length
    lines = ["    mesh:", f"      file: {_quote(name)}"]
    if scale != 1.0 and not is_geometry(name):
        lines.append(f"      scale: {_number(scale)} # the file is in other units of length")
    return lines


def _place(seen: SeenPart, number: int) -> str:
    """A face as an entry of `select`: its plane or cylinder, cut to the box around it where it has other nodes."""
    mesh = seen.part.mesh
    assert mesh is not None
    if not 0 <= number < len(seen.faces):
        raise InputError(f"there is no face {number}; read the part again")
    face = seen.faces[number]
    if isinstance(face.place, Plane):
        place = f"plane: {{point: {_vector(face.place.point)}, normal: {_vector(face.place.normal)}}}"
    elif isinstance(face.place, Cylinder):
        turned = f"axis: {_vector(face.place.axis)}, radius: {_number(face.place.radius)}"
        place = f"cylinder: {{point: {_vector(face.place.point)}, {turned}}}"
    else:
        raise InputError("this face is neither plane nor cylinder; name it in the program that made the file")
    points = mesh.points[face.nodes]
    tolerance = 2e-4 * float(np.linalg.norm(np.subtract(*mesh.bounding_box)))
    words = f"{place}, tolerance: {_number(tolerance)}"
    if np.count_nonzero(face.place.distance(mesh.points) <= tolerance) > len(face.nodes):
        low, high = points.min(axis=0), points.max(axis=0)
        words += f", within: {{low: {_vector(low)}, high: {_vector(high)}}}"
    return f"{{{words}}}"


def _material_lines(dimension: int) -> list[str]:
    made = ["    material: steel # choose"]
    if dimension == 2:
        made.append("    shell: {thickness: 1 mm} # choose")
    elif dimension == 1:
        made.append("    section: {circle: {diameter: 10 mm}} # choose")
    return [*made, "    space: spatial"]


def _vector(values: Any) -> str:
    return f"[{', '.join(_number(float(value)) for value in values)}]"


def _number(value: float) -> str:
    text = f"{value:.{_DIGITS}g}"
    return "0" if float(text) == 0 or abs(value) < 1e-12 else text


def _quote(text: str) -> str:
    """A text as YAML takes it, whatever it holds."""
    return "'" + text.replace("'", "''") + "'"

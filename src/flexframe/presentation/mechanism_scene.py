"""A mechanism as a moving scene: bodies as their meshes or as lines between their points, forces as arrows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import quaternion_from_rotation, rotation_from_vector
from flexframe.model.body import Body
from flexframe.model.constraints import follows_state, state_law
from flexframe.model.elasticity import Bushing
from flexframe.model.joints import Rod
from flexframe.model.rigid_body import RigidBody
from flexframe.model.supports import NodeSelection
from flexframe.model.system import GROUND
from flexframe.model.system_loads import MarkerForce, Spring, TorsionSpring
from flexframe.motion.frame import vector3
from flexframe.multibody.inverse_dynamics import MechanismForces
from flexframe.multibody.motion import MechanismMotion
from flexframe.presentation.beam_surfaces import FAR_BENT, PIECES
from flexframe.presentation.blocks import COLOURS, Axis, Cursor, Plot, Series
from flexframe.presentation.drawing import Drawing, drawing
from flexframe.presentation.mechanism_shapes import ball_radii, contact_parts, moment_parts, wheel_parts
from flexframe.presentation.scenes import ForceArrow, History, Link, LinkForm, Part, PartMotion, Scene, Trace
from flexframe.presentation.symbols import arrow, ball, spiral
from flexframe.sensors.contract import Marker

Curve: TypeAlias = tuple[str, Array]
FRAMES = 240
TRACES = 8
_GRAVITY = 0.12  # length of its arrow, in sizes of the motion
_BESIDE = 0.3  # its distance from all paths, so that its words stand beside them
SMALLEST_FORCE = 1e-9
"""Part of the largest force below which a joint gets no arrow."""


def shown_instants(count: int) -> IntArray:
    """The instants that a scene shows."""
    return np.unique(np.round(np.linspace(0, count - 1, min(count, FRAMES))).astype(np.int64))


def mechanism_scene(
    scene_id: str,
    motion: MechanismMotion,
    forces: MechanismForces | None = None,
    *,
    watched: Mapping[str, Marker] | None = None,
    displacements: Mapping[str, Array] | None = None,
    true_size: bool = False,
) -> Scene:
    """All bodies in motion with what they carry, springs between them, loads, and paths of points.

    Joint forces are drawn where they are known; `watched` are the markers of sensors, and `displacements` those of
    elastic bodies at the instants that are shown, (instants, nodes, 6) each, with rotation vectors.
    """
    kept = shown_instants(len(motion.times))
    shown = _Shown(motion, kept, displacements or {})
    size = _size(motion)
    parts, motions, balls = [_ground(motion, size)], [PartMotion()], ball_radii(motion)
    for k, body in enumerate(motion.mechanism.system.bodies):
        placed = _place_body(motion, body.name, kept)
        colour, radius = COLOURS[k % len(COLOURS)], balls.get(body.name, 0.0)
        drawn = body_parts(body, colour, size, true_size=true_size, radius=radius)
        deformed = (displacements or {}).get(body.name)
        if isinstance(drawn, Part) or deformed is None:
            new = (drawn,) if isinstance(drawn, Part) else drawn.parts
            motions += [placed] * len(new)
        else:
            new = drawn.parts
            motions += [replace(placed, displacements=u) for u in drawn.deform(deformed)]
        parts += new
    traces = (*_sensor_paths(shown, watched or {}), *_traces(shown))
    for symbol, carrier in (
        *_symbols(motion, size, traces),
        *((rings, owner) for owner, rings in _bushings(motion, size)),
    ):
        parts.append(symbol)
        motions.append(PartMotion() if carrier == GROUND else _place_body(motion, carrier, kept))
    for symbol, moved in moment_parts(motion, kept, shown.marker, size):
        parts.append(symbol)
        motions.append(moved)
    colours = {body.name: COLOURS[k % len(COLOURS)] for k, body in enumerate(motion.mechanism.system.bodies)}
    for name, outline in (*wheel_parts(motion, size, colours), *contact_parts(motion, size, colours)):
        parts.append(outline)
        motions.append(PartMotion() if name == GROUND else _place_body(motion, name, kept))
    return Scene(
        id=scene_id,
        parts=tuple(parts),
        content=History(
            times=motion.times[kept],
            motions=tuple(motions),
            arrows=(*(() if forces is None else _arrows(forces, kept)), *_force_arrows(shown)),
            traces=traces,
            links=_links(shown),
        ),
        title="Mechanism",
        displacement_unit="m",
        true_size=true_size,
        view="xy" if motion.mechanism.planar else "corner",
        caption="Arrows are the forces of the joints on their second body." if forces is not None else "",
    )


@dataclass(frozen=True, eq=False)
class _Shown:
    """A motion at the instants that are shown, with the displacements of elastic bodies (instants, nodes, 6)."""

    motion: MechanismMotion
    kept: IntArray
    displacements: Mapping[str, Array]

    def marker(self, name: str) -> Array:
        """Where a marker "body.point" is, on the deformed body: (instants, 3)."""
        owner, _, point = name.partition(".")
        if owner not in self.displacements or not point:
            return self.motion.marker(name)[0][self.kept]
        on = int(point) if point.isdigit() else point
        return self.point(owner, on, self.motion.mechanism.system.frame(name)[1].point)

    def axes(self, name: str) -> Array:
        """Axes that turn with a marker of a body: (instants, 3, 3)."""
        owner, _, point = name.partition(".")
        axes = self.motion.body(owner).rotations[self.kept]
        body = self.motion.mechanism.system.body(owner)
        if owner not in self.displacements or not point or not isinstance(body, Body):
            return axes
        nodes = body.selected_nodes(int(point) if point.isdigit() else point)
        return np.asarray(axes @ rotation_from_vector(self.displacements[owner][:, nodes, 3:].mean(axis=1)))

    def point(self, body: str, on: NodeSelection | None, place: Array) -> Array:
        """Where a place of a body is that follows some of its nodes: (instants, 3)."""
        moving = self.motion.body(body)
        if on is None or body not in self.displacements:
            return moving.point(place)[0][self.kept]
        meshed = self.motion.mechanism.system.body(body)
        assert isinstance(meshed, Body)
        moved = place + self.displacements[body][:, meshed.selected_nodes(on), :3].mean(axis=1)
        return np.asarray(
            moving.positions[self.kept] + np.einsum("tij,tj->ti", moving.rotations[self.kept], moved)
        )


def _place_body(motion: MechanismMotion, body: str, kept: IntArray) -> PartMotion:
    moving = motion.body(body)
    return PartMotion(moving.positions[kept], quaternion_from_rotation(moving.rotations[kept]))


def body_parts(
    body: RigidBody | Body, colour: str, size: float, *, true_size: bool = False, radius: float = 0.0
) -> Drawing | Part:
    """A body of a system of some size: its mesh with what it carries, a ball, or lines between its points."""
    if body.mesh is None:
        return drawn_rigid(body, colour, size, radius)
    lines_only = all(block.cell.dimension == 1 for block in body.mesh.blocks)
    return drawing(
        body.name,
        body.mesh,
        body if isinstance(body, Body) else None,
        colour=colour,
        radius=0.012 * size if lines_only else 0.0,
        pieces=FAR_BENT if true_size else PIECES,
        carried=("masses", "springs", "loads"),  # supports only say where its frame is
    )


def _size(motion: MechanismMotion) -> float:
    """Extent of the whole motion [m]."""
    places = motion.configuration.positions[:, :-1].reshape(-1, 3)
    return max(float(np.ptp(places, axis=0).max()), motion.mechanism.length)


def _ground(motion: MechanismMotion, size: float) -> Part:
    """A small triangle under every fixed point."""
    frames = [frame.point for frame in motion.mechanism.system.ground.values()]  # type: ignore[union-attr]  # frames
    frames = frames or [np.zeros(3)]
    down = (
        np.array([[0, 0, 0], [-0.6, -1, 0], [0.6, -1, 0]])
        if motion.mechanism.planar
        else np.array([[0, 0, 0], [-0.6, 0, -1], [0.6, 0, -1]])
    )
    nodes = np.concatenate([point + 0.04 * size * down for point in frames])
    first = 3 * np.arange(len(frames))
    lines = np.concatenate([np.stack([first + i, first + (i + 1) % 3], axis=1) for i in range(3)])
    return Part("ground", nodes, lines=lines.astype(np.int64), radius=0.003 * size, colour="grey")


def _bushings(motion: MechanismMotion, size: float) -> Iterator[tuple[str, Part]]:
    """Two rings about the first marker of every bushing, with the body that carries them."""
    angles = np.linspace(0.0, 2 * np.pi, 17)[:-1]
    circle = np.stack([np.cos(angles), np.sin(angles), np.zeros(16)], axis=1)
    first = np.arange(16)
    lines = np.stack([first, (first + 1) % 16], axis=1)
    for load in motion.mechanism.system.loads:
        if isinstance(load, Bushing):
            owner, frame = motion.mechanism.system.frame(load.first)
            rings = np.concatenate([0.02 * size * circle, 0.035 * size * circle]) @ frame.axes.T + frame.point
            both = np.concatenate([lines, lines + 16]).astype(np.int64)
            yield owner, Part(load.name, rings, lines=both, radius=0.002 * size, colour="green")


def drawn_rigid(body: RigidBody | Body, colour: str, size: float, radius: float = 0.0) -> Part:
    """Lines between the points of a rigid body; a ball of a radius or a small block where it has only one."""
    assert isinstance(body, RigidBody)
    points = [frame.point for frame in body.frames.values()]
    distinct: list[Array] = []
    for point in points:
        if not any(np.linalg.norm(point - other) < 1e-9 * size for other in distinct):
            distinct.append(point)
    if len(distinct) < 2 and radius:
        solid = ball(radius)
        centre = distinct[0] if distinct else body.centre
        return Part(body.name, solid.vertices + centre, triangles=solid.triangles, colour=colour)
    if len(distinct) < 2:
        return _block(body.name, distinct[0] if distinct else body.centre, 0.035 * size, colour)
    count = len(distinct)
    pairs = [(i, (i + 1) % count) for i in range(count if count > 2 else 1)]
    return Part(
        body.name, np.array(distinct), lines=np.array(pairs, dtype=np.int64), radius=0.012 * size, colour=colour
    )


def _block(name: str, centre: Array, half: float, colour: str) -> Part:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-0.7, 0.7) for z in (-0.7, 0.7)]) * half + centre
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    return Part(name, corners, triangles=np.array(triangles, dtype=np.int64), colour=colour)


def _arrows(forces: MechanismForces, kept: IntArray) -> tuple[ForceArrow, ...]:
    links = [force for force in forces.joints.values() if np.abs(force.force).max(initial=0.0) > 0]
    length = forces.motion.mechanism.length
    largest = max((max(np.abs(f.force).max(), np.abs(f.moment).max() / length) for f in links), default=0.0)
    return tuple(
        ForceArrow(
            force.name, force.places[kept], force.force[kept], colour="red" if not force.drive else "purple"
        )
        for force in links
        if np.abs(force.force).max() > SMALLEST_FORCE * largest
    )


def _traces(shown: _Shown) -> tuple[Trace, ...]:
    """Paths of the joint places that move, each path once."""
    traces: list[Trace] = []
    motion = shown.motion
    for link in motion.mechanism.system.joints:
        for place in (link.second, link.first):
            points = shown.marker(place)
            known = any(np.abs(points - trace.points).max() < 1e-6 * motion.mechanism.length for trace in traces)
            if (
                not known
                and np.ptp(points, axis=0).max() > 1e-6 * motion.mechanism.length
                and len(traces) < TRACES
            ):
                traces.append(Trace(place, points))
    return tuple(traces)


def _sensor_paths(shown: _Shown, watched: Mapping[str, Marker]) -> tuple[Trace, ...]:
    """Paths of the points that sensors watch, each path once."""
    traces: list[Trace] = []
    for name, marker in watched.items():
        points = shown.point(marker.body, marker.on, marker.point)
        if not any(np.array_equal(points, trace.points) for trace in traces):
            traces.append(Trace(name, points))
    return tuple(traces)


def _force_arrows(shown: _Shown) -> tuple[ForceArrow, ...]:
    """Forces at markers over time, in axes of space; those that follow sensors are not known here."""
    arrows, motion, kept = [], shown.motion, shown.kept
    for load in motion.mechanism.system.loads:
        if not isinstance(load, MarkerForce):
            continue
        laws = [state_law(part) for part in (*load.force, 0.0, 0.0)[:3]]
        if any(map(follows_state, laws)):
            continue
        owner, _ = motion.mechanism.system.frame(load.on)
        vectors = np.stack([law.jet(motion.times[kept])[0] for law in laws], axis=1)
        if load.axes == "body" and owner != GROUND:
            vectors = np.einsum("tij,tj->ti", shown.axes(load.on), vectors)
        if vectors.any():
            arrows.append(ForceArrow(load.name, shown.marker(load.on), vectors, colour="orange"))
    return tuple(arrows)


def _symbols(motion: MechanismMotion, size: float, traces: Sequence[Trace]) -> Iterator[tuple[Part, str]]:
    """Gravity beside the motion, and torsion springs at their second marker, with the body that carries them."""
    system, gravity = motion.mechanism.system, motion.mechanism.gravity
    if gravity.any():
        places = np.concatenate(
            [motion.configuration.positions.reshape(-1, 3), *(trace.points for trace in traces)]
        )
        low, high = places.min(axis=0), places.max(axis=0)
        way = gravity / np.linalg.norm(gravity)
        start = np.array([low[0] - _BESIDE * size, high[1], high[2]])
        solid = arrow(start, way, _GRAVITY * size)
        label = f"gravity {np.linalg.norm(gravity):.4g} m/s²"
        yield (
            Part("gravity", solid.vertices, triangles=solid.triangles, colour="grey", symbol=True, label=label),
            GROUND,
        )
    for load in system.loads:
        if isinstance(load, TorsionSpring):
            owner, frame = system.frame(load.second)
            points = frame.point + spiral(vector3(load.axis, f"axis of {load.name}"), 0.03 * size)
            lines = np.stack([np.arange(len(points) - 1), np.arange(1, len(points))], axis=1)
            yield Part(load.name, points, lines=lines, colour="green", symbol=True, label=load.name), owner


def _links(shown: _Shown) -> tuple[Link, ...]:
    """Springs and dampers between markers that are apart, and massless rods."""
    system = shown.motion.mechanism.system
    links = []
    for item in (*system.loads, *system.joints):
        if isinstance(item, Spring | Rod):
            form: LinkForm = "rod"
            if isinstance(item, Spring):
                form = "spring" if not item.damped else "spring and damper" if item.elastic else "damper"
            first, second = (shown.marker(place) for place in (item.first, item.second))
            links.append(Link(item.name, first, second, form, colour="grey" if form == "rod" else "green"))
    return tuple(links)


def time_plot(scene: str, times: Array, curves: Sequence[Curve], *, title: str, label: str, unit: str) -> Plot:
    """Curves over time with a cursor that follows the scene."""
    kept = np.unique(np.round(np.linspace(0, len(times) - 1, min(len(times), 1500))).astype(np.int64))
    return Plot(
        x=Axis("time", "s"),
        y=Axis(label, unit),
        series=tuple(Series(name, times[kept], values[kept]) for name, values in curves),
        title=title,
        cursor=Cursor(scene, times[shown_instants(len(times))], times[shown_instants(len(times))]),
        height=300,
    )


def quantity_plot(scene: str, times: Array, curves: Sequence[Curve], title: str, unit: str) -> Plot:
    """Curves over time whose axis has the name of the plot."""
    return time_plot(scene, times, curves, title=title, label=title.lower(), unit=unit)

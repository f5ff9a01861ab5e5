"""Scenes drawn with matplotlib: mode shapes, a deformed body, a mechanism in a few positions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.presentation.presentation import sizes
from flexframe.presentation.scenes import History, Modes, Part, PartMotion, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEFORMATION = 0.1  # largest drawn displacement as a part of the body's size
FIELDS = "viridis"
POSITIONS = 12  # in which a mechanism is drawn
COLOURS = {
    "brown": "#8c6239",
    "grey": "#7f8790",
    "green": "#2a7f43",
    "orange": "#c8660f",
    "purple": "#7a4fb5",
    "red": "#c03a3a",
    "": "#7f8790",
}  # of symbols
FEW = 8  # points of a part whose paths are all drawn


def draw_scene(scene: Scene) -> "Axes | list[Axes]":
    """A panel for each mode, or one for a shape or a motion."""
    content = scene.content
    if isinstance(content, Modes):
        return _draw_modes(scene, content)
    if isinstance(content, History):
        return _draw_paths(scene, content)
    axes = _panels(scene.parts, 1)[0]
    moved = [
        np.zeros_like(p.vertices) if u is None else p.displaced(u, any_angle=True)
        for p, u in zip(scene.parts, content.displacement, strict=True)
    ]
    chosen = next((f for f in scene.fields if f.name.lower() == "von mises"), None)
    values = [sizes(u) for u in moved]
    unit, factor = scene.displacement_unit or "m", scene.displacement_factor
    values = [factor * size for size in values]
    name = f"displacement [{unit}]"
    if chosen is not None:
        known = zip(scene.parts, chosen.values, values, strict=True)
        values = [u if v is None else p.spread(v) for p, v, u in known]
        name = f"{chosen.name} [{chosen.unit}]"
    drawn = _draw_bodies(axes, scene.parts, moved, values)
    axes.figure.colorbar(drawn, ax=axes, label=name, shrink=0.8)
    bodies = [u for p, u in zip(scene.parts, content.displacement, strict=True) if u is not None and not p.symbol]
    largest = max((float(sizes(u[:, :3]).max(initial=0.0)) for u in bodies), default=0.0)
    axes.set_title(f"largest displacement {largest * factor:.4g} {unit}", fontsize="small")
    return axes


def _draw_modes(scene: Scene, content: Modes) -> list["Axes"]:
    """The shapes at the phase of their largest displacement, with their frequencies."""
    drawn = _panels(scene.parts, len(content.modes))
    for axes, mode in zip(drawn, content.modes, strict=False):
        shapes = [
            np.zeros_like(part.vertices) if u is None else _largest_phase(part.displaced(u))
            for part, u in zip(scene.parts, mode.displacement, strict=True)
        ]
        _draw_bodies(axes, scene.parts, shapes, [sizes(u) for u in shapes])
        axes.set_title(f"{mode.label}\n{mode.frequency}".strip(), fontsize="small")
    return drawn[: len(content.modes)]


def _largest_phase(shape: Any) -> Array:
    """Re(φ e^{iα}) with α such that the real part is largest: eigenvectors come with any phase."""
    angle = -0.5 * np.angle(np.sum(shape**2))
    return np.asarray((shape * np.exp(1j * angle)).real)


@dataclass(frozen=True, eq=False)
class _Deformed:
    """A part before and after, and the values that colour its nodes."""

    points: Array  # (nodes, 3)
    moved: Array  # (nodes, 3)
    triangles: IntArray  # (m, 3)
    lines: IntArray  # (n, 2)
    values: Array  # (nodes,)
    colour: str = ""  # of a symbol, which has no values


def _draw_bodies(axes: Any, parts: Sequence[Part], shapes: Sequence[Array], values: Sequence[Array]) -> Any:
    """Deformed parts, enlarged so that it is seen, over undeformed edges; returns what a colour bar needs."""
    bodies = [part for part in parts if not part.symbol]
    extent = float(np.ptp(np.concatenate([part.nodes for part in bodies]), axis=0).max()) or 1.0
    moving = [shape for part, shape in zip(parts, shapes, strict=True) if not part.symbol]
    largest = max(float(sizes(shape).max(initial=0.0)) for shape in moving)
    factor = DEFORMATION * extent / largest if largest > 0 else 0.0
    draw = _draw_space if axes.name == "3d" else _draw_plane
    drawn: Any = None
    shown = []
    for part, shape, own in zip(parts, shapes, values, strict=True):
        triangles = np.empty((0, 3), np.int64) if part.triangles is None else part.triangles
        lines = np.empty((0, 2), np.int64) if part.lines is None else part.lines
        rest = part.vertices
        body = _Deformed(
            rest, rest + factor * shape, triangles, lines, own, COLOURS[part.colour] if part.symbol else ""
        )
        found = draw(axes, body)
        drawn = found if drawn is None or not part.symbol else drawn
        shown += [body.points, body.moved]
    if axes.name == "3d":
        _fit_space(axes, np.concatenate(shown))
    return drawn


def _draw_plane(axes: Any, body: _Deformed) -> Any:
    points, moved, triangles = body.points, body.moved, body.triangles
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()
    if body.colour:
        return _draw_flat_symbol(axes, body)
    axes.triplot(points[:, 0], points[:, 1], triangles, color="0.8", linewidth=0.3)
    drawn = axes.tripcolor(moved[:, 0], moved[:, 1], triangles, body.values, shading="gouraud", cmap=FIELDS)
    axes.autoscale_view()
    return drawn


def _draw_flat_symbol(axes: Any, body: _Deformed) -> Any:
    """A symbol seen along z."""
    from matplotlib.collections import LineCollection, PolyCollection

    if len(body.triangles):
        drawn: Any = PolyCollection(
            list(body.moved[body.triangles][:, :, :2]), facecolors=body.colour, linewidths=0
        )
    else:
        drawn = LineCollection(list(body.moved[body.lines][:, :, :2]), colors=body.colour, linewidths=1)
    axes.add_collection(drawn)
    return drawn


def _draw_space(axes: Any, body: _Deformed) -> Any:
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    points, moved, triangles, lines = body.points, body.moved, body.triangles, body.lines
    if body.colour:
        shown = moved[triangles] if len(triangles) else moved[lines]
        symbol: Any = (
            Poly3DCollection(list(shown), facecolors=body.colour, shade=True, linewidths=0)
            if len(triangles)
            else Line3DCollection(list(shown), colors=body.colour, linewidths=1)
        )
        axes.add_collection3d(symbol)
        return symbol
    if len(triangles):
        drawn: Any = Poly3DCollection(list(moved[triangles]), linewidths=0)
        drawn.set_array(body.values[triangles].mean(axis=1))
        if len(lines):
            axes.add_collection3d(Line3DCollection(list(points[lines]), colors="0.8", linewidths=1))
    else:
        axes.add_collection3d(Line3DCollection(list(points[lines]), colors="0.8", linewidths=1))
        drawn = Line3DCollection(list(moved[lines]), linewidths=2.5)
        drawn.set_array(body.values[lines].mean(axis=1))
    drawn.set_cmap(FIELDS)
    axes.add_collection3d(drawn)
    return drawn


def _fit_space(axes: Any, points: Array) -> None:
    """Limits around points, with equal scales."""
    low, high = points.min(axis=0), points.max(axis=0)
    span = np.maximum(high - low, 0.05 * (high - low).max())
    middle = (low + high) / 2
    for limits, centre, width in zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), middle, span, strict=True):
        limits(centre - width / 2, centre + width / 2)
    axes.set_box_aspect(span)
    axes.set_axis_off()


def _panels(parts: Sequence[Part], count: int) -> list["Axes"]:
    from matplotlib import pyplot

    columns = max(min(count, 3), 1)
    rows = max(-(-count // columns), 1)
    _, axes = pyplot.subplots(
        rows,
        columns,
        figsize=(3.0 * max(columns, 2), 2.8 * rows if count > 1 else 4.0),
        subplot_kw={} if _is_plane(parts) else {"projection": "3d"},
        squeeze=False,
        layout="constrained",
    )
    flattened = list(axes.ravel())
    for unused in flattened[count:]:
        unused.set_axis_off()
    return flattened


def _is_plane(parts: Sequence[Part]) -> bool:
    """Whether bodies are drawn in their plane: plane cells, which do not leave it."""
    bodies = [part for part in parts if not part.symbol]
    points = np.concatenate([part.nodes for part in bodies])
    flat = float(np.ptp(points[:, 2])) <= 1e-12 * float(np.ptp(points, axis=0).max() or 1.0)
    return flat and all(part.triangles is not None and part.lines is None for part in bodies)


def _draw_paths(scene: Scene, content: History) -> "Axes":
    """Paths of the points of moving parts, seen along z, and the parts at a few instants."""
    from matplotlib import pyplot
    from matplotlib.collections import LineCollection

    _, axes = pyplot.subplots(figsize=(7.0, 3.2), layout="constrained")
    instants = np.unique(np.linspace(0, len(content.times) - 1, POSITIONS).astype(int))
    moving = [
        (p, m)
        for p, m in zip(scene.parts, content.motions, strict=True)
        if m.positions is not None and not p.symbol
    ]
    for link in content.links:
        for i in instants:
            seen = np.stack([link.first[i], link.second[i]])
            axes.plot(seen[:, 0], seen[:, 1], color="0.5", linewidth=0.8, linestyle=":", alpha=0.6)
    for number, (part, motion) in enumerate(moving):
        colour = f"C{number % 10}"
        segments = part.edges if part.lines is None else part.lines
        if segments is not None:
            seen = _placed(part, slice(None), motion, instants)[:, segments, :2].reshape(-1, 2, 2)
            axes.add_collection(LineCollection(list(seen), colors=colour, alpha=0.25, linewidths=1))
        for path in _end_paths(part, motion, np.arange(len(content.times))).swapaxes(0, 1):
            if np.ptp(path[:, :2], axis=0).max() > 0:
                axes.plot(path[:, 0], path[:, 1], color=colour, linewidth=1.4)
        axes.plot([], [], color=colour, label=part.name)
    names = [trace for trace in content.traces if np.ptp(trace.points[:, :2], axis=0).max() > 0]
    for trace in names:
        axes.plot(trace.points[:, 0], trace.points[:, 1], color="0.4", linewidth=0.8, linestyle="--")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel="x [m]", ylabel="y [m]")
    axes.autoscale_view()
    axes.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1.0))  # beside, where it covers nothing
    axes.grid(alpha=0.25)
    return axes


def _end_paths(part: Part, motion: PartMotion, instants: IntArray) -> Array:
    """Paths of a part that are drawn: of a few points all, of a small block its centre, else the outermost."""
    if len(part.nodes) <= FEW:
        every = _placed(part, slice(None), motion, instants)
        return every.mean(axis=1, keepdims=True) if part.lines is None else every
    outermost = np.array([np.argmin(part.nodes[:, 0]), np.argmax(part.nodes[:, 0])])
    return _placed(part, outermost, motion, instants)


def _placed(part: Part, nodes: IntArray | slice, motion: PartMotion, instants: IntArray) -> Array:
    """Nodes of a part in space: (instants, nodes, 3)."""
    assert motion.positions is not None
    points = np.broadcast_to(part.nodes[nodes], (len(instants), *part.nodes[nodes].shape))
    if motion.displacements is not None:
        points = points + motion.displacements[instants][:, nodes, :3]
    if motion.rotations is not None:
        points = np.einsum("tij,tpj->tpi", rotation_from_quaternion(motion.rotations[instants]), points)
    return np.asarray(motion.positions[instants][:, None, :] + points)

"""Figures and scenes of a presentation, drawn with matplotlib."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.presentation.blocks import Axis, Matrix, Plot, ReferenceLine, Series, VerticalLine
from flexframe.presentation.presentation import Bars, Figure, sizes
from flexframe.presentation.scenes import History, Modes, Part, PartMotion, Scene
from flexframe.presentation.units import SI, DisplayUnits, in_units

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
    axes = _scene_panels(scene.parts, 1)[0]
    moved = [
        np.zeros_like(p.vertices) if u is None else p.displace(u, any_angle=True)
        for p, u in zip(scene.parts, content.displacement, strict=True)
    ]
    chosen = next((f for f in scene.fields if f.name.lower() == "von mises"), None)
    values = [sizes(u) for u in moved]
    unit, factor = scene.displacement_unit or "m", scene.displacement_factor
    values = [factor * size for size in values]
    name = f"displacement [{unit}]"
    if chosen is not None:
        known = zip(scene.parts, chosen.values, values, strict=True)
        values = [u if v is None else p.spread_values(v) for p, v, u in known]
        name = f"{chosen.name} [{chosen.unit}]"
    drawn = _draw_bodies(axes, scene.parts, moved, values)
    axes.figure.colorbar(drawn, ax=axes, label=name, shrink=0.8)
    bodies = [u for p, u in zip(scene.parts, content.displacement, strict=True) if u is not None and not p.symbol]
    largest = max((float(sizes(u[:, :3]).max(initial=0.0)) for u in bodies), default=0.0)
    axes.set_title(f"largest displacement {largest * factor:.4g} {unit}", fontsize="small")
    return axes


def _draw_modes(scene: Scene, content: Modes) -> list["Axes"]:
    """The shapes at the phase of their largest displacement, with their frequencies."""
    drawn = _scene_panels(scene.parts, len(content.modes))
    for axes, mode in zip(drawn, content.modes, strict=False):
        shapes = [
            np.zeros_like(part.vertices) if u is None else _largest_phase(part.displace(u))
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


def _scene_panels(parts: Sequence[Part], count: int) -> list["Axes"]:
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
            seen = _place_nodes(part, slice(None), motion, instants)[:, segments, :2].reshape(-1, 2, 2)
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
        every = _place_nodes(part, slice(None), motion, instants)
        return every.mean(axis=1, keepdims=True) if part.lines is None else every
    outermost = np.array([np.argmin(part.nodes[:, 0]), np.argmax(part.nodes[:, 0])])
    return _place_nodes(part, outermost, motion, instants)


def _place_nodes(part: Part, nodes: IntArray | slice, motion: PartMotion, instants: IntArray) -> Array:
    """Nodes of a part in space: (instants, nodes, 3)."""
    assert motion.positions is not None
    points = np.broadcast_to(part.nodes[nodes], (len(instants), *part.nodes[nodes].shape))
    if motion.displacements is not None:
        points = points + motion.displacements[instants][:, nodes, :3]
    if motion.rotations is not None:
        points = np.einsum("tij,tpj->tpi", rotation_from_quaternion(motion.rotations[instants]), points)
    return np.asarray(motion.positions[instants][:, None, :] + points)


WIDTH, HEIGHT, LOW = 7.0, 3.2, 2.2  # inches of one panel; height of one among many
NAMES = 12  # curves that a legend still names
NAME_HEIGHT = 13.0  # of the name of a vertical line, in pixels of the screen
PALETTE = {"teal": "teal", "": None}  # other colours have the name that matplotlib gives them


def draw(figure: Figure, units: DisplayUnits = SI) -> "Axes | list[Axes]":
    """The axes of one thing, a list for several panels; numbers in the units of the reader."""
    figure = in_units(figure, units)
    match figure:
        case Plot():
            return _draw_plot(_panels(1)[0], figure)
        case Scene():
            return draw_scene(figure)
        case Bars():
            return _draw_bars(_panels(1)[0], figure)
        case ():
            return []
        case (Matrix(), *_):
            return _draw_matrices(tuple(block for block in figure if isinstance(block, Matrix)))
    plots = [block for block in figure if isinstance(block, Plot)]
    share = len({plot.x for plot in plots}) == 1
    drawn = _panels(len(plots), height=HEIGHT if len(plots) < 3 else LOW, share=share)
    for axes, plot in zip(drawn, plots, strict=True):
        _draw_plot(axes, plot)
        if share and axes is not drawn[-1]:
            axes.set_xlabel("")
    return drawn


def _panels(rows: int, columns: int = 1, *, height: float = HEIGHT, share: bool = False) -> list["Axes"]:
    """New axes, row by row."""
    from matplotlib import pyplot

    _, axes = pyplot.subplots(
        rows,
        columns,
        figsize=(WIDTH, height * rows),
        sharex="col" if share else False,
        squeeze=False,
        layout="constrained",
    )
    return list(axes.ravel())


def _draw_plot(axes: "Axes", plot: Plot) -> "Axes":
    """Curves, bands and lines across one pair of axes."""
    for series in plot.series:
        _draw_series(axes, series)
    for band in plot.bands:
        axes.fill_between(band.x, band.lower, band.upper, color=_colour(band.colour), alpha=0.15)
    axes.set(xlabel=_label(plot.x), ylabel=_label(plot.y))
    if plot.x.log:
        axes.set_xscale("log")
    if plot.y.log:
        axes.set_yscale("log")
    _set_limits(axes, plot)
    for line in plot.reference_lines:
        _draw_line(axes, line)
    _name_lines(axes, [line for line in plot.reference_lines if isinstance(line, VerticalLine) and line.words])
    axes.grid(alpha=0.25)
    if 1 <= len(plot.series) <= NAMES and any(series.name for series in plot.series):
        axes.legend(fontsize="small", loc="upper right")  # the best place takes long to find
    return axes


def _draw_series(axes: "Axes", series: Series) -> None:
    style = ("--" if series.dashed else "-") if series.line else ""
    marker = "" if series.line else "o"
    colour = _colour(series.colour)
    axes.plot(series.x, series.y, f"{marker}{style}", label=series.name, color=colour, linewidth=1.2, markersize=4)


def _draw_line(axes: "Axes", line: ReferenceLine | VerticalLine) -> None:
    """A line across the axes, whose limits stay."""
    if isinstance(line, VerticalLine):
        axes.axvline(line.x, color="grey", linestyle="--", linewidth=0.8)
    elif not line.slope:
        axes.axhline(line.intercept, color="tab:red", linestyle="--", linewidth=0.8)
    else:
        x, limits = np.array(axes.get_xlim()), axes.get_ylim()
        axes.plot(x, line.intercept + line.slope * x, ":", color="grey", linewidth=0.8)
        axes.set(xlim=x, ylim=limits)


def _name_lines(axes: "Axes", lines: Sequence[VerticalLine]) -> None:
    """The names of vertical lines along them, where they do not cover each other."""
    ends, last = axes.transData.transform([(line.x, 1.0) for line in lines])[:, 0] if lines else (), -np.inf
    for line, end in sorted(zip(lines, ends, strict=True), key=lambda pair: float(pair[1])):
        if end - last < NAME_HEIGHT:
            continue
        last = end
        axes.annotate(
            line.words,
            (line.x, 0.0),
            (2, 3),  # at the bottom: legends are at the top
            xycoords=axes.get_xaxis_transform(),
            textcoords="offset points",
            rotation=90,
            va="bottom",
            fontsize="x-small",
            color="grey",
            annotation_clip=True,
        )


def _set_limits(axes: "Axes", plot: Plot) -> None:
    """The limits that are given; axes of one unit with all of them given have one scale."""
    ends = [(plot.x.minimum, plot.x.maximum), (plot.y.minimum, plot.y.maximum)]
    axes.set_xlim(*ends[0])
    axes.set_ylim(*ends[1])
    if plot.x.unit == plot.y.unit and None not in (*ends[0], *ends[1]):
        axes.set_aspect("equal")


def _label(axis: Axis) -> str:
    return f"{axis.label} [{axis.unit}]".strip() if axis.unit else axis.label


def _colour(name: str) -> str | None:
    return name if name.startswith("#") else PALETTE.get(name, f"tab:{name}")


def _draw_bars(axes: "Axes", bars: Bars) -> "Axes":
    axes.barh(bars.labels, bars.values)
    axes.set(xlabel=_label(bars.axis), title=bars.title)
    return axes


def _draw_matrices(matrices: tuple[Matrix, ...]) -> list["Axes"]:
    """Every matrix as a field of colours, relative to its largest entry."""
    columns = min(len(matrices), 3)
    drawn = _panels(-(-len(matrices) // columns), columns, height=2.4)
    for axes, matrix in zip(drawn, matrices, strict=False):
        values: Any = np.asarray(matrix.values)
        axes.imshow(values / np.abs(values).max(), cmap="RdBu_r", vmin=-1, vmax=1)
        axes.set_title(matrix.name, fontsize="small")
    for axes in drawn:
        axes.set_axis_off()
    return drawn[: len(matrices)]

"""Figures of a presentation, drawn with matplotlib."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.presentation.blocks import Axis, Matrix, Plot, ReferenceLine, Series, VerticalLine
from flexframe.presentation.presentation import Bars, Figure
from flexframe.presentation.scene_figures import draw_scene
from flexframe.presentation.scenes import Scene
from flexframe.presentation.units import SI, DisplayUnits, in_units

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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

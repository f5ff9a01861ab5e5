"""What a report says, as plain records: sections of text, tables, plots and moving bodies.

A document knows nothing of HTML. Colours are names of the page's palette (`COLOURS`, which
follow the light and dark theme) or `#rrggbb`; an empty colour lets the page choose.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, ComplexArray, IntArray

COLOURS = ("blue", "orange", "green", "red", "purple", "teal", "brown", "grey")

Cell: TypeAlias = str | float | int | bool | None


@dataclass(frozen=True)
class Text:
    """Prose: paragraphs parted by blank lines, `**bold**`, `` `code` ``, and lists of `- ` or `1. `."""

    text: str


@dataclass(frozen=True)
class Notice:
    """A remark the reader must not miss; same light markup as `Text`."""

    level: Literal["info", "warning", "error"]
    text: str


@dataclass(frozen=True)
class KeyValue:
    """One headline figure; `note` is a small line under it."""

    label: str
    value: Cell
    unit: str = ""
    note: str = ""
    digits: int = 5


@dataclass(frozen=True)
class KeyValues:
    """A row of headline figures."""

    items: tuple[KeyValue, ...]


@dataclass(frozen=True)
class Column:
    """A table column; numbers are shown to `digits` significant digits."""

    header: str
    unit: str = ""
    digits: int = 5


@dataclass(frozen=True)
class Table:
    """Rows of cells under named columns; the reader can sort it and copy it as CSV."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows):
            _require(
                len(row) == len(self.columns),
                f"table row {number} has {len(row)} cells; give {len(self.columns)}, one per column",
            )


@dataclass(frozen=True)
class Matrix:
    """A small named matrix of numbers or formulas, with optional row and column labels."""

    name: str
    values: Array | Sequence[Sequence[float | str]]
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    unit: str = ""
    digits: int = 5
    caption: str = ""

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.values}
        _require(len(widths) == 1, f"matrix {self.name!r} has rows of different length; make it rectangular")
        for labels, count in ((self.row_labels, len(self.values)), (self.column_labels, widths.pop())):
            _require(
                not labels or len(labels) == count,
                f"matrix {self.name!r} has {len(labels)} labels; give {count} or none",
            )


@dataclass(frozen=True)
class Code:
    """Source text with line numbers, such as the case file."""

    text: str
    language: Literal["yaml", "python", "plain"] = "plain"
    caption: str = ""
    collapsed: bool = False


@dataclass(frozen=True)
class Axis:
    """A plot axis; limits left out follow the data."""

    label: str
    unit: str = ""
    log: bool = False
    minimum: float | None = None
    maximum: float | None = None


@dataclass(frozen=True)
class PointLinks:
    """What a click on each point of a series shows: a mode (−1: nothing) or a time of a scene."""

    scene: str
    modes: IntArray | None = None  # (points,)
    times: Array | None = None  # (points,) s


@dataclass(frozen=True)
class Series:
    """Points (x, y); a NaN interrupts the line."""

    name: str
    x: Array  # (points,)
    y: Array  # (points,)
    colour: str = ""
    line: bool = True
    markers: bool = False
    dashed: bool = False
    links: PointLinks | None = None

    def __post_init__(self) -> None:
        _check_colour(self.colour)
        _check_shape(self.y, self.x.shape, f"y of series {self.name!r}")
        if self.links is not None:
            for target in (self.links.modes, self.links.times):
                if target is not None:
                    _check_shape(target, self.x.shape, f"links of series {self.name!r}")


@dataclass(frozen=True)
class ReferenceLine:
    """y = intercept + slope x, across the whole plot (an engine order, a limit)."""

    label: str
    slope: float = 0.0
    intercept: float = 0.0


@dataclass(frozen=True)
class VerticalLine:
    """x = const, across the whole plot (a critical speed)."""

    label: str
    x: float


@dataclass(frozen=True)
class Band:
    """The area between two curves."""

    name: str
    x: Array  # (points,)
    lower: Array  # (points,)
    upper: Array  # (points,)
    colour: str = ""

    def __post_init__(self) -> None:
        _check_colour(self.colour)
        for bound in (self.lower, self.upper):
            _check_shape(bound, self.x.shape, f"bounds of band {self.name!r}")


@dataclass(frozen=True)
class Cursor:
    """A vertical line that follows a scene's time; `x` is the abscissa at each of `times`."""

    scene: str
    times: Array  # (instants,) s, increasing
    x: Array  # (instants,)

    def __post_init__(self) -> None:
        _check_shape(self.x, self.times.shape, "abscissae of a plot cursor")


@dataclass(frozen=True)
class Plot:
    """Curves over one pair of axes."""

    x: Axis
    y: Axis
    series: tuple[Series, ...]
    title: str = ""
    reference_lines: tuple[ReferenceLine | VerticalLine, ...] = ()
    bands: tuple[Band, ...] = ()
    cursor: Cursor | None = None
    caption: str = ""
    height: int = 380  # CSS pixels


@dataclass(frozen=True)
class Part:
    """A body of a scene: surface triangles, beam axes (`lines`, drawn as tubes), element outlines (`edges`)."""

    name: str
    nodes: Array  # (n, 3) m
    triangles: IntArray | None = None  # (m, 3)
    lines: IntArray | None = None  # (k, 2)
    edges: IntArray | None = None  # (e, 2); without them the page finds the sharp edges
    radius: float = 0.0  # of the tubes, m; 0: a thin line of constant width
    colour: str = ""

    def __post_init__(self) -> None:
        _check_colour(self.colour)
        count = len(self.nodes)
        _check_shape(self.nodes, (count, 3), f"nodes of part {self.name!r}")
        for what, cells, width in (
            ("triangles", self.triangles, 3),
            ("lines", self.lines, 2),
            ("edges", self.edges, 2),
        ):
            if cells is not None and len(cells):
                _check_shape(cells, (len(cells), width), f"{what} of part {self.name!r}")
                _require(
                    bool(cells.min() >= 0 and cells.max() < count),
                    f"{what} of part {self.name!r} name nodes outside 0…{count - 1}; correct the connectivity",
                )


@dataclass(frozen=True)
class Mode:
    """A shape shown as Re(u e^{iφ}); `displacement` has one (n, 3) array per part, or None where it rests."""

    label: str
    displacement: tuple[ComplexArray | Array | None, ...]
    frequency: str = ""
    group: str = ""


@dataclass(frozen=True)
class Modes:
    """The modes a scene lets the reader choose from, and the one it opens with."""

    modes: tuple[Mode, ...]
    first: int = 0


@dataclass(frozen=True)
class PartMotion:
    """A part along a history: r = position + R(rotation) (x + u)."""

    positions: Array | None = None  # (times, 3) m; None: at rest in the origin
    rotations: Array | None = None  # (times, 4) unit quaternions, scalar first; None: no rotation
    displacements: Array | None = None  # (times, n, 3) m, in the axes of the part


@dataclass(frozen=True)
class ForceArrow:
    """A vector that moves with time."""

    label: str
    origins: Array  # (times, 3) m
    vectors: Array  # (times, 3)
    unit: str = "N"
    colour: str = ""


@dataclass(frozen=True)
class Trace:
    """The path of a point."""

    name: str
    points: Array  # (times, 3) m
    colour: str = ""


@dataclass(frozen=True)
class History:
    """Motion over time, one `PartMotion` per part."""

    times: Array  # (times,) s, increasing
    motions: tuple[PartMotion, ...]
    arrows: tuple[ForceArrow, ...] = ()
    traces: tuple[Trace, ...] = ()


@dataclass(frozen=True)
class StaticShape:
    """One deformed shape, an (n, 3) displacement per part, or None where a part rests."""

    displacement: tuple[Array | None, ...]


@dataclass(frozen=True)
class ScalarField:
    """Nodal values for colour, per part (n,) or (modes or times, n), or None where a part has none."""

    name: str
    values: tuple[Array | None, ...]
    unit: str = ""


@dataclass(frozen=True)
class Scene:
    """Bodies in space; other blocks refer to it by `id`.

    `displacement_unit` empty: mode shapes of no particular size, coloured relative to their largest.
    `view` auto: along −z when bodies and motion are planar, else from a corner.
    """

    id: str
    parts: tuple[Part, ...]
    content: Modes | History | StaticShape
    title: str = ""
    fields: tuple[ScalarField, ...] = ()
    displacement_unit: str = ""
    view: Literal["auto", "xy", "corner"] = "auto"
    autoplay: bool = False
    caption: str = ""
    height: int = 460  # CSS pixels

    def __post_init__(self) -> None:
        counts = [len(part.nodes) for part in self.parts]
        frames = _check_content(self.content, counts)
        for field in self.fields:
            for count, values in _per_part(field.values, counts, f"field {field.name!r}"):
                if values is not None:
                    shape = (count,) if values.ndim == 1 else (frames, count)
                    _check_shape(values, shape, f"field {field.name!r} of scene {self.id!r}")


@dataclass(frozen=True)
class Row:
    """Blocks side by side where the page is wide enough."""

    blocks: tuple["Block", ...]


Block: TypeAlias = Text | Notice | KeyValues | Table | Matrix | Code | Plot | Scene | Row


@dataclass(frozen=True)
class Section:
    """A titled group of blocks, listed in the side navigation."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A whole report; `meta` are label and value pairs for its header."""

    title: str
    sections: tuple[Section, ...]
    case_name: str = ""
    version: str = ""
    meta: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        blocks = [block for section in self.sections for block in _flatten(section.blocks)]
        scenes: dict[str, Scene] = {}
        for block in blocks:
            if isinstance(block, Scene):
                _require(block.id not in scenes, f"two scenes are called {block.id!r}; give each its own id")
                scenes[block.id] = block
        for block in blocks:
            if isinstance(block, Plot):
                _check_links(block, scenes)


def _flatten(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Row):
            yield from _flatten(block.blocks)
        else:
            yield block


def _check_links(plot: Plot, scenes: dict[str, Scene]) -> None:
    """Every scene and mode that a plot points to exists."""
    links = [series.links for series in plot.series if series.links is not None]
    targets = [link.scene for link in links] + ([plot.cursor.scene] if plot.cursor else [])
    for target in targets:
        _require(target in scenes, f"plot {plot.title!r} points to scene {target!r}; add that scene")
    for link in links:
        content = scenes[link.scene].content
        if link.modes is not None and len(link.modes):
            _require(isinstance(content, Modes), f"scene {link.scene!r} has no modes to link to; link times")
            assert isinstance(content, Modes)
            _require(
                int(link.modes.max()) < len(content.modes),
                f"plot {plot.title!r} links to mode {link.modes.max()} of scene {link.scene!r}; "
                f"it has {len(content.modes)}, counted from 0",
            )


def _check_content(content: Modes | History | StaticShape, counts: list[int]) -> int:
    """Check the arrays of a scene against its parts; return its number of modes or instants."""
    if isinstance(content, Modes):
        for mode in content.modes:
            _check_displacement(mode.displacement, counts, f"mode {mode.label!r}")
        return len(content.modes)
    if isinstance(content, StaticShape):
        _check_displacement(content.displacement, counts, "static shape")
        return 1
    instants = len(content.times)
    for count, motion in _per_part(content.motions, counts, "history"):
        for what, values, shape in (
            ("positions", motion.positions, (instants, 3)),
            ("rotations", motion.rotations, (instants, 4)),
            ("displacements", motion.displacements, (instants, count, 3)),
        ):
            if values is not None:
                _check_shape(values, shape, f"{what} of a part motion")
    for arrow in content.arrows:
        _check_colour(arrow.colour)
        _check_shape(arrow.origins, (instants, 3), f"origins of arrow {arrow.label!r}")
        _check_shape(arrow.vectors, (instants, 3), f"vectors of arrow {arrow.label!r}")
    for trace in content.traces:
        _check_colour(trace.colour)
        _check_shape(trace.points, (instants, 3), f"points of trace {trace.name!r}")
    return instants


def _check_displacement(
    displacement: tuple[ComplexArray | Array | None, ...], counts: list[int], what: str
) -> None:
    for count, values in _per_part(displacement, counts, what):
        if values is not None:
            _check_shape(values, (count, 3), f"displacement of {what}")


def _per_part(values: tuple[Any, ...], counts: list[int], what: str) -> Iterator[tuple[int, Any]]:
    _require(len(values) == len(counts), f"{what} has {len(values)} entries; give {len(counts)}, one per part")
    return zip(counts, values, strict=True)


def _check_shape(values: NDArray[Any], shape: tuple[int, ...], what: str) -> None:
    found = np.shape(values)
    _require(found == shape, f"{what}: array of shape {found}; give shape {shape}")


def _check_colour(colour: str) -> None:
    _require(
        not colour or colour in COLOURS or re.fullmatch(r"#[0-9a-fA-F]{6}", colour) is not None,
        f"colour {colour!r} is not known; give #rrggbb or one of {', '.join(COLOURS)}",
    )


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise InputError(message)

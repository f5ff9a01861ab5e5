"""Moving and still bodies: parts of meshes with mode shapes, a history of motion, or one deformed shape."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.presentation.blocks import (
    Code,
    KeyValues,
    Matrix,
    Notice,
    Plot,
    Quality,
    Table,
    Text,
    check_colour,
    check_shape,
    require,
)


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
        check_colour(self.colour)
        count = len(self.nodes)
        check_shape(self.nodes, (count, 3), f"nodes of part {self.name!r}")
        for what, cells, width in (
            ("triangles", self.triangles, 3),
            ("lines", self.lines, 2),
            ("edges", self.edges, 2),
        ):
            if cells is not None and len(cells):
                check_shape(cells, (len(cells), width), f"{what} of part {self.name!r}")
                require(
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
                    check_shape(values, shape, f"field {field.name!r} of scene {self.id!r}")


@dataclass(frozen=True)
class Row:
    """Blocks side by side where the page is wide enough."""

    blocks: tuple["Block", ...]


Block: TypeAlias = Text | Notice | KeyValues | Quality | Table | Matrix | Code | Plot | Scene | Row


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
                check_shape(values, shape, f"{what} of a part motion")
    for arrow in content.arrows:
        check_colour(arrow.colour)
        check_shape(arrow.origins, (instants, 3), f"origins of arrow {arrow.label!r}")
        check_shape(arrow.vectors, (instants, 3), f"vectors of arrow {arrow.label!r}")
    for trace in content.traces:
        check_colour(trace.colour)
        check_shape(trace.points, (instants, 3), f"points of trace {trace.name!r}")
    return instants


def _check_displacement(
    displacement: tuple[ComplexArray | Array | None, ...], counts: list[int], what: str
) -> None:
    for count, values in _per_part(displacement, counts, what):
        if values is not None:
            check_shape(values, (count, 3), f"displacement of {what}")


def _per_part(values: tuple[Any, ...], counts: list[int], what: str) -> Iterator[tuple[int, Any]]:
    require(len(values) == len(counts), f"{what} has {len(values)} entries; give {len(counts)}, one per part")
    return zip(counts, values, strict=True)

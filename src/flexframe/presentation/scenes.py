"""Moving and still bodies: parts of meshes with mode shapes, a history of motion, or one deformed shape."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.maths.rotations import rotation_from_vector
from flexframe.presentation.blocks import (
    Code,
    KeyValues,
    Matrix,
    Notice,
    Plot,
    Quality,
    Table,
    Text,
    Words,
    check_colour,
    check_shape,
    require,
)

Number = TypeVar("Number", np.float64, np.complex128)
Count = TypeVar("Count")
LinkForm: TypeAlias = Literal["spring", "damper", "spring and damper", "rod"]


@dataclass(frozen=True)
class Skin:
    """Vertices around nodes, which follow them as rigid arms d: x = x_node + d and u = u_node + θ_node × d."""

    nodes: IntArray  # (v,) the node that each vertex follows
    offsets: Array  # (v, 3) m

    def after(self, count: int) -> "Skin":
        """The same with other nodes before its own."""
        return Skin(self.nodes + count, self.offsets)


@dataclass(frozen=True)
class Part:
    """A body of a scene: surface triangles, beam axes (`lines`, drawn as tubes), element outlines (`edges`).

    Cells count the nodes first, then the vertices of the skin. A part with a skin moves with displacements of six
    columns, the last three being rotations [rad]. A symbol (a support, a spring, a load, a point mass) is drawn in
    its own colour, can be hidden, and carries its label at its first node.
    """

    name: str
    nodes: Array  # (n, 3) m
    triangles: IntArray | None = None  # (m, 3)
    lines: IntArray | None = None  # (k, 2)
    edges: IntArray | None = None  # (e, 2); without them the page finds the sharp edges
    radius: float = 0.0  # of the tubes, m; 0: a thin line of constant width
    colour: str = ""
    skin: Skin | None = None
    symbol: bool = False
    label: str = ""

    def __post_init__(self) -> None:
        check_colour(self.colour)
        count = len(self.nodes)
        check_shape(self.nodes, (count, 3), f"nodes of part {self.name!r}")
        if self.skin is not None:
            check_shape(self.skin.offsets, (len(self.skin.nodes), 3), f"skin of part {self.name!r}")
            require(
                bool((self.skin.nodes >= 0).all() and (self.skin.nodes < count).all()),
                f"the skin of part {self.name!r} follows nodes outside 0…{count - 1}; correct its nodes",
            )
            count += len(self.skin.nodes)
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

    @property
    def vertices(self) -> Array:
        """Nodes, then the vertices of the skin: (vertices, 3)."""
        if self.skin is None:
            return self.nodes
        return np.concatenate([self.nodes, self.nodes[self.skin.nodes] + self.skin.offsets])

    @property
    def columns(self) -> int:
        """Of a displacement of the nodes: 6 with rotations, which move the skin, else 3."""
        return 3 if self.skin is None else 6

    def displace(self, values: NDArray[Number], *, any_angle: bool = False) -> NDArray[Number]:
        """Displacements of the vertices from those of the nodes (…, n, 3 or 6): (…, vertices, 3).

        The skin follows by θ × d, as shapes without a size do, or by (exp θ̃ − 1) d where sections really turn.
        """
        if self.skin is None:
            return values[..., :3]
        at = values[..., self.skin.nodes, :]
        if any_angle:
            R = rotation_from_vector(at[..., 3:].real)
            turned = np.einsum("...ij,...j->...i", R, self.skin.offsets) - self.skin.offsets
            return np.concatenate([values[..., :3], at[..., :3] + turned], axis=-2)
        return np.concatenate([values[..., :3], at[..., :3] + np.cross(at[..., 3:], self.skin.offsets)], axis=-2)

    def spread_values(self, values: Array) -> Array:
        """Values of the nodes (…, n) at the vertices: (…, vertices)."""
        return values if self.skin is None else np.concatenate([values, values[..., self.skin.nodes]], axis=-1)


@dataclass(frozen=True)
class Mode:
    """A shape shown as Re(u e^{iφ}); `displacement` has an (n, 3 or 6) array per part, or None where it rests."""

    label: str | Words
    displacement: tuple[ComplexArray | Array | None, ...]
    frequency: str | Words = ""
    group: str | Words = ""


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
    displacements: Array | None = None  # (times, n, 3 or 6) m and rad, in the axes of the part


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
class Link:
    """What joins two moving points: a spring, a damper, both side by side, or a bare rod."""

    name: str
    first: Array  # (times, 3) m
    second: Array  # (times, 3) m
    form: LinkForm = "spring"
    colour: str = ""


@dataclass(frozen=True)
class History:
    """Motion over time, one `PartMotion` per part."""

    times: Array  # (times,) s, increasing
    motions: tuple[PartMotion, ...]
    arrows: tuple[ForceArrow, ...] = ()
    traces: tuple[Trace, ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class StaticShape:
    """One deformed shape, an (n, 3 or 6) displacement per part, or None where a part rests."""

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
    `true_size`: displacements of a history are drawn as they are, not enlarged.
    `view` auto: along −z when bodies and motion are planar, else from a corner.
    """

    id: str
    parts: tuple[Part, ...]
    content: Modes | History | StaticShape
    title: str = ""
    fields: tuple[ScalarField, ...] = ()
    displacement_unit: str = ""
    displacement_factor: float = 1.0  # of metres, for the colour bar
    true_size: bool = False
    view: Literal["auto", "xy", "corner"] = "auto"
    autoplay: bool = False
    caption: str = ""
    height: int = 460  # CSS pixels

    def __post_init__(self) -> None:
        counts = [len(part.nodes) for part in self.parts]
        frames = _check_content(self.content, [(len(part.nodes), part.columns) for part in self.parts])
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


def _check_content(content: Modes | History | StaticShape, counts: list[tuple[int, int]]) -> int:
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
            ("displacements", motion.displacements, (instants, *count)),
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
    for link in content.links:
        check_colour(link.colour)
        check_shape(link.first, (instants, 3), f"first points of link {link.name!r}")
        check_shape(link.second, (instants, 3), f"second points of link {link.name!r}")
    return instants


def _check_displacement(
    displacement: tuple[ComplexArray | Array | None, ...], counts: list[tuple[int, int]], what: str
) -> None:
    for count, values in _per_part(displacement, counts, what):
        if values is not None:
            check_shape(values, count, f"displacement of {what}")


def _per_part(values: tuple[Any, ...], counts: Sequence[Count], what: str) -> Iterator[tuple[Count, Any]]:
    require(len(values) == len(counts), f"{what} has {len(values)} entries; give {len(counts)}, one per part")
    return zip(counts, values, strict=True)

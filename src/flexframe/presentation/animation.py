"""Moving pictures of a result as a file: GIF by Pillow, MP4 and WebM by the program ffmpeg."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.presentation.figures import COLOURS, DEFORMATION
from flexframe.presentation.presentation import sizes
from flexframe.presentation.scenes import Block, History, Modes, Part, Row, Scene

FORMATS = (".gif", ".mp4", ".webm")
_CODECS = {".mp4": "h264", ".webm": "libvpx-vp9"}  # WebM holds no other pictures than those of VP8, VP9 and AV1
RATE = 20  # pictures in a second
_LIGHT = np.array([0.3, -0.4, 0.87])  # towards the light, length 1
_MARGIN = 0.06  # around what moves, in its size
_DOTS = 110  # of an inch


@dataclass(frozen=True, eq=False)
class _Movie:
    """Vertices of all parts in every picture."""

    parts: tuple[Part, ...]
    vertices: tuple[Array, ...]  # (pictures, vertices, 3) for each part
    titles: tuple[str, ...]  # of each picture

    @property
    def corners(self) -> tuple[Array, Array]:
        """The box in which everything moves."""
        every = [points.reshape(-1, 3) for points in self.vertices]
        return np.min([p.min(axis=0) for p in every], axis=0), np.max([p.max(axis=0) for p in every], axis=0)


def moving_scenes(blocks: Sequence[Block]) -> Iterator[Scene]:
    """The scenes among the blocks in which something moves."""
    for block in blocks:
        if isinstance(block, Row):
            yield from moving_scenes(block.blocks)
        elif isinstance(block, Scene) and isinstance(block.content, History | Modes):
            yield block


def animate(scene: Scene, path: Path, *, seconds: float, mode: int, magnify: float | None) -> None:
    """Draw a scene in motion into a file; a mode swings twice in `seconds`, a history is played once."""
    from matplotlib import animation, pyplot

    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise InputError(f"'{path.name}' is no moving picture; give a name that ends with {', '.join(FORMATS)}")
    if not 0 < seconds <= 600:
        raise InputError(f"{seconds:g} s of a moving picture are asked for; give more than 0 and at most 600")
    if suffix != ".gif" and not animation.writers.is_available("ffmpeg"):
        raise InputError(
            f"{suffix[1:].upper()} is written by the program ffmpeg, which is not installed; install it, or give "
            "a name that ends with .gif or .html"
        )
    count = max(2, round(seconds * RATE))
    movie = (
        _swinging(scene, mode, count, magnify)
        if isinstance(scene.content, Modes)
        else _playing(scene, count, magnify)
    )
    figure, axes, flat = _stage(scene, movie)
    title = figure.text(0.02, 0.98, "", va="top", fontsize="small")
    drawn: list[Any] = []

    def picture(number: int) -> list[Any]:
        for old in drawn:
            old.remove()
        drawn[:] = _draw(axes, movie, number, flat=flat)
        title.set_text(movie.titles[number])
        return drawn

    made = animation.FuncAnimation(figure, picture, frames=count, blit=False)
    try:
        codec = _CODECS.get(suffix)  # GIF has none
        made.save(path, writer="ffmpeg" if codec else "pillow", fps=RATE, dpi=_DOTS, codec=codec)
    finally:
        pyplot.close(figure)


def _playing(scene: Scene, count: int, magnify: float | None) -> _Movie:
    """A history at evenly spread times, each the nearest of those that are known."""
    content = scene.content
    assert isinstance(content, History)
    wanted = np.linspace(content.times[0], content.times[-1], count)
    chosen = np.abs(content.times[:, None] - wanted).argmin(axis=0)
    vertices = []
    for part, motion in zip(scene.parts, content.motions, strict=True):
        points = np.broadcast_to(part.vertices, (count, *part.vertices.shape))
        if motion.displacements is not None:
            points = points + (magnify or 1.0) * part.displace(motion.displacements[chosen], any_angle=True)
        if motion.rotations is not None:
            points = np.einsum("tij,tpj->tpi", rotation_from_quaternion(motion.rotations[chosen]), points)
        if motion.positions is not None:
            points = points + motion.positions[chosen][:, None]
        vertices.append(np.asarray(points))
    return _Movie(scene.parts, tuple(vertices), tuple(f"t = {time:.4g} s" for time in content.times[chosen]))


def _swinging(scene: Scene, mode: int, count: int, magnify: float | None) -> _Movie:
    """Two periods of a mode, its largest displacement a tenth of the size of the bodies times `magnify`."""
    content = scene.content
    assert isinstance(content, Modes)
    if not 1 <= mode <= len(content.modes):
        raise InputError(f"there is no mode {mode}; give 1 to {len(content.modes)}", field="mode")
    shape = content.modes[mode - 1]
    moved = [
        np.zeros(part.vertices.shape, complex) if u is None else part.displace(u.astype(complex))
        for part, u in zip(scene.parts, shape.displacement, strict=True)
    ]
    bodies = [(part, u) for part, u in zip(scene.parts, moved, strict=True) if not part.symbol]
    size = float(np.ptp(np.concatenate([part.nodes for part, _ in bodies]), axis=0).max()) or 1.0
    largest = max(float(sizes(np.abs(u)).max(initial=0.0)) for _, u in bodies)
    factor = (magnify or 1.0) * DEFORMATION * size / largest if largest else 0.0
    turn = np.exp(2j * np.pi * np.arange(count) * 2 / count)[:, None, None]
    vertices = tuple(
        part.vertices + factor * np.asarray((u * turn).real) for part, u in zip(scene.parts, moved, strict=True)
    )
    title = f"{shape.label} {shape.frequency} {shape.group}".strip()
    return _Movie(scene.parts, vertices, (title,) * count)


def _stage(scene: Scene, movie: _Movie) -> tuple[Any, Any, bool]:
    """Axes with equal scales around everything; flat where it is seen along z."""
    from matplotlib import pyplot

    low, high = movie.corners
    size = float((high - low).max()) or 1.0
    bodies = [points for part, points in zip(movie.parts, movie.vertices, strict=True) if not part.symbol]
    depth = max(float(np.ptp(points[..., 2])) for points in bodies)
    flat = scene.view == "xy" or (scene.view == "auto" and depth <= 1e-6 * size)
    low, high = low - _MARGIN * size, high + _MARGIN * size
    axes: Any
    if flat:
        figure, axes = pyplot.subplots(
            figsize=(7.2, float(np.clip(7.2 * (high - low)[1] / (high - low)[0], 2.4, 7.2)))
        )
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    else:
        figure, axes = pyplot.subplots(figsize=(7.2, 5.4), subplot_kw={"projection": "3d"})
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
        axes.set_box_aspect(np.maximum(high - low, 0.05 * size))
    axes.set_axis_off()
    figure.subplots_adjust(left=0.0, right=1.0, bottom=0.0, top=0.94 if flat else 1.0)
    return figure, axes, flat


def _draw(axes: Any, movie: _Movie, number: int, *, flat: bool) -> list[Any]:
    """All parts of one picture."""
    from matplotlib.collections import LineCollection, PolyCollection
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    drawn: list[Any] = []
    for k, (part, every) in enumerate(zip(movie.parts, movie.vertices, strict=True)):
        points = every[number]
        colour = COLOURS[part.colour] if part.symbol else f"C{k % 10}"
        if part.triangles is not None and len(part.triangles):
            corners = points[part.triangles]
            shades = _shade(colour, corners)
            drawn.append(
                PolyCollection(list(corners[..., :2]), facecolors=shades, edgecolors=shades, linewidths=0.3)
                if flat
                else Poly3DCollection(list(corners), facecolors=shades, edgecolors=shades, linewidths=0.3)
            )
        elif part.lines is not None and len(part.lines):
            ends = points[part.lines]
            width = 1.0 if part.symbol else 2.5
            drawn.append(
                LineCollection(list(ends[..., :2]), colors=colour, linewidths=width)
                if flat
                else Line3DCollection(list(ends), colors=colour, linewidths=width)
            )
    for shape in drawn:
        axes.add_collection(shape) if flat else axes.add_collection3d(shape)
    return drawn


def _shade(colour: str, corners: Array) -> Array:
    """A colour for every triangle (t, 3, 3), darker where it is turned away from the light."""
    from matplotlib.colors import to_rgb

    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.maximum(np.linalg.norm(normals, axis=1), np.finfo(float).tiny)
    bright = 0.62 + 0.38 * np.abs(normals @ _LIGHT) / lengths
    return np.clip(np.array(to_rgb(colour))[None] * bright[:, None], 0.0, 1.0)

"""Deformed bodies: modes and static shapes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.mesh import Mesh
from flexframe.results.figures.panels import sizes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from flexframe.results.records import Modes, Statics

DEFORMATION = 0.1  # largest drawn displacement as a part of the body's size
COLOURS = "viridis"


def plot_modes(modes: "Modes", *, count: int = 6) -> list["Axes"]:
    """The first shapes at the phase of their largest displacement, with their frequencies."""
    shown = min(count, len(modes.eigenvalues))
    axes = _scenes(modes.mesh, shown)
    for i, one in enumerate(axes[:shown]):
        moved = _largest_phase(modes.shapes[i, :, :3])
        draw_body(one, modes.mesh, moved, sizes(moved))
        label = f"\n{modes.labels[i]}" if modes.labels[i] else ""
        one.set_title(f"{i + 1}: {modes.frequencies_hz[i]:.6g} Hz{label}", fontsize="small")
    return axes[:shown]


def plot_statics(statics: "Statics") -> "Axes":
    """The deformed body, coloured by von Mises stress where it is known at the nodes, else by displacement."""
    axes = _scenes(statics.mesh, 1)[0]
    moved = statics.displacements[:, :3]
    stress = statics.nodal_stress.get("von_mises")
    name, values = ("displacement [m]", sizes(moved)) if stress is None else ("von Mises stress [Pa]", stress)
    drawn = draw_body(axes, statics.mesh, moved, values)
    axes.figure.colorbar(drawn, ax=axes, label=name, shrink=0.8)
    largest = sizes(moved).max(initial=0.0)
    axes.set_title(f"largest displacement {largest:.4g} m", fontsize="small")
    return axes


@dataclass(frozen=True, eq=False)
class _Deformed:
    """A mesh before and after, what is seen of it, and the values that colour its nodes."""

    points: Array  # (nodes, 3)
    moved: Array  # (nodes, 3)
    triangles: IntArray  # of plane cells and surfaces: (m, 3)
    lines: IntArray  # of beams and bars: (n, 2)
    values: Array  # (nodes,)


def draw_body(axes: "Axes", mesh: Mesh, displacements: Array, values: Array) -> Any:
    """A deformed mesh, enlarged so that it is seen, over its undeformed edges; returns what a colour bar needs."""
    points = mesh.points
    extent = float(np.ptp(points, axis=0).max()) or 1.0
    largest = sizes(displacements).max(initial=0.0)
    moved = points + displacements * (DEFORMATION * extent / largest if largest > 0 else 0.0)
    triangles = mesh.surface_triangles()
    lines = np.concatenate(
        [np.empty((0, 2), np.int64), *(block.nodes[:, :2] for block in mesh.blocks if block.cell.dimension == 1)]
    )
    body = _Deformed(points, moved, triangles, lines, values)
    return _draw_space(axes, body) if axes.name == "3d" else _draw_plane(axes, body)


def _draw_plane(axes: Any, body: _Deformed) -> Any:
    from matplotlib.collections import LineCollection

    points, moved, triangles, lines = body.points, body.moved, body.triangles, body.lines
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()
    if len(triangles):
        axes.triplot(points[:, 0], points[:, 1], triangles, color="0.8", linewidth=0.3)
        drawn = axes.tripcolor(moved[:, 0], moved[:, 1], triangles, body.values, shading="gouraud", cmap=COLOURS)
    else:
        axes.add_collection(LineCollection(list(points[lines][:, :, :2]), colors="0.8", linewidths=1))
        drawn = LineCollection(
            list(moved[lines][:, :, :2]), array=body.values[lines].mean(axis=1), cmap=COLOURS, linewidths=2.5
        )
        axes.add_collection(drawn)
    axes.autoscale_view()
    return drawn


def _draw_space(axes: Any, body: _Deformed) -> Any:
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    points, moved, triangles, lines = body.points, body.moved, body.triangles, body.lines
    if len(triangles):
        drawn: Any = Poly3DCollection(list(moved[triangles]), linewidths=0)
        drawn.set_array(body.values[triangles].mean(axis=1))
    else:
        axes.add_collection3d(Line3DCollection(list(points[lines]), colors="0.8", linewidths=1))
        drawn = Line3DCollection(list(moved[lines]), linewidths=2.5)
        drawn.set_array(body.values[lines].mean(axis=1))
    drawn.set_cmap(COLOURS)
    axes.add_collection3d(drawn)
    both = np.concatenate([points, moved])
    low, high = both.min(axis=0), both.max(axis=0)
    span = np.maximum(high - low, 0.05 * (high - low).max())
    middle = (low + high) / 2
    for limits, centre, width in zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), middle, span, strict=True):
        limits(centre - width / 2, centre + width / 2)
    axes.set_box_aspect(span)
    axes.set_axis_off()
    return drawn


def _scenes(mesh: Mesh, count: int) -> list["Axes"]:
    from matplotlib import pyplot

    columns = min(count, 3)
    rows = -(-count // columns)
    flat = _is_plane(mesh)
    _, axes = pyplot.subplots(
        rows,
        columns,
        figsize=(3.0 * max(columns, 2), 2.8 * rows if count > 1 else 4.0),
        subplot_kw={} if flat else {"projection": "3d"},
        squeeze=False,
        layout="constrained",
    )
    flattened = list(axes.ravel())
    for unused in flattened[count:]:
        unused.set_axis_off()
    return flattened


def _is_plane(mesh: Mesh) -> bool:
    """Whether a body is drawn in its plane: plane cells, which do not leave it."""
    flat = float(np.ptp(mesh.points[:, 2])) <= 1e-12 * float(np.ptp(mesh.points, axis=0).max() or 1.0)
    return flat and all(block.cell.dimension == 2 for block in mesh.blocks)


def _largest_phase(shape: Any) -> Array:
    """Re(φ e^{iα}) with α such that the real part is largest: eigenvectors come with any phase."""
    angle = -0.5 * np.angle(np.sum(shape**2))
    return np.asarray((shape * np.exp(1j * angle)).real)

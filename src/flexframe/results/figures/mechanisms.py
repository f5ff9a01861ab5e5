"""Mechanisms: paths of their points and a few positions of the links."""

from typing import TYPE_CHECKING

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.mechanisms.motion import MechanismMotion
from flexframe.model.body import Body
from flexframe.results.figures.panels import one_panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POSITIONS = 12


def plot_paths(motion: MechanismMotion, *, axes: "Axes | None" = None) -> "Axes":
    """Paths of the bodies' points, seen along z, and the bodies at a few instants."""
    axes = one_panel(axes)
    instants = np.unique(np.linspace(0, len(motion.times) - 1, POSITIONS).astype(int))
    for number, body in enumerate(motion.mechanism.system.bodies):
        colour = f"C{number % 10}"
        outline = _outline(motion, body.name)
        for i in instants:
            axes.plot(outline[i, :, 0], outline[i, :, 1], color=colour, alpha=0.25, linewidth=1)
        for corner in range(outline.shape[1]):
            path = outline[:, corner, :2]
            if np.ptp(path, axis=0).max() > 0:
                axes.plot(path[:, 0], path[:, 1], color=colour, linewidth=1.4)
        axes.plot([], [], color=colour, label=body.name)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel="x [m]", ylabel="y [m]")
    axes.legend(fontsize="small")
    axes.grid(alpha=0.25)
    return axes


def _outline(motion: MechanismMotion, name: str) -> Array:
    """Points of a body in space: its named points, or the ends of its mesh: (instants, points, 3)."""
    body = next(b for b in motion.mechanism.system.bodies if b.name == name)
    if isinstance(body, Body):
        points = body.mesh.points
        low, high = points[np.argmin(points[:, 0])], points[np.argmax(points[:, 0])]
        local = np.stack([low, high])
    else:
        local = np.array([frame.point for frame in body.frames.values()] or [np.zeros(3)], dtype=float)
    moved = motion.body(name)
    return moved.positions[:, None, :] + np.einsum("tij,pj->tpi", moved.rotations, local)

"""A robot arm of two elastic links whose drives are locked."""

import numpy as np

import flexframe as ff

SECTION = ff.Rectangle(width=0.03, height=0.012)


def link(name: str, length: float, tip: float) -> ff.Body:
    """An aluminium beam with a motor or a hand at its end."""
    beam = ff.Body.beam(name, length=length, divisions=6, section=SECTION, material=ff.ALUMINIUM)
    return ff.Body(name, beam.mesh, beam.regions, point_masses=(ff.PointMass("end", tip, (1e-3, 1e-3, 1e-3)),))


def locked_arm(*, angle: float = 0.6, free_shoulder: bool = False) -> ff.System:
    """Shoulder and elbow held by their drives, the elbow bent; no gravity.

    With a free shoulder it has no drive, so that the arm can turn as a whole.
    """
    upper, lower = link("upper", 0.6, 0.8), link("lower", 0.5, 0.5)
    drives = [ff.AngleDrive("elbow drive", "upper.end", "lower.start", angle)]
    if not free_shoulder:
        drives.append(ff.AngleDrive("shoulder drive", "ground", "upper.start", 0.3))
    at = np.array([0.6 * np.cos(0.3), 0.6 * np.sin(0.3), 0.0])
    return ff.System(
        [upper, lower],
        [ff.Revolute("shoulder", "ground", "upper.start"), ff.Revolute("elbow", "upper.end", "lower.start")],
        drives,
        start={"upper": ff.Placement(rotation=0.3), "lower": ff.Placement(at, 0.3 + angle)},
    )

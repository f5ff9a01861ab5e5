"""The shells that `flexframe verify large-motions-swept-blade` refers to, once more on a coarser mesh."""

from dataclasses import replace

import numpy as np
import pytest

import flexframe as ff
from flexframe.mesh.builders import rectangle
from flexframe.verification.large_motions import SWEPT

EDGE = np.array(
    [0.0, 0.01, 0.025, 0.05, 0.09, 0.16, 0.28, 0.5]
)  # in, within the thickness first: torsion ends there
MITRE = 2.0  # in from the corner within which the lines across the blade turn


def swept_shells(sweep: float) -> ff.Body:
    """A strip 1 in wide, bent in its plane by `sweep` [rad] 31.5 in from its clamp, two elements for an inch."""
    across = np.concatenate([EDGE, 1 - EDGE[-2::-1]])
    straight, tip = 63, 12
    mesh = rectangle(1.0, 1.0, (straight + tip, len(across) - 1), order=1)
    u, v = mesh.points[:, :2].T
    s = np.rint(u * (straight + tip)) / 2
    past = np.maximum(s - 31.5, 0.0)
    # lines across are normal to the blade, but for a mitre at the corner
    slant = np.where(s <= 31.5, -1, 1) * sweep / 2 * np.clip(1 - np.abs(s - 31.5) / MITRE, 0, 1)
    turned = slant - np.where(s <= 31.5, 0.0, sweep)
    aside = (across[np.rint(v * (len(across) - 1)).astype(int)] - 0.5) / np.cos(slant)
    x = 2.5 + np.minimum(s, 31.5) + past * np.cos(sweep) - aside * np.sin(turned)
    y = -past * np.sin(sweep) + aside * np.cos(turned)
    points = np.column_stack([x, y, 0 * x])
    material = ff.Material(1.06e7, 0.325, 2.51e-4, idealised=True)
    return ff.Body.shell(
        "blade", replace(mesh, points=points), thickness=0.063, material=material, supports=(ff.Clamp("left"),)
    )


def test_shells_of_the_swept_blade() -> None:
    """Flap at 750 rpm with 45° of sweep; four times as many elements change these frequencies by 3e-4."""
    spin = ff.FrameMotion.spin(750 * np.pi / 30, (0.0, 0.0, 1.0))
    found = ff.modes(swept_shells(np.pi / 4), spin, count=3).frequencies_hz
    assert found[[0, 2]] == pytest.approx(SWEPT[45][2], rel=6e-4)

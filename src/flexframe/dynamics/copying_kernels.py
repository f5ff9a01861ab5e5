"""Copies of arrays and of places in compiled loops."""

from typing import Any

from flexframe.dynamics.compiling import inner


@inner
def copy1(source: Any, target: Any) -> None:
    """target = source; loops compile faster than slices."""
    for i in range(len(source)):
        target[i] = source[i]


@inner
def copy2(source: Any, target: Any) -> None:
    """The same for matrices."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


@inner
def copy_place(source: Any, target: Any) -> None:
    """All positions; velocities are left alone."""
    copy2(source.positions, target.positions)
    copy2(source.quaternions, target.quaternions)
    copy2(source.deformation, target.deformation)
    copy1(source.angles, target.angles)

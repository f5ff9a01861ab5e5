"""Supports: homogeneous linear constraints on the displacements of nodes, in body axes."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.motion.frame import vector3

NodeSelection = str | int | tuple[float, ...]
"""A set name, a node number, or a point of the body whose nearest node is meant."""


class Support(Protocol):
    """Rows a·(ux, uy, uz, rx, ry, rz) = 0 that hold at every selected node."""

    @property
    def on(self) -> NodeSelection: ...

    def constraints(self) -> Array:
        """(constraints, 6)."""
        ...


@dataclass(frozen=True)
class Clamp(Described):
    """No displacement and no rotation."""

    on: NodeSelection

    def constraints(self) -> Array:
        return np.eye(6)


@dataclass(frozen=True)
class Pin(Described):
    """No displacement; rotations stay free."""

    on: NodeSelection

    def constraints(self) -> Array:
        return np.eye(6)[:3]


@dataclass(frozen=True)
class Roller(Described):
    """No displacement along `direction`."""

    on: NodeSelection
    direction: tuple[float, ...]

    def constraints(self) -> Array:
        normal = _unit(self.direction, "roller direction")
        return np.concatenate([normal, np.zeros(3)])[None]


@dataclass(frozen=True)
class Symmetric(Described):
    """A plane of symmetry: no displacement along its normal, no rotation about directions in the plane."""

    on: NodeSelection
    normal: tuple[float, ...]

    def constraints(self) -> Array:
        normal = _unit(self.normal, "symmetry normal")
        rows = np.zeros((4, 6))
        rows[0, :3] = normal
        rows[1:, 3:] = np.eye(3) - np.outer(normal, normal)
        return rows


@dataclass(frozen=True)
class Fix(Described):
    """The named degrees of freedom are zero, in body axes or along three unit vectors of their own."""

    on: NodeSelection
    dofs: tuple[str, ...]
    axes: tuple[tuple[float, ...], ...] | None = None

    def constraints(self) -> Array:
        unknown = [dof for dof in self.dofs if dof not in NODE_DOFS]
        if unknown:
            raise InputError(f"support holds '{unknown[0]}'; choose from {', '.join(NODE_DOFS)}")
        turned = np.eye(3) if self.axes is None else np.array(self.axes, dtype=float)
        if turned.shape != (3, 3) or not np.allclose(turned @ turned.T, np.eye(3), atol=1e-9):
            raise InputError("the axes of a support are not three unit vectors at right angles; give such")
        return np.kron(np.eye(2), turned)[[NODE_DOFS.index(dof) for dof in self.dofs]]


def _unit(direction: tuple[float, ...], what: str) -> Array:
    vector = vector3(direction, what)
    length = np.linalg.norm(vector)
    if length == 0:
        raise InputError(f"{what} has no length; give a vector other than zero")
    return np.asarray(vector / length)

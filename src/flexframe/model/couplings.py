"""Couplings of nodes with a reference node, and springs to the frame of the body."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.model.supports import NodeSelection
from flexframe.motion.frame import vector3

Vector = tuple[float, ...]


@dataclass(frozen=True)
class RigidCoupling(Described):
    """The nodes `on` follow the reference node as one rigid piece (RBE2).

    The reference gets three rotations if its elements have none. `dofs` are those of the nodes that follow.
    """

    reference: NodeSelection
    on: NodeSelection
    dofs: tuple[str, ...] = NODE_DOFS

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_dofs("rigid coupling", self.dofs)


@dataclass(frozen=True)
class MeanCoupling(Described):
    """The reference node moves with the mean of the nodes `on` (RBE3), which stay free to deform.

    Displacement and rotation are those of the rigid motion nearest to the nodes by weighted least squares, so a
    force and a moment on the reference spread over them. Weights are 1 for each node ("nodes"), or its share of
    the surface ("area", `on` a facet set), or `weights`, one for each node in the order of their numbers. `dofs`
    are those of the reference that are tied.
    """

    reference: NodeSelection
    on: NodeSelection
    dofs: tuple[str, ...] = NODE_DOFS
    weighting: Literal["nodes", "area"] = "nodes"
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_dofs("mean coupling", self.dofs)
        if self.weights is not None and not (np.array(self.weights) > 0).all():
            raise InputError("mean coupling: a weight is not positive; give positive weights")


Coupling = RigidCoupling | MeanCoupling


@dataclass(frozen=True)
class FrameSpring(Described):
    """A spring and damper from each selected node to the frame of the body, along and about the body axes.

    Units: N/m, N m/rad, N s/m, N m s/rad.
    """

    on: NodeSelection
    stiffness: Vector = (0.0, 0.0, 0.0)
    rotational_stiffness: Vector = (0.0, 0.0, 0.0)
    damping: Vector = (0.0, 0.0, 0.0)
    rotational_damping: Vector = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("stiffness", "damping"):
            if (self.values(name) < 0).any():
                raise InputError(f"spring: a {name} is negative; give values from zero up")

    def values(self, name: str) -> Array:
        """Stiffness or damping of the six degrees of freedom: (6,)."""
        along, about = getattr(self, name), getattr(self, f"rotational_{name}")
        return np.concatenate([vector3(along, f"spring {name}"), vector3(about, f"rotational spring {name}")])


def _require_dofs(what: str, dofs: tuple[str, ...]) -> None:
    unknown = [dof for dof in dofs if dof not in NODE_DOFS]
    if unknown or not dofs:
        raise InputError(f"{what}: dofs are {list(dofs)}; choose one or more of {', '.join(NODE_DOFS)}")

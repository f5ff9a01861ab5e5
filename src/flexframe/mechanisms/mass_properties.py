"""Mass, centre of mass and inertia of the bodies of a system."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import discretise
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.model.body import Body
from flexframe.model.rigid_body import RigidBody


@dataclass(frozen=True, eq=False)
class MassProperties:
    """Of each body, about the origin of its frame and in its axes."""

    mass: Array  # (bodies,)
    centre: Array  # (bodies, 3)
    inertia: Array  # (bodies, 3, 3)


def mass_properties(bodies: Sequence[RigidBody | Body]) -> MassProperties:
    """From numbers for rigid bodies, from mesh and density (undeformed) for elastic ones."""
    rows = [_of_mesh(body) if isinstance(body, Body) else _of_rigid(body) for body in bodies]
    masses, centres, inertias = zip(*rows, strict=True)
    return MassProperties(np.array(masses), np.array(centres), np.array(inertias))


def _of_rigid(body: RigidBody) -> tuple[float, Array, Array]:
    arm = skew(body.centre)
    return body.mass, body.centre, body.inertia - body.mass * arm @ arm


def _of_mesh(body: Body) -> tuple[float, Array, Array]:
    inertia = discretise(body).inertia
    return inertia.mass, inertia.centre_of_mass, inertia.inertia_tensor

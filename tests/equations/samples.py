"""Bodies and motions on which the affine equations are checked, and bounds of rounding."""

from dataclasses import replace
from functools import cache

import numpy as np
from tests.rounding import rounding

import flexframe as ff
from flexframe.assembly.discrete import DiscreteBody
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import block, rectangle
from flexframe.model.body import Damping
from flexframe.model.supports import FrameSpring

BODIES = ("beam", "plane", "solid")
TERMS = (
    ff.Terms(),
    ff.Terms(coriolis=0.7, euler=1.3, centrifugal=0.9, geometric=1.1),
    ff.Terms(0.0, 0.0, 0.0, 0.0),
    ff.Terms(geometric=0.0),
)


@cache
def body(name: str) -> DiscreteBody:
    """A clamped body with damping, a spring and damper to its frame, and a load."""
    clamp, steel = (ff.Clamp("start" if name == "beam" else "left"),), ff.STEEL
    load = (ff.NodeForce(1, (30.0, -20.0, 0.0 if name == "plane" else 10.0)),)
    if name == "beam":
        made = ff.Body.beam(
            name, length=0.6, divisions=3, section=ff.Rectangle(0.03, 0.02), material=steel, space="spatial"
        )
    elif name == "plane":
        made = ff.Body.plane(name, rectangle(0.3, 0.1, (3, 1), order=2), material=steel, thickness=0.01)
    else:
        made = ff.Body.solid(name, block((0.3, 0.1, 0.1), (2, 1, 1)), material=steel)
    spring = FrameSpring(1, stiffness=(1e4, 2e4, 0.0), damping=(3.0, 5.0, 0.0))
    return ff.discretise(
        replace(made, supports=clamp, loads=load, damping=Damping(mass=2.0, stiffness=1e-4), springs=(spring,))
    )


def motion(discrete: DiscreteBody, seed: int, *, steady: bool = False) -> ff.FrameMotion:
    """A motion in which no component that the body's space allows vanishes."""
    rng = np.random.default_rng(seed)
    omega, epsilon, velocity, a = (scale * rng.normal(size=3) for scale in (80.0, 4e3, 3.0, 200.0))
    if discrete.body.space == "planar":
        omega[:2] = epsilon[:2] = 0.0
        velocity[2] = a[2] = 0.0
    return ff.FrameMotion(omega, 0 * epsilon if steady else epsilon, velocity, a)


def assert_equal(found: Array, wanted: Array, size: Array | float, operations: float = 100) -> None:
    """Entries differ by no more than the rounding of sums whose terms have this size."""
    assert np.shape(found) == np.shape(wanted)
    assert (np.abs(found - wanted) <= rounding(operations) * size).all()


def dense(matrix) -> Array:
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()

"""Elements, motions and bodies that the tests of the formalisms share."""

from dataclasses import replace

import numpy as np
from tests.contracts.samples import distorted_element, element_batch

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.contract import ElementBatch, Family
from flexframe.elements.integration import inertia_points, stiffness
from flexframe.elements.properties import STEEL, Rectangle
from flexframe.formalisms.contract import ElementEquations, ElementState, MovingElements
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.loads import NodeForce
from flexframe.model.supports import Clamp
from flexframe.motion.frame import FrameMotion


def moving(batch: ElementBatch, rng: np.random.Generator) -> MovingElements:
    """A batch with its own stiffness, some damping and a random load."""
    points = inertia_points(batch)
    size = batch.element_dofs
    k = stiffness(batch).transpose(0, 1, 3, 2, 4).reshape(-1, size, size)
    load = rng.standard_normal((batch.count, size))
    return MovingElements(points.weights, points.positions, points.shape, k, 0.1 * k, load)


def family_element(family: Family, seed: int) -> MovingElements:
    """One distorted element of a family, anywhere in space."""
    rng = np.random.default_rng(seed)
    return moving(element_batch(family, distorted_element(family, rng)), rng)


def random_elements(
    rng: np.random.Generator, *, elements: int = 2, points: int = 7, size: int = 5
) -> MovingElements:
    """Mass points and shape matrices without any pattern; stiffness positive definite, no damping."""
    root = rng.standard_normal((elements, size, size))
    return MovingElements(
        rng.uniform(0.5, 1.5, (elements, points)),
        rng.standard_normal((elements, points, 3)),
        rng.standard_normal((elements, points, 3, size)),
        root @ root.swapaxes(1, 2) + np.eye(size),
        np.zeros((elements, size, size)),
        rng.standard_normal((elements, size)),
    )


def random_motion(rng: np.random.Generator, *, steady: bool = False, planar: bool = False) -> FrameMotion:
    """No component vanishes that can differ from zero."""
    omega, epsilon, v, a = rng.uniform(0.3, 1.5, (4, 3)) * rng.choice([-1, 1], (4, 3))
    if planar:
        omega[:2] = epsilon[:2] = v[2] = a[2] = 0
    return FrameMotion(omega, 0 * epsilon if steady else epsilon, v, a)


def random_state(rng: np.random.Generator, elements: MovingElements) -> ElementState:
    """δ, δ̇, δ̈ of order one."""
    return ElementState(*rng.standard_normal((3, elements.count, elements.size)))


def largest_difference(found: ElementEquations, expected: ElementEquations) -> float:
    """Of M, C, K, f, each over its own largest entry, after scaling to a unit diagonal of M."""
    scale = 1 / np.sqrt(np.abs(np.einsum("eii->ei", expected.mass)))  # negative where a cell is turned inside out
    both = scale[:, :, None] * scale[:, None, :]
    worst = 0.0
    for name, factor in (("mass", both), ("damping", both), ("stiffness", both), ("load", scale)):
        mine, reference = getattr(found, name) * factor, getattr(expected, name) * factor
        worst = max(worst, float(np.abs(mine - reference).max() / max(np.abs(reference).max(), 1e-300)))
    return worst


def blade(
    divisions: int = 4, *, space: str = "planar", force: tuple[float, ...] = (0.0, 2.0, 0.0)
) -> DiscreteBody:
    """A steel cantilever on a hub, pulled at its tip."""
    body = Body.beam(
        "blade",
        length=1.2,
        divisions=divisions,
        section=Rectangle(0.04, 0.01),
        material=STEEL,
        root=0.1,
        supports=(Clamp("start"),),
        loads=(NodeForce("end", force),) if any(force) else (),
        space=space,
    )
    return discretise(body)


def relative(found: Array, expected: Array) -> float:
    """Largest difference over the largest entry."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def stubby_arm() -> DiscreteBody:
    """A short soft beam in the plane: its lowest modes bend and stretch, so that Coriolis forces couple them."""
    rubber = replace(STEEL, young=2e7)
    section = Rectangle(0.06, 0.06)
    return discretise(
        Body.beam("arm", length=0.2, divisions=3, section=section, material=rubber, supports=(Clamp("start"),))
    )

"""Closed form, six routes, symbols, and second derivatives of positions give the same equations."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from tests.audit.moving_element import (
    Snapshot,
    planar_element,
    planar_motion,
    spatial_element,
    spatial_motion,
)
from tests.rounding import rounding

from flexframe.elements.contract import Family
from flexframe.elements.families import FAMILIES
from flexframe.formalisms.contract import ElementState, MovingElements
from flexframe.formalisms.formalism import Formalism
from flexframe.formalisms.hamilton import Hamilton
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.references import balance, closed_form, reference_energy
from flexframe.formalisms.registry import numeric_formalisms
from flexframe.motion.frame import FrameMotion

from .samples import family_element, largest_difference, random_elements, random_motion, random_state, relative

ROUTES = (*numeric_formalisms(), Hamilton("invariant"))
every_route = pytest.mark.parametrize(
    "route", ROUTES, ids=lambda f: f.name if getattr(f, "gauge", "natural") == "natural" else "hamilton_invariant"
)
every_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def _mass_condition(elements: MovingElements, motion: FrameMotion) -> float:
    """Constraint of the element masses scaled to a unit diagonal, the worst of all; inf without mass somewhere."""
    mass = closed_form(elements, motion).mass
    diagonal = np.einsum("eii->ei", mass)
    if diagonal.min() <= 0:
        return np.inf
    values = np.linalg.eigvalsh(mass / np.sqrt(diagonal[:, :, None] * diagonal[:, None, :]))
    return float((values[:, -1] / np.maximum(values[:, 0], 1e-300)).max())


@every_route
@every_family
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), planar=st.booleans())
def test_every_family_by_every_route(family: Family, route: Formalism, seed: int, planar: bool) -> None:
    """M, C, K, f of distorted elements in any motion: sums of at most a thousand products, to rounding.

    Canonical equations solve for velocities and lose the condition of the mass with it.
    """
    rng = np.random.default_rng(seed)
    elements = family_element(family, seed)
    steady = route.name == "whittaker"
    if steady:
        elements = MovingElements(*(getattr(elements, n) for n in ("weights", "positions", "shape", "stiffness")),  # type: ignore[call-arg]
                                  0 * elements.damping, elements.load)  # fmt: skip
    motion = random_motion(rng, steady=steady, planar=planar)
    condition = 10.0  # of the sums: positions of order one about an origin some lengths away
    if route.name in ("hamilton", "whittaker"):
        condition *= _mass_condition(elements, motion)
        if condition > 1e10:
            return
    assert route.refusal([motion], damped=False) is None
    made = route.element_equations(elements, motion, Work())
    assert largest_difference(made, closed_form(elements, motion)) < rounding(1000, condition)


@every_route
@pytest.mark.parametrize("seed", range(3))
def test_inertia_forces_are_those_of_positions(route: Formalism, seed: int) -> None:
    """∫ρNᵀr̈ + kδ − q with r̈ from a contour integral of positions, at states that obey nothing: 1e-12."""
    rng = np.random.default_rng(seed)
    elements, motion = random_elements(rng), random_motion(rng, steady=route.name == "whittaker")
    state = random_state(rng, elements)
    found = route.element_equations(elements, motion, Work()).residual(state)
    assert relative(found, balance(elements, motion, state)) < 1e-12


@every_route
def test_energy_is_that_of_positions(route: Formalism) -> None:
    """T, S, H and h at a random state from the velocities and accelerations of points: round-off, 1e-12."""
    rng = np.random.default_rng(5)
    elements, motion = random_elements(rng), random_motion(rng, steady=route.name == "whittaker")
    state = random_state(rng, elements)
    energy = route.energy(elements, motion, state)
    if route.name == "kane":
        assert energy is None
    else:
        assert energy == pytest.approx(reference_energy(route.energy_kind, elements, motion, state), rel=1e-12)


@every_route
@pytest.mark.parametrize("case", [(planar_element, planar_motion), (spatial_element, spatial_motion)],
                         ids=["planar", "spatial"])  # fmt: skip
def test_fifty_digits(route: Formalism, case: tuple[Callable, Callable]) -> None:
    """Generic motions differentiated with fifty digits; here everything is rounded to doubles once: 1e-12."""
    if route.name == "whittaker":
        return  # the motions are not steady
    with mp.workdps(50):
        snapshot = Snapshot(case[0](), case[1](), mpf(3) / 8)

        def numbers(values: object) -> np.ndarray:
            return np.vectorize(float)(np.asarray(values))

        def in_space(values: object) -> np.ndarray:
            flat = numbers(values)
            axes = snapshot.element.position.shape[1]
            if axes == 3:
                return flat
            return np.pad(flat, [(0, 0)] * (flat.ndim - 1) + [(0, 1)])

        shape = numbers(snapshot.element.shape)
        shape = np.pad(shape, [(0, 0), (0, 3 - shape.shape[1]), (0, 0)])
        elements = MovingElements(
            numbers(snapshot.element.weight)[None],
            in_space(snapshot.element.position)[None],
            shape[None],
            numbers(snapshot.element.stiffness)[None],
            np.zeros((1, shape.shape[-1], shape.shape[-1])),
            numbers(snapshot.applied)[None],
        )
        W, E = numbers(snapshot.W), numbers(snapshot.E)

        def axial(matrix: np.ndarray) -> list[float]:
            if len(matrix) == 2:
                return [0, 0, matrix[1, 0]]
            return [matrix[2, 1], matrix[0, 2], matrix[1, 0]]

        motion = FrameMotion(axial(W), axial(E), in_space(snapshot.v), in_space(snapshot.a))
        state = ElementState(*(numbers(x)[None] for x in (snapshot.d, snapshot.d1, snapshot.d2)))
        size = float(np.abs(numbers(snapshot.applied)).max())
    residual = route.element_equations(elements, motion, Work()).residual(state)
    assert np.abs(residual).max() < 1e-12 * size


@every_route
def test_velocity_of_the_origin_drops_out(route: Formalism) -> None:
    """A constant velocity added to v_O changes nothing; terms of size |ω||v| cancel: 1e-13 of them."""
    rng = np.random.default_rng(2)
    elements, motion = random_elements(rng), random_motion(rng, steady=route.name == "whittaker")
    boosted = FrameMotion(
        motion.angular_velocity,
        motion.angular_acceleration,
        motion.origin_velocity + np.array([100.0, -50.0, 70.0]),
        motion.origin_acceleration,
    )
    slow = route.element_equations(elements, motion, Work())
    fast = route.element_equations(elements, boosted, Work())
    for name in ("mass", "damping", "stiffness", "load"):
        difference = np.abs(getattr(slow, name) - getattr(fast, name)).max()
        assert difference < 1e-13 * 100 * np.abs(elements.shape).max() * np.abs(getattr(slow, name)).max()


@every_route
def test_symmetries(route: Formalism) -> None:
    """c and k(ε) skew, k(ω²) symmetric and not positive, to round-off of entries of order ten."""
    rng = np.random.default_rng(3)
    elements, motion = random_elements(rng).without_forces(), random_motion(rng, steady=True)
    made = route.element_equations(elements, motion, Work())
    assert np.abs(made.damping + made.damping.swapaxes(1, 2)).max() < 2e-12
    assert np.abs(made.stiffness - made.stiffness.swapaxes(1, 2)).max() < 2e-12
    assert np.linalg.eigvalsh(made.stiffness).max() < 2e-12
    if route.name != "whittaker":
        only_euler = FrameMotion(angular_acceleration=random_motion(rng).angular_acceleration)
        euler = route.element_equations(elements, only_euler, Work()).stiffness
        assert np.abs(euler + euler.swapaxes(1, 2)).max() < 1e-13


def test_work_is_counted_from_array_sizes() -> None:
    """∫ρLᵀR of 2 elements, 3 points, k = 4, l = 5: weights 72, products 360, additions 2·8·20, by hand."""
    work = Work()
    work.integral(np.ones((2, 3)), np.ones((2, 3, 3, 4)), np.ones((2, 3, 3, 5)))
    assert (work.multiplications, work.additions) == (2 * 9 * 4 + 2 * 9 * 4 * 5, 2 * 8 * 20)

"""Assembly in body axes or in global axes, and the trap of differentiating global components."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import block_diag, expm
from tests.contracts.samples import body_of, rigid_mesh
from tests.geometric import geometric_stiffness

from flexframe.assembly.discrete import discretise
from flexframe.assembly.pattern import assembled
from flexframe.elements.contract import Family, is_interpolated
from flexframe.elements.families import FAMILIES, family_named
from flexframe.equations.bodies import equations_of_motion
from flexframe.formalisms.bodies import assembled_equations
from flexframe.formalisms.formalism import Formalism
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.moving_elements import element_groups
from flexframe.formalisms.references import closed_form
from flexframe.formalisms.registry import numeric_formalisms
from flexframe.maths.arrays import Array
from flexframe.motion.frame import FrameMotion

from .samples import family_element, random_motion, random_state, relative

ROTATION = expm(np.array([[0.0, -0.4, 0.3], [0.4, 0.0, -0.7], [-0.3, 0.7, 0.0]]))
SOLIDS = [f for f in FAMILIES if is_interpolated(f) and f.cell.dimension != 2]


def _rotate(matrices: Array, blocks: int) -> Array:
    T = block_diag(*[ROTATION] * blocks)
    return np.asarray(T @ matrices @ T.T)


@pytest.mark.parametrize("family", SOLIDS, ids=lambda f: f.name)
@pytest.mark.parametrize("route", numeric_formalisms(), ids=lambda f: f.name)
def test_frozen_rotation_is_a_congruence(family: Family, route: Formalism) -> None:
    """The same element described in global axes: x, N, ω, ε, v, a turned by R, components δ_G = Rδ.

    Matrices are then T M Tᵀ, loads T f: the same assembly in other axes, 1e-12.
    """
    rng = np.random.default_rng(1)
    elements = family_element(family, 4)
    elements = elements.without_forces()
    motion = random_motion(rng, steady=True)
    nodes = elements.size // 3
    T = block_diag(*[ROTATION] * nodes)
    turned = replace(
        elements,
        positions=elements.positions @ ROTATION.T,
        shape=np.matmul(np.matmul(ROTATION, elements.shape), T.T),
    )
    motion_G = FrameMotion(
        *(ROTATION @ getattr(motion, n) for n in (
            "angular_velocity", "angular_acceleration", "origin_velocity", "origin_acceleration"))
    )  # fmt: skip
    here = route.element_equations(elements, motion, Work())
    there = route.element_equations(turned, motion_G, Work())
    for name in ("mass", "damping", "stiffness"):
        assert relative(getattr(there, name)[0], _rotate(getattr(here, name)[0], nodes)) < 1e-12
    assert relative(there.load[0], T @ here.load[0]) < 1e-12


@pytest.mark.parametrize("family", SOLIDS, ids=lambda f: f.name)
def test_total_derivatives_of_global_components_hold_all_frame_terms(family: Family) -> None:
    """With δ_G = T(t)δ differentiated twice, Tᵀ m_G δ̈_G = mδ̈ + 2cδ̇ + [k(ε) + k(ω²)]δ: adding c and k(…) again
    counts them twice. Round-off, 1e-12; the double count is a difference of order one."""
    rng = np.random.default_rng(2)
    elements = family_element(family, 5).without_forces()
    motion, state = random_motion(rng), random_state(rng, elements)
    made = closed_form(elements, motion)
    W, transport = motion.W, motion.E + motion.W @ motion.W
    d, v, a = (part.reshape(-1, 3) for part in (state.displacements, state.rates, state.accelerations))
    # Tᵀδ̈_G of δ_G = Rδ at R = 1
    second = (a + 2 * v @ W.T + d @ transport.T).ravel()
    total = made.mass[0] @ second
    right = (
        made.mass[0] @ state.accelerations[0]
        + made.damping[0] @ state.rates[0]
        + made.stiffness[0] @ state.displacements[0]
    )
    assert relative(total, right) < 1e-12
    twice = total + made.damping[0] @ state.rates[0] + made.stiffness[0] @ state.displacements[0]
    assert relative(twice, right) > 0.1


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.name)
def test_element_geometric_stiffness_sums_to_the_invariants(family: Family) -> None:
    """k_g of all elements from one static solution against the expansion in unit loads: 1e-9 of its largest entry.

    Static solutions of a sample mesh carry round-off times a condition number of about 1e4.
    """
    discrete = discretise(body_of(family, rigid_mesh(family)))
    motion = FrameMotion((0.3, -0.2, 0.9), (0.1, 0.4, -0.5), (1.0, 2.0, 3.0), (0.2, 0.3, -0.4))
    expected = geometric_stiffness(discrete, motion).toarray()
    total = 0.0
    for with_kg, without in zip(
        element_groups(discrete, motion), element_groups(discrete, motion, geometric=0.0), strict=True
    ):
        k_g = with_kg.elements.stiffness - without.elements.stiffness
        total = total + assembled(k_g, with_kg.numbers, discrete.dofs.count).toarray()
    assert relative(total, expected) < 1e-9


@pytest.mark.parametrize("route", numeric_formalisms(), ids=lambda f: f.name)
def test_assembled_equations_are_those_of_the_closed_form(route: Formalism) -> None:
    """M, C, K, f of a body of plane elements with loads: 1e-11 of the largest entry of each."""
    discrete = discretise(body_of(family_named("quadrilateral8"), rigid_mesh(family_named("quadrilateral8"))))
    motion = FrameMotion((0, 0, 0.9), (0, 0, 0.0 if route.name == "whittaker" else 0.5), (1, 2), (0.3, 0.4))
    made, reference = assembled_equations(route, discrete, motion), equations_of_motion(discrete, motion)
    assert relative(made.mass.toarray(), reference.mass.toarray()) < 1e-11
    assert relative(made.damping.toarray(), reference.damping.toarray()) < 1e-11
    assert relative(made.stiffness.toarray(), reference.stiffness.toarray()) < 1e-11
    assert relative(made.load, reference.load) < 1e-11

"""The core against an oracle that knows positions only, for random systems at random states."""

from functools import cache

import numpy as np
import pytest
from tests.rounding import rounding

from flexframe.formalisms.contract import SystemInstant
from flexframe.formalisms.formalism import Formalism
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.point_systems import point_system
from flexframe.formalisms.registry import numeric_formalisms
from flexframe.maths.arrays import Array
from flexframe.model.joints import Revolute, Rolling
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import accelerations_at, equations_at, evaluation_at, place_of
from flexframe.multibody.start import consistent_start, initial_state
from flexframe.multibody.system import dynamic_system

from .oracle import Oracle
from .random_systems import random_points, random_state, random_system, rigid

SUMS = rounding(1000)
"""Of the largest term: sums over 8 points and up to 18 coordinates of products of up to eight factors, twice.

Both sides make them, in orders of their own; that is below a thousand roundings of the largest term (2e-13).
"""

SEEDS = range(8)
CASES = [(seed, planar, True) for planar in (False, True) for seed in SEEDS] + [
    (1, False, False),
    (2, True, False),
]


@cache
def case(seed: int, planar: bool, geometric: bool) -> tuple[DynamicSystem, DynamicState, Oracle]:
    system, points = random_system(seed, planar=planar, geometric=geometric)
    state = random_state(system, seed)
    return system, state, Oracle(system, state, points)


def name_of(given: tuple[int, bool, bool]) -> str:
    seed, planar, geometric = given
    return f"{'planar' if planar else 'spatial'}{seed}{'' if geometric else ' linear'}"


every_case = pytest.mark.parametrize("given", CASES, ids=name_of)


def close(found: Array, expected: Array, *terms: Array) -> None:
    """Equal but for rounding of the largest term."""
    size = max(float(np.abs(part).max(initial=0.0)) for part in (expected, *terms))
    np.testing.assert_allclose(found, expected, rtol=0, atol=SUMS * max(size, 1.0))


@every_case
def test_mass_matrix(given: tuple[int, bool, bool]) -> None:
    system, state, oracle = case(*given)
    close(equations_at(system, state).mass, oracle.mass)


@every_case
def test_constraint_matrix_bias_and_gaps(given: tuple[int, bool, bool]) -> None:
    """Angles beside a half turn may end on either side of it; none of these states has one."""
    system, state, oracle = case(*given)
    found = equations_at(system, state)
    close(found.constraint, oracle.constraint)
    close(found.bias, oracle.bias)
    close(found.gap, oracle.gap)
    close(found.drive_rate, -oracle.targets[:, 1])


@every_case
def test_inertia_and_applied_forces(given: tuple[int, bool, bool]) -> None:
    """Terms are the weights of all bodies and the forces on one of them, some hundred newtons."""
    system, state, oracle = case(*given)
    found = equations_at(system, state)
    close(found.inertia_force, oracle.inertia_force)
    close(found.applied_force, oracle.applied_force, oracle.inertia_force)


@every_case
def test_residual(given: tuple[int, bool, bool]) -> None:
    """M x + h − Q − Aᵀλ at random x and λ."""
    system, state, oracle = case(*given)
    random = np.random.default_rng(7)
    x, multipliers = random.normal(size=system.size), random.normal(size=system.rows)
    evaluation = evaluation_at(system, state.time)
    evaluation.evaluate(place_of(system, state), state.time, x, multipliers, False)
    terms = (oracle.mass @ x, oracle.inertia_force, oracle.applied_force, oracle.constraint.T @ multipliers)
    expected = terms[0] + terms[1] - terms[2] - terms[3]
    close(evaluation.residual()[: system.size], expected, *terms)


@every_case
def test_energies_and_momenta(given: tuple[int, bool, bool]) -> None:
    """Energy, momentum and angular momentum as sensors read them."""
    system, state, oracle = case(*given)
    found = equations_at(system, state)
    close(np.array(found.kinetic_energy), np.array(oracle.kinetic_energy))
    close(np.array(found.potential_energy), np.array(oracle.potential_energy), np.array(oracle.kinetic_energy))
    evaluation = evaluation_at(system, state.time)
    evaluation.evaluate(place_of(system, state), state.time, np.zeros(system.size), np.zeros(system.rows), False)
    close(evaluation.measures()[3:], oracle.momenta)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_wheel_that_rolls(seed: int) -> None:
    """Height and slip of a rim, which no random system has."""
    points = random_points(np.random.default_rng(seed), 0, planar=False)
    joint = Rolling("roll", "ground", "wheel", 0.3, normal=(0.0, 1.0, 0.0), axis=(0.0, 0.0, 1.0))
    start = {"wheel": Placement(np.array([0.0, 0.3, 0.0]))}
    system = dynamic_system(System([rigid("wheel", points, {})], [joint], start=start, space="spatial"))
    state = random_state(system, seed)
    oracle, found = Oracle(system, state, [points]), equations_at(system, state)
    close(found.constraint, oracle.constraint)
    close(found.bias, oracle.bias)
    close(found.gap, oracle.gap)


def solution(oracle: Oracle) -> tuple[Array, Array, float]:
    """u̇ and λ of [M, −Aᵀ; A, 0] by a dense solution, and the condition of that matrix in scaled units."""
    M, A = oracle.mass, oracle.constraint
    n, rows = len(M), len(A)
    matrix = np.block([[M, -A.T], [A, np.zeros((rows, rows))]])
    right = np.concatenate([oracle.applied_force - oracle.inertia_force, -oracle.bias])
    unit = 1 / np.sqrt(np.diagonal(M))
    carried = 1 / np.sqrt(((A * unit) ** 2).sum(axis=1))
    scale = np.concatenate([unit, carried])
    scaled = matrix * np.outer(scale, scale)
    found = np.linalg.solve(scaled, scale * right)
    found += np.linalg.solve(scaled, scale * right - scaled @ found)
    return scale[:n] * found[:n], scale[n:] * found[n:], float(np.linalg.cond(scaled))


@every_case
def test_accelerations_and_multipliers(given: tuple[int, bool, bool]) -> None:
    """They meet the equations of the oracle to rounding of the terms, and its own solution by the condition."""
    system, state, oracle = case(*given)
    found = accelerations_at(system, state)
    x, multipliers = found.velocity_rate, found.multipliers
    M, A = oracle.mass, oracle.constraint
    terms = (M @ x, oracle.inertia_force, oracle.applied_force, A.T @ multipliers)
    sizes = [np.abs(M) @ np.abs(x), np.abs(A.T) @ np.abs(multipliers)]
    close(terms[0] + terms[1], terms[2] + terms[3], *sizes)
    close(A @ x, -oracle.bias, np.abs(A) @ np.abs(x))
    u_rate, forces, condition = solution(oracle)
    assert system.tables.slack == 0.0
    bound = rounding(len(M) + len(A), condition)
    np.testing.assert_allclose(x, u_rate, rtol=0, atol=bound * np.abs(u_rate).max())
    np.testing.assert_allclose(multipliers, forces, rtol=0, atol=bound * np.abs(forces).max(initial=1.0))


@pytest.mark.parametrize("formalism", numeric_formalisms(), ids=lambda formalism: formalism.name)
@pytest.mark.parametrize("planar", [False, True], ids=["spatial", "planar"])
def test_every_formalism_on_the_terms_of_the_oracle(formalism: Formalism, planar: bool) -> None:
    """Each takes Q, A and γ of the oracle, its own inertia of mass points, and ends at u̇ and Aᵀλ of the core.

    Their points come from second moments of the fields by an eigenvalue problem, whose rounding the condition of
    these moments magnifies, and some take numerical derivatives: 1e-9, as `crosscheck` asks for.
    """
    system, state, oracle = case(1, planar, True)
    assert formalism.system_refusal(system) is None or formalism.name == "whittaker"
    if formalism.system_refusal(system) is not None:
        return  # his theorem asks for coordinates, which rotations in space are not
    instant = point_system(system).at(state)
    given = SystemInstant(
        system=system,
        state=state,
        bodies=instant.bodies,
        places=instant.places,
        velocity=oracle.velocity,
        applied=oracle.applied_force,
        constraint=oracle.constraint,
        drive=-oracle.targets[:, 1],
        bias=oracle.bias,
        potential=oracle.potential_energy,
    )
    expected = formalism.system_motion(given, Work())
    found = accelerations_at(system, state)
    forces = oracle.constraint.T @ found.multipliers
    size = np.abs(oracle.mass) @ np.abs(found.velocity_rate)
    np.testing.assert_allclose(
        found.velocity_rate, expected.accelerations, rtol=0, atol=1e-9 * np.abs(found.velocity_rate).max()
    )
    np.testing.assert_allclose(forces, expected.joint_forces, rtol=0, atol=1e-9 * size.max())


@pytest.mark.parametrize("mass", [1.0, 1e-6, 1e-12, 0.0])
def test_a_link_without_mass_between_others(mass: float) -> None:
    """What it carries is no inertia of its own; against a dense solution of the same equations, condition 35."""
    end, axes = np.array([0.9, 0.1, 0.3]), [(0.3, 0.2, 1.0), (1.0, 0.5, 0.2), (0.1, 1.0, 0.4)]
    bodies = [
        RigidBody(name, m, m * np.diag([0.3, 0.4, 0.5]), np.array([0.1, 0.2, 0.05]), points={"end": end})
        for name, m in (("first", 1.0), ("link", mass), ("last", 1.0))
    ]
    markers = [("ground", "first"), ("first.end", "link"), ("link.end", "last")]
    joints = [Revolute(f"to {pair[1]}", *pair, axis=axis) for pair, axis in zip(markers, axes, strict=True)]
    start = {"link": Placement(end), "last": Placement(2 * end)}
    system = dynamic_system(System(bodies, joints, loads=[SystemGravity()], start=start, space="spatial"))
    state = consistent_start(system, initial_state(system))
    e, found = equations_at(system, state), accelerations_at(system, state)
    matrix = np.block([[e.mass, -e.constraint.T], [e.constraint, np.zeros((system.rows, system.rows))]])
    expected = np.linalg.solve(matrix, np.concatenate([e.applied_force - e.inertia_force, -e.bias]))
    both = np.concatenate([found.velocity_rate, found.multipliers])
    bound = rounding(len(both), float(np.linalg.cond(matrix)))
    np.testing.assert_allclose(both, expected, rtol=0, atol=bound * np.abs(expected).max())

"""What must hold of exact beams whatever the load: objectivity, path independence, exact tangents."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from tests.exact_beams.cantilevers import (
    CLAMP,
    Stiffness,
    beam_along,
    clamped,
    equilibria,
    exact_system,
    sections,
    straight,
)
from tests.rounding import rounding

from flexframe import _core
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import (
    quaternion_from_rotation,
    quaternion_product,
    rotation_from_quaternion,
    rotation_from_vector,
)
from flexframe.model.drives import AngleDrive, PositionDrive
from flexframe.model.joints import Cylindrical, Weld
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.multibody.contract import DynamicSystem
from flexframe.multibody.equations import move_place, place_of
from flexframe.multibody.equilibria.load_path import load_path
from flexframe.multibody.start import rigid_start
from flexframe.multibody.tables import Place

PROP = Stiffness(1e3, 400.0, 0.7, 1.0, 2.5).property()
TURN = rotation_from_vector(np.array([1.9, -0.8, 2.2]))
SHIFT = np.array([0.4, -1.3, 2.0])


def free_beam() -> DynamicSystem:
    return exact_system(System([beam_along(straight(1.0, 6), PROP)], space="spatial"))


def crooked(system: DynamicSystem, seed: int = 3) -> Place:
    """Sections anywhere and moving, neighbours apart by turns of about a radian."""
    random = np.random.default_rng(seed)
    place = place_of(system, rigid_start(system))
    place.velocities[:] = random.standard_normal(place.velocities.shape)
    return move_place(system, place, 0.4 * random.standard_normal(system.size))


def residual(system: DynamicSystem, place: Place, x: Array | None = None) -> Array:
    """Forces in axes of the sections."""
    evaluation = _core.Evaluation(system.compiled)
    given = np.zeros(system.size) if x is None else x
    evaluation.evaluate(place, 0.0, given, np.zeros(system.rows), False)
    return np.array(evaluation.residual())


def test_superposed_rigid_motion_changes_nothing() -> None:
    """Forces of strain and inertia in the axes of the sections, of any shape and motion, to rounding."""
    system = free_beam()
    here = crooked(system)
    turn = np.broadcast_to(quaternion_from_rotation(TURN), here.quaternions.shape)
    there = here._replace(
        positions=np.ascontiguousarray(SHIFT + here.positions @ TURN.T),
        quaternions=np.ascontiguousarray(quaternion_product(turn, here.quaternions)),
    )
    before, after = residual(system, here), residual(system, there)
    # positions are sums, and strains their differences over a sixth of the length
    assert np.abs(before).max() > 100
    assert after == pytest.approx(before, abs=rounding(100, 6 * np.abs(before).max()))


def test_rotated_cantilever_bends_alike() -> None:
    """Beam, clamp and loads turned together: the same shape, turned."""
    force, moment = np.array([-3.0, 4.0, 5.0]), np.array([1.0, -0.5, 0.8])
    found = []
    for Q in (np.eye(3), TURN):
        prop = replace(PROP, up=tuple(Q[:, 1]))
        body = beam_along(straight(1.0, 6, Q[:, 0]), prop)
        load = MarkerForce("load", "beam.end", tuple(Q @ force), tuple(Q @ moment))
        found.append(sections(equilibria(clamped(body, [load]))))
    straightened = found[1].places @ TURN
    assert np.linalg.norm(found[0].tip - [1.0, 0.0, 0.0]) > 0.5
    assert straightened == pytest.approx(found[0].places, abs=1e-10)  # last corrections are 1e-11 and below


def test_two_orders_of_loading_give_one_state() -> None:
    """The end is shifted and turned about a skew axis, one after the other and the other way round.

    A formulation that adds up rotations over steps depends on their order; here the state is the same to the
    last correction.
    """
    axis = (-0.3, 1.0, -0.5)
    hand = RigidBody("hand", 0.0, np.zeros((3, 3)))
    joints = [CLAMP, Weld("grip", "beam.end", "hand"), Cylindrical("guide", "ground.end", "hand", axis)]
    first, second = "sin(pi/2*min(t, 1))^2", "sin(pi/2*max(t - 1, 0))^2"
    ends = []
    for shift, turn in ((f"0.5*{first}", f"1.6*{second}"), (f"0.5*{second}", f"1.6*{first}")):
        system = exact_system(
            System(
                [beam_along(straight(1.0, 6), PROP), hand],
                joints,
                [
                    PositionDrive("push", "ground.end", "hand", shift, axis),
                    AngleDrive("twist", "ground.end", "hand", turn, axis),
                ],
                start={"hand": Placement((1.0, 0.0, 0.0))},
                ground={"end": (1.0, 0.0, 0.0)},
                space="spatial",
            )
        )
        state = rigid_start(system)
        for time in np.linspace(0.0, 2.0, 21):
            state = load_path(system, replace(state, time=float(time)), until=0.0).steps[-1].state
        ends.append(state)
    one, other = ends
    assert np.linalg.norm(one.positions[3] - [0.5, 0.0, 0.0]) > 0.1
    assert other.positions == pytest.approx(one.positions, abs=1e-9)
    assert rotation_from_quaternion(other.quaternions) == pytest.approx(
        rotation_from_quaternion(one.quaternions), abs=1e-9
    )


def test_corrections_converge_quadratically() -> None:
    """Each correction is the square of the one before, times a constant of order one over the stride of a step.

    Along the whole path of a cantilever that goes through half a turn in space.
    """
    load = MarkerForce("load", "beam.end", (0.0, 6.0, 3.0), (0.5, 0.0, 2.0))
    path = equilibria(clamped(beam_along(straight(1.0, 8), PROP), [load]))
    checked = 0
    for step in path.steps:
        for before, after in pairwise(step.corrections):
            if before < 1e-2 and before**2 > 1e-12:  # within reach of the limit, above rounding
                assert after < 30 * before**2
                checked += 1
    assert checked >= len(path.steps) // 2


@pytest.mark.parametrize("rates", [False, True])
def test_tangents_against_differences_of_all_columns(rates: bool) -> None:
    """∂r/∂q and ∂r/∂u of a crooked moving chain with a clamp, column by column, by differences of order 4."""
    load = MarkerForce("load", "beam.end", (1.0, -2.0, 3.0), (0.5, 0.2, -0.4))
    system = clamped(beam_along(straight(1.0, 5), PROP), [load])
    place = crooked(system)
    random = np.random.default_rng(9)
    x, multipliers = random.standard_normal(system.size), random.standard_normal(system.rows)
    evaluation = _core.Evaluation(system.compiled)

    def at(there: Place) -> Array:
        evaluation.evaluate(there, 0.0, x, multipliers, False)
        return np.array(evaluation.residual())

    def moved(column: int, stride: float) -> Place:
        step = np.zeros(system.size)
        step[column] = stride
        if not rates:
            there = move_place(system, place, step)
            return there._replace(velocities=place.velocities)
        faster = place.velocities.copy()
        faster.reshape(-1)[system.tables.bodies.numbers.reshape(-1) == column] += stride
        return place._replace(velocities=faster)

    found = evaluation.tangents(place, 0.0, x, multipliers, 1e-6, True, np.zeros((0, 6)))
    rows, columns, values = found[3:] if rates else found[:3]
    shape = (system.size + system.rows, system.size)
    tangent = sparse.csr_matrix((values, (rows.astype(int), columns.astype(int))), shape).toarray()
    h = 1e-3
    expected = np.stack(
        [
            (8 * (at(moved(k, h)) - at(moved(k, -h))) - at(moved(k, 2 * h)) + at(moved(k, -2 * h))) / (12 * h)
            for k in range(system.size)
        ],
        axis=1,
    )
    size = np.abs(expected).max()
    # h⁴ over 30 of the fifth derivative here, rounding over 1e-6 in the tangent
    assert tangent == pytest.approx(expected, abs=1e-8 * size)

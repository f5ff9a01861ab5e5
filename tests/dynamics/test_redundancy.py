"""Redundant constraints along the structure of a system against singular values of the whole Jacobian."""

import numpy as np
import pytest
from tests.rounding import rounding

from flexframe.maths.arrays import Array
from flexframe.maths.null_spaces import RANK_TOLERANCE, rank
from flexframe.model.joints import Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import equations_at, evaluation_at, place_of
from flexframe.multibody.mobility import named_rows
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system

from .random_systems import random_state, random_system


def lattice(cells: int) -> DynamicSystem:
    """Rungs between two rails on parallel hinges in space: in each planar loop three rows are too many."""

    def rod(name: str) -> RigidBody:
        return RigidBody.rod(name, length=1.0, mass=1.0)

    bodies, joints, start = [rod("rung0")], [], {"rung0": Placement(np.zeros(3), np.array([0, 0, np.pi / 2]))}
    joints.append(Revolute("base", "ground", "rung0.start"))
    for k in range(cells):
        low, high, rung = (f"{name}{k + 1}" for name in ("low", "high", "rung"))
        bodies += [rod(low), rod(high), rod(rung)]
        start[low] = Placement(np.array([float(k), 0, 0]))
        start[high] = Placement(np.array([float(k), 1, 0]))
        start[rung] = Placement(np.array([k + 1.0, 0, 0]), np.array([0, 0, np.pi / 2]))
        joints += [
            Revolute(f"{low}-in", f"rung{k}.start", f"{low}.start"),
            Revolute(f"{high}-in", f"rung{k}.end", f"{high}.start"),
            Revolute(f"{low}-out", f"{low}.end", f"{rung}.start"),
            Revolute(f"{high}-out", f"{high}.end", f"{rung}.end"),
        ]
    return dynamic_system(System(bodies, joints, start=start, space="spatial"))


def both(system: DynamicSystem, state: DynamicState) -> tuple[Array, Array]:
    """Dependent rows by the core and by singular values."""
    evaluation = evaluation_at(system, state.time)
    evaluation.evaluate(place_of(system, state), state.time, np.zeros(system.size), np.zeros(system.rows), True)
    A = equations_at(system, state).constraint * system.tables.rows.scales[:, None] * system.tables.scales
    U, s, _ = np.linalg.svd(A)
    return evaluation.dependent_rows(RANK_TOLERANCE), U[:, rank(s) :]


@pytest.mark.parametrize("cells", [1, 2, 7])
def test_planar_loops_in_space(cells: int) -> None:
    """Three rows of each loop follow from the others: along z and about x and y."""
    system = lattice(cells)
    assert system.notices[0].startswith(f"{3 * cells} redundant constraints among low1-in, ")
    found, expected = both(system, initial_state(system))
    assert found.shape == expected.shape == (system.rows, 3 * cells)
    # the same space: projectors; a gap of the singular values of 1e-3 and their number of rows as roundings
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=rounding(system.rows, 1e3))
    assert named_rows(found, system.owners) == named_rows(expected, system.owners)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("planar", [True, False])
def test_random_systems(seed: int, planar: bool) -> None:
    """Trees with loops of rigid and elastic bodies, where they start and anywhere: the same rank and space."""
    system, _ = random_system(seed, planar=planar)
    found, expected = both(system, random_state(system, seed))
    assert found.shape == expected.shape
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=rounding(system.rows, 1e4))

"""Loads of a body on its coordinates: resultants, sums over particles, geometric stiffness, exchange."""

from dataclasses import replace

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.assembly.discrete import discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.exchange.reduced import from_arrays, to_arrays
from flexframe.model.body import Body
from flexframe.model.loads import Gravity, LineLoad, NodeForce
from flexframe.reduction.attached import attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.loads import force_distributions
from flexframe.reduction.reduced_body import ReducedBody, reduced_body
from flexframe.reduction.strategies import Modal

from .samples import FREE, beam, clamped, particles

every_body = pytest.mark.parametrize("name", FREE)
both = pytest.mark.parametrize("held", [True, False], ids=["held", "free"])


def loaded(name: str) -> Body:
    """A sample with forces at three nodes, weight, couples and line loads where it can bear them."""
    body, rng = FREE[name], np.random.default_rng(5)
    planar = body.space == "planar"
    turning = (discretise(body).dofs.numbers[:3, 3:] >= 0).any()
    loads = []
    for node in range(3):
        force, moment = rng.normal(size=3), rng.normal(size=3)
        if planar:
            force, moment = force * (1, 1, 0), moment * (0, 0, 1)
        loads.append(NodeForce(node, tuple(force), tuple(moment) if turning else (0.0, 0.0, 0.0)))
    loads.append(Gravity((0.3, -0.7, 0.0 if planar else 0.2)))
    if "beam" in name or "truss" in name or "frame" in name:
        loads.append(LineLoad((0.2, 0.5, 0.0 if planar else -0.4)))
    return replace(body, loads=tuple(loads))


def reduced(name: str, held: bool) -> tuple[ReducedBody, np.ndarray]:
    body = loaded(name)
    attached = attach(clamped(body) if held else body)
    basis = reduction_basis(attached, Modal(4))
    return reduced_body(attached, basis), attached


@every_body
@both
def test_sums_are_the_nodal_forces_and_their_resultants(name: str, held: bool) -> None:
    """Σ ∫N_iᵀdf_i and the couples make the assembled nodal forces, whose rigid work is F and ∫x × df + M.

    Both are finite sums in another order: rounding times the number of nodes, 1e-12.
    """
    found, attached = reduced(name, held)
    discrete = attached.discrete  # type: ignore[attr-defined]
    forces, V = discrete.loads.forces, found.basis.vectors
    own = found.loads
    work = np.einsum("iir->r", own.rows + own.turn_rows)
    np.testing.assert_allclose(work, V.T @ forces, rtol=1e-11, atol=1e-12 * np.abs(V.T @ forces).max())
    fields = rigid_displacements(discrete.dofs, discrete.body.mesh.points)
    T = own.positions  # ∫x × df + ∫dm
    moment = own.moment + np.array([T[1, 2] - T[2, 1], T[2, 0] - T[0, 2], T[0, 1] - T[1, 0]])
    resultant = np.concatenate([own.force, moment])
    expected = fields.T @ forces
    # a truss or a planar body cannot turn or move in all ways
    felt = np.abs(fields).sum(axis=0) > 0
    np.testing.assert_allclose(resultant[felt], expected[felt], rtol=1e-11, atol=1e-12)
    sums = np.einsum("ikp,pi->k", force_distributions(discrete), fields[:, :3]) / max(felt[:3].sum(), 1)
    np.testing.assert_allclose(sums[felt[:3]], own.force[felt[:3]], rtol=1e-11, atol=1e-12)


@every_body
@both
def test_second_order_work_is_the_geometric_stiffness(name: str, held: bool) -> None:
    """−Σ_i(∫G_i df_i + ∫G_θi dm_i) is Vᵀk_gV of all loads as another file assembles it, one solution for all.

    Agreement up to the condition of the static solution, about 1e4 times rounding, as for unit loads.
    """
    found, attached = reduced(name, held)
    expected = found.basis.reduce(attached.discrete.geometric.invariant(("applied", 0, 0)))  # type: ignore[attr-defined]
    own = found.loads
    computed = -np.einsum("iirt->rt", own.quadratic + own.turn_quadratic)
    scale = max(np.abs(own.quadratic).max(), np.abs(expected).max())
    assert np.abs(computed - expected).max() <= 1e-10 * scale


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_weight_is_the_sum_over_particles(space: str) -> None:
    """p_ik of weight is g_k ∫ρξ_i, by brute force over the points that carry the mass: rounding only."""
    gravity = np.array([0.4, -0.9, 0.0 if space == "planar" else 0.3])
    body = replace(clamped(beam(space, 5)), loads=(Gravity(tuple(gravity)),))
    attached = attach(body)
    basis = reduction_basis(attached, Modal(3))
    own = reduced_body(attached, basis).loads
    positions, rows = np.zeros((3, 3)), np.zeros((3, 3, 3))
    for weight, place, shape in particles(attached.discrete):
        positions += weight * np.outer(place, gravity)
        rows += weight * np.einsum("ir,k->ikr", shape @ basis.vectors, gravity)
    np.testing.assert_allclose(own.positions, positions, rtol=1e-12, atol=ROUNDING)
    np.testing.assert_allclose(own.rows, rows, rtol=1e-10, atol=1e-12 * np.abs(rows).max())


def test_a_body_without_loads_has_none_and_files_keep_them() -> None:
    """Exact: nothing is computed on the way to a file and back."""
    attached = attach(clamped(beam("spatial", 4)))
    basis = reduction_basis(attached, Modal(2))
    bare = reduced_body(attached, basis)
    assert bare.loads is None
    assert from_arrays(to_arrays(bare)).loads is None
    found, _ = reduced(next(iter(FREE)), True)
    again = from_arrays(to_arrays(found)).loads
    for name in ("force", "moment", "positions", "rows", "quadratic", "turn_rows", "turn_quadratic"):
        np.testing.assert_array_equal(getattr(again, name), getattr(found.loads, name))

"""The quadratic field at all nodes, and the mass matrix without truncation."""

import numpy as np
import pytest

from flexframe.model.supports import Clamp
from flexframe.reduction.attached import AttachedBody, attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.kinetics import mass_matrix
from flexframe.reduction.reduced_body import ReducedBody, reduced_body
from flexframe.reduction.second_order import SecondOrderFields, consistent_mass_matrix, second_order_fields
from flexframe.reduction.strategies import Modal

from .samples import FREE, beam, clamped, particles

CONTINUA = ["plate", "plate of triangles", "solid", "solid of incompatible bricks", "solid of tetrahedra", "truss"]


def made(name: str, held: bool = True) -> tuple[AttachedBody, ReducedBody, SecondOrderFields]:
    body = clamped(FREE[name]) if held else FREE[name]
    attached = attach(body, sensors=[Interface("P", body.mesh.node_count - 3)])
    basis = reduction_basis(attached, Modal(4))
    return attached, reduced_body(attached, basis), second_order_fields(attached, basis)


def full(second: SecondOrderFields, values: np.ndarray, size: int) -> np.ndarray:
    """Values of the pairs (…, n − m) as symmetric matrices (…, m, m)."""
    out = np.zeros((*values.shape[:-1], size, size))
    r, t = second.pairs.T
    out[..., r, t] = out[..., t, r] = values
    return out


@pytest.mark.parametrize("held", [True, False], ids=["held", "free"])
@pytest.mark.parametrize("name", CONTINUA)
def test_field_has_the_integrals_of_the_unit_loads(name: str, held: bool) -> None:
    """∫ρ G, ∫ρ x G and G(x_P) of the nodal field are g, H and the value from unit loads at the point.

    Two routes: static answers to quadratic strains, and stress of unit loads. Twice the condition of k, 1e-10.
    """
    attached, body, second = made(name, held)
    m = body.size
    scale = np.abs(body.position_quadratic).max()
    g, H = (full(second, values[..., m:], m) for values in (second.origin_coupling, second.position_coupling))
    np.testing.assert_allclose(g, body.origin_quadratic, atol=1e-10 * scale)
    np.testing.assert_allclose(H, body.position_quadratic, atol=1e-10 * scale)
    (rows,), (point,) = attached.sensors, body.sensors
    at_point = full(second, np.asarray(rows.rows @ second.vectors), m)
    np.testing.assert_allclose(at_point, point.quadratic, atol=1e-10 * np.abs(second.vectors).max())


def test_field_of_a_rigidly_coupled_body() -> None:
    """Points that follow a rigid coupling move to second order with its rotation; against unit loads, as above.

    The heavy point has no size at its node, so that only its own rotation (1e-3 of H) is not in the nodal field.
    """
    attached, body, second = made("flanged solid")
    m = body.size
    (rows,), (point,) = attached.sensors, body.sensors
    at_point = full(second, np.asarray(rows.rows @ second.vectors), m)
    np.testing.assert_allclose(at_point, point.quadratic, atol=1e-9 * np.abs(second.vectors).max())


def test_field_of_a_beam_at_its_nodes() -> None:
    """At the nodes of a beam G is what unit forces there say; between the nodes N is linear along the beam."""
    attached, body, second = made("spatial beam")
    (rows,), (point,) = attached.sensors, body.sensors
    at_point = full(second, np.asarray(rows.rows @ second.vectors), body.size)
    np.testing.assert_allclose(at_point, point.quadratic, atol=1e-9 * np.abs(point.quadratic).max())
    errors = []
    for divisions in (8, 16):
        held = attach(beam("planar", divisions, supports=(Clamp("start"),), rotary_inertia=0.0))
        basis = reduction_basis(held, Modal(3))
        reduced, fields = reduced_body(held, basis), second_order_fields(held, basis)
        gap = full(fields, fields.origin_coupling[:, 3:], 3) - reduced.origin_quadratic
        errors.append(np.abs(gap).max() / np.abs(reduced.origin_quadratic).max())
    assert errors[1] < errors[0] / 3.5  # linear interpolation: second order in the size of the elements
    assert errors[1] < 0.01


@pytest.mark.parametrize("held", [True, False], ids=["held", "free"])
@pytest.mark.parametrize("name", ["plate", "solid", "truss", "spatial frame", "flanged solid"])
def test_kinetic_energy_without_truncation(name: str, held: bool) -> None:
    """½uᵀMu is Σ ½w|v + ω × (x + u) + u̇|² over the mass points with u of second order, for a large deformation."""
    attached, body, second = made(name, held)
    rng = np.random.default_rng(1)
    v, omega = rng.standard_normal((2, 3))
    delta, rates = rng.standard_normal((2, body.size))
    V, G = body.basis.vectors, second.vectors
    u = V @ delta + G @ second.products(delta)
    step = 1e-3  # products are quadratic: central differences are exact up to rounding
    slope = (second.products(delta + step * rates) - second.products(delta - step * rates)) / (2 * step)
    speed = V @ rates + G @ slope
    direct = sum(
        w / 2 * np.sum((v + np.cross(omega, x + N @ u) + N @ speed) ** 2)
        for w, x, N in particles(attached.discrete)
    )
    M = consistent_mass_matrix(body, second, delta)
    state = np.concatenate([v, omega, rates])
    assert state @ M @ state / 2 == pytest.approx(direct, rel=1e-9)
    assert np.abs(M - M.T).max() < 1e-13 * np.abs(M).max()
    scale = 1 / np.sqrt(np.diagonal(M))
    assert np.linalg.eigvalsh(M * np.outer(scale, scale))[0] > 0


@pytest.mark.parametrize("name", ["plate", "solid"])
def test_truncated_mass_matrix_is_its_beginning(name: str) -> None:
    """Blocks of the frame agree to second order in δ, those with δ̇ to first order: gaps fall 8 and 4 times."""
    _, body, second = made(name)
    delta = np.random.default_rng(2).standard_normal(body.size)
    delta /= 20 * np.abs(delta).max()
    gaps = []
    for factor in (1.0, 0.5):
        gap = consistent_mass_matrix(body, second, factor * delta) - mass_matrix(body, factor * delta)
        gaps.append((np.abs(gap[:6, :6]).max(), np.abs(gap[:6, 6:]).max()))
    assert gaps[1][0] < gaps[0][0] / 7
    assert gaps[1][1] < gaps[0][1] / 3.5

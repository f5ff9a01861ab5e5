"""Projected invariants are those of the projected fields, and give the kinetic energy of the mass points."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.reduction.attached import attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.kinetics import (
    first_moment,
    inertia_tensor,
    kinetic_energy,
    mass_matrix,
    second_moment,
)
from flexframe.reduction.reduced_body import ReducedBody, reduced_body
from flexframe.reduction.strategies import Modal

from .samples import FREE, clamped, particles


def made(name: str, held: bool) -> tuple[ReducedBody, list]:
    """A reduced body of four modes and the particles of the body with N on the basis."""
    attached = attach(clamped(FREE[name]) if held else FREE[name])
    basis = reduction_basis(attached, Modal(4))
    return reduced_body(attached, basis), [(w, x, N @ basis.vectors) for w, x, N in particles(attached.discrete)]


both = pytest.mark.parametrize("held", [True, False], ids=["held", "free"])
every_body = pytest.mark.parametrize("name", FREE)


@every_body
@both
def test_invariants_of_the_projected_fields(name: str, held: bool) -> None:
    """Sums over mass points, each one by one; all numbers are of order one, so 1e-12 is rounding."""
    body, points = made(name, held)
    shape = (3, body.size)
    m, S, J = 0.0, np.zeros(3), np.zeros((3, 3))
    M_O, X, Y = np.zeros(shape), np.zeros((3, *shape)), np.zeros((3, 3, body.size, body.size))
    for w, x, N in points:
        m, S, J = m + w, S + w * x, J + w * np.outer(x, x)
        M_O += w * N
        X += w * np.multiply.outer(x, N)
        Y += w * np.einsum("kr,nt->knrt", N, N)
    for computed, expected in (
        (body.mass, m),
        (body.first_moment, S),
        (body.second_moment, J),
        (body.origin_coupling, M_O),
        (body.position_coupling, X),
        (body.shape_products, Y),
    ):
        scale = max(1.0, float(np.abs(expected).max()))
        np.testing.assert_allclose(computed, expected, atol=1e-12 * scale)


@every_body
def test_derived_invariants(name: str) -> None:
    """C_a, K_ab, d_a, e_ab against their integrals with unit angular velocities: ∫ρ NᵀAN and ∫ρ NᵀAx."""
    body, points = made(name, True)
    rng = np.random.default_rng(1)
    omega = rng.standard_normal(3)
    W = np.array([[0, -omega[2], omega[1]], [omega[2], 0, -omega[0]], [-omega[1], omega[0], 0]])
    sums = [sum(w * N.T @ A @ N for w, _, N in points) for A in (np.eye(3), W, W @ W)]
    loads = [sum(w * N.T @ A @ x for w, x, N in points) for A in (W, W @ W)]
    squares = np.outer(omega, omega)
    for computed, expected in (
        (body.elastic_mass, sums[0]),
        (np.einsum("a,art->rt", omega, body.coriolis), sums[1]),
        (np.einsum("ab,abrt->rt", squares, body.centrifugal), sums[2]),
        (omega @ body.euler_loads, loads[0]),
        (np.einsum("ab,abr->r", squares, body.centrifugal_loads), loads[1]),
    ):
        np.testing.assert_allclose(computed, expected, atol=1e-12 * max(1.0, np.abs(expected).max()))


@every_body
@both
def test_kinetic_energy_of_the_mass_points(name: str, held: bool) -> None:
    """T = Σ ½ w |v + ω × (x + Nδ) + N δ̇|² with a linear field, to rounding (relative 1e-12)."""
    body, points = made(name, held)
    rng = np.random.default_rng(2)
    v, omega = rng.standard_normal((2, 3))
    delta, rates = rng.standard_normal((2, body.size))
    direct = 0.0
    for w, x, N in points:
        velocity = v + np.cross(omega, x + N @ delta) + N @ rates
        direct += w / 2 * velocity @ velocity
    assert kinetic_energy(body, delta, v, omega, rates, quadratic=False) == pytest.approx(direct, rel=1e-12)


@every_body
def test_moments_of_the_deformed_body(name: str) -> None:
    """s, 𝒥 and I of the displaced mass points."""
    body, points = made(name, True)
    delta = np.random.default_rng(3).standard_normal(body.size)
    s = sum(w * (x + N @ delta) for w, x, N in points)
    J = sum(w * np.outer(x + N @ delta, x + N @ delta) for w, x, N in points)
    size = np.abs(J).max()
    np.testing.assert_allclose(first_moment(body, delta, quadratic=False), s, atol=1e-12 * size)
    np.testing.assert_allclose(second_moment(body, delta, quadratic=False), J, atol=1e-12 * size)
    tensor = np.trace(J) * np.eye(3) - J
    np.testing.assert_allclose(inertia_tensor(body, delta, quadratic=False), tensor, atol=1e-12 * size)


@every_body
@both
@pytest.mark.parametrize("quadratic", [True, False])
def test_mass_matrix_is_symmetric_and_definite(name: str, held: bool, quadratic: bool) -> None:
    """With mean axes for deformations of a hundredth of the body's size.

    In a clamped frame the modes of a cantilever come near to a rotation of the whole body: the lowest eigenvalue
    is 2e-4 to 1e-3 at rest, and the truncated quadratic field uses it up at a thousandth of the size.
    """
    body, points = made(name, held)
    delta = np.random.default_rng(4).standard_normal(body.size)
    largest = max(np.linalg.norm(N @ delta) for _, _, N in points)
    size = 1.5e-4 if held and quadratic else 1.5e-2
    M = mass_matrix(body, size / largest * delta, quadratic=quadratic)
    assert np.abs(M - M.T).max() <= ROUNDING * np.abs(M).max()
    scale = 1 / np.sqrt(np.diagonal(M))
    assert np.linalg.eigvalsh(M * np.outer(scale, scale))[0] > 1e-6


@every_body
def test_mean_axes_conditions(name: str) -> None:
    """M_O δ = 0 and d_aᵀδ = 0 for every coordinate, relative to √(m · modal mass) and √(I · modal mass)."""
    body, _ = made(name, False)
    modal = np.sqrt(np.diagonal(body.elastic_mass))
    tensor = np.trace(body.second_moment) * np.eye(3) - body.second_moment
    planar = "plan" in name or "plate" in name
    directions = [0, 1] if planar else [0, 1, 2]
    assert np.abs(body.origin_coupling[directions] / modal).max() < 1e-13 * np.sqrt(body.mass)
    axes = [2] if planar else [0, 1, 2]
    assert np.abs(body.euler_loads[axes] / modal).max() < 1e-13 * np.sqrt(np.trace(tensor))

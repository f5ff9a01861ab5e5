"""Hamilton's equations: gauges, canonical structure, and a million steps without drift."""

import numpy as np
import pytest
from scipy import sparse
from tests.rounding import rounding

from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.bodies import equations_of_motion
from flexframe.formalisms.bodies import reduced_elements
from flexframe.formalisms.hamilton import CanonicalBody, Midpoint, canonical_body, hamiltonian, lagrangian
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.references import closed_form
from flexframe.maths.arrays import Array
from flexframe.motion.frame import FrameMotion
from flexframe.reduction.rest_basis import body_basis

from .samples import blade, random_elements, random_motion, relative, stubby_arm

SPIN = FrameMotion((0.0, 0.0, 30.0))


def _run(P: np.ndarray, g: np.ndarray, y: np.ndarray, steps: int, every: int) -> np.ndarray:
    """States after every so many steps y ← P y + g."""
    kept = np.empty((steps // every, len(y)))
    for n in range(steps):
        y = P @ y + g
        if (n + 1) % every == 0:
            kept[(n + 1) // every - 1] = y
    return kept


@pytest.mark.parametrize("gauge", ["natural", "invariant"])
def test_canonical_equations(gauge: str) -> None:
    """δ̇ = ∂H/∂p and ṗ = −∂H/∂δ by complex differentiation of H's value, against closed-form accelerations.

    ṗ is compared with d/dt(mδ̇ + cδ + s) along the motion; all of order ten, 1e-11.
    """
    rng = np.random.default_rng(1)
    elements, motion = random_elements(rng, elements=1), random_motion(rng)
    L = lagrangian(elements, motion, gauge, Work())
    H = hamiltonian(L, Work())
    size = elements.size
    full = np.block([[H.pp[0], H.pd[0]], [H.pd[0].T, H.dd[0]]])
    linear = np.concatenate([H.p1[0], H.d1[0]])
    d, v = rng.standard_normal((2, size))
    p = L.mass[0] @ v + L.gyroscopic[0] @ d + L.momentum[0]

    def value(y: np.ndarray) -> complex:
        return y @ full @ y / 2 + linear @ y

    y = np.concatenate([p, d]).astype(complex)
    step = 1e-30
    gradient = np.array([value(y + 1j * step * e).imag / step for e in np.eye(2 * size)])
    assert relative(gradient[:size], v) < 1e-11
    a = closed_form(elements, motion).accelerations(d[None], v[None])[0]
    p_rate = L.mass[0] @ a + L.gyroscopic[0] @ v + L.gyroscopic_rate[0] @ d + L.momentum_rate[0]
    assert relative(-gradient[size:], p_rate) < 1e-11


def test_body_lagrangian_gives_the_assembled_equations() -> None:
    """c − cᵀ = 2c(ω), −n = k + k_g + k(ω²), r = loads of a steady spin, from the closed form: 1e-12."""
    discrete = blade(4, space="spatial")
    body, reference = canonical_body(discrete, SPIN), equations_of_motion(discrete, SPIN)
    reduce = discrete.supports.reduce_matrix
    C = (body.gyroscopic - body.gyroscopic.T).toarray()
    assert relative(C, reduce(reference.damping).toarray()) < 1e-12
    assert relative(-body.quadratic.toarray(), reduce(reference.stiffness).toarray()) < 1e-12
    assert relative(body.linear, discrete.supports.reduce_vector(reference.load)) < 1e-12


def canonical_in_basis(discrete: DiscreteBody, vectors: Array) -> CanonicalBody:
    """A body in a reduced basis, as one element."""
    elements = reduced_elements(discrete, SPIN, vectors)
    L = lagrangian(elements, SPIN, "invariant", Work())
    mass, gyroscopic, quadratic, damping = (
        sparse.csr_array(part[0]) for part in (L.mass, L.gyroscopic, L.quadratic, elements.damping)
    )
    return CanonicalBody(mass, gyroscopic, quadratic, damping, L.momentum[0], L.linear[0])


def test_midpoint_step_is_symplectic() -> None:
    """PᵀJP = J in coordinates with unit mass, exact for the midpoint rule; round-off, 1e-11."""
    discrete = stubby_arm()
    basis = body_basis(discrete, 4)
    body = canonical_in_basis(discrete, basis.vectors)
    P, _ = Midpoint.prepare(body, 1e-3).propagator()
    n = basis.size
    J = np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    assert np.abs(P.T @ J @ P - J).max() < 1e-11 * np.abs(P).max() ** 2


def test_a_million_steps_without_drift() -> None:
    """H of a spinning arm in four coupled modes over 1e6 midpoint steps: bounded by round-off, no trend.

    The midpoint rule keeps a quadratic H exactly; round-off of 1e6 products of a matrix with entries up to 140
    adds up to at most eps · 140 · 1e6, and the means of both ends differ by no more.
    """
    discrete = stubby_arm()
    basis = body_basis(discrete, 4)
    body = canonical_in_basis(discrete, basis.vectors)
    step = 2e-4
    P, g = Midpoint.prepare(body, step).propagator()
    n = basis.size
    z, v = np.array([0.01, -0.003, 0.001, 0.0]), np.array([0.2, 0.1, -0.3, 0.1])
    start = np.concatenate([z, body.momenta(z, v)])
    # the second half of the state in units of the first, so that the product loses nothing
    unit = np.concatenate([np.ones(n), np.full(n, 100.0)])
    kept = _run(P * unit / unit[:, None], g / unit, start / unit, 1_000_000, 100) * unit
    inverse = np.linalg.inv(body.mass.toarray())
    c = body.gyroscopic.toarray()
    assert np.abs(c).max() > 0.9 * SPIN.speed  # nearly the largest that unit masses can have
    rates = (kept[:, n:] - kept[:, :n] @ c.T - body.momentum) @ inverse.T
    quadratic = body.quadratic.toarray()
    energies = (
        np.einsum("ti,ij,tj->t", rates, body.mass.toarray(), rates) / 2
        - np.einsum("ti,ij,tj->t", kept[:, :n], quadratic, kept[:, :n]) / 2
        - kept[:, :n] @ body.linear
    )
    reference = body.hamiltonian(z, v)
    kinetic = np.einsum("ti,ij,tj->t", rates, body.mass.toarray(), rates).max() / 2
    assert np.abs(energies - reference).max() < rounding(1e6, 140) * kinetic
    assert abs(energies[-1000:].mean() - energies[:1000].mean()) < rounding(1e6, 140) * kinetic
    assert kinetic > 0.01

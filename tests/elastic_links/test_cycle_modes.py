"""Eigenvalues of all instants on an adaptive basis, against full dense solutions, and their branches."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg

import flexframe as ff
from flexframe.maths.branch_tracking import sampled_branches
from flexframe.mesh.plane_builders import rectangle
from flexframe.multibody.links import cycle_modes as module
from flexframe.multibody.links.cycle_modes import companion_modes, cycle_modes
from flexframe.multibody.links.link import ElasticLink, given_history

from .links import marker_load, pinned_beam


def turning_history(body, instants=181, *, spin=15.0, force=2e4):
    """A link that swings and is pulled and pressed, along one second."""
    t = np.linspace(0, 1, instants)
    phase, still = 2 * np.pi * t, np.zeros((instants, 3))
    omega, epsilon, pull = still.copy(), still.copy(), still.copy()
    omega[:, 2], epsilon[:, 2] = spin * np.sin(phase), spin * 2 * np.pi * np.cos(phase)
    pull[:, 0], pull[:, 1] = force * np.sin(2 * phase), 0.05 * force
    a = np.stack([20 * np.cos(phase), 10 * np.sin(phase), 0 * t], axis=1)
    loads = (marker_load(body, "end", t, force=pull),) if force else ()
    return given_history(
        t, angular_velocity=omega, angular_acceleration=epsilon, origin_acceleration=a, loads=loads
    )


def full_eigenvalues(equations, instant, count):
    """All eigenvalues of the companion matrix by LAPACK, those with Im λ > 0 by size; no basis."""
    M, C, K = (
        x.toarray() for x in (equations.mass, equations.matrix_at(1, instant), equations.matrix_at(0, instant))
    )
    n = len(M)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    values = scipy.linalg.eigvals(A)
    values = values[values.imag > 0]
    return values[np.argsort(np.abs(values))][:count]


@pytest.mark.parametrize("spin", [0.0, 15.0, 200.0])
def test_against_full_solutions(spin):
    """The estimate promises 1e-8 relative; LAPACK itself loses about 1e-16 ω_max²/ω_1² = 1e-9 on the lowest."""
    body = pinned_beam(theory="timoshenko", rotary_inertia=1.0)
    equations = ElasticLink.attach(ff.discretise(body)).equations(turning_history(body, spin=spin))
    found = cycle_modes(equations, 8)
    assert found.error_estimate < 1e-8
    assert found.basis.shape[1] < equations.size
    assert len(found.checked) == 181
    for instant in (0, 17, 45, 90, 133):
        exact = full_eigenvalues(equations, instant, 8)
        np.testing.assert_allclose(found.eigenvalues[instant].imag, exact.imag, rtol=2e-8)
        assert np.abs(found.eigenvalues[instant].real - exact.real).max() < 1e-7 * np.abs(exact).max()


def test_iteration_and_companion_matrix_agree(monkeypatch):
    body = pinned_beam(6)
    equations = ElasticLink.attach(ff.discretise(body)).equations(turning_history(body, 31, spin=60.0))
    iterated = cycle_modes(equations, 5)
    monkeypatch.setattr(module, "_ITERATIONS", 0)
    solved = cycle_modes(equations, 5)
    assert (iterated.directly, solved.directly) == (0, 31)
    # the same small problems by two ways; eig of a companion matrix keeps 1e-9 of the lowest
    np.testing.assert_allclose(iterated.eigenvalues, solved.eigenvalues, rtol=1e-7, atol=1e-6)


def test_damping_decays():
    """Rayleigh damping α M + β K on a link at rest: Re λ = −(α + β ω²)/2 exactly."""
    body = replace(pinned_beam(), damping=ff.Damping(mass=2.0, stiffness=1e-6))
    equations = ElasticLink.attach(ff.discretise(body)).equations(given_history([0.0, 1.0]))
    found = cycle_modes(equations, 4).eigenvalues[0]
    omega2 = np.abs(found) ** 2
    np.testing.assert_allclose(found.real, -(2.0 + 1e-6 * omega2) / 2, rtol=1e-9)


def test_overdamped_and_divergent_pairs():
    """λ² + cλ + k with all kinds of roots, one degree of freedom each: one of each pair is kept."""
    C, K = np.diag([0.0, 5.0, 0.0, 0.1])[None], np.diag([4.0, 1.0, -9.0, 25.0])[None]
    values, _ = companion_modes(C, K, 4)
    slow = (-5 + np.sqrt(21)) / 2
    assert values[0] == pytest.approx([slow, 2j, 3, -0.05 + 1j * np.sqrt(25 - 0.0025)], abs=1e-12)


def test_plane_elements():
    """A link of plane elements, whose places are node sets: the same sums, checked at sampled instants."""
    mesh = rectangle(0.4, 0.03, (16, 2))
    supports = (ff.Pin("left"), ff.Fix("right", ("uy",)))
    body = ff.Body.plane("plate", mesh, material=ff.STEEL, thickness=0.02, supports=supports)
    t = np.linspace(0, 1, 25)
    pull = np.stack([3e4 * np.sin(2 * np.pi * t), 0 * t, 0 * t], axis=1)
    omega = np.stack([0 * t, 0 * t, 20 + 0 * t], axis=1)
    history = given_history(t, angular_velocity=omega, loads=(marker_load(body, "right", t, force=pull),))
    equations = ElasticLink.attach(ff.discretise(body)).equations(history)
    found = cycle_modes(equations, 4)
    assert found.basis.shape[1] < equations.size / 4
    for instant in (6, 18):
        exact = full_eigenvalues(equations, instant, 4)
        np.testing.assert_allclose(
            found.eigenvalues[instant].imag, exact.imag, rtol=2e-7
        )  # LAPACK: ω_max/ω_1 = 1e4


def test_too_many_modes():
    equations = ElasticLink.attach(ff.discretise(pinned_beam(1))).equations(given_history([0.0]))
    with pytest.raises(ff.InputError, match="ask for 1 to 3"):
        cycle_modes(equations, 4)


# ---------------------------------------------------------------------- branches


def crossing(instants, coupling):
    """Two oscillators whose frequencies cross in the middle, with a third far away."""
    s = np.linspace(-1, 1, instants)
    K = np.zeros((instants, 3, 3))
    K[:, 0, 0], K[:, 1, 1], K[:, 2, 2] = 100 + 20 * s, 100 - 20 * s, 900
    K[:, 0, 1] = K[:, 1, 0] = coupling
    mu, phi = np.linalg.eigh(K)
    return np.sqrt(-mu.astype(complex)), phi.astype(complex), K


def branches(values, vectors):
    return sampled_branches(values, np.abs(vectors[:-1].conj().swapaxes(1, 2) @ vectors[1:]) ** 2)


def test_branches_pass_through_a_crossing():
    values, vectors, K = crossing(41, 0.0)
    found = branches(values, vectors)
    # each branch keeps its own oscillator, exactly, although the order by size changes in the middle
    start = np.argsort(np.diagonal(K[0])[:2])
    for branch, oscillator in enumerate(start):
        np.testing.assert_allclose(
            np.abs(found.values(values)[:, branch]) ** 2, K[:, oscillator, oscillator], rtol=1e-12
        )
    assert not found.doubtful


def test_branches_veer_where_oscillators_are_coupled():
    """With coupling 4 the eigenvalues keep a distance of 8; finely stepped, the branches stay in order."""
    values, vectors, _ = crossing(401, 4.0)
    found = branches(values, vectors)
    assert (np.diff(np.abs(found.values(values)[:, :2]) ** 2, axis=1) >= 8 - 1e-9).all()
    assert not found.doubtful


def test_doubt_is_reported():
    """Three instants through the veering: the shapes turn by 45° − ½ atan(16/40) a step, assurance cos² of it."""
    values, vectors, _ = crossing(3, 8.0)
    found = branches(values, vectors)
    assert not found.doubtful
    np.testing.assert_allclose(found.shares[1:, :2], np.cos(np.pi / 4 - np.arctan2(16, 40) / 2) ** 2, rtol=1e-12)
    # with less coupling they turn by more
    values, vectors, _ = crossing(3, 0.5)
    found = branches(values, vectors)
    assert [k for k, _ in found.doubtful] == [0, 1]
    assert [k for k, _ in found.chosen(np.arange(2)).doubtful] == [0, 1]
    assert not found.chosen(np.arange(0)).doubtful


def test_doubtful_steps_follow_the_prediction():
    """Shapes that say nothing (assurance 1/2 both ways): the straight continuation of the eigenvalues decides."""
    s = np.linspace(0, 1, 6)
    values = 1j * np.sort(np.stack([10 + 2 * s, 11 + 0 * s], axis=1), axis=1)
    found = sampled_branches(values, np.full((5, 2, 2), 0.5))
    np.testing.assert_allclose(found.values(values)[:, 0].imag, 10 + 2 * s)
    assert [k for k, _ in found.doubtful] == [0, 1, 2, 3, 4]

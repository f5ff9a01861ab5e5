"""Modes against closed forms, dense LAPACK, and each other."""

import numpy as np
import pytest
from scipy import linalg, sparse
from tests.maths.sample_matrices import beam, plane, solid
from tests.rounding import ROUNDING

from flexframe.errors import AnalysisError, InputError
from flexframe.maths import block_lanczos, eigenproblems, factorisation, quadratic_eigenproblems
from flexframe.maths.eigenproblems import count_below, symmetric_modes
from flexframe.maths.factorisation import factorise
from flexframe.maths.quadratic_eigenproblems import quadratic_modes
from flexframe.maths.quadratic_operator import Quadratic

FREE_BEAM = np.array([4.730040744862704, 7.853204624095838, 10.995607838001671]) ** 4
CLAMPED_BEAM = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613]) ** 4


def chain(size, *, free=False):
    """Unit masses joined (and at its ends held) by unit springs: K, and its eigenfrequencies."""
    k = sparse.diags_array([-np.ones(size - 1), 2.0 * np.ones(size), -np.ones(size - 1)], offsets=[-1, 0, 1])
    if free:
        k = k - sparse.diags_array(np.eye(size)[0] + np.eye(size)[-1])
        return sparse.csr_array(k), 2.0 * np.sin(np.arange(size) * np.pi / (2 * size))
    return sparse.csr_array(k), 2.0 * np.sin(np.arange(1, size + 1) * np.pi / (2 * size + 2))


def rotating(mass, stiffness, speed):
    """Points that move in a plane, seen from a frame turning at `speed`: M, C, K."""
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    m = sparse.csr_array(sparse.kron(mass, np.eye(2)))
    c = sparse.csr_array(2.0 * speed * sparse.kron(mass, turn))
    k = sparse.csr_array(sparse.kron(stiffness, np.eye(2)) - speed**2 * m)
    return m, c, k


def rigid_motions(places):
    """Unit translations and small rotations of a body, from the place and axis of every unknown in turn."""
    dimension, size = places.shape
    axis = np.arange(size) % dimension
    columns = [(axis == a).astype(float) for a in range(dimension)]
    for a in range(dimension):
        for b in range(a):
            columns.append(np.where(axis == a, places[b], 0.0) - np.where(axis == b, places[a], 0.0))
    return np.column_stack(columns)


# --- symmetric -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("divisions", [20, 100, 400])
def test_free_beam(divisions):
    """Exact series values; Hermite elements err by (βh)⁴/720, rounding of K by about eps·n⁴."""
    k, m = beam(divisions, clamped=False, rigidity=1.0, mass_per_length=1.0)
    modes = symmetric_modes(k, m, 5)
    tolerance = FREE_BEAM / divisions**4 / 500 + 1e-15 * divisions**4
    assert (np.abs(modes.eigenvalues[2:] / FREE_BEAM - 1.0) < tolerance).all()
    assert np.abs(modes.eigenvalues[:2]).max() < 1e-15 * divisions**4 * FREE_BEAM[0]
    assert modes.confirmed


@pytest.mark.parametrize("divisions", [20, 400])
def test_clamped_beam(divisions):
    k, m = beam(divisions, clamped=True, rigidity=1.0, mass_per_length=1.0)
    modes = symmetric_modes(k, m, 3)
    tolerance = CLAMPED_BEAM / divisions**4 / 500 + 1e-15 * divisions**4
    assert (np.abs(modes.eigenvalues / CLAMPED_BEAM - 1.0) < tolerance).all()


@pytest.mark.parametrize("clamped", [False, True])
@pytest.mark.parametrize("body", ["plane", "solid"])
def test_lanczos_agrees_with_dense(monkeypatch, body, clamped):
    """Same matrices, two algorithms: eigenvalues agree to rounding relative to the highest wanted one."""
    k, m, _ = plane((10, 10), clamped=clamped) if body == "plane" else solid((3, 2, 2), clamped=clamped)
    exact = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True)[:15]
    for limit, method in ((0, "Lanczos"), (10_000, "LAPACK")):
        monkeypatch.setattr(eigenproblems, "_DENSE_SYMMETRIC", limit)
        modes = symmetric_modes(k, m, 15)
        assert modes.method.startswith(method)
        assert modes.confirmed
        # eigh of (K, M) rounds relative to the top of the spectrum, 1e3 times the 15th eigenvalue here.
        np.testing.assert_allclose(modes.eigenvalues, exact, atol=1e-11 * exact[-1])
        np.testing.assert_allclose(modes.vectors.T @ (m @ modes.vectors), np.eye(15), atol=1e-12)
        assert modes.residuals.max() < 1e-7


@pytest.mark.parametrize("limit", [0, 10_000])
@pytest.mark.parametrize("body", ["plane", "solid"])
def test_rigid_modes_are_taken_as_given(monkeypatch, limit, body):
    """They span what is returned first, and the elastic modes are the same as without them."""
    monkeypatch.setattr(eigenproblems, "_DENSE_SYMMETRIC", limit)
    k, m, places = plane((9, 9), clamped=False) if body == "plane" else solid((3, 2, 2), clamped=False)
    rigid = rigid_motions(places)
    assert np.abs(k @ rigid).max() < 1e-10 * abs(k).max()  # scikit-fem numbers unknowns by node, axis by axis
    count = rigid.shape[1]
    given = symmetric_modes(k, m, count + 8, rigid_modes=rigid)
    found = symmetric_modes(k, m, count + 8)
    projection = given.vectors[:, :count] @ (given.vectors[:, :count].T @ (m @ rigid))
    np.testing.assert_allclose(projection, rigid, atol=1e-12 * np.abs(rigid).max())
    np.testing.assert_allclose(given.eigenvalues[count:], found.eigenvalues[count:], rtol=1e-10)
    assert np.abs(given.eigenvalues[:count]).max() < 1e-9 * given.eigenvalues[count]
    np.testing.assert_allclose(given.vectors.T @ (m @ given.vectors), np.eye(count + 8), atol=1e-12)
    assert given.confirmed
    only_rigid = symmetric_modes(k, m, 2, rigid_modes=rigid)
    assert only_rigid.vectors.shape == (k.shape[0], 2)


@pytest.mark.parametrize("limit", [0, 10_000])
@pytest.mark.parametrize("load", [1e-3, 1.0, 30.0])
def test_indefinite_stiffness(monkeypatch, limit, load):
    """K − pM has every eigenvalue lowered by p exactly."""
    monkeypatch.setattr(eigenproblems, "_DENSE_SYMMETRIC", limit)
    k, m, _ = plane((8, 8), clamped=True)
    plain = symmetric_modes(k, m, 8).eigenvalues
    softened = symmetric_modes(sparse.csr_array(k - load * plain[3] * m), m, 8)
    np.testing.assert_allclose(softened.eigenvalues, plain - load * plain[3], atol=1e-9 * (1.0 + load) * plain[-1])
    assert softened.confirmed


@pytest.mark.parametrize("limit", [0, 10_000])
def test_equal_eigenvalues_are_all_found(monkeypatch, limit):
    """Nine equal beams side by side: every eigenvalue nine times, and the last group cut in the middle."""
    monkeypatch.setattr(eigenproblems, "_DENSE_SYMMETRIC", limit)
    k, m = beam(16, clamped=True, rigidity=1.0, mass_per_length=1.0)
    single = symmetric_modes(k, m, 3).eigenvalues
    many = [sparse.csr_array(sparse.kron(sparse.eye_array(9), a)) for a in (k, m)]
    modes = symmetric_modes(*many, 22)
    np.testing.assert_allclose(modes.eigenvalues, np.repeat(single, 9)[:22], rtol=1e-8)
    assert modes.confirmed


def test_massless_unknowns():
    """A bar with every second mass left out: static condensation gives the same finite modes."""
    k, _ = chain(41)
    light = np.where(np.arange(41) % 2 == 1, 1.0, 0.0)
    m = sparse.csr_array(sparse.diags_array(light))
    heavy, massless = np.flatnonzero(light > 0.0), np.flatnonzero(light == 0.0)
    dense = k.toarray()
    condensed = dense[np.ix_(heavy, heavy)] - dense[np.ix_(heavy, massless)] @ np.linalg.solve(
        dense[np.ix_(massless, massless)], dense[np.ix_(massless, heavy)]
    )
    np.testing.assert_allclose(symmetric_modes(k, m, 20).eigenvalues, np.linalg.eigvalsh(condensed), rtol=1e-12)
    with pytest.raises(AnalysisError, match="only 20 modes"):
        symmetric_modes(k, m, 21)


def test_count_below_is_sturms():
    k, m, _ = plane((11, 7), clamped=False)
    values = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True)
    for i in (4, 7, 12, 30):
        assert values[i + 1] > 1.001 * values[i]
        assert count_below(k, m, 0.5 * (values[i] + values[i + 1])) == i + 1
    assert count_below(k, m, 0.0) == 0  # at the threefold zero itself: nothing below
    chain_k, frequencies = chain(60)
    assert count_below(chain_k, sparse.csr_array(sparse.eye_array(60)), float(frequencies[17] ** 2)) in (17, 18)


def test_two_runs_give_the_same_numbers():
    k, m, _ = plane((12, 12), clamped=False)
    first, second = (symmetric_modes(k, m, 10) for _ in range(2))
    assert np.array_equal(first.eigenvalues, second.eigenvalues)
    assert np.array_equal(first.vectors, second.vectors)


@pytest.mark.parametrize("count", [0, 41])
def test_impossible_counts(count):
    k, m = beam(20, clamped=True)
    with pytest.raises(InputError, match="ask for 1 to 40"):
        symmetric_modes(k, m, count)
    with pytest.raises(InputError, match="ask for 1 to 40"):
        quadratic_modes(m, 0.1 * m, k, count)


def test_dependent_rigid_modes_are_refused():
    k, m, places = plane((4, 4), clamped=False)
    rigid = rigid_motions(places)
    with pytest.raises(AnalysisError, match="not independent"):
        symmetric_modes(k, m, 8, rigid_modes=np.column_stack([rigid, rigid[:, 0]]))


# --- quadratic -------------------------------------------------------------------------------------------


def pair_up(values, count):
    """One of each conjugate pair by |λ|: the brute-force form of what the package promises."""
    kept = values[(values.imag > 1e-9 * np.abs(values)) | (np.abs(values.imag) <= 1e-9 * np.abs(values))]
    return kept[np.lexsort((-kept.real, np.round(np.abs(kept), 6)))][:count]


def companion_eigenvalues(m, c, k):
    m, c, k = (a.toarray() for a in (m, c, k))
    n = len(m)
    return linalg.eigvals(
        np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(m, k), -np.linalg.solve(m, c)]])
    )


@pytest.mark.parametrize("speed", [0.0, 3.0, 9.0, 11.0, 40.0])
def test_mass_on_springs_in_a_rotating_frame(speed):
    """The rotating observer sees |f₀ ± Ω| exactly, below and above the critical speed f₀."""
    one = sparse.csr_array(np.array([[2.0]]))
    modes = quadratic_modes(*rotating(one, 100.0 * one, speed), 2)
    np.testing.assert_allclose(modes.eigenvalues.imag, sorted([abs(10.0 - speed), 10.0 + speed]), rtol=1e-13)
    assert np.abs(modes.eigenvalues.real).max() < 1e-12 * (10.0 + speed)
    assert modes.residuals.max() < 1e-13


def test_critical_speed():
    """Ω = f₀: K vanishes, and the whirl stands still in the rotating frame (λ = 0, semisimple)."""
    one = sparse.csr_array(np.array([[2.0]]))
    modes = quadratic_modes(*rotating(one, 100.0 * one, 10.0), 2)
    np.testing.assert_allclose(np.abs(modes.eigenvalues), [0.0, 20.0], atol=1e-12)


def test_free_particle_in_a_rotating_frame():
    """λ = iΩ twice with one eigenvector: a defective pair is only known to √eps ≈ 2e-8 of Ω."""
    one = sparse.csr_array(np.array([[2.0]]))
    modes = quadratic_modes(*rotating(one, 0.0 * one, 3.0), 2)
    assert np.abs(modes.eigenvalues - 3.0j).max() < 3.0 * 1e-7
    assert modes.residuals.max() < 1e-13


@pytest.mark.parametrize("damping", [0.01, 0.5, 2.5])
def test_damped_oscillator(damping):
    """Roots of λ² + cλ + 1; two reals beyond c = 2."""
    one = sparse.csr_array(np.array([[1.0]]))
    modes = quadratic_modes(one, damping * one, one, 1)
    roots = np.roots([1.0, damping, 1.0])
    expected = roots[np.argmin(np.abs(roots))] if damping > 2.0 else roots[roots.imag > 0.0][0]
    assert abs(modes.eigenvalues[0] - expected) < ROUNDING


@pytest.mark.parametrize("damped", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_random_gyroscopic_systems(seed, damped):
    """scipy's eig on the companion matrix: both err by eps·cond, at most 1e-12 of the spectrum here."""
    rng = np.random.default_rng(seed)
    n = 40
    m = rng.standard_normal((n, n)) / n
    m = sparse.csr_array(m @ m.T + np.eye(n))
    g = rng.standard_normal((n, n))
    k = rng.standard_normal((n, n))
    c = sparse.csr_array(g - g.T + (0.1 * np.diag(rng.uniform(0, 1, n)) if damped else 0.0))
    stiffness = sparse.csr_array(k + k.T + 5.0 * np.eye(n) + (0.1 * (g - g.T) if damped else 0.0))
    modes = quadratic_modes(m, c, stiffness, 15)
    values = companion_eigenvalues(m, c, stiffness)
    np.testing.assert_allclose(modes.eigenvalues[:15], pair_up(values, 15), atol=1e-10)
    assert modes.residuals.max() < 1e-9
    # Everything unstable is there, wherever it lies in the spectrum.
    unstable = values[(values.real > 1e-6) & (values.imag >= 0.0)]
    for value in unstable:
        assert np.abs(modes.eigenvalues - value).min() < 1e-9


def test_divergence_keeps_both_reals():
    """A rising and a falling exponential besides an oscillation; also by the undamped shortcut."""
    m = sparse.csr_array(np.eye(3))
    k = sparse.csr_array(np.diag([-4.0, 9.0, 100.0]))
    small = sparse.csr_array(1e-7 * np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    for c in (0.0 * m, small):
        np.testing.assert_allclose(quadratic_modes(m, c, k, 3).eigenvalues, [2.0, -2.0, 3.0j], atol=1e-13)
        np.testing.assert_allclose(quadratic_modes(m, c, k, 1).eigenvalues, [2.0], atol=1e-13)


def test_an_unstable_mode_beyond_the_count_is_still_returned():
    m = sparse.csr_array(np.eye(3))
    k = sparse.csr_array(np.diag([1.0, 9.0, -400.0]))
    c = sparse.csr_array(np.diag([0.1, 0.1, 0.0]))
    for damping in (c, 0.0 * c):
        modes = quadratic_modes(m, damping, k, 2)
        np.testing.assert_allclose(modes.eigenvalues[-1], 20.0, atol=1e-12)
        np.testing.assert_allclose(np.abs(modes.eigenvalues[:2]), [1.0, 3.0], atol=1e-12)


def test_defective_zero_is_small():
    """A free ring: rotation θ and stretch u coupled by Coriolis forces; λ = 0 twice with one eigenvector.

    λ² (λ² + κ + 4Ω²) = 0. A third unknown 1e8 times faster is there to spoil what rounds to the top of the
    spectrum: √(eps)·1e9 rad/s would be 15 rad/s. Expected: √eps of the lowest frequency, and residuals.
    """
    speed, kappa = 30.0, 400.0
    m = sparse.csr_array(np.diag([1.0, 0.25, 1.0]))
    c = sparse.csr_array(np.array([[0.0, -speed, 0.0], [speed, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    k = sparse.csr_array(np.diag([kappa, 0.0, 1e18]))
    modes = quadratic_modes(m, c, k, 2)
    lowest = np.sqrt(kappa + speed**2 / 0.25)
    assert abs(modes.eigenvalues[0]) < 1e-6 * np.sqrt(kappa)
    assert abs(modes.eigenvalues[1] - 1j * lowest) < 1e-10 * lowest


@pytest.mark.parametrize("divisions", [30, 250])
def test_free_spinning_chain_has_its_rigid_motions(divisions):
    """Rotating frame: |f ± Ω| for every f of the free chain, the rigid one (f = 0) twice at Ω, defective."""
    k, frequencies = chain(divisions, free=True)
    speed = 0.3 * frequencies[1]
    modes = quadratic_modes(*rotating(sparse.eye_array(divisions), k, speed), 9)
    expected = np.sort(np.abs(np.concatenate([frequencies + speed, frequencies - speed])))[:9]
    np.testing.assert_allclose(np.abs(modes.eigenvalues), expected, atol=2e-6 * speed)
    assert np.abs(modes.eigenvalues.real).max() < 2e-6 * speed
    assert modes.residuals.max() < 1e-9


@pytest.mark.parametrize("speed", [0.01, 0.2, 0.7])
def test_large_chain_is_exact(speed):
    """600 unknowns, below the first critical speed and with hundreds of modes below the spin; |f ± Ω|."""
    k, frequencies = chain(300)
    modes = quadratic_modes(*rotating(sparse.eye_array(300), k, speed), 12)
    assert modes.method.startswith("Arnoldi" if speed > frequencies[0] else "modes without gyroscopic terms")
    assert modes.confirmed
    expected = np.sort(np.abs(np.concatenate([frequencies + speed, frequencies - speed])))[:12]
    np.testing.assert_allclose(modes.eigenvalues.imag, expected, atol=1e-12)
    assert np.abs(modes.eigenvalues.real).max() < 1e-12
    assert modes.residuals.max() < 1e-9


@pytest.mark.parametrize("clamped", [True, False])
def test_arnoldi_agrees_with_dense(monkeypatch, clamped):
    """A plane body in fast rotation without geometric stiffness (so it diverges when free), both ways."""
    k, m, _ = plane((7, 7), clamped=clamped, modulus=1.0, density=1.0)
    size = k.shape[0]
    turn = sparse.csr_array(sparse.block_diag([np.array([[0.0, -1.0], [1.0, 0.0]])] * (size // 2)))
    speed = 0.02
    c = sparse.csr_array(2.0 * speed * m @ turn + 0.002 * k)  # with stiffness-proportional damping
    softened = sparse.csr_array(k - speed**2 * m)
    found = []
    for limit in (0, 10_000):
        monkeypatch.setattr(quadratic_eigenproblems, "_DENSE_QUADRATIC", limit)
        found.append(quadratic_modes(m, c, softened, 12))
    sparse_modes, dense_modes = found
    assert sparse_modes.method.startswith("Arnoldi")
    assert dense_modes.method.startswith("LAPACK")
    # Free: λ = −… is a defective pair, known to √eps only.
    tolerance = 1e-10 if clamped else 1e-6
    scale = np.abs(dense_modes.eigenvalues[:12]).max()
    np.testing.assert_allclose(sparse_modes.eigenvalues[:12], dense_modes.eigenvalues[:12], atol=tolerance * scale)
    assert max(modes.residuals.max() for modes in found) < 1e-8
    norms = np.einsum("ij,ij->j", sparse_modes.vectors.conj(), m @ sparse_modes.vectors)
    np.testing.assert_allclose(norms, 1.0, atol=1e-12)


def test_identical_blades_are_all_found():
    """Twelve equal chains on one hub: every mode twelve times, which one Arnoldi search does not see."""
    k, frequencies = chain(20)
    speed = 0.05
    blades = sparse.csr_array(sparse.kron(sparse.eye_array(12), k))
    modes = quadratic_modes(*rotating(sparse.eye_array(240), blades, speed), 30)
    assert modes.method.startswith("Arnoldi")
    assert modes.confirmed
    expected = np.sort(np.abs(np.concatenate([frequencies + speed, frequencies - speed])))[:3]
    np.testing.assert_allclose(modes.eigenvalues.imag, np.repeat(expected, 12)[:30], atol=1e-10)


@pytest.mark.parametrize("limit", [0, 10_000])
@pytest.mark.parametrize("target", [0.5j, 1.0 + 0.0j, -0.03 + 0.91j])
def test_target(monkeypatch, limit, target):
    """The modes nearest to a point of the plane, by the closed form of the damped rotating chain."""
    monkeypatch.setattr(quadratic_eigenproblems, "_DENSE_QUADRATIC", limit)
    k, _ = chain(60)
    m, c, stiffness = rotating(sparse.eye_array(60), k, 0.1)
    damped = sparse.csr_array(c + 0.01 * m)
    modes = quadratic_modes(m, damped, stiffness, 5, target=target)
    values = companion_eigenvalues(m, damped, stiffness)
    upper = values[values.imag > 0.0]
    expected = upper[np.argsort(np.abs(upper - target))][:5]
    np.testing.assert_allclose(modes.eigenvalues[:5], expected, atol=1e-10)


def test_newton_repairs_a_poor_pair():
    """A pair with four digits is brought to rounding by the refinement of the quadratic problem itself."""
    k, _ = chain(30)
    m, c, stiffness = rotating(sparse.eye_array(30), k, 0.05)
    problem = Quadratic.scaled(m, c, stiffness, np.empty((2 * m.shape[0], 0)))
    exact = quadratic_modes(m, c, stiffness, 4)
    rng = np.random.default_rng(2)
    poor_vectors = exact.vectors + 1e-4 * rng.standard_normal(exact.vectors.shape)
    values, _, residuals = quadratic_eigenproblems._refine(problem, exact.eigenvalues * (1.0 + 1e-4), poor_vectors)
    np.testing.assert_allclose(values, exact.eigenvalues, atol=1e-10)
    assert residuals.max() < 1e-8


def test_undamped_shortcut_agrees_with_the_symmetric_problem():
    k, m, _ = plane((9, 9), clamped=False)
    modes = quadratic_modes(m, 0.0 * m, k, 10)
    reference = symmetric_modes(k, m, 10)
    assert len(modes.eigenvalues) == 10  # a rigid motion is one entry, though its zero is double
    np.testing.assert_allclose(modes.eigenvalues[3:].imag, np.sqrt(reference.eigenvalues[3:]), rtol=1e-13)
    assert np.abs(modes.eigenvalues[:3]).max() < 1e-5 * modes.eigenvalues[3].imag


# --- known motions and large blocks ------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, 10_000])
def test_known_states_are_left_out(monkeypatch, limit):
    """A free chain in a turning frame: (λ ± iΩ)² belongs to its shifts, |f ± Ω| to the other modes exactly.

    The states (t, 0) and (0, t) of the two shifts t span all four defective eigenvalues; without them a solver
    finds each ±iΩ only to the square root of its precision, with them none is left.
    """
    monkeypatch.setattr(quadratic_eigenproblems, "_DENSE_QUADRATIC", limit)
    size, speed = 120, 0.05
    k, frequencies = chain(size, free=True)
    m, c, stiffness = rotating(sparse.eye_array(size), k, speed)
    shifts = np.kron(np.ones((size, 1)), np.eye(2))
    states = np.kron(np.eye(2), shifts)
    modes = quadratic_modes(m, c, stiffness, 8, known=states)
    exact = np.sort(np.abs(np.concatenate([frequencies[1:] - speed, frequencies[1:] + speed])))[:8]
    np.testing.assert_allclose(modes.eigenvalues, 1j * exact, atol=1e-11)
    assert modes.residuals.max() < 1e-8
    assert modes.confirmed


def test_restarts_reach_the_same_modes(monkeypatch):
    """Six blocks of room instead of all: thick restarts lose nothing."""
    monkeypatch.setattr(eigenproblems, "_DENSE_SYMMETRIC", 0)
    k, m, _ = plane((16, 12), clamped=True)
    exact = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True, subset_by_index=[0, 29])
    for width, blocks in ((4, 1), (8, 2), (16, 10)):
        monkeypatch.setattr(block_lanczos, "_WIDTH", width)
        monkeypatch.setattr(block_lanczos, "_BLOCKS", blocks)
        modes = symmetric_modes(k, m, 30)
        np.testing.assert_allclose(modes.eigenvalues, exact, rtol=1e-9)  # LAPACK's own error, 1e-13 of the top
        assert modes.residuals.max() < 1e-7
        assert modes.confirmed


def test_one_factorisation_at_a_time(monkeypatch):
    """The factors for the search are gone before those for the count are made, so that memory is that of one."""
    open_now, most = set(), []

    def watched(matrix, kind, **options):
        factors = factorise(matrix, kind, **options)
        close = factors.close
        open_now.add(id(factors))
        most.append(len(open_now))
        monkeypatch.setattr(factors, "close", lambda: (open_now.discard(id(factors)), close()))
        return factors

    for module in (eigenproblems, factorisation):
        monkeypatch.setattr(module, "factorise", watched)
    monkeypatch.setattr(eigenproblems, "count_negative", lambda *_: None)  # so that the count is made in double
    monkeypatch.setattr(eigenproblems, "_DENSE_SYMMETRIC", 0)
    k, m, _ = plane((9, 9), clamped=True)
    assert symmetric_modes(k, m, 5).confirmed
    assert most == [1, 1]

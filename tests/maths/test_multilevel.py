"""Models in substructures against LAPACK on the whole matrices."""

import numpy as np
import pytest
from scipy import linalg, sparse
from tests.maths.sample_matrices import beam, plane, solid

from flexframe.errors import InputError
from flexframe.keeping import keeping
from flexframe.maths.factorisation import factorise
from flexframe.maths.multilevel import modes as multilevel
from flexframe.maths.multilevel.model import NotDefiniteError, divided_pencil
from flexframe.maths.multilevel.modes import multilevel_modes
from flexframe.maths.multilevel.pool import Serial, divided_into


def random_body(seed):
    """K, M of a body of random kind, size, support and distribution of mass."""
    rng = np.random.default_rng(seed)
    clamped = bool(rng.integers(2))
    match seed % 4:
        case 0:
            k, m, _ = solid(tuple(int(n) for n in rng.integers(2, 4, 3)), clamped=clamped)
        case 1:
            k, m, _ = plane(tuple(int(n) for n in rng.integers(4, 12, 2)), clamped=clamped)
        case 2:
            k, m = beam(int(rng.integers(40, 120)), clamped=clamped)
        case _:
            k, m, _ = plane((int(rng.integers(20, 40)), 2), clamped=clamped)
    if rng.integers(2):
        uneven = sparse.diags_array(10 ** rng.uniform(-1, 1, m.shape[0]))
        m = sparse.csr_array(uneven @ m @ uneven)
    return k, m


def exact_eigenvalues(k, m, count):
    """The lowest eigenvalues by LAPACK, and what its rounding may do to them: eps of the spectrum's top.

    The inverse problem with a definite K + τM keeps the digits of the low ones.
    """
    tau = 1e-4 * linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True, subset_by_index=[0, 12])[-1]
    mu = linalg.eigh(m.toarray(), (k + tau * m).toarray(), eigvals_only=True)[::-1][:count]
    return 1.0 / mu - tau


@pytest.mark.parametrize("seed", range(20))
def test_bounds_hold_on_random_bodies(seed):
    """Every eigenvalue lies between its bounds, which are close, and none is missed."""
    k, m = random_body(seed)
    count, parts = 7 + seed % 5, 2 + seed % 7  # more than rigid motions
    found = multilevel_modes(k, m, count, pool=Serial(), parts=parts)
    exact = exact_eigenvalues(k, m, count)
    lower, upper = found.bounds.T
    assert found.confirmed
    assert (lower <= exact).all()
    assert (exact <= upper).all()
    assert ((lower <= found.eigenvalues) & (found.eigenvalues <= upper)).all()
    # 1e-8 where refinement ends, else what rounding of K leaves: eps times its entries, up to 1e12 of the lowest λ
    assert (upper - lower <= 1e-4 * exact[-1]).all()
    gram = found.vectors.T @ (m @ found.vectors)
    np.testing.assert_allclose(gram, np.eye(count), atol=1e-10)


def test_division_leaves_nothing_between_parts():
    """Parts have entries in common with what separates them only; each unknown is in one substructure."""
    k, m, _ = solid((6, 3, 3), clamped=True)
    pencil = divided_pencil(k, m, 7, Serial())
    assert pencil.parts == 7
    np.testing.assert_array_equal(np.sort(np.concatenate([p.own for p in pencil.division])), np.arange(k.shape[0]))
    for number, piece in enumerate(pencil.division):
        for other in pencil.division[:number]:
            if not piece.children and not other.children:
                assert k[piece.own][:, other.own].nnz == 0
        if not piece.children:
            beside = np.setdiff1d(np.unique(k[piece.own].indices), piece.own)
            np.testing.assert_array_equal(beside, piece.boundary)
    assert len(pencil.division[-1].boundary) == 0
    largest = max(len(piece.own) for piece in pencil.division if not piece.children)
    assert largest < 2 * k.shape[0] / 7


def test_reduced_model_is_that_of_its_vectors():
    """Squares of the reduced model are Rayleigh quotients of its vectors, and above the exact ones."""
    k, m, _ = plane((12, 6), clamped=True)
    model = divided_pencil(k, m, 5, Serial()).condense(16)
    x = model.vectors(6)
    quotients = np.einsum("ij,ij->j", x, k @ x) / np.einsum("ij,ij->j", x, m @ x)
    # some roundings of single precision, which the mass of a reduced model has
    np.testing.assert_allclose(quotients, model.squares[:6], rtol=1e-6)
    exact = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True, subset_by_index=[0, 5])
    error = model.squares[:6] / exact - 1
    assert (error > -1e-6).all()
    assert (error < 0.02).all()


def test_count_and_solves_by_parts():
    """Signs of eigenvalues as LAPACK has them; solves have residuals of rounding."""
    k, m, _ = plane((10, 5), clamped=True)
    pencil = divided_pencil(k, m, 6, Serial())
    exact = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True)
    for value in (0.5 * exact[0], 1.001 * exact[4], 0.999 * exact[60]):
        assert pencil.count_below(value) == np.count_nonzero(exact < value)
    rhs = np.random.default_rng(1).standard_normal((k.shape[0], 3))
    for model in (pencil.eliminate(), pencil.condense(4)):
        x = model.solve(rhs)
        backward = np.abs(k @ x - rhs).max() / (abs(k) @ np.abs(x)).max()
        assert backward < 1e-13  # some roundings


def test_factors_may_be_divided():
    """`factorise` inside `divided_into` gives the answers of the whole matrix, real and complex."""
    k, _, _ = plane((8, 5), clamped=True)
    rng = np.random.default_rng(2)
    rhs = rng.standard_normal((k.shape[0], 2)) + 1j * rng.standard_normal((k.shape[0], 2))
    with divided_into(4), factorise(k, "spd") as factors:
        assert factors.solver.startswith("elimination by 4 substructures")
        x = factors.solve(rhs)
    whole = np.linalg.solve(k.toarray(), rhs)
    np.testing.assert_allclose(x, whole, rtol=0, atol=1e-10 * np.abs(whole).max())  # condition 1e5


def test_indefinite_stiffness_is_noticed():
    """A free body is not definite, however its rounding falls; its modes are found with a shift."""
    k, m, _ = solid((3, 2, 2), clamped=False)
    with pytest.raises(NotDefiniteError):
        divided_pencil(k, m, 4, Serial()).condense(8)
    with pytest.raises(NotDefiniteError):
        divided_pencil(k, m, 4, Serial()).eliminate()
    softened = sparse.csr_array(k - 2e3 * m)
    found = multilevel_modes(softened, m, 8, pool=Serial(), parts=4)
    np.testing.assert_allclose(found.eigenvalues[:6], -2e3, rtol=1e-4)
    assert found.confirmed


def test_a_missed_mode_is_found(monkeypatch):
    """Modes that the reduced model lacks are counted, and sought until all are there."""
    k, m, _ = plane((10, 5), clamped=True)
    exact = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True, subset_by_index=[0, 3])
    vectors = multilevel.MultilevelModel.vectors
    monkeypatch.setattr(multilevel.MultilevelModel, "vectors", lambda self, count: vectors(self, count)[:, 1:])
    found = multilevel_modes(k, m, 4, pool=Serial(), parts=4)
    assert found.confirmed
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=1e-7)  # bounds are closer than that
    assert (found.bounds[:, 0] <= exact).all()


class Remembered:
    """A keeper in memory."""

    def __init__(self):
        self.values = {}

    def find(self, key):
        return self.values.get(key)

    def keep(self, key, value):
        self.values[key] = value

    def save(self):
        pass


class Interrupted(Serial):
    """A pool that ends after some tasks."""

    def __init__(self, tasks):
        super().__init__()
        self.left = tasks
        self.done = 0

    def finished(self):
        if self.done == self.left:
            raise KeyboardInterrupt
        self.done += 1
        return super().finished()


def test_interrupted_work_goes_on():
    """What was done before an interruption is not done again, and the bits are the same."""
    k, m, _ = plane((8, 4), clamped=True)
    whole, first, second = Interrupted(None), Interrupted(12), Interrupted(None)
    expected = multilevel_modes(k, m, 3, pool=whole, parts=4)
    keeper = Remembered()
    with keeping(keeper), pytest.raises(KeyboardInterrupt):
        multilevel_modes(k, m, 3, pool=first, parts=4)
    with keeping(keeper):
        found = multilevel_modes(k, m, 3, pool=second, parts=4)
    assert second.done == whole.done - 12
    np.testing.assert_array_equal(found.vectors, expected.vectors)
    np.testing.assert_array_equal(found.bounds, expected.bounds)


def test_too_few_unknowns_are_refused():
    k, m = beam(10, clamped=True)
    with pytest.raises(InputError, match="20 unknowns are too few to divide for 4 modes"):
        multilevel_modes(k, m, 4, pool=Serial(), parts=2)

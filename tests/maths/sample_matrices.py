"""Stiffness and mass matrices of simple bodies, written without the package under test."""

import numpy as np
import skfem
from scipy import sparse
from skfem.helpers import dot
from skfem.models.elasticity import lame_parameters, linear_elasticity


def beam(divisions, *, clamped, rigidity=100.0, mass_per_length=0.8):
    """Euler–Bernoulli beam of unit length, deflection and slope at each node: K, M."""
    h = 1.0 / divisions
    k = rigidity / h**3 * np.array(
        [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
         [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]]
    )  # fmt: skip
    m = mass_per_length * h / 420 * np.array(
        [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
         [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]]
    )  # fmt: skip
    dofs = 2 * np.arange(divisions)[:, None] + np.arange(4)
    rows, columns = np.repeat(dofs, 4, axis=1).ravel(), np.tile(dofs, (1, 4)).ravel()
    size = 2 * divisions + 2
    first = 2 if clamped else 0
    return tuple(
        sparse.csr_array(
            sparse.csr_array((np.tile(e.ravel(), divisions), (rows, columns)), shape=(size, size))[first:, first:]
        )
        for e in (k, m)
    )


def solid(cells, *, clamped, modulus=2e11, density=7800.0):
    """Ten-node tetrahedra in a box of unit cells, clamped at x = 0 or free: K, M, node coordinates by dof."""
    mesh = skfem.MeshTet.init_tensor(*(np.linspace(0.0, n, n + 1) for n in cells))
    return _assemble(mesh, skfem.ElementTetP2(), clamped=clamped, modulus=modulus, density=density)


def plane(cells, *, clamped, modulus=2e11, density=7800.0):
    """Eight-node quadrilaterals (plane strain) in a rectangle of unit cells: K, M, coordinates by dof."""
    mesh = skfem.MeshQuad.init_tensor(*(np.linspace(0.0, n, n + 1) for n in cells))
    return _assemble(mesh, skfem.ElementQuadS2(), clamped=clamped, modulus=modulus, density=density)


def _assemble(mesh, element, *, clamped, modulus, density):
    basis = skfem.Basis(mesh, skfem.ElementVector(element))
    stiffness = skfem.asm(linear_elasticity(*lame_parameters(modulus, 0.3)), basis)
    mass = skfem.asm(skfem.BilinearForm(lambda u, v, _: density * dot(u, v)), basis)
    keep = np.flatnonzero(basis.doflocs[0] > 1e-9) if clamped else np.arange(stiffness.shape[0])
    take = lambda matrix: sparse.csr_array(sparse.csr_array(matrix)[keep][:, keep])  # noqa: E731
    return take(stiffness), take(mass), basis.doflocs[:, keep]


def random_sparse(size, rng, *, density=0.05):
    """A random unsymmetric matrix with a full diagonal of ordinary size."""
    a = sparse.random_array((size, size), density=density, rng=rng, data_sampler=rng.standard_normal)
    return sparse.csr_array(a + sparse.diags_array(rng.uniform(0.5, 2.0, size)))

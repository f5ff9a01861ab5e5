"""Assembly of solids of 100,000 degrees of freedom: K, M and all invariants against scikit-fem's K and M."""

import sys

import numpy as np
import skfem
from benchmarks.harness import Comparison, compare, write
from skfem.helpers import ddot, dot, sym_grad, trace

from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import Material
from flexframe.mesh.builders import block
from flexframe.model.body import Body

MATERIAL = Material(young=200e9, poisson=0.3, density=7900.0)
PEERS = {
    "hexahedron": (skfem.MeshHex, skfem.ElementHexS2, 8),
    "tetra": (skfem.MeshTet, skfem.ElementTetP2, 4),
}


def workload(divisions: int, shape: str, repetitions: int) -> Comparison:
    mesh = block((2.0, 1.0, 1.0), (2 * divisions, divisions, divisions), order=2, shape=shape)
    body = Body.solid("block", mesh, material=MATERIAL)
    kept = {}

    def ours() -> None:
        discrete = discretise(body)
        kept["ours"] = (discrete.stiffness, discrete.mass)

    make_mesh, make_element, corner_count = PEERS[shape]
    corners = mesh.blocks[0].nodes[:, :corner_count]
    if shape == "hexahedron":
        corners = corners[:, [0, 1, 3, 4, 2, 5, 7, 6]]  # scikit-fem's order of the corners
    used, inverse = np.unique(corners, return_inverse=True)
    peer_mesh = make_mesh(mesh.points[used].T.copy(), inverse.reshape(corners.shape).T.copy())
    E, nu = MATERIAL.young, MATERIAL.poisson
    mu, lame = E / 2 / (1 + nu), E * nu / ((1 + nu) * (1 - 2 * nu))

    @skfem.BilinearForm
    def stiffness(u, v, _):
        return 2 * mu * ddot(sym_grad(u), sym_grad(v)) + lame * trace(sym_grad(u)) * trace(sym_grad(v))

    @skfem.BilinearForm
    def mass(u, v, _):
        return MATERIAL.density * dot(u, v)

    def theirs() -> None:
        basis = skfem.Basis(peer_mesh, skfem.ElementVector(make_element()), intorder=4)
        kept["peer"] = (stiffness.assemble(basis), mass.assemble(basis))

    dofs = mesh.node_count * 3
    result = compare(
        f"assembly, {dofs} dofs, {shape}s of second order", "scikit-fem", ours, theirs, repetitions=repetitions
    )
    for mine, other in zip(kept["ours"], kept["peer"], strict=True):
        # the same matrices but for the numbering
        assert abs(np.sqrt((mine**2).sum() / other.power(2).sum()) - 1) < 1e-6
    return result


if __name__ == "__main__":
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    write("assembly", [workload(16, "hexahedron", repetitions), workload(12, "tetra", repetitions)])

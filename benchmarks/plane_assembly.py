"""Assembly of a plane model of 100,000 dofs: K, M and all invariants against scikit-fem's K and M."""

import numpy as np
import skfem
from benchmarks.harness import Comparison, compare, write
from skfem.helpers import ddot, dot, sym_grad, trace

from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import Material
from flexframe.mesh.builders import rectangle
from flexframe.model.body import Body

MATERIAL = Material(young=200e9, poisson=0.3, density=7900.0)


def workload(divisions: int, shape: str) -> Comparison:
    mesh = rectangle(2.0, 1.0, divisions=(2 * divisions, divisions), order=2, shape=shape)
    body = Body.plane("plate", mesh, material=MATERIAL, thickness=0.01)
    kept = {}

    def ours() -> None:
        discrete = discretise(body)
        kept["ours"] = (discrete.stiffness, discrete.mass)

    corners = mesh.blocks[0].nodes[:, : 4 if shape == "quad" else 3]
    used, inverse = np.unique(corners, return_inverse=True)
    points = mesh.points[used, :2].T.copy()
    cells = inverse.reshape(corners.shape).T.copy()
    if shape == "quad":
        peer_mesh, element = skfem.MeshQuad(points, cells), skfem.ElementQuadS2()
    else:
        peer_mesh, element = skfem.MeshTri(points, cells), skfem.ElementTriP2()
    E, nu = MATERIAL.young, MATERIAL.poisson
    mu, lame = E / 2 / (1 + nu), E * nu / (1 - nu**2)

    @skfem.BilinearForm
    def stiffness(u, v, _):
        return 0.01 * (2 * mu * ddot(sym_grad(u), sym_grad(v)) + lame * trace(sym_grad(u)) * trace(sym_grad(v)))

    @skfem.BilinearForm
    def mass(u, v, _):
        return 0.01 * MATERIAL.density * dot(u, v)

    def theirs() -> None:
        basis = skfem.Basis(peer_mesh, skfem.ElementVector(element), intorder=4)
        kept["peer"] = (stiffness.assemble(basis), mass.assemble(basis))

    result = compare(f"assembly, {mesh.node_count * 2} dofs, {shape}s of second order", "scikit-fem", ours, theirs)
    for mine, other in zip(kept["ours"], kept["peer"], strict=True):
        assert abs(abs(mine).sum() / abs(other).sum() - 1) < 1e-2  # the same matrices but for the numbering
    return result


if __name__ == "__main__":
    write("plane_assembly", [workload(91, "quad"), workload(80, "triangle")])

"""Saint-Venant's torsion and flexure of a cross-section, on triangles of second order.

With principal axes y, z through the centroid the warping ω and the flexure functions Ψ solve, for every φ,

    ∫∇ω·∇φ = ∫(z φ,y − y φ,z),      ∫∇Ψ·∇φ = ∫[(ν/2) d·∇φ + 2(1+ν) s φ]

with s = y, d = (y² − z², 2yz) for shear along y and s = z, d = (2yz, z² − y²) for shear along z. The stresses are
τ = Gθ'(ω,y − z, ω,z + y) and τ = V/(2(1+ν)I) (∇Ψ − ν d/2), which leaves no traction on the sides. The torsion
constant is J = Ip − ∫|∇ω|². The shear area is that of the energy, V²/GA_s = ∫τ²/G (Pilkey 2002; Renton; Romano);
Ψ is linear in ν, so that three integrals give it for every material. The shear centre is Trefftz's: torsion about
it and shear through it do no work on each other; it does not depend on the material.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from flexframe.elements.section_mesh import SectionMesh
from flexframe.elements.triangles import Triangle6
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import triangle

_FAMILY = Triangle6()
_RULE = triangle(4)  # squares of quadratic stresses


@dataclass(frozen=True, eq=False)
class SectionConstants:
    """What the functions say about a section whose y and z are principal axes through the centroid."""

    torsion_constant: float
    shear_centre: Array  # (y, z) [m]
    flexure: Array  # a, b, c of A_s = 4I²/(a + 2bs + cs²), s = ν/(1+ν), for shear along y and z: (2, 3)


def section_constants(mesh: SectionMesh) -> SectionConstants:
    """Solve for ω and the parts of Ψ on a mesh in principal axes through the centroid."""
    at = mesh.points[mesh.triangles]
    slopes = _FAMILY.shape_gradient(_RULE.points)
    shape = _FAMILY.shape(_RULE.points)
    jacobian = np.einsum("eai,gad->egid", at, slopes)
    weights = np.linalg.det(jacobian) * _RULE.weights
    gradient = np.einsum("gad,egdi->egai", slopes, np.linalg.inv(jacobian))
    y, z = np.moveaxis(np.einsum("ga,eai->egi", shape, at), -1, 0)
    polar = float(np.sum(weights * (y**2 + z**2)))

    count = len(mesh.points)
    nodes = mesh.triangles.shape[1]
    blocks = np.einsum("eg,egai,egbi->eab", weights, gradient, gradient, optimize=True)
    rows, columns = np.repeat(mesh.triangles, nodes, axis=1), np.tile(mesh.triangles, (1, nodes))
    K = sparse.csr_array((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(count, count))

    def load(along: Array | None, value: Array | None = None) -> Array:
        """∫(along·∇φ + value φ)."""
        parts = np.zeros(mesh.triangles.shape)
        if along is not None:
            parts += np.einsum("eg,egi,egai->ea", weights, along, gradient, optimize=True)
        if value is not None:
            parts += (weights * value) @ shape
        total = np.zeros(count)
        np.add.at(total, mesh.triangles, parts)
        return total

    curved = (np.stack([y**2 - z**2, 2 * y * z], axis=-1), np.stack([2 * y * z, z**2 - y**2], axis=-1))
    twist = load(np.stack([z, -y], axis=-1))
    loads = [twist]
    for s, d in zip((y, z), curved, strict=True):
        loads += [load(None, 2 * s), load(d / 2)]
    # functions up to a constant: the first node is held
    solved = np.zeros((count, len(loads)))
    solved[1:] = splu(sparse.csc_array(K[1:, 1:])).solve(np.array(loads).T[1:])
    fields = np.einsum("egai,eap->pegi", gradient, solved[mesh.triangles], optimize=True)

    warping = solved[:, 0]
    values = np.einsum("ga,ea->eg", shape, warping[mesh.triangles])
    second = [float(np.sum(weights * s**2)) for s in (y, z)]
    flexure = np.empty((2, 3))
    for k, d in enumerate(curved):
        plain, lateral = fields[1 + 2 * k], fields[2 + 2 * k] - d / 2
        flexure[k] = [
            float(np.sum(weights * (p * q).sum(axis=-1)))
            for p, q in ((plain, plain), (plain, lateral), (lateral, lateral))
        ]
    # ω less its mean: the first moments of y and z vanish
    centre = np.array([-np.sum(weights * values * z) / second[1], np.sum(weights * values * y) / second[0]])
    return SectionConstants(polar - float(warping @ twist), centre, flexure)

"""Orders of convergence, from a solution that is chosen first and the load that belongs to it."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

from flexframe.assembly.discrete import discretise
from flexframe.elements.contract import InterpolatedFamily, StructuralFamily
from flexframe.elements.properties import BeamProperty, Rectangle
from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh
from flexframe.model.supports import Fix

from .brute_force import beam_local_shape, beam_shear_lengths, reference_points, thickness
from .samples import (
    body_of,
    every_beam_family,
    every_interpolated_family,
    on_unit_boundary,
    sample_mesh,
    sample_property,
)
from .test_stiffness import hooke


def smooth_mesh(family: InterpolatedFamily, divisions: int) -> Mesh:
    """A uniform grid under a smooth map of the unit region onto itself, so that cells tend to affine ones."""
    mesh = sample_mesh(family, divisions, distorted=False)
    d = family.cell.dimension
    x = mesh.points.copy()
    bump = 0.1 * np.prod(np.sin(np.pi * x[:, :d]), axis=1)
    for i in range(d):
        x[:, i] += (-1) ** i * bump
    return replace(mesh, points=x)


@dataclass(frozen=True)
class Chosen:
    """u_i = sin(a_i·x + i) and its derivatives in d dimensions."""

    d: int

    @property
    def waves(self) -> Array:
        return np.array([[1.3, -0.9, 0.6], [0.8, 1.5, -1.1], [-0.7, 1.2, 1.4]])[: self.d, : self.d]

    def phase(self, x: Array) -> Array:
        return x[..., : self.d] @ self.waves.T + np.arange(self.d)

    def u(self, x: Array) -> Array:
        return np.sin(self.phase(x))

    def gradient(self, x: Array) -> Array:
        return np.cos(self.phase(x))[..., :, None] * self.waves

    def load(self, x: Array, prop) -> Array:
        """−div σ: with u_j,lk = −a_jl a_jk u_j and σ linear in ∇u."""
        u = self.u(x)
        total = np.zeros_like(u)
        for j in range(self.d):
            for k in range(self.d):
                grad = np.zeros((self.d, self.d))
                grad[j] = self.waves[j] * self.waves[j, k]
                total -= -hooke(prop, (grad + grad.T) / 2)[:, k] * u[..., j, None]
        return total


def errors(family: InterpolatedFamily, divisions: int) -> tuple[float, float]:
    """‖u − u_h‖ in energy and in the mean square."""
    d = family.cell.dimension
    discrete = discretise(body_of(family, smooth_mesh(family, divisions)))
    chosen, (batch,) = Chosen(d), discrete.batches
    points = discrete.body.mesh.points
    rule_points, rule_weights = reference_points(family.cell, order=4)
    phi, reference = family.shape(rule_points), family.shape_gradient(rule_points)
    corners = batch.coordinates[..., :d]
    J = np.einsum("eai,gad->egid", corners, reference)
    dV = np.abs(np.linalg.det(J)) * rule_weights * thickness(batch.prop)
    x = np.einsum("ga,eai->egi", phi, corners)
    load = np.zeros((len(points), d))
    np.add.at(load, batch.nodes, np.einsum("eg,ga,egi->eai", dV, phi, chosen.load(x, batch.prop)))
    fixed = on_unit_boundary(points, d)
    exact = chosen.u(points)
    numbers = discrete.dofs.numbers[:, :d]
    inner, outer = numbers[~fixed].ravel(), numbers[fixed].ravel()
    K = discrete.stiffness
    u = exact.copy()
    right = load[~fixed].ravel() - K[inner][:, outer] @ exact[fixed].ravel()
    u[~fixed] = spsolve(K[inner][:, inner].tocsc(), right).reshape(-1, d)
    slope = np.einsum("gad,egdi->egai", reference, np.linalg.inv(J))
    wrong = np.einsum("egai,eaj->egji", slope, u[batch.nodes]) - chosen.gradient(x)
    strain = (wrong + np.swapaxes(wrong, -1, -2)) / 2
    energy = np.sum(dV[..., None, None] * strain * hooke(batch.prop, strain))
    missed = np.einsum("ga,eai->egi", phi, u[batch.nodes]) - chosen.u(x)
    return float(np.sqrt(energy)), float(np.sqrt(np.sum(dV[..., None] * missed**2)))


@every_interpolated_family
def test_order_of_convergence(family: InterpolatedFamily) -> None:
    """Energy error of order `degree`, displacement error of one more.

    A halving is within 0.1 of the order (0.15 in space, where meshes are coarser); better is allowed.
    """
    coarse, near = (10, 0.1) if family.cell.dimension < 3 else ({1: 4, 2: 3}[family.degree], 0.15)
    fine = 2 * coarse
    (energy, displacement), (energy2, displacement2) = errors(family, coarse), errors(family, fine)
    assert np.log2(energy / energy2) > family.degree - near
    assert np.log2(displacement / displacement2) > family.degree + 1 - near
    # a small part of the energy, of order one; solids are computed with four cells along an edge only
    assert energy2 < (0.5 if family.cell.dimension == 3 else 0.1)


@every_beam_family
@pytest.mark.parametrize("width", [0.3, 0.01], ids=["thick", "slender"])
def test_beam_under_a_smooth_load(family: StructuralFamily, width: float) -> None:
    """q = sin πx on a simply supported unit beam: v = (1/π⁴EI + 1/π²κGA) sin πx.

    Nodes are exact up to round-off (exact interpolation; condition about 1e4). Between them a beam with fixed
    ends misses q(h⁴/384EI + h²/8κGA) at its middle; with 8 elements q changes by 2 % within one, so 3 %.
    """
    prop = sample_property(family)
    assert isinstance(prop, BeamProperty)
    timoshenko = family.name == "timoshenko_beam"
    prop = replace(prop, section=Rectangle(width, width), up=(0.0, 1.0, 0.0))
    divisions = 8
    mesh = sample_mesh(family, divisions, distorted=False)
    EI = prop.material.young * prop.section.inertia_z
    shear_length, _ = beam_shear_lengths(timoshenko, prop)
    amplitude = (1 / np.pi**4 + shear_length / np.pi**2) / EI
    held = (Fix("start", ("ux", "uy", "uz", "rx")), Fix("end", ("uy", "uz", "rx")))
    discrete = discretise(replace(body_of(family, mesh, prop), supports=held))
    g, w = np.polynomial.legendre.leggauss(10)
    load = np.zeros(discrete.dofs.count)
    h = 1 / divisions
    for element in range(divisions):
        for s, weight in zip(g, w, strict=True):
            local = h * (s + 1) / 2
            u, _ = beam_local_shape(timoshenko, prop, h, local)
            load[6 * element : 6 * element + 12] += u[1] * np.sin(np.pi * (h * element + local)) * weight * h / 2
    delta = discrete.equilibrium.solve(load).displacements[:, 0]
    x = mesh.points[:, 0]
    np.testing.assert_allclose(delta[1::6], amplitude * np.sin(np.pi * x), atol=1e-9 * amplitude)
    middle, _ = beam_local_shape(timoshenko, prop, h, h / 2)
    element = divisions // 2
    place = h * (element + 0.5)
    missed = amplitude * np.sin(np.pi * place) - middle[1] @ delta[6 * element : 6 * element + 12]
    expected = np.sin(np.pi * place) * (h**4 / 384 + h**2 / 8 * shear_length) / EI
    assert missed == pytest.approx(expected, rel=0.03)

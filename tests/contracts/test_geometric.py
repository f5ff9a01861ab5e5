"""Geometric stiffness: the Hessian of the work that a given stress does on finite deformation."""

from dataclasses import replace

import numpy as np
import pytest
from tests.geometric import geometric_stiffness
from tests.rounding import ROUNDING

from flexframe.assembly.discrete import discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.elements.contract import Family, InterpolatedFamily, StructuralFamily
from flexframe.elements.integration import scalar_geometric, structural_geometric
from flexframe.elements.properties import BeamProperty, ShellProperty
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector, skew, tangent_operator
from flexframe.model.loads import Gravity, NodeForce
from flexframe.motion.frame import FrameMotion

from .brute_force import beam_axes, beam_local_shape, flat_shape, shell_axes, thickness
from .samples import (
    body_of,
    distorted_element,
    element_batch,
    every_beam_family,
    every_family,
    every_interpolated_family,
    every_shell_family,
    lives_in_plane,
    rigid_mesh,
)


@every_interpolated_family
@pytest.mark.parametrize("seed", range(2))
def test_hessian_of_the_green_lagrange_work(family: InterpolatedFamily, seed: int) -> None:
    """∫S:E with E = ½(FᵀF − 1) is quadratic in u, so uᵀk_g u = W(u) + W(−u), here for twenty random fields.

    E is formed from F in the test; for a bar it is ½(|t + ∂u/∂s|² − 1). Round-off of order one.
    """
    rng = np.random.default_rng(seed)
    coordinates = distorted_element(family, rng)
    batch = element_batch(family, coordinates)
    d, rule = family.cell.dimension, family.stiffness_rule
    points = len(rule.weights)
    components = 3 if d == 1 else d
    pairs = {1: [(0, 0)], 2: [(0, 0), (1, 1), (0, 1)], 3: [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)]}[d]
    stresses = rng.standard_normal((1, points, len(pairs)))

    gradient = family.shape_gradient(rule.points)
    tangents = np.einsum("ai,gad->gid", coordinates, gradient)
    size = np.sqrt(np.linalg.det(np.swapaxes(tangents, 1, 2) @ tangents))
    volume = rule.weights * size * thickness(batch.prop)
    inverse = np.linalg.inv(tangents[:, :d]) if d > 1 else np.empty(0)
    multiplicity = np.array([1 if i == j else 2 for i, j in pairs])

    def work(nodal: Array) -> float:
        along = np.einsum("ai,gad->gid", nodal, gradient)
        if d == 1:
            stretched = (tangents + along)[..., 0] / size[:, None]
            strain = ((stretched**2).sum(axis=1) - 1)[:, None, None] / 2
        else:
            F = np.eye(d) + along @ inverse
            strain = (np.swapaxes(F, 1, 2) @ F - np.eye(d)) / 2
        components = np.stack([strain[:, i, j] for i, j in pairs], axis=1)
        return float(np.sum(volume[:, None] * stresses[0] * multiplicity * components))

    computed = np.kron(scalar_geometric(family, batch, stresses)[0], np.eye(components))
    for _ in range(20):
        u = rng.standard_normal((len(coordinates), components))
        assert u.ravel() @ computed @ u.ravel() == pytest.approx(
            work(u) + work(-u), abs=1e-12 * (1 + np.sum(u**2))
        )
    assert np.abs(computed - computed.T).max() < ROUNDING


def second_derivative(function, count: int, step: float) -> Array:
    """Hessian at zero by central differences, with an error of order step²."""
    unit = step * np.eye(count)
    even = {}

    def both(vector: Array) -> float:
        return (function(vector) + function(-vector)) / step**2

    rest = 2 * function(np.zeros(count)) / step**2
    for i in range(count):
        even[i] = both(unit[i]) - rest
    hessian = np.diag([even[i] for i in range(count)])
    for i in range(count):
        for j in range(i):
            hessian[i, j] = hessian[j, i] = (both(unit[i] + unit[j]) - rest - even[i] - even[j]) / 2
    return hessian


def finite_beam_work(timoshenko: bool, prop: BeamProperty, coordinates: Array, resultants: Array, gradient: Array):
    """Work of resultants on the strains of a geometrically exact beam, less that of a body force A x per mass.

    With Λ = exp θ̃ the section turns about its centre: shear is Λᵀr', bending Λᵀ dΛ/dx; the axial force acts
    along the tangent with Green's strain ½(r'·r' − 1), and the fibres of a twisted beam lengthen by ½ r²θx'²
    (Wagner).
    """
    length, axes = beam_axes(coordinates, prop)
    section = prop.section
    g, w = np.polynomial.legendre.leggauss(4)
    A = axes @ gradient @ axes.T
    inertia = np.diag([0, section.inertia_z, section.inertia_y]) * prop.material.density
    at = []
    for i in range(4):
        x, h = length * (g[i] + 1) / 2, 1e-3 * length
        u, theta = beam_local_shape(timoshenko, prop, length, x)
        before = beam_local_shape(timoshenko, prop, length, x - h)
        after = beam_local_shape(timoshenko, prop, length, x + h)
        far_before = beam_local_shape(timoshenko, prop, length, x - 2 * h)
        far_after = beam_local_shape(timoshenko, prop, length, x + 2 * h)
        # five points differentiate the cubic interpolation exactly
        slopes = [
            (8 * (a - b) - (c - d)) / (12 * h)
            for a, b, c, d in zip(after, before, far_after, far_before, strict=True)
        ]
        at.append((w[i] * length / 2, u, theta, *slopes))

    def work(delta: Array) -> float:
        local = np.kron(np.eye(4), axes) @ delta
        total = 0.0
        for i, (dx, _, theta_shape, slope_shape, bend_shape) in enumerate(at):
            theta, r1, theta1 = theta_shape @ local, slope_shape @ local, bend_shape @ local
            r1[0] += 1.0
            turned = rotation_from_vector(theta)
            shear = turned.T @ r1
            curvature = tangent_operator(theta) @ theta1
            stretch = (r1 @ r1 - 1) / 2
            stretch += (section.inertia_y + section.inertia_z) / section.area * theta1[0] ** 2 / 2
            strains = np.array([stretch, shear[1], shear[2], *curvature])
            # ∫ρ (As)·(Λs) over the section
            total += dx * (resultants[i] @ strains - np.trace(turned.T @ A @ inertia))
        return total

    return work


@every_beam_family
@pytest.mark.parametrize("seed", range(2))
def test_hessian_of_the_finite_beam(family: StructuralFamily, seed: int) -> None:
    """Every resultant, in space, with a body force in the sections.

    Central differences with step 1e-3 leave 1e-6 of the fourth derivatives, of order one.
    """
    rng = np.random.default_rng(seed)
    coordinates = distorted_element(family, rng)
    batch = element_batch(family, coordinates)
    prop = batch.prop
    assert isinstance(prop, BeamProperty)
    resultants = rng.standard_normal((1, 4, 6))
    gradient = rng.standard_normal((3, 3))
    timoshenko = family.name == "timoshenko_beam"
    work = finite_beam_work(timoshenko, prop, coordinates, resultants[0], gradient)
    computed = structural_geometric(family, batch, resultants, gradient)[0]
    close(computed, second_derivative(work, 12, step=1e-3), 1e-5)


def finite_shell_work(prop: ShellProperty, coordinates: Array, points: Array, resultants: Array, gradient: Array):
    """Work of resultants on the strains of a surface with directors, less that of a body force A x per mass.

    With d = Λn, Λ = exp θ̃: ε_ij = ½(r,i·r,j − δ_ij), κ_ij = r,i·d,j, Δr·d on the edges, and the drilling strain
    ½(Λe_x·r,y − Λe_y·r,x), which triangles take with the rotations of their corners.
    """
    axes = shell_axes(coordinates)
    corners = coordinates @ axes[:2].T
    count = len(corners)
    A = axes @ gradient @ axes.T
    inertia = np.diag([0, 0, prop.thickness**3 / 12]) * prop.material.density
    at = [(*flat_shape(corners, point), resultants[g]) for g, point in enumerate(points)]
    weight = 1 / 6 if count == 3 else 1.0

    def work(delta: Array) -> float:
        nodal = (np.kron(np.eye(2 * count), axes) @ delta).reshape(count, 6)
        u, theta = nodal[:, :3], nodal[:, 3:]
        total = 0.0
        for number, (phi, slope, dA, S) in enumerate(at):
            r1 = np.eye(3)[:2] + slope.T @ u  # r,x and r,y
            turn, turn1 = phi @ theta, slope.T @ theta
            h = 1e-3
            d1 = []
            for rate in turn1:  # d,j by five points
                n = [rotation_from_vector(turn + k * h * rate)[:, 2] for k in (-2, -1, 1, 2)]
                d1.append((8 * (n[2] - n[1]) - (n[3] - n[0])) / (12 * h))
            drilling = rotation_from_vector(theta[number] if count == 3 else turn)
            last = (number + 1) % count
            edge = np.append(corners[last] - corners[number], 0.0) + u[last] - u[number]
            across = rotation_from_vector((theta[number] + theta[last]) / 2)[:, 2]
            strains = [
                (r1[0] @ r1[0] - 1) / 2,
                (r1[1] @ r1[1] - 1) / 2,
                r1[0] @ r1[1],
                r1[0] @ d1[0],
                r1[1] @ d1[1],
                r1[0] @ d1[1] + r1[1] @ d1[0],
                0.0,
                0.0,
                (drilling[:, 0] @ r1[1] - drilling[:, 1] @ r1[0]) / 2,
                edge @ across,
            ]
            # ∫ρ (As)·(Λs) over the fibre
            fibre = np.trace(rotation_from_vector(turn).T @ A @ inertia)
            total += dA * weight * (S @ np.array(strains) - fibre)
        return total

    return work


@every_shell_family
@pytest.mark.parametrize("seed", range(2))
def test_hessian_of_the_finite_shell(family: StructuralFamily, seed: int) -> None:
    """Every resultant, in space, with a body force in the fibres; differences as for the beam.

    Shear forces do no work of their own: that of the edges is theirs.
    """
    rng = np.random.default_rng(seed)
    coordinates = distorted_element(family, rng)
    batch = element_batch(family, coordinates)
    prop = batch.prop
    assert isinstance(prop, ShellProperty)
    points = family.rule.points  # type: ignore[attr-defined]
    resultants = rng.standard_normal((1, len(points), len(family.resultants)))
    gradient = rng.standard_normal((3, 3))
    work = finite_shell_work(prop, coordinates, points, resultants[0], gradient)
    computed = structural_geometric(family, batch, resultants, gradient)[0]
    close(computed, second_derivative(work, 6 * len(coordinates), step=1e-3), 1e-5)


# ---------------------------------------------------------------------- bodies in equilibrium


def balanced_forces(family: Family, rng: np.random.Generator) -> Array:
    """Nodal forces without resultant and moment, in the directions in which the family moves: (nodes, 3)."""
    points = rigid_mesh(family).points
    forces = rng.standard_normal((len(points), 3))
    fields = np.concatenate([np.tile(np.eye(3), (len(points), 1, 1)), -skew(points)], axis=2)
    if lives_in_plane(family):
        forces[:, 2] = fields[:, 2] = 0.0
    # the least change that removes resultant and moment takes out the rigid fields
    rigid = fields.reshape(-1, 6)
    amounts = np.linalg.lstsq(rigid, forces.ravel(), rcond=None)[0]
    return (forces.ravel() - rigid @ amounts).reshape(-1, 3)


@every_family
def test_rigid_motion_of_a_stressed_body(family: Family) -> None:
    """Translation meets no geometric stiffness; rotation by θ only turns the nodal forces: k_g r = θ × f.

    Solving for the stress costs the condition of k, about 1e3.
    """
    forces = balanced_forces(family, np.random.default_rng(4))
    loads = tuple(NodeForce(node, tuple(force)) for node, force in enumerate(forces))
    discrete = discretise(replace(body_of(family, rigid_mesh(family)), loads=loads))
    K_g = geometric_stiffness(discrete, FrameMotion())
    rigid = rigid_displacements(discrete.dofs, discrete.body.mesh.points)
    size = np.abs(K_g).max()
    assert size > 0.1
    assert np.abs(K_g @ rigid[:, :3]).max() < 1e-12 * size
    for axis in [2] if lives_in_plane(family) else [0, 1, 2]:
        turned = np.zeros((len(forces), 6))
        turned[:, :3] = np.cross(np.eye(3)[axis], forces)
        expected = turned[discrete.dofs.numbers >= 0]
        assert np.abs(K_g @ rigid[:, 3 + axis] - expected).max() < 1e-11 * size


@every_family
def test_expansion_in_the_motion(family: Family) -> None:
    """k_g of a general motion is the sum of its unit loads: quadratic in ω, linear in ε, a and the loads."""
    rng = np.random.default_rng(6)
    plain = body_of(family, rigid_mesh(family))
    discrete = discretise(replace(plain, loads=(Gravity((0.3, -0.7)),)))
    omega, epsilon, a = rng.standard_normal((3, 3))
    if plain.space == "planar":
        omega[:2] = epsilon[:2] = a[2] = 0.0
    both = FrameMotion(omega, epsilon, rng.standard_normal(3), a)
    unloaded = discretise(plain)
    parts = [
        geometric_stiffness(unloaded, FrameMotion(angular_velocity=omega)),
        geometric_stiffness(unloaded, FrameMotion(angular_acceleration=epsilon)),
        geometric_stiffness(unloaded, FrameMotion(origin_acceleration=a)),
        geometric_stiffness(discrete, FrameMotion()),
    ]
    total = geometric_stiffness(discrete, both).toarray()
    close(total, sum(part.toarray() for part in parts), 1e-12)
    faster = geometric_stiffness(unloaded, FrameMotion(angular_velocity=3 * omega)).toarray()
    close(faster, 9 * parts[0].toarray(), 1e-12)
    # gravity is an acceleration of the frame the other way
    lifted = geometric_stiffness(unloaded, FrameMotion(origin_acceleration=np.array([-0.3, 0.7, 0]))).toarray()
    close(parts[3].toarray(), lifted, 1e-12)
    for load, amount in discrete.geometric.coefficients(both).items():
        total = total - amount * discrete.geometric.invariant(load).toarray()
    assert np.abs(total).max() < 1e-12


def close(actual: Array, expected: Array, tolerance: float) -> None:
    """Equal up to a part of the largest entry."""
    assert actual.shape == expected.shape
    assert np.abs(actual - expected).max() < tolerance * max(np.abs(expected).max(), 0.1)

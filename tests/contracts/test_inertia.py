"""Inertia invariants against plain loops over the mass of an element."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.assembly.inertia import CYCLIC, centrifugal_factor
from flexframe.elements.contract import Family, is_interpolated
from flexframe.elements.integration import inertia_points
from flexframe.elements.properties import BeamProperty, ShellProperty
from flexframe.elements.section_matrices import SectionMatrices
from flexframe.equations.bodies import equations_of_motion
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector, skew
from flexframe.model.body import PointMass
from flexframe.motion.frame import FrameMotion

from .brute_force import Particle, particles
from .samples import (
    FAMILIES,
    body_of,
    distorted_element,
    every_beam_family,
    every_family,
    every_shell_family,
    one_element_body,
    sample_mesh,
    sample_property,
)

# sums of some hundred products of order one, in double precision on both sides
ROUND_OFF = 2e-13


def element(family: Family, seed: int) -> tuple[DiscreteBody, list[Particle]]:
    """One distorted element as a body, and its mass in pieces."""
    coordinates = distorted_element(family, np.random.default_rng(seed))
    return one_element_body(family, coordinates), particles(family, sample_property(family), coordinates)


def integral(pieces: list[Particle], factor: Array) -> Array:
    """∫ρ NᵀAN."""
    return sum(p.mass * p.shape.T @ factor @ p.shape for p in pieces)


@every_family
@pytest.mark.parametrize("seed", range(2))
def test_invariants_are_the_integrals(family: Family, seed: int) -> None:
    """m, S, J, M_O, X_km and Y_ab, one by one."""
    discrete, pieces = element(family, seed)
    inertia = discrete.inertia
    assert inertia.mass == pytest.approx(sum(p.mass for p in pieces), rel=ROUND_OFF)
    close(inertia.first_moment, sum(p.mass * p.place for p in pieces))
    close(inertia.second_moment, sum(p.mass * np.outer(p.place, p.place) for p in pieces))
    close(inertia.origin_coupling, sum(p.mass * p.shape for p in pieces))
    for k in range(3):
        for m in range(3):
            close(inertia.position_coupling[k, m], sum(p.mass * p.place[k] * p.shape[m] for p in pieces))
            unit = np.zeros((3, 3))
            unit[k, m] = 1.0
            close(inertia.contraction(unit).toarray(), integral(pieces, unit))
    close(discrete.mass.toarray(), integral(pieces, np.eye(3)))
    close(inertia.inertia_tensor, sum(p.mass * -skew(p.place) @ skew(p.place) for p in pieces))


@every_family
def test_contractions_with_a_motion(family: Family) -> None:
    """c(ω), k(ε), k(ω²) and the inertia loads by direct integration for random ω, ε, a_O."""
    discrete, pieces = element(family, 7)
    inertia = discrete.inertia
    rng = np.random.default_rng(11)
    omega, epsilon, a = rng.standard_normal((3, 3))
    W, E = skew(omega), skew(epsilon)
    for factor in (W, W @ W, E, rng.standard_normal((3, 3))):
        close(inertia.contraction(factor).toarray(), integral(pieces, factor))
        close(inertia.position_load(factor), sum(p.mass * p.shape.T @ factor @ p.place for p in pieces))
    close(inertia.origin_load(a), sum(p.mass * p.shape.T @ a for p in pieces))
    # the named invariants of the theory
    C = [inertia.coriolis_invariant(i).toarray() for i in range(3)]
    K = [[inertia.contraction(centrifugal_factor(i, j)).toarray() for j in range(3)] for i in range(3)]
    d = [inertia.euler_load_invariant(i) for i in range(3)]
    e = [[inertia.centrifugal_load_invariant(i, j) for j in range(3)] for i in range(3)]
    close(sum(omega[i] * C[i] for i in range(3)), integral(pieces, W))
    close(sum(omega[i] * omega[j] * K[i][j] for i in range(3) for j in range(3)), integral(pieces, W @ W))
    close(sum(epsilon[i] * d[i] for i in range(3)), sum(p.mass * p.shape.T @ E @ p.place for p in pieces))
    close(
        sum(omega[i] * omega[j] * e[i][j] for i in range(3) for j in range(3)),
        sum(p.mass * p.shape.T @ W @ W @ p.place for p in pieces),
    )
    for i, b, c in CYCLIC:
        close(C[i], -C[i].T)
        close(d[i], sum(p.mass * (p.place[b] * p.shape[c] - p.place[c] * p.shape[b]) for p in pieces))
        for j in range(3):
            close(K[i][j], K[i][j].T)
            close(K[i][j], K[j][i])


@every_family
def test_inertia_points_carry_the_same_integrals(family: Family) -> None:
    """The points that the formalisms start from reproduce m, S, J, M_O, X and Y exactly."""
    coordinates = distorted_element(family, np.random.default_rng(3))
    discrete = one_element_body(family, coordinates)
    (batch,) = discrete.batches
    at = inertia_points(batch)
    kept = discrete.dofs.of_elements(batch)[0] >= 0
    w, x, N = at.weights[0], at.positions[0], at.shape[0][:, :, kept]
    inertia = discrete.inertia
    assert w.sum() == pytest.approx(inertia.mass, rel=ROUND_OFF)
    close(np.einsum("g,gi->i", w, x), inertia.first_moment)
    close(np.einsum("g,gi,gj->ij", w, x, x), inertia.second_moment)
    close(np.einsum("g,gip->ip", w, N), inertia.origin_coupling)
    close(np.einsum("g,gi,gjp->ijp", w, x, N), inertia.position_coupling)
    A = np.random.default_rng(4).standard_normal((3, 3))
    close(np.einsum("g,gip,ij,gjq->pq", w, N, A, N), inertia.contraction(A).toarray())


@every_family
def test_mass_on_rigid_fields(family: Family) -> None:
    """M r = ∫ρ Nᵀ(t + θ × x): N reproduces rigid motion, so kinetic energy of a rigid body is exact."""
    discrete, _ = element(family, 5)
    inertia = discrete.inertia
    fields = rigid_displacements(discrete.dofs, discrete.body.mesh.points)
    lost = 2 if is_interpolated(family) and family.cell.dimension == 2 else None
    for i in range(3):
        if i != lost:
            close(discrete.mass @ fields[:, i], inertia.origin_coupling[i])
        if lost is None or i == 2:
            close(discrete.mass @ fields[:, 3 + i], inertia.euler_load_invariant(i))
    about = [5] if lost else [3, 4, 5]
    rotations = fields[:, about]
    tensor = inertia.inertia_tensor[np.ix_([i - 3 for i in about], [i - 3 for i in about])]
    close(rotations.T @ (discrete.mass @ rotations), tensor)


@pytest.mark.parametrize("rotary", [0.0, 0.4, 1.0, 2.5])
@every_beam_family
def test_rotary_inertia_is_a_multiplier_in_rigid_motion(family: Family, rotary: float) -> None:
    """ρ(AL³/12 + r I L) about the centre, of frame and coordinates; about the axis ρ(Iy + Iz)L stays."""
    mesh, up = sample_mesh(family, 3), (0.0, 1.0, 0.0)
    prop = replace(sample_property(family), up=up, rotary_inertia=rotary)
    assert isinstance(prop, BeamProperty)
    discrete = discretise(body_of(family, mesh.moved(np.eye(3), [-0.5, 0.0, 0.0]), prop))
    A, Iz, Iy = prop.section.area, prop.section.inertia_z, prop.section.inertia_y
    exact = prop.material.density * np.diag([Iy + Iz, A / 12 + rotary * Iy, A / 12 + rotary * Iz])
    close(discrete.inertia.inertia_tensor, exact)
    turns = rigid_displacements(discrete.dofs, discrete.body.mesh.points)[:, 3:]
    close(turns.T @ (discrete.mass @ turns), exact)
    # what couples both: M r = ∫ρ x × N, on the turns themselves
    close(np.array([turns.T @ discrete.inertia.euler_load_invariant(i) for i in range(3)]), exact)


@pytest.mark.parametrize("rotary", [0.0, 2.5])
@every_shell_family
def test_rotary_inertia_of_fibres_in_rigid_motion(family: Family, rotary: float) -> None:
    """A unit square about its centre: ρ(t/12 + r t³/12) about its edges' directions, ρt/6 about the normal."""
    prop = replace(sample_property(family), rotary_inertia=rotary)
    assert isinstance(prop, ShellProperty)
    mesh = sample_mesh(family, 2).moved(np.eye(3), [-0.5, -0.5, 0.0])
    t = prop.thickness
    across = t / 12 + rotary * t**3 / 12
    exact = prop.material.density * np.diag([across, across, t / 6])
    close(discretise(body_of(family, mesh, prop)).inertia.inertia_tensor, exact)


@every_family
def test_mass_of_a_simple_body(family: Family) -> None:
    """Unit line, square or cube about the origin: mass, first and second moments known in closed form.

    A distorted mesh with curved inner edges fills the same region.
    """
    prop = sample_property(family)
    inertia = discretise(body_of(family, sample_mesh(family, 3, curved=True))).inertia
    d, beside = family.cell.dimension, np.zeros(3)
    if isinstance(prop, BeamProperty):
        prop = replace(prop, up=(0.0, 1.0, 0.0))
        inertia = discretise(body_of(family, sample_mesh(family, 3), prop)).inertia
        A, Iz, Iy = prop.section.area, prop.section.inertia_z, prop.section.inertia_y
        extra = np.diag([0, Iz, Iy])
        if isinstance(prop.section, SectionMatrices):
            M = np.array(prop.section.mass)
            A = M[0, 0] / prop.material.density
            beside = np.array([0.0, M[3, 2], M[4, 0]]) / M[0, 0]
            extra = (np.trace(M[3:, 3:]) / 2 * np.eye(3) - M[3:, 3:]) / prop.material.density
            extra += A * 0.5 * (np.outer([1, 0, 0], beside) + np.outer(beside, [1, 0, 0]))
    elif isinstance(prop, ShellProperty):
        A, extra = prop.thickness, np.diag([0, 0, prop.thickness**3 / 12])
    else:
        A, extra = prop.extent, np.zeros((3, 3))
    rho = prop.material.density
    present = np.arange(3) < d
    assert inertia.mass == pytest.approx(rho * A, rel=ROUND_OFF)
    close(inertia.first_moment, rho * A * (0.5 * present + beside))
    close(inertia.centre_of_mass, 0.5 * present + beside)
    # ∫x² = 1/3, ∫xy = 1/4 over the unit region
    close(inertia.second_moment, rho * (A * np.outer(present, present) * (0.25 + np.eye(3) / 12) + extra))


@every_family
def test_point_mass_is_added(family: Family) -> None:
    """A particle of mass μ at node b adds μ, μx, μxxᵀ, μ to M_O and the diagonal of M."""
    mesh = sample_mesh(family, 2)
    node, mass = mesh.node_count - 1, 2.5
    bare = discretise(body_of(family, mesh))
    laden = discretise(body_of(family, mesh, point_masses=(PointMass(node, mass),)))
    x = mesh.points[node]
    close(laden.inertia.mass - bare.inertia.mass, mass)
    close(laden.inertia.first_moment - bare.inertia.first_moment, mass * x)
    close(laden.inertia.second_moment - bare.inertia.second_moment, mass * np.outer(x, x))
    added = np.zeros((3, laden.dofs.count))
    for k in range(3):
        if laden.dofs.numbers[node, k] >= 0:
            added[k, laden.dofs.numbers[node, k]] = 1.0
    close(laden.inertia.origin_coupling - bare.inertia.origin_coupling, mass * added)
    close(
        laden.inertia.position_coupling - bare.inertia.position_coupling,
        mass * x[:, None, None] * added,
    )
    close((laden.mass - bare.mass).toarray(), mass * added.T @ added)


@every_family
def test_change_of_frame_inside_a_body(family: Family) -> None:
    """x → x_e + Qx, N → QN (δ unchanged): the transformed invariants are those of the moved mesh."""
    rng = np.random.default_rng(21)
    plane = is_interpolated(family) and family.cell.dimension == 2
    Q = rotation_from_vector(np.array([0, 0, 1.1]) if plane else rng.standard_normal(3))
    shift = np.append(rng.standard_normal(2), 0.0) if plane else rng.standard_normal(3)
    prop = sample_property(family)
    moved_prop = replace(prop, up=tuple(Q @ np.array(prop.up))) if isinstance(prop, BeamProperty) else prop
    mesh = sample_mesh(family, 2, curved=True)
    here = discretise(body_of(family, mesh, prop)).inertia
    there = discretise(body_of(family, mesh.moved(Q, shift), moved_prop)).inertia
    # nodal components follow the axes: δ of the moved mesh is T δ
    d = 2 if plane else 3
    T = np.kron(np.eye(here.dofs.count // d), Q[:d, :d])
    S, M_O = Q @ here.first_moment, Q @ here.origin_coupling
    close(there.mass, here.mass)
    close(there.first_moment, S + here.mass * shift)
    J = Q @ here.second_moment @ Q.T + np.outer(shift, S) + np.outer(S, shift)
    close(there.second_moment, J + here.mass * np.outer(shift, shift))
    close(there.origin_coupling @ T, M_O)
    X = np.einsum("ki,mj,ijp->kmp", Q, Q, here.position_coupling) + shift[:, None, None] * M_O
    close(there.position_coupling @ T, X)
    A = rng.standard_normal((3, 3))
    close(T.T @ there.contraction(A).toarray() @ T, here.contraction(Q.T @ A @ Q).toarray())


vectors = st.lists(st.floats(-3, 3), min_size=3, max_size=3).map(np.array)
BODIES = {
    family.name: one_element_body(family, distorted_element(family, np.random.default_rng(2)))
    for family in FAMILIES
}


@every_family
@settings(max_examples=20)
@given(omega=vectors, epsilon=vectors)
def test_symmetry_of_the_frame_terms(family: Family, omega: Array, epsilon: Array) -> None:
    """c and k(ε) are skew, k(ω²) is symmetric and negative semidefinite, whatever the motion.

    Round-off relative to the mass times ω² (or ε).
    """
    discrete = BODIES[family.name]
    motion = FrameMotion(angular_velocity=omega, angular_acceleration=epsilon)
    equations = equations_of_motion(discrete, motion)
    size = np.abs(discrete.mass).max() * (1 + np.abs(omega).max() ** 2 + np.abs(epsilon).max()) * 1e-13
    zero = discrete.mass.toarray() * 0
    parts = {**equations.damping_parts, **equations.stiffness_parts}
    C, K_e, K_c = (
        parts[name].toarray() if name in parts else zero for name in ("coriolis", "euler", "centrifugal")
    )
    assert np.abs(C + C.T).max() < size
    assert np.abs(K_e + K_e.T).max() < size
    assert np.abs(K_c - K_c.T).max() < size
    assert np.linalg.eigvalsh(K_c)[-1] < size * len(K_c)


def close(actual: Array, expected: Array) -> None:
    """Equal up to round-off of the largest entry; values of order one at least make the floor."""
    actual, expected = np.asarray(actual, float), np.asarray(expected, float)
    assert actual.shape == expected.shape
    scale = max(float(np.abs(expected).max(initial=0)), 0.1)
    assert np.abs(actual - expected).max(initial=0) < ROUND_OFF * scale

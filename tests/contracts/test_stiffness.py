"""Rigid motions store no energy, nothing else does; constant strain is exact on any mesh."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.assembly.discrete import discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.elements.contract import Family, InterpolatedFamily, StructuralFamily
from flexframe.elements.integration import stress
from flexframe.elements.properties import BarProperty, PlaneProperty, Property
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector

from .brute_force import beam_axes
from .samples import (
    MATERIAL,
    SECTION,
    body_of,
    distorted_element,
    every_beam_family,
    every_family,
    every_interpolated_family,
    lives_in_plane,
    on_unit_boundary,
    one_element_body,
    sample_mesh,
    sample_property,
)


@every_family
@pytest.mark.parametrize("seed", range(3))
def test_rigid_motions_store_no_energy(family: Family, seed: int) -> None:
    """All translations and rotations, about a point far from the element; round-off of k times |δ|."""
    discrete = one_element_body(family, distorted_element(family, np.random.default_rng(seed)))
    rigid = rigid_displacements(discrete.dofs, discrete.body.mesh.points + 3.0)
    K = discrete.stiffness.toarray()
    assert np.abs(K @ rigid).max() < ROUNDING * np.abs(K).max() * np.abs(rigid).max() * len(K)


@every_family
@pytest.mark.parametrize("seed", range(3))
def test_nothing_else_is_free_of_energy(family: Family, seed: int) -> None:
    """k has as many zero eigenvalues as there are independent rigid fields, and no negative ones.

    The gap is wide: zeros are below 1e-14 of the largest eigenvalue, the others above 1e-5 of it (the drilling
    rotations of a wide facet are weak on purpose).
    """
    discrete = one_element_body(family, distorted_element(family, np.random.default_rng(seed)))
    rigid = rigid_displacements(discrete.dofs, discrete.body.mesh.points)
    expected = np.linalg.matrix_rank(rigid, tol=1e-8)
    values = np.linalg.eigvalsh(discrete.stiffness.toarray())
    assert np.abs(values[:expected]).max() < ROUNDING * values[-1]
    assert values[expected] > 1e-5 * values[-1]


@every_family
def test_stiffness_is_symmetric_and_turns_with_the_element(family: Family) -> None:
    """T k Tᵀ of the turned element: the energy of a field does not depend on the axes."""
    rng = np.random.default_rng(8)
    coordinates = distorted_element(family, rng)
    plane = lives_in_plane(family)
    Q = rotation_from_vector(np.array([0, 0, 0.7] if plane else [0.4, -0.9, 0.7]))
    K = one_element_body(family, coordinates).stiffness.toarray()
    prop = sample_property(family)
    if hasattr(prop, "up"):
        up = tuple(Q @ np.array(prop.up))
        prop = type(prop)(prop.material, prop.section, up=up)  # type: ignore[attr-defined, call-arg]
    turned = discretise(body_of(family, one_element_body(family, coordinates).body.mesh.moved(Q), prop))
    d = 2 if plane else 3
    T = np.kron(np.eye(len(K) // d), Q[:d, :d])
    # round-off of products of matrices of order one
    assert np.abs(K - K.T).max() < ROUNDING * np.abs(K).max()
    assert np.abs(turned.stiffness.toarray() - T @ K @ T.T).max() < 1e-13 * np.abs(K).max()


# ---------------------------------------------------------------------- patch tests


def hooke(prop: Property, strain: Array) -> Array:
    """σ = λ tr ε 1 + 2μ ε, with λ of plane stress where the sheet is thin; E ε for a bar."""
    E, nu = prop.material.young, prop.material.poisson
    if isinstance(prop, BarProperty):
        return E * strain
    mu, lame = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
    if isinstance(prop, PlaneProperty) and prop.state == "stress":
        lame = 2 * lame * mu / (lame + 2 * mu)
    volumetric = np.trace(strain, axis1=-2, axis2=-1)[..., None, None]
    return lame * volumetric * np.eye(strain.shape[-1]) + 2 * mu * strain


def voigt(tensor: Array) -> Array:
    if len(tensor) == 1:
        return tensor[0]
    pairs = ((0, 0), (1, 1), (0, 1)) if len(tensor) == 2 else ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
    return np.array([tensor[i, j] for i, j in pairs])


@every_interpolated_family
@pytest.mark.parametrize("curved", [False, True], ids=["straight", "curved"])
def test_patch_of_constant_strain(family: InterpolatedFamily, curved: bool) -> None:
    """u = Gx on a distorted mesh: the stress is Hooke's everywhere and no inner node feels a force.

    Fifty additions of order one: 1e-13.
    """
    rng = np.random.default_rng(1)
    d = family.cell.dimension
    mesh = sample_mesh(family, 3, curved=curved)
    discrete = discretise(body_of(family, mesh))
    components = 3 if d == 1 else d
    G = rng.standard_normal((components, components))
    exact = (mesh.points[:, :components] @ G.T).ravel()
    strain = (G[:d, :d] + G[:d, :d].T) / 2
    expected = voigt(hooke(discrete.batches[0].prop, strain))
    for batch in discrete.batches:
        values = stress(batch, exact[discrete.dofs.of_elements(batch)]).values
        np.testing.assert_allclose(values, np.broadcast_to(expected, values.shape), atol=1e-12)
    inside = ~on_unit_boundary(mesh.points, d)
    force = (discrete.stiffness @ exact).reshape(-1, components)
    assert inside.any()
    assert np.abs(force[inside]).max() < 1e-13 * np.abs(discrete.stiffness).max() * np.abs(exact).max()
    # the boundary carries σn: its virtual work on any linear field Hx is σ : H times the volume
    H = rng.standard_normal((components, components))
    sigma = np.zeros((components, components))
    sigma[:d, :d] = hooke(discrete.batches[0].prop, strain)
    volume = discrete.inertia.mass / MATERIAL.density
    work = np.sum(force * (mesh.points[:, :components] @ H.T))
    assert work == pytest.approx(np.sum(sigma * H) * volume, rel=1e-12)


@every_interpolated_family
@pytest.mark.parametrize("curved", [False, True], ids=["straight", "curved"])
def test_patch_is_solved(family: InterpolatedFamily, curved: bool) -> None:
    """With u = Gx on the boundary the inner nodes find u = Gx; condition number below 1e3 gives 1e-12."""
    d = family.cell.dimension
    mesh = sample_mesh(family, 3, curved=curved)
    K = discretise(body_of(family, mesh)).stiffness.toarray()
    components = 3 if d == 1 else d
    # a bar has stiffness along its axis only, so only that component is solved for
    stiff = np.arange(d)
    exact = mesh.points[:, :components] @ np.random.default_rng(2).standard_normal((components, components)).T
    numbers = np.arange(K.shape[0]).reshape(-1, components)
    inside = ~on_unit_boundary(mesh.points, d)
    inner = numbers[inside][:, stiff].ravel()
    outer = np.setdiff1d(numbers.ravel(), inner)
    solved = np.linalg.solve(K[np.ix_(inner, inner)], -K[np.ix_(inner, outer)] @ exact.ravel()[outer])
    np.testing.assert_allclose(solved, exact.ravel()[inner], atol=1e-12)


# fields of one generalised strain each in local axes: (displacement, rotation) as functions of x
BEAM_STATES = {
    "N": lambda x: ((x, 0, 0), (0, 0, 0)),
    "Mx": lambda x: ((0, 0, 0), (x, 0, 0)),
    "My": lambda x: ((0, 0, -(x**2) / 2), (0, x, 0)),
    "Mz": lambda x: ((0, x**2 / 2, 0), (0, 0, x)),
}


@every_beam_family
@pytest.mark.parametrize("name", BEAM_STATES)
def test_patch_of_constant_generalised_strain(family: StructuralFamily, name: str) -> None:
    """Unit stretch, twist and curvatures on unequal elements along a skew line: one resultant, the others zero."""
    prop = sample_property(family)
    rng = np.random.default_rng(3)
    Q = rotation_from_vector(rng.standard_normal(3))
    mesh = sample_mesh(family, 4).moved(Q, rng.standard_normal(3))
    discrete = discretise(body_of(family, mesh))
    along = mesh.points - mesh.points[0]
    _, axes = beam_axes(mesh.points[[0, -1]], prop)
    state = BEAM_STATES[name]
    nodal = np.array([np.concatenate([axes.T @ part for part in state(x)]) for x in along @ axes[0]])
    delta = nodal.ravel()
    E, G = MATERIAL.young, MATERIAL.shear_modulus
    rigidity = {
        "N": E * SECTION.area,
        "Mx": G * SECTION.torsion_constant,
        "My": E * SECTION.inertia_y,
        "Mz": E * SECTION.inertia_z,
    }
    expected = np.array([rigidity[name] * (label == name) for label in family.resultants])
    (batch,) = discrete.batches
    values = stress(batch, delta[discrete.dofs.of_elements(batch)]).values
    # shear is a difference of terms 12EI/L³ v, here some hundred times the result
    np.testing.assert_allclose(values, np.broadcast_to(expected, values.shape), atol=1e-12)
    force = (discrete.stiffness @ delta).reshape(-1, 6)
    assert np.abs(force[1:-1]).max() < 1e-13 * np.abs(discrete.stiffness).max()
    # the ends carry the resultant, positive where the outward normal is local x
    expected_end = np.zeros(6)
    expected_end[{"N": 0, "Mx": 3, "My": 4, "Mz": 5}[name]] = rigidity[name]
    np.testing.assert_allclose(
        np.concatenate([axes @ force[-1, :3], axes @ force[-1, 3:]]), expected_end, atol=1e-12
    )
    np.testing.assert_allclose(
        np.concatenate([axes @ force[0, :3], axes @ force[0, 3:]]), -expected_end, atol=1e-12
    )

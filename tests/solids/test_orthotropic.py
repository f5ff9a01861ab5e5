"""Orthotropic materials: compliance, turned axes and uniform stress in bodies of plane and solid elements."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

import flexframe as ff
from flexframe.assembly.discrete import discretise
from flexframe.elements.integration import stress
from flexframe.elements.orthotropic import Orientation, OrthotropicMaterial
from flexframe.elements.properties import Material, PlaneProperty, SolidProperty
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mesh.builders import block, rectangle
from flexframe.model.body import Body, Region

WOOD = OrthotropicMaterial((12e9, 0.9e9, 0.5e9), (0.37, 0.47, 0.42), (0.75e9, 0.04e9, 0.72e9), 430.0, "spruce")
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


def voigt(tensor: Array, shear: float) -> Array:
    return np.array([tensor[i, j] * (1 if i == j else shear) for i, j in PAIRS])


def hooke(strain: Array, axes: Array) -> Array:
    """σ of a strain tensor in body axes, constant by constant in the axes of the material."""
    (E1, E2, E3), (n12, n23, n13), (G12, G23, G13) = WOOD.young, WOOD.poisson, WOOD.shear
    e = axes @ strain @ axes.T
    normal = np.linalg.solve(
        [[1 / E1, -n12 / E1, -n13 / E1], [-n12 / E1, 1 / E2, -n23 / E2], [-n13 / E1, -n23 / E2, 1 / E3]],
        np.diag(e),
    )
    s12, s23, s13 = 2 * G12 * e[0, 1], 2 * G23 * e[1, 2], 2 * G13 * e[0, 2]
    local = np.array([[normal[0], s12, s13], [s12, normal[1], s23], [s13, s23, normal[2]]])
    return axes.T @ local @ axes


@pytest.mark.parametrize("seed", range(3))
def test_elasticity_in_turned_axes(seed: int) -> None:
    """D of any orientation against the tensor turned into the material's axes and back; round-off."""
    rng = np.random.default_rng(seed)
    vector = rng.standard_normal(3)
    prop = SolidProperty(WOOD, Orientation.of_rotation(tuple(vector)))
    strain = rng.standard_normal((3, 3))
    strain = strain + strain.T
    expected = voigt(hooke(strain, rotation_from_vector(vector).T), 1)
    np.testing.assert_allclose(prop.elasticity() @ voigt(strain, 2), expected, atol=1e-12 * np.abs(expected).max())


def test_axes_and_rotation_are_the_same_orientation() -> None:
    """Axis 2 is made perpendicular in the plane of the two directions."""
    R = rotation_from_vector(np.array([0.3, -0.8, 1.1]))
    by_axes = Orientation(tuple(2 * R[:, 0]), tuple(3 * R[:, 1] - 0.7 * R[:, 0]))
    np.testing.assert_allclose(by_axes.axes(), R.T, atol=ROUNDING)
    np.testing.assert_allclose(Orientation.of_rotation((0.3, -0.8, 1.1)).axes(), R.T, atol=ROUNDING)
    np.testing.assert_allclose(
        Orientation.of_rotation(np.pi / 2).axes(), [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], atol=ROUNDING
    )


def test_isotropic_constants_give_the_isotropic_material() -> None:
    """E, ν, G = E/2(1+ν) three times over, in any orientation and in both plane states; round-off."""
    plain = Material(70e9, 0.33, 2700.0)
    G = plain.shear_modulus
    same = OrthotropicMaterial((70e9,) * 3, (0.33,) * 3, (G,) * 3, 2700.0)
    turned = Orientation.of_rotation((0.4, 1.0, -0.3))
    expected = SolidProperty(plain).elasticity()
    np.testing.assert_allclose(SolidProperty(same, turned).elasticity(), expected, atol=1e-13 * expected.max())
    for state in ("stress", "strain"):
        expected = PlaneProperty(plain, 0.01, state).elasticity()
        found = PlaneProperty(same, 0.01, state, Orientation.of_rotation(0.7)).elasticity()
        np.testing.assert_allclose(found, expected, atol=1e-13 * expected.max())
    np.testing.assert_allclose(
        PlaneProperty(plain, 0.01, "strain").stress_across(), [0.33, 0.33, 0], atol=ROUNDING
    )


def test_off_axis_modulus_of_a_sheet() -> None:
    """1/E(α) = c⁴/E1 + s⁴/E2 + (1/G12 − 2ν12/E1) s²c², in plane stress; round-off."""
    for angle in (0.0, 0.3, np.pi / 4, 1.2, np.pi / 2):
        D = PlaneProperty(WOOD, 0.01, "stress", Orientation.of_rotation(angle)).elasticity()
        c, s = np.cos(angle), np.sin(angle)
        E1, E2 = WOOD.young[:2]
        expected = c**4 / E1 + s**4 / E2 + (1 / WOOD.shear[0] - 2 * WOOD.poisson[0] / E1) * (s * c) ** 2
        assert np.linalg.inv(D)[0, 0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("shape", ["hexahedron", "tetra", "wedge"])
@pytest.mark.parametrize("order", [1, 2])
def test_uniform_stress_in_a_solid(shape: str, order: int) -> None:
    """Traction σ n on a free block of turned grain: u = Sσ x + rigid motion, stress σ everywhere; solver 1e-9."""
    sigma = np.array([[2.0, 0.5, -0.3], [0.5, -1.0, 0.8], [-0.3, 0.8, 1.5]]) * 1e6
    prop = SolidProperty(WOOD, Orientation.of_rotation((0.5, -0.4, 0.9)))
    mesh = block((0.2, 0.3, 0.25), (2, 2, 2), order=order, shape=shape)
    faces = {"left": -sigma[0], "right": sigma[0], "front": -sigma[1], "back": sigma[1]}
    faces |= {"bottom": -sigma[2], "top": sigma[2]}
    loads = tuple(ff.loads.Traction(name, tuple(t)) for name, t in faces.items())
    result = ff.statics(Body("block", mesh, (Region(prop),), loads=loads, space="spatial"))
    names = ("sxx", "syy", "szz", "sxy", "syz", "szx")
    for name, (i, j) in zip(names, PAIRS, strict=True):
        np.testing.assert_allclose(result.stress_values[name], sigma[i, j], atol=1e-9 * 2e6)
    # the gradient of the displacements is the strain and a rotation
    strain_voigt = np.linalg.solve(prop.elasticity(), voigt(sigma, 1))
    slope = np.linalg.lstsq(
        np.column_stack([mesh.points, np.ones(mesh.node_count)]), result.displacements[:, :3], rcond=None
    )[0][:3].T
    found = voigt((slope + slope.T) / 2, 2)
    np.testing.assert_allclose(found, strain_voigt, atol=1e-9 * np.abs(strain_voigt).max())


@pytest.mark.parametrize("state", ["stress", "strain"])
def test_uniform_strain_in_a_plane_body(state: str) -> None:
    """u = Gx on a plate of turned grain: stress D ε, and σzz from ε_zz = 0 in plane strain; round-off."""
    angle = 0.6
    prop = PlaneProperty(WOOD, 0.01, state, Orientation.of_rotation(angle))
    mesh = rectangle(1.0, 1.0, (2, 2))
    discrete = discretise(Body("plate", mesh, (Region(prop),)))
    G = np.array([[1e-3, 4e-4], [-2e-4, 7e-4]])
    (batch,) = discrete.batches
    exact = (mesh.points[:, :2] @ G.T).ravel()
    values = stress(batch, exact[discrete.dofs.of_elements(batch)]).values
    strain = np.zeros((3, 3))
    strain[:2, :2] = (G + G.T) / 2
    axes = rotation_from_vector(np.array([0, 0, angle])).T
    if state == "stress":
        # the thickness strain that leaves no stress across the sheet
        without, unit = hooke(strain, axes)[2, 2], hooke(np.diag([0.0, 0, 1]), axes)[2, 2]
        strain[2, 2] = -without / unit
    expected = hooke(strain, axes)
    np.testing.assert_allclose(values, np.broadcast_to(expected[[0, 1, 0], [0, 1, 1]], values.shape), rtol=1e-11)
    across = values @ prop.stress_across() if state == "strain" else np.zeros(1)
    np.testing.assert_allclose(across, expected[2, 2], atol=1e-11 * np.abs(expected).max())


def test_impossible_materials_are_refused() -> None:
    """Energy must be positive; constants must be too; a plane needs one axis across it."""
    with pytest.raises(InputError, match="energy without work"):
        OrthotropicMaterial((1e9, 1e9, 1e9), (0.6, 0.6, 0.6), (1e9, 1e9, 1e9), 1000.0)
    with pytest.raises(InputError, match="shear"):
        OrthotropicMaterial((1e9, 1e9, 1e9), (0.1, 0.1, 0.1), (1e9, -1e9, 1e9), 1000.0)
    with pytest.raises(InputError, match="span no plane"):
        Orientation((1.0, 0.0, 0.0), (-2.0, 0.0, 0.0))
    with pytest.raises(InputError, match="tilted out of the plane"):
        PlaneProperty(WOOD, 0.01, "stress", Orientation.of_rotation((0.3, 0.0, 0.0))).elasticity()

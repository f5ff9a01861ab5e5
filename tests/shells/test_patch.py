"""Constant states on distorted meshes, anywhere in space; rigid motions and nothing else store no energy."""

from dataclasses import replace

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.assembly.discrete import discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.elements.integration import stress
from flexframe.elements.properties import ShellProperty
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mesh.builders import rectangle
from flexframe.mesh.mesh import Mesh

from .models import every_shape, mapped, material, shaken, shell_body

PROP = ShellProperty(material(2.1, 0.3), 0.15)
TURNED = rotation_from_vector(np.array([0.4, -0.7, 0.3]))

# the states of constant strain (εxx, εyy, γxy, κxx, κyy, 2κxy), one of them 1
STATES = ("stretch x", "stretch y", "shear", "bend x", "bend y", "twist")


def state(strain: Array, x: Array, y: Array) -> Array:
    """Displacements (u, v, w) and rotations in local axes of a constant strain: (nodes, 6)."""
    exx, eyy, gxy, kxx, kyy, kxy = strain
    zero = 0 * x
    return np.column_stack(
        [
            exx * x + gxy * y,
            eyy * y,
            -(kxx * x**2 + kyy * y**2 + kxy * x * y) / 2,
            -kyy * y - kxy * x / 2,
            kxx * x + kxy * y / 2,
            zero - gxy / 2,
        ]
    )


def patch(shape: str) -> Mesh:
    return shaken(rectangle(1.0, 0.8, (4, 3), order=1, shape=shape), 0.07, seed=3)


def local_x_is_the_projection_of_x(Q: Array) -> Array:
    """Axes of the recovery in the plane turned by Q, as rows."""
    n = Q[:, 2]
    x = np.array([1.0, 0, 0]) - n[0] * n
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(n, x), n])


@every_shape
@pytest.mark.parametrize("name", STATES)
def test_patch_of_constant_strain(shape: str, name: str) -> None:
    """Resultants are D times the strain everywhere and inner nodes feel nothing; sums of order one: 1e-12."""
    flat = patch(shape)
    mesh = flat.moved(TURNED)
    axes = local_x_is_the_projection_of_x(TURNED)
    x, y = mesh.points @ axes[0], mesh.points @ axes[1]
    strain = np.eye(6)[STATES.index(name)]
    nodal = state(strain, x, y)
    nodal = np.concatenate([nodal[:, :3] @ axes, nodal[:, 3:] @ axes], axis=1)
    discrete = discretise(shell_body(mesh, PROP))
    (batch,) = discrete.batches
    delta = nodal[discrete.dofs.numbers >= 0]
    values = stress(batch, delta[discrete.dofs.of_elements(batch)]).values
    E, nu, t = PROP.material.young, PROP.material.poisson, PROP.thickness
    D = E / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    expected = np.concatenate([t * D @ strain[:3], t**3 / 12 * D @ strain[3:], np.zeros(4)])
    # partners of edges and drilling are summed up and may not vanish one by one; N, M and Q do
    np.testing.assert_allclose(values[..., :8], np.broadcast_to(expected[:8], values[..., :8].shape), atol=1e-12)
    force = discrete.dofs.nodal(discrete.stiffness @ delta)
    inside = np.setdiff1d(
        np.arange(mesh.node_count),
        np.concatenate([flat.nodes_of(side) for side in ("left", "right", "bottom", "top")]),
    )
    assert np.abs(force[inside]).max() < 1e-13 * np.abs(discrete.stiffness).max()


def test_patch_of_constant_shear() -> None:
    """w = γx without rotations is constant shear for the quadrilateral; inner nodes feel moments only.

    The moments are those of a distributed moment Q: without it constant shear is not in equilibrium. Sums of order
    one: 1e-12.
    """
    mesh = patch("quad")
    discrete = discretise(shell_body(mesh, PROP))
    (batch,) = discrete.batches
    nodal = np.zeros((mesh.node_count, 6))
    nodal[:, 2] = 0.7 * mesh.points[:, 0] - 0.2 * mesh.points[:, 1]
    values = stress(batch, nodal.ravel()[discrete.dofs.of_elements(batch)]).values
    Q = 5 / 6 * PROP.material.shear_modulus * PROP.thickness * np.array([0.7, -0.2])
    np.testing.assert_allclose(values[..., 6:8], np.broadcast_to(Q, values[..., 6:8].shape), atol=1e-12)
    np.testing.assert_allclose(values[..., :6], 0, atol=1e-12)
    force = discrete.dofs.nodal(discrete.stiffness @ nodal.ravel())
    inside = (np.abs(mesh.points[:, 0] - 0.5) < 0.45) & (np.abs(mesh.points[:, 1] - 0.4) < 0.35)
    assert np.abs(force[inside][:, :3]).max() < 1e-12
    area = 0.8
    np.testing.assert_allclose(force[:, 3:].sum(axis=0), [-Q[1] * area, Q[0] * area, 0], atol=1e-12)


def test_triangle_tends_to_constant_shear() -> None:
    """In the triangle the same field bends the sides by Φ⁻¹ of it, Φ = 12D/κGtL²: small where t is far above L."""
    prop = replace(PROP, thickness=100.0)
    discrete = discretise(shell_body(patch("triangle"), prop))
    (batch,) = discrete.batches
    nodal = np.zeros((discrete.body.mesh.node_count, 6))
    nodal[:, 2] = discrete.body.mesh.points[:, 0]
    values = stress(batch, nodal.ravel()[discrete.dofs.of_elements(batch)]).values
    Q = 5 / 6 * prop.material.shear_modulus * prop.thickness
    # 1/Φ is at most 0.5²·0.8/(2·100²) ≈ 1e-5
    np.testing.assert_allclose(values[..., 6], Q, rtol=2e-5)
    np.testing.assert_allclose(values[..., 7], 0, atol=2e-5 * Q)


@every_shape
@pytest.mark.parametrize("thickness", [0.3, 1e-3], ids=["thick", "thin"])
def test_six_motions_without_energy(shape: str, thickness: float) -> None:
    """A folded and warped patch has six zero eigenvalues; they are rigid, the next is far above.

    Scaled to unit diagonal, so that the thin patch has its bending at t² of the membrane: 1e-6 here.
    """
    mesh = mapped(shape, (3, 3), lambda u, v: (u, v, 0.3 * np.abs(u - 0.5) + 0.2 * u * v))
    mesh = shaken(mesh, 0.05, seed=2)
    discrete = discretise(shell_body(mesh, replace(PROP, thickness=thickness)))
    K = discrete.stiffness.toarray()
    rigid = rigid_displacements(discrete.dofs, mesh.points)
    assert np.abs(K @ rigid).max() < ROUNDING * np.abs(K).max() * np.abs(rigid).max() * len(K)
    scale = 1 / np.sqrt(np.diag(K))
    values = np.linalg.eigvalsh(K * np.outer(scale, scale))
    assert np.abs(values[:6]).max() < 1e-13
    assert values[6] > 100 * 1e-13
    assert values[6] > 0.01 * min(1.0, (thickness / 0.3) ** 2)


@every_shape
def test_mass_is_definite_and_rigid_inertia_exact(shape: str) -> None:
    """A folded sheet: total mass ρtA, inertia by hand, every rotation with some inertia of its own."""
    rise = 0.75
    mesh = mapped(shape, (4, 3), lambda u, v: (u, v, rise * np.abs(u - 0.5)))
    discrete = discretise(shell_body(mesh, PROP))
    slant = np.sqrt(1 + rise**2)
    mass = PROP.material.density * PROP.thickness * slant
    assert discrete.inertia.mass == pytest.approx(mass, rel=1e-13)
    # ∫y² + ∫z² about x: 1/3 and rise²/12, and the fibres t²/12 (n has no y: n_z² + n_y², seen from x all of it)
    own = PROP.thickness**2 / 12 * (1 / slant**2)
    assert discrete.inertia.inertia_tensor[0, 0] == pytest.approx(mass * (1 / 3 + rise**2 / 12 + own), rel=1e-12)
    values = np.linalg.eigvalsh(discrete.mass.toarray())
    assert values[0] > 1e-6 * values[-1]
    rigid = rigid_displacements(discrete.dofs, mesh.points)
    tensor = rigid[:, 3:].T @ (discrete.mass @ rigid[:, 3:])
    np.testing.assert_allclose(tensor, discrete.inertia.inertia_tensor, atol=1e-13)

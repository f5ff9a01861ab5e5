"""Prestressed shells: a rigid rotation turns the internal forces and does nothing else."""

from dataclasses import replace

import numpy as np
import pytest
from tests.geometric import geometric_stiffness

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.elements.properties import Material, ShellProperty
from flexframe.equations.bodies import equations_of_motion
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.mesh.builders import rectangle
from flexframe.mesh.mesh import Mesh
from flexframe.model.loads import NodeForce
from flexframe.motion.frame import REST, FrameMotion

from .models import every_shape, mapped, shaken, shell_body

PROP = ShellProperty(Material(2.1, 0.3, 1.7), 0.2)
SURFACES = {
    "flat": lambda u, v: (u, v, 0 * u),
    "folded": lambda u, v: (u, v, 0.6 * np.abs(u - 0.5)),
    "warped": lambda u, v: (u, v, 0.4 * u * v + 0.2 * np.sin(3 * v)),
}
every_surface = pytest.mark.parametrize("name", SURFACES)


def sheet(shape: str, name: str) -> Mesh:
    return shaken(mapped(shape, (4, 3), SURFACES[name]), 0.04, seed=1)


def rotations(discrete: DiscreteBody) -> Array:
    return rigid_displacements(discrete.dofs, discrete.body.mesh.points)[:, 3:]


@every_shape
@every_surface
def test_rotation_turns_the_forces(shape: str, name: str) -> None:
    """k_g r = θ × f for forces in balance, by membrane, bending, shear, drilling and arms: round-off 1e-11."""
    mesh = sheet(shape, name)
    rng = np.random.default_rng(5)
    forces = rng.standard_normal((mesh.node_count, 3))
    rigid = np.concatenate([np.tile(np.eye(3), (mesh.node_count, 1, 1)), -skew(mesh.points)], axis=2).reshape(
        -1, 6
    )
    forces = (forces.ravel() - rigid @ np.linalg.lstsq(rigid, forces.ravel(), rcond=None)[0]).reshape(-1, 3)
    loads = [NodeForce(node, tuple(force)) for node, force in enumerate(forces)]
    discrete = discretise(shell_body(mesh, PROP, loads=loads))
    K_g = geometric_stiffness(discrete, REST)
    for axis in range(3):
        turned = np.zeros((mesh.node_count, 6))
        turned[:, :3] = np.cross(np.eye(3)[axis], forces)
        assert np.abs(K_g @ rotations(discrete)[:, axis] - turned.ravel()).max() < 1e-11 * np.abs(K_g).max()


def principal(mesh: Mesh) -> tuple[Mesh, Array]:
    """The mesh with its centre of mass at the origin, and its principal axes as columns."""
    inertia = discretise(shell_body(mesh, PROP)).inertia
    centred = mesh.moved(np.eye(3), -inertia.centre_of_mass)
    return centred, np.linalg.eigh(discretise(shell_body(centred, PROP)).inertia.inertia_tensor)[1]


@every_shape
@every_surface
@pytest.mark.parametrize("axis", range(3))
def test_virial_identity(shape: str, name: str, axis: int) -> None:
    """(k_g + k(ω²)) r = 0 for the turn about each principal axis of a free spinning shell: round-off 1e-11.

    The axis may lie in the plate: then the fibres across it are pulled apart and resist with their own inertia.
    """
    mesh, axes = principal(sheet(shape, name))
    discrete = discretise(shell_body(mesh, PROP))
    omega = 0.7 * axes[:, axis]
    parts = equations_of_motion(discrete, FrameMotion(angular_velocity=omega)).stiffness_parts
    K = parts["geometric"] + parts["centrifugal"]
    assert np.abs(K @ (rotations(discrete) @ omega)).max() < 1e-11 * np.abs(K).max()


def test_tumbling_stiffness_of_a_rigid_plate() -> None:
    """A stiff plate that spins about x: tilting about y or z has the stiffness of rigid dynamics, ω²(I_x − I_j…).

    For rotations φ of a free body in the rotating frame, φᵀ(k_g + k(ω²))φ = ω²[J_xx − J_jj] with J = ∫ρxxᵀ about
    the axis that is left, exactly: the elasticity does not enter a rigid field.
    """
    mesh, _ = principal(rectangle(1.0, 0.6, (3, 2), order=1))
    discrete = discretise(shell_body(mesh, PROP))
    J = discrete.inertia.second_moment
    speed = 0.7
    parts = equations_of_motion(discrete, FrameMotion.spin(speed, (1.0, 0, 0))).stiffness_parts
    K = parts["geometric"] + parts["centrifugal"]
    R = rotations(discrete)
    # turning about y lifts x towards the axis: z grows by x; about z likewise y
    for axis, other in ((1, 2), (2, 1)):
        expected = speed**2 * (J[other, other] - J[0, 0])
        assert R[:, axis] @ (K @ R[:, axis]) == pytest.approx(expected, rel=1e-11)


@every_shape
def test_rotary_inertia_multiplier(shape: str) -> None:
    """Without rotary inertia the mass of translations stays and that of fibres goes: t²/12 of the tilt."""
    mesh, _ = principal(rectangle(1.0, 0.6, (3, 2), order=1, shape=shape))
    tilts = []
    for multiplier in (0.0, 1.0, 4.0):
        discrete = discretise(shell_body(mesh, replace(PROP, rotary_inertia=multiplier)))
        tilt = rotations(discrete)[:, 0]
        tilts.append(float(tilt @ (discrete.mass @ tilt)))
    mass, t = PROP.material.density * PROP.thickness * 0.6, PROP.thickness
    np.testing.assert_allclose(tilts, [mass * (0.6**2 / 12 + m * t**2 / 12) for m in (0, 1, 4)], rtol=1e-12)

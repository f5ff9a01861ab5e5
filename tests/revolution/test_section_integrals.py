"""Integrals over sections: known fields in space, written as waves, have the energy of the whole body."""

from dataclasses import replace

import numpy as np
import pytest
from tests.revolution.sections import AXIS, revolved, section, skewed
from tests.rounding import rounding

from flexframe.assembly.discrete import discretise
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.assembly.section_rotors import section_surface
from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import Material
from flexframe.equations.bodies import harmonic_equations
from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh
from flexframe.motion.frame import FrameMotion

MATERIAL = Material(young=2.1, poisson=0.3, density=1.7, name="sample")
CELLS = [("quad", 1), ("quad", 2), ("triangle", 1), ("triangle", 2)]
INNER, OUTER, HEIGHT = 0.3, 1.1, 0.7
VOLUME = np.pi * (OUTER**2 - INNER**2) * HEIGHT
SUMS = rounding(2_000)  # numbers of order one, summed over the points of some dozen cells


@pytest.fixture(params=CELLS, ids=[f"{shape} of degree {order}" for shape, order in CELLS])
def mesh(request: pytest.FixtureRequest) -> Mesh:
    shape, order = request.param
    return skewed(section(INNER, OUTER, HEIGHT, (3, 3), order, shape))


def _field(harmonic: HarmonicBody, components: Array) -> Array:
    """Real amounts (nodes, 3) as coordinates, without the wave a quarter period on."""
    numbers = harmonic.section.dofs.numbers[:, :3]
    field = np.zeros(harmonic.size)
    field[numbers.ravel()] = components.ravel()
    return field


def test_mass_and_moments(mesh: Mesh) -> None:
    """Of the hollow cylinder, about its centre on the axis; straight cells are integrated exactly."""
    inertia = discretise(revolved(mesh, MATERIAL)).inertia
    mass = 1.7 * VOLUME
    assert inertia.mass == pytest.approx(mass, rel=SUMS)
    assert inertia.centre_of_mass == pytest.approx([0.0, HEIGHT / 2, 0.0], abs=SUMS)
    polar = mass * (OUTER**2 + INNER**2) / 2
    across = polar / 2 + mass * HEIGHT**2 / 3  # about the origin, at the bottom
    assert inertia.inertia_tensor == pytest.approx(np.diag([across, polar, across]), rel=SUMS, abs=SUMS)


def test_constant_strain(mesh: Mesh) -> None:
    """Fields that are linear in X, Y, Z have n = 0, 1, 2, and the energy ½ ε:D:ε V on any mesh."""
    discrete = discretise(revolved(mesh, MATERIAL))
    x, y = mesh.points[:, 0], mesh.points[:, 1]
    nothing = np.zeros_like(x)
    D = MATERIAL.solid_elasticity()
    fields = {
        (0, "X, Z"): ([x, nothing, nothing], [1.0, 0, 1, 0, 0, 0]),
        (0, "Y"): ([nothing, y, nothing], [0, 1.0, 0, 0, 0, 0]),
        (1, "Y along X"): ([y, nothing, -y], [0, 0, 0, 1.0, 0, 0]),
        (1, "X along Y"): ([nothing, x, nothing], [0, 0, 0, 1.0, 0, 0]),
        (2, "X, −Z"): ([x, nothing, -x], [1.0, 0, -1, 0, 0, 0]),
    }
    for (n, name), (components, strain) in fields.items():
        harmonic = discrete.harmonics.at(n)
        q = _field(harmonic, np.stack(components, axis=-1))
        energy = np.array(strain) @ D @ np.array(strain) / 2 * VOLUME
        assert q @ (harmonic.stiffness @ q) / 2 == pytest.approx(energy, rel=SUMS), name


@pytest.mark.parametrize("inner", [0.0, 0.3])
def test_rigid_motions(inner: float) -> None:
    """All six store no energy and have the momentum of the body; nothing else is free of strain."""
    mesh = skewed(section(inner, OUTER, HEIGHT, (3, 2)))
    discrete = discretise(revolved(mesh, MATERIAL))
    total = 0
    for n in range(4):
        harmonic = discrete.harmonics.at(n)
        fields = harmonic.rigid_fields(0.0)
        assert np.abs(harmonic.stiffness @ fields).max(initial=0.0) < 1e3 * SUMS
        rigid = harmonic.equilibrium.rigid
        total += rigid.shape[1]
        values = np.linalg.eigvalsh(harmonic.equilibrium.stiffness.toarray())
        assert np.count_nonzero(values < 1e-9 * values[-1]) == rigid.shape[1]
        shifts = fields[:, :3]
        moving = np.abs(shifts).max(axis=0) > 0
        masses = np.diag(shifts.T @ (harmonic.mass @ shifts))
        assert masses[moving] == pytest.approx(discrete.inertia.mass, rel=SUMS)
    assert total == 6


def test_shift_of_the_surface() -> None:
    """Rigid motions, as waves with no and one nodal diameter, move every point of the surface as they do."""
    discrete = discretise(revolved(section(0.0, OUTER, HEIGHT, (3, 2)), MATERIAL))
    surface = section_surface(discrete, 1)
    moved = np.zeros((surface.mesh.node_count, 3, 6))
    for n in (0, 1):
        harmonic = discrete.harmonics.at(n)
        moved += harmonic.displacements(harmonic.rigid_fields(0.0), surface).real
    assert np.hypot(*surface.mesh.points[:, [0, 2]].T).max() == pytest.approx(OUTER)
    for i in range(3):
        assert moved[:, :, i] == pytest.approx(np.tile(np.eye(3)[i], (len(moved), 1)), abs=SUMS)
    for i in range(3):  # θ × x
        turned = np.cross(np.eye(3)[i], surface.mesh.points)
        assert moved[:, :, 3 + i] == pytest.approx(turned, abs=SUMS)


def test_skew_and_symmetric_parts() -> None:
    """Coriolis forces do no work, all else has a potential; the parts are those of a shift: −Ω²m and 2Ωm."""
    discrete = discretise(revolved(section(INNER, OUTER, HEIGHT, (3, 2)), MATERIAL))
    speed = 0.3
    for n in range(4):
        equations = harmonic_equations(discrete.harmonics.at(n)).at(FrameMotion.spin(speed, AXIS))
        C, K = equations.damping, equations.stiffness
        assert abs(C + C.T).max() == 0
        assert abs(K - K.T).max() < 1e3 * SUMS
    harmonic = discrete.harmonics.at(1)
    equations = harmonic_equations(harmonic).at(FrameMotion.spin(speed, AXIS))
    shifts = harmonic.rigid_fields(0.0)[:, [0, 2]]
    mass = discrete.inertia.mass
    # ω × e_X = −Ω e_Z and ω × e_Z = Ω e_X
    expected = 2 * speed * mass * np.array([[0.0, 1.0], [-1.0, 0.0]])
    assert shifts.T @ (equations.damping @ shifts) == pytest.approx(expected, abs=SUMS)
    assert shifts.T @ (equations.stiffness @ shifts) == pytest.approx(
        -(speed**2) * mass * np.eye(2), abs=1e3 * SUMS
    )


def test_orthotropic_material_with_equal_axes() -> None:
    """The same in all directions, it is the isotropic one."""
    shear = MATERIAL.shear_modulus
    same = OrthotropicMaterial(
        young=(2.1, 2.1, 2.1), poisson=(0.3, 0.3, 0.3), shear=(shear, shear, shear), density=1.7, name="same"
    )
    mesh = section(INNER, OUTER, HEIGHT, (2, 2))
    body = revolved(mesh, MATERIAL)
    region = replace(body.regions[0], prop=replace(body.regions[0].prop, material=same))
    other = discretise(replace(body, regions=(region,)))
    for n in (0, 3):
        K, like = (discrete.harmonics.at(n).stiffness for discrete in (discretise(body), other))
        assert abs(K - like).max() < 1e3 * SUMS

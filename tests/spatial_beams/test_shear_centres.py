"""Beams whose shear centre is not the centroid."""

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.linalg
from tests.geometric import geometric_stiffness

from flexframe.assembly.discrete import discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.elements.properties import BeamProperty, GeneralSection, Material
from flexframe.maths.rotations import skew
from flexframe.mesh.builders import line
from flexframe.model.body import Body, Region
from flexframe.model.loads import LineLoad, NodeForce
from flexframe.model.supports import Clamp, Fix
from flexframe.motion.frame import REST

MATERIAL = Material(2.0, 0.25, 1.5)
CENTRE = (0.3, -0.5)
L = 1.7
CANTILEVER = (Clamp("start"),)


@dataclass(frozen=True)
class Eccentric(GeneralSection):
    """Constants with a shear centre of their own."""

    @property
    def shear_centre(self) -> tuple[float, float]:
        return CENTRE


SECTION = Eccentric(0.7, 0.05, 0.02, 0.03, 0.8, shear_factor_across=0.4)


def beam(*loads, divisions: int = 3, supports=CANTILEVER, theory: str = "timoshenko") -> Body:
    region = Region(BeamProperty(MATERIAL, SECTION), family=f"{theory}_beam")
    return Body("b", line(L, divisions), (region,), supports=supports, loads=loads, space="spatial")


def tip(*loads, **options) -> np.ndarray:
    discrete = discretise(beam(*loads, **options))
    delta = discrete.equilibrium.solve(discrete.loads.forces).displacements[:, 0]
    return discrete.dofs.nodal(delta)[-1]


@pytest.mark.parametrize("force", [(0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
def test_force_through_the_centroid_twists(force: tuple[float, float, float]) -> None:
    """Its torque about the shear centre is F_z (−y_S) − F_y (−z_S): twist T L/GJ, and the centroid follows.

    The deflection of the shear centre is FL³/3EI + FL/κGA as ever; exact interpolation, round-off × 1e3.
    """
    E, G = MATERIAL.young, MATERIAL.shear_modulus
    (_, Fy, Fz), (y, z) = force, CENTRE
    twist = (z * Fy - y * Fz) * L / (G * 0.03)
    v = Fy * (L**3 / (3 * E * 0.05) + L / (0.8 * G * 0.7))
    w = Fz * (L**3 / (3 * E * 0.02) + L / (0.4 * G * 0.7))
    found = tip(NodeForce("end", force))
    np.testing.assert_allclose(found[[1, 2, 3]], [v + z * twist, w - y * twist, twist], rtol=1e-11)
    # the moment that brings the force to the shear centre takes the twist away
    straight = tip(NodeForce("end", force, (y * Fz - z * Fy, 0.0, 0.0)))
    np.testing.assert_allclose(straight[[1, 2, 3]], [v, w, 0.0], atol=1e-10)


def test_line_load_twists() -> None:
    """A load q along the centroid has the torque z_S q per length: z_S q L²/2GJ at the end."""
    found = tip(LineLoad((0.0, 1.0, 0.0)))
    assert found[3] == pytest.approx(CENTRE[1] * L**2 / (2 * MATERIAL.shear_modulus * 0.03), rel=1e-11)


def test_rigid_motion() -> None:
    """No energy in rigid fields, and their inertia is that of the body with its mass at the centroid."""
    discrete = discretise(beam(supports=()))
    fields = rigid_displacements(discrete.dofs, discrete.body.mesh.points)
    assert np.abs(discrete.stiffness @ fields).max() < 1e-12 * np.abs(discrete.stiffness).max() * L
    turns = fields[:, 3:]
    np.testing.assert_allclose(turns.T @ (discrete.mass @ turns), discrete.inertia.inertia_tensor, atol=1e-12)


def test_turn_of_a_stressed_beam() -> None:
    """k_g r = θ × f of a rigid rotation about the clamp: nodal forces turn and nothing else happens."""
    discrete = discretise(beam(NodeForce("end", (0.4, 0.7, -0.3), (0.1, 0.2, 0.3))))
    delta = discrete.equilibrium.solve(discrete.loads.forces).displacements[:, 0]
    forces = discrete.dofs.nodal(discrete.stiffness @ delta)
    K_g = geometric_stiffness(discrete, REST)
    fields = rigid_displacements(discrete.dofs, discrete.body.mesh.points)
    for axis in range(3):
        turned = discrete.dofs.nodal(K_g @ fields[:, 3 + axis])
        expected = forces[:, :3] @ skew(np.eye(3)[axis]).T
        np.testing.assert_allclose(turned[:, :3], expected, atol=1e-11)


def test_coupled_buckling() -> None:
    """Pinned column between forks, free to warp: (P_y − P)(P_z − P)(P_t − P) r² = P²[z²(P_y − P) + y²(P_z − P)].

    With r² = Ip/A + y² + z², P_t = GJ/r² (Timoshenko and Gere, flexural-torsional buckling), Euler–Bernoulli. The
    twist is linear in each element: order 2, the limit from 8 and 16 elements to 1e-3.
    """
    E, G, (y, z) = MATERIAL.young, MATERIAL.shear_modulus, CENTRE
    first = np.pi**2 / L**2
    in_y, in_z = E * 0.05 * first, E * 0.02 * first
    r2 = (0.05 + 0.02) / 0.7 + y**2 + z**2
    P_t = G * 0.03 / r2

    # w bends with E·Iy and moves with −y θ; v with E·Iz and z θ
    def determinant(P: float) -> float:
        return (in_y - P) * (in_z - P) * (P_t - P) * r2 - P**2 * (z**2 * (in_z - P) + y**2 * (in_y - P))

    grid = np.linspace(1e-6, 1.5 * P_t, 20001)
    signs = np.sign([determinant(P) for P in grid])
    exact = grid[np.flatnonzero(np.diff(signs))[0]]
    fork = ("uy", "uz", "rx")
    supports = (Fix("start", ("ux", *fork)), Fix("end", fork))

    def value(divisions: int) -> float:
        body = beam(
            NodeForce("end", (-1.0, 0, 0)), divisions=divisions, supports=supports, theory="euler_bernoulli"
        )
        discrete = discretise(body)
        reduce = discrete.supports.reduce_matrix
        K, K_g = (reduce(m).toarray() for m in (discrete.stiffness, geometric_stiffness(discrete, REST)))
        return 1 / float(scipy.linalg.eigh(-(K_g + K_g.T) / 2, K, eigvals_only=True)[-1])

    coarse, fine = value(8), value(16)
    assert (4 * fine - coarse) / 3 == pytest.approx(exact, rel=1e-3)

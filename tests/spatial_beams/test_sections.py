"""Section constants against integration over the shape, and bending about axes that are not principal."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import BeamProperty, GeneralSection, Material, Rectangle
from flexframe.elements.section_shapes import (
    angle_section,
    box_section,
    channel_section,
    i_section,
    oriented_section,
)
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import line
from flexframe.model.body import Body, Region
from flexframe.model.loads import NodeForce
from flexframe.model.supports import Clamp

MATERIAL = Material(2.0, 0.25, 1.5)


def integrals(rectangles: list[tuple[float, float, float, float]]) -> tuple[float, Array, Array]:
    """Area, centroid (y, z) and ∫(y², z², yz) about it, of rectangles (y0, y1, z0, z1)."""
    area, first, second = 0.0, np.zeros(2), np.zeros((2, 2))
    for y0, y1, z0, z1 in rectangles:
        a, centre = (y1 - y0) * (z1 - z0), np.array([(y0 + y1) / 2, (z0 + z1) / 2])
        own = np.diag([(y1 - y0) ** 2, (z1 - z0) ** 2]) / 12
        area, first, second = area + a, first + a * centre, second + a * (own + np.outer(centre, centre))
    centroid = first / area
    moments = second - area * np.outer(centroid, centroid)
    return area, centroid, np.array([moments[0, 0], moments[1, 1], moments[0, 1]])


def walls(height: float, width: float, web: float, flange: float, web_at: float):
    """Web and flanges as rectangles, the web from z = web_at."""
    inner = height / 2 - flange
    return [
        (-inner, inner, web_at, web_at + web),
        (inner, height / 2, 0.0, width),
        (-height / 2, -inner, 0.0, width),
    ]


def test_presets() -> None:
    """Area and second moments of I, channel, box and L are those of their rectangles, to round-off."""
    h, b, s, t = 0.2, 0.1, 0.008, 0.012
    inner = h / 2 - t
    box = [*walls(h, b, s, t, 0.0), (-inner, inner, b - s, b)]
    for made, shape in (
        (i_section(h, b, web=s, flange=t), walls(h, b, s, t, (b - s) / 2)),
        (channel_section(h, b, web=s, flange=t), walls(h, b, s, t, 0.0)),
        (box_section(h, b, web=s, flange=t), box),
    ):
        area, centroid, (about_z, about_y, product) = integrals(shape)
        assert made.area == pytest.approx(area, rel=1e-13)
        assert made.inertia_z == pytest.approx(about_z, rel=1e-12)
        assert made.inertia_y == pytest.approx(about_y, rel=1e-12)
        assert product == pytest.approx(0, abs=ROUNDING * about_z)
        assert made.principal_angle == pytest.approx(0, abs=1e-12)
        points = np.array(made.stress_points)
        assert made.height == pytest.approx(h, rel=1e-12)
        assert np.abs(points[:, 1]).max() == pytest.approx(max(centroid[1], b - centroid[1]), rel=1e-12)
        assert all(0 < factor < 1 for factor in made.shear_factors(0.3))


def test_angle_section() -> None:
    """Principal moments of an L turned back by its angle are those of its rectangles."""
    made = angle_section(0.1, 0.06, thickness=0.01)
    _, centroid, (about_z, about_y, product) = integrals([(0, 0.1, 0, 0.01), (0, 0.01, 0.01, 0.06)])
    np.testing.assert_allclose(made.centroid, centroid, rtol=1e-12)
    c, s = np.cos(made.principal_angle), np.sin(made.principal_angle)
    turn = np.array([[c, -s], [s, c]])
    back = turn @ np.diag([made.inertia_z, made.inertia_y]) @ turn.T
    np.testing.assert_allclose(back, [[about_z, product], [product, about_y]], rtol=1e-11)
    # its shear centre is where the middles of the legs meet; thickness over length, 1/6, is how far that is true
    corner = turn.T @ (np.array([0.005, 0.005]) - centroid)
    assert np.linalg.norm(made.shear_centre - corner) < 0.01 / 6


def test_oriented_section_diagonalises() -> None:
    """A Z: turning the principal moments back by the angle gives the moments in the given axes."""
    _, _, (about_z, about_y, product) = integrals(
        [(-0.08, 0.08, -0.005, 0.005), (0.08, 0.1, -0.005, 0.06), (-0.1, -0.08, -0.06, 0.005)]
    )
    made = oriented_section(area=1.0, inertia_z=about_z, inertia_y=about_y, product=product, torsion_constant=1e-8)
    c, s = np.cos(made.angle), np.sin(made.angle)
    turn = np.array([[c, -s], [s, c]])
    back = turn @ np.diag([made.section.inertia_z, made.section.inertia_y]) @ turn.T
    np.testing.assert_allclose(back, [[about_z, product], [product, about_y]], rtol=1e-12)
    assert abs(made.angle) <= np.pi / 4
    # the largest moment may be the other one
    other = oriented_section(
        area=1.0, inertia_z=about_y, inertia_y=about_z, product=-product, torsion_constant=1e-8
    )
    assert other.section.inertia_z < other.section.inertia_y
    assert other.angle == pytest.approx(made.angle, rel=1e-12)


def tip(prop: BeamProperty, force: tuple[float, float, float], length: float = 1.5) -> Array:
    """Displacements and rotations of the tip of a cantilever along x under a force: (6,)."""
    region = Region(prop, family="timoshenko_beam")
    body = Body("beam", line(length, 3), (region,), (Clamp("start"),), (NodeForce("end", force),), space="spatial")
    discrete = discretise(body)
    delta = discrete.equilibrium.solve(discrete.loads.forces).displacements[:, 0]
    return discrete.dofs.nodal(delta)[body.mesh.nodes_of("end")[0]]


def test_unsymmetrical_bending() -> None:
    """The deflection is (L³/3E) I⁻¹F + shear, I the whole tensor: a force along y also moves the tip along z."""
    inertia_z, inertia_y, product, length = 0.05, 0.02, 0.015, 1.5
    made = oriented_section(
        area=0.7, inertia_z=inertia_z, inertia_y=inertia_y, product=product, torsion_constant=0.03
    )
    prop = BeamProperty(MATERIAL, made.section, angle=made.angle)
    for force in (np.array([1.0, 0]), np.array([0, 1.0])):
        moved = tip(prop, (0.0, *force), length)[1:3]
        tensor = np.array([[inertia_z, product], [product, inertia_y]])
        bent = length**3 / (3 * MATERIAL.young) * np.linalg.solve(tensor, force)
        sheared = length * force / (5 / 6 * MATERIAL.shear_modulus * 0.7)
        np.testing.assert_allclose(moved, bent + sheared, rtol=1e-10)


def test_angle_is_a_turn_of_up() -> None:
    """Turning the section by an angle is turning `up`: the same stiffness to round-off."""
    section, angle = GeneralSection(0.7, 0.05, 0.02, 0.03, 0.8, shear_factor_across=0.4), 0.6
    region = Region(BeamProperty(MATERIAL, section, angle=angle), family="timoshenko_beam")
    turned = Region(
        BeamProperty(MATERIAL, section, up=(0.0, np.cos(angle), np.sin(angle))), family="timoshenko_beam"
    )
    first, second = (discretise(Body("b", line(1.0, 2), (r,), space="spatial")) for r in (region, turned))
    assert np.abs(first.stiffness - second.stiffness).max() < ROUNDING * np.abs(first.stiffness).max()
    assert np.abs(first.mass - second.mass).max() < ROUNDING * np.abs(first.mass).max()


def test_shear_factors_of_both_directions() -> None:
    """FL³/3EI + FL/κGA with the factor of the direction; exact interpolation, so round-off."""
    section = GeneralSection(0.7, 0.05, 0.02, 0.03, 0.8, shear_factor_across=0.3)
    E, G, L = MATERIAL.young, MATERIAL.shear_modulus, 1.5
    prop = BeamProperty(MATERIAL, section)
    assert tip(prop, (0, 1.0, 0))[1] == pytest.approx(L**3 / (3 * E * 0.05) + L / (0.8 * G * 0.7), rel=1e-11)
    assert tip(prop, (0, 0, 1.0))[2] == pytest.approx(L**3 / (3 * E * 0.02) + L / (0.3 * G * 0.7), rel=1e-11)
    assert Rectangle(0.1, 0.2).shear_factors(0.3) == (5 / 6, 5 / 6)


def test_refusals() -> None:
    """Impossible sections are named with the way out."""
    with pytest.raises(InputError, match="no section has it"):
        oriented_section(area=1.0, inertia_z=1.0, inertia_y=1.0, product=1.1, torsion_constant=1.0)
    with pytest.raises(InputError, match="do not fit"):
        i_section(0.2, 0.1, web=0.01, flange=0.1)
    with pytest.raises(InputError, match="shear_factor_across is -1"):
        GeneralSection(1.0, 1.0, 1.0, 1.0, shear_factor_across=-1.0)

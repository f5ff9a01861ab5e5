"""Torsion and shear of sections from Saint-Venant's functions, against exact and thin-walled solutions.

Functions of second order on triangles, two meshes and their limit: the estimates say some 1e-6 for convex shapes
and some 1e-4 where a corner of 270° limits the order to 4/3; the bounds are ten times that.
"""

import numpy as np
import pytest

from flexframe.analyses.modes.analysis import modes
from flexframe.elements.polygon_section import PolygonSection
from flexframe.elements.properties import STEEL, Rectangle
from flexframe.elements.saint_venant import section_mesh
from flexframe.elements.section_shapes import box_section, channel_section, i_section
from flexframe.errors import InputError
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import TRIANGLE6
from flexframe.mesh.extrusion import extrude
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body

SMOOTH = 2e-5


def regular(count: int, y: float, z: float):
    """A polygon on the ellipse with these half axes."""
    t = 2 * np.pi * np.arange(count) / count
    return tuple(zip((y * np.cos(t)).tolist(), (z * np.sin(t)).tolist(), strict=True))


def test_torsion_of_convex_shapes() -> None:
    """Square by the series (0.1406 a⁴), rectangle 1 : 3 too, equilateral triangle √3 a⁴/80."""
    for height in (1.0, 3.0):
        made = PolygonSection(((0.0, 0.0), (height, 0.0), (height, 1.0), (0.0, 1.0)))
        assert made.torsion_constant == pytest.approx(Rectangle(1.0, height).torsion_constant, rel=SMOOTH)
        assert made.torsion_error < SMOOTH
    triangle = PolygonSection(((0.0, 0.0), (1.0, 0.0), (0.5, np.sqrt(0.75))))
    assert triangle.torsion_constant == pytest.approx(np.sqrt(3) / 80, rel=SMOOTH)
    assert triangle.shear_centre == (0.0, 0.0)


def test_ellipse_is_the_limit_of_polygons() -> None:
    """πa³b³/(a²+b²): inscribed polygons fall short with the order 2 of their sides; the limit of two of them."""
    exact = np.pi * 0.5**3 / 1.25
    coarse, fine = (PolygonSection(regular(n, 1.0, 0.5)).torsion_constant for n in (24, 48))
    assert fine < exact
    assert (4 * fine - coarse) / 3 == pytest.approx(exact, rel=1e-4)


def test_closed_thin_walls_by_bredt() -> None:
    """4A_m²/∮ds/t and the walls' own Σ l t³/3; the rest is of the order (t/b)² at the corners: 2 mm beside 100."""
    h, b, t = 0.2, 0.1, 0.002
    made = box_section(h, b, web=t)
    middle = (h - t) * (b - t)
    bredt = 4 * middle**2 * t / (2 * (h + b - 2 * t)) + 2 * (h + b - 2 * t) * t**3 / 3
    assert made.torsion_constant == pytest.approx(bredt, rel=1e-2)
    assert abs(made.shear_centre[0]) + abs(made.shear_centre[1]) < 1e-4 * h
    # a closed wall is some thousand times as stiff as the same one slit open
    assert made.torsion_constant > 500 * channel_section(h, b, web=t, flange=t).torsion_constant


@pytest.mark.parametrize("bore", [0.0, 0.5, 0.8])
def test_cowpers_factor_without_lateral_contraction(bore: float) -> None:
    """With ν = 0 the energy and Cowper's mean displacement give the same: 6(1+m²)²/[7(1+m²)²+20m²].

    Polygons of 32 and 64 corners and their limit of order 2.
    """
    m = bore**2
    exact = 6 * (1 + m) ** 2 / (7 * (1 + m) ** 2 + 20 * m)
    found = []
    for count in (32, 64):
        hole = (regular(count, bore, bore),) if bore else ()
        found.append(PolygonSection(regular(count, 1.0, 1.0), hole).shear_factors(0.0))
    limit = (4 * np.array(found[1]) - np.array(found[0])) / 3
    np.testing.assert_allclose(limit, [exact, exact], rtol=2e-4)


def test_shear_energy_of_circle_and_rectangle() -> None:
    """Circle 6(1+ν)²/(7+14ν+8ν²) (Renton 1991), by the limit of polygons; rectangle 5/6 for ν = 0."""
    nu = 0.3
    exact = 6 * (1 + nu) ** 2 / (7 + 14 * nu + 8 * nu**2)
    coarse, fine = (np.array(PolygonSection(regular(n, 1.0, 1.0)).shear_factors(nu)) for n in (32, 64))
    np.testing.assert_allclose((4 * fine - coarse) / 3, exact, rtol=2e-4)
    strip = PolygonSection(((0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (0.0, 1.0)))
    np.testing.assert_allclose(strip.shear_factors(0.0), 5 / 6, rtol=SMOOTH)


def test_i_section() -> None:
    """J between the thin walls' and that with the bulge at the joints; shear along the web by its own stress.

    Thin-walled I of Cowper 1966 with ν: κ = 10(1+ν)(1+3m)²/[(12+72m+150m²+90m³)+ν(11+66m+135m²+90m³)+
    30n²(m+m²)+5νn²(8m+9m²)], m = 2b t_f/(h t_w), n = b/h; with ν = 0 both definitions agree to the thickness.
    """
    h, b, s, t = 0.2, 0.1, 0.004, 0.004
    made = i_section(h, b, web=s, flange=t)
    thin = (2 * b * t**3 + (h - t) * s**3) / 3
    assert made.torsion_constant == pytest.approx(thin, rel=2e-2)
    H = h - t
    m, n = 2 * b * t / (H * s), b / H
    below = 12 + 72 * m + 150 * m**2 + 90 * m**3 + 30 * n**2 * (m + m**2)
    cowper = 10 * (1 + 3 * m) ** 2 / below
    assert made.shear_factors(0.0)[0] == pytest.approx(cowper, rel=2e-2)
    assert made.shear_centre == (0.0, 0.0)


@pytest.mark.slow
def test_i_beam_bends_as_a_solid() -> None:
    """A short free I against our own solid wedges: first bending about both axes, 0.3 and 0.4 % apart.

    The solid also deforms in its section, which a beam does not. Without shear the beam would be 14 % off in its
    stiff plane.
    """
    section = i_section(0.1, 0.06, web=0.01, flange=0.012)
    found = section_mesh((section.outline,), 0.012)
    plane = Mesh(
        np.column_stack([found.points, np.zeros(len(found.points))]), (CellBlock(TRIANGLE6, found.triangles),)
    )
    solid = modes(Body.solid("solid", extrude(plane, 0.5, 20), material=STEEL), count=13).frequencies_hz
    beam = Body.beam("beam", length=0.5, divisions=40, section=section, material=STEEL, space="spatial")
    record = modes(beam, count=13)
    assert record.direction_shares is not None
    for axis, other in ((1, 2), (2, 1)):
        # bending in one plane moves nothing across it, torsion does
        plane_modes = (record.direction_shares[:, other] < 1e-6) & (record.direction_shares[:, axis] > 0.5)
        bending = record.frequencies_hz[plane_modes & (record.frequencies_hz > 1.0)][0]
        assert np.abs(solid / bending - 1).min() < 5e-3


@pytest.mark.parametrize("thickness", [0.004, 0.002])
def test_shear_centre_of_a_channel(thickness: float) -> None:
    """e = 3b²t_f/(h t_w + 6 b t_f) behind the web, b and h between the middles of the walls, to b (t/b)²."""
    h, b, t = 0.2, 0.1, thickness
    made = channel_section(h, b, web=t, flange=t)
    H, B = h - t, b - t / 2
    e = 3 * B**2 * t / (H * t + 6 * B * t)
    _, z = made.centroid
    assert made.shear_centre[0] == 0.0
    assert z + made.shear_centre[1] == pytest.approx(t / 2 - e, abs=(t / b) ** 2 * b)
    assert made.torsion_constant == pytest.approx((2 * B * t**3 + H * t**3) / 3, rel=2 * t / b)


def test_axes_do_not_matter() -> None:
    """The same channel turned and moved: all constants to the rounding of the mesh, and the angle."""
    ring = np.array(channel_section(0.2, 0.1, web=0.01, flange=0.01).outline)
    angle = 0.3
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    plain = PolygonSection(tuple(map(tuple, ring.tolist())))
    turned = PolygonSection(tuple(map(tuple, (ring @ turn + [3.0, -2.0]).tolist()[::-1])))
    assert turned.principal_angle == pytest.approx(angle, rel=1e-9)
    assert turned.torsion_constant == pytest.approx(plain.torsion_constant, rel=1e-3)
    np.testing.assert_allclose(turned.shear_factors(0.3), plain.shear_factors(0.3), rtol=1e-3)
    np.testing.assert_allclose(turned.shear_centre, plain.shear_centre, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize(
    ("outline", "holes", "message"),
    [
        (((0, 0), (1, 0)), (), "at least three corners"),
        (((0, 0), (1, 0), (1, 1), (0, 0)), (), "given twice"),
        (((0, 0), (1, 1), (1, 0), (0, 1)), (), "no area|crosses itself"),
        (((0, 0), (2, 2), (2, 0), (0, 1)), (), "crosses itself"),
        (((0, 0), (1, 0), (1, 1), (0, 1)), (((0.5, 0.5), (1.5, 0.5), (0.5, 0.7)),), "not inside"),
        (((0, 0), (1, 0), (2, 0)), (), "no area"),
    ],
)
def test_refusals(outline, holes, message: str) -> None:
    """What is no section is named with the way out."""
    with pytest.raises(InputError, match=message):
        PolygonSection(outline, holes)

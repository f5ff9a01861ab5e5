"""Cantilevers that bend far: exact solutions, published ones, and those of other programs; two meshes each."""

from itertools import pairwise

import numpy as np
import pytest
from tests.exact_beams.cantilevers import (
    Sections,
    Stiffness,
    beam_along,
    clamped,
    elastica,
    equilibria,
    sections,
    straight,
)
from tests.rounding import rounding

from flexframe.elements.properties import BeamProperty, Material, Rectangle
from flexframe.maths.arrays import Array
from flexframe.model.system import Space
from flexframe.model.system_loads import MarkerForce

SPACES: tuple[Space, Space] = ("planar", "spatial")


# ---------------------------------------------------------------------- rolled into circles


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("circles", [1, 2])
def test_end_moment_rolls_a_beam_into_circles(circles: int, space: Space) -> None:
    """M = 2π EI/L for each circle: the tip is back at the clamp, and all nodes are on a circle, to rounding.

    Curvature is constant, and so it is in an element: the mesh makes no difference.
    """
    EI = 100.0
    for divisions in (5, 10):
        body = beam_along(straight(1.0, divisions), Stiffness(1e4, 5e3, 80.0, EI).property(), space=space)
        moment = MarkerForce("roll", "beam.end", moment=(0.0, 0.0, 2 * np.pi * circles * EI))
        found = sections(equilibria(clamped(body, [moment])))
        angles = 2 * np.pi * circles * np.linspace(0.0, 1.0, divisions + 1)
        circle = np.stack([np.sin(angles), 1 - np.cos(angles), 0 * angles], 1) / (2 * np.pi * circles)
        # errors of the attitudes of all sections add up
        assert found.places == pytest.approx(circle, abs=rounding(1e3))


# ---------------------------------------------------------------------- elastica


def bent(divisions: int, load: float, softness: float) -> Sections:
    """A cantilever of EI = L = 1 with EA = 1/softness and GA half of it."""
    prop = Stiffness(1 / softness, 0.5 / softness, 1.0, 1.0).property()
    body = beam_along(straight(1.0, divisions), prop, space="planar")
    return sections(equilibria(clamped(body, [MarkerForce("pull", "beam.end", (0.0, load, 0.0))])))


THIN = 1e-4**2 / 12  # EI/(EA L²) of a rectangle with L/h = 1e4


@pytest.mark.parametrize(("load", "coarse"), [(1.0, 2e-5), (5.0, 3e-4), (10.0, 1e-3)])
def test_elastica_with_fourth_order_however_thin(load: float, coarse: float) -> None:
    """L/h = 1e4: four elements are good to some 1e-4, and each doubling divides the error by 16 (±15 %)."""
    place, angle = elastica(load)
    found = [bent(divisions, load, THIN) for divisions in (4, 8, 16)]
    errors = [np.linalg.norm(each.tip[:2] - place) for each in found]
    assert errors[0] < coarse
    assert abs(found[0].turn - angle) < coarse
    for rough, fine in pairwise(errors):
        assert 13.6 < rough / fine < 18.4


@pytest.mark.parametrize("load", [1.0, 5.0, 10.0])
def test_elastica_is_the_limit_of_stiff_stretch_and_shear(load: float) -> None:
    """The tip departs from the inextensible, shear-rigid beam in proportion to 1/EA and 1/GA: slope 1 to 1 %.

    What the mesh leaves of 16 elements is taken out by its order; the next power of 1/EA is 1e-2 of the first.
    """
    place, _ = elastica(load)
    departures = []
    for softness in (1e-3, 1e-4, 1e-5):
        coarse, fine = (bent(divisions, load, softness).tip[:2] for divisions in (8, 16))
        departures.append(np.linalg.norm(fine + (fine - coarse) / 15 - place))
    slopes = np.diff(np.log10(departures))
    assert slopes == pytest.approx([-1.0, -1.0], abs=0.01)


def test_small_bending_is_exact_with_one_element() -> None:
    """P L³/3EI + P L/GA of a thick beam and of a thin one; the next terms are of the order of the square."""
    force = 1e-5
    for softness in (0.05, THIN):
        found = bent(1, force, softness)
        # the load path ends with corrections of 1e-11 of the length
        exact = force / 3 + 2 * force * softness
        assert found.tip[1] == pytest.approx(exact, abs=2e-11)
        assert found.turn == pytest.approx(force / 2, abs=2e-11)


# ---------------------------------------------------------------------- published cantilevers


def bend(divisions: int, torsion: float, shear: float) -> Array:
    """Tip displacement of the 45° bend of Bathe and Bolourchi under 600 across its plane, G = 5e6."""
    angles = np.linspace(0.0, np.pi / 4, divisions + 1)
    points = 100 * np.stack([np.sin(angles), 1 - np.cos(angles), 0 * angles], 1)
    body = beam_along(points, Stiffness(1e7, shear * 5e6, 5e6 * torsion, 1e7 / 12).property())
    found = sections(equilibria(clamped(body, [MarkerForce("push", "beam.end", (0.0, 0.0, 600.0))])))
    return np.asarray(found.tip - points[-1])


@pytest.mark.parametrize(
    ("torsion", "shear", "converged"),
    [
        # converged reference values; Bathe and Bolourchi 1979 print −23.5 −13.4 53.4
        (1 / 6, 1.0, (-23.5602, -13.6045, 53.4749)),
        # the reference says J = 0.1406 and nothing of shear: its digits are met with 5/6 GA and J = 0.140577,
        # and missed by 8e-4 with GA and 0.1406
        (0.140577, 5 / 6, (-23.8191, -13.7316, 53.6080)),
    ],
)
def test_bend_of_45_degrees(torsion: float, shear: float, converged: tuple[float, ...]) -> None:
    """A polygon of 16 and 32 sides departs with the square of their length: without that, all printed digits."""
    coarse, fine = (bend(divisions, torsion, shear) for divisions in (16, 32))
    assert fine == pytest.approx(converged, rel=3e-4)
    assert fine + (fine - coarse) / 3 == pytest.approx(converged, abs=1e-4)


@pytest.mark.parametrize("space", SPACES)
def test_cantilever_of_geradin(space: Space) -> None:
    """600 kN at the end of 5 m: published −2.1597 and −0.5965 m, 0.6720 rad; half a digit of the last is kept."""
    for divisions in (8, 16):
        body = beam_along(
            straight(5.0, divisions), Stiffness(4.8e8, 3.231e8, 1e6, 9.346e6).property(), space=space
        )
        found = sections(equilibria(clamped(body, [MarkerForce("pull", "beam.end", (0.0, -600e3, 0.0))])))
        assert found.tip[:2] - [5.0, 0.0] == pytest.approx([-0.5965, -2.1597], abs=5e-5)
        assert found.turn == pytest.approx(0.6720, abs=5e-5)


# ---------------------------------------------------------------------- Princeton beam

PRINCETON = BeamProperty(Material(71.7e9, 0.31, 2700.0), Rectangle(0.012377, 0.0032024))


def princeton(divisions: int, load: float, degrees: float) -> Array:
    """Displacement of the tip along the beam, in its soft and in its stiff direction [m], and its twist [rad]."""
    angle = np.radians(degrees)
    force = MarkerForce("load", "beam.end", (0.0, load * np.cos(angle), load * np.sin(angle)))
    found = sections(equilibria(clamped(beam_along(straight(0.508, divisions), PRINCETON), [force])))
    last = found.rotations[-1]
    return np.array([*(found.tip - [0.508, 0.0, 0.0]), np.arctan2(last[2, 1], last[1, 1])])


EXUDYN = {  # load [N], its angle from the soft direction [°]
    (4.448, 30): (-0.005527063, 0.068129122, 0.002862207, 0.004998553),
    (4.448, 45): (-0.003746889, 0.056055193, 0.003965163, 0.00581841),
    (8.896, 45): (-0.01438932, 0.109041568, 0.008888857, 0.022779724),
    (8.896, 60): (-0.007660816, 0.079456076, 0.010147241, 0.020360512),
    (13.345, 30): (-0.041206384, 0.181921186, 0.011716415, 0.040618466),
    (13.345, 45): (-0.030361114, 0.156587823, 0.015342257, 0.04958415),
    (13.345, 60): (-0.017163419, 0.117902263, 0.016777987, 0.045878724),
}
"""ObjectBeamGeometricallyExact of Exudyn 1.13.6 with 40 and 80 elements, extrapolated with order 2.

Of the same section: 5/6 GA, and GJ by Saint-Venant with J = 1.133995e-10 m⁴."""


@pytest.mark.parametrize(("load", "degrees"), EXUDYN)
def test_princeton_beam_against_a_second_formulation(load: float, degrees: int) -> None:
    """Bending in two planes couples with torsion, where elements are of order 2: extrapolated, 1e-5 of the way.

    With 8 and 16 elements the terms of order 4 are a sixteenth of what is taken out, which is 3e-5 and 1e-3.
    """
    coarse, fine = (princeton(divisions, load, degrees) for divisions in (8, 16))
    found, other = fine + (fine - coarse) / 3, np.array(EXUDYN[load, degrees])
    way = np.linalg.norm(other[:3])
    assert found[:3] == pytest.approx(other[:3], abs=1e-5 * way)
    assert found[3] == pytest.approx(other[3], rel=1e-3)
    assert fine[:3] == pytest.approx(other[:3], abs=2e-4 * way)


def test_princeton_beam_is_symmetric() -> None:
    """Loads at θ, −θ, 180° − θ and 180° + θ bend alike, and twist with the sign of the quadrant."""
    along, soft, stiff, twist = princeton(6, 8.896, 30)
    size = {"abs": 1e-11}  # metres and radians, last correction of the load path
    assert princeton(6, 8.896, -30) == pytest.approx([along, soft, -stiff, -twist], **size)
    assert princeton(6, 8.896, 150) == pytest.approx([along, -soft, stiff, -twist], **size)
    assert princeton(6, 8.896, 210) == pytest.approx([along, -soft, -stiff, twist], **size)
    for degrees in (0, 90):  # along a principal axis nothing twists
        assert princeton(6, 8.896, degrees)[3] == pytest.approx(0.0, abs=1e-11)

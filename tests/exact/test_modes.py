"""Natural frequencies of beams and plane bodies at rest, solved by the package's own eigensolver."""

from dataclasses import replace

import numpy as np
import pytest

from flexframe.analyses.modes.analysis import modes
from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import STEEL, PlaneProperty, Rectangle
from flexframe.maths.arrays import Array
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.mesh.builders import annulus, disc, line
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.supports import Clamp, Fix

from .solving import MATERIAL, SECTION, beam_body, rigidities

SQUARE = Rectangle(0.05, 0.05)


def natural(body: Body, count: int) -> Array:
    """Lowest angular frequencies above the rigid modes."""
    discrete = discretise(body)
    reduce = discrete.supports.reduce_matrix
    rigid = discrete.equilibrium.rigid
    total = count + rigid.shape[1]
    found = symmetric_modes(
        reduce(discrete.stiffness), reduce(discrete.mass), total, rigid_modes=rigid if rigid.size else None
    )
    values = found.eigenvalues
    # rigid modes store round-off only, of the stiffest frequencies
    if rigid.shape[1]:
        assert np.abs(values[: rigid.shape[1]]).max() < 1e-6 * values[rigid.shape[1]]
    return np.sqrt(values[rigid.shape[1] :])


# ---------------------------------------------------------------------- Euler–Bernoulli

ROOTS = {
    "free": ((), (4.73004074, 7.85320462, 10.99560784)),
    "clamped": ((Clamp("start"),), (1.87510407, 4.69409113, 7.85475744)),
}


def slender_beta(divisions: int, supports) -> Array:
    """βL of the first three bending modes of a beam without rotary inertia."""
    body = beam_body(
        line(1.0, divisions), "euler_bernoulli", supports, space="planar", rotary_inertia=0.0, section=THIN
    )
    scale = np.sqrt(rigidities("euler_bernoulli", THIN).EIz / (MATERIAL.density * THIN.area))
    return np.sqrt(natural(body, 3) / scale)


# so slender that stretching modes lie far above
THIN = replace(SECTION, inertia_z=SECTION.area * 1e-6)


@pytest.mark.parametrize("ends", ROOTS)
def test_roots_of_slender_beams(ends: str) -> None:
    """βL of the frequency equation; (βh)⁴/2880 of β is missed: 2e-6 with 40 elements in the third mode."""
    supports, roots = ROOTS[ends]
    np.testing.assert_allclose(slender_beta(40, supports), roots, rtol=3e-6)


@pytest.mark.parametrize("ends", ROOTS)
def test_frequencies_converge_with_the_fourth_order(ends: str) -> None:
    """Halving the elements divides the error by 16, from above; ten elements are just fine enough for that."""
    supports, roots = ROOTS[ends]
    coarse, fine = (slender_beta(n, supports) - roots for n in (10, 20))
    assert (fine > 0).all()
    np.testing.assert_allclose(coarse / fine, 16, rtol=0.1)


@pytest.mark.parametrize("multiplier", [0.0, 1.0, 2.5])
def test_rotary_inertia_is_a_multiplier(multiplier: float) -> None:
    """Simply supported Rayleigh beam: ω² = EIβ⁴/(ρA + rρIβ²), β = kπ/L; forty elements of order 4 to 1e-6."""
    length = 1.3
    supports = [Fix("all", ("ux",)), Fix("start", ("uy",)), Fix("end", ("uy",))]
    body = beam_body(line(length, 40), "euler_bernoulli", supports, space="planar", rotary_inertia=multiplier)
    beta = np.array([1, 2, 3]) * np.pi / length
    mass = MATERIAL.density * (SECTION.area + multiplier * SECTION.inertia_z * beta**2)
    exact = np.sqrt(rigidities("euler_bernoulli").EIz * beta**4 / mass)
    np.testing.assert_allclose(natural(body, 3), exact, rtol=3e-6)


# ---------------------------------------------------------------------- Timoshenko

TIMOSHENKO = {
    "free": ((), (263.43997, 714.38160, 1368.7818)),
    "clamped": ((Clamp("start"),), (41.692796, 258.24124, 710.04645)),
}


@pytest.mark.parametrize("ends", TIMOSHENKO)
def test_timoshenko_frequencies(ends: str) -> None:
    """Steel, 1 m, 50 × 50 mm, κ 5/6, in Hz: exact roots of the frequency equation to eight digits.

    Stretching modes begin at 1290 Hz and are held apart. The shear of a loaded element is missed with order 2;
    the limit of 40 and 80 elements is within 1e-6.
    """
    supports, exact = TIMOSHENKO[ends]
    held = (*supports, Fix("all", ("ux",)))

    def hertz(divisions: int) -> Array:
        mesh = line(1.0, divisions)
        body = beam_body(mesh, "timoshenko", held, section=SQUARE, material=STEEL, space="planar")
        return natural(body, 3) / (2 * np.pi)

    coarse, fine = hertz(40), hertz(80)
    # the printed digits are too few for the order of the lowest clamped mode
    np.testing.assert_allclose((coarse / exact - 1)[1:], 4 * (fine / exact - 1)[1:], rtol=0.1)
    np.testing.assert_allclose((4 * fine - coarse) / 3, exact, rtol=1e-6)


def test_both_planes_of_a_square_section() -> None:
    """In space every bending frequency comes twice."""
    body = beam_body(line(1.0, 30), "timoshenko", [Clamp("start")], section=SQUARE, material=STEEL)
    found = natural(body, 4) / (2 * np.pi)
    np.testing.assert_allclose(found, [41.692796, 41.692796, 258.24124, 258.24124], rtol=5e-4)


def test_axial_and_torsional_frequencies() -> None:
    """c = √(E/ρ) and √(GJ/ρI_p): clamped–free (2k−1)πc/2L; linear elements are high by (kh)²/24."""
    length, divisions = 1.3, 40
    E, rho = MATERIAL.young, MATERIAL.density
    r = rigidities("euler_bernoulli")
    polar = SECTION.inertia_y + SECTION.inertia_z
    for held, speed in (
        (("uy", "uz", "rx", "ry", "rz"), np.sqrt(E / rho)),
        (("ux", "uy", "uz", "ry", "rz"), np.sqrt(r.GJ / (rho * polar))),
    ):
        supports = [Clamp("start"), Fix("all", held)]
        body = beam_body(line(length, divisions), "euler_bernoulli", supports)
        waves = np.array([1, 3]) * np.pi / (2 * length)
        high = 1 + (waves * length / divisions) ** 2 / 24
        np.testing.assert_allclose(natural(body, 2), waves * speed * high, rtol=1e-6)


def test_tip_mass_on_a_light_beam() -> None:
    """A heavy particle at the tip: ω² = 3EI/(mL³) with m = tip + 0.2357 of the beam (33/140, Rayleigh).

    The beam weighs 1e-4 of the particle, so what Rayleigh's field misses is of second order in 1e-4.
    """
    length = 1.3
    beam_mass = MATERIAL.density * THIN.area * length
    tip = 1e4 * beam_mass
    body = replace(
        beam_body(
            line(length, 4),
            "euler_bernoulli",
            [Clamp("start")],
            section=THIN,
            space="planar",
            rotary_inertia=0.0,
        ),
        point_masses=(PointMass("end", tip),),
    )
    exact = np.sqrt(3 * rigidities("euler_bernoulli", THIN).EIz / ((tip + 33 / 140 * beam_mass) * length**3))
    assert natural(body, 1)[0] == pytest.approx(exact, rel=1e-7)


# ---------------------------------------------------------------------- discs in their plane

DISC = (1.387653, 1.387653, 1.617558, 1.617558, 2.048850, 2.130399, 2.130399)
ANNULUS = (1.109950, 1.109950, 1.651171, 1.651171, 1.801465, 2.070720, 2.070720)


@pytest.mark.parametrize(
    ("mesh", "exact"),
    [
        (disc(1.0, 6), DISC),
        (disc(1.0, 8, shape="triangle"), DISC),
        (annulus(0.2, 1.0, (14, 72)), ANNULUS),
        (annulus(0.2, 1.0, (14, 72), shape="triangle"), ANNULUS),
    ],
    ids=["disc", "disc of triangles", "annulus", "annulus of triangles"],
)
def test_discs_in_their_plane(mesh: Mesh, exact: tuple[float, ...]) -> None:
    """λ = ωR√(ρ(1−ν²)/E), plane stress, ν 0.3 (Holland 1966; Irie 1984): quadratic elements to 2e-4.

    Frequencies of quadratic elements are of fourth order; the annulus is refined for its small hole.
    """
    material = replace(MATERIAL, poisson=0.3)
    body = Body("disc", mesh, (Region(PlaneProperty(material, 0.1)),))
    scale = np.sqrt(material.density * (1 - 0.3**2) / material.young)
    np.testing.assert_allclose(natural(body, len(exact)) * scale, exact, rtol=2e-4)


# ---------------------------------------------------------------------- what the record says


def test_more_modes_than_the_body_has() -> None:
    """Two beam elements in the plane, clamped: 6 degrees of freedom, and the record says that 9 were asked for."""
    body = beam_body(line(1.0, 2), "timoshenko", (Clamp("start"),), space="planar")
    record = modes(body, count=9)
    assert len(record.eigenvalues) == 6
    assert record.notices[0] == "9 modes were asked for, the body has 6"
    assert not modes(body, count=6).notices


def test_count_is_confirmed() -> None:
    """A dense solution has all modes, and the record hands that on."""
    body = beam_body(line(1.0, 4), "timoshenko", (Clamp("start"),), space="planar")
    assert modes(body, count=3).confirmed is True

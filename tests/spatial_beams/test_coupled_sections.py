"""Sections by their full matrices in beams of small deflections: plain beams, exact solutions, exact beams."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import linalg
from scipy.optimize import brentq
from tests.contracts.samples import FULL_SECTION
from tests.rounding import ROUNDING, rounding

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.statics.analysis import statics
from flexframe.assembly.discrete import discretise
from flexframe.elements.beam import Beam
from flexframe.elements.properties import BeamProperty, Material, Property, Rectangle
from flexframe.elements.section_matrices import SectionMatrices
from flexframe.elements.section_shapes import channel_section
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.mesh.builders import line, polyline
from flexframe.model.body import Body, Region
from flexframe.model.loads import Gravity, LineLoad, Load, NodeForce
from flexframe.model.supports import Clamp
from flexframe.motion.frame import FrameMotion

ANY = Material(2.1, 0.3, 1.7, idealised=True)
BENT = np.array([[0, 0, 0], [0.4, 0.1, 0.2], [1.0, 0.3, 0.1]])


def rows(matrix: Array) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, matrix.tolist()))


def cantilever(prop: Property, divisions: int, loads: tuple[Load, ...] = (), length: float = 1.0) -> Body:
    return Body("beam", line(length, divisions), (Region(prop),), (Clamp("start"),), loads, space="spatial")


def as_matrices(prop: BeamProperty) -> BeamProperty:
    """The same section by the matrices that its own law has."""
    law = Beam("timoshenko").section_law(np.array([[[0.0, 0, 0], [1, 0, 0]]]), prop)
    section = SectionMatrices(
        prop.section.width,
        prop.section.height,
        stiffness=rows(np.linalg.inv(law.flexibility)),
        mass=rows(law.mass),
    )
    return replace(prop, section=section, angle=prop.angle + prop.section.principal_angle)


PLAIN = BeamProperty(ANY, Rectangle(0.3, 0.5), up=(0.3, 0.8, 0.9), offset=(0.1, -0.2), angle=0.3)
CHANNEL = BeamProperty(Material(2.1, 0.3, 1.7), channel_section(0.8, 0.5, web=0.04, flange=0.05))


@pytest.mark.parametrize("prop", [PLAIN, CHANNEL], ids=["offset", "shear centre"])
def test_matrices_of_a_shape_give_the_beam_of_that_shape(prop: BeamProperty) -> None:
    """Stiffness, mass and geometric stiffness of unit loads; 1e3 roundings of matrices with a condition of 10.

    With a shear centre beside the centroid, forces across meet the quadratic twist by their torque about that.
    """
    mesh = polyline(BENT, 1)
    plain, full = (
        discretise(Body("beam", mesh, (Region(each),), space="spatial")) for each in (prop, as_matrices(prop))
    )
    assert full.batches[0].family.name == "coupled_beam"
    pairs = [(plain.stiffness, full.stiffness), (plain.mass, full.mass)]
    for load in (("centrifugal", 0, 1), ("centrifugal", 2, 2), ("euler", 1, 0), ("origin", 2, 0)):
        pairs.append((plain.geometric.invariant(load), full.geometric.invariant(load)))
    largest = abs(plain.geometric.invariant(("centrifugal", 2, 2))).max()
    for one, other in pairs:
        assert abs(one - other).max() < rounding(1e3, 10) * max(abs(one).max(), largest)


def test_stress_of_a_shape_by_its_matrices() -> None:
    """Resultants at all stations under weight, a line load and a force, and the stress at a corner."""
    prop = BeamProperty(Material(210e9, 0.3, 7850.0), Rectangle(0.03, 0.05))
    loads = (Gravity((0.0, -9.81, 2.0)), LineLoad((5.0, 20.0, -30.0)), NodeForce("end", (10.0, 40.0, 70.0)))
    plain, full = (statics(cantilever(each, 3, loads)) for each in (prop, as_matrices(prop)))
    for measure, value in plain.summary()["maxima"].items():
        # shear is the difference of bending at both ends of an element, some hundred times larger
        assert full.summary()["maxima"][measure]["value"] == pytest.approx(value["value"], rel=rounding(1e5))


def adjoint(d: Array) -> Array:
    return np.block([[skew(d[3:]), skew(d[:3])], [np.zeros((3, 3)), skew(d[3:])]])


STRAIGHT = np.array([1.0, 0, 0, 0, 0, 0])
K, M = np.array(FULL_SECTION.stiffness), np.array(FULL_SECTION.mass)


def transfer(length: float, omega: float = 0.0) -> Array:
    """(ζ, f) at the end by those at the beginning: ζ' = −ad ζ + C f, f' = adᵀf − ω²μ ζ: (12, 12)."""
    ad = adjoint(STRAIGHT)
    return np.asarray(linalg.expm(length * np.block([[-ad, np.linalg.inv(K)], [-(omega**2) * M, ad.T]])))


@pytest.mark.parametrize("divisions", [1, 3])
def test_tip_under_forces_and_moments_is_exact(divisions: int) -> None:
    """All six, against the exponential of the equations of the beam; the condition of the stiffness is 1e4."""
    length = 1.4
    whole = transfer(length)
    for k, unit in enumerate(np.eye(6)):
        load = NodeForce("end", tuple(unit[:3]), tuple(unit[3:]))
        body = cantilever(BeamProperty(ANY, FULL_SECTION), divisions, (load,), length)
        found = statics(body).displacements[-1]
        exact = whole[:6, 6:] @ np.linalg.solve(whole[6:, 6:], unit)
        assert found == pytest.approx(exact, rel=rounding(1e2, 1e4), abs=rounding(1e2, 1e4) * abs(exact).max()), k


def test_weight_acts_at_the_centre_of_mass() -> None:
    """(ζ, f)' with the weight and its moment about the line as constants: displacement and forces at the clamp."""
    length, g = 1.4, np.array([0.3, -1.0, 0.7])
    centre = np.array([0.0, M[3, 2], M[4, 0]]) / M[0, 0]
    weight = M[0, 0] * np.concatenate([g, np.cross(centre, g)])
    ad = adjoint(STRAIGHT)
    grown = np.zeros((13, 13))
    grown[:12, :12] = np.block([[-ad, np.linalg.inv(K)], [np.zeros((6, 6)), ad.T]])
    grown[6:12, 12] = -weight
    whole = linalg.expm(length * grown)
    start = np.linalg.solve(whole[6:12, 6:12], -whole[6:12, 12])
    found = statics(cantilever(BeamProperty(ANY, FULL_SECTION), 2, (Gravity(tuple(g)),), length))
    exact = whole[:6, 6:12] @ start + whole[:6, 12]
    assert found.displacements[-1] == pytest.approx(exact, rel=rounding(1e2, 1e4), abs=1e-11 * abs(exact).max())
    peaks = found.summary()["maxima"]
    for name, value in zip(("N", "Vy", "Vz", "Mx", "My", "Mz"), start, strict=True):
        if f"max {name}" in peaks:
            assert abs(peaks[f"max {name}"]["value"]) >= abs(value) * (1 - 1e-9)


def test_frequencies_converge_with_order_two() -> None:
    """Against the roots of the determinant of the exact equations; 4, 8 and 16 elements.

    Stretching and torsion, which are linear along an element, have order 2, and all modes have a part of them.
    """
    length, errors = 4.0, []
    for divisions in (4, 8, 16):
        body = cantilever(BeamProperty(ANY, FULL_SECTION), divisions, (), length)
        found = 2 * np.pi * modes(body, count=3).frequencies_hz

        def determinant(omega: float) -> float:
            return float(np.linalg.det(transfer(length, omega)[6:, 6:]))

        exact = [brentq(determinant, 0.97 * w, 1.03 * w, xtol=1e-13) for w in found]
        errors.append(np.abs(found / exact - 1))
    for coarse, fine in pairwise(errors):
        assert (coarse / fine > 3.8).all()
    assert errors[-1].max() < 2e-3  # (π/2 · 2.5/16)²/24 of the third


@pytest.mark.parametrize("length", [12.0, 40.0])
def test_spinning_blade_as_exact_beams_have_it(length: float) -> None:
    """Two theories about one prestress. Small deflections leave out that the blade is bent by its rotation.

    It is since its mass, its axial stiffness and its line are apart, by some hundredths here; beside the length
    that is a few thousandths, and Wagner's term, which exact beams do not have, is of its square.
    """
    body = cantilever(BeamProperty(ANY, FULL_SECTION), 8, (), length)
    lowest = 2 * np.pi * float(modes(body, count=1).frequencies_hz[0])
    spin = FrameMotion.spin(1.5 * lowest, (0.0, 0.0, 1.0))
    small, exact = modes(body, spin, count=3), modes(body, spin, count=3, exact=True)
    assert small.frequencies_hz == pytest.approx(exact.frequencies_hz, rel=0.06 / length)
    assert small.frequencies_hz[0] > 1.2 * lowest / (2 * np.pi)


def test_what_has_no_place_beside_matrices() -> None:
    """Line loads with mass beside the line, multipliers, theories, and centres before the section."""
    prop = BeamProperty(ANY, FULL_SECTION)
    with pytest.raises(InputError, match=r"line load.*centre of mass.*reduction: exact"):
        discretise(cantilever(prop, 2, (LineLoad((0.0, 1.0, 0.0)),)))
    with pytest.raises(InputError, match="holds the inertia of turning; leave rotary_inertia out"):
        replace(prop, rotary_inertia=0.5)
    with pytest.raises(InputError, match=r"timoshenko_beam elements do not have this section.*coupled_beam"):
        discretise(replace(cantilever(prop, 2), regions=(Region(prop, family="timoshenko_beam"),)))
    shifted = M.copy()
    shifted[4, 2], shifted[2, 4], shifted[5, 1], shifted[1, 5] = -0.01, -0.01, 0.01, 0.01
    with pytest.raises(InputError, match="centre before or behind the section"):
        replace(FULL_SECTION, mass=rows(shifted))


def test_axial_radius_of_a_rectangle() -> None:
    """√((Iy + Iz)/A), whatever the line of the matrices is."""
    section = as_matrices(PLAIN).section
    assert isinstance(section, SectionMatrices)
    exact = np.sqrt((0.3**2 + 0.5**2) / 12)
    assert section.polar_radius == pytest.approx(exact, rel=ROUNDING)
    moved = np.eye(6)
    moved[:3, 3:] = skew(np.array([0.0, 0.4, -0.7]))
    shifted = replace(section, stiffness=rows(moved.T @ section.stiffness_matrix @ moved))
    assert shifted.polar_radius == pytest.approx(exact, rel=rounding(1e3, 100))

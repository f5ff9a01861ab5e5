"""A space frame, free vibrations and a spinning shaft against closed forms."""

import numpy as np
import pytest

from flexframe.analyses.modes.analysis import modes
from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import STEEL, BeamProperty, Circle, GeneralSection, Material, Rectangle
from flexframe.mesh.builders import polyline
from flexframe.model.body import Body, Region
from flexframe.model.loads import NodeForce
from flexframe.model.supports import Clamp, Fix
from flexframe.motion.frame import FrameMotion

MATERIAL = Material(2.0, 0.25, 1.5)
SECTION = GeneralSection(0.7, 0.05, 0.05, 0.03, 0.8)


def test_space_frame_of_three_legs() -> None:
    """Legs a along x, b along y, c along z with a force at the end: Castigliano's sums of all six resultants.

    A tip force F along z: leg c is stretched, leg b bent and leg a bent and twisted. Straight legs are exact, so
    round-off.
    """
    a, b, c, F = 1.2, 0.8, 0.5, 0.3
    corners = np.array([[0, 0, 0], [a, 0, 0], [a, b, 0], [a, b, c]])
    region = Region(BeamProperty(MATERIAL, SECTION), family="timoshenko_beam")
    mesh = polyline(corners, 2)
    body = Body("frame", mesh, (region,), (Clamp(0),), (NodeForce((a, b, c), (0, 0, F)),), space="spatial")
    discrete = discretise(body)
    delta = discrete.equilibrium.solve(discrete.loads.forces).displacements[:, 0]
    end = discrete.dofs.nodal(delta)[mesh.nearest_node((a, b, c))]
    E, G = MATERIAL.young, MATERIAL.shear_modulus
    EI, GJ, EA, shear = E * 0.05, G * 0.03, E * 0.7, 0.8 * G * 0.7
    expected = F * (a**3 / (3 * EI) + b**3 / (3 * EI) + b**2 * a / GJ + (a + b) / shear + c / EA)
    assert end[2] == pytest.approx(expected, rel=1e-10)
    # a force along x bends leg c, twists leg b, bends leg a by its moment Fc, and leg b in the x–y plane
    body = Body("frame", mesh, (region,), (Clamp(0),), (NodeForce((a, b, c), (F, 0, 0)),), space="spatial")
    discrete = discretise(body)
    delta = discrete.equilibrium.solve(discrete.loads.forces).displacements[:, 0]
    end = discrete.dofs.nodal(delta)[mesh.nearest_node((a, b, c))]
    expected = F * (c**3 / (3 * EI) + c**2 * b / GJ + b**3 / (3 * EI) + (b**2 + c**2) * a / EI)
    expected += F * ((c + b) / shear + a / EA)
    assert end[0] == pytest.approx(expected, rel=1e-10)


def test_free_vibrations_in_space() -> None:
    """Steel 50 × 50 mm, 1 m, κ = 5/6: bending pairs 263.43997, 714.38160, 1368.7818 Hz; torsion n√(GJ/ρIp)/2L.

    Twenty-four elements: cubic bending within 8e-4, linear torsion (π/24)²/24 = 7e-4 above at n = 1.
    """
    section = Rectangle(0.05, 0.05)
    found = modes(
        Body.beam("bar", length=1.0, divisions=24, section=section, material=STEEL, space="spatial"), count=14
    )
    frequencies = np.abs(found.eigenvalues)[6:] / (2 * np.pi)
    for exact in (263.43997, 714.38160, 1368.7818):
        near = np.sort(np.abs(frequencies / exact - 1))[:2]
        assert near.max() < 8e-4
    polar = section.inertia_y + section.inertia_z
    torsion = np.sqrt(STEEL.shear_modulus * section.torsion_constant / (STEEL.density * polar)) / 2
    assert np.abs(frequencies / torsion - 1).min() < np.pi**2 / 24**3 * 1.1


def test_spinning_shaft_seen_from_space() -> None:
    """Simply supported Rayleigh shaft, L 1 m, d 50 mm, 3000 rad/s: forward 102.215419, backward 100.745065 Hz.

    Seen from the shaft, which turns by Ω, they are Ω/2π − f and Ω/2π + f; eight cubic elements leave 1e-5.
    """
    speed = 3000.0
    shaft = Body.beam(
        "shaft",
        length=1.0,
        divisions=8,
        section=Circle(0.05),
        material=STEEL,
        theory="euler_bernoulli",
        supports=(Fix("start", ("ux", "uy", "uz", "rx")), Fix("end", ("uy", "uz"))),
        space="spatial",
    )
    found = modes(shaft, FrameMotion.spin(speed, (1.0, 0, 0)), count=12)
    seen = np.abs(found.eigenvalues) / (2 * np.pi)
    turning = speed / (2 * np.pi)
    for exact, from_shaft in ((102.215419, turning - seen), (100.745065, seen - turning)):
        assert from_shaft[np.argmin(np.abs(from_shaft - exact))] == pytest.approx(exact, rel=2e-5)

"""The largest stress of beams is found at their ends and outer fibres, exactly whatever the number of elements."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.analyses.statics.analysis import statics
from flexframe.elements.properties import Circle, GeneralSection, Rectangle
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import line
from flexframe.model.loads import LineLoad, NodeForce
from flexframe.model.supports import Clamp, Fix, Pin
from flexframe.motion.frame import FrameMotion

from .solving import MATERIAL, THEORIES, beam_body

# the condition of four beam elements is below 1e5
ROUND_OFF = 1e-10
L = 2.0
RECTANGLE = Rectangle(width=0.03, height=0.05)
CLAMPED = (Clamp("start"),)

every_theory = pytest.mark.parametrize("theory", THEORIES)
every_division = pytest.mark.parametrize("divisions", [1, 2, 4])


def fibre(theory: str, divisions: int, loads, *, section=RECTANGLE, supports=CLAMPED, motion=None):
    body = beam_body(line(L, divisions), theory, supports, loads, section=section)
    record = statics(body) if motion is None else statics(body, motion)
    return next(m for m in record.maxima if m.measure == "fibre"), record


@every_theory
@every_division
def test_root_of_a_cantilever_under_a_tip_force(theory: str, divisions: int) -> None:
    """σ = F L/W at the clamp, tension above where the force points down."""
    F = 3.0
    found, record = fibre(theory, divisions, [NodeForce("end", (0, -F, 0))])
    assert found.value == pytest.approx(F * L / (0.03 * 0.05**2 / 6), rel=ROUND_OFF)
    assert found.place == pytest.approx((0, 0, 0), abs=ROUNDING * L)
    assert (found.cell, found.along) == (0, 0.0)
    assert found.fibre is not None and abs(found.fibre[0]) == 0.025
    told = record.summary()["maxima"]["fibre"]
    assert told["along"] == 0.0 and told["fibre_m"] == list(found.fibre)


@every_theory
@every_division
def test_root_of_a_cantilever_under_a_uniform_load(theory: str, divisions: int) -> None:
    """σ = w L²/2/W."""
    w = 1.3
    found, _ = fibre(theory, divisions, [LineLoad((0, -w, 0))])
    assert found.value == pytest.approx(w * L**2 / 2 / (0.03 * 0.05**2 / 6), rel=ROUND_OFF)


@every_theory
@every_division
def test_root_of_a_spinning_bar(theory: str, divisions: int) -> None:
    """σ = ρ Ω² L²/2."""
    speed = 7.0
    motion = FrameMotion(angular_velocity=np.array([0, 0, speed]))
    found, _ = fibre(theory, divisions, [], motion=motion)
    assert found.value == pytest.approx(MATERIAL.density * speed**2 * L**2 / 2, rel=ROUND_OFF)
    assert found.place == pytest.approx((0, 0, 0), abs=ROUNDING * L)


@every_theory
def test_middle_of_one_element_under_a_uniform_load(theory: str) -> None:
    """Simply supported, σ = w L²/8/W between the nodes."""
    w = 1.3
    supports = (Pin("start"), Fix("end", ("uy", "uz", "rx")))
    found, _ = fibre(theory, 1, [LineLoad((0, 0, -w))], supports=supports)
    assert found.value == pytest.approx(w * L**2 / 8 / (0.05 * 0.03**2 / 6), rel=ROUND_OFF)
    assert found.along == 0.5


def largest_by_search(N: float, My: float, Mz: float, points: Array, section) -> float:
    y, z = points.T
    return float(np.abs(N / section.area - y * Mz / section.inertia_z + z * My / section.inertia_y).max())


TUBE = Circle(0.06, 0.04)
GENERAL = GeneralSection(8e-4, 3e-7, 1e-7, 2e-7, fibre_height=0.07, fibre_width=0.04)
angles = np.linspace(0, 2 * np.pi, 20001)
EDGES = {
    RECTANGLE: np.array([[y, z] for y in (-0.025, 0.025) for z in (-0.015, 0.015)]),
    TUBE: 0.03 * np.stack([np.cos(angles), np.sin(angles)], axis=1),
    GENERAL: np.array([[y, z] for y in (-0.035, 0.035) for z in (-0.02, 0.02)]),
}


@pytest.mark.parametrize("section", EDGES, ids=lambda s: type(s).__name__)
def test_oblique_bending_with_a_normal_force(section) -> None:
    """N, My and Mz together, against a search over the edge of the section; the named fibre has that stress."""
    force = np.array([-400.0, 1.1, 0.7])
    found, _ = fibre("euler_bernoulli", 2, [NodeForce("end", tuple(force))], section=section)
    N, Mz, My = force[0], force[1] * L, -force[2] * L
    wanted = largest_by_search(N, My, Mz, EDGES[section], section)
    # a rim searched in steps of 2π/20000 misses 1 − cos(π/20000)
    assert found.value == pytest.approx(wanted, rel=2e-8 if section is TUBE else ROUND_OFF)
    assert found.fibre is not None
    at = largest_by_search(N, My, Mz, np.array([found.fibre]), section)
    assert at == pytest.approx(found.value, rel=ROUND_OFF)

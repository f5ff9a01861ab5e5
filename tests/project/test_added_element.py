"""The worked example of CONTRIBUTING.md is a working element."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.contracts import test_geometric, test_inertia, test_stiffness
from tests.rounding import ROUNDING

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.reduction.analysis import reduction
from flexframe.analyses.statics.analysis import statics
from flexframe.cases.checking import section_line, section_table
from flexframe.elements import families
from flexframe.elements.contract import ElementBatch, Family
from flexframe.elements.integration import stiffness
from flexframe.elements.interpolated_families import Quadrilateral4
from flexframe.elements.properties import STEEL, BarProperty, PlaneProperty, Property
from flexframe.maths.arrays import Array
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import LINE
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region
from flexframe.model.loads import Gravity, LineLoad, NodeForce
from flexframe.model.supports import Clamp
from flexframe.motion.frame import FrameMotion
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.strategies import CraigBampton
from flexframe.reports.build import report_document

from .repository import ROOT, code_blocks

PLATE = PlaneProperty(STEEL, 0.01)
DISTORTED = [[0.0, 0, 0], [1, 0, 0], [0.6, 0.5, 0], [0, 1, 0]]


def _names(block: int) -> dict[str, Any]:
    """What a block of the page defines, made from its text."""
    source = list(code_blocks((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), "python"))[block]
    names: dict[str, Any] = {"__name__": "added_element"}
    exec(source, names)
    return names


def added_family() -> Family:
    """The interpolated element."""
    family: Family = _names(0)["FineQuadrilateral4"]()
    return family


def stiffness_on(family: Family, corners: list[list[float]]) -> Array:
    batch = ElementBatch(family, PLATE, np.arange(4)[None], np.array([corners]), np.zeros(1, np.int64))
    return stiffness(batch)[0].transpose(0, 2, 1, 3).reshape(8, 8)


def integrated(corners: list[list[float]], points: int) -> Array:
    """∫BᵀDB of the bilinear quadrilateral, written out with a rule of its own."""
    xi, weights = np.polynomial.legendre.leggauss(points)
    signs = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    total = np.zeros((8, 8))
    for a, weight_a in zip(xi, weights, strict=True):
        for b, weight_b in zip(xi, weights, strict=True):
            slopes = np.array([[s * (1 + t * b), t * (1 + s * a)] for s, t in signs]) / 4
            jacobian = np.array(corners)[:, :2].T @ slopes
            gradient = slopes @ np.linalg.inv(jacobian)
            B = np.zeros((3, 8))
            B[0, 0::2] = B[2, 1::2] = gradient[:, 0]
            B[1, 1::2] = B[2, 0::2] = gradient[:, 1]
            volume = weight_a * weight_b * np.linalg.det(jacobian) * PLATE.thickness
            total += volume * B.T @ STEEL.plane_elasticity("stress") @ B
    return total


def test_rectangle_is_the_usual_one() -> None:
    """On a rectangle 2 × 2 points are exact already; both sums agree to round-off."""
    rectangle = [[0.0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]]
    fine, usual = stiffness_on(added_family(), rectangle), stiffness_on(Quadrilateral4(), rectangle)
    assert np.abs(fine - usual).max() < ROUNDING * np.abs(usual).max()


def test_distorted_cell_is_integrated_better() -> None:
    """The rule is the page's, and it is closer to the converged integral (30 × 30 points) than 2 × 2."""
    fine, exact = stiffness_on(added_family(), DISTORTED), integrated(DISTORTED, 30)
    scale = np.abs(exact).max()
    assert np.abs(fine - integrated(DISTORTED, 3)).max() < ROUNDING * scale  # the same sum, round-off
    error, usual = (np.abs(k - exact).max() / scale for k in (fine, stiffness_on(Quadrilateral4(), DISTORTED)))
    assert error < usual / 4


# ---------------------------------------------------------------------- the structural element

TRIPOD = Mesh(
    np.array([[0.0, 0, 0], [2, 0, 0], [0.5, 1.8, 0], [0.9, 0.7, 1.5], [1.4, 0.9, 2.6]]),
    (CellBlock(LINE, np.array([(0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (2, 4), (3, 4)])),),
    node_sets={"feet": np.arange(3), "top": np.array([4])},
)
LOADS = (NodeForce("top", (900.0, -400.0, -2000.0)), LineLoad((0.0, 30.0, 0.0)), Gravity((0, 0, -9.81)))
SPIN = FrameMotion(angular_velocity=np.array([0.0, 0.0, 40.0]))


def tripod(prop: Property) -> Body:
    """Seven pinned members; the feet stand."""
    return Body("tripod", TRIPOD, (Region(prop),), supports=(Clamp("feet"),), loads=LOADS, space="spatial")


@pytest.fixture
def struts(monkeypatch: pytest.MonkeyPatch) -> Body:
    """The tripod of the page's structural element, whose name is the only edit."""
    names = _names(1)
    monkeypatch.setattr(families, "FAMILIES", (*families.FAMILIES, names["Strut"]()))
    return tripod(names["TubeProperty"](STEEL, 0.04, 0.003))


BARS = tripod(BarProperty(STEEL, float(np.pi * 0.003 * 0.037)))


@pytest.mark.parametrize(
    "contract",
    [
        test_inertia.test_mass_of_a_simple_body,
        test_inertia.test_contractions_with_a_motion,
        test_inertia.test_mass_on_rigid_fields,
        test_geometric.test_rigid_motion_of_a_stressed_body,
        test_geometric.test_expansion_in_the_motion,
        test_stiffness.test_stiffness_is_symmetric_and_turns_with_the_element,
    ],
    ids=lambda contract: contract.__name__.removeprefix("test_"),
)
@pytest.mark.usefixtures("struts")
def test_strut_keeps_the_contract(contract: Callable[[Family], None]) -> None:
    """What every member of `FAMILIES` is asked for."""
    contract(families.FAMILIES[-1])


def test_struts_are_bars(struts: Body) -> None:
    """The strut has the mechanics of the bar of its area, which is programmed apart, by shape functions."""
    found, expected = statics(struts, SPIN), statics(BARS, SPIN)
    scale = np.abs(expected.displacements).max()
    np.testing.assert_allclose(found.displacements, expected.displacements, atol=1e-11 * scale)  # round-off
    stress, known = ({m.measure: m for m in record.maxima} for record in (found, expected))
    assert stress["von_mises"].value == pytest.approx(known["von_mises"].value, rel=1e-10)
    assert stress["von_mises"].cell == known["von_mises"].cell
    assert (stress["N"].unit, stress["sxx"].unit) == ("N", "Pa")
    # prestress of the rotation included
    frequencies, usual = (modes(body, SPIN, count=5).frequencies_hz for body in (struts, BARS))
    np.testing.assert_allclose(frequencies, usual, rtol=1e-10)


def test_struts_are_reduced(struts: Body) -> None:
    """A Craig–Bampton body of struts is that of bars: frequencies and what the reduction says of its error."""
    found, expected = (
        reduction(body, CraigBampton(modes=1), interfaces=[Interface("top", "top")], motion=SPIN)
        for body in (struts, BARS)
    )
    np.testing.assert_allclose(found.frequencies_hz, expected.frequencies_hz, rtol=1e-10)


def test_struts_are_judged_and_reported(struts: Body) -> None:
    """Doubts, table of sections and report come from what property and family answer."""
    (row,) = section_table([struts])["tripod"]
    assert section_line(row) == f"section: area {np.pi * 0.003 * 0.037:.6g} m²"
    thick = tripod(type(struts.regions[0].prop)(STEEL, 2.0, 0.003))  # type: ignore[call-arg]
    assert any("length over height" in doubt for doubt in thick.doubts)
    records = {"weight": statics(struts, SPIN)}
    shown = report_document("Struts", description="", case_name="", case_text="", records=records)
    rows = str(shown.sections[0].blocks)
    assert "'N'" in rows and "'von mises'" in rows


def test_nothing_outside_asks_which_property_it_is() -> None:
    """Only `elements` may tell one property or structural family from another; the rest asks for answers.

    Files of other programs have a card for each kind of property, so that what writes them tells these apart too.
    """
    asked = re.compile(r"isinstance\([^)]*(Property|Beam|Shell\w*)\b|case (\w+\(.*\) \| )?\w*Property\(")
    package = ROOT / "src/flexframe"
    writers = set((package / "exchange").glob("*/writing.py"))  # a card of the other program for each property
    outside = [p for p in package.rglob("*.py") if "elements" not in p.parts and p not in writers]
    found = [f"{p}:{line}" for p in outside for line in p.read_text().splitlines() if asked.search(line)]
    assert not found

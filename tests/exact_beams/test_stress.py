"""Stress of exact beams inside elements: in balance with loads between nodes, and right on coarse meshes."""

import numpy as np
import pytest
from tests.exact_beams.cantilevers import beam_along, elastica, straight
from tests.exact_beams.flights import EXACT

from flexframe.analyses.statics.system_analysis import system_statics
from flexframe.cases.case import load_case
from flexframe.cases.examples import example_paths
from flexframe.elements.properties import BeamProperty, Material, Rectangle
from flexframe.model.joints import Joint, PointOnLine, Revolute, Weld
from flexframe.model.loads import LineLoad
from flexframe.model.system import Space, System

HEIGHT, WIDTH, LENGTH, YOUNG, DENSITY = 0.02, 0.03, 1.2, 2.1e11, 7800.0
MODULUS = WIDTH * HEIGHT**2 / 6
PROPERTY = BeamProperty(Material(YOUNG, 0.3, DENSITY), Rectangle(height=HEIGHT, width=WIDTH))
LOAD = 10.0  # N/m: deflections of 1e-4 lengths, whose squares are the part by which linear theory is wrong


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("divisions", [1, 3])
@pytest.mark.parametrize("clamped", [True, False])
def test_moment_of_a_line_load_is_right_with_one_element(space: Space, divisions: int, clamped: bool) -> None:
    """qL²/2 at the root of a cantilever, qL²/8 in the middle between two supports, with the place."""
    load = LineLoad((0.0, -LOAD) if space == "planar" else (0.0, -LOAD, 0.0))
    body = beam_along(straight(LENGTH, divisions), PROPERTY, space=space, loads=[load])
    held: list[Joint] = [Weld("root", "ground", "beam.start")]
    if not clamped:
        held = [Revolute("pin", "ground", "beam.start"), PointOnLine("roller", "ground", "beam.end")]
    found = system_statics(System([body], held, space=space), reductions={"beam": EXACT}).stress["beam"]
    moment = LOAD * LENGTH**2 / (2 if clamped else 8)
    assert found.value == pytest.approx(moment / MODULUS, rel=1e-5)
    # the largest of a parabola is found to the distance of the places that are looked at, 1/256 of an element
    assert found.place[0] == pytest.approx(0.0 if clamped else LENGTH / 2, abs=LENGTH / divisions / 256)


@pytest.mark.parametrize(("divisions", "error"), [(10, 2e-5), (20, 2e-6)])
def test_stress_of_the_elastica(divisions: int, error: float) -> None:
    """Bent by P times the distance of the tip, to the error of the tip (fourth order); stretch adds 1e-6."""
    case = load_case(example_paths()["elastica"], [f"bodies.strip.mesh.line.divisions={divisions}"])
    largest = case.analyses["bend"].run(case).stress["strip"]  # type: ignore[attr-defined]
    (reach, _), _ = elastica(10.0)
    assert largest.value == pytest.approx(10 * 2.1e11 * 0.5e-3 * reach, rel=error)
    np.testing.assert_array_equal(largest.place, 0.0)

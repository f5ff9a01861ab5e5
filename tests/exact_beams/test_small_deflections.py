"""Where deflections are small, one floating frame, several of them and exact beams are the same beam."""

import numpy as np
import pytest
from tests.exact_beams.cantilevers import CLAMP, Stiffness, beam_along, clamped, equilibria, sections, straight

from flexframe.analyses.statics.system_analysis import system_statics
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.maths.arrays import Array
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce

PROP = Stiffness(1e5, 5e4, 0.8, 1.0).property()
DIVISIONS = 8


def floating(load: float, parts: int) -> Array:
    """Tip displacement of a cantilever of EI = L = 1 under a dead force, in so many floating frames."""
    body = beam_along(straight(1.0, DIVISIONS), PROP, space="planar")
    system = System([body], [CLAMP], loads=[MarkerForce("pull", "beam.end", (0.0, load, 0.0))])
    found = system_statics(system, reductions={"beam": ReductionChoice(parts=parts)})
    frame = found.motion.body("beam")
    place = body.mesh.points[-1] + found.displacements["beam"][-1, :3]
    return np.asarray(frame.positions[0] + frame.rotations[0] @ place - body.mesh.points[-1])[:2]


def exact(load: float) -> Array:
    body = beam_along(straight(1.0, DIVISIONS), PROP, space="planar")
    found = sections(equilibria(clamped(body, [MarkerForce("pull", "beam.end", (0.0, load, 0.0))])))
    return np.asarray(found.tip - [1.0, 0.0, 0.0])[:2]


LOADS = (0.4, 0.2, 0.1)


@pytest.mark.parametrize("parts", [1, 4])
def test_floating_frames_depart_with_the_third_power_of_the_load(parts: int) -> None:
    """Their theory is of second order: across the beam they lack terms of the third power of the load.

    Each halving of the load divides by 8, to the next even power, a few per cent.
    """
    departures = np.abs([floating(load, parts)[1] - exact(load)[1] for load in LOADS])
    assert departures[0] < 1e-3 * exact(LOADS[0])[1]
    slopes = np.log2(departures[:-1] / departures[1:])
    assert slopes == pytest.approx([3.0, 3.0], abs=0.12)


def test_shortening_is_that_of_several_frames() -> None:
    """It is of second order, 3/5 w² over the length, and the same in both theories.

    Exact beams err by the fourth power of the length of elements, one element by 1/240 of the square of the load.
    """
    for load in LOADS:
        several, found = floating(load, 4)[0], exact(load)[0]
        assert found == pytest.approx(-0.6 * (load / 3) ** 2, rel=0.03)
        assert several == pytest.approx(found, abs=1.1 * load**2 / 240 / DIVISIONS**4)


def test_several_frames_are_nearer_than_one() -> None:
    """Each part bends by a fourth: its own deflection over its length, squared, is a sixteenth."""
    one, four = (abs(floating(0.4, parts)[1] - exact(0.4)[1]) for parts in (1, 4))
    assert four < one / 16

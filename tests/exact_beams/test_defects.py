"""Slender, light and driven beams: what made iterations slow or lost digits."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipk
from tests.exact_beams.cantilevers import (
    Stiffness,
    beam_along,
    clamped,
    equilibria,
    exact_system,
    sections,
    straight,
)
from tests.exact_beams.test_motions import DENSITY, LONG, ROOT, THICK, YOUNG, flap

from flexframe.analyses.campbell.system_analysis import system_campbell
from flexframe.analyses.crosscheck.system_analysis import crosscheck_dynamics
from flexframe.analyses.exact_bodies import hub_system
from flexframe.analyses.simulate import simulate
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.elements.properties import BeamProperty, Material, Rectangle
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute, Weld
from flexframe.model.supports import Clamp
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.multibody.equilibria.small_motions import light_modes

THIN = Stiffness(12e8, 6e8, 1.0, 1.0).property()  # L/h = 1e4
EXACT = ReductionChoice(exact=True)


@pytest.mark.parametrize("divisions", [16, 64])
def test_beam_that_does_not_stretch_rolls_into_a_circle_in_few_steps(divisions: int) -> None:
    """Number of steps by the length of the path, not by EA or the mesh; exact to the rounding of EA/EI = 1e9."""
    roll = MarkerForce("roll", "beam.end", moment=(0.0, 0.0, 2 * np.pi))
    path = equilibria(clamped(beam_along(straight(1.0, divisions), THIN, space="planar"), [roll]))
    assert len(path.steps) <= 24
    assert sections(path).tip == pytest.approx([0.0, 0.0, 0.0], abs=1e-7)


def test_long_steps_stay_on_the_path_of_a_column() -> None:
    """Four times the critical load, a hundredth of it across: the bent column, as loads that grow find it.

    The end angle α of the elastica without the load across: √(P/EI) L = K(sin α/2); the load across adds a part
    of the force. The straight path, on which a long step could land, is unstable.
    """
    push = MarkerForce("push", "beam.end", (-10.0, 0.1, 0.0))
    path = equilibria(clamped(beam_along(straight(1.0, 16), THIN, space="planar"), [push]))
    assert path.steps[-1].factor == 1.0
    assert not path.singular
    angle = float(brentq(lambda a: ellipk(np.sin(a / 2) ** 2) - np.sqrt(10.0), 0.1, 3.1))
    assert sections(path).turn == pytest.approx(angle, abs=0.03)


@pytest.mark.parametrize("divisions", [20])
def test_blade_without_rotary_inertia(divisions: int) -> None:
    """Flap of an Euler–Bernoulli blade at rest and at 500 rpm; 20 elements err by less than 6e-4, 40 by 1.4e-4."""
    material = Material(YOUNG, 0.325, DENSITY, idealised=True)
    prop = BeamProperty(material, Rectangle(THICK, 1.0), rotary_inertia=0.0)
    points = straight(LONG, divisions) + np.array([ROOT, 0.0, 0.0])
    body = beam_along(points, prop, space="spatial", theory="euler_bernoulli", supports=[Clamp("start")])
    speeds = np.array([0.0, 500.0]) * np.pi / 30
    found = system_campbell(hub_system(body, (0.0, 0.0, 1.0)), speeds=speeds, modes=2, reductions={"beam": EXACT})
    expected = np.array([flap(speed) for speed in speeds])
    assert found.frequencies_hz == pytest.approx(expected, rel=6e-4)


def test_light_modes_of_a_chain_with_massless_links() -> None:
    """Springs in a row, every second mass next to nothing: the modes of the chain without them, and no others.

    Two springs k with a massless point between them are one of k/2. A relative 1e-26 of the mass is below any
    rounding, and leaves the others exact.
    """
    count, k = 6, 3.0
    K = k * (2 * np.eye(2 * count) - np.eye(2 * count, k=1) - np.eye(2 * count, k=-1))
    K[-1, -1] = k
    M = np.diag([1e-26, 1.0] * count)
    whole = k / 2 * (2 * np.eye(count) - np.eye(count, k=1) - np.eye(count, k=-1))
    whole[-1, -1] = k / 2
    found = light_modes(K, M)
    assert found.values == pytest.approx(np.linalg.eigvalsh(whole), rel=1e-12)
    free = K.copy()
    free[0, 0] = k  # nothing holds the chain
    assert abs(light_modes(free, M).values[0]) <= light_modes(free, M).noise


@pytest.mark.parametrize("way", ["undeformed", "equilibrium"])
def test_beam_whose_ends_are_driven_at_different_speeds(way: str) -> None:
    """Both ends are turned apart by 1 rad in 1 s: ½ EI κ² L is stored, but for a little vibration."""
    body = beam_along(straight(1.0, 8), Stiffness(1e3, 500.0, 0.8, 1.0).property(), space="planar")
    system = System(
        [body],
        [Revolute("root", "ground", "beam.start")],
        [AngleDrive("one", "ground", "beam.start", "0.5*t"), AngleDrive("other", "ground", "beam.end", "-0.5*t")],
    )
    found = simulate(
        system, duration=1.0, samples=3, step=5e-3, reductions={"beam": EXACT}, initial_deformation=way
    )
    assert found.energies["strain"] == pytest.approx([0.0, 0.125, 0.5], abs=2e-3)


def test_crosscheck_names_bodies_and_starts_loaded() -> None:
    """A hanging beam, soft enough to stretch: described bodies are listed, and the start has no acceleration."""
    body = beam_along(
        straight(1.0, 3, (0.0, -1.0, 0.0)), Stiffness(100.0, 50.0, 0.8, 1.0).property(), space="planar"
    )
    system = exact_system(System([body], [Weld("root", "ground", "beam.start")], loads=[SystemGravity()]))
    found = crosscheck_dynamics(system, duration=1e-3)
    assert found.agrees
    assert dict(found.bodies) == {"beam": 9}
    assert any("1 bodies" in words or "beam (3 exact beams)" in words for words in found.compared)

"""Small motions of exact beams about an equilibrium on a known frame: modes, frequency response, stability."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.exact_beams.cantilevers import Stiffness, beam_along, straight

from flexframe.analyses.campbell.system_analysis import system_campbell
from flexframe.analyses.exact_bodies import hub_system
from flexframe.analyses.frequency_response.analysis import frequency_response
from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.stability.analysis import stability
from flexframe.analyses.stability.body_cycle import BodyCycle, Excitation, PeriodicForce
from flexframe.analyses.stability.exact_cycle import ExactBodyCycle
from flexframe.analyses.statics.system_analysis import system_statics
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.assembly.discrete import ensure_discrete
from flexframe.cases.case import CaseError, load_case
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.model.body import Body, Damping
from flexframe.model.joints import Weld
from flexframe.model.loads import NodeForce
from flexframe.model.supports import Clamp
from flexframe.model.system import Space, System
from flexframe.model.system_loads import BodyLoads
from flexframe.motion.frame import REST, FrameMotion
from flexframe.multibody.equilibria.known_frame import deformed_body
from flexframe.sensors import DofSensor
from flexframe.spectra.rotation.harmonic_loads import HarmonicForce

SPACES: tuple[Space, Space] = ("planar", "spatial")
STRIP = Stiffness(1e6, 5e5, 1.5, 1.0, 2.0).property()  # EI 1 and 2 N m², 1 kg/m
EXACT = ReductionChoice(exact=True)


def cantilever(divisions: int, space: Space = "planar", force: tuple[float, ...] = ()) -> Body:
    loads = [NodeForce("end", (*force, 0.0, 0.0)[:3])] if force else []
    return beam_along(straight(1.0, divisions), STRIP, space=space, supports=[Clamp("start")], loads=loads)


@pytest.mark.parametrize("space", SPACES)
def test_modes_under_small_loads_are_those_of_the_small_deflection_body(space: Space) -> None:
    """A dead axial force changes ω² in proportion in both theories, and they are the same there.

    Both meshes err by the fourth power of the element length: with 16 elements less than 1e-4 of a frequency; what
    the force changes, 10 % of its critical size π²/4, agrees to that part of the change.
    """
    for force in (-0.25, 0.25):
        loaded = cantilever(16, space, (force, 0.0))
        found, small = (modes(loaded, count=3, exact=exact).frequencies_hz for exact in (True, False))
        assert found == pytest.approx(small, rel=3e-4)
        still = [modes(cantilever(16, space), count=1, exact=exact).frequencies_hz[0] for exact in (True, False)]
        change = found[0] ** 2 - still[0] ** 2
        assert change == pytest.approx(small[0] ** 2 - still[1] ** 2, rel=1e-3)


def test_frequencies_of_a_strip_bent_far() -> None:
    """P L²/EI = 5 across: modes of the body, and eigenvalues of the tangent that statics of a system finds.

    The two are made differently (supports in a frame, constraints and multipliers). Small deflections across would
    not change the first frequency.
    """
    body = cantilever(10, "planar", (0.0, 5.0))
    found = modes(body, count=4, exact=True)
    alone = replace(body, supports=())
    loads = [BodyLoads("dead", "beam", axes="space")]
    rested = system_statics(
        System([alone], [Weld("root", "ground", "beam.start")], loads=loads), reductions={"beam": EXACT}
    )
    expected = np.sqrt(np.sort(rested.eigenvalues.real)[:4]) / (2 * np.pi)
    # both tangents have differences of stride 1e-6 for what is not elastic
    assert found.frequencies_hz == pytest.approx(expected, rel=1e-7)
    small = modes(body, count=1).frequencies_hz[0]
    assert abs(found.frequencies_hz[0] / small - 1) > 0.02
    tip = found.mesh.points[-1] - body.mesh.points[-1]  # drawn where it is
    assert tip[:2] == pytest.approx([-0.38763, 0.71379], abs=2e-4)  # by elliptic integrals, to the mesh


def test_damping_by_stiffness_is_in_the_tangent() -> None:
    """Without load C = β K, so that every mode decays with β ω²/2."""
    beta = 1e-3
    body = replace(cantilever(8, "spatial"), damping=Damping(stiffness=beta))
    found = modes(body, count=4, exact=True)
    omega = np.abs(found.eigenvalues)
    assert -found.eigenvalues.real == pytest.approx(beta * omega**2 / 2, rel=1e-6)


@pytest.mark.parametrize("speed", [0.0, 4.0, 12.0])
def test_rotating_beam_against_wright_smith_thresher_and_wang(speed: float) -> None:
    """Clamped at the axis, EI = ρA = L = 1: first two flap frequencies (Wright et al. 1982, γ = 0, 4, 12).

    Printed with five digits; eight and sixteen elements and extrapolation of order 4 leave less than 2e-4.
    """
    printed = {0.0: (3.5160, 22.0345), 4.0: (5.5850, 24.2734), 12.0: (13.1702, 37.6031)}[speed]
    thin = Stiffness(1e8, 5e7, 1.5, 1.0, 400.0).property()  # soft out of the plane of rotation, stiff in it
    values = []
    for divisions in (8, 16):
        body = beam_along(straight(1.0, divisions), thin, space="spatial", supports=[Clamp("start")])
        # local z is the body's z, so that EI = 1 bends in the x-y plane: spin about y makes that the flap
        found = modes(body, FrameMotion.spin(speed, (0.0, 1.0, 0.0)), count=2, exact=True)
        values.append(np.abs(found.eigenvalues.imag))
    assert values[1] + (values[1] - values[0]) / 15 == pytest.approx(printed, rel=2e-4)


def test_modes_on_a_spinning_frame_are_those_of_the_diagram_of_a_system() -> None:
    """With gyroscopic terms: a beam beside the radius, which its spin bends by a tenth of a radian and more."""
    points = straight(1.0, 6, (0.6, 0.8, 0.0)) + np.array([0.0, -0.5, 0.0])
    body = beam_along(points, STRIP, space="spatial", supports=[Clamp("start")])
    speed = 3.0
    found = modes(body, FrameMotion.spin(speed), count=3, exact=True)
    diagram = system_campbell(hub_system(body, (0.0, 0.0, 1.0)), [speed], modes=3, reductions={"beam": EXACT})
    assert np.abs(found.mesh.points - points).max() > 0.05
    assert found.frequencies_hz == pytest.approx(diagram.frequencies_hz[0], rel=1e-6)


@pytest.mark.parametrize("speed", [0.0, 3.0])
def test_frequency_response_is_that_of_the_small_deflection_body(speed: float) -> None:
    """Between and at resonances of a damped strip without load: the two meshes differ as their frequencies do."""
    body = replace(cantilever(16), damping=Damping(stiffness=2e-3))
    found, small = (_response(body, FrameMotion.spin(speed), exact=exact) for exact in (True, False))
    assert found == pytest.approx(small, abs=2e-3 * np.abs(small).max())


def test_slow_response_of_a_bent_strip_is_its_tangent() -> None:
    """At 1e-4 of its frequency a force across it moves the tip as statics of two loads do, by their difference."""
    amplitude = _response(cantilever(10, "planar", (0.0, 5.0)), REST, exact=True, frequencies=[1e-4])[0]
    tips = [
        deformed_body(ensure_discrete(cantilever(10, "planar", (0.0, 5.0 + change))), REST).displacements[-1, 1]
        for change in (0.01, -0.01)
    ]
    assert amplitude.real == pytest.approx((tips[0] - tips[1]) / 0.02, rel=1e-4)  # third derivative times 1e-4/6


def _response(body: Body, motion: FrameMotion, *, exact: bool, frequencies: list[float] | None = None) -> Array:
    found = frequency_response(
        body,
        motion,
        frequencies or np.linspace(0.05, 4.0, 25),
        [HarmonicForce("end", (0.0, 1.0, 0.0))],
        {"tip": DofSensor("end", "uy")},
        exact=exact,
    )
    return np.asarray(found.curves["tip"].values)


def test_parametric_resonance_is_that_of_the_small_deflection_body() -> None:
    """A column under a pulsating axial force at twice its frequency: multipliers of both theories."""
    body = cantilever(8)
    omega = 2 * np.pi * modes(body, count=1).frequencies_hz[0]

    def pulse(_: object) -> Excitation:
        force = PeriodicForce("end", lambda t: np.outer(np.cos(2 * omega * t), [0.5, 0.0, 0.0]))
        return Excitation(np.pi / omega, forces=[force])

    small = stability(BodyCycle(body, pulse, 2), check_modes=False)
    found = stability(ExactBodyCycle(ensure_discrete(body), pulse, 2), check_modes=False)
    assert not found.stable
    # the strain of 5e-7 and the mesh change the first multipliers by 1e-4 at most
    assert found.multipliers[0] == pytest.approx(small.multipliers[0], rel=2e-4)


def test_a_cycle_that_sweeps_the_body_is_refused() -> None:
    def sweep(_: object) -> Excitation:
        force = PeriodicForce("end", lambda t: np.outer(np.cos(2 * np.pi * t), [0.0, 1.0, 0.0]))
        return Excitation(1.0, forces=[force])

    with pytest.raises(AnalysisError, match="run a transient"):
        stability(ExactBodyCycle(ensure_discrete(cantilever(6)), sweep, 2), check_modes=False)


def test_column_beyond_its_critical_load_is_found_where_it_bends() -> None:
    """Dead load of four times π²EI/4L² with a thousandth across: the bent equilibrium is stable."""
    found = modes(cantilever(12, "planar", (-10.0, 0.01)), count=1, exact=True)
    assert found.eigenvalues[0].real == pytest.approx(0.0, abs=1e-6)
    assert np.linalg.norm(found.mesh.points[-1] - [1.0, 0.0, 0.0]) > 1.0


CASE = """
title: strip
bodies:
  strip:
    mesh: {line: {length: 1 m, divisions: 4}}
    material: steel
    section: {rectangle: {width: 20 mm, height: 5 mm}}
    supports: [{clamp: start}]
    reduction: exact
analyses:
  asked: ANALYSIS
"""


@pytest.mark.parametrize(
    ("analysis", "words"),
    [
        ("{kind: statics}", "make a system"),
        ("{kind: transient, duration: 1 s}", "make a system"),
        ("{kind: matrices}", "make a system"),
        ("{kind: modes, terms: {coriolis: 0}}", "leave multipliers"),
        ("{kind: modes, formalism: kane}", "leave the formalism out"),
        ("{kind: stability, speed: 100 rpm}", "leave reduction: exact out"),
        ("{kind: campbell, speeds: {start: 0, end: 10, count: 3}, frame: inertial}", "leave frame out"),
    ],
)
def test_what_cannot_take_exact_beams_says_so_at_check(tmp_path: Path, analysis: str, words: str) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(CASE.replace("ANALYSIS", analysis))
    with pytest.raises((CaseError, InputError), match=words):
        case = load_case(path)
        case.analyses["asked"].check(case)


def test_a_loose_body_under_load_is_refused() -> None:
    body = replace(cantilever(4, "planar", (0.0, 1.0)), supports=())
    with pytest.raises(InputError, match="supports"):
        modes(body, exact=True)
    free = modes(replace(body, loads=()), count=4, exact=True)
    assert free.frequencies_hz[:3] == pytest.approx(0.0, abs=1e-6)
    # 22.3733 √(EI/ρA)/2π, to the mesh of four elements
    assert free.frequencies_hz[3] == pytest.approx(22.3733 / (2 * np.pi), rel=0.01)

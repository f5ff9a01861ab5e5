"""Harmonic response: closed forms of a mass on springs, both frames, and the basis against direct solutions."""

from dataclasses import replace

import numpy as np
import pytest

from flexframe.analyses.frequency_response.analysis import frequency_response
from flexframe.analyses.frequency_response.unbalance import unbalance_response
from flexframe.elements.properties import STEEL, Rectangle
from flexframe.errors import AnalysisError, InputError
from flexframe.mesh.builders import annulus
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body, Damping
from flexframe.model.supports import Clamp
from flexframe.motion.frame import REST, FrameMotion
from flexframe.sensors import DofSensor
from flexframe.spectra.rotation.harmonic_loads import HarmonicForce, Unbalance, WhirlingForce

from .rotors import AXIS, MASS, TURN, point_rotor

W0 = TURN * 10.0
ZETA = 0.05
OUTER = 2 * ZETA * MASS * W0  # damping in space
Y, Z = {"y": DofSensor("start", "uy")}, {"z": DofSensor("start", "uz")}


def test_unbalance_of_a_jeffcott_rotor() -> None:
    """(e r²)/(1 − r² + 2iζr), the angle lagging behind the unbalance: exact to rounding."""
    speeds = W0 * np.linspace(0.05, 3.0, 60)
    eccentricity = 1e-3
    found = unbalance_response(
        point_rotor(10.0),
        speeds,
        [Unbalance("all", MASS * eccentricity / 2, angle=0.4)],
        {"disc": DofSensor("start")},
        axis=AXIS,
        bearings=[Bearing("all", damping=OUTER / 2)],
    )
    r = speeds / W0
    expected = eccentricity * np.exp(0.4j) * r**2 / (1 - r**2 + 2j * ZETA * r)
    assert found.curves["disc"].values == pytest.approx(expected, rel=1e-10)
    assert found.over == "speed" and "speeds_rad_s" in found.summary()


@pytest.mark.parametrize("whirl", ["forward", "backward"])
def test_force_that_turns_in_space(whirl: str) -> None:
    """m ζ̈ + c_e ζ̇ + c_i(ζ̇ − iΩζ) + kζ = F e^{±iωt}, seen from the rotor at ω ∓ Ω; Ω = 0.7 ω₀, c_i = 3 N s/m."""
    inner, speed = 3.0, 0.7 * W0
    omega = W0 * np.array([0.3, 0.9, 1.0, 1.5])
    found = frequency_response(
        point_rotor(10.0, damping=inner),
        FrameMotion.spin(speed, AXIS),
        omega / TURN,
        [WhirlingForce("all", 5.0, whirl)],
        Y | Z,
        bearings=[Bearing("all", damping=OUTER / 2)],
    )
    sense = 1 if whirl == "forward" else -1
    rate = 1j * sense * omega
    answer = 10.0 / (MASS * rate**2 + OUTER * rate + inner * (rate - 1j * speed) + MASS * W0**2)
    # a backward circle is the conjugate: u = Re[û e^{i(ω + Ω)t}] = Re[ζ e^{−i…}]
    expected = answer if sense > 0 else answer.conj()
    assert found.curves["y"].values == pytest.approx(expected, rel=1e-10)
    assert found.curves["z"].values == pytest.approx(-1j * sense * expected, rel=1e-10)
    assert found.frame == "rotating"


def test_force_in_body_axes_splits_into_both_whirls() -> None:
    """Along y on the rotor: resonances at 10 ∓ Ω, by the 2 × 2 equations of the turning frame."""
    speed = 0.3 * W0
    frequencies = np.linspace(1.0, 20.0, 39)
    found = frequency_response(
        point_rotor(10.0),
        FrameMotion.spin(speed, AXIS),
        frequencies,
        [HarmonicForce("all", (0.0, 2.0, 0.0), phase=0.3)],
        Y | Z,
        bearings=[Bearing("all", damping=OUTER / 2)],
    )
    turn = np.array([[0, -1], [1, 0]])
    for k, omega in enumerate(TURN * frequencies):
        K = (W0**2 - speed**2 - omega**2) * np.eye(2) + 2j * omega * speed * turn
        K = MASS * K + OUTER * (1j * omega * np.eye(2) + speed * turn)
        expected = np.linalg.solve(K, [4.0 * np.exp(0.3j), 0])
        values = [found.curves[name].values[k] for name in ("y", "z")]
        assert values == pytest.approx(expected, rel=1e-10, abs=1e-12 * np.abs(expected).max())
    assert found.abscissa[found.snapshots] == pytest.approx([7.0, 13.0], abs=0.5)


@pytest.mark.parametrize("supported", [True, False], ids=["held", "free"])
def test_basis_and_direct_solution_agree(supported: bool) -> None:
    """A damped spinning plate through five resonances; residuals within 1e-6 of the answer in energy."""
    mesh = annulus(0.05, 0.3, (4, 20))
    body = Body.plane(
        "disc", mesh, material=STEEL, thickness=0.01, supports=(Clamp("inner"),) if supported else ()
    )
    arguments = (
        replace(body, damping=Damping(mass=50.0, stiffness=1e-7)),
        FrameMotion.spin(TURN * 100),
        np.linspace(300.0, 6000.0, 58),
        [HarmonicForce((0.3, 0.0, 0.0), (1.0, 0.5, 0.0))],
        {"x": DofSensor((0.3, 0.0, 0.0), "ux"), "far": DofSensor((-0.3, 0.0, 0.0), "uy")},
    )
    direct = frequency_response(*arguments, method="direct")
    reduced = frequency_response(*arguments, method="modal", modes=20)
    assert "projection" in reduced.method and reduced.error <= 1e-6
    for name, curve in direct.curves.items():
        other = reduced.curves[name].values
        assert np.abs(other - curve.values).max() < 1e-5 * curve.amplitude.max()
    assert not reduced.notices


def test_static_correction_matters() -> None:
    """Far below the first resonance the answer is the static one, F L³/3EI + FL/κGA of a cantilever."""
    section = Rectangle(0.02, 0.01)
    body = Body.beam(
        "blade",
        length=1.0,
        divisions=40,
        section=section,
        material=STEEL,
        supports=(Clamp("start"),),
        space="spatial",
    )
    force = [HarmonicForce("end", (0.0, 0.0, 1.0))]
    found = frequency_response(
        body, REST, [0.0, 1e-3], force, {"tip": DofSensor("end", "uz")}, method="modal", modes=3
    )
    shear = 1 / (5 / 6 * STEEL.young / (2 * (1 + STEEL.poisson)) * section.area)
    expected = 1 / (3 * STEEL.young * section.inertia_y) + shear
    assert found.curves["tip"].values == pytest.approx([expected] * 2, rel=1e-6)
    assert found.frame == "fixed"


def test_undamped_resonance_is_refused() -> None:
    with pytest.raises(AnalysisError, match="add damping"):
        frequency_response(point_rotor(10.0), REST, [10.0], [HarmonicForce("all", (0, 1, 0))], Y, method="direct")


@pytest.mark.parametrize(
    ("loads", "frequencies", "message"),
    [
        ([], [1.0], "no load"),
        ([HarmonicForce("all", (0, 1, 0)), WhirlingForce("all", 1.0)], [1.0], "two analyses"),
        ([WhirlingForce("all", 1.0), WhirlingForce("all", 1.0, "backward")], [1.0], "two analyses"),
        ([HarmonicForce("all", (0, 1, 0))], [2.0, 1.0], "do not increase"),
        ([HarmonicForce("all", (0, 1, 0))], [-1.0], "from zero up"),
    ],
)
def test_refusals(loads: list, frequencies: list, message: str) -> None:
    with pytest.raises(InputError, match=message):
        frequency_response(point_rotor(10.0), FrameMotion.spin(3.0, AXIS), frequencies, loads, Y)

"""Diagrams in axes of space: round shafts in bearings that differ in two directions."""

import numpy as np
import pytest

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.analyses.frequency_response.unbalance import unbalance_response
from flexframe.errors import InputError
from flexframe.model.bearings import Bearing
from flexframe.sensors import DofSensor
from flexframe.spectra.rotation.harmonic_loads import Unbalance

from .rotors import AXIS, MASS, TURN, point_rotor, rayleigh_shaft, shaft

K = MASS * (TURN * 10.0) ** 2


def test_mass_on_unequal_springs() -> None:
    """Nothing depends on the speed: √(k₁/m) and √(k₂/m) are the frequencies and the critical speeds."""
    turns = np.array([0.0, 5.0, 20.0])
    bearings = [Bearing("all", stiffness=(0.22 * K, 0.48 * K))]
    diagram = campbell_diagram(
        point_rotor(10.0),
        TURN * turns,
        modes=2,
        axis=AXIS,
        bearings=bearings,
        frame="inertial",
        engine_orders=(1,),
    )
    exact = 10 * np.sqrt([1.44, 1.96])
    assert diagram.frequencies_hz == pytest.approx(np.tile(exact, (3, 1)), rel=1e-9)
    assert diagram.critical_speeds_rad_s == pytest.approx(TURN * exact, rel=1e-9)
    assert diagram.frame == diagram.summary()["frame"] == "inertial"
    assert {c.excited_by for c in diagram.critical_speeds} == {"unbalance"}


def test_internal_damping_in_unequal_bearings() -> None:
    """m r̈ + (c_e + c_i)ṙ + K r − c_iΩJr = 0 in closed form; unstable where (c_iΩ/m)² > δ² + s²κ."""
    inner, outer = 4.0, 1.0
    turns = np.linspace(10.0, 45.0, 8)
    diagram = campbell_diagram(
        point_rotor(10.0, damping=inner),
        TURN * turns,
        modes=2,
        axis=AXIS,
        bearings=[Bearing("all", stiffness=(0.05 * K, 0.15 * K), damping=outer / 2)],
        frame="inertial",
        engine_orders=(),
    )
    J = np.array([[0.0, -1.0], [1.0, 0.0]])
    for k, speed in enumerate(diagram.speeds):
        stiffness = (np.diag([1.1 * K, 1.3 * K]) - inner * speed * J) / MASS
        A = np.block([[np.zeros((2, 2)), np.eye(2)], [-stiffness, -(inner + outer) / MASS * np.eye(2)]])
        expected = np.linalg.eigvals(A)
        expected = expected[expected.imag > 0]
        for value in expected:
            assert np.abs(diagram.eigenvalues[k] - value).min() < 1e-8 * abs(value)
    s, kappa, delta = (inner + outer) / MASS, 1.2 * K / MASS, 0.1 * K / MASS
    threshold = MASS / inner * np.sqrt(delta**2 + s**2 * kappa)
    assert diagram.stability_limits == pytest.approx([threshold], rel=1e-8)


def test_gyroscopic_shaft() -> None:
    """Simply supported Rayleigh shaft: (ρA + ρIk²)ω² ∓ 2ρIk²Ωω = EIk⁴; 16 elements give 1e-5 for two waves."""
    speed = 800.0
    diagram = campbell_diagram(shaft(), [speed], modes=4, axis=AXIS, frame="inertial", engine_orders=())
    expected = sorted(f for n in (1, 2) for f in rayleigh_shaft(n, speed))
    assert TURN * np.sort(diagram.frequencies_hz[0]) == pytest.approx(expected, rel=2e-5)
    assert diagram.whirl is not None
    found = dict(zip(diagram.whirl, diagram.frequencies_hz[0], strict=True))
    forward, backward = rayleigh_shaft(2, speed)
    assert found["forward"] > found["backward"] and forward > backward


def test_same_as_the_turning_frame() -> None:
    """Equal bearings: the frequencies in space that the turning frame finds by its waves, to rounding."""
    bearings = [Bearing("all", stiffness=0.02 * K)]
    space, turning = (
        campbell_diagram(shaft(8), [300.0], modes=4, axis=AXIS, bearings=bearings, frame=frame, engine_orders=())
        for frame in ("inertial", "rotating")
    )
    assert turning.inertial_frequencies_hz is not None
    assert np.sort(space.frequencies_hz[0]) == pytest.approx(np.sort(turning.inertial_frequencies_hz[0]), rel=1e-8)


def test_bodies_that_are_not_round_are_refused() -> None:
    with pytest.raises(InputError, match="not round"):
        campbell_diagram(point_rotor(8.0, 12.0), [10.0], axis=AXIS, frame="inertial")
    with pytest.raises(InputError, match="off the spin axis"):
        campbell_diagram(point_rotor(8.0), [10.0], axis=(0, 0, 1), frame="inertial")


def test_unbalance_in_unequal_bearings() -> None:
    """Ellipses: x = mΩ²e/(k₁ − MΩ² + icΩ), y = −i mΩ²e/(k₂ − MΩ² + icΩ); backward between the critical speeds."""
    moment, damping, turns = 2e-3, 5.0, np.array([4.0, 11.0, 13.0, 18.0])
    k = K * np.array([1.44, 1.96])
    found = unbalance_response(
        point_rotor(10.0),
        TURN * turns,
        [Unbalance("all", moment / 2, 0.3)],
        {"disc": DofSensor("start")},
        axis=AXIS,
        bearings=[Bearing("all", stiffness=(0.22 * K, 0.48 * K), damping=damping / 2)],
    )
    omega = TURN * turns
    force = moment * omega**2 * np.exp(0.3j)
    x = force / (k[0] - MASS * omega**2 + 1j * damping * omega)
    y = -1j * force / (k[1] - MASS * omega**2 + 1j * damping * omega)
    assert found.curves["disc along e1"].values == pytest.approx(x, rel=1e-9)
    assert found.curves["disc along e2"].values == pytest.approx(y, rel=1e-9)
    assert found.frame == "inertial"
    turning = np.sign((x * y.conj()).imag)
    assert turning.tolist() == [1, 1, -1, 1]  # 13 turns/s lies between 12 and 14

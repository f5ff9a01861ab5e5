"""Shafts about their own axis and blades about an axis across: exact and published figures along the speed."""

import numpy as np
import pytest

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import STEEL, Rectangle
from flexframe.model.body import Body
from flexframe.model.supports import Clamp, Fix

from .rotors import AXIS, TURN, rayleigh_critical, rayleigh_shaft, shaft

# A cubic element of length h raises the frequency of a bending wave sin kx by the part (kh)⁴/1440.
DIVISIONS = 16
MESH = (np.arange(1, 4) * np.pi / DIVISIONS) ** 4 / 1440


def test_rayleigh_shaft_in_space() -> None:
    """Forward and backward whirl of three bending orders over the speed, exact; errors are those of the mesh.

    In space f is the small difference of the frequency on the shaft and Ω, both without error but for f's own.
    """
    speeds = np.linspace(0.0, 3000.0, 13)
    diagram = campbell_diagram(discretise(shaft(DIVISIONS)), speeds, modes=6, axis=AXIS)
    exact = np.array([[rayleigh_shaft(n, speed) for n in (1, 2, 3)] for speed in speeds]) / TURN
    found = diagram.inertial_frequencies_hz
    for n in range(3):
        for wave, column in (("forward", 0), ("backward", 1)):
            near = np.abs(found[-1] - exact[-1, n, column])
            b = int(np.argmin(np.where([w == wave for w in diagram.whirl], near, np.inf)))
            known = np.isfinite(found[:, b])
            assert known.sum() >= 10
            assert found[known, b] == pytest.approx(exact[known, n, column], rel=1.3 * MESH[n] + 1e-8)
            assert diagram.nodal_diameters[b] == 1


def test_rayleigh_shaft_published() -> None:
    """Ω 3000 rad/s: forward 102.215419, backward 100.745065 Hz in space; 24 elements leave (πh)⁴/1440 = 2e-7."""
    diagram = campbell_diagram(shaft(24), [3000.0], modes=8, axis=AXIS)
    seen = diagram.inertial_frequencies_hz[0]
    for wave, expected in (("forward", 102.215419), ("backward", 100.745065)):
        of_wave = [f for f, word in zip(seen, diagram.whirl, strict=True) if word == wave]
        assert min(of_wave) == pytest.approx(expected, rel=3e-7)


def test_critical_speeds_of_a_rayleigh_shaft() -> None:
    """Ω_c of forward whirl (an unbalance) and of backward whirl (twice the speed on the shaft), exact.

    The error of Ω_c is that of the frequency, the mesh's.
    """
    body = discretise(shaft(DIVISIONS))
    diagram = campbell_diagram(body, np.linspace(0.0, 2700.0, 10), modes=8, axis=AXIS, engine_orders=(2,))
    forward = [rayleigh_critical(n, -1) for n in (1, 2)]
    assert diagram.critical_speeds_rad_s[:2] == pytest.approx(forward, rel=1.3 * MESH[1])
    backward = [
        c
        for c in diagram.critical_speeds
        if c.engine_order == 2 and abs(c.frequency_hz / c.inertial_frequency_hz - 2) < 1e-9
    ]
    assert [c.speed_rad_s for c in backward][:2] == pytest.approx(
        [rayleigh_critical(n, 3) for n in (1, 2)], rel=1.3 * MESH[1]
    )
    assert not any(c.excited_by for c in backward)
    # a critical speed is where the frequency on the shaft is zero: K(Ω) is singular there
    at_critical = campbell_diagram(body, [diagram.critical_speeds_rad_s[0]], modes=2, axis=AXIS)
    assert np.nanmin(at_critical.frequencies_hz) < 1e-4  # a double zero, split by rounding to its square root


_WRIGHT = {
    2.0: (4.137320, 22.614922, 62.273184),
    4.0: (5.585001, 24.273349, 63.966761),
    8.0: (9.256838, 29.995382, 70.292962),
    12.0: (13.170151, 37.603112, 79.614479),
}


def test_flap_and_lag_of_a_blade() -> None:
    """Wright 1982 along γ; lag² = flap² − γ². 40 elements and slenderness 1e5 leave 1e-5, as in `verify`.

    First flap and second lag and so on cross nowhere; flap and lag start in pairs and part.
    """
    side = float(np.sqrt(12)) / 1e5
    section = Rectangle(side, side)
    body = Body.beam(
        "blade",
        length=1.0,
        divisions=40,
        section=section,
        material=STEEL,
        theory="euler_bernoulli",
        rotary_inertia=0.0,
        supports=(Clamp("start"), Fix("all", ("rx",))),
        space="spatial",
    )
    scale = np.sqrt(STEEL.young * section.inertia_z / (STEEL.density * section.area))
    diagram = campbell_diagram(body, scale * np.linspace(0.0, 12.0, 13), modes=6, engine_orders=(1,))
    frequencies = TURN * diagram.frequencies_hz / scale
    flap = [b for b, label in enumerate(diagram.labels) if label == "flap"]
    lag = [b for b, label in enumerate(diagram.labels) if label == "lag"]
    assert (len(flap), len(lag)) == (3, 3)
    for gamma, values in _WRIGHT.items():
        row = frequencies[int(gamma)]
        assert row[flap] == pytest.approx(values, rel=1e-5)
        assert row[lag] == pytest.approx(np.sqrt(np.array(values) ** 2 - gamma**2), rel=1e-5)
    assert diagram.nodal_diameters is None and diagram.whirl is None
    # lag² = flap² − γ² < γ² nowhere between 0 and 12: first flap and once per turn do not meet, first lag does
    (crossing,) = [c for c in diagram.critical_speeds if c.engine_order == 1]
    gamma = crossing.speed_rad_s / scale
    first_lag = np.interp(gamma, np.arange(13), frequencies[:, lag[0]])
    assert gamma == pytest.approx(first_lag, rel=2e-3)  # linear between speeds of the diagram

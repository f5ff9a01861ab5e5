"""Elastic response along the motion of a mechanism: against independent integrations and reference figures."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexframe as ff
from flexframe.analyses.elastic_response.analysis import elastic_response
from flexframe.equations.coefficients import Terms
from flexframe.model.system_loads import SystemGravity
from flexframe.sensors import DofSensor

from .links import PINNED, TURN, slider_crank

MIDDLE = {"middle": DofSensor((0.15, 0.0))}
# rigid crank, rod and slider coupled both ways: midpoint deflection over length in the first turn
MAXIMUM, MINIMUM = (0.005471, 3.92e-3), (-0.006233, 35.92e-3)
EIGHTHS = (0.004442, 0.001564, -0.000264, -0.001096, -0.001869, -0.003515, -0.005735, 0.000044)


@cache
def rod(method="gauss", steps=720, **options):
    system = slider_crank(supports=PINNED, theory=options.pop("theory", "timoshenko"))
    return elastic_response(
        system, duration=TURN, steps=steps, body="rod", method=method, sensors=MIDDLE, modes=4, **options
    )


def rod_by_hand(modes=3):
    """Galerkin with sines in the frame of the rod, written down from the closed kinematics of the slider-crank.

    ρA(ẅ + a_y + ε x − ω² w) + EI w⁗ − (N w')' = 0, with the tension N(x) of slider and rod ahead of x; no shear,
    no stretching.
    """
    r, L, speed, A = 0.15, 0.3, 150.0, 64e-6
    rho, EI, slider = 7870.0, 2e11 * 0.008**4 / 12, 0.075552
    x = np.linspace(0, L, 201)
    weights = np.full(201, L / 200)
    weights[[0, -1]] /= 2  # trapezoid: exact to 1e-9 for products of sines with few half waves and polynomials
    n = np.arange(1, modes + 1)
    phi, slope = np.sin(np.outer(n, np.pi * x / L)), (n * np.pi / L)[:, None] * np.cos(np.outer(n, np.pi * x / L))
    mass = rho * A * L / 2
    elastic = EI * (n * np.pi / L) ** 4 * L / 2

    def parts(t):
        theta = speed * t
        sine = -r / L * np.sin(theta)
        beta = np.arcsin(sine)
        rate = -r / L * speed * np.cos(theta) / np.cos(beta)
        second = (r / L * speed**2 * np.sin(theta) + rate**2 * np.sin(beta)) / np.cos(beta)
        origin = -r * speed**2 * np.exp(1j * theta)  # acceleration of B
        local = origin * np.exp(-1j * beta)
        end = local + L * (1j * second - rate**2)
        carried = (end * np.exp(1j * beta)).real * slider  # along the guide
        # across the guide: moment of the rod about B
        inertia = rho * A * (L**2 / 2 * local.imag + L**3 / 3 * second)
        # force P of the slider on the rod at C: Re(P) = −m a, moment L (P × axis) makes up for the inertia
        along = -carried
        across = (inertia / L + along * np.sin(beta)) / np.cos(beta)
        tension = (along + 1j * across) * np.exp(-1j * beta)
        ahead = L - x
        N = tension.real - rho * A * (local.real * ahead - rate**2 * (L**2 - x**2) / 2)
        K = np.diag(elastic - rate**2 * mass) + (slope * (N * weights)) @ slope.T
        f = -rho * A * (phi * weights) @ (local.imag + second * x)
        return K, f

    def right(t, state):
        K, f = parts(t)
        return np.concatenate([state[modes:], (f - K @ state[:modes]) / mass])

    times = np.linspace(0, TURN, 145)
    solution = solve_ivp(
        right, (0, TURN), np.zeros(2 * modes), t_eval=times, method="DOP853", rtol=1e-9, atol=1e-12
    )
    return times, solution.y[:modes].T @ np.sin(n * np.pi / 2)


def test_against_an_independent_integration():
    """What the sines leave out: rotary inertia, and the coupling with stretching by Coriolis forces: 1e-3."""
    times, by_hand = rod_by_hand()
    record = rod(theory="euler_bernoulli")
    ours = np.interp(times, record.times, record.sensors["middle"].values)
    assert np.abs(ours - by_hand).max() < 3e-3 * np.abs(by_hand).max()


def test_physical_reference():
    """Rod alone (one way) against rod and slider solved together: extremes to 1e-3, the path to 3 % of its peak,
    because the frequency is shifted a little by large deflections (amplitude 0.6 % of the length)."""
    deflection = rod().sensors["middle"].values / 0.3
    times = rod().times
    assert deflection.max() == pytest.approx(MAXIMUM[0], rel=1e-3)
    assert times[np.argmax(deflection)] == pytest.approx(MAXIMUM[1], abs=0.1e-3)
    assert deflection.min() == pytest.approx(MINIMUM[0], rel=1e-3)
    assert times[np.argmin(deflection)] == pytest.approx(MINIMUM[1], abs=0.2e-3)
    at_eighths = np.interp(np.arange(1, 9) * TURN / 8, times, deflection)
    np.testing.assert_allclose(at_eighths, EIGHTHS, atol=0.03 * 0.006233)


def test_joined_bodies_physical_reference():
    """The slider follows the rod, joints hold the rod: the same reference; generalised-α with 400 steps."""
    record = elastic_response(slider_crank(divisions=6), duration=TURN, steps=400, sensors=MIDDLE)
    rod_motion = record.sensors["middle"].values / 0.3
    assert rod_motion.max() == pytest.approx(MAXIMUM[0], rel=5e-3)
    assert rod_motion.min() == pytest.approx(MINIMUM[0], rel=5e-3)
    assert record.constraint_residual < 1e-12
    # every body of the mechanism is in balance with the forces that include elasticity: the slider along the guide
    a = record.motion.marker("slider.C")[2][:, 0]
    force = record.joints["C"].force[:, 0]
    # the slider's own elastic acceleration makes up the difference, seen by its mean over the turn
    assert np.mean(force - 0.075552 * a) == pytest.approx(0.0, abs=2e-2 * np.abs(force).max())


def test_methods_agree():
    """Frozen in the middle of 720 steps (second order) and continuous (fourth): 1e-3 of the peak."""
    frozen, gauss = (rod(method).sensors["middle"].values for method in ("frozen", "gauss"))
    assert np.abs(frozen - gauss).max() < 1e-3 * np.abs(gauss).max()
    start = rod("frozen_start").sensors["middle"].values
    assert 1e-3 < np.abs(start - gauss).max() / np.abs(gauss).max() < 3e-2


def test_periodic_response():
    """It repeats, it is stable and undamped (multipliers on the unit circle), and its energy is in balance."""
    record = rod(periodic=True)
    assert record.periodic.residual < 1e-12
    np.testing.assert_allclose(np.abs(record.periodic.multipliers), 1.0, atol=1e-9)
    assert record.periodic.stable
    assert record.energy_drift < 1e-6
    values = record.sensors["middle"].values
    # the linkage is symmetric about the line of the slider: half a turn backwards is the mirror image
    np.testing.assert_allclose(values, -values[::-1], atol=1e-6 * np.abs(values).max())


def test_damped_start_settles_to_the_periodic_response():
    system = slider_crank(supports=PINNED)
    damped = replace(system.body("rod"), damping=ff.Damping(mass=400.0, stiffness=2e-6))
    system = replace(system, bodies=[damped if body.name == "rod" else body for body in system.bodies])
    options = {"body": "rod", "sensors": MIDDLE, "modes": 2}
    steady = elastic_response(system, duration=TURN, steps=360, periodic=True, **options)
    long = elastic_response(system, duration=2 * TURN, steps=720, **options)
    first, second = (long.sensors["middle"].values[i : i + 361] for i in (0, 360))
    repeated = steady.sensors["middle"].values
    # decay of a turn: e^(−200 × 0.042) = 2.3e-4 of the first misfit
    misfit = [np.abs(part - repeated).max() for part in (first, second)]
    assert misfit[1] < 1e-3 * misfit[0]
    # the slowest mode decays with ½(α + β ω²), ω = 2π 203 Hz
    slowest = (400 + 2e-6 * (2 * np.pi * 203) ** 2) / 2
    assert np.abs(steady.periodic.multipliers).max() == pytest.approx(np.exp(-slowest * TURN), rel=0.02)


def test_joint_forces_balance_the_momentum():
    """Forces on the rod at B and C with elasticity: over one turn of the periodic response its momentum does not
    change, so the mean of their sum vanishes (trapezoid over a period: spectral accuracy); with a reduced basis to
    what that leaves out, 1e-3."""
    for modes, tolerance in ((None, 1e-9), (4, 1e-3)):
        record = elastic_response(
            slider_crank(supports=PINNED), duration=TURN, steps=360, body="rod", periodic=True, modes=modes
        )
        total = record.joints["B"].force + record.joints["C"].force
        assert np.abs(total[:-1].mean(axis=0)).max() < tolerance * np.abs(total).max()
        # and elasticity matters
        extra = np.abs(record.joints["B"].force - record.joints["B"].rigid_force).max()
        assert extra > 5e-3 * np.abs(record.joints["B"].rigid_force).max()


def test_quasi_static_joined_bodies():
    """Without inertia of the deformation joint forces change only by the displaced geometry, u/L of them; the
    stress is that of the rigid loads: M = ∫∫ of the transverse inertia, at θ = 45° by hand."""
    record = elastic_response(slider_crank(divisions=6), duration=TURN, steps=8, sensors=MIDDLE, quasi_static=True)
    for found in record.joints.values():
        change = np.abs(found.force - found.rigid_force).max()
        assert change < 0.02 * max(np.abs(f.rigid_force).max() for f in record.joints.values())
    assert any("quasi-static" in notice for notice in record.notices)
    stiff = elastic_response(
        slider_crank(divisions=6),
        duration=TURN,
        steps=8,
        quasi_static=True,
        terms=Terms(geometric=0, centrifugal=0),
    )
    L, rho_A, EI = 0.3, 7870 * 64e-6, 2e11 * 0.008**4 / 12
    body = stiff.motion.body("rod")
    a, e = body.in_body(body.accelerations)[:, 1], body.angular_accelerations[:, 2]
    # midpoint of a pinned beam under −ρA(a + ε x): 5 q L⁴/384 EI of the mean load; shear adds 12·1.56(h/L)²/5…
    q = -rho_A * (a + e * L / 2)
    bending = 5 * q * L**4 / (384 * EI)
    shear = q * L**2 / 8 / (5 / 6 * 64e-6 * 2e11 / 2.6)
    part = stiff.displacements["rod"][:, 3, 1] - stiff.displacements["rod"][:, [0, -1], 1].mean(axis=1)
    np.testing.assert_allclose(part, bending + shear, atol=1e-3 * np.abs(bending).max())


def test_stress_maximum():
    """Largest fibre stress near the middle, when the deflection is largest: E h/2 w'' of a half sine, π²/L² w."""
    record = rod(periodic=True)
    (stress,) = record.stress
    deflection = np.abs(record.sensors["middle"].values).max()
    estimate = 2e11 * 0.004 * np.pi**2 / 0.3**2 * deflection
    # the shape is between a half sine and a static curve (48/5 instead of π²), plus the axial force over the area
    assert stress.value == pytest.approx(estimate, rel=0.08)
    assert stress.place[0] == pytest.approx(0.15, abs=0.03)
    assert stress.largest.max() == stress.value
    assert stress.measure == "fibre"
    times = record.times[np.abs(record.sensors["middle"].values) > 0.98 * deflection]
    assert np.abs(times - stress.time).min() < 1e-3


def test_gravity_at_rest_is_static_sag():
    """A crank that creeps: the periodic response of the rod under gravity is its static deflection of 5qL⁴/384EI
    where it lies horizontal (slider-crank at θ = 0), to the 1e-3 of slow motion and shear."""
    system = slider_crank(supports=PINNED, loads=(SystemGravity(),))
    slow = replace(system, drives=[replace(system.drives[0], law="0.001*t")])
    record = elastic_response(slow, duration=0.01, steps=400, body="rod", sensors=MIDDLE, modes=2)
    q = 7870 * 64e-6 * 9.81
    sag = 5 * q * 0.3**4 / (384 * 2e11 * 0.008**4 / 12)
    # released undeformed it swings to twice the static deflection: mean over one period of its first frequency
    values = record.sensors["middle"].values
    assert values.min() == pytest.approx(-2 * sag, rel=1e-2)


def test_errors():
    system, pinned = slider_crank(), slider_crank(supports=PINNED)
    for options, message in (
        ({"duration": -1.0, "steps": 10}, "positive time"),
        ({"duration": TURN, "steps": 1}, "two or more"),
        ({"duration": TURN, "steps": 10, "method": "euler"}, "method is 'euler'; give 'gauss' or 'frozen'"),
        ({"duration": TURN, "steps": 10, "periodic": True}, "single link"),
        ({"duration": TURN, "steps": 10, "sensors": {"s": DofSensor(1, body="crank")}}, "elastic body"),
        ({"duration": TURN, "steps": 10, "spectral_radius": 1.0}, "below 1"),
    ):
        with pytest.raises(ff.InputError, match=message):
            elastic_response(system, **options)
    with pytest.raises(ff.AnalysisError, match="does not repeat after"):
        elastic_response(pinned, duration=0.7 * TURN, steps=50, body="rod", periodic=True, modes=2)
    with pytest.raises(ff.InputError, match="quasi-static"):
        elastic_response(pinned, duration=TURN, steps=50, body="rod", quasi_static=True)
    with pytest.raises(ff.InputError, match="have no uz"):
        elastic_response(pinned, duration=TURN, steps=50, body="rod", sensors={"s": DofSensor(1, "uz")})


def test_coarse_steps_are_told():
    """50 steps of 0.8 ms do not resolve the rod's bending (400 Hz): ωh = 2; with 720 it is 0.15."""
    coarse, fine = rod(steps=50), rod()
    assert coarse.unresolved > 0.05 > fine.unresolved
    assert any("steps do not resolve" in notice for notice in coarse.notices)
    assert not any("steps do not resolve" in notice for notice in fine.notices)
    assert fine.energy_drift < 1e-3

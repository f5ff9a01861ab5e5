"""Steps in time: orders of convergence, exact oscillators, periodic responses."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexframe as ff
from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import Monomial, OperatingPoint
from flexframe.equations.cycle import CycleEquations
from flexframe.equations.parts import DAMPING, LOAD, MASS, STIFFNESS, Part
from flexframe.maths.arrays import Array
from flexframe.multibody.links.link import ElasticLink, given_history
from flexframe.multibody.links.steps import FrozenSteps, GaussSteps, StepMaps
from flexframe.reduction.rest_basis import RestBasis, loaded_basis

from .links import marker_load, pinned_beam

METHODS = (FrozenSteps(0.0), FrozenSteps(0.5), GaussSteps())


def _basis(equations: CycleEquations, modes: int) -> RestBasis:
    return loaded_basis(equations.stiffness, equations.mass, equations.equations.unit_loads, modes)


def oscillator(times, *, omega=3.0, decay=0.0, load=None, parametric=0.0, rate=2.0):
    """y'' + 2 decay y' + ω² (1 + parametric cos(rate t)) y = load(t), one degree of freedom."""
    t = np.asarray(times)
    f = np.zeros_like(t) if load is None else load(t)
    one = np.ones((1, 1))
    equations = AffineEquations(
        1,
        (
            Part[Array].constant("mass", MASS, one),
            Part[Array].constant("damping", DAMPING, 2 * decay * one),
            Part[Array].constant("stiffness", STIFFNESS, omega**2 * one),
            Part[Array].constant("parametric", STIFFNESS, omega**2 * one, Monomial(("cosine",))),
            Part[Array].constant("force", LOAD, np.ones(1), Monomial(("force",))),
        ),
    )
    points = OperatingPoint(amounts={"cosine": parametric * np.cos(rate * t), "force": f})
    return CycleEquations(equations, points, t)


def maps(method, end, count, make):
    h = end / count
    starts = h * np.arange(count)
    return StepMaps(method, h, tuple(make(starts + place * h) for place in method.places))


def test_constant_coefficients_are_exact():
    """The propagator of a frozen step is exact: y = (1 − cos ωt) f/ω² under a constant load, three huge steps."""
    run = maps(FrozenSteps(), 6.0, 3, lambda t: oscillator(t, load=lambda s: 0 * s + 5.0))
    y, v = run.run(np.zeros(1), np.zeros(1))
    t = np.array([0.0, 2.0, 4.0, 6.0])
    np.testing.assert_allclose(y[:, 0], (1 - np.cos(3 * t)) * 5 / 9, atol=1e-13)
    np.testing.assert_allclose(v[:, 0], np.sin(3 * t) * 5 / 3, atol=1e-13)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: f"order {m.order}")
def test_order_on_an_oscillator_with_changing_stiffness(method):
    """Against DOP853 at 1e-13; orders from halved steps near 1, 2 and 4, the next term of the error a tenth."""

    def right(t, x):
        return [x[1], -9 * (1 + 0.4 * np.cos(2 * t)) * x[0] - 0.2 * x[1] + np.sin(1.3 * t)]

    exact = solve_ivp(right, (0, 5), [0.1, 0.0], method="DOP853", rtol=1e-13, atol=1e-14).y[0, -1]
    errors = []
    for count in (100, 200, 400):
        run = maps(
            method,
            5.0,
            count,
            lambda t: oscillator(t, decay=0.1, parametric=0.4, load=lambda s: np.sin(1.3 * s)),
        )
        errors.append(abs(run.run(np.array([0.1]), np.zeros(1))[0][-1, 0] - exact))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders == pytest.approx(method.order, abs=0.15)


def swinging_link():
    """A link with everything that changes: spin, angular acceleration, axial force; on its three lowest modes."""
    body = pinned_beam(6)
    link = ElasticLink.attach(ff.discretise(body))

    def equations(times):
        t = np.asarray(times)
        phase, still = 2 * np.pi * t, np.zeros((len(t), 3))
        omega, epsilon, pull = still.copy(), still.copy(), still.copy()
        omega[:, 2], epsilon[:, 2] = 120 * np.sin(phase), 240 * np.pi * np.cos(phase)
        pull[:, 0] = 2e4 * np.sin(2 * phase)
        a = np.stack([20 * np.cos(phase), 10 * np.sin(phase), 0 * t], axis=1)
        loads = (marker_load(body, "end", t, force=pull),)
        return link.equations(
            given_history(
                t, angular_velocity=omega, angular_acceleration=epsilon, origin_acceleration=a, loads=loads
            )
        )

    basis = _basis(equations(np.linspace(0, 1, 9)), 3).vectors[:, :3]
    return lambda times: equations(times).project(basis)


def test_frozen_and_continuous_steps_converge_to_each_other():
    """Freezing at the start, freezing in the middle and continuous coefficients: first, second and fourth order to
    the same motion; the reference is Gauss with eight times the finest steps, 1e-9 of it."""
    make = swinging_link()
    zero = np.zeros(3)
    end = 0.05
    best = maps(GaussSteps(), end, 6400, make).run(zero, zero)[0][-1]
    # continuous coefficients need the fastest mode resolved (ω h < 1), frozen ones only the motion
    for method, counts in ((METHODS[0], (50, 100, 200)), (METHODS[1], (50, 100, 200)), (METHODS[2], (400, 800))):
        ends = [maps(method, end, count, make).run(zero, zero)[0][-1] for count in counts]
        errors = np.array([np.abs(y - best).max() for y in ends]) / np.abs(best).max()
        assert np.log2(errors[:-1] / errors[1:]) == pytest.approx(method.order, abs=0.25), errors
        assert errors[-1] < {1: 2e-2, 2: 1e-4, 4: 1e-3}[method.order]


def test_periodic_response_is_the_harmonic_one():
    """A damped oscillator under cos(Ωt): amplitude and phase in closed form, found without a transient."""
    omega, decay, rate = 3.0, 0.05, 2.0
    period = 2 * np.pi / rate
    run = maps(GaussSteps(), period, 400, lambda t: oscillator(t, decay=decay, load=lambda s: np.cos(rate * s)))
    y, v = run.period().periodic_start()
    answer = 1 / (omega**2 - rate**2 + 2j * decay * rate)
    # Gauss with 400 steps a period: error (Ωh)⁴/720 of order 1e-10
    assert y[0] == pytest.approx(answer.real, abs=1e-9)
    assert v[0] == pytest.approx((1j * rate * answer).real, abs=1e-9)
    path = run.run(y, v)[0][:, 0]
    np.testing.assert_allclose(path, (answer * np.exp(1j * rate * np.linspace(0, period, 401))).real, atol=1e-9)


def test_periodic_response_with_changing_stiffness_is_where_long_runs_end():
    """Damping 0.15/s over 200 s leaves e⁻³⁰ of the start: both ways agree to the accuracy of the solver."""

    def make(t):
        return oscillator(t, decay=0.15, parametric=0.3, load=lambda s: 1 + np.sin(2 * s))

    run = maps(GaussSteps(), np.pi, 400, make)
    y, v = run.period().periodic_start()

    def right(t, x):
        return [x[1], -9 * (1 + 0.3 * np.cos(2 * t)) * x[0] - 0.3 * x[1] + 1 + np.sin(2 * t)]

    settled = solve_ivp(right, (0, 64 * np.pi), [0.0, 0.0], method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    np.testing.assert_allclose([y[0], v[0]], settled, atol=1e-8)


def test_multipliers():
    """Without damping the map of a period keeps area, det Φ = 1; with decay d the determinant is e^(−2dP),
    to the (ωh)⁴/720 = 7e-9 of Gauss. Mathieu's first resonance, at twice the frequency, makes one of them grow."""
    for decay in (0.0, 0.2):
        period = maps(GaussSteps(), np.pi, 200, lambda t, d=decay: oscillator(t, decay=d, parametric=0.3)).period()
        assert np.prod(period.multipliers).real == pytest.approx(np.exp(-2 * decay * np.pi), rel=1e-7)
        assert np.abs(period.multipliers).max() <= 1 + 1e-9
    resonant = maps(GaussSteps(), np.pi / 3, 200, lambda t: oscillator(t, parametric=0.3, rate=6.0)).period()
    # growth e^{μP} with μ ≈ ω × 0.3/4 to first order; the next term is 0.3²
    assert np.log(np.abs(resonant.multipliers).max()) == pytest.approx(3 * 0.075 * np.pi / 3, rel=0.05)


def test_resonance_is_refused():
    run = maps(FrozenSteps(), 2 * np.pi / 3, 50, lambda t: oscillator(t, load=lambda s: np.cos(3 * s)))
    with pytest.raises(ff.AnalysisError, match="resonance"):
        run.period().periodic_start()


def test_reduced_basis_keeps_static_shapes():
    """Six modes and the static shape of each load: the response to a constant force is the static deflection."""
    body = replace(pinned_beam(40), damping=ff.Damping(mass=60.0))
    t = np.linspace(0, 1, 5)
    load = marker_load(body, 13, t, force=(0, 100.0, 0))
    discrete = ff.discretise(body)
    equations = ElasticLink.attach(discrete).equations(given_history(t, loads=(load,)))
    basis = _basis(equations, 6)
    assert "6 lowest modes at rest and 1 static shapes" in basis.description
    V = basis.vectors
    np.testing.assert_allclose(V.T @ (equations.mass @ V), np.eye(V.shape[1]), atol=1e-10)
    K = V.T @ (equations.stiffness @ V)
    z = V @ np.linalg.solve(K, V.T @ equations.load_at(slice(None))[0])
    exact = discrete.supports.reduce_vector(
        discrete.equilibrium.solve(discrete.supports.expand(equations.load_at(slice(None))[0])).displacements[:, 0]
    )
    # the static shape is in the space by construction: round-off of the modes
    np.testing.assert_allclose(z, exact, atol=1e-8 * np.abs(exact).max())
    with pytest.raises(ff.InputError, match="at least one"):
        _basis(equations, 0)

"""Laws of normal force: formulas, energies, and the restitution that one free impact returns."""

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.contact.systems import HERTZ, MASS, RADIUS, ball_over_plane, motion
from tests.rounding import rounding

from flexframe import _core
from flexframe.errors import InputError
from flexframe.model.contacts import ContactFriction, NormalLaw, hertz_stiffness
from flexframe.multibody.contract import DynamicSystem
from flexframe.multibody.equations import evaluation_at, place_of
from flexframe.multibody.start import initial_state

FACTORS = {
    "hunt_crossley": lambda e: 1.5 * (1 - e),
    "lankarani_nikravesh": lambda e: 0.75 * (1 - e**2),
    "flores": lambda e: 1.6 * (1 - e) / e,
}


def returned(factor: float) -> float:
    """Restitution of w' w = −(1 + c w) xⁿ: ∫ w/(1 + c w) from −e to 1 is zero, whatever n."""

    def integral(w: float) -> float:
        return w / factor - np.log1p(factor * w) / factor**2

    return float(brentq(lambda e: integral(1.0) - integral(-e), 1e-6, min(1.0, (1 - 1e-14) / factor)))


def factor_of(kind: str, restitution: float) -> float:
    return _core.contact_damping(_core.contact_laws().index(kind), restitution)


def at_depth(system: DynamicSystem) -> tuple[np.ndarray, float, np.ndarray]:
    evaluation = evaluation_at(system, 0.0)
    evaluation.evaluate(place_of(system, initial_state(system)), 0.0, np.zeros(3), np.zeros(0), False)
    return evaluation.touches()[0], evaluation.spring_energy(), evaluation.powers()


@pytest.mark.parametrize("kind", FACTORS)
@pytest.mark.parametrize("e", [0.9, 0.5, 0.2])
def test_published_factors(kind: str, e: float) -> None:
    assert factor_of(kind, e) == pytest.approx(FACTORS[kind](e), rel=rounding(10))


@pytest.mark.parametrize("e", [0.99, 0.9, 0.725, 0.5, 0.3, 0.1])
def test_factor_of_restitution_returns_it(e: float) -> None:
    # the misfit ln((1 + c)/(1 − c e)) − c(1 + e) cancels to (1 − e)², by which rounding is magnified
    factor = factor_of("restitution", e)
    assert returned(factor) == pytest.approx(e, abs=rounding(1000, 1 / (1 - e) ** 2))


def test_lankarani_nikravesh_asked_for_a_half_returns_more() -> None:
    assert returned(factor_of("lankarani_nikravesh", 0.5)) == pytest.approx(0.725, abs=5e-4)  # as published


@pytest.mark.parametrize("kind", [kind for kind in _core.contact_laws() if kind != "impulsive"])
def test_force_energy_and_power(kind: str) -> None:
    """N and its elastic energy by their formulas; N δ̇ is what is stored and dissipated."""
    linear = kind == "kelvin_voigt"
    law = NormalLaw(kind, 1e6, 1.0 if linear else 1.5, 1.0 if linear else 0.6, 50.0 if linear else 0.0)
    depth, rate, n = 2e-4, 0.3, law.exponent
    touch, energy, powers = at_depth(ball_over_plane(law, height=-depth, speed=rate))
    elastic = law.stiffness * depth**n
    # at the start the speed of the impact is that of the moment
    force = elastic + law.damping * rate if linear else elastic * (1 + factor_of(kind, 0.6))
    tolerance = rounding(100, RADIUS / depth)  # the depth is a difference of positions
    assert touch[0] == pytest.approx(-depth, rel=tolerance)
    assert touch[1] == pytest.approx(-rate, rel=tolerance)
    assert touch[2] == pytest.approx(force, rel=2 * tolerance)
    assert energy == pytest.approx(elastic * depth / (n + 1), rel=3 * tolerance)
    assert powers[3] == pytest.approx((force - elastic) * rate, rel=10 * tolerance)


def test_no_tension() -> None:
    """A fast retreat leaves no force, and what was stored is dissipated."""
    law = NormalLaw("kelvin_voigt", 1e6, 1.0, damping=1e4)
    touch, _, powers = at_depth(ball_over_plane(law, height=-1e-4, speed=-1.0))
    assert touch[2] == 0.0
    assert powers[3] == pytest.approx(1e6 * 1e-4 * 1.0, rel=rounding(100, 1e4))


def test_friction_is_smoothed_by_the_hyperbolic_tangent() -> None:
    law, friction = NormalLaw("restitution", 1e6), ContactFriction(0.2, 0.3, regularisation=0.1, stribeck=0.5)
    system = ball_over_plane(law, height=-1e-4, speed=0.0, friction=friction)
    state, place_slip = initial_state(system), 0.25
    state.velocities[0] = place_slip, 0.0, 0.0
    evaluation = evaluation_at(system, 0.0)
    evaluation.evaluate(place_of(system, state), 0.0, np.zeros(3), np.zeros(0), False)
    touch = evaluation.touches()[0]
    ratio = (0.2 + 0.1 * np.exp(-0.25)) * np.tanh(2.5)
    assert touch[3] == pytest.approx(ratio * touch[2], rel=rounding(100))
    assert touch[10:13] == pytest.approx([-ratio * touch[2], touch[2], 0.0], rel=rounding(100))
    assert evaluation.powers()[3] == pytest.approx(touch[3] * place_slip, rel=rounding(1000))


@pytest.mark.parametrize("e", [1.0, 0.8, 0.5, 0.2])
@pytest.mark.parametrize("exponent", [1.0, 1.5])
@pytest.mark.parametrize("integrator", ["generalised_alpha", "dormand_prince"])
def test_restitution_of_an_impact(e: float, exponent: float, integrator: str) -> None:
    """Steps of a fortieth of the impact give its restitution to 3e-4; error control to its tolerance."""
    options = {} if integrator == "generalised_alpha" else {"step": None, "tolerance": 1e-11}
    law = NormalLaw("restitution", HERTZ if exponent > 1 else 1e6, exponent, e)
    run = motion(ball_over_plane(law), 0.05, integrator=integrator, **options)
    tolerance = 3e-4 if integrator == "generalised_alpha" else 2e-6
    assert run.velocities[-1, 1] == pytest.approx(e, abs=tolerance)
    # what is named as lost in the contact is the energy that is missing
    assert run.energies[-1, 7] == pytest.approx(0.5 * MASS * (1 - e**2), abs=2 * tolerance)
    assert run.energies[-1, 6] == 0.0


def test_kelvin_voigt_impact() -> None:
    """K δ + d δ̇ parts where the force is zero: closed form of the damped half wave, ζ = 0.2."""
    stiffness, zeta = 1e6, 0.2
    law = NormalLaw("kelvin_voigt", stiffness, 1.0, damping=2 * zeta * np.sqrt(stiffness * MASS))
    run = motion(ball_over_plane(law, divisions=80), 0.05)
    w = np.sqrt(1 - zeta**2)  # ω₀ = 1: δ = exp(−ζ t) sin(w t)/w
    when = (np.pi - np.arctan2(2 * zeta * w, 1 - 2 * zeta**2)) / w  # δ + 2 ζ δ̇ = 0
    decay = np.exp(-zeta * when)
    speed = decay * (np.cos(w * when) - zeta / w * np.sin(w * when))
    # then the spring, without force, opens at the speed of parting
    assert run.velocities[-1, 1] == pytest.approx(-speed, abs=1e-3)  # an eightieth of the impact, second order


def test_hertz_stiffness_of_steel_balls() -> None:
    E, nu, R = 210e9, 0.3, 0.02
    assert hertz_stiffness((R, np.inf), (E, E), (nu, nu)) == pytest.approx(
        4 / 3 * E / (2 * (1 - nu**2)) * np.sqrt(R), rel=rounding(10)
    )
    assert hertz_stiffness((R, R), (E, E), (nu, nu)) == pytest.approx(
        4 / 3 * E / (2 * (1 - nu**2)) * np.sqrt(R / 2), rel=rounding(10)
    )


def test_refusals_name_the_remedy() -> None:
    with pytest.raises(InputError, match="give its damping, or take the law restitution"):
        NormalLaw("kelvin_voigt", 1e6, 1.0, 0.5)
    with pytest.raises(InputError, match=r"the restitution is 0; give 0\.01 to 1"):
        NormalLaw("restitution", 1e6, restitution=0.0)
    with pytest.raises(InputError, match="leave damping out"):
        NormalLaw("flores", 1e6, damping=3.0)
    with pytest.raises(InputError, match="give 0 <= dynamic <= static"):
        ContactFriction(0.3, 0.2)

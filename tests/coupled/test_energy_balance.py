"""The energy balance of driven elastic mechanisms: work of drives, numerical dissipation, and how it is told."""

from functools import cache
from pathlib import Path

import pytest

from flexframe.analyses.simulate import simulate
from flexframe.cases.case import load_case
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import Spring
from flexframe.reports.build import report_document
from flexframe.reports.document import render_html

EXAMPLES = Path(__file__).parents[2] / "examples"
TURN = 0.041887902047863905


@cache
def crank(*overrides: str, turns: float = 1.0):
    """The slider-crank with an elastic rod of six modes, without static answers to inertia."""
    changes = (
        "bodies.rod.reduction={modes: 6, inertia_shapes: false}",
        f"analyses.run.duration={turns * TURN} s",
        "analyses.run.samples=361",
        *overrides,
    )
    case = load_case(EXAMPLES / "slider_crank_flexible.yaml", changes)
    return case.analyses["run"].run(case)


def test_small_steps_do_not_spoil_the_work_of_drives():
    """28,800 steps in half a turn: the balance closes to 1e-5 of the kinetic energy.

    The drive's force of each step is as good as positions (1e-13) over the square of the step, 5e-13 s²: 1e-6 of
    it, and not of one sign. With one correction a step, all that positions need, it is off by 1e-4 for good.
    """
    record = crank("analyses.run.steps=28800", turns=0.5)
    assert record.energy_drift < 1e-5


def oscillator(radius: float, h: float, steps: int, omega: float) -> float:
    """Energy that generalised-α (Chung & Hulbert 1993) leaves of ½ after so many steps, one by one from ẋ = 1."""
    am, af = (2 * radius - 1) / (radius + 1), radius / (radius + 1)
    gamma, beta = 0.5 - am + af, 0.25 * (1 - am + af) ** 2
    # b is the averaged acceleration, which belongs to the time (αm − αf) h beside the step
    x, v, a, b = 0.0, 1.0, 0.0, -(am - af) * h * omega**2
    for _ in range(steps):
        # (1 − αm) b₁ + αm b = (1 − αf) a₁ + αf a, x₁ = x + hv + h²((½ − β) b + β b₁), a₁ = −ω²x₁
        share = (1 - af) / (1 - am)
        rest = (af * a - am * b) / (1 - am)
        known = x + h * v + h * h * ((0.5 - beta) * b + beta * rest)
        after = -(omega**2) * known / (1 + omega**2 * h * h * beta * share)
        b1 = share * after + rest
        x = x + h * v + h * h * ((0.5 - beta) * b + beta * b1)
        v = v + h * ((1 - gamma) * b + gamma * b1)
        a, b = after, b1
    return 0.5 * (v * v + omega**2 * x * x)


@pytest.mark.parametrize(("radius", "lost"), [(0.0, True), (0.8, True), (1.0, False)])
def test_numerical_dissipation_is_that_of_the_method(radius, lost):
    """A mass on a spring, ωh = 0.4: the energy lost in twenty periods is that of the scalar recursion.

    Steps are solved to 1e-5 of their first correction, which leaves 1e-4 of the energy after 314 of them.
    """
    omega, steps = 40.0, 314
    h, mass = 0.01, 2.0
    body = RigidBody("mass", mass, 1.0)
    system = System(
        [body],
        loads=[Spring("spring", "ground", "mass", stiffness=mass * omega**2, axis=(1.0, 0.0))],
        start={"mass": Placement(velocity=(1.0, 0.0, 0.0))},
    )
    record = simulate(system, duration=steps * h, step=h, samples=steps + 1, spectral_radius=radius)
    expected = 0.5 - oscillator(radius, h, steps, omega)
    assert record.energy_lost / mass == pytest.approx(expected, abs=1e-4)
    assert ("numerical dissipation" in record.balance_words) is lost
    balance = record.summary()["energy_balance"]
    assert balance == {"lost_J": record.energy_lost, "words": record.balance_words}
    assert (expected > 0.004) is lost


def test_numerical_dissipation_of_a_mechanism_falls_with_the_step():
    """ρ∞ = 0, 900 and 7200 steps a turn: work of the drive and dissipation are of second order in the step."""
    coarse, fine = (crank(f"analyses.run.steps={n}", "analyses.run.spectral_radius=0") for n in (900, 7200))
    assert coarse.energy_lost > 0
    assert fine.energy_drift < 0.5 * coarse.energy_drift


def test_error_control_closes_the_balance():
    """A tolerance of 1e-9 leaves 1e-8 after one turn, which is said; the report tells it as well."""
    record = crank("analyses.run.steps=null", "analyses.run.tolerance=1e-9", turns=0.25)
    assert record.energy_drift < 1e-7
    assert record.balance_words == "the balance closes"
    document = report_document("crank", description="", case_name="", case_text="", records={"run": record})
    assert "the balance closes" in render_html(document)


def test_a_spectral_radius_of_one_is_warned_of():
    """Index 3 without damping: multipliers oscillate and grow, which the balance shows (known of the method)."""
    record = crank("analyses.run.steps=3600", "analyses.run.spectral_radius=1", turns=0.5)
    assert any("oscillate" in notice for notice in record.notices)
    usual = crank("analyses.run.steps=900", "analyses.run.spectral_radius=0")
    assert not any("oscillate" in notice for notice in usual.notices)
    assert record.energy_drift > 1e-3

"""The planar exact beam as formulas, against the compiled element."""

from typing import Any

import numpy as np
import pytest
from tests.formalisms.system_samples import SOFT, bent_state
from tests.rounding import rounding
from typer.testing import CliRunner

from flexframe.analyses.transient.coupled.division import elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.cli import app
from flexframe.elements.properties import Rectangle
from flexframe.errors import InputError
from flexframe.maths.rotations import skew
from flexframe.model.body import Body
from flexframe.model.system import System
from flexframe.multibody.contract import DynamicSystem
from flexframe.multibody.equations import equations_at
from flexframe.multibody.system import dynamic_system
from flexframe.symbolic.exact_beam import derive_exact_beam
from flexframe.symbolic.kane import Kane

ROUTES = ("lagrange", "gibbs_appell", "kane", "maggi", "hamilton", "whittaker")
ROUND_OFF = rounding(2000, 100)  # some hundred terms each, divided by sin φ/2 with φ above 0.1


def one_element() -> DynamicSystem:
    beam = Body.beam("beam", length=0.4, divisions=1, section=Rectangle(0.02, 0.03), material=SOFT)
    divided = elastic_system(System([beam]), {"beam": ReductionChoice(exact=True)}, watched={})
    return dynamic_system(divided.system, {})


@pytest.mark.parametrize("formalism", ROUTES)
def test_against_the_core(formalism: str) -> None:
    """M, inertia forces and strain forces of one element at a large deflection, turned from body axes to space."""
    system = one_element()
    state = bent_state(system, turn=0.8)
    assert abs(state.angles[1] - state.angles[0]) > 0.1
    equations, beams = equations_at(system, state), system.tables.beams
    turn, B = state.angles, np.eye(6)
    for node, angle in enumerate(turn):
        c, s = np.cos(angle), np.sin(angle)
        B[3 * node : 3 * node + 2, 3 * node : 3 * node + 2] = [[c, -s], [s, c]]
    q = np.concatenate([[*state.positions[n, :2], turn[n]] for n in range(2)])
    rates = B @ equations.velocity
    space: dict[str, object] = {}
    exec(derive_exact_beam(formalism).python(), space)
    A = np.concatenate([skew(beams.references[0, :3]), skew(beams.references[0, 3:])])
    K = np.linalg.inv(beams.flexibilities[0] + A @ beams.bending[0] @ A.T / 12)
    mu = beams.mass[0]
    call = space[f"exact_beam_{formalism}"]
    assert callable(call)
    M, h, f = call(q, rates, K[0, 0], K[1, 1], K[5, 5], mu[0, 0], mu[5, 5], beams.lengths[0])
    force = -B @ equations.applied_force
    np.testing.assert_allclose(f, force, rtol=0, atol=ROUND_OFF * np.abs(force).max())
    mass = B @ equations.mass @ B.T
    np.testing.assert_allclose(M, mass, rtol=0, atol=ROUND_OFF * np.abs(mass).max())
    # with u̇ = 0 in body axes the nodes are accelerated by ω × v in space
    second = np.zeros(6)
    for node in range(2):
        v, spin = rates[3 * node : 3 * node + 2], rates[3 * node + 2]
        second[3 * node : 3 * node + 2] = spin * np.array([-v[1], v[0]])
    inertia = B @ equations.inertia_force
    np.testing.assert_allclose(M @ second + h, inertia, rtol=0, atol=ROUND_OFF * np.abs(inertia).max())


def test_whittaker_has_no_limit_where_its_coordinate_rests() -> None:
    """ẋ₁ = 0, the rate that takes the place of time: the same M and h as Lagrange's."""
    q, rates = (0.1, 0.2, 0.3, 0.45, 0.3, 0.7), (0.0, 0.5, -0.4, 0.8, 0.3, 0.6)
    found = {}
    for formalism in ("lagrange", "whittaker"):
        space: dict[str, Any] = {}
        exec(derive_exact_beam(formalism).python(), space)
        found[formalism] = space[f"exact_beam_{formalism}"](q, rates, 3.0, 2.0, 0.7, 1.1, 0.2, 0.4)
    for one, other in zip(*found.values(), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=ROUND_OFF * np.abs(other).max())


def test_weak_strains_are_those_of_a_beam() -> None:
    """Near the straight line V is ½ (EA u²/L + EI φ²/L + GA L (v/L − φ/2)²) up to third order."""
    made = derive_exact_beam()
    values = dict(zip(("EA", "GA", "EI", "L"), (3.0, 2.0, 0.7, 1.3), strict=True))
    EA, GA, EI, L = values.values()
    u, v, phi, small = 0.4, 0.3, 0.5, 1e-4
    at = {"x_1": 0, "y_1": 0, "theta_1": 0, "x_2": L + small * u, "y_2": small * v, "theta_2": small * phi}
    numbers = {**values, **at}
    found = float(made.strain_energy.subs({s: numbers[s.name] for s in made.strain_energy.free_symbols}))
    expected = (EA * u**2 / L + EI * phi**2 / L + GA * L * (v / L - phi / 2) ** 2) / 2
    assert found / small**2 == pytest.approx(expected, rel=10 * small)


def test_without_a_route_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kane, "beam_route", "")
    with pytest.raises(InputError, match="kane has no symbolic route to exact_beam"):
        derive_exact_beam("kane")


def test_command() -> None:
    for to, part in (
        ("latex", r"\section*{Planar geometrically exact beam; Kane}"),
        ("python", "def exact_beam_kane"),
    ):
        done = CliRunner().invoke(app, ["derive", "--element", "exact_beam", "--formalism", "kane", "--to", to])
        assert done.exit_code == 0, done.output
        assert part in done.stdout
    refused = CliRunner().invoke(app, ["derive", "--element", "exact_beam", "--to", "c"])
    assert refused.exit_code != 0

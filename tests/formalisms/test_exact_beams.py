"""Exact beams by the six formalisms: sections as mass points, forces by the work or the energy of strain."""

import numpy as np
import pytest
from tests.rounding import rounding

from flexframe.analyses.crosscheck.system_analysis import crosscheck_dynamics
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.point_systems import point_system
from flexframe.formalisms.registry import formalism_named, numeric_formalisms
from flexframe.formalisms.whittaker import energy
from flexframe.multibody.contract import DynamicSystem
from flexframe.multibody.equations import accelerations_at, equations_at

from .system_samples import bent_state, exact_arm

MADE = {
    "planar": exact_arm(),
    "spatial": exact_arm("spatial"),
    "damped": exact_arm("spatial", damping=1e-3),
    "loaded": exact_arm("planar", load=-3.0),
}
# sums of at most a thousand products; strains of some percent are differences of numbers near one
ROUND_OFF = rounding(1000, 100)
REFUSED = {"spatial": "moves in space", "damped": "moves in space", "loaded": "loads along exact beams"}


@pytest.mark.parametrize("formalism", numeric_formalisms(), ids=lambda formalism: formalism.name)
@pytest.mark.parametrize("name", MADE)
def test_accelerations_and_joint_forces(name: str, formalism) -> None:
    """Against the compiled equations at a state with sections that are turned by 0.4 rad and moving apart."""
    system = MADE[name]
    reason = formalism.system_refusal(system)
    if reason is not None:
        assert formalism.name == "whittaker"
        assert REFUSED[name] in reason
        return
    state = bent_state(system)
    equations, expected = equations_at(system, state), accelerations_at(system, state)
    found = formalism.system_motion(point_system(system).at(state), Work())
    unit = 1 / np.sqrt(np.diagonal(equations.mass))
    size = np.abs(expected.velocity_rate / unit).max()
    assert np.abs((found.accelerations - expected.velocity_rate) / unit).max() < ROUND_OFF * size
    forces = equations.constraint.T @ expected.multipliers
    assert np.abs((found.joint_forces - forces) * unit).max() < ROUND_OFF * (size + np.abs(forces * unit).max())


@pytest.mark.parametrize("name", MADE)
def test_forces_by_work_and_by_energy(name: str) -> None:
    """Section forces along rates of strain, derivatives of ½ L εᵀK ε, and the core agree; so do energies."""
    system = MADE[name]
    state = bent_state(system)
    instant, equations = point_system(system).at(state), equations_at(system, state)
    size = np.abs(equations.applied_force).max()
    for found in (instant.forces_along_strains, instant.forces_of_potential):
        np.testing.assert_allclose(found, equations.applied_force, rtol=0, atol=ROUND_OFF * size)
    total = equations.kinetic_energy + equations.potential_energy
    assert energy(instant, Work()) == pytest.approx(total, rel=ROUND_OFF)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_motions_by_every_formalism(space: str) -> None:
    """The same place after a short time, 1e-9 of what moved; inertia against second derivatives of positions.

    A quarter of a millisecond is a sixth of the fastest period.
    """
    record = crosscheck_dynamics(MADE[space], duration=2.5e-4)
    assert record.agrees, record.summary()["formalisms"]
    assert record.closed_form_difference < ROUND_OFF
    applicable = [check for check in record.checks if check.applicable]
    assert len(applicable) == (6 if space == "planar" else 5)
    assert all("motion" in check.differences for check in applicable[1:])
    assert any("3 exact beams" in sentence for sentence in record.compared)


def test_damping_takes_the_energy_integral() -> None:
    system: DynamicSystem = exact_arm("planar", damping=1e-3)
    found = formalism_named("whittaker").system_refusal(system)
    assert found is not None and "exact beams are damped" in found

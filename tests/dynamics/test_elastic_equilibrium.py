"""Deformations in equilibrium with a motion: no relative acceleration in the equations of motion, stability."""

import numpy as np
import pytest

from flexframe.errors import AnalysisError
from flexframe.multibody.equations import accelerations_at, equations_at
from flexframe.multibody.equilibria.elastic import elastic_equilibrium
from flexframe.multibody.start import rigid_start

from .samples import flexible_pendulum, flexible_slider_crank, spinning_beam


def test_a_start_without_stable_equilibrium_is_refused():
    """Without geometric stiffness a unit cantilever at Ω = 4 has k − Ω²m = 3.516015² − 4², which is negative."""
    system = spinning_beam("4*t", geometric=False, slender=1000.0)
    with pytest.raises(AnalysisError, match=r"not stable: .* is (-3\.6\d*) rad²/s²"):
        elastic_equilibrium(system, rigid_start(system))
    # with it: lag² = flap² − γ² = 5.585001² − 4² (Wright 1982); 16 elements, slenderness 1000
    system = spinning_beam("4*t", slender=1000.0)
    found = elastic_equilibrium(system, rigid_start(system))
    assert found.eigenvalue == pytest.approx(5.585001**2 - 16, rel=1e-3)


@pytest.mark.parametrize("make", [flexible_pendulum, flexible_slider_crank, lambda: spinning_beam("3*t + t^2")])
def test_the_equations_of_motion_agree(make):
    """The accelerations that integrators solve for have no elastic part, and joints and velocities are met."""
    system = make()
    found = elastic_equilibrium(system, rigid_start(system))
    elastic = np.concatenate([n[6:][n[6:] >= 0] for n in system.tables.bodies.numbers])
    scales = system.tables.scales
    rates = accelerations_at(system, found.state).velocity_rate / scales
    unloaded = accelerations_at(system, rigid_start(system)).velocity_rate / scales
    # what is left beside the accelerations of the undeformed start: rounding of stiff coordinates
    assert np.abs(rates[elastic]).max() < 1e-7 * np.abs(unloaded[elastic]).max()
    assert found.accelerations / scales == pytest.approx(rates, abs=1e-7 * np.abs(unloaded).max())
    here = equations_at(system, found.state)
    assert np.abs(here.gap).max() < 1e-12
    speed = max(1.0, np.abs(here.velocity / scales).max())
    assert np.abs(here.constraint @ here.velocity + here.drive_rate).max() < 1e-11 * speed
    assert np.abs(found.state.rates / scales[elastic]).max() < 1e-11 * speed

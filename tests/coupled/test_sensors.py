"""Sensors of a coupled motion against each other, against differences of positions and against mechanics."""

from functools import cache

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.analyses.transient.coupled.beam_sections import BeamStress, beam_sections
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice, elastic_parts
from flexframe.elements.properties import STEEL, Rectangle
from flexframe.model.body import Body
from flexframe.model.joints import Weld
from flexframe.model.supports import Clamp
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.reduction.strategies import CraigBampton

from .samples import resting_forces, swing


@cache
def record():
    return swing()


def values(name):
    return record().sensors[name].values


def slope(quantity, times):
    """Derivative by differences of fourth order, at the inner instants."""
    h = times[1] - times[0]
    return (quantity[:-4] - 8 * quantity[1:-3] + 8 * quantity[3:-1] - quantity[4:]) / (12 * h)


def test_velocity_and_acceleration_are_derivatives_of_the_position():
    """Samples of 2 ms of vibrations of up to 30 rad/s that matter here: (ωh)⁴/30 is below 1e-6 of them.

    Faster vibrations are small; the integrator's velocities differ from exact derivatives by its second order.
    """
    times = record().times
    speed, acceleration = values("tip_velocity"), values("tip_acceleration")
    assert slope(values("tip"), times) == pytest.approx(speed[2:-2], abs=2e-3 * np.abs(speed).max())
    assert slope(speed, times) == pytest.approx(acceleration[2:-2], abs=0.05 * np.abs(acceleration).max())


def test_turning_sensors_agree():
    times = record().times
    assert slope(values("angle"), times) == pytest.approx(values("spin")[2:-2], abs=2e-3 * np.ptp(values("spin")))
    assert record().sensors["spin"].components == ()


def test_two_ways_to_watch_a_displacement():
    """`on` and `dof` is the component of `displacement` along an axis: the same number."""
    assert record().sensors["middle"].components == ("x", "y")
    across = values("middle")[:, 1]
    assert values("bend") == pytest.approx(across, abs=ROUNDING * np.abs(across).max())


def test_momentum_follows_the_forces():
    """dp/dt = weight + hinge force; dL/dt = moment of the weight about the hinge: laws of the whole body."""
    times, mass = record().times, 7850 * 0.03 * 0.004
    force = values("pull") + mass * np.array([0, -9.81])
    assert slope(values("linear"), times) == pytest.approx(force[2:-2], abs=0.05 * np.abs(force).max())
    # ∫ F dt, which smooths fast vibrations of the force between the samples
    impulse = np.concatenate([[[0, 0]], np.cumsum((force[1:] + force[:-1]) / 2 * np.diff(times)[:, None], axis=0)])
    gained = values("linear") - values("linear")[0]
    assert impulse == pytest.approx(gained, abs=0.02 * np.abs(gained).max())


def test_energy_is_kept():
    """Released from rest: the total energy stays what it was but for the damping of the integrator."""
    fallen = np.abs(record().energies["potential"]).max()
    assert np.ptp(values("energy")) < 1e-4 * fallen


def test_stress_of_the_strip():
    """Fibre stress is N/A + M h/2I, strain that over E; the moment sensor gives M: identities of a beam."""
    section = Rectangle(0.03, 0.004)
    moment = values("moment")
    bending = np.abs(moment) * 0.002 / section.inertia_z
    assert (values("stress") >= bending - 1e-9).all()
    axial = 9.81 * 7850 * 1.0 * 3  # a few times the weight below the section, as it swings
    assert values("stress") == pytest.approx(bending, abs=axial)
    assert values("strain") == pytest.approx(values("stress") / 210e9, rel=1e-12)


def test_stress_rows_are_statics_of_a_cantilever():
    """A tip force F on a clamped beam: M(x) = F(L − x), to rounding, as Craig–Bampton has the static shape."""
    section = Rectangle(0.02, 0.01)
    beam = Body.beam("beam", length=1.0, divisions=10, section=section, material=STEEL, supports=(Clamp("start"),))
    system = System(
        [beam],
        [Weld("wall", "ground", "beam.start")],
        loads=[MarkerForce("tip", "beam.end", (0.0, 100.0, 0.0))],
    )
    part = elastic_parts(system, {"beam": ReductionChoice(CraigBampton(2))}, watched={})["beam"]
    end = part.reduced.point("end")
    coordinates = np.linalg.solve(part.reduced.stiffness, 100.0 * end.rows[1])
    forces = resting_forces(coordinates)
    sections = beam_sections(part, (0.5, 0.0, 0.0))
    stresses, usual = BeamStress(sections, forces).stresses(None)
    found = stresses[usual].values[0]
    assert found == pytest.approx(100.0 * 0.5 * 0.005 / section.inertia_z, rel=1e-8)
    moment = stresses["Mz"]
    assert abs(moment.values[0]) * 0.005 / section.inertia_z == pytest.approx(found, rel=1e-9)
    assert end.rows[1] @ coordinates == pytest.approx(_tip_deflection(section), rel=1e-8)


def _tip_deflection(section):
    """F L³/3EI + F L/κGA of a Timoshenko beam."""
    shear = 5 / 6 * STEEL.young / (2 * (1 + STEEL.poisson)) * section.area
    return 100 / (3 * STEEL.young * section.inertia_z) + 100 / shear

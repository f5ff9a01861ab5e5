"""The example case of a slider-crank with clearance."""

from pathlib import Path

import numpy as np
import pytest
from tests.clearance.machines import CRANK, ROD

from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.presentation.blocks import Plot
from flexframe.reports.build import comparison_section

EXAMPLE = Path(__file__).parents[2] / "examples" / "slider_crank_clearance.yaml"


def test_slider_crank_with_clearance() -> None:
    """Position within the clearance and the depth of impacts, force and acceleration in peaks.

    The slider is in x at r cos θ + √(l² − r² sin² θ) of the ideal linkage. A journal that is off by c + δ moves it
    by (c + δ)/cos φ at most, and by the order c²/l more.
    """
    records = run_case(load_case(EXAMPLE)).records
    motion, forces = records["motion"], records["ideal"]
    times = motion.times
    theta = 5000 * np.pi / 30 * times
    ideal = CRANK * np.cos(theta) + np.sqrt(ROD**2 - (CRANK * np.sin(theta)) ** 2)
    clearance, stiffness = 0.5e-3, 6.607e10
    contact = motion.contacts["C"]
    reach = clearance + (contact.peak / stiffness) ** (2 / 3)
    off = np.abs(motion.sensors["slider"].values - ideal).max()
    assert 0.9 * clearance < off < reach / np.sqrt(1 - (CRANK / ROD) ** 2) + reach**2 / ROD
    needed = 0.14 * CRANK * (5000 * np.pi / 30) ** 2 * (1 + CRANK / ROD)  # in the dead centre, along the guide
    assert np.linalg.norm(forces.forces.joints["C"].force, axis=1).max() == pytest.approx(needed, rel=1e-9)
    assert contact.peak > 5 * needed
    acceleration = motion.sensors["acceleration"].values
    assert np.abs(acceleration).max() > 5 * needed / 0.14
    flying = contact.gap > 0
    assert 0.1 < flying.mean() < 0.9
    assert np.abs(acceleration[flying]).max() < 1e-9 * needed / 0.14
    assert motion.energy_drift < 1e-3
    assert 0 < motion.lost_in_contacts < 0.1 * motion.energies["kinetic"].max()


def test_elastic_and_ideal_joints_beside_it() -> None:
    """The ideal one is the closed form, the elastic one off by force over stiffness, twice that at the start.

    Their curves stand in one plot for each sensor.
    """
    records = run_case(load_case(EXAMPLE)).records
    speed = 5000 * np.pi / 30
    theta = speed * records["ideal"].times
    exact = CRANK * np.cos(theta) + np.sqrt(ROD**2 - (CRANK * np.sin(theta)) ** 2)
    found = {name: record.sensors["slider"].values for name, record in records.items()}
    assert np.abs(found["ideal"] - exact).max() < 1e-9 * ROD  # the drive and the joints say where it is
    force = 0.14 * CRANK * speed**2 * (1 + CRANK / ROD)
    off = np.abs(found["elastic"] - exact)
    assert 0.9 * force / 50e6 < off.max() < 2 * force / 50e6
    assert off[-200:].max() == pytest.approx(force / 50e6, rel=0.02)  # in the dead centre, without vibration
    section = comparison_section(records)
    assert section is not None
    plots = [block for block in section.blocks if isinstance(block, Plot)]
    assert [[series.name for series in plot.series] for plot in plots] == [["motion", "elastic", "ideal"]] * 3

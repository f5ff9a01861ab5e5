"""Modes and Campbell diagrams say where the stress of rotation is beyond small strains, as statics does."""

import numpy as np
import pytest

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.statics.analysis import statics
from flexframe.elements.properties import STEEL, Rectangle
from flexframe.equations.coefficients import Terms
from flexframe.model.body import Body
from flexframe.model.supports import Clamp
from flexframe.motion.frame import FrameMotion

LENGTH = 1.0


def blade() -> Body:
    return Body.beam(
        "blade",
        length=LENGTH,
        divisions=8,
        section=Rectangle(0.02, 0.01),
        material=STEEL,
        supports=(Clamp("start"),),
    )


def speed_for(strain: float) -> float:
    """ε = ρω²L²/(2E) at the clamp of a spinning rod."""
    return float(np.sqrt(2 * strain * STEEL.young / STEEL.density) / LENGTH)


@pytest.mark.parametrize(("strain", "told"), [(0.009, False), (0.023, True)])
def test_strain_of_rotation(strain: float, told: bool) -> None:
    """One per cent is the limit; the strain that is told is the exact one."""
    speed = speed_for(strain)
    found = {
        "statics": statics(blade(), FrameMotion.spin(speed)).notices,
        "modes": modes(blade(), FrameMotion.spin(speed), count=2).notices,
        "campbell": campbell_diagram(blade(), [0.0, speed], modes=2, engine_orders=()).notices,
    }
    for name, notices in found.items():
        assert any("strain of about 2.3 % at (0, 0, 0) m" in notice for notice in notices) == told, name


def test_nothing_is_said_without_prestress() -> None:
    """At rest, or with the geometric term off, no stress is taken into account."""
    assert not any("strain" in notice for notice in modes(blade(), count=2).notices)
    off = modes(blade(), FrameMotion.spin(speed_for(0.05)), terms=Terms(geometric=0.0), count=2)
    assert not any("strain of about" in notice for notice in off.notices)

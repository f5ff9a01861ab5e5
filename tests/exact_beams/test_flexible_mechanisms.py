"""Mechanisms of `flexframe verify large-mechanisms` by floating frames, the references of two of them."""

import numpy as np
import pytest

from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.verification import flexible_mechanisms as cases


def test_crooked_four_bar_about_the_follower() -> None:
    """The axis of C tilted about the follower, (sin 5°, 0, cos 5°): one floating frame a bar, and exact beams.

    Bars turn by a few hundredths of a radian, so that small deflections are wrong by 1e-3 of 4 mm.
    """
    axis = (float(np.sin(cases.TILT)), 0.0, float(np.cos(cases.TILT)))
    times = tuple(time + cases.GENTLE for time in (1.0, 2.0, 3.0))
    bars = ("crank", "coupler", "follower")
    exact, floating = (
        cases.places(
            cases.crooked_four_bar(4, axis),
            "coupler.end",
            times,
            step=5e-3,
            reductions=dict.fromkeys(bars, choice),
            spectral_radius=0.5,
        )
        for choice in (cases.EXACT, ReductionChoice())
    )
    assert exact[:, 2] == pytest.approx([-0.002044, -0.003835, -0.004054], abs=2e-6)
    assert exact == pytest.approx(floating, abs=4e-6)


def test_references_of_floating_frames() -> None:
    """The first instants of both, with half as many elements for the beam that buckles.

    It is nearly unstable at 0.12 s and shows the error of 20 elements, 1e-3 of its stiffness, ten times.
    """
    shaft = cases.places(
        cases.supercritical_shaft(16),
        "shaft.middle",
        (0.5,),
        step=1e-3,
        reductions={"shaft": ReductionChoice(parts=8)},
    )
    assert shaft[0] == pytest.approx(cases.WHIRLING[0.5], abs=1e-6)
    beam = cases.places(
        cases.buckling_beam(20), "beam.middle", (0.12,), step=5e-4, reductions={"beam": ReductionChoice(parts=10)}
    )
    assert beam[0, [0, 2]] == pytest.approx(np.array(cases.BUCKLED[0.12])[[0, 2]], abs=1e-6)
    assert beam[0, 1] == pytest.approx(cases.BUCKLED[0.12][1], rel=0.02)

"""A mass on springs that turn with it: everything is known in closed form."""

import numpy as np
import pytest

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.errors import InputError
from flexframe.model.bearings import Bearing

from .rotors import AXIS, MASS, TURN, point_rotor

# The only error is rounding: eigenvalues of 4 or 6 unknowns, stiffnesses that differ by a factor of 150.
ROUNDING = 1e-10


def test_both_frames_of_an_isolated_mass() -> None:
    """10 Hz on isotropic springs, 5 turns per second: 5 and 15 Hz on the rotor, 10 and 10 Hz in space."""
    diagram = campbell_diagram(point_rotor(10.0), [TURN * 5.0], modes=2, axis=AXIS)
    found = {word: b for b, word in enumerate(diagram.whirl)}
    assert diagram.frequencies_hz[0, found["forward"]] == pytest.approx(5.0, rel=ROUNDING)
    assert diagram.frequencies_hz[0, found["backward"]] == pytest.approx(15.0, rel=ROUNDING)
    assert diagram.inertial_frequencies_hz[0, list(found.values())] == pytest.approx(10.0, rel=ROUNDING)
    assert diagram.frame == "rotating"


def test_frequencies_beyond_the_critical_speed() -> None:
    """|10 − Ω| and 10 + Ω on the rotor through the critical speed; in space 10 Hz, one forward, one backward."""
    turns = np.array([0.0, 2.5, 5, 9, 11, 15, 20])
    diagram = campbell_diagram(point_rotor(10.0), TURN * turns, modes=2, axis=AXIS)
    assert diagram.frequencies_hz[:, 0] == pytest.approx(np.abs(10 - turns), rel=1e-9)
    assert diagram.frequencies_hz[:, 1] == pytest.approx(10 + turns, rel=1e-9)
    assert diagram.inertial_frequencies_hz == pytest.approx(np.full((7, 2), 10.0), rel=1e-9)
    assert diagram.whirl == ("forward", "backward")
    # slower than the rotor, the forward whirl falls behind it: against the spin as the rotor sees it
    assert [row[0] for row in diagram.rotating_whirl] == ["", *["forward"] * 3, *["backward"] * 3]
    assert [row[0] for row in diagram.inertial_whirl] == ["", *["forward"] * 6]
    assert diagram.critical_speeds_rad_s == pytest.approx([TURN * 10], rel=ROUNDING)


def test_reversed_spin_swaps_the_whirl() -> None:
    """Ω → −Ω gives the same frequencies; what ran towards +θ with the spin now runs towards −θ with it."""
    turns = np.array([1.0, 4.0, 7.0])
    there = campbell_diagram(point_rotor(10.0, 12.0), TURN * turns, modes=2, axis=AXIS)
    back = campbell_diagram(point_rotor(10.0, 12.0), -TURN * turns[::-1], modes=2, axis=AXIS)
    turned = campbell_diagram(point_rotor(10.0, 12.0), TURN * turns, modes=2, axis=(-1, 0, 0))
    assert np.sort(back.frequencies_hz[::-1]) == pytest.approx(np.sort(there.frequencies_hz), rel=ROUNDING)
    assert turned.frequencies_hz == pytest.approx(there.frequencies_hz, rel=ROUNDING)
    ring = campbell_diagram(point_rotor(10.0), -TURN * turns[::-1], modes=2, axis=AXIS)
    falling = np.argmin(ring.frequencies_hz[0])
    assert ring.whirl[falling] == "forward"
    assert ring.frequencies_hz[:, falling] == pytest.approx(10 - turns[::-1], rel=ROUNDING)


@pytest.mark.parametrize("hit", [True, False], ids=["crossing at a sample", "crossing between samples"])
def test_branches_cross(hit: bool) -> None:
    """10 + Ω of the backward whirl and 13 Hz along the axis cross at exactly 3 turns per second.

    10 − Ω passes 7, 8, 9 and meets nothing.
    """
    turns = np.linspace(0.0, 6.0, 13 if hit else 8)
    diagram = campbell_diagram(point_rotor(10.0, x=13.0), TURN * turns, modes=3, axis=AXIS)
    expected = [10 - turns, 10 + turns, np.full(len(turns), 13.0)]
    for b, line in enumerate(expected):
        assert diagram.frequencies_hz[:, b] == pytest.approx(line, rel=1e-9)
    assert diagram.nodal_diameters[:3] == (1, 1, 0)
    assert not any("doubt" in notice for notice in diagram.notices)


def test_branches_of_an_anisotropic_rotor() -> None:
    """(k₁ − Ω² − ω²)(k₂ − Ω² − ω²) = 4Ω²ω²; divergence between the critical speeds 8 and 12 turns per second."""
    turns = np.linspace(0.0, 16.0, 33)
    diagram = campbell_diagram(point_rotor(8.0, 12.0), TURN * turns, modes=2, axis=AXIS, engine_orders=())
    a, b = 64 - turns**2, 144 - turns**2
    half = (a + b + 4 * turns**2) / 2
    squares = np.array([half - np.sqrt(half**2 - a * b), half + np.sqrt(half**2 - a * b)]).T
    values = diagram.eigenvalues[:, :2] / TURN
    # −λ² so that growth counts as well; at 8 and 12 it is a zero that rounding may split to √1e-16
    assert -(values**2).real == pytest.approx(squares, rel=1e-8, abs=1e-6)
    assert diagram.critical_speeds_rad_s == pytest.approx([TURN * 8, TURN * 12], rel=ROUNDING)
    # the limit is where the growth rate exceeds 1e-6 of the largest |λ|; it starts like a square root, so at 1e-12
    assert diagram.stability_limits == pytest.approx([TURN * 8, TURN * 12], rel=1e-9)
    assert diagram.labels[0].endswith("divergence")


@pytest.mark.parametrize("ratio", [0.4, 1.5])
def test_damping_inside_the_rotor(ratio: float) -> None:
    """Internal damping makes the forward whirl unstable at Ω/ω₀ = 1 + c_ext/c_int.

    In space ζ̈ + (c_e + c_i)ζ̇/m + (k − i c_i Ω)ζ/m = 0; the rotor sees ζe^{−iΩt}.
    """
    inner = 4.0
    outer = ratio * inner
    turns = np.linspace(0.0, 30.0, 32)
    diagram = campbell_diagram(
        point_rotor(10.0, damping=inner),
        TURN * turns,
        modes=2,
        axis=AXIS,
        bearings=[Bearing("all", damping=outer / 2)],
        engine_orders=(),
    )
    assert diagram.stability_limits == pytest.approx([TURN * 10 * (1 + ratio)], rel=1e-9)
    w0 = TURN * 10
    for k, speed in enumerate(diagram.speeds):
        c = (inner + outer) / (2 * MASS)
        roots = np.roots([1, 2 * c, w0**2 - 1j * inner * speed / MASS]) - 1j * speed
        seen = np.where(roots.imag < 0, roots.conj(), roots)
        expected = seen[np.argsort(-seen.imag)]
        found = diagram.eigenvalues[k, :2]
        assert found[np.argsort(-found.imag)] == pytest.approx(expected, rel=1e-8)
    assert diagram.stability_margins[0] == pytest.approx((inner + outer) / (2 * MASS), rel=1e-9)
    assert diagram.damping_ratios[0, 0] == pytest.approx((inner + outer) / (2 * MASS * w0), rel=1e-9)


def test_bearing_stiffness_is_the_same_in_both_frames() -> None:
    """A spring in space of half the stiffness beside one that turns: together ω₀, as if all turned."""
    k = MASS * (TURN * 10) ** 2
    half = point_rotor(10.0 / np.sqrt(2))
    diagram = campbell_diagram(half, [TURN * 3], modes=2, axis=AXIS, bearings=[Bearing("all", stiffness=k / 4)])
    assert np.sort(diagram.frequencies_hz[0])[:2] == pytest.approx([7.0, 13.0], rel=ROUNDING)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"speeds": []}, "speeds is \\[\\]; give one number or more"),
        ({"speeds": [2.0, 1.0]}, "do not increase"),
        ({"modes": 0}, "at least one"),
        ({"engine_orders": [0]}, "whole number from 1"),
        ({"tolerance": 0.5}, "between 0 and 0.1"),
        ({"axis": (0, 0, 0)}, "no direction"),
    ],
)
def test_refusals(change: dict, message: str) -> None:
    arguments = {"speeds": [1.0], "axis": AXIS} | change
    with pytest.raises(InputError, match=message):
        campbell_diagram(point_rotor(10.0), **arguments)


def test_bearings_are_checked() -> None:
    with pytest.raises(InputError, match="damping is -1"):
        Bearing("all", damping=-1.0)
    with pytest.raises(InputError, match="give a finite value"):
        Bearing("all", stiffness=np.nan)

"""Frequencies along the cycle: the elastic four-bar of the references, the lever of the wind pump."""

import importlib
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import flexframe as ff
from flexframe.analyses.cycle_spectrum.analysis import cycle_spectrum
from flexframe.cases.case import load_case
from flexframe.equations.coefficients import Terms
from flexframe.multibody.inverse_dynamics import inverse_dynamics
from flexframe.multibody.links.link import ElasticLink, link_history

from .links import PINNED, TURN, elastic_four_bar, slider_crank
from .test_cycle_modes import full_eigenvalues

EXAMPLES = Path(__file__).parents[2] / "examples"
# crank angle → f1, f2, f3 in Hz: Timoshenko bars, mechanism at rest, pin C left of the line from B to D
FOUR_BAR = {
    0: (42.941, 48.684, 61.044),
    60: (46.587, 50.625, 103.420),
    180: (47.318, 50.319, 86.835),
    300: (46.371, 50.487, 94.179),
}


@pytest.mark.parametrize(("divisions", "tolerance"), [(8, 5e-5), (16, 2e-5)])
def test_elastic_four_bar(divisions, tolerance):
    """The reference has five digits, rounding 1.2e-5; errors fall with h², 2.5e-4 for four elements a bar."""
    record = cycle_spectrum(elastic_four_bar(divisions), np.radians(list(FOUR_BAR)), count=3, at_rest=True)
    np.testing.assert_allclose(record.crank_angle_deg, list(FOUR_BAR), atol=1e-12)
    np.testing.assert_allclose(np.sort(record.frequencies_hz, axis=1), list(FOUR_BAR.values()), rtol=tolerance)
    assert not record.growth_rates.any()


def test_other_assembly_of_the_four_bar():
    """The pin below the ground link at 60° is the mirror image of the pin above it at 300°."""
    record = cycle_spectrum(elastic_four_bar(8, above=False), np.radians([60.0, 61.0]), count=3, at_rest=True)
    np.testing.assert_allclose(np.sort(record.frequencies_hz[0]), FOUR_BAR[300], rtol=5e-5)


def test_euler_bernoulli_is_stiffer():
    angles = np.radians(list(FOUR_BAR))
    shear, stiff = (
        cycle_spectrum(elastic_four_bar(16, theory=theory), angles, count=3, at_rest=True).frequencies_hz
        for theory in ("timoshenko", "euler_bernoulli")
    )
    gain = np.sort(stiff) / np.sort(shear) - 1
    assert 0.4e-4 < gain.min() < gain.max() < 7.5e-4  # the reference says 0.01 to 0.07 %, rounded


def test_four_bar_example():
    case = load_case(EXAMPLES / "four_bar.yaml")
    summary = case.analyses["spectrum"].run(case).summary()
    angles = np.array(summary["crank_angle_deg"])
    for angle, frequencies in FOUR_BAR.items():
        (row,) = np.flatnonzero(np.abs(angles - angle) < 1e-9)
        assert sorted(summary["frequencies_hz"][row])[:3] == pytest.approx(frequencies, rel=1e-3)
    assert summary["ambiguous_steps"] == 0


# ---------------------------------------------------------------------- wind pump


@cache
def wind_pump():
    return load_case(EXAMPLES / "wind_pump.yaml")


def test_lever_follows_its_axial_force():
    """A slender pinned link: f1² ≈ f0² (1 + N/N_cr) with N the mean axial force (weighted by cos², the same for a
    force that changes linearly). Shear, frame motion and the nonlinearity of N leave 2e-4."""
    case = wind_pump()
    record = case.analyses["spectrum"].run(case)
    lever = case.system().body("lever")
    forces = inverse_dynamics(record.motion)
    at_start, at_end = forces.on("B", "lever")[0][:, 0], forces.on("C", "lever")[0][:, 0]
    mean = (at_end - at_start) / 2
    EI = ff.STEEL.young * 0.025 * 0.005**3 / 12
    critical = np.pi**2 * EI / 0.45**2
    still = ff.modes(lever, count=1).frequencies_hz[0]
    np.testing.assert_allclose(record.frequencies_hz[:, 0], still * np.sqrt(1 + mean / critical), rtol=2e-4)
    # the force matters: without it the frequency would not change
    assert np.ptp(record.frequencies_hz[:, 0]) > 5e-3 * still
    assert np.ptp(mean) / critical > 0.015


def test_lever_is_constant_without_stress_and_frame_terms():
    case = wind_pump()
    record = case.analyses["unstressed"].run(case)
    assert np.ptp(record.frequencies_hz, axis=0).max() < 1e-9 * record.frequencies_hz[0, 0]
    still = ff.modes(case.system().body("lever"), count=6).frequencies_hz
    np.testing.assert_allclose(record.frequencies_hz[0], still, rtol=1e-9)
    assert any("not the complete physics" in notice for notice in record.notices)


def test_wind_pump_against_full_solutions():
    """3,600 positions in one call; at sampled instants LAPACK on the whole model, good to 1e-8 of the lowest."""
    system = wind_pump().system()
    times = np.linspace(0, 60 / 140, 3600, endpoint=False)
    record = cycle_spectrum(system, times, body="lever")
    assert record.error_estimate < 1e-8
    assert record.eigenvalues.shape == (3600, 6)
    history = link_history(inverse_dynamics(record.motion), "lever")
    equations = ElasticLink.attach(ff.discretise(system.body("lever"))).equations(history)
    for instant in range(0, 3600, 450):
        exact = full_eigenvalues(equations, instant, 6)
        np.testing.assert_allclose(record.eigenvalues[instant].imag, exact.imag, rtol=2e-8)
    assert not len(record.ambiguous)


# ---------------------------------------------------------------------- joined bodies in motion


def test_joined_slider_crank_has_the_frequencies_of_its_rod():
    """Crank and slide hold the ends of the rod almost like pins: its bending frequencies in motion are those of
    the rod alone to 1e-3; the slider, which follows stretching, changes the axial mode much."""
    times = np.linspace(0, TURN, 9)
    alone = cycle_spectrum(slider_crank(supports=PINNED), times, body="rod", count=2)
    joined = cycle_spectrum(slider_crank(), times, count=2)
    np.testing.assert_allclose(joined.frequencies_hz, alone.frequencies_hz, rtol=1e-3)
    assert joined.error_estimate < 1e-8


def test_terms_matter_one_by_one():
    times = np.linspace(0, TURN, 5)
    system = slider_crank(supports=PINNED)
    complete = cycle_spectrum(system, times, body="rod", count=2).eigenvalues
    for term in ("coriolis", "euler", "centrifugal", "geometric"):
        changed = cycle_spectrum(system, times, body="rod", count=2, terms=Terms(**{term: 0.0})).eigenvalues
        # ω/ω_1 = 150/1270: first order in the frame terms 1e-2 of λ², Coriolis and Euler second order 1e-6
        assert np.abs(changed - complete).max() > 1e-8 * np.abs(complete).max()


def test_errors():
    system, times = slider_crank(), np.linspace(0, TURN, 5)
    with pytest.raises(ff.InputError, match="tie it to the frame"):
        cycle_spectrum(system, times, body="rod")
    with pytest.raises(ff.InputError, match="crank is rigid"):
        cycle_spectrum(system, times, body="crank")
    with pytest.raises(ff.InputError, match="did you mean 'rod'"):
        cycle_spectrum(system, times, body="rob")
    with pytest.raises(ff.InputError, match="remove its supports"):
        cycle_spectrum(slider_crank(supports=PINNED), times)
    with pytest.raises(ff.InputError, match="at least one"):
        cycle_spectrum(system, times, count=0)
    rigid = replace(
        system, bodies=[b for b in system.bodies if b.name == "crank"], joints=system.joints[:1], start={}
    )
    with pytest.raises(ff.InputError, match="no body of the system is elastic"):
        cycle_spectrum(rigid, times)


def test_against_a_plain_loop():
    """Positions, forces, element matrices and eigenvalues written down for this linkage alone, one instant after
    another (the peer of the benchmark): companion matrices keep 1e-16 (ω_max/ω_1)² = 1e-8."""
    place = Path(__file__).parents[2] / "benchmarks"
    sys.path.insert(0, str(place))
    try:
        plain = importlib.import_module("wind_pump_cycle")
    finally:
        sys.path.remove(str(place))
    settings = ("bodies.lever.theory=euler_bernoulli", "bodies.lever.rotary_inertia=0")
    system = load_case(EXAMPLES / "wind_pump.yaml", settings).system()
    times = np.linspace(0, plain.PERIOD, 13)
    slides = np.stack(system.drives[1].constraints()[0].law.jet(times), axis=1)
    ours = cycle_spectrum(system, times, body="lever", count=plain.MODES).frequencies_hz
    np.testing.assert_allclose(ours, plain.plain(slides, times), rtol=1e-7)


def test_planar_linkage_in_space():
    """The same four-bar with bars that also bend out of the plane and twist: its frequencies in the plane are
    among the others, although three conditions of the rigid loop are redundant."""
    plane = elastic_four_bar(6)
    space = replace(plane, bodies=[replace(bar, space="spatial") for bar in plane.bodies], space="spatial")
    at = np.radians([0.0, 60.0])
    flat = cycle_spectrum(plane, at, count=3, at_rest=True).frequencies_hz
    both = cycle_spectrum(space, at, count=8, at_rest=True).frequencies_hz
    for row, wanted in zip(both, flat, strict=True):
        for frequency in wanted:
            assert np.abs(row / frequency - 1).min() < 1e-7

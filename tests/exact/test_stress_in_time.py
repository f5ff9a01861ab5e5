"""Stress through a motion of one body: place and time of the largest value."""

from dataclasses import replace

import numpy as np
import pytest

from flexframe.analyses.body_forces import frame_body_force
from flexframe.analyses.simulate import simulate
from flexframe.analyses.statics.analysis import statics
from flexframe.analyses.transient import stress_following
from flexframe.analyses.transient.analysis import Start
from flexframe.analyses.transient.record import Transient
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.assembly.stress_recovery import averaged_at_nodes, recovered_stress
from flexframe.elements.properties import STEEL, BeamProperty, Material, PlaneProperty, Rectangle, ShellProperty
from flexframe.equations.bodies import equations_of_motion
from flexframe.equations.coefficients import Terms
from flexframe.mesh.builders import block, polyline, rectangle
from flexframe.model.body import Body, Region
from flexframe.model.loads import Gravity, Traction
from flexframe.model.supports import Clamp, Fix
from flexframe.motion.frame import FrameMotion
from flexframe.sensors import DofSensor


def test_suddenly_loaded_bar() -> None:
    """One square of ν = 0 with one motion: σ = F/A (1 − cos ωt), 2F/A at half the period, to 1e-4 (steps).

    ω² = k/m = (E/L²)(3/ρ) of a linear displacement. The trapezoidal rule keeps the amplitude and lengthens the
    period by (ωΔt)²/12 = 3e-4 with 100 steps in it.
    """
    E, rho, traction = 4.0, 0.5, 1e-6  # small, so that the stress itself stiffens nothing
    body = Body(
        "bar",
        rectangle(1.0, 1.0, (1, 1), order=1),
        (Region(PlaneProperty(Material(E, 0.0, rho), 1.0)),),
        supports=(Fix("all", ("uy",)), Fix("left", ("ux",))),
        loads=(Traction("right", (traction, 0.0)),),
    )
    period = 2 * np.pi / np.sqrt(3 * E / rho)
    record = simulate(body, FrameMotion(), duration=1.2 * period, steps=120)
    peak = record.summary()["stress"]["von_mises"]
    assert peak["value"] == pytest.approx(2 * traction, rel=1e-4)
    assert peak["at_s"] == pytest.approx(period / 2, abs=0.011 * period)  # one step
    assert record.stress is not None
    history = record.stress.measures[0]
    exact = traction * (1 - np.cos(2 * np.pi * history.times / period))
    # the phase error of 3e-4 · 2π after one period
    np.testing.assert_allclose(history.values, np.abs(exact), atol=4e-3 * traction)


def clamped(kind: str) -> Body:
    """A clamped part of each sort of element."""
    gravity = Gravity((0, 0, -9.81) if kind in ("solid", "shell") else (0, -9.81, 0))
    match kind:
        case "solid":
            return Body.solid(
                "part",
                block((1, 0.1, 0.1), (4, 1, 1)),
                material=STEEL,
                supports=(Clamp("left"),),
                loads=(gravity,),
            )
        case "shell":
            return Body(
                "part",
                rectangle(1.0, 0.2, (6, 2), order=1),
                (Region(ShellProperty(STEEL, 0.01)),),
                supports=(Clamp("left"),),
                loads=(gravity,),
                space="spatial",
            )
        case "plane":
            return Body.plane(
                "part",
                rectangle(1.0, 0.1, (6, 1), order=2),
                material=STEEL,
                thickness=0.02,
                supports=(Clamp("left"),),
                loads=(gravity,),
            )
    return Body(
        "part",
        polyline([(0, 0), (1, 0)], divisions=5),
        (Region(BeamProperty(STEEL, Rectangle(0.02, 0.03))),),
        supports=(Clamp("start"),),
        loads=(gravity,),
    )


def moved(kind: str) -> tuple[DiscreteBody, FrameMotion, Transient]:
    discrete = discretise(clamped(kind))
    motion = FrameMotion.spin(30.0)
    return discrete, motion, simulate(discrete, motion, duration=0.02, steps=12)


@pytest.mark.parametrize("kind", ["solid", "shell", "plane"])
def test_every_instant_is_that_of_the_elements(kind: str) -> None:
    """All instants at once give what the elements give one by one, to round-off, and so do the nodal averages."""
    discrete, motion, record = moved(kind)
    assert record.stress is not None
    force = frame_body_force(motion, Terms(), discrete.loads.gravity)
    assert {m.measure for m in record.stress.measures} == {"von_mises", "principal_max", "principal_min"}
    for number, nodal in enumerate(record.displacements):
        delta = np.zeros(discrete.dofs.count)
        mask = discrete.dofs.numbers >= 0
        delta[discrete.dofs.numbers[mask]] = nodal[mask]
        parts = recovered_stress(discrete, delta, force)
        for history in record.stress.measures:
            values = np.concatenate([part.measures[history.measure].ravel() for part in parts])
            places = np.concatenate([part.positions.reshape(-1, 3) for part in parts])
            extreme = values.min() if history.measure == "principal_min" else values.max()
            assert history.values[number] == pytest.approx(extreme, rel=1e-9, abs=1e-6)
            # the place shown has this value
            there = values[np.abs(places - history.places[number]).max(axis=1) < 1e-12]
            assert np.abs(there - extreme).min() <= 1e-9 * abs(extreme) + 1e-6
        assert record.stress.nodal is not None
        expected = averaged_at_nodes(discrete, parts)["von_mises"]
        np.testing.assert_allclose(record.stress.nodal[number], expected, atol=1e-9 * expected.max() + 1e-6)


@pytest.mark.parametrize("divisions", [1, 4])
def test_root_of_a_beam_carries_what_the_support_does(divisions: int) -> None:
    """σ at the clamp follows from the reaction M δ̈ + K δ − f of the whole matrices at every instant.

    With M and K of the body and δ̈ from its free rows: nothing is left of the elements.
    """
    body = clamped("beam")
    section = Rectangle(0.02, 0.03)
    region = Region(BeamProperty(STEEL, section, rotary_inertia=0.0), family="euler_bernoulli_beam")
    body = replace(body, mesh=polyline([(0, 0), (1, 0)], divisions=divisions), regions=(region,))
    discrete, motion = discretise(body), FrameMotion.spin(30.0)
    # without stress that turns with the beam, which acts at the nodes, and without rates
    terms = Terms(geometric=0, coriolis=0)
    body_equations = equations_of_motion(discrete, motion, terms)
    M, K = (part.toarray() for part in (body_equations.mass, body_equations.stiffness))
    f = body_equations.load
    record = simulate(discrete, motion, duration=0.03, steps=150, terms=terms)
    assert record.stress is not None
    history = record.stress.measures[0]
    held = discrete.dofs.numbers[0][discrete.dofs.numbers[0] >= 0]
    free = np.setdiff1d(np.arange(discrete.dofs.count), held)
    mask = discrete.dofs.numbers >= 0
    checked = 0
    for number, nodal in enumerate(record.displacements):
        if np.abs(history.places[number]).max() > 1e-12:
            continue
        delta = np.zeros(discrete.dofs.count)
        delta[discrete.dofs.numbers[mask]] = nodal[mask]
        force = f - K @ delta
        second = np.zeros_like(delta)
        second[free] = np.linalg.solve(M[np.ix_(free, free)], force[free])
        reaction = (M @ second - force)[held]
        W = section.width * section.height**2 / 6
        expected = abs(reaction[0]) / section.area + abs(reaction[2]) / W
        # K δ is the difference of numbers up to the condition of K larger than it
        assert history.values[number] == pytest.approx(expected, rel=1e-8)
        checked += 1
    assert checked > 50


def test_peaks_do_not_depend_on_what_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven of 121 instants are stored, none near the peak; 2F/A and twice the static extension are found.

    As in the test of the suddenly loaded bar, whose bounds these are.
    """
    monkeypatch.setattr(stress_following, "_INSTANTS", 7)
    E, rho, traction = 4.0, 0.5, 1e-6
    body = Body(
        "bar",
        rectangle(1.0, 1.0, (1, 1), order=1),
        (Region(PlaneProperty(Material(E, 0.0, rho), 1.0)),),
        supports=(Fix("all", ("uy",)), Fix("left", ("ux",))),
        loads=(Traction("right", (traction, 0.0)),),
    )
    period = 2 * np.pi / np.sqrt(3 * E / rho)
    sensors = {"end": DofSensor("right", "ux")}
    record = simulate(body, FrameMotion(), duration=1.2 * period, steps=120, samples=7, sensors=sensors)
    told = record.summary()
    assert len(record.times) == 7 and np.abs(record.times - period / 2).min() > 0.05 * period
    assert told["stress"]["von_mises"]["value"] == pytest.approx(2 * traction, rel=1e-4)
    assert told["peaks"]["end"]["max"] == pytest.approx(2 * traction / E, rel=1e-4)
    assert told["peaks"]["end"]["max_at_s"] == pytest.approx(period / 2, abs=0.011 * period)
    assert told["peaks"]["end"]["min"] == 0.0 and told["peaks"]["end"]["min_at_s"] == 0.0
    assert "stored: one step in 20; peaks are over all steps" in told["notices"]


def test_slow_motion_is_statics() -> None:
    """A body that starts in its equilibrium stays there: the peak is the static one, at its place, to 1e-6."""
    body = clamped("plane")
    record = statics(body)
    discrete = discretise(body)
    delta = np.zeros(discrete.dofs.count)
    mask = discrete.dofs.numbers >= 0
    delta[discrete.dofs.numbers[mask]] = record.displacements[mask]
    motion = simulate(
        discrete, FrameMotion(), duration=0.01, steps=10, start=Start(delta), terms=Terms(geometric=0)
    )
    peak = motion.summary()["stress"]["von_mises"]
    largest = next(m for m in record.maxima if m.measure == "von_mises")
    assert peak["value"] == pytest.approx(largest.value, rel=1e-6)
    assert peak["cell"] == largest.cell


def test_long_motions_are_thinned_with_a_notice() -> None:
    """4000 instants are stored at most; the record says so."""
    body = replace(clamped("beam"), mesh=polyline([(0, 0), (1, 0)], divisions=1))
    record = simulate(body, FrameMotion(), duration=0.5, steps=4300)
    assert record.stress is not None
    assert 4000 <= len(record.stress.measures[0].times) <= 4200
    assert any("4000 of 4301 instants; peaks are over all steps" in notice for notice in record.notices)
    without = simulate(body, FrameMotion(), duration=0.01, steps=10, stress=False)
    assert without.stress is None
    assert without.summary()["stress"] == {}

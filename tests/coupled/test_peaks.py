"""Extremes over every step of a coupled motion, however few samples are stored."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice, elastic_parts
from flexframe.analyses.transient.coupled.part_stress import PartStress
from flexframe.analyses.transient.coupled.schedule import schedule
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.assembly.stress_recovery import recovered_stress
from flexframe.cases.case import load_case, parse_case
from flexframe.elements.properties import STEEL, PlaneProperty, Rectangle, ShellProperty
from flexframe.mesh.builders import rectangle
from flexframe.model.body import Body, Region
from flexframe.model.joints import Weld
from flexframe.model.supports import Clamp
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.multibody.contract import SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.strategies import Modal

from .samples import strip, swing

EXAMPLES = Path(__file__).parents[2] / "examples"

# a beam with its static shape as coordinate: F is put on at t = 0, and the tip goes to twice its static deflection
CANTILEVER = """\
ground: {O: [0, 0]}
bodies:
  beam:
    mesh: {line: {length: 1 m, divisions: 4}}
    material: steel
    section: {rectangle: {width: 20 mm, height: 10 mm}}
    element: euler_bernoulli_beam
    supports: [{clamp: start}]
    reduction: {strategy: guyan}
joints:
  wall: {fixed: [ground.O, beam.start]}
loads:
  tip: {force: [0, 50], on: beam.end}
analyses:
  run:
    kind: transient
    initial_deformation: undeformed
    duration: 0.08 s
    STEP
    samples: SAMPLES
    terms: {geometric: 0}
    sensors:
      tip: {displacement: beam.end, along: [0, 1]}
"""
DEFLECTION = 50.0 / (3 * STEEL.young * 0.02 * 0.01**3 / 12)


def pulled(step: str, samples: int) -> CoupledMotion:
    text = CANTILEVER.replace("STEP", step).replace("SAMPLES", str(samples))
    case = parse_case(text, file="cantilever.yaml", folder=Path.cwd())
    return case.analyses["run"].run(case)


@pytest.mark.parametrize(
    "step",
    ["step: 0.1 ms", "tolerance: 1e-8", "{tolerance: 1e-6, formalism: kane}"],
    ids=["alpha", "pair", "kane"],
)
def test_sudden_load_doubles_the_static_deflection(step: str) -> None:
    """One coordinate: the tip reaches 2 F L³/3EI whatever is stored.

    The first mode has a period of 0.12 s: 0.1 ms, and parts of steps of error control, miss the top by less than
    (π/1200)²/2; generalised-α damps less than that.
    """
    lines = step.strip("{}").replace(", ", "\n    ")
    record = pulled(lines, 3)
    assert len(record.times) == 3
    told = record.summary()["peaks"]["tip"]
    assert told["max"] == pytest.approx(2 * DEFLECTION, rel=2e-4)
    assert told["min"] == pytest.approx(0.0, abs=1e-9 * DEFLECTION) or told["min"] > -2e-4 * DEFLECTION
    # the period of one coordinate whose shape is that of the tip force, 33/140 of the mass: k = 3EI/L³
    period = 2 * np.pi * np.sqrt(33 / 140 * STEEL.density * 0.02 * 0.01 / (50.0 / DEFLECTION))
    assert abs(told["max_at_s"] / period - round(told["max_at_s"] / period - 0.5) - 0.5) < 0.02
    # stored instants do not see it
    assert record.sensors["tip"].values.max() < 1.6 * DEFLECTION


@cache
def swung(samples: int) -> CoupledMotion:
    return swing(
        ("samples: 101", f"samples: {samples}"),
        ("kind: transient", "kind: transient\n    initial_deformation: undeformed"),
    )


def test_every_sensor_is_seen_at_every_step() -> None:
    """With three samples the extremes are those of a run that stores all 1001 instants, searched here.

    Between samples accelerations and forces are those of the integrator, which meets them to its own order: 1e-3.
    """
    few, all_steps = swung(3), swung(1001)
    assert few.figures.steps == all_steps.figures.steps == 1000
    for name, sensor in all_steps.sensors.items():
        columns, found = sensor.columns(), few.sensors[name].extremes(few.times)
        for component, values in columns.items():
            size = np.abs(values).max()
            assert found[component].largest == pytest.approx(values.max(), abs=1e-3 * size), (name, component)
            assert found[component].least == pytest.approx(values.min(), abs=1e-3 * size), (name, component)
            # and never less than what is stored, but for the rounding of sums formed in blocks of other lengths
            stored, rounding = few.sensors[name].columns()[component], ROUNDING * size
            assert found[component].least <= stored.min() + rounding
            assert found[component].largest >= stored.max() - rounding
    force = np.linalg.norm(all_steps.forces.joints["hinge"].force, axis=1).max()
    assert few.summary()["joints"]["hinge"]["max_force_N"] == pytest.approx(force, rel=1e-3)
    (stress,) = few.stress
    assert stress.value == pytest.approx(all_steps.stress[0].largest.max(), rel=1e-3)
    assert few.summary()["samples"]["stored"] == "stored: one step in 500; peaks are over all steps"
    assert all_steps.summary()["samples"]["stored"] == "every step"


def test_largest_stress_is_what_a_sensor_there_sees() -> None:
    """The rod of the slider-crank: the peak of the body is the largest of sensors on all its nodes."""
    case = load_case(
        EXAMPLES / "slider_crank_flexible.yaml", ["analyses.run.steps=1440", "analyses.run.samples=13"]
    )
    entry = case.analyses["run"]
    text = {f"at{k}": {"stress": f"rod.{k}"} for k in range(17)}
    entry = type(entry).model_validate(entry.model_dump(exclude_unset=True) | {"sensors": text})
    record = entry.run(case)
    (stress,) = record.stress  # type: ignore[attr-defined]
    peaks = {name: sensor.extremes(record.times)[""] for name, sensor in record.sensors.items()}  # type: ignore[attr-defined]
    worst = max(peaks, key=lambda name: peaks[name].largest)
    assert stress.peak.along in (0.0, 1.0) and stress.peak.fibre is not None
    assert peaks[worst].largest == pytest.approx(stress.value, rel=1e-12)
    assert peaks[worst].largest_at == stress.time
    assert np.abs(np.abs(stress.peak.fibre) - 0.004).max() < 1e-12
    assert stress.largest.max() < 0.98 * stress.value  # the stored instants miss it


def test_peaks_outlive_an_interruption(tmp_path, monkeypatch) -> None:
    """What was seen before an interruption counts: the extremes are those of the run in one piece, bit by bit."""
    from flexframe.analyses.simulate import simulate
    from flexframe.results.checkpoint import Checkpoint
    from flexframe.sensors import StressSensor

    monkeypatch.setattr("flexframe.results.checkpoint.QUIET_SECONDS", -1.0)
    case = strip()
    sensors = {"s": StressSensor("stress", "strip", (0.5, 0.0))}
    options = {"duration": 0.2, "step": 2e-4, "samples": 26, "sensors": sensors, "reductions": case.reductions()}
    whole = simulate(case.system(), **options)

    def stop(part: float) -> None:
        if part > 0.7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(case.system(), **options, progress=stop, checkpoint=Checkpoint(tmp_path / "kept.npz"))
    resumed = simulate(case.system(), **options, checkpoint=Checkpoint(tmp_path / "kept.npz", resume=True))
    assert resumed.resumed_at is not None and resumed.resumed_at > 0.1
    assert resumed.sensors["s"].peaks == whole.sensors["s"].peaks
    assert resumed.stress[0].peak.summary() == whole.stress[0].peak.summary()
    assert resumed.force_peaks == whole.force_peaks


@pytest.mark.parametrize("sort", ["plane", "shell"])
def test_nothing_is_lost_by_passing_over_points_and_instants(sort: str) -> None:
    """The peak of a block of 150 random states is that of recovering the stress of each, point by point."""
    mesh = rectangle(0.4, 0.1, (6, 2), order=1 if sort == "shell" else 2)
    prop = ShellProperty(STEEL, 0.004) if sort == "shell" else PlaneProperty(STEEL, 0.01)
    space = "spatial" if sort == "shell" else "planar"
    body = Body("plate", mesh, (Region(prop),), supports=(Clamp("left"),), space=space)
    system = System([body], [Weld("wall", "ground", "plate.left")], space=space)
    (part,) = elastic_parts(system, {"plate": ReductionChoice(Modal(5))}, watched={}).values()
    rng = np.random.default_rng(3)
    scale = 1e-3 * 10.0 ** -np.arange(part.reduced.size)
    for _ in range(5):
        coordinates = rng.normal(size=(150, part.reduced.size)) * rng.permutation(scale)
        watch = PartStress(part)
        (linear,) = watch._linear
        found = linear.best(coordinates, -1.0)
        expected = np.array(
            [
                max(r.measures["von_mises"].max() for r in recovered_stress(part.discrete, u))
                for u in part.reduced.basis.expand(coordinates)
            ]
        )
        assert found is not None
        assert found[0] == pytest.approx(expected.max(), rel=1e-10) and found[1] == expected.argmax()
        assert linear.best(coordinates, 1.001 * expected.max()) is None


# ---------------------------------------------------------------------- steps and samples


@pytest.mark.parametrize(
    ("step", "samples", "steps", "stored"),
    [
        (1e-3, None, 1000, 251),  # every fourth of 1000 steps, and no other number of them
        (1e-2, None, 100, 101),  # a coarse step stays what it is
        (1e-2, 401, 100, 101),  # more samples than steps
        (1e-3, 101, 1000, 101),
        (1e-3, 401, 1200, 401),  # three steps fit where two and a half were asked for
        (3.0, None, 1, 2),
    ],
)
def test_step_is_what_was_asked_for(step: float, samples: int | None, steps: int, stored: int) -> None:
    """Over one second; the step taken divides the time between samples and is never longer than asked for."""
    plan = schedule(SimulationOptions(1.0, step, samples=samples))
    assert plan.step is not None and plan.step <= step * (1 + 1e-12)
    assert round(1.0 / plan.step) == steps and len(plan.times) == stored
    assert (steps % (stored - 1)) == 0
    assert bool(plan.notices) == (samples is not None and samples - 1 > steps)


def test_record_states_the_step_that_was_taken() -> None:
    """5 ms over 0.2 s are 40 steps, also with the usual 401 samples; elsewhere both steps are stated."""
    short = ("kind: transient", "kind: transient\n    initial_deformation: undeformed")
    coarse = swing(short, ("step: 0.2 ms", "step: 5 ms"), ("samples: 101", "samples: 401"))
    told = coarse.summary()
    assert told["steps"] == 40 and told["integration"]["step"] == pytest.approx(5e-3)
    assert "step 0.005 s" in told["method"] and len(coarse.times) == 41
    assert any("every step is stored" in notice for notice in coarse.notices)
    uneven = swing(short, ("step: 0.2 ms", "step: 1.5 ms")).summary()  # 100 intervals of 2 ms
    assert uneven["steps"] == 200 and uneven["integration"]["step"] == pytest.approx(1e-3)
    assert uneven["integration"]["asked_step"] == pytest.approx(1.5e-3)
    assert "step 0.001 s (0.0015 s asked for)" in uneven["method"]


def test_nominal_step_does_not_matter_where_samples_are_closer() -> None:
    """A motion in steps of the spacing of its samples is the same bit by bit, however coarse the step is named."""
    beam = Body.beam(
        "beam", length=1.0, divisions=4, section=Rectangle(0.02, 0.01), material=STEEL, supports=(Clamp("start"),)
    )
    pull = MarkerForce("tip", "beam.end", (0.0, 50.0, 0.0))
    ready = dynamic_system(System([beam], [Weld("wall", "ground", "beam.start")], loads=[pull]))
    times = np.linspace(0.0, 0.01, 21)
    fine, coarse = (
        integrate(ready, SimulationOptions(duration=0.01, step=step), times=times) for step in (5e-4, 5.0)
    )
    np.testing.assert_array_equal(fine.deformations, coarse.deformations)
    np.testing.assert_array_equal(fine.multipliers, coarse.multipliers)

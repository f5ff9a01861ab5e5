"""Coupled motions that start on their steady cycle: exact responses, long runs that settle, what is refused."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import flexframe as ff
from flexframe.cases.case import load_case, parse_case
from flexframe.entries.problems import CaseError
from flexframe.errors import AnalysisError, InputError

EXAMPLES = Path(__file__).parents[2] / "examples"
SHAKEN = """\
ground: {O: [0, 0]}
materials: {hard: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}}
bodies:
  beam:
    mesh: {line: {length: 1 m, divisions: 8}}
    material: hard
    section: {rectangle: {width: 20 mm, height: 20 mm}}
    theory: euler_bernoulli
    rotary_inertia: 0
    supports: [{clamp: start}]
    reduction: {modes: 4, inertia_shapes: true}
joints: {guide: {prismatic: [ground.O, beam.start], axis: [0, 1]}}
drives: {shaker: {position: 0.001*sin(60*t), joint: guide}}
analyses:
  run:
    kind: transient
    duration: 0.10471975511965977
    steps: 400
    samples: 401
    initial_deformation: periodic
    period: 0.10471975511965977
    sensors:
      tip: {displacement: beam.end, along: [0, 1]}
"""


@cache
def motion(text, *overrides):
    case = parse_case(text, file="cycle.yaml", folder=Path.cwd(), overrides=overrides)
    return case.analyses["run"].run(case)


def test_a_shaken_cantilever():
    """w(L)/w(0) = (cos λ + cosh λ)/(1 + cos λ cosh λ), λ⁴ = ρAΩ²L⁴/EI: a sine without transients.

    Generalised-α lowers frequencies by (ωh)²/12, 1e-4 of the first one here; the coordinates lack less.
    """
    found = motion(SHAKEN)
    wave = (7850 * 4e-4 * 60**2 / (210e9 * 0.02**4 / 12)) ** 0.25
    ratio = (np.cos(wave) + np.cosh(wave)) / (1 + np.cos(wave) * np.cosh(wave)) - 1
    expected = 1e-3 * ratio * np.sin(60 * found.times)
    assert found.sensors["tip"].values == pytest.approx(expected, abs=1e-3 * np.abs(expected).max())
    cycle = found.summary()["start"]["cycle"]
    assert cycle["period_s"] == pytest.approx(2 * np.pi / 60)
    assert cycle["residual"] < 1e-6
    assert found.summary()["start"]["initial_deformation"] == "periodic"


def test_without_damping_a_notice_says_that_nothing_settles():
    """Generalised-α hardly damps the first mode, (ωh)³ of order 1e-5: disturbances stay, which a notice says."""
    found = motion(SHAKEN)
    assert found.start.cycle.multiplier == pytest.approx(1.0, abs=1e-4)
    assert any("does not attract" in notice for notice in found.notices)
    damped = motion(SHAKEN, "bodies.beam.reduction.damping_ratio=0.05")
    assert damped.start.cycle.attracts
    assert not any("does not attract" in notice for notice in damped.notices)
    # e^(−ζωT) of the first mode, the slowest: 0.05 · 105 rad/s · 0.1047 s
    slowest = np.exp(-0.05 * 1.87510407**2 * np.sqrt(210e9 * 0.02**4 / 12 / (7850 * 4e-4)) * 2 * np.pi / 60)
    assert damped.start.cycle.multiplier == pytest.approx(slowest, rel=0.02)


CRANK = (
    "analyses.run.steps=450",
    "analyses.run.samples=91",
    "bodies.rod.reduction={modes: 2, inertia_shapes: true, damping_ratio: 0.1}",
    "bodies.crank={mesh: {line: {length: 150 mm, divisions: 4}}, material: rod steel, "
    "section: {rectangle: {width: 10 mm, height: 10 mm}}, supports: [{clamp: start}], "
    "reduction: {modes: 2, inertia_shapes: true, damping_ratio: 0.1}}",
    "joints.A={revolute: [ground.A, crank.start]}",
    "joints.B={revolute: [crank.end, rod.start]}",
)


def crank(*overrides):
    case = load_case(EXAMPLES / "slider_crank_flexible.yaml", (*CRANK, *overrides))
    return case.analyses["run"].run(case)


def test_two_elastic_bodies_against_a_long_run():
    """The last of eight turns from the undeformed start, when what was not periodic has died away."""
    cycle = crank("analyses.run.initial_deformation=periodic")
    settled = crank(
        "analyses.run.duration=0.3351032163829112", "analyses.run.steps=3600", "analyses.run.samples=721"
    )
    assert cycle.start.cycle.multiplier**8 < 1e-3
    last = settled.sensors["middle"].values[-91:]
    size = np.abs(last).max()
    assert cycle.sensors["middle"].values == pytest.approx(
        last, abs=(1e-3 + cycle.start.cycle.multiplier**7) * size
    )
    # one turn later it is where it was: 2π/150 found from the drive
    assert cycle.start.cycle.period == pytest.approx(2 * np.pi / 150, rel=1e-12)
    values = cycle.sensors["middle"].values
    assert values[-1] == pytest.approx(values[0], abs=1e-5 * size)


def test_a_wheel_that_turns_steadily():
    """Nothing changes from step to step, not even by rounding."""
    wheel = ff.RigidBody("wheel", 1.0, 0.1)
    axle, motor = ff.Revolute("axle", "ground", "wheel"), ff.AngleDrive("motor", "ground", "wheel", "10*t")
    found = ff.simulate(ff.System([wheel], [axle], [motor]), duration=1.0, step=0.01, samples=11)
    assert found.motion.body("wheel").angles == pytest.approx(10 * found.times, abs=1e-12)


def test_what_has_no_cycle_is_refused():
    spun = SHAKEN.replace("{position: 0.001*sin(60*t), joint: guide}", "{position: 0.001*sin(59*t), joint: guide}")
    with pytest.raises(AnalysisError, match="drive shaker differs"):
        motion(spun)
    with pytest.raises(InputError, match="does not follow from drives that turn steadily"):
        motion(SHAKEN, "analyses.run.period=null")
    stone = ff.RigidBody("stone", 1.0, 0.1)
    wheel = ff.RigidBody("wheel", 1.0, 0.1)
    system = ff.System(
        [wheel, stone],
        [ff.Revolute("axle", "ground", "wheel")],
        [ff.AngleDrive("motor", "ground", "wheel", "10*t")],
    )
    with pytest.raises(AnalysisError, match=r"the cycle is not unique: a disturbance comes back .* as 1"):
        ff.simulate(system, duration=1.0, step=0.01, initial_deformation="periodic")
    with pytest.raises(CaseError, match="period: belongs to initial_deformation: periodic"):
        motion(SHAKEN, "analyses.run.initial_deformation=undeformed")

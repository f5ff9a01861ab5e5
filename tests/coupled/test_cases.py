"""Coupled motion in case files: what is refused, what is chosen by default, resuming, and ends before the end."""

from pathlib import Path

import numpy as np
import pytest

from flexframe.analyses.contract import Monitor
from flexframe.analyses.transient.coupled_record import even_instants
from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.entries.problems import CaseError
from flexframe.errors import AnalysisError, StopRequest
from flexframe.results.checkpoint import Checkpoint, checkpoint_beside, keep_in

from .samples import strip, swing


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("step: 0.2 ms", "modes: 3"), "no step is given; give one of step, steps and tolerance"),
        (("step: 0.2 ms", "step: 0.2 ms\n    steps: 10"), "steps and step is given; give one of"),
        (("strip.end}", "strop.end}"), "sensors.tip: unknown body 'strop' (did you mean 'strip'?)"),
        (("{angle: strip}", "{angle: strap}"), "sensors.angle: unknown body 'strap'"),
        (("joint_force: hinge", "joint_force: hunge"), "unknown joint 'hunge' (did you mean 'hinge'?)"),
        (("dof: uy, body: strip", "dof: uy, body: strop"), "sensors.bend: is on 'strop'; name an elastic body"),
        (("step: 0.2 ms", "step: 0.2 ms\n    terms: {coriolis: 0}"), "terms.coriolis: cannot be changed"),
        (("step: 0.2 ms", "step: 0.2 ms\n    terms: {geometric: 0.5}"), "terms.geometric: is 0 or 1"),
        (("step: 0.2 ms", "step: 0.2 ms\n    formalism: kane"), "give tolerance, not a step"),
        (("step: 0.2 ms", "step: 0.2 ms\n    integrator: dormand_prince"), "give tolerance instead of a step"),
        (("reduction: {modes: 3}", "reduction: {mode: 3}"), "reduction"),
        (("    reduction", "    motion: {spin: 3}\n    reduction"), "bodies.strip.motion: is not used by run"),
        (("angle: {angle: strip}", "angle: {angel: strip}"), "'angel' is not a sensor (did you mean 'angle'?)"),
    ],
)
def test_wrong_cases_are_refused_at_their_line(change, message):
    with pytest.raises(CaseError) as caught:
        strip(change)
    assert message in str(caught.value)
    assert str(caught.value).startswith("strip.yaml:")


def test_one_body_on_a_known_motion_is_another_analysis():
    """With `motion` the same kind is the motion of one body, which has no integrator and needs steps."""
    with pytest.raises(CaseError, match="belongs to the motion of a system; on one body give steps"):
        strip(("step: 0.2 ms", "tolerance: 1.0e-6\n    motion: rest"))


def test_a_body_without_reduction_gets_one_that_is_told():
    found = swing(
        ("    reduction: {modes: 3}\n", ""), overrides=("analyses.run.duration=1 ms", "analyses.run.samples=2")
    )
    assert found.reductions[0].by_default
    assert any("has no reduction of its own" in notice for notice in found.notices)
    assert found.reductions[0].size == 8  # eight modes; one hinge, held by the frame's own support, adds none


def test_an_interface_that_is_none_is_refused():
    with pytest.raises(CaseError) as caught:
        run_case(strip(("{modes: 3}", "{modes: 3, interfaces: {end: rigid}}")))
    assert "bodies.strip.reduction: body strip: unknown marker of a joint, drive or load 'end'" in str(
        caught.value
    )


def test_summary_and_dataset():
    """The keys of the format, vectors with components, and everything in the dataset."""
    found = swing()
    summary = found.summary()
    assert summary["kind"] == "transient"
    assert summary["coupling"] == "two-way"
    for key in ("times_s", "sensors", "energy_drift", "constraint_residual", "steps", "seconds", "notices"):
        assert key in summary
    assert summary["sensors"]["tip"]["components"] == ["x", "y"]
    assert np.array(summary["sensors"]["tip"]["values"]).shape == (101, 2)
    assert summary["steps"] == 1000
    dataset = found.to_xarray()
    assert dataset["sensor_tip"].shape == (101, 2)
    assert dataset["coordinates_strip"].shape == (101, found.reductions[0].size)
    assert dataset["displacement_strip"].shape == (101, 9, 6)
    assert dataset.attrs["bodies"] == "strip"
    assert list(found.to_dataframe().columns)[:2] == ["tip x", "tip y"]


def test_summaries_keep_even_instants():
    """2001 samples become 401 with equal spacing, so that times of interest stay."""
    assert (even_instants(2001) == np.arange(0, 2001, 5)).all()
    assert (even_instants(1441) == np.arange(0, 1441, 4)).all()
    assert len(even_instants(1000)) <= 500
    assert even_instants(1000)[-1] == 999


def test_progress_is_told():
    """Growing parts of the one analysis, the last being all of it."""
    seen = []
    run_case(strip(), lambda *told: seen.append(told[0]))
    assert seen[0] == 0
    assert seen[-1] == 1
    assert (np.diff(seen) >= 0).all()


FEW_SAMPLES = ("analyses.run.samples=26",)


class _KilledError(Exception):
    """Stands for the end of the process."""


def _save_every_time(monkeypatch):
    monkeypatch.setattr("flexframe.results.checkpoint.QUIET_SECONDS", -1.0)
    monkeypatch.setattr("flexframe.results.checkpoint.SHARE", 0)


def _run(case, checkpoint):
    with keep_in(checkpoint):
        return case.analyses["run"].run(case)


def test_a_killed_run_goes_on_with_the_same_bits(tmp_path, monkeypatch):
    """Stopped after some stretches and resumed, the histories are those of the run without a break."""
    _save_every_time(monkeypatch)
    monkeypatch.setattr(
        "flexframe.analyses.transient.coupled.segments.SEGMENT_SECONDS", 0.0
    )  # one for each sample
    whole = _run(strip(overrides=FEW_SAMPLES), checkpoint_beside(tmp_path / "whole", "run"))
    place = checkpoint_beside(tmp_path / "out", "run", resume=True)
    saved = Checkpoint.save
    count = 0

    def save(self, fingerprint, arrays):
        nonlocal count
        saved(self, fingerprint, arrays)
        count += '"motion ' in str(arrays["index"])  # modes are kept before
        if count == 7:
            raise _KilledError

    monkeypatch.setattr(Checkpoint, "save", save)
    with pytest.raises(_KilledError):
        _run(strip(overrides=FEW_SAMPLES), place)
    resumed = _run(strip(overrides=FEW_SAMPLES), place)
    assert resumed.resumed_at == whole.times[7]
    for name, sensor in whole.sensors.items():
        assert (sensor.values == resumed.sensors[name].values).all(), name
    assert (whole.energies["kinetic"] == resumed.energies["kinetic"]).all()
    assert whole.figures.steps == resumed.figures.steps


def test_a_motion_within_a_bound_is_the_beginning_of_the_whole(tmp_path, monkeypatch):
    """What a bound leaves is the beginning; what is resumed has the bits of the run without a break."""
    from dataclasses import replace

    monkeypatch.setattr(
        "flexframe.analyses.transient.coupled.segments.SEGMENT_SECONDS", 0.0
    )  # one for each sample
    case, place = strip(overrides=FEW_SAMPLES), checkpoint_beside(tmp_path / "out", "run", resume=True)
    whole = _run(case, checkpoint_beside(tmp_path / "whole", "run"))

    def until_half(done: float) -> None:
        if done > 0.5:
            raise StopRequest("the time of 1 s is used up", 3, keeps_results=True)

    part = _run(replace(case, monitor=Monitor(until_half)), place)
    count = len(part.times)
    assert part.stopped == f"the time of 1 s is used up at t = {whole.times[count - 1]:.6g} s"
    assert 0.4 * whole.times[-1] < part.times[-1] <= 0.5 * whole.times[-1]
    assert (part.energies["kinetic"] == whole.energies["kinetic"][:count]).all()
    rest = _run(case, place)
    assert rest.resumed_at == part.times[-1]
    assert (rest.energies["kinetic"] == whole.energies["kinetic"]).all()


def test_a_checkpoint_of_another_motion_is_not_used(tmp_path, monkeypatch):
    """A changed material, step or load has another fingerprint."""
    _save_every_time(monkeypatch)
    place = checkpoint_beside(tmp_path / "out", "run", resume=True)
    _run(strip(), place)
    assert place.path.exists()
    for change in (("material: steel", "material: titanium"), ("-9.81", "-9.80"), ("0.2 ms", "0.1 ms")):
        assert _run(strip(change), place).resumed_at is None
    place.path.write_bytes(b"cut short")
    assert _run(strip(), place).resumed_at is None


def test_a_soft_strip_ends_where_deflections_are_large():
    """A strip of 0.2 mm bends beyond small deflections under its weight; the record ends there."""
    found = swing(("height: 4 mm", "height: 0.2 mm"), overrides=("analyses.run.initial_deformation=undeformed",))
    assert "small deflections" in found.stopped
    assert 0 < found.times[-1] < 0.2
    assert found.summary()["finished"] is False
    with pytest.raises(AnalysisError, match=r"strip left the range of small deflections at t = 0 s"):
        swing(("height: 4 mm", "height: 0.2 mm"))


@pytest.mark.parametrize("seconds", [20.0, 0.0])
def test_steps_with_error_control_do_not_depend_on_segments(tmp_path, monkeypatch, seconds):
    """A run in segments, ever longer or (where each counts as long) one a sample, takes the steps of one run."""
    changes = ("analyses.run.duration=0.5 s", "analyses.run.samples=101")
    case = load_case(Path(__file__).parents[2] / "examples" / "double_pendulum.yaml", changes)
    whole = _run(case, None)
    monkeypatch.setattr("flexframe.analyses.transient.coupled.segments.SEGMENT_SECONDS", seconds)
    cut = _run(case, checkpoint_beside(tmp_path / "out", "run"))
    assert cut.figures.steps == whole.figures.steps
    assert cut.figures.rejected == whole.figures.rejected
    assert (cut.energies["kinetic"] == whole.energies["kinetic"]).all()

"""A sweep that is continued gives what an undisturbed one gives, and only the same sweep is continued."""

import json
from pathlib import Path

import pytest
import xarray

from flexframe.errors import AnalysisError, InputError
from flexframe.sweeps.evaluation import Outcome
from flexframe.sweeps.store import CASES, open_journal, outcomes
from flexframe.sweeps.sweep import sweep

from .cheap import LENGTH, cheap_case


@pytest.mark.parametrize("cut", [1, 7, 40, 200])
def test_a_line_cut_short_counts_as_not_written(tmp_path: Path, cut: int) -> None:
    case, out = cheap_case(tmp_path), tmp_path / "out"
    whole = sweep(case, {LENGTH: [1, 2, 3]}, out=out)
    text = (out / CASES).read_bytes()
    (out / CASES).write_bytes(text[:-cut])
    resumed = sweep(case, {LENGTH: [1, 2, 3]}, out=out, resume=True)
    assert resumed.computed == 1
    xarray.testing.assert_identical(resumed.dataset, whole.dataset)
    assert (out / CASES).read_bytes().count(b"\n") == 3


def test_a_damaged_line_is_computed_again(tmp_path: Path) -> None:
    case, out = cheap_case(tmp_path), tmp_path / "out"
    whole = sweep(case, {LENGTH: [1, 2, 3]}, out=out)
    text = (out / CASES).read_bytes()
    middle = text.index(b"\n") + 50
    (out / CASES).write_bytes(text[:middle] + b"X" + text[middle + 1 :])
    resumed = sweep(case, {LENGTH: [1, 2, 3]}, out=out, resume=True)
    assert resumed.computed == 1
    xarray.testing.assert_identical(resumed.dataset, whole.dataset)


def test_failed_cases_are_tried_again_when_asked(tmp_path: Path) -> None:
    case, out = cheap_case(tmp_path), tmp_path / "out"
    vary = {LENGTH: ["1 m", "-1 m"]}
    sweep(case, vary, out=out)
    assert sweep(case, vary, out=out, resume=True).computed == 0
    again = sweep(case, vary, out=out, resume=True, retry_failed=True)
    assert again.computed == 1 and len(again.failures) == 1


def test_only_the_same_sweep_is_continued(tmp_path: Path) -> None:
    case, out = cheap_case(tmp_path), tmp_path / "out"
    sweep(case, {LENGTH: [1, 2]}, out=out)
    with pytest.raises(InputError, match="continue it with --resume"):
        sweep(case, {LENGTH: [1, 2]}, out=out)
    with pytest.raises(InputError, match="other variations"):
        sweep(case, {LENGTH: [1, 3]}, out=out, resume=True)
    case.write_text(case.read_text().replace("8000", "7900"))
    with pytest.raises(InputError, match="another case file"):
        sweep(case, {LENGTH: [1, 2]}, out=out, resume=True)


def test_a_changed_recording_is_another_sweep(tmp_path: Path) -> None:
    case, out = cheap_case(tmp_path), tmp_path / "out"
    rows = [f"{t},{t * t}" for t in range(9)]
    (tmp_path / "angle.csv").write_text("\n".join(["t,a", *rows]))
    motion = "    motion: {samples: angle.csv, angle: a}\n    theory:"
    case.write_text(case.read_text().replace("    theory:", motion))
    sweep(case, {LENGTH: [1, 2]}, out=out)
    (tmp_path / "angle.csv").write_text("\n".join(["t,a", *rows, "9,80"]))
    with pytest.raises(InputError, match="other files"):
        sweep(case, {LENGTH: [1, 2]}, out=out, resume=True)


def test_foreign_folders_and_second_sweeps_are_refused(tmp_path: Path) -> None:
    case = cheap_case(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("x")
    with pytest.raises(InputError, match=r"thesis\.tex"):
        sweep(case, {LENGTH: [1, 2]}, out=tmp_path / "mine")

    def second(done: int, failed: int, total: int) -> None:
        if done == 1:
            sweep(case, {LENGTH: [1, 2]}, out=tmp_path / "out", resume=True)

    with pytest.raises(AnalysisError, match="another sweep is writing"):
        sweep(case, {LENGTH: [1, 2]}, out=tmp_path / "out", progress=second)


def test_journal_keeps_numbers_exactly(tmp_path: Path) -> None:
    values = [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0]
    with open_journal(tmp_path / "j") as journal:
        journal.add(Outcome(0, "done", 0.1, {"a.b": values}))
    (found,) = outcomes(tmp_path / "j")
    assert [number.hex() for number in found.quantities["a.b"]] == [number.hex() for number in values]


def test_a_stored_sweep_is_plain_json(tmp_path: Path) -> None:
    case, out = cheap_case(tmp_path), tmp_path / "out"
    sweep(case, {LENGTH: [1, 2]}, out=out)
    plan = json.loads((out / "sweep.json").read_text())
    assert plan["plan"]["paths"] == [LENGTH] and plan["plan"]["points"] == [["1"], ["2"]]

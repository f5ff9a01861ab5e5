"""Results that an earlier version stored are opened again: `tests/results/data/format-N`, one folder per format.

`python -m tools.stored_results` writes the folder of a new format; those of earlier ones are never written again.
The values are compared with exact solutions, so that they hold for every version.
"""

import json
import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import xarray
from scipy.integrate import solve_ivp

import flexframe as ff
from flexframe.cli import app
from flexframe.errors import InputError
from flexframe.exchange.reduced import read_reduced_body
from flexframe.results.storage import FORMAT, SUMMARY, read_results
from flexframe.sweeps.store import CASES, PLAN, outcomes

DATA = Path(__file__).parent / "data"
FORMATS = sorted(DATA.glob("format-*"))
BENDING, LINEAR_DENSITY = 200e9 * 0.02 * 0.01**3 / 12, 8000 * 0.02 * 0.01  # E I, ρ A of the beam


def first_frequency() -> float:
    """A clamped beam of 1 m: (βL)² sqrt(EI/ρA)/2π with βL = 1.87510407."""
    return float(1.87510407**2 * np.sqrt(BENDING / LINEAR_DENSITY) / (2 * np.pi))


def test_the_present_format_has_its_folder() -> None:
    assert [folder.name for folder in FORMATS] == [f"format-{n}" for n in range(1, FORMAT + 1)]
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) < 300_000 * FORMAT


@pytest.mark.parametrize("folder", FORMATS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("name", ["beam", "pendulum"])
def test_a_stored_run_says_what_it_is(folder: Path, name: str) -> None:
    stored = read_results(folder / name)
    assert stored.summary["case"] == name
    assert stored.summary["version"].count(".") == 2
    assert stored.summary["settings"] == {}
    assert stored.summary["case_sha256"] == sha256(stored.case_text.encode()).hexdigest()
    assert stored.summary.get("format", 1) == int(folder.name.removeprefix("format-"))


@pytest.mark.parametrize("folder", FORMATS, ids=lambda folder: folder.name)
def test_a_stored_beam_has_its_exact_values(folder: Path) -> None:
    """Cubic functions are exact for a force at the end; eight of them give the first frequency to 1e-5."""
    stored = read_results(folder / "beam")
    exact = 10.0 / (3 * BENDING)  # F L³/3EI
    assert stored.summary["analyses"]["bent"]["max_displacement_m"] == pytest.approx(exact, rel=1e-9)
    bent = stored.dataset("bent")
    assert float(bent["displacement"].sel(dof="uy")[-1]) == pytest.approx(-exact, rel=1e-9)
    assert float(bent["support_force"].sel(dof="uy")[0]) == pytest.approx(10.0, rel=1e-9)
    frequencies = stored.dataset("swinging")["frequency"].to_numpy()
    assert frequencies[0] == pytest.approx(first_frequency(), rel=1e-5)
    assert frequencies.tolist() == stored.summary["analyses"]["swinging"]["frequencies_hz"]


@pytest.mark.parametrize("folder", FORMATS, ids=lambda folder: folder.name)
def test_a_stored_motion_is_that_of_a_rigid_rod(folder: Path) -> None:
    """The rod deflects by 5 ρA g L⁴/384 EI < 2e-6 m; with steps of 1 ms its tip is that of a rigid one to 1e-5 m.

    Its moment of inertia about the hinge is m (1/3 + h²/12) with h = 20 mm.
    """
    stored = read_results(folder / "pendulum")
    run = stored.dataset("falling")
    times = run["time"].to_numpy()
    pull = 0.5 * 9.81 / (1 / 3 + 0.02**2 / 12)
    rod = solve_ivp(
        lambda _, y: [y[1], -pull * np.cos(y[0])], (0, 0.5), [0, 0], t_eval=times, rtol=1e-10, atol=1e-12
    )
    sensor = stored.summary["analyses"]["falling"]["sensors"]["tip"]
    tip = np.array(sensor["values"])
    np.testing.assert_allclose(tip, np.column_stack([np.cos(rod.y[0]), np.sin(rod.y[0])]), atol=1e-5)
    np.testing.assert_array_equal(run["sensor_tip"].to_numpy(), tip)
    assert stored.summary["analyses"]["falling"]["finished"] is True


@pytest.mark.parametrize("folder", FORMATS, ids=lambda folder: folder.name)
def test_a_stored_sweep_has_its_exact_values(folder: Path) -> None:
    """Frequencies grow with the height, deflections fall with its cube."""
    with xarray.open_dataset(folder / "sweep" / "results.nc", engine="h5netcdf") as dataset:
        heights = dataset["height"].to_numpy()
        first = dataset["swinging.frequencies_hz"].to_numpy()[:, 0]
        deflections = dataset["bent.max_displacement_m"].to_numpy()
    np.testing.assert_allclose(first, first_frequency() * heights / 10, rtol=1e-5)
    np.testing.assert_allclose(deflections, 0.01 * (10 / heights) ** 3, rtol=1e-9)
    kept = list(outcomes(folder / "sweep" / CASES))
    assert sorted(outcome.index for outcome in kept) == [0, 1, 2]


def test_a_sweep_of_another_version_is_not_continued(tmp_path: Path) -> None:
    shutil.copytree(FORMATS[-1] / "sweep", tmp_path / "sweep")
    plan = tmp_path / "sweep" / PLAN
    plan.write_text(json.dumps({**json.loads(plan.read_text()), "version": "999.0.0"}))
    height = {"bodies.beam.section.rectangle.height": ["10 mm", "20 mm", "30 mm"]}
    with pytest.raises(InputError, match="another version of flexframe") as refused:
        ff.sweep(DATA / "cases" / "beam.yaml", height, out=tmp_path / "sweep", resume=True)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("folder", FORMATS, ids=lambda folder: folder.name)
def test_a_stored_reduced_body_has_its_exact_mass(folder: Path) -> None:
    body = read_reduced_body(folder / "reduced_beam.npz")
    assert body.mass == pytest.approx(LINEAR_DENSITY, rel=1e-12)
    assert [point.name for point in body.interfaces] == ["tip"]


def test_stored_results_are_exported(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    for name, analysis in (("beam", "bent"), ("pendulum", "falling")):
        out = tmp_path / name
        answer = CliRunner().invoke(app, ["export", str(FORMATS[0] / name), "--to", "csv", "--out", str(out)])
        assert answer.exit_code == 0, answer.output
        assert any(path.name.startswith(analysis) for path in out.iterdir())


@pytest.mark.parametrize("later", [FORMAT + 1, "two"])
def test_results_of_a_later_format_are_refused_in_one_line(tmp_path: Path, later: object) -> None:
    shutil.copytree(FORMATS[-1] / "beam", tmp_path / "beam")
    path = tmp_path / "beam" / SUMMARY
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": later, "version": "999.0.0"}))
    with pytest.raises(InputError) as refused:
        read_results(tmp_path / "beam")
    expected = f"the results have format {later} (flexframe 999.0.0), this flexframe reads up to format {FORMAT}"
    assert expected in str(refused.value)
    assert "\n" not in str(refused.value)


def test_results_without_a_format_are_of_the_first(tmp_path: Path) -> None:
    shutil.copytree(FORMATS[0] / "beam", tmp_path / "beam")
    path = tmp_path / "beam" / SUMMARY
    summary = json.loads(path.read_text())
    path.write_text(json.dumps({key: value for key, value in summary.items() if key != "format"}))
    assert read_results(tmp_path / "beam").summary["case"] == "beam"

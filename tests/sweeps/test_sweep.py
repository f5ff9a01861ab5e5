"""Sweeps: right numbers, the same wherever they are computed, with failures told and never fatal."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import xarray

from flexframe.cases import case as case_module
from flexframe.errors import AnalysisError, InputError
from flexframe.sweeps.cluster import Scheduler
from flexframe.sweeps.sweep import Sweep, choose_runner, sweep

from .cheap import HEIGHT, LENGTH, cheap_case

VARY = {LENGTH: "0.8:1.2:5", HEIGHT: ["8 mm", "10 mm", "12 mm"]}


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cheap_case(tmp_path_factory.mktemp("case"))


@pytest.fixture(scope="module")
def serial(case: Path) -> Sweep:
    return sweep(case, VARY)


def test_frequencies_of_every_case(serial: Sweep) -> None:
    data = serial.dataset
    found = data["modes.frequencies_hz"].isel({"modes.mode": 0})
    assert found.dims == ("length", "height") and found.attrs["units"] == "Hz"
    height = data["height"].to_numpy() * 1e-3
    length = data["length"].to_numpy()[:, None]
    exact = 1.875104068711961**2 / (2 * np.pi) * np.sqrt(200e9 / 8000 / 12) * height / length**2
    # cubic elements of length h are too stiff by (βh)⁴/1440 of the frequency: 3.4e-5 for four of them
    np.testing.assert_allclose(found, exact, rtol=4e-5)
    # whatever the mesh, f L²/h is one number; eigenvalues of ω_max/ω_1 ~ 1e3 carry 1e-16 · 1e6
    scaled = found.to_numpy() * length**2 / height
    np.testing.assert_allclose(scaled, scaled[0, 0], rtol=1e-9)


def test_everything_is_told(serial: Sweep) -> None:
    summary = serial.summary()
    assert (summary["cases"], summary["done"], summary["failed"]) == (15, 15, 0)
    assert summary["varied"] == {"length": LENGTH, "height": HEIGHT}
    assert (serial.dataset["status"] == "done").all()
    assert len(serial.to_dataframe()) == 15 * 2 * 2 * 3  # cases × modes × parts of eigenvalues × axes


@pytest.mark.parametrize("where", ["processes", "local"])
def test_same_numbers_wherever_computed(case: Path, serial: Sweep, where: str) -> None:
    if where == "local":
        pytest.importorskip("distributed")
    found = sweep(case, VARY, workers=2, scheduler=where)
    xarray.testing.assert_identical(found.dataset, serial.dataset)  # bit for bit


def test_number_of_threads_around_it_changes_nothing(case: Path, serial: Sweep) -> None:
    script = (
        "import sys; from flexframe.sweeps.sweep import sweep; import json\n"
        "data = sweep(sys.argv[1], json.loads(sys.argv[2])).dataset\n"
        "sys.stdout.buffer.write(data['modes.eigenvalues'].to_numpy().tobytes())"
    )
    settings = {**os.environ, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2", "FLEXFRAME_THREADS": "2"}
    settings["PYTHONHASHSEED"] = "12345"
    run = [sys.executable, "-c", script, str(case), json.dumps(VARY)]
    answer = subprocess.run(run, env=settings, capture_output=True, check=True).stdout
    assert answer == serial.dataset["modes.eigenvalues"].to_numpy().tobytes()


def test_failures_are_recorded_and_the_rest_goes_on(case: Path, tmp_path: Path) -> None:
    found = sweep(case, {LENGTH: ["1 m", "-1 m", "1 kg", "2 m"]}, out=tmp_path / "out")
    assert found.dataset["status"].values.tolist() == ["done", "failed", "failed", "done"]
    assert [failed.index for failed in found.failures] == [1, 2]
    assert "positive" in found.failures[0].reason and "mesh.line.length" in found.failures[0].reason
    assert found.failures[1].settings == (f"{LENGTH}=1 kg",)
    frequencies = found.dataset["modes.frequencies_hz"]
    assert np.isnan(frequencies[1:3]).all() and np.isfinite(frequencies[[0, 3]]).all()
    # half as long, four times as high: bending frequencies go with 1/L²
    np.testing.assert_allclose(frequencies[0] / frequencies[3], 4, rtol=1e-9)
    stored = xarray.load_dataset(tmp_path / "out" / "results.nc", engine="h5netcdf")
    np.testing.assert_array_equal(stored["modes.frequencies_hz"], frequencies)
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert [failure["case"] for failure in summary["failures"]] == [1, 2]


def test_an_unknown_field_stops_at_once(case: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean"):
        sweep(case, {"bodies.beam.mesh.line.lenght": [1, 2, 3]}, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_only_what_is_asked_for_is_kept(case: Path) -> None:
    found = sweep(case, {LENGTH: [1, 2]}, keep=["*.frequencies_hz"])
    assert set(found.dataset.data_vars) == {"status", "reason", "modes.frequencies_hz"}


def test_a_process_that_dies_is_told(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    found = sweep(case, {LENGTH: [1, 2]}, workers=1, scheduler="processes")
    assert [failed.reason for failed in found.failures] == [
        "the process that computed it ended with exit code 1, 2 times"
    ] * 2


def test_a_lost_process_loses_no_case(case: Path, serial: Sweep) -> None:
    """Both workers are killed in between, and their cases are computed by others."""
    psutil = pytest.importorskip("psutil")
    killed: list[int] = []

    def progress(done: int, failed: int, total: int) -> None:
        if done in (3, 7):
            alive = [p for p in psutil.Process().children() if p.status() != psutil.STATUS_ZOMBIE]
            workers = [p for p in alive if "flexframe.sweeps.worker" in p.cmdline()]
            # the older one: what took the place of the first may still be at the case that was lost with it
            victim = min(workers, key=lambda process: process.create_time())
            killed.append(victim.pid)
            victim.send_signal(signal.SIGKILL)

    found = sweep(case, VARY, workers=2, scheduler="processes", progress=progress)
    assert len(killed) == 2
    xarray.testing.assert_identical(found.dataset, serial.dataset)


def test_bodies_are_integrated_once_when_only_motion_changes(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """… and the numbers are those of cases on their own, bit for bit."""
    moving = tmp_path / "moving.yaml"
    moving.write_text(
        case.read_text()
        .replace("supports:", "motion: {spin: 1 rad/s}\n    supports:")
        .replace("modes: {kind", "at speed: {kind")
    )
    integrated: list[str] = []
    discretise = case_module.discretise
    monkeypatch.setattr(
        case_module, "discretise", lambda body: (integrated.append(body.name), discretise(body))[1]
    )
    speeds = ["3 rad/s", "5 rad/s", "9 rad/s"]
    found = sweep(moving, {"bodies.beam.motion.spin": speeds}, out=tmp_path / "out")
    assert integrated == ["beam"]
    sweep(moving, {LENGTH: [2, 3]})
    assert len(integrated) == 3
    alone = [sweep(moving, {"bodies.beam.motion.spin": [speed], LENGTH: [1]}).dataset for speed in speeds]
    name = "at speed.eigenvalues"
    np.testing.assert_array_equal(found.dataset[name], [data[name].values[0, 0] for data in alone])
    stored = xarray.load_dataset(tmp_path / "out" / "results.nc", engine="h5netcdf")
    np.testing.assert_array_equal(stored[name], found.dataset[name])  # names with blanks are no obstacle
    assert found.kinds == {"at speed": "modes"}


@pytest.fixture
def scheduler() -> Iterator[subprocess.Popen[str]]:
    """A Dask cluster in a process of its own; its first line is the address."""
    pytest.importorskip("distributed")
    script = (
        "from distributed import LocalCluster\n"
        "if __name__ == '__main__':\n"
        "    cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)\n"
        "    print(cluster.scheduler_address, flush=True)\n"
        "    import sys; sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script.replace("processes=False", "processes=False, protocol='tcp'")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def test_any_scheduler_will_do_and_may_be_lost(
    case: Path, serial: Sweep, scheduler: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert scheduler.stdout is not None
    address = scheduler.stdout.readline().strip()
    found = sweep(case, VARY, scheduler=address)
    xarray.testing.assert_identical(found.dataset, serial.dataset)

    def kill(done: int, failed: int, total: int) -> None:
        if done == 4:
            scheduler.kill()

    with pytest.raises(AnalysisError, match="continue with --resume"):
        sweep(case, VARY, scheduler=address, out=tmp_path / "out", progress=kill)
    kept = (tmp_path / "out" / "cases.jsonl").read_bytes().count(b"\n")
    assert kept >= 4
    resumed = sweep(case, VARY, out=tmp_path / "out", resume=True)
    assert resumed.computed == 15 - kept
    xarray.testing.assert_identical(resumed.dataset, serial.dataset)


def test_no_scheduler_is_told(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("flexframe.analyses.workers.CONNECT_WITHIN", 1)
    with pytest.raises(AnalysisError, match="no Dask scheduler answers"):
        sweep(case, {LENGTH: [1]}, scheduler="tcp://127.0.0.1:9")


def test_runner_follows_the_request() -> None:
    assert choose_runner(None, None).name == "one process"
    assert choose_runner(3, "processes").name == "3 processes"
    assert choose_runner(None, "tcp://host:8786") == Scheduler("tcp://host:8786")
    for workers, address in ((0, None), (2, "tcp://host:8786")):
        with pytest.raises(InputError):
            choose_runner(workers, address)


def test_a_cluster_that_does_not_start_is_told(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")

    def refused(**settings: object) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", refused)
    with pytest.raises(AnalysisError, match=r"could be started \(Nanny failed to start\.\); use --scheduler proc"):
        sweep(case, {LENGTH: [1]}, workers=2)


def test_two_clusters_at_once_do_not_meet(case: Path, serial: Sweep) -> None:
    """A sweep begins and ends while another one has a client; all that they open are loopback addresses."""
    pytest.importorskip("distributed")
    psutil = pytest.importorskip("psutil")
    inner: list[Sweep] = []
    listening: set[str] = set()

    def progress(done: int, failed: int, total: int) -> None:
        if done and not inner:
            connections = psutil.Process().net_connections(kind="inet")
            listening.update(found.laddr.ip for found in connections if found.status == "LISTEN")
            inner.append(sweep(case, VARY, workers=1, scheduler="local"))

    outer = sweep(case, VARY, workers=1, scheduler="local", progress=progress)
    for found in (outer, *inner):
        xarray.testing.assert_identical(found.dataset, serial.dataset)
    assert listening == {"127.0.0.1"}


def test_parameters_are_swept_by_name(tmp_path: Path) -> None:
    """By name or by path; the coordinate has the parameter's name, and the unit of the file for plain numbers."""
    path = tmp_path / "case.yaml"
    text = cheap_case(tmp_path).read_text(encoding="utf-8").replace("length: 1 m", "length: span")
    path.write_text(f"parameters: {{span: 100 cm, unused: 2 kg}}\n{text}", encoding="utf-8")
    plain = sweep(path, {"span": "0.8:1.2:3"})
    assert plain.dataset["span"].attrs == {"path": "parameters.span", "units": "m"}
    assert plain.summary()["varied"] == {"span": "parameters.span"}
    first = plain.dataset["modes.frequencies_hz"].isel({"modes.mode": 0})
    np.testing.assert_allclose(first * plain.dataset["span"] ** 2, first[1], rtol=1e-9)
    measured = sweep(path, {"parameters.span": "80:120:3 cm"})
    assert measured.dataset["span"].attrs["units"] == "cm"
    np.testing.assert_allclose(measured.dataset["modes.frequencies_hz"][:, 0], first, rtol=1e-12)
    with pytest.raises(InputError, match="varied twice"):
        sweep(path, {"span": "1:2:2", "parameters.span": "1:2:2"})
    with pytest.raises(InputError, match="this is a time, but the case file gives a length"):
        sweep(path, {"span": "1:2:2 s"})

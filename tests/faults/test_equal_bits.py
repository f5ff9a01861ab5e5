"""The same case gives the same bits with one thread, and the same digits with two."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
UNTOLD = {"seconds", "seconds_by_phase", "peaks_seconds", "steps_per_second"}
CASES = {
    "rotating_disc": ["analyses.complete.count=8", "bodies.disc.mesh.annulus.divisions=[6, 24]"],
    "jeffcott": [],
    "spin_up": ["analyses.run.duration=2 s", "analyses.run.samples=21"],
}


def _summary(name: str, changes: list[str], out: Path, threads: int) -> Any:
    command = [sys.executable, "-c", "from flexframe.cli import main; main()"]
    command += ["run", str(EXAMPLES / f"{name}.yaml"), "--out", str(out)]
    command += [part for change in changes for part in ("--set", change)]
    names = (
        "FLEXFRAME_THREADS",
        "OMP_NUM_THREADS",
        "MKL_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "NUMBA_NUM_THREADS",
    )
    subprocess.run(
        command, check=True, capture_output=True, env=os.environ | dict.fromkeys(names, str(threads)), timeout=1800
    )
    return json.loads((out / "summary.json").read_text(encoding="utf-8"))["analyses"]


def _numbers(part: Any, path: str = "") -> dict[str, Any]:
    """All values that are no times of the clock, by their path."""
    if isinstance(part, dict):
        found: dict[str, Any] = {}
        for key, value in part.items():
            found |= {} if key in UNTOLD else _numbers(value, f"{path}.{key}")
        return found
    return {path: part}


@pytest.mark.parametrize("name", CASES)
def test_bits_and_digits(name: str, tmp_path: Path) -> None:
    """With two threads sums have another order: eigenvalues keep 1e-9 of the largest number beside them."""
    runs = [_numbers(_summary(name, CASES[name], tmp_path / f"{k}", 1 + k // 2)) for k in range(3)]
    assert runs[0] == runs[1]
    assert runs[0].keys() == runs[2].keys()
    for key, value in runs[0].items():
        if key.rsplit(".", 1)[-1] in {"frequencies_hz", "critical_speeds_rad_s", "values"}:
            one, two = (np.array(each[key], dtype=float) for each in (runs[0], runs[2]))
            assert one.shape == two.shape, key
            assert np.abs(one - two).max() <= 1e-9 * np.abs(one).max(), key
        elif isinstance(value, str | bool):
            assert value == runs[2][key], key

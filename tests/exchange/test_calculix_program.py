"""CalculiX itself writes the files: matrices and modes of the same bar give the same body.

Elements with straight edges and 20 nodes agree with those of CalculiX but for rounding: matrices are filed with
14 digits and modes with six (E12.5).
"""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.exchange.test_same_body import apart, bar, free_flight, frequencies, spin_up

import flexframe as ff

pytestmark = pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")

ELEMENTS = 1e-6  # relative; CalculiX integrates the same elements, and its input has ten digits
SHAPES = 1e-4  # relative; shapes of six digits that are combined


def computed(folder: Path, body: ff.Body, step: str) -> Path:
    """The input file of a job that CalculiX has done."""
    ff.exchange.write_part(body, folder / "bar.inp")
    with (folder / "bar.inp").open("a", encoding="ascii") as file:
        file.write(f"*STEP\n*FREQUENCY{step}\n*END STEP\n")
    subprocess.run(["ccx", "bar"], cwd=folder, check=True, capture_output=True, timeout=120)
    return folder / "bar.inp"


def test_matrices_of_a_free_bar_move_alike(tmp_path: Path) -> None:
    job = computed(tmp_path, bar(), ", SOLVER=MATRIXSTORAGE\n10")
    part = ff.exchange.read_part([job, job.with_suffix(".sti"), job.with_suffix(".mas")])
    body = ff.exchange.part_body("part", part, use="matrices")
    assert apart(frequencies(body), frequencies(bar())) < ELEMENTS
    assert apart(spin_up(body), spin_up(bar())) < 10 * ELEMENTS
    for found, wanted in zip(free_flight(body), free_flight(bar()), strict=True):
        assert apart(found, wanted) < 10 * ELEMENTS


def test_modes_of_a_held_bar_are_those_of_the_file(tmp_path: Path) -> None:
    held = replace(bar(), supports=(ff.Clamp("left"),))
    job = computed(tmp_path, held, "\n8\n*NODE FILE\nU")
    part = ff.exchange.read_part([job, job.with_suffix(".frd")])
    assert part.modes is not None
    wanted = ff.modes(held, count=8).frequencies_hz
    np.testing.assert_allclose(part.modes.frequencies_hz, wanted, rtol=1e-5)  # six digits in the file
    body = ff.exchange.part_body("part", part, use="modes")
    np.testing.assert_allclose(ff.modes(body, count=8).frequencies_hz, wanted, rtol=SHAPES)
    assert ff.discretise(body).inertia.mass == pytest.approx(ff.discretise(held).inertia.mass, rel=1e-9)

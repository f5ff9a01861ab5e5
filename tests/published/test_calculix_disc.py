"""A spinning disc with prestress and Coriolis forces against CalculiX on the same mesh, where it is installed."""

import shutil
from pathlib import Path

import pytest
from benchmarks.calculix_disc import SPEED, calculix_frequencies, disc_mesh, flexframe_frequencies


@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")
def test_spinning_disc(tmp_path: Path) -> None:
    """0.5 % is asked for; 0.03 % was found: CalculiX deforms the disc first and projects on 60 modes."""
    mesh = disc_mesh((2, 12, 1))
    theirs = calculix_frequencies(mesh, SPEED, 10, tmp_path)
    ours = flexframe_frequencies(mesh, SPEED, 10)
    assert len(theirs) == 10
    assert ours == pytest.approx(theirs, rel=1e-3)
    # without Coriolis forces the first two would be a pair at 2319.3 Hz: the split is 10 Hz in both
    assert ours[1] - ours[0] == pytest.approx(theirs[1] - theirs[0], abs=0.2)

"""Sections of bodies of revolution in files of other programs."""

from pathlib import Path

import pytest
from tests.revolution.sections import revolved, section

import flexframe as ff


@pytest.mark.parametrize("ending", [".inp", ".cdb"])
@pytest.mark.parametrize(("shape", "order"), [("quad", 2), ("quad", 1), ("triangle", 2), ("triangle", 1)])
def test_a_section_comes_back(tmp_path: Path, ending: str, shape: str, order: int) -> None:
    """CAX elements, and PLANE182 and 183 with KEYOPT(3) = 1; files hold ten digits or more."""
    body = revolved(section(0.02, 0.2, 0.04, (3, 1), order, shape))
    path = tmp_path / f"part{ending}"
    assert ff.exchange.write_part(body, path) == ()
    again = ff.exchange.part_body("part", ff.exchange.read_part(path))
    assert again.axisymmetric
    ours, theirs = (ff.modes(each, nodal_diameters=[2], count=2).frequencies_hz for each in (body, again))
    assert theirs == pytest.approx(ours, rel=1e-8)

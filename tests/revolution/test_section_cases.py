"""Sections of bodies of revolution in case files, and the example."""

from pathlib import Path

import numpy as np
import pytest

from flexframe.analyses.campbell.record import CampbellDiagram
from flexframe.cases.case import Case, load_case
from flexframe.entries.problems import CaseError

EXAMPLE = Path(__file__).parents[2] / "examples" / "disc_section.yaml"
PLATE = {2: 148.3, 0: 249.2, 3: 344.3}  # Hz, Kirchhoff's plate


@pytest.fixture(scope="module")
def case() -> Case:
    return load_case(EXAMPLE)


def test_free_disc_of_the_example(case: Case) -> None:
    """By hand, and shear lowers it by as much as 0.5 %."""
    found = case.analyses["free"].run(case).summary()
    for n, value in PLATE.items():
        lowest = min(
            f
            for f, number, label in zip(
                found["frequencies_hz"], found["nodal_diameters"], found["labels"], strict=True
            )
            if number == n and "rigid" not in label
        )
        assert lowest == pytest.approx(value, rel=5e-3)


def test_turning_disc_of_the_example(case: Case) -> None:
    """Shifts across the axis rest in space; waves run at ω ± nΩ there."""
    found = case.analyses["free at 50 turns per second"].run(case).summary()
    shifts = [
        k
        for k, label in enumerate(found["labels"])
        if label == "rigid translation" and found["nodal_diameters"][k] == 1
    ]
    assert [found["frequencies_hz"][k] for k in shifts] == pytest.approx([50.0, 50.0], rel=1e-12)
    for k, n in enumerate(found["nodal_diameters"]):
        sign = {"forward": 1, "backward": -1, "": 0}[found["whirl"][k]]
        seen = abs(found["frequencies_hz"][k] + sign * n * 50.0)
        assert found["inertial_frequencies_hz"][k] == pytest.approx(seen, abs=1e-6)


def test_campbell_of_the_example(case: Case) -> None:
    """Two branches of each number of nodal diameters and the third of none, which comes in; all are stiffened."""
    diagram = case.analyses["campbell"].run(case)
    assert isinstance(diagram, CampbellDiagram)
    assert diagram.nodal_diameters == (0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6)
    assert (np.diff(diagram.frequencies_hz, axis=0) > 0).all()
    assert diagram.confirmed
    found = [c.nodal_diameter for c in diagram.critical_speeds if c.excited_by == "load at rest in space"]
    assert found == [2, 3, 4]


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("bodies.disc.thickness=0.01", "thickness is given beside plane: axisymmetric"),
        ("analyses.free={kind: statics, body: free disc}", "does not know the nodal diameters of body free disc"),
        ("analyses.free.nodal_diameters=[-1]", "give a whole number from 0"),
    ],
)
def test_refused_cases(override: str, message: str) -> None:
    with pytest.raises(CaseError, match=message):
        load_case(EXAMPLE, [override])

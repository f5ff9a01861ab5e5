"""Sections of bodies of revolution in case files, and the example."""

from pathlib import Path

import numpy as np
import pytest

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.analyses.campbell.record import CampbellDiagram
from flexframe.cases.case import Case, load_case
from flexframe.cases.checking import check_case
from flexframe.elements.properties import STEEL
from flexframe.entries.problems import CaseError
from flexframe.errors import FlexframeError
from flexframe.mesh.builders import quadrilateral
from flexframe.model.body import Body
from flexframe.model.supports import Clamp

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


def test_solid_rotor_of_the_example() -> None:
    """By hand: √(2k/m) and √(k a²/2I) of a rigid drum, which bending lowers; the disc at its critical speed.

    The unbalance given is what G 2.5 allows. The engine order is largest where the diagram has 4 Ω, to a step.
    """
    case = load_case(EXAMPLE.with_name("solid_rotor.yaml"))
    rotor = case.analyses["rotor"].run(case).summary()
    mass, tilt = 7850 * np.pi * 0.1**2, 7850 * np.pi * 0.1**2 * (3 * 0.1**2 + 1) / 12
    rigid = np.sqrt([2 * 20e6 / mass, 20e6 * 0.9**2 / (2 * tilt)]) / (2 * np.pi)
    found = np.array(rotor["frequencies_hz"][0])
    assert (found[[0, 2]] < rigid).all() and found[[0, 2]] == pytest.approx(rigid, rel=0.05)
    balance = case.analyses["unbalance"].run(case).summary()["balance"]
    assert balance[0]["reached"] == pytest.approx(2.5, rel=1e-3) and balance[0]["mass_kg"] == pytest.approx(
        mass, rel=1e-9
    )
    nozzles = case.analyses["nozzles"].run(case).summary()
    diagram = campbell_diagram(
        Body.of_revolution(
            "disc",
            quadrilateral([(0.06, 0), (0.3, 0), (0.3, 0.01), (0.06, 0.01)], (10, 1)),
            material=STEEL,
            supports=(Clamp("left"),),
        ),
        np.linspace(0.0, 1400.0, 8),
        modes=2,
        nodal_diameters=[4],
        engine_orders=[4],
    )
    (critical,) = (c for c in diagram.critical_speeds if c.excited_by == "load at rest in space")
    assert nozzles["peaks"]["rim"]["speed"] == pytest.approx(critical.speed_rad_s, abs=50 * np.pi / 30)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("analyses.nozzles.loads.0.moves=forward", "over speeds a force with nodal diameters rests in space"),
        ("analyses.nozzles.loads.0.nodal_diameters=-1", "give a whole number from 0"),
        ("analyses.nozzles.motion=rest", "a force that rests in space acts over the speeds"),
        ("analyses.rotor.nodal_diameters=[0, 1]", "a diagram in space is that of one nodal diameter"),
        ("bodies.rotor.bearings.left.pedestal={mass: 3 kg, stiffness: 1e6}", "its bearings go to space"),
        ("analyses.nozzles.axis=[1, 0, 0]", "turns about y"),
    ],
)
def test_refused_solid_rotors(override: str, message: str) -> None:
    with pytest.raises(FlexframeError, match=message):
        check_case(load_case(EXAMPLE.with_name("solid_rotor.yaml"), [override]))

"""Bodies of no material and motions of no machine: what cannot be is refused, what is unlikely is told.

Every notice has the value, the usual range and the likely slip. The same models without the slip are silent.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import flexframe as ff
from flexframe.analyses.frequency_response.record import FrequencyResponse
from flexframe.cases.case import parse_case
from flexframe.cases.examples import example_paths
from flexframe.cli import app
from flexframe.entries.problems import CaseError
from flexframe.errors import InputError
from flexframe.mesh.cells import QUAD
from flexframe.mesh.mesh import CellBlock, Mesh
from flexframe.mesh.plane_builders import rectangle
from flexframe.mesh.solid_builders import block

STEEL = ff.Material(young=210e9, poisson=0.3, density=7850.0, name="steel")
SQUARE = ff.Rectangle(width=0.01, height=0.01)


def beam(material: ff.Material = STEEL, section: object = SQUARE, *, length: float = 1.0) -> ff.Body:
    return ff.Body.beam(
        "beam", length=length, divisions=4, section=section, material=material, supports=(ff.Clamp("start"),)
    )


def told(body: ff.Body, *words: str) -> bool:
    return any(all(word in doubt for word in words) for doubt in body.doubts)


def test_usual_bodies_are_not_doubted() -> None:
    assert beam().doubts == ()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"young": 200.0}, ("Young's modulus is 200 Pa", "1e+06 to 1.3e+12 Pa", "was GPa meant?")),
        ({"young": 1e20}, ("Young's modulus is 1e+20 Pa", "and GPa given?")),
        ({"density": 7.9e-3}, ("the density is 0.0079 kg/m^3", "10 to 25000", "and g/m^3 given?")),
        ({"density": 7.85}, ("was g/cm^3 (t/m^3) meant?",)),
        ({"density": 7.85e-9}, ("was t/mm^3 meant?",)),
        ({"poisson": -0.3}, ("Poisson's ratio is -0.3",)),
    ],
)
def test_materials_that_nobody_has(changed: dict[str, float], words: tuple[str, ...]) -> None:
    strange = replace(STEEL, **changed)
    assert told(beam(strange), "material steel", *words)
    assert beam(replace(strange, idealised=True)).doubts == ()


def test_doubts_stand_in_the_record_of_every_analysis() -> None:
    body = ff.discretise(beam(replace(STEEL, young=200.0)))
    records = [ff.statics(body), ff.modes(body, count=2), ff.matrices(body)]
    records.append(ff.simulate(body, ff.FrameMotion(), duration=1e-3, steps=2))
    assert all(any("was GPa meant?" in notice for notice in record.notices) for record in records)


def section(**changed: float) -> ff.sections.GeneralSection:
    given = {"area": 1e-4, "inertia_z": 8e-10, "inertia_y": 8e-10, "torsion_constant": 1.4e-9}
    return ff.sections.GeneralSection(**{**given, **changed})


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"torsion_constant": 1.7e-9}, "no section has more than its polar moment, 1.6e-09"),
        ({"shear_factor": 100.0}, "shear factor is 100"),
        ({"shear_factor": 1.2}, "was its reciprocal 0.8333 meant"),
    ],
)
def test_sections_that_cannot_be_are_refused(changed: dict[str, float], says: str) -> None:
    """J ≤ I_y + I_z (a circle has just that), and no more area than there is carries shear."""
    with pytest.raises(InputError, match=says):
        beam(section=section(**changed))
    beam(section=section(torsion_constant=1.6e-9, shear_factor=1.0))


def test_beams_wider_than_long_and_shells_thicker_than_wide() -> None:
    """Sections in mm whose unit was forgotten."""
    assert told(
        beam(section=ff.Rectangle(10.0, 10.0)), "length over height of the section is 0.1", "was mm meant?"
    )
    plate = rectangle(0.3, 0.4, (3, 4), order=1)
    thick = ff.Body.shell("plate", plate, material=STEEL, thickness=2.0)
    assert told(thick, "width over thickness is 0.25", "was mm meant?")
    assert ff.Body.shell("plate", plate, material=STEEL, thickness=2e-3).doubts == ()


def test_separate_parts_are_told_unless_something_joins_them() -> None:
    one = rectangle(1.0, 1.0, (1, 1), order=1)
    points = np.concatenate([one.points, one.points + np.array([3.0, 0, 0])])
    cells = one.blocks[0].nodes
    mesh = Mesh(points, (CellBlock(QUAD, np.concatenate([cells, cells + 4])),))
    body = ff.Body.plane("pair", mesh, material=STEEL, thickness=0.01)
    assert told(body, "falls into 2 parts", "(3, 0, 0) m")
    tied = replace(body, couplings=(ff.supports.RigidCoupling(3, 4, ("ux", "uy")),))
    assert tied.doubts == ()


def overlapping(mesh: Mesh, shift: tuple[float, float, float]) -> Mesh:
    """The mesh twice, the second time moved."""
    nodes = mesh.blocks[0].nodes
    points = np.concatenate([mesh.points, mesh.points + np.array(shift)])
    return Mesh(points, (CellBlock(mesh.blocks[0].cell, np.concatenate([nodes, nodes + mesh.node_count])),))


@pytest.mark.parametrize("shape", ["hexahedron", "tetra", "wedge"])
def test_solids_in_one_another_are_refused(shape: str) -> None:
    mesh = block((1.0, 1.0, 1.0), (2, 2, 2), order=1, shape=shape)
    with pytest.raises(InputError, match="lie in one another"):
        ff.discretise(ff.Body.solid("twice", overlapping(mesh, (0.07, 0.05, 0.03)), material=STEEL))
    beside = ff.Body.solid("beside", overlapping(mesh, (1.5, 0.0, 0.0)), material=STEEL)
    assert told(beside, "falls into 2 parts") and beside.mesh.overlap is None


def test_plane_cells_in_one_another_are_told() -> None:
    mesh = overlapping(rectangle(1.0, 1.0, (2, 2), order=1), (0.1, 0.15, 0.0))
    body = ff.Body.plane("twice", mesh, material=STEEL, thickness=0.01)
    assert told(body, "lie in one another", "material counts twice")


def test_inertia_without_mass_is_refused() -> None:
    with pytest.raises(InputError, match="a moment of inertia but no mass"):
        ff.RigidBody("ghost", 0.0, 0.05)
    assert ff.RigidBody("marker", 0.0, 0.0).mass == 0


@pytest.mark.parametrize("inertia", [(0.0, 0.0, 0.05), 0.05])
def test_inertia_about_one_axis_is_none_in_space(inertia: object) -> None:
    """∫ρ(x² + y²) = 0.05 while ∫ρ(y² + z²) = 0 = ∫ρ(x² + z²) leaves neither x nor y; enough in the plane only."""
    wheel = ff.RigidBody("wheel", 1.0, inertia)
    assert ff.System((wheel,)).bodies == (wheel,)
    with pytest.raises(InputError, match="inertia of wheel belongs to no body"):
        ff.System((wheel,), space="spatial")


def test_a_rim_at_25_km_a_second_is_told() -> None:
    """ρv²/E = 7850 · 25000²/210e9 = 23.4."""
    spinning = ff.modes(ff.discretise(beam()), ff.FrameMotion.spin(25_000.0), count=2)
    assert any("ρv²/E at the rim, is 23.36" in notice and "2.5e+04 m/s" in notice for notice in spinning.notices)
    slow = ff.modes(ff.discretise(beam()), ff.FrameMotion.spin(250.0), count=2)  # 0.0023
    assert not any("rim" in notice for notice in slow.notices)


def crank(speed: float) -> ff.System:
    body = ff.RigidBody("crank", 1.0, 0.1, points={"A": (0, 0), "B": (0.5, 0)})
    return ff.System(
        (body,),
        joints=(ff.Revolute("A", "ground", "crank.A"),),
        drives=(ff.AngleDrive("motor", "ground", "crank.A", f"{speed}*t"),),
        ground={},
    )


def test_a_crank_at_25_km_a_second_is_told() -> None:
    times = np.linspace(0, 1e-5, 3)
    notices = ff.kinematics(crank(50_000.0), times).notices
    assert any("body crank: the largest speed is 2.5e+04 m/s" in notice for notice in notices)
    assert ff.kinematics(crank(100.0), times).notices == ()


def oscillator(frequency: float, damping: float) -> FrequencyResponse:
    body = replace(beam(), damping=ff.Damping(stiffness=damping))
    return ff.frequency_response(
        ff.discretise(body),
        ff.FrameMotion(),
        [frequency],
        [ff.loads.HarmonicForce("end", (0, 1.0, 0))],
        {"tip": ff.sensors.DofSensor("end", "uy")},
    )


def test_an_undamped_resonance_is_told() -> None:
    """A millionth beside the natural frequency the answer is 500,000 times the static one, F L³/3EI = 1.9 mm."""
    natural = float(ff.modes(ff.discretise(beam()), count=1).frequencies_hz[0])
    notices = oscillator(natural * (1 + 1e-6), 0.0).notices
    assert any("resonance without damping" in notice and "m on 1 m" in notice for notice in notices)
    assert not any("resonance" in notice for notice in oscillator(natural / 2, 1e-4).notices)


def test_a_damping_ratio_in_per_cent_is_told() -> None:
    """5 for 5 %."""
    path = example_paths()["rotating_beam_coupled"]
    case = ff.load_case(path, ["bodies.blade.reduction={damping_ratio: 5}"])
    assert any("the damping ratio is 5, usual is up to 0.3; was it given in per cent?" in d for d in case.doubts())
    assert ff.load_case(path, ["bodies.blade.reduction={damping_ratio: 0.05}"]).doubts() == ()


def test_gravity_in_millimetres_is_told() -> None:
    system = replace(crank(1.0), loads=(ff.SystemGravity("weight", (0.0, -9810.0, 0.0)),))
    notices = ff.kinematics(system, np.array([0.0])).notices
    assert any("weight: the acceleration is 9810 m/s^2" in n and "was mm/s^2 meant?" in n for n in notices)


def test_start_velocities_against_a_drive_are_told() -> None:
    """The motor turns at 10 rad/s, the start says 3: 7 rad/s are changed."""
    system = replace(crank(10.0), start={"crank": ff.Placement(angular_velocity=(3.0,))})
    notices = ff.rigid_motion(system, np.array([0.0, 0.1])).notices
    assert any("start velocities of crank" in notice and "7 rad/s" in notice for notice in notices)
    agreed = replace(system, start={"crank": ff.Placement(angular_velocity=(10.0,))})
    assert ff.rigid_motion(agreed, np.array([0.0, 0.1])).notices == ()


@pytest.mark.parametrize(("radius", "steps", "drifts"), [(0.8, 5, True), (1.0, 500, False)])
def test_motions_that_lose_energy_are_told(radius: float, steps: int, drifts: bool) -> None:
    """Numerical damping in few steps takes energy that nothing else does; the trapezoidal rule keeps it."""
    body = ff.discretise(replace(beam(), loads=(ff.NodeForce("end", (0, 1.0, 0)),)))
    period = 1 / float(ff.modes(body, count=1).frequencies_hz[0])
    found = ff.simulate(body, ff.FrameMotion.spin(50.0), duration=period, steps=steps, spectral_radius=radius)
    assert any("misfit of the energy balance" in notice for notice in found.notices) == drifts


CASE = """
materials: {steel2: {young: 200, poisson: 0.3, density: 7850}}
bodies:
  beam:
    mesh: {line: {length: 1, divisions: 4}}
    material: steel2
    section: {rectangle: {width: 10 mm, height: 10 mm}}
    supports: [{clamp: start}]
analyses: {static: {kind: statics}}
"""


def test_check_run_and_report_show_doubts(tmp_path: Path) -> None:
    file, out = tmp_path / "soft.yaml", tmp_path / "out"
    file.write_text(CASE)
    assert (
        "note: material steel2: Young's modulus is 200 Pa" in CliRunner().invoke(app, ["check", str(file)]).stdout
    )
    assert "was GPa meant?" in CliRunner().invoke(app, ["run", str(file), "--out", str(out)]).stdout
    assert "was GPa meant?" in (out / "summary.json").read_text()
    assert "was GPa meant?" in (out / "report.html").read_text()


def test_impossible_sections_are_errors_of_the_case() -> None:
    text = CASE.replace(
        "{rectangle: {width: 10 mm, height: 10 mm}}", "{rectangle: {width: 1, height: 1, shear_factor: 9}}"
    )
    with pytest.raises(CaseError, match=r"soft.yaml:4: bodies.beam: .*shear factor is 9"):
        parse_case(text, file="soft.yaml", folder=Path())


@pytest.mark.parametrize("name", sorted(example_paths()))
def test_examples_are_not_doubted(name: str) -> None:
    assert ff.load_case(example_paths()[name]).doubts() == ()

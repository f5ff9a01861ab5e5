"""Bodies of a case that are made of what files hold: the same motion as with our own mesh, whatever file it is.

Tolerances are those of the files, as in `test_same_body`.
"""

import shutil
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.exchange.test_calculix_program import SHAPES, computed
from tests.exchange.test_same_body import (
    DIGITS,
    MILLIMETRES,
    SOFT,
    apart,
    bar,
    flying,
    free_flight,
    frequencies,
    shaft,
    spin_up,
)

import flexframe as ff
from flexframe.cases.case import Case, parse_case
from flexframe.cases.checking import check_case
from flexframe.cases.run import run_case
from flexframe.entries.problems import CaseError
from flexframe.maths.arrays import Array

IN_MILLIMETRES = f'units: "{MILLIMETRES}"'


def write_mesh(folder: Path) -> str:
    ff.exchange.write_part(bar(), folder / "bar.bdf", units=MILLIMETRES)
    return f"{{files: bar.bdf, {IN_MILLIMETRES}}}"


def write_matrices(folder: Path) -> str:
    write_mesh(folder)
    ff.exchange.write_part(ff.discretise(bar()), folder / "bar.op4", units=MILLIMETRES)
    return f"{{files: [bar.bdf, bar.op4], {IN_MILLIMETRES}, use: matrices}}"


def write_reduced(folder: Path) -> str:
    ff.exchange.write_part(flying(), folder / "bar.npz")
    return "{files: bar.npz}"


def write_standard_input_data(folder: Path) -> str:
    ff.exchange.write_part(flying(), folder / "bar.sid_fem", units=MILLIMETRES)
    return f"{{files: bar.sid_fem, {IN_MILLIMETRES}}}"


WRITERS: dict[str, Callable[[Path], str]] = {
    "mesh": write_mesh,
    "matrices": write_matrices,
    "reduced body": write_reduced,
    "standard input data": write_standard_input_data,
}


def parse(folder: Path, text: str, *overrides: str) -> Case:
    return parse_case(textwrap.dedent(text), file="case.yaml", folder=folder, overrides=overrides)


def records(case: Case) -> dict[str, Any]:
    check_case(case)
    return dict(run_case(case).records)


def problem(folder: Path, text: str) -> str:
    """The one line in which a case is refused, in the same words at `check` and at `run`."""
    told = []
    for do in (check_case, run_case):
        with pytest.raises(CaseError) as caught:
            do(parse(folder, text))
        told.append(str(caught.value))
    assert told[0] == told[1] and "\n" not in told[0]
    return told[0]


FREE = """
space: spatial
bodies:
  part: {part: PART, reduction: {modes: 8}}
start: {part: {position: [0, 0, 0], velocity: [1, 2, 0], angular_velocity: [0, 0, 20]}}
loads: {kick: {force: ["0", "20*sin(300*t)", "30*cos(200*t)"], on: part.right}}
analyses:
  shapes: {kind: modes, body: part, count: 12}
  flight: {kind: transient, duration: 0.02, steps: 40, samples: 41, initial_deformation: undeformed}
"""


@pytest.fixture(scope="module")
def own() -> tuple[Array, tuple[Array, Array]]:
    return frequencies(bar()), free_flight(bar())


@pytest.mark.parametrize("name", WRITERS)
def test_a_free_body_moves_alike(name: str, own: tuple[Array, tuple[Array, Array]], tmp_path: Path) -> None:
    found = records(parse(tmp_path, FREE.replace("PART", WRITERS[name](tmp_path))))
    elastic = found["shapes"].frequencies_hz
    assert apart(elastic[elastic > 1][:6], own[0]) < DIGITS
    bent, places = found["flight"].displacements["part"], found["flight"].motion.body("part").positions
    wanted = own[1][0]
    if "mesh" not in found["flight"].summary() and bent.shape != wanted.shape:
        wanted = wanted[:, bar().mesh.nodes_of("right"), :3].mean(axis=1)
        bent = bent[:, 0, :3]
    second_order = name == "standard input data"
    assert apart(bent, wanted) < (1e-3 if second_order else 10 * DIGITS)
    assert apart(places, own[1][1]) < (1e-6 if second_order else 10 * DIGITS)


TURNED = """
bodies:
  part:
    part: PART
    supports: [{clamp: left}]
    motion: {angle: "(t/0.05)^3*(10 - 15*(t/0.05) + 6*(t/0.05)^2)"}
analyses:
  spin up: {kind: transient, duration: 0.05, steps: 20, samples: 21}
"""


@pytest.mark.parametrize("name", ["mesh", "matrices"])
def test_a_held_body_spins_up_alike(name: str, tmp_path: Path) -> None:
    found = records(parse(tmp_path, TURNED.replace("PART", WRITERS[name](tmp_path))))
    assert apart(found["spin up"].displacements, spin_up(bar())) < 10 * DIGITS


@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")
def test_modes_of_a_file_are_a_body(tmp_path: Path) -> None:
    held = replace(bar(), supports=(ff.Clamp("left"),))
    computed(tmp_path, held, "\n8\n*NODE FILE\nU")
    text = """
    bodies: {part: {part: {files: [bar.inp, bar.frd], use: modes}}}
    analyses: {shapes: {kind: modes, count: 8}}
    """
    found = records(parse(tmp_path, text))["shapes"].frequencies_hz
    np.testing.assert_allclose(found, ff.modes(held, count=8).frequencies_hz, rtol=SHAPES)


def test_a_case_adds_to_what_files_hold(tmp_path: Path) -> None:
    """Supports, masses, springs, loads and sets: the same deflection as when Python gives them."""
    text = f"""
    bodies:
      part:
        part: {write_matrices(tmp_path)[:-1]}, nodes: {{hook: [80]}}, select: {{far: {{set: right}}}}}}
        supports: [{{clamp: left}}]
        springs: [{{on: hook, stiffness: [0, 2 kN/m, 0]}}]
        point_masses: [{{mass: 10 g, on: far}}]
        loads: [{{force: [0, 1, 0], on: hook}}]
    analyses:
      rest: {{kind: statics}}
      shapes: {{kind: modes, count: 4}}
    """
    found = records(parse(tmp_path, text))
    own = replace(
        bar(),
        supports=(ff.Clamp("left"),),
        springs=(ff.supports.FrameSpring(79, (0.0, 2e3, 0.0)),),
        point_masses=(ff.PointMass("right", 0.01),),
        loads=(ff.NodeForce(79, (0.0, 1.0, 0.0)),),
    )
    assert apart(found["rest"].displacements, ff.statics(own).displacements) < DIGITS
    assert apart(found["shapes"].frequencies_hz, ff.modes(own, count=4).frequencies_hz) < DIGITS


def test_joints_take_points_of_parts(tmp_path: Path) -> None:
    """A crank of files turned by a drive: forces of its joint as with our own body, which Python describes."""
    text = f"""
    space: spatial
    ground: {{A: [0, 0, 0]}}
    bodies: {{part: {{part: {write_reduced(tmp_path)}, reduction: {{modes: 4}}}}}}
    joints: {{hinge: {{spherical: [ground.A, part.right]}}}}
    loads: {{weight: {{gravity: [0, -9.81, 0]}}}}
    start: {{part: {{position: [-0.5, -0.025, -0.015]}}}}
    analyses: {{rest: {{kind: statics}}, swing: {{kind: transient, duration: 0.01, steps: 10}}}}
    """
    found = records(parse(tmp_path, text))
    fallen = (
        found["swing"].motion.body("part").positions[-1, 1] - found["swing"].motion.body("part").positions[0, 1]
    )
    assert fallen < 0  # it begins to fall about the joint


def test_supports_and_materials_of_the_files_are_the_users_choice(tmp_path: Path) -> None:
    held = replace(bar(), supports=(ff.Clamp("left"),))
    ff.exchange.write_part(held, tmp_path / "bar.inp")
    text = """
    materials: {stiff: {young: 8 GPa, poisson: 0.3, density: 1500 kg/m^3}}
    bodies: {part: {part: {files: bar.inp}}}
    analyses: {shapes: {kind: modes, count: 8}}
    """
    wanted = ff.modes(held, count=8).frequencies_hz
    assert apart(records(parse(tmp_path, text))["shapes"].frequencies_hz, wanted) < DIGITS
    free = parse(tmp_path, text, "bodies.part.part.supports=false")
    assert records(free)["shapes"].frequencies_hz[5] < 1.0 < wanted[0]
    given = parse(tmp_path, text, "bodies.part.part.materials={SOFT: stiff}")
    assert apart(records(given)["shapes"].frequencies_hz, 2 * wanted) < DIGITS  # √(8 GPa / 2 GPa)
    unknown = parse(tmp_path, text, "bodies.part.part.materials={SOFFT: stiff}")
    assert any("material 'SOFFT' is given" in doubt for doubt in unknown.doubts())


def test_what_was_rebuilt_is_a_notice_everywhere(tmp_path: Path) -> None:
    text = f"""
    bodies: {{part: {{part: {write_matrices(tmp_path)}, supports: [{{clamp: left}}]}}}}
    analyses: {{shapes: {{kind: modes, count: 2}}}}
    """
    case = parse(tmp_path, text)
    told = "body part: stress and geometric stiffness are those of flexframe's own elements on the same mesh"
    assert told in case.doubts()
    assert told in run_case(case).summary()["analyses"]["shapes"]["notices"]


def test_another_file_makes_another_case(tmp_path: Path) -> None:
    """Sweeps and resumed runs know cases by their fingerprint."""
    text = f"bodies: {{part: {{part: {write_mesh(tmp_path)}}}}}\nanalyses: {{shapes: {{kind: modes}}}}\n"
    before = parse(tmp_path, text).fingerprint
    assert parse(tmp_path, text).fingerprint == before
    ff.exchange.write_part(shaft(), tmp_path / "bar.bdf", units=MILLIMETRES)
    assert parse(tmp_path, text).fingerprint != before


def test_a_sweep_goes_over_what_is_used(tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text(
        f"bodies: {{part: {{part: {write_matrices(tmp_path)}, supports: [{{clamp: left}}]}}}}\n"
        "analyses: {shapes: {kind: modes, count: 2}}\n",
        encoding="utf-8",
    )
    done = ff.sweep(tmp_path / "case.yaml", {"bodies.part.part.use": ["mesh", "matrices"]})
    assert not done.failures
    found = done.dataset["shapes.frequencies_hz"].to_numpy()
    np.testing.assert_allclose(found[0], found[1], rtol=DIGITS)


ONE = "bodies: {part: {part: PART}}\nanalyses: {shapes: {kind: modes}}\n"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("{files: none.bdf}", "bodies.part.part.files[0]: none.bdf: there is no such file"),
        ("{files: [bar.bdf, bar.bdf]}", "bodies.part.part.files: two of the files have cells"),
        ("{files: bar.bdf, use: matrices}", "bodies.part.part: body part: the files have no stiffness and mass"),
        ("{files: bar.bdf, use: reduced}", "bodies.part.part: body part: the files have no reduced body"),
        ("{files: bar.bdf, use: mass}", "bodies.part.part.use: 'mass' is not a choice"),
        ("{files: bar.bdf, units: mm}", "bodies.part.part.units: mm lack a mass or a force"),
        ("{files: bar.bdf, nodes: {tip: [999]}}", "bodies.part.part.nodes.tip: bar.bdf: node 999 is not defined"),
        (
            "{files: bar.bdf, nodes: {left: [1]}}",
            "bodies.part.part.nodes.left: the files have a set 'left' already",
        ),
        ("{files: bar.bdf, select: {tip: {set: top7}}}", "bodies.part.part.select.tip"),
        ("{files: bar.bdf, materials: {SOFT: stel}}", "bodies.part.part.materials.SOFT: unknown material 'stel'"),
        ("{files: bare.msh}", "bodies.part.part: body part: the file says of no cell what it is made of"),
        ("{files: []}", "bodies.part.part.files: has too few entries"),
    ],
)
def test_what_does_not_fit_is_refused_at_its_field(given: str, told: str, tmp_path: Path) -> None:
    write_mesh(tmp_path)
    ff.mesh.write_mesh(bar().mesh, tmp_path / "bare.msh")
    assert problem(tmp_path, ONE.replace("PART", given)).startswith(f"case.yaml:1: {told}")


@pytest.mark.parametrize(
    ("more", "analysis", "told"),
    [
        ("", "{kind: modes, formalism: kane}", "analyses.a.formalism: body part has matrices that a file gives"),
        ("", "{kind: crosscheck}", "analyses.a.kind: body part has matrices that a file gives"),
        (
            "",
            "{kind: transient, duration: 0.1, steps: 10, formalism: kane}",
            "analyses.a.formalism: body part has matrices that a file gives",
        ),
        (", reduction: exact", "{kind: modes}", "bodies.part.reduction: exact beams are not made of files"),
        (", material: steel", "{kind: modes}", "bodies.part.material: does not stand here; the files say"),
        (", space: planar", "{kind: modes}", "bodies.part.space: body part is made of matrices or modes"),
        (", loads: [{pressure: 1, on: right}]", "{kind: statics}", "bodies.part.loads[0].on: "),
        (", supports: [{clamp: middle}]", "{kind: statics}", "bodies.part.supports[0].clamp: "),
    ],
)
def test_what_a_reduced_body_cannot_do_is_refused(more: str, analysis: str, told: str, tmp_path: Path) -> None:
    text = f"bodies: {{part: {{part: {write_reduced(tmp_path)}{more}}}}}\nanalyses: {{a: {analysis}}}\n"
    line = problem(tmp_path, text)
    assert line.startswith(f"case.yaml:{2 if told.startswith('analyses') else 1}: {told}"), line


def test_a_body_without_elements_has_no_stress(tmp_path: Path) -> None:
    """Statics and motion of a reduced body that is held: 1 N bends it as it bends the mesh."""
    held = replace(bar(), supports=(ff.Clamp("left"),))
    right = [ff.reduction.Interface("right", "right")]
    ff.exchange.write_part(
        ff.reduction.reduce_body(held, ff.reduction.Modal(4), interfaces=right), tmp_path / "b.npz"
    )
    text = """
    bodies: {part: {part: {files: b.npz}, loads: [{force: [0, 1, 0], on: right}], motion: {angle: t^2}}}
    analyses:
      rest: {kind: statics, motion: rest}
      motion: {kind: transient, duration: 0.01, steps: 10}
    """
    found = records(parse(tmp_path, text))
    nodes = held.mesh.nodes_of("right")
    force = replace(held, loads=(ff.NodeForce("right", (0.0, 1.0 / len(nodes), 0.0)),))
    wanted = ff.statics(force).displacements[nodes, 1].mean()
    assert found["rest"].displacements[0, 1] == pytest.approx(
        wanted, rel=1e-6
    )  # a static shape of just this force
    assert found["rest"].stress_positions.shape == (0, 3)
    assert found["motion"].stress is None


def test_a_part_may_stay_in_the_plane(tmp_path: Path) -> None:
    """A beam of files in the x–y plane: its bending there alone, as that of our planar beam."""
    ff.exchange.write_part(shaft(), tmp_path / "shaft.bdf")
    text = """
    bodies: {part: {part: {files: shaft.bdf}, space: planar}}
    analyses: {shapes: {kind: modes, count: 6}}
    """
    wanted = ff.modes(replace(shaft(), space="planar"), count=6).frequencies_hz[3:]
    assert apart(records(parse(tmp_path, text))["shapes"].frequencies_hz[3:], wanted) < DIGITS


def test_the_case_of_the_how_to_is_accepted(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "exchange-parts.md").read_text(encoding="utf-8")
    (shown,) = (block for block in page.split("```yaml\n")[1:] if "part:" in block)
    block = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (4, 1, 1)), material=SOFT)
    ff.exchange.write_part(block, tmp_path / "block.bdf", units=MILLIMETRES)
    ff.exchange.write_part(ff.discretise(block), tmp_path / "block.op4", units=MILLIMETRES)
    text = shown.partition("```")[0] + "analyses: {rest: {kind: statics}}\n"
    assert records(parse(tmp_path, text))["rest"].displacements.any()

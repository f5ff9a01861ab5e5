"""What `flexframe check` says of wrong robots: one line with the file, its line, the field and a way out."""

from pathlib import Path

import pytest

import flexframe as ff
from flexframe.analyses.inverse_kinematics.record import InverseKinematics
from flexframe.commands.check import check

EXAMPLES = ff.example_paths()["robot_arm_path"].parent
CYLINDER = '<cylinder radius="0.095" length="0.10"/>'


WRONG = {
    "cut file": ("six_axis_arm.urdf", "cut.urdf", "robots.arm.urdf: cut.urdf:21: is no whole XML"),
    "missing file": ("six_axis_arm.urdf", "none.urdf", "robots.arm.urdf: none.urdf: there is no such file"),
    "missing mesh": (
        "six_axis_arm.urdf",
        "mesh.urdf",
        "robots.arm.urdf: mesh.urdf:7: link base: package://kit/a.stl: there is no such file",
    ),
    "unknown link": (
        "upper_arm: {",
        "upper_arms: {",
        "robots.arm.links.upper_arms: unknown link 'upper_arms' (did you mean 'upper_arm'?)",
    ),
    "mesh of a link": (
        "upper_arm: {section: {circle: {diameter: 80 mm, inner_diameter: 72 mm}}",
        "upper_arm: {mesh: {file: none.msh}",
        "robots.arm.links.upper_arm.mesh.file: none.msh: there is no such file",
    ),
    "unknown joint": ("elbow: 80", "elbw: 80", "robots.arm.values.elbw: unknown joint 'elbw'"),
    "joint beyond its limits": (
        "elbow: 80 deg",
        "elbow: 400 deg",
        "robots.arm.values.elbow: elbow starts at 400 deg, outside its limits -180 to 180 deg",
    ),
    "unknown tool": (
        "    tool: flange.tool\n    path",
        "    tool: flange.tol\n    path",
        "drives.weld.tool: unknown",
    ),
    "tool of a pose": (
        "    tool: flange.tool\n    position",
        "    tool: flange.tol\n    position",
        "analyses.pose.tool: unknown",
    ),
    "pose out of reach": (
        "position: [0.6, 0.3, 0.5]",
        "position: [2.6, 0.3, 0.5]",
        "analyses.pose.position: the tool",
    ),
    "path out of reach": (
        "line: [0.9, -0.2, 0.4]",
        "line: [1.9, -0.2, 0.4]",
        "drives.weld.path: the path is followed up to t = 0.99",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_robots_are_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Before anything runs."""
    old, new, words = WRONG[what]
    text = (EXAMPLES / "robot_arm_path.yaml").read_text(encoding="utf-8")
    urdf = (EXAMPLES / "six_axis_arm.urdf").read_text(encoding="utf-8")
    assert old in text
    monkeypatch.chdir(tmp_path)
    Path("arm.yaml").write_text(text.replace(old, new), encoding="utf-8")
    Path("six_axis_arm.urdf").write_text(urdf, encoding="utf-8")
    Path("cut.urdf").write_text("\n".join(urdf.splitlines()[:20]) + "\n", encoding="utf-8")
    assert CYLINDER in urdf
    mesh = '<mesh filename="package://kit/a.stl"/>'
    Path("mesh.urdf").write_text(urdf.replace(CYLINDER, mesh, 1), encoding="utf-8")
    with pytest.raises(ff.FlexframeError) as caught:
        check(Path("arm.yaml"), (), as_json=True)
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith("arm.yaml:") and words in said


PLAY = """
space: spatial
bodies:
  upper: {mass: 2 kg, inertia: [0.1, 0.1, 0.1], centre: [0.5, 0, 0], points: {A: [0, 0, 0], B: [1, 0, 0]}}
  lower: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], centre: [0.4, 0, 0], points: {B: [0, 0, 0], tool: [0.8, 0, 0]}}
start: {lower: {position: [1, 0, 0]}}
joints:
  shoulder: {revolute: [ground, upper.A], axis: [0, 1, 0]}
  elbow: {revolute: [upper.B, lower.B], axis: [0, 1, 0], stops: [-150 deg, 150 deg],
    stop_stiffness: 1 kN m, lock: 1 - t}
analyses: {pose: {kind: inverse_kinematics, tool: lower.tool, position: [0.9, 0, 0.9]}}
"""


def test_check_takes_the_joints_as_the_run_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks and stops are left out by both, and the notices of the run say so."""
    monkeypatch.chdir(tmp_path)
    Path("arm.yaml").write_text(PLAY, encoding="utf-8")
    check(Path("arm.yaml"), (), as_json=True)
    case = ff.load_case("arm.yaml")
    found = case.analyses["pose"].run(case)
    assert isinstance(found, InverseKinematics) and found.reached
    assert any("taken as ideal" in notice for notice in found.notices)

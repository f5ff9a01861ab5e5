"""What a case file may say of clearance and stops, what it is refused, and what other analyses say."""

from math import inf
from pathlib import Path

import pytest
from rounding import rounding

from flexframe.cases.case import Case, load_case
from flexframe.cases.run import run_case
from flexframe.errors import FlexframeError
from flexframe.model.clearance import JointClearance
from flexframe.model.contacts import hertz_stiffness
from flexframe.model.joints import Prismatic, Revolute

CASE = """
space: {space}
bodies:
  a: {{mass: 1, inertia: [1, 1, 1]}}
joints:
  A: {{{joint}}}
drives:
  motor: {{angle: 3*t, joint: A}}
analyses:
  motion: {{kind: {kind}, duration: 10 ms, {more}}}
"""


def case(tmp_path: Path, joint: str, *, kind: str = "kinematics", space: str = "planar", more: str = "") -> Case:
    path = tmp_path / "case.yaml"
    path.write_text(CASE.format(joint=joint, kind=kind, space=space, more=more or "samples: 3"), encoding="utf-8")
    return load_case(path)


def play(made: Case) -> JointClearance:
    (joint,) = made.system().joints
    assert isinstance(joint, Revolute | Prismatic)
    assert isinstance(joint.clearance, JointClearance)
    return joint.clearance


def test_a_length_is_steel(tmp_path: Path) -> None:
    """Hertz for a journal of 10 mm in its bearing, and what was assumed is said."""
    made = case(tmp_path, "revolute: [ground, a], clearance: 0.1 mm")
    assert play(made) == JointClearance(1e-4)
    (contact,) = made.system().all_contacts
    K = hertz_stiffness((-0.0101, 0.01), (210e9, 210e9), (0.3, 0.3))
    assert contact.law.stiffness == pytest.approx(K, rel=rounding(10))
    assert (contact.law.kind, contact.law.restitution, contact.friction) == ("restitution", 0.9, None)
    (record,) = run_case(made).records.values()
    said = " ".join(record.notices)
    assert "steel (210 GPa, 0.3) with a radius of 10 mm after Hertz, a restitution of 0.9 and no friction" in said
    assert "A is taken as ideal here, without clearance" in said


def test_all_of_it(tmp_path: Path) -> None:
    law = "law: {flores: 0.8, hertz: {modulus: [207 GPa, 207 GPa]}}, friction: 0.1"
    found = play(case(tmp_path, f"revolute: [ground, a], clearance: {{radial: 0.5 mm, radius: 9.5 mm, {law}}}"))
    assert found.law is not None
    assert found.friction is not None
    expected = hertz_stiffness((-0.01, 0.0095), (207e9, 207e9), (0.3, 0.3))
    assert found.law.stiffness == pytest.approx(expected, rel=rounding(100))
    assert found.law.stiffness == pytest.approx(6.61e10, rel=1e-2)  # as published, in three digits
    assert (found.law.kind, found.friction.dynamic) == ("flores", 0.1)


def test_slide_and_stops(tmp_path: Path) -> None:
    clearance = "{radial: 0.1 mm, length: 40 mm, radius: 5 mm}"
    stops = "stops: [-10 mm, 0.2 m], stop_stiffness: 3 kN/m, stop_damping: 2 N s/m"
    made = case(tmp_path, f"prismatic: [ground, a], clearance: {clearance}, {stops}")
    (joint,) = made.system().joints
    assert isinstance(joint, Prismatic)
    assert (joint.stops, joint.stop_stiffness, joint.stop_damping) == ((-0.01, 0.2), 3000.0, 2.0)
    contacts = made.system().all_contacts
    assert len(contacts) == 4
    K = hertz_stiffness((inf, 0.005), (210e9, 210e9), (0.3, 0.3))
    assert {contact.law.stiffness for contact in contacts} == {K}
    turned = "revolute: [ground, a], stops: [-30 deg, 1 rad], stop_stiffness: 3 N m"
    (joint,) = case(tmp_path, turned).system().joints
    assert isinstance(joint, Revolute)
    assert joint.stops == pytest.approx((-0.5235987755982988, 1.0), rel=rounding(10))


@pytest.mark.parametrize(
    ("joint", "space", "said"),
    [
        ("revolute: [ground, a], clearance: 0.1 mm, stiffness: 1e6", "planar", "leave out either stiffness or"),
        ("revolute: [ground, a], clearance: {radial: 0.1 mm, length: 1 mm}", "planar", "for bearings in space"),
        ("prismatic: [ground, a], clearance: 0.1 mm", "planar", "depends on its length"),
        ("prismatic: [ground, a], clearance: {radial: 1 mm, length: 1 m}", "spatial", "known in the plane only"),
        ("revolute: [ground, a], clearance: -0.1 mm", "planar", "clearance"),
        ("cylindrical: [ground, a], clearance: 0.1 mm", "spatial", "clearance"),
        ("revolute: [ground, a], stops: [0, 1]", "planar", "stops need a stop_stiffness"),
    ],
)
def test_refusals(joint: str, space: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(FlexframeError) as error:
        case(tmp_path, joint, space=space).system()
    assert said in str(error.value)
    assert "joints.A" in str(error.value)


@pytest.mark.parametrize("kind", ["rigid_motion", "statics"])
def test_other_analyses_know_no_clearance(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    text = CASE.format(joint="revolute: [ground, a], clearance: 1 mm", kind=kind, space="planar", more="")
    path.write_text(text.replace("duration: 10 ms, ", "" if kind == "statics" else "duration: 10 ms"), "utf-8")
    with pytest.raises(FlexframeError, match="knows no contact, and A is one; take a transient"):
        run_case(load_case(path))


def test_joint_forces_are_those_of_the_ideal_joint(tmp_path: Path) -> None:
    made = case(tmp_path, "revolute: [ground, a], clearance: 0.1 mm", kind="joint_forces")
    (record,) = run_case(made).records.values()
    assert "A is taken as ideal here, without clearance" in record.notices

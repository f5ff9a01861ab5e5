"""What a case file may say of clearance and stops, what it is refused, and what other analyses say."""

from math import inf
from pathlib import Path

import pytest
from tests.rounding import rounding

from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.cases.case import Case, load_case
from flexframe.cases.checking import check_case
from flexframe.cases.run import run_case
from flexframe.errors import FlexframeError
from flexframe.model.clearance import JointClearance
from flexframe.model.contacts import NormalLaw, hertz_stiffness
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
    K = hertz_stiffness((inf, 0.005), (210e9, 210e9), (0.3, 0.3))
    assert [contact.law.stiffness for contact in contacts] == [K] * 4 + [3000.0] * 2
    assert [contact.name for contact in contacts[4:]] == ["A.lower", "A.upper"]
    turned = "revolute: [ground, a], stops: [-30 deg, 1 rad], stop_stiffness: 3 N m"
    (joint,) = case(tmp_path, turned).system().joints
    assert isinstance(joint, Revolute)
    assert joint.stops == pytest.approx((-0.5235987755982988, 1.0), rel=rounding(10))


def test_laws_of_stops_and_locks(tmp_path: Path) -> None:
    law = "stop_law: {restitution: 0.5, stiffness: 2e3, exponent: 1}"
    made = case(tmp_path, f"revolute: [ground, a], stops: [-1, 1], {law}, lock: t - 0.2")
    (joint,) = made.system().joints
    assert isinstance(joint, Revolute)
    assert joint.stop_law == NormalLaw("restitution", 2e3, 1.0, 0.5)
    (record,) = run_case(made).records.values()  # kinematics
    assert "A is taken as ideal here, without stops" in record.notices
    assert "A is taken as ideal here, without a lock" in record.notices
    (joint,) = (
        case(tmp_path, "prismatic: [ground, a], stops: [0, 1 m], stop_law: {impulsive: 0.3}").system().joints
    )
    assert isinstance(joint, Prismatic)
    assert joint.stop_law == NormalLaw("impulsive", restitution=0.3)


def test_a_slide_in_space(tmp_path: Path) -> None:
    clearance = "{radial: 0.1 mm, length: 40 mm, width: 30 mm, radius: 5 mm}"
    made = case(tmp_path, f"prismatic: [ground, a], clearance: {clearance}", space="spatial")
    assert len(made.system().all_contacts) == 16  # eight corners, two sides each


@pytest.mark.parametrize(
    ("joint", "space", "said"),
    [
        ("revolute: [ground, a], clearance: 0.1 mm, stiffness: 1e6", "planar", "leave out either stiffness or"),
        ("revolute: [ground, a], clearance: {radial: 0.1 mm, length: 1 mm}", "planar", "for bearings in space"),
        ("prismatic: [ground, a], clearance: 0.1 mm", "planar", "depends on its length"),
        ("prismatic: [ground, a], clearance: {radial: 1 mm, length: 1 m}", "spatial", "its length and width"),
        (
            "prismatic: [ground, a], clearance: {radial: 1 mm, length: 1 m, width: 1 mm}",
            "spatial",
            "half the width",
        ),
        ("revolute: [ground, a], clearance: -0.1 mm", "planar", "clearance"),
        ("cylindrical: [ground, a], clearance: 0.1 mm", "spatial", "clearance"),
        ("revolute: [ground, a], stops: [0, 1]", "planar", "stops need a stop_law, or a"),
        (
            "revolute: [ground, a], stops: [0, 1], stop_stiffness: 1, stop_law: {impulsive: 1}",
            "planar",
            "leave one",
        ),
        ("fixed: [ground, a], lock: t", "planar", "no coordinate of its own to lock"),
        ("revolute: [ground, a], lock: brake", "planar", "unknown name in a formula 'brake'"),
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


def test_other_analyses_know_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    text = CASE.format(joint="revolute: [ground, a], lock: t", kind="statics", space="planar", more="")
    path.write_text(text.replace("duration: 10 ms, ", ""), "utf-8")
    with pytest.raises(FlexframeError, match="an equilibrium knows no lock, and A has one; take a transient"):
        run_case(load_case(path))


def test_joint_forces_are_those_of_the_ideal_joint(tmp_path: Path) -> None:
    made = case(tmp_path, "revolute: [ground, a], clearance: 0.1 mm", kind="joint_forces")
    (record,) = run_case(made).records.values()
    assert "A is taken as ideal here, without clearance" in record.notices


def test_elastic_joints_are_ideal_where_the_motion_is_known(tmp_path: Path) -> None:
    for kind in ("kinematics", "joint_forces"):
        made = case(tmp_path, "revolute: [ground, a], stiffness: 1 MN/m, damping: 1 kN s/m", kind=kind)
        (record,) = run_case(made).records.values()
        assert "A is taken as ideal here, without elasticity" in record.notices


VARIANTS = [
    ("{A: ideal}", (None, 0.0, None)),
    ("{A: {stiffness: 2 MN/m, damping: 3 N s/m}}", (2e6, 3.0, None)),
    ("{A: {clearance: 0.2 mm}}", (None, 0.0, JointClearance(2e-4))),
]


@pytest.mark.parametrize(("joints", "wanted"), VARIANTS)
@pytest.mark.parametrize("joint", ["clearance: 0.1 mm", "stiffness: 1 MN/m", "lock: t - 1"])
def test_one_motion_has_joints_of_its_own(joint: str, joints: str, wanted: object, tmp_path: Path) -> None:
    """In the place of the elasticity and play of the joint; whatever else it has stays."""
    more = f"step: 0.1 ms, samples: 3, joints: {joints}"
    made = case(tmp_path, f"revolute: [ground, a], {joint}", kind="transient", more=more)
    (record,) = run_case(made).records.values()
    assert isinstance(record, CoupledMotion)
    (found,) = record.motion.mechanism.system.joints
    assert isinstance(found, Revolute)
    assert (found.stiffness, found.damping, found.clearance) == wanted
    assert (found.lock is not None) == ("lock" in joint)


@pytest.mark.parametrize(
    ("joints", "place", "said"),
    [
        ("{B: ideal}", "analyses.motion.joints.B", "unknown joint 'B'"),
        ("{A: elastic}", "analyses.motion.joints.A", "ideal"),
        ("{A: {damping: 1 N s/m}}", "analyses.motion.joints.A.damping", "give stiffness too"),
        ("{A: {clearance: 1 mm, stiffness: 1 MN/m}}", "analyses.motion.joints.A.clearance", "elastic or has play"),
        ("{A: {clearance: {radial: 1 mm, length: 1 mm}}}", "analyses.motion.joints.A", "for bearings in space"),
    ],
)
def test_variants_are_refused_at_their_place(joints: str, place: str, said: str, tmp_path: Path) -> None:
    more = f"step: 0.1 ms, joints: {joints}"
    with pytest.raises(FlexframeError) as error:
        check_case(case(tmp_path, "revolute: [ground, a]", kind="transient", more=more))
    assert place in str(error.value)
    assert said in str(error.value)


def test_a_joint_without_play_has_no_such_variant(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    text = CASE.format(
        joint="fixed: [ground, a]", kind="transient", space="planar", more="step: 1 ms, joints: {A: X}"
    )
    path.write_text(text.replace("A: X", "A: {clearance: 1 mm}").replace("drives:\n", "").replace(
        "  motor: {angle: 3*t, joint: A}\n", ""), "utf-8")  # fmt: skip
    with pytest.raises(FlexframeError, match=r"joints.A.clearance: a fixed joint has no clearance; leave it out"):
        check_case(load_case(path))


def test_friction_that_sticks(tmp_path: Path) -> None:
    """Each contact of the joint has it, and another one beside the clearance is refused."""
    friction = "friction: {dynamic: 0.1, model: elasto_plastic}"
    made = case(tmp_path, f"revolute: [ground, a], clearance: {{radial: 0.1 mm, {friction}}}")
    (contact,) = made.system().all_contacts
    assert contact.friction is not None
    assert contact.friction.model == "elasto_plastic"
    with pytest.raises(FlexframeError, match="rubs where its shapes touch"):
        case(tmp_path, "revolute: [ground, a], clearance: 0.1 mm, friction: 1 N m").system()


def test_friction_of_a_joint(tmp_path: Path) -> None:
    """A torque with its unit, a formula of the time, or all of it; a formula of what is not there is refused."""
    (load,) = case(tmp_path, "revolute: [ground, a], friction: 20 N cm").system().loads
    assert (load.name, load.limit, load.of) == ("A.friction", 0.2, "rotation")  # type: ignore[union-attr]
    (load,) = case(tmp_path, "revolute: [ground, a], friction: 2*t").system().loads
    assert load.changing is not None  # type: ignore[union-attr]
    more = "{limit: 3 N, static: 4 N, model: lugre, stiffness: 1 MN/m, damping: 200 N s/m}"
    (load,) = case(tmp_path, f"prismatic: [ground, a], friction: {more}").system().loads
    assert load.bristles.stiffness == pytest.approx(1e6, rel=rounding(10))  # type: ignore[union-attr]
    assert (load.of, load.bristles.model) == ("sliding", "lugre")  # type: ignore[union-attr]
    with pytest.raises(FlexframeError, match="unknown name in a formula 'pressure'"):
        case(tmp_path, "revolute: [ground, a], friction: 2*pressure").system()

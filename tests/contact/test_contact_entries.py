"""What a case file may say of contacts, and what it is refused in one line."""

from pathlib import Path

import pytest
from tests.rounding import rounding

from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.errors import FlexframeError
from flexframe.model.contacts import CONTACTS, hertz_stiffness

CASE = """
space: {space}
bodies:
  a: {{mass: 1, inertia: [1, 1, 1]}}
  b: {{mass: 1, inertia: [1, 1, 1]}}
contacts:
  touch: {{{contact}}}
analyses:
  motion: {{kind: {kind}, duration: 0.1, {more}}}
"""
LAW = "law: {restitution: 0.5, stiffness: 1e6}"
EVERY = {
    "sphere_plane": f"sphere_plane: [ground, a], radius: 10 mm, normal: [0, 1], {LAW}",
    "sphere_sphere": f"sphere_sphere: [a, b], radii: [10 mm, 1 cm], {LAW}",
    "sphere_in_sphere": f"sphere_in_sphere: [a, b], radius: 10 mm, clearance: 0.1 mm, {LAW}",
    "cylinder_plane": f"cylinder_plane: [ground, b], radius: 10 mm, length: 20 mm, {LAW}",
    "journal_bearing": f"journal_bearing: [a, b], radius: 10 mm, clearance: 50 um, length: 20 mm, {LAW}",
    "sphere_polyline": f"sphere_polyline: [a, b], points: [[0, 0], [10 mm, 0]], free: left, {LAW}",
    "sphere_profile": f"sphere_profile: [a, b], points: [[0, 0], [1, 0], [1, 1], [0, 1]], {LAW}",
}


def case(tmp_path: Path, contact: str, kind: str = "transient", space: str = "spatial", more: str = "step: 1e-3"):  # type: ignore[no-untyped-def]
    path = tmp_path / "case.yaml"
    path.write_text(CASE.format(contact=contact, kind=kind, space=space, more=more), encoding="utf-8")
    return load_case(path)


def refused(tmp_path: Path, contact: str, *args: str) -> str:
    with pytest.raises(FlexframeError) as error:
        case(tmp_path, contact, *args).system()
    return str(error.value)


@pytest.mark.parametrize("kind", [kind.kind for kind in CONTACTS])
def test_every_contact_can_be_written(kind: str, tmp_path: Path) -> None:
    (contact,) = case(tmp_path, EVERY[kind]).system().contacts
    assert contact.kind == kind
    assert (contact.law.kind, contact.law.restitution, contact.law.stiffness) == ("restitution", 0.5, 1e6)
    assert contact.friction is None


def test_laws_and_friction(tmp_path: Path) -> None:
    linear = "law: {kelvin_voigt: 2 kN/m, damping: 3 N s/m}, friction: {dynamic: 0.1, static: 0.2}"
    (contact,) = case(tmp_path, f"sphere_sphere: [a, b], radii: [0.1, 0.1], {linear}").system().contacts
    assert (contact.law.stiffness, contact.law.damping, contact.law.exponent) == (2000.0, 3.0, 1.0)
    assert contact.friction is not None
    assert (contact.friction.dynamic, contact.friction.static) == (0.1, 0.2)
    steel = "law: {flores: 0.6, hertz: {modulus: [210 GPa, 210 GPa]}}, friction: 0.3"
    (contact,) = case(tmp_path, f"sphere_plane: [ground, b], radius: 20 mm, {steel}").system().contacts
    expected = hertz_stiffness((float("inf"), 0.02), (210e9, 210e9), (0.3, 0.3))
    assert contact.law.stiffness == pytest.approx(expected, rel=rounding(10))
    assert contact.friction is not None
    assert contact.friction.dynamic == 0.3


def test_refusals_stand_at_their_place(tmp_path: Path) -> None:
    said = refused(tmp_path, f"sphere_plane: [ground, c], radius: 10 mm, {LAW}")
    assert "contacts.touch" in said
    assert "unknown body 'c'" in said
    said = refused(
        tmp_path,
        "sphere_profile: [a, b], points: [[0, 0], [1, 0], [1, 1]], law: {flores: 1, hertz: {modulus: [1e9, 1e9]}}",
    )
    assert "hertz is for spheres" in said
    said = refused(tmp_path, EVERY["journal_bearing"], "transient", "planar")
    assert "take a sphere" in said
    said = refused(tmp_path, "sphere_plane: [ground, a], law: {restitution: 0.5}")
    assert "give the stiffness of a contact as stiffness" in said
    said = refused(tmp_path, f"sphere_plane: [ground, a], normal: [0, 0, 1], {LAW}", "transient", "planar")
    assert "give a normal in the x–y plane" in said


@pytest.mark.parametrize("kind", ["rigid_motion", "statics"])
def test_other_analyses_say_that_they_know_no_contact(kind: str, tmp_path: Path) -> None:
    contact = EVERY["sphere_plane"]
    text = CASE.format(contact=contact, kind=kind, space="spatial", more="").replace("duration: 0.1, ", "")
    text = text.replace("kind: rigid_motion", "kind: rigid_motion, duration: 0.1")
    (tmp_path / "case.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(FlexframeError, match="knows no contact, and touch is one; take a transient"):
        run_case(load_case(tmp_path / "case.yaml"))


def test_friction_that_sticks(tmp_path: Path) -> None:
    sticks = "friction: {dynamic: 0.3, static: 0.4, model: lugre, presliding: 20 um, relaxation: 2 ms}"
    (contact,) = case(tmp_path, f"{EVERY['sphere_plane']}, {sticks}").system().contacts
    friction = contact.friction
    assert friction is not None
    assert friction.model == "lugre"
    # σ₀ = 0.4/20 µm, σ₁ = 2 ms σ₀, σ₂ and b
    assert friction.constants()[4:] == pytest.approx((2e4, 40.0, 0.0, 0.9), rel=rounding(10))
    said = refused(tmp_path, f"{EVERY['sphere_profile']}, friction: {{dynamic: 0.3, model: elasto_plastic}}")
    assert "come and go" in said
    said = refused(tmp_path, f"{EVERY['sphere_plane']}, friction: {{dynamic: 0.3, presliding: 1 um}}")
    assert "give model: elasto_plastic" in said

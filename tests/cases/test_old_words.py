"""Case files with words of earlier versions load as those with the new ones; a notice gives the new word once."""

from pathlib import Path

import pytest

from flexframe.cases.case import Case, parse_case
from flexframe.cases.run import run_case
from flexframe.entries.problems import CaseError

OLD = """title: Crank
bodies:
  crank: {mass: 1, inertia: 0.1, points: {O: [0, 0], hold: [0.5, 0]}}
  liaison:
    mesh: {line: {length: 1, divisions: 2}}
    material: steel
    section: {rectangle: {width: 20 mm, height: 10 mm}}
    supports: [{hold: start, dofs: [ux, uy]}, {hold: end, dofs: [uy]}]
ground: {O: [0, 0], P: [1.5, 0]}
liaisons:
  hinge: {revolute: [ground.O, crank.O]}
  liaison: {fixed: [ground.P, liaison.end]}
drives:
  liaison: {liaison: hinge, angle: 3*t}
analyses:
  liaisons: {kind: liaison_forces, duration: 1, samples: 5}
"""
NEW = (
    OLD.replace("\nliaisons:", "\njoints:")
    .replace("{liaison: hinge", "{joint: hinge")
    .replace("{hold: ", "{fix: ")
    .replace("kind: liaison_forces", "kind: joint_forces")
)


def parsed(text: str, *overrides: str) -> Case:
    return parse_case(
        text.replace("drives:\n  liaison:", "drives:\n  d:"), file="a.yaml", folder=Path(), overrides=overrides
    )


def test_old_words_load_as_the_new_ones() -> None:
    old, new = parsed(OLD), parsed(NEW)
    assert old.document == new.document
    assert new.old_words == ()
    assert [notice.partition(";")[0] for notice in old.old_words] == [
        "line 8: 'hold' is now called 'fix'",
        "line 10: 'liaisons' is now called 'joints'",
        "line 14: 'liaison' is now called 'joint'",
        "line 16: 'liaison_forces' is now called 'joint_forces'",
    ]


def test_names_that_a_user_chose_stay() -> None:
    case = parsed(OLD)
    assert "liaison" in case.document.joints and "liaison" in case.document.bodies
    assert "hold" in case.document.bodies["crank"].points  # type: ignore[union-attr]
    assert list(case.analyses) == ["liaisons"]


def test_the_first_record_says_it_once() -> None:
    record = run_case(parsed(OLD)).records["liaisons"]
    assert sum("is now called" in notice for notice in record.notices) == 4


def test_values_are_set_by_old_and_new_paths() -> None:
    for path in ("liaisons.hinge.axis", "joints.hinge.axis"):
        assert parsed(OLD, f"{path}=[0, 0, 2]").document.joints["hinge"].axis == (0.0, 0.0, 2.0)  # type: ignore[attr-defined]


def test_a_word_given_twice_is_refused_at_its_line() -> None:
    with pytest.raises(CaseError) as error:
        parsed(OLD + "joints: {}\n")
    assert [(p.line, p.path) for p in error.value.problems][:1] == [(10, ("liaisons",))]

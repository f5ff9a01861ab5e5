"""The studio tries the analyses of a draft, as `flexframe check` does."""

from pathlib import Path

import pytest

from flexframe.cases.case import parse_case
from flexframe.cases.checking import check_case
from flexframe.entries.problems import CaseAnalysisError, CaseError
from flexframe.studio.case_reader import UNTRIED, CaseReader

OPEN_LOOP = """\
ground: {A: [0, 0], B: [9, 0]}
bodies:
  crank: {mass: 1 kg, inertia: 1 kg m^2, points: {A: [0, 0], B: [1 m, 0]}}
  rod: {mass: 1 kg, inertia: 1 kg m^2, points: {B: [0, 0], C: [1 m, 0]}}
joints:
  A: {revolute: [ground.A, crank.A]}
  B: {revolute: [crank.B, rod.B]}
  C: {revolute: [rod.C, ground.B]}
drives:
  motor: {angle: t, joint: A}
analyses:
  turn: {kind: kinematics, duration: 1 s}
"""


def refused(text: str) -> list[tuple[int | None, str]]:
    with pytest.raises((CaseError, CaseAnalysisError)) as caught:
        check_case(parse_case(text, file="a.yaml", folder=Path()))
    return [(problem.line, problem.message) for problem in caught.value.problems]  # type: ignore[attr-defined]


def test_a_trial_finds_what_the_command_finds(tmp_path: Path) -> None:
    """A loop that cannot close is read without a complaint, and refused where it is tried."""
    reader = CaseReader(seconds=600.0)
    try:
        assert reader.check(tmp_path, "a.yaml", OPEN_LOOP)["valid"] is True
        tried = reader.trial(tmp_path, "a.yaml", OPEN_LOOP)
        assert tried["valid"] is False
        assert [(p["line"], p["message"]) for p in tried["problems"]] == refused(OPEN_LOOP)
        chain = OPEN_LOOP.replace("  C: {revolute: [rod.C, ground.B]}\n", "")
        chain = chain.replace("joint: A}", "joint: A}\n  elbow: {angle: 0, joint: B}")
        assert reader.trial(tmp_path, "a.yaml", chain) == {"valid": True, "problems": []}
    finally:
        reader.stop()


def test_a_trial_that_takes_too_long_is_no_problem_of_the_case(tmp_path: Path) -> None:
    """Modes of a system of fifty bodies are not assembled in a hundredth of a second of computing."""
    mesh = "{block: {lengths: [1, 1, 1], divisions: [12, 12, 12]}}"
    bodies = "".join(f"  b{i}: {{mesh: {mesh}, material: steel}}\n" for i in range(50))
    text = f"bodies:\n{bodies}analyses:\n" + "".join(
        f"  a{i}: {{kind: modes, body: b{i}, count: 4}}\n" for i in range(50)
    )
    reader = CaseReader(seconds=0.01)
    try:
        tried = reader.trial(tmp_path, "a.yaml", text)
        assert (tried["valid"], tried["notices"]) == (True, [UNTRIED])
        reader.seconds = 600.0
        assert reader.trial(tmp_path, "a.yaml", OPEN_LOOP)["valid"] is False  # the next one is answered
    finally:
        reader.stop()


def test_doubts_about_a_case_are_shown(tmp_path: Path) -> None:
    reader = CaseReader(seconds=600.0)
    try:
        doubted = OPEN_LOOP.replace("angle: t", "angle: 90")
        found = reader.check(tmp_path, "a.yaml", doubted)["notices"]
        assert found == list(parse_case(doubted, file="a.yaml", folder=tmp_path).doubts())
    finally:
        reader.stop()

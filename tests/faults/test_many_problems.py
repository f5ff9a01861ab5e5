"""Files with very many faults, pipes and devices: few lines, no waiting."""

import os
from pathlib import Path

import pytest

from flexframe.cases.case import load_case, parse_case
from flexframe.entries.problems import MOST_PROBLEMS, CaseError
from flexframe.errors import InputError

CASE = """\
bodies:
  bar:
    {mesh: {line: {length: 1 m, divisions: 2}}, material: steel, section: {rectangle: {width: 1 mm, height: 1 mm}}}
analyses:
  modes: {kind: modes}
"""
MANY = 20_000


def _problems(text: str) -> list[str]:
    with pytest.raises(CaseError) as refused:
        parse_case(text, file="case.yaml", folder=Path())
    return str(refused.value).splitlines()


def test_unknown_fields_are_listed_to_ten_and_then_counted() -> None:
    lines = _problems(CASE + "".join(f"unknown_{i}: {i}\n" for i in range(MANY)))
    assert len(lines) == 10
    assert lines[0].startswith("case.yaml:6: unknown_0: unknown field")
    assert lines[9].startswith("case.yaml:15: unknown_9: ")
    assert lines[9].endswith("(and 19,990 more unknown fields here)")


def test_faults_of_many_entries_are_listed_to_a_hundred_and_then_counted() -> None:
    lines = _problems(CASE + "".join(f"  a{i}: {{kind: modes, x: 1}}\n" for i in range(MANY // 10)))
    assert len(lines) == MOST_PROBLEMS + 1
    assert lines[-1].endswith("(and 1,899 more problems, which are not listed)")


def test_a_message_at_a_field_is_not_repeated_around_it() -> None:
    """The same words at a field and at the one around it are one problem."""
    from flexframe.cases.source import parse_yaml
    from flexframe.entries.problems import Problems

    problems = Problems("case.yaml", parse_yaml(CASE, "case.yaml"))
    problems.add(("bodies", "bar"), "wrong; mend it")
    problems.add(("bodies",), "wrong; mend it")
    problems.add(("analyses",), "wrong; mend it")
    assert [problem.path for problem in problems.found] == [("bodies", "bar"), ("analyses",)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names on this system")
def test_a_case_that_is_a_pipe_or_a_device_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "case.yaml"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match=r"case.yaml: is a pipe, not a regular file; save the data in a file"):
        load_case(pipe)
    with pytest.raises(InputError, match=r"/dev/zero: is a device, not a regular file"):
        load_case(Path("/dev/zero"))

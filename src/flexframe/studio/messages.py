"""Errors as the page shows them: each with its line and field where these are known."""

import re
from typing import Any

from flexframe.entries.problems import CaseError, Problem
from flexframe.errors import FlexframeError

_LOCATED = re.compile(r"^(?P<file>[^:\n]{1,120}\.yaml):(?P<line>\d{1,7}): (?P<rest>.*)$")


def report_problems(error: FlexframeError) -> list[dict[str, Any]]:
    """The problems of an error; one whose text begins with FILE:LINE has that line."""
    if isinstance(error, CaseError):
        return [problem.as_json() for problem in error.problems]
    return [_locate(text) for text in str(error).splitlines()]


def _locate(text: str) -> dict[str, Any]:
    match = _LOCATED.match(text)
    if match is None:
        return Problem("", None, (), text).as_json()
    field, colon, message = match["rest"].partition(": ")
    known = bool(colon) and " " not in field
    place = Problem(match["file"], int(match["line"]), (), message if known else match["rest"]).as_json()
    return {**place, "field": field if known else ""}

"""The page about the security of the studio: each of its lines is shown by a test, and its bounds are true."""

import ast
import re
from pathlib import Path

from flexframe.cases.source import MAX_BYTES
from flexframe.studio import bounds

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/studio-security.md").read_text(encoding="utf-8")


def test_each_line_has_a_test_and_each_test_a_line() -> None:
    lines = re.findall(r"^\| ([A-Z]\d) \|", PAGE, re.MULTILINE)
    assert len(lines) == len(set(lines)) >= 25
    sources = [*(ROOT / "tests/studio").glob("test_*.py"), ROOT / "tests/browser/test_studio.py"]
    names = [
        node.name
        for path in sources
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    shown = {line.upper() for name in names for line in re.findall(r"(?<=_)[a-z]\d(?=_)", name)}
    assert shown == set(lines)


def test_the_bounds_of_the_page_are_those_of_the_studio() -> None:
    told = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE.partition("## Bounds")[2], re.MULTILINE))
    minutes, gib, mb = "{:g} s", 1 << 30, 1e6
    assert told["reading or checking a case"] == (
        f"{bounds.CASE_SECONDS:g} s of computing, {bounds.CASE_MEMORY // gib} GiB of memory, "
        f"{bounds.CASE_SCRATCH / mb:g} MB of a copy for a library, {bounds.CASES_WAITING} requests that wait"
    )
    assert told["trying the analyses of a case, as `flexframe check` does"].startswith(
        f"{bounds.TRIAL_SECONDS:g} s of computing;"
    )
    assert told["an export"] == f"{bounds.EXPORT_SECONDS:g} s, {bounds.EXPORT_MEMORY // gib} GiB of memory"
    assert told["a case; a request"] == f"{MAX_BYTES / mb:g} MB; {bounds.MAX_JSON / mb:g} MB"
    assert told["a file that is sent; all files that a run copies"] == (
        f"{bounds.MAX_UPLOAD / mb:g} MB; {bounds.MAX_INPUT / 1e9:g} GB"
    )
    assert told["a request up to its body; silence within a body; an answer that is not taken"] == "; ".join(
        minutes.format(value) for value in (bounds.HEAD_SECONDS, bounds.BODY_SECONDS, bounds.STALL_SECONDS)
    )
    assert told["connections; those of them without a request"] == (
        f"{bounds.CONNECTIONS}; {bounds.IDLE_CONNECTIONS}"
    )
    assert told["the code of an address; an address for a download"] == (
        f"{bounds.CODE_SECONDS:g} s; {bounds.DOWNLOAD_SECONDS:g} s; each works once"
    )
    assert f"after {bounds.GIVEN_UP:g} s" in PAGE

"""The worked machines of the documentation: pages, terminal and hand calculation say the same."""

import json
import re
import shlex
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.cases.machines_by_hand import BY_HAND
from typer.testing import CliRunner

from flexframe.cases.case import load_case
from flexframe.cli import app

MACHINES = Path(__file__).parents[2] / "docs" / "machines"
NUMBER = re.compile(r"[-−+]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")
PRINTED = 1e-3
"""Relative: a page shows four digits, a little more than an engineer reads off."""
NOISE = 1e-4
"""Growth rates of undamped bodies [1/s] are rounding of frequencies of 1e3, different on every processor."""


def page(name: str) -> str:
    return (MACHINES / f"{name}.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^ *```{language}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)


@cache
def ran(name: str) -> tuple[str, dict[str, Any]]:
    """What the terminal shows of a machine, and the main numbers."""
    with TemporaryDirectory() as folder:
        outcome = CliRunner().invoke(app, ["run", str(MACHINES / f"{name}.yaml"), "--out", f"{folder}/out"])
        assert outcome.exit_code == 0, outcome.output
        return outcome.output, json.loads(Path(folder, "out", "summary.json").read_text())["analyses"]


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def words_and_numbers(line: str) -> tuple[str, list[float]]:
    numbers = [number(found) for found in NUMBER.findall(line)]
    return " ".join(NUMBER.sub("#", line).replace("┃", " ").replace("│", " ").split()), numbers


def shown_lines(text: str) -> list[tuple[str, list[float]]]:
    """Rows of tables without their rules."""
    return [words_and_numbers(line) for line in text.splitlines() if line.startswith(("┃", "│"))]


def test_every_case_has_its_page_and_a_row_in_the_index() -> None:
    index = (MACHINES / "index.md").read_text(encoding="utf-8")
    assert {path.stem for path in MACHINES.glob("*.yaml")} == set(BY_HAND)
    assert {path.stem for path in MACHINES.glob("*.md")} == {*BY_HAND, "index"}
    rows = dict(re.findall(r"^\| \[[^]]+\]\(([a-z-]+)\.md\) \|.*\| (.*?) \|$", index, re.MULTILINE))
    assert set(rows) == set(BY_HAND)
    for name, answer in rows.items():
        assert set(NUMBER.findall(answer)) <= set(NUMBER.findall(page(name))), name


@pytest.mark.parametrize("name", BY_HAND)
def test_terminal_shows_what_the_page_shows(name: str) -> None:
    """Every row of the page is one of the terminal, word by word and number by number."""
    output, _ = ran(name)
    there = shown_lines(output)
    (shown,) = blocks(page(name), "text")
    rows = shown_lines(shown)
    assert len(rows) >= 4
    for words, numbers in rows:
        same = [found for known, found in there if known == words and len(found) == len(numbers)]
        assert any(numbers == pytest.approx(found, rel=PRINTED, abs=NOISE) for found in same), (words, numbers)


@pytest.mark.parametrize("name", BY_HAND)
def test_hand_calculation(name: str) -> None:
    """The table of the page has the values of the formulas and of the run, which agree as the formulas promise."""
    _, results = ran(name)
    table = re.findall(r"^\| ([^|]+) \| ([-\d.]+) \| ([-\d.]+) \| (.+?) \|$", page(name), re.MULTILINE)
    figures = BY_HAND[name](results)
    assert [row[0] for row in table] == [figure.name for figure in figures]
    for figure, (_, by_hand, computed, difference) in zip(figures, table, strict=True):
        assert float(by_hand) == pytest.approx(figure.hand, rel=PRINTED), figure
        assert float(computed) == pytest.approx(figure.computed, rel=PRINTED), figure
        part = figure.computed / figure.hand - 1
        assert abs(part) <= figure.tolerance, figure
        # in percent, to one decimal, of values that are printed with four digits
        written = 0.0 if difference == "below 0.1 %" else number(difference.removesuffix(" %"))
        assert written == pytest.approx(100 * part, abs=0.11), figure


@pytest.mark.parametrize("name", BY_HAND)
def test_numbers_of_the_text_are_those_of_the_tables(name: str) -> None:
    """What the text prints in bold is a number of the terminal, of the table or of the program, rounded."""
    text = page(name)
    tables = "".join([*blocks(text, "text"), *blocks(text, "python"), *re.findall(r"^\|.*$", text, re.MULTILINE)])
    known = [abs(number(found)) for found in NUMBER.findall(tables)]
    answers = re.findall(r"\*\*±?([^*]+)\*\*", text)
    assert answers
    for answer in answers:
        (value,) = (number(found) for found in NUMBER.findall(answer))
        # in other multiples of the unit too (0.0124 mm is 12.4 µm); two digits are the fewest that a text has
        assert any(value == pytest.approx(k * f, rel=0.01) for k in known for f in (1, 1e3, 1e-3)), answer


@pytest.mark.parametrize("name", BY_HAND)
def test_next_steps_are_accepted(name: str) -> None:
    """Fields that the page changes exist, and their new values are accepted."""
    commands = [shlex.split(line) for block in blocks(page(name), "console") for line in block.splitlines()]
    assert len(commands) >= 2
    for prompt, program, command, case, *options in commands:
        assert (prompt, program, case) == ("$", "flexframe", f"{name}.yaml")
        assert command in {"run", "sweep"}
        if command == "run":
            load_case(MACHINES / case, [value for value in options if value != "--set"])
        else:
            (path, _) = options[1].split("=")
            load_case(MACHINES / case, [f"{path}=20 mm"])


def test_python_of_the_robot_arm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment `# → …` is what the expression before it shows."""
    shutil.copy(MACHINES / "robot-arm.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    (block,) = blocks(page("robot-arm"), "python")
    names: dict[str, object] = {}
    exec(compile(block, "robot-arm.md", "exec"), names)
    shown = re.findall(r"^(f\".*\")  # → (.+)$", block, re.MULTILINE)
    assert len(shown) == 2
    for expression, expected in shown:
        assert eval(expression, names) == expected

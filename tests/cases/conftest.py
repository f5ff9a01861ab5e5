"""Parsing a case text, or its problems."""

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from flexframe.cases.case import Case, parse_case
from flexframe.entries.problems import CaseError


@pytest.fixture
def parse(tmp_path: Path) -> Callable[..., Case]:
    """Parse a case text as the file case.yaml."""

    def parsed(text: str, *overrides: str) -> Case:
        return parse_case(textwrap.dedent(text), file="case.yaml", folder=tmp_path, overrides=overrides)

    return parsed


@pytest.fixture
def problems(parse: Callable[..., Case]) -> Callable[..., list[str]]:
    """The problems of a case text, as they are printed."""

    def found(text: str, *overrides: str) -> list[str]:
        with pytest.raises(CaseError) as caught:
            parse(text, *overrides)
        assert caught.value.exit_code == 2
        return str(caught.value).splitlines()

    return found

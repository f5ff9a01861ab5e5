"""One tuple names the formalisms; everything else takes the names from there."""

import re
from pathlib import Path

import pytest

import flexframe
from flexframe.errors import InputError
from flexframe.formalisms.formalism import Formalism
from flexframe.formalisms.registry import FORMALISMS, NAMES, Registered, find_formalism, formalism_named
from flexframe.symbolic.formalism import SymbolicFormalism

PACKAGE = Path(flexframe.__file__).parent


@pytest.mark.parametrize("entry", FORMALISMS, ids=lambda entry: entry.name)
def test_both_forms_are_there(entry: Registered) -> None:
    """A file of that name in both packages, with a class whose docstring states its equation."""
    numeric, symbolic = entry.form("formalisms"), entry.form("symbolic")
    assert isinstance(numeric, Formalism)
    assert isinstance(symbolic, SymbolicFormalism)
    assert numeric.name == entry.name
    for form in (numeric, symbolic):
        assert "=" in (type(form).__doc__ or "")


def test_no_other_list_of_names() -> None:
    """No other file of the package names more than two of them: a choice by default, or a special case."""
    for path in PACKAGE.rglob("*.py"):
        found = set(re.findall(r"[\"'](\w+)[\"']", path.read_text(encoding="utf-8"))) & set(NAMES)
        assert len(found) <= 2 or path.name == "registry.py", f"{path}: {sorted(found)}"


def test_spellings_and_unknown_names() -> None:
    for spelling in ("Gibbs–Appell", "gibbs-appell", " gibbs appell "):
        assert formalism_named(spelling).name == "gibbs_appell"
    with pytest.raises(InputError, match=f"choose one of {', '.join(NAMES)}"):
        find_formalism("newton")

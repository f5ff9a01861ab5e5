"""Every row of `flexframe verify`: published and exact figures, each with its own tolerance and its reason."""

import pytest

from flexframe.errors import InputError
from flexframe.verification.contract import Check, Row
from flexframe.verification.run import CHECKS, chosen_checks

LONG = {"disc-bending-spinning", "free-block", "spinning-membrane"}
"""Large meshes: more than ten seconds each."""


@pytest.mark.parametrize(
    "check",
    [pytest.param(check, marks=pytest.mark.slow if check.name in LONG else ()) for check in CHECKS],
    ids=lambda check: check.name,
)
def test_computed_figures_meet_their_references(check: Check) -> None:
    rows = check.rows()
    missed = [row for row in rows if not row.passed]
    assert not missed, "\n".join(_line(row) for row in missed)
    for row in rows:
        assert row.coarse is not None
        # the finer mesh is not further from the reference, once beyond the last digit that the reference gives
        fine, coarse = abs(row.computed - row.reference), abs(row.coarse - row.reference)
        assert fine <= coarse or abs(row.relative_error) <= row.tolerance, _line(row)


def test_names_are_unique_and_choose_by_prefix() -> None:
    names = [check.name for check in CHECKS]
    assert len(set(names)) == len(names)
    assert {check.name for check in chosen_checks(["paper-003"])} == {
        "paper-003-classic",
        "paper-003-as-published",
        "paper-003-complete",
    }
    with pytest.raises(InputError, match="known are"):
        chosen_checks(["no-such-check"])


def _line(row: Row) -> str:
    return f"{row.name}, {row.quantity}: {row.computed!r} against {row.reference!r}, coarse {row.coarse!r}"

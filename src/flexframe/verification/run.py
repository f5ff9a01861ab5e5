"""The checks of `flexframe verify`."""

from collections.abc import Callable, Sequence

from flexframe.errors import InputError
from flexframe.verification import (
    beams,
    continua,
    discs,
    dynamics,
    flexible_mechanisms,
    formalisms,
    large_deflections,
    large_motions,
    mechanisms,
    plates,
    rotors,
    starts,
)
from flexframe.verification.contract import Check, Row

CHECKS: tuple[Check, ...] = (
    *discs.CHECKS,
    *beams.CHECKS,
    *continua.CHECKS,
    *plates.CHECKS,
    *formalisms.CHECKS,
    *mechanisms.CHECKS,
    *large_deflections.CHECKS,
    *large_motions.CHECKS,
    *flexible_mechanisms.CHECKS,
    *dynamics.CHECKS,
    *starts.CHECKS,
    *rotors.CHECKS,
)


def chosen_checks(names: Sequence[str] = ()) -> tuple[Check, ...]:
    """The checks whose names begin with one of `names`; all of them without names."""
    if not names:
        return CHECKS
    found = tuple(check for check in CHECKS if any(check.name.startswith(name) for name in names))
    if not found:
        known = ", ".join(check.name for check in CHECKS)
        raise InputError(f"no check is called {', '.join(names)}; known are {known}")
    return found


def verify_rows(names: Sequence[str] = (), progress: Callable[[str], None] | None = None) -> list[Row]:
    """Compute the chosen checks and compare.

    Parameters
    ----------
    names
        Beginnings of the names of checks; all checks if none is given.
    progress
        Called with the name of each check before it is computed.

    Returns
    -------
    list of Row
        Computed values beside their references, relative errors and tolerances.

    Examples
    --------
    >>> all(row.passed for row in ff.results.verify_rows(["section-torsion"]))
    True
    """
    rows = []
    for check in chosen_checks(names):
        if progress is not None:
            progress(check.name)
        rows += check.rows()
    return rows

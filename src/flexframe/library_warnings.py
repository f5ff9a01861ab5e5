"""What numpy, scipy and other libraries warn of: reported in the result where it concerns numbers, never printed.

Filters are left as they are: whoever turns warnings into errors still gets errors.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_ABOUT_CODE = (DeprecationWarning, PendingDeprecationWarning, FutureWarning, SyntaxWarning, ImportWarning)
"""These tell programmers what will change; they say nothing about the numbers at hand and are dropped."""


def keep_from_terminal() -> None:
    """Print no warning in this process; warnings that a computation meets are reported by its record.

    A developer who asks for warnings (python -W, FLEXFRAME_DEBUG) sees them.
    """
    if not sys.warnoptions and not os.environ.get("FLEXFRAME_DEBUG"):
        warnings.showwarning = _print_nothing


def _print_nothing(*_: object, **__: object) -> None:
    pass


@contextmanager
def noted_warnings() -> Iterator[list[str]]:
    """Collect what libraries warn of inside the block, one notice for each place, there when the block ends."""
    notices: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        yield notices
    met: dict[tuple[str, int], list[str]] = {}
    for warning in caught:
        if not issubclass(warning.category, _ABOUT_CODE):
            first = (str(warning.message).strip() or warning.category.__name__).splitlines()[0].rstrip(".")
            met.setdefault((warning.filename, warning.lineno), []).append(first)
    for (file, line), told in met.items():
        times = "once" if len(told) == 1 else f"{len(told)} times"
        notices.append(
            f"a numerical library warned {times} ({Path(file).name}:{line}): {told[0]}; check the result, and "
            "report this"
        )

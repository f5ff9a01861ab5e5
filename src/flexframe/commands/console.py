"""What commands share: amounts as given, tables for people, JSON for programs, errors in one line each."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import typer

from flexframe.cases.stopping import stop_signals
from flexframe.errors import FlexframeError, InputError, StopRequest

if TYPE_CHECKING:
    from rich.console import Console

INTERNAL = 3
INTERRUPTED = 130


@contextmanager
def report_errors(*, serves: bool = False) -> Iterator[None]:
    """Turn every error into a message and an exit code; no traceback reaches the user.

    A command that `serves` hears signals by itself; others are stopped by them.
    """
    try:
        with nullcontext() if serves else stop_signals():
            yield
    except FlexframeError as error:
        complain(str(error))
        raise typer.Exit(error.exit_code) from None
    except StopRequest as request:
        complain(request.reason)
        raise typer.Exit(request.exit_code) from None
    except KeyboardInterrupt:  # before the signals were taken over, or on another thread
        complain("interrupted")
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        # the reader of our output has gone; nothing is wrong, and nobody is left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except MemoryError:
        complain("there is not enough memory for this; use a coarser mesh or fewer modes")
        raise typer.Exit(INTERNAL) from None
    except typer.Exit:
        raise
    except Exception as error:
        if os.environ.get("FLEXFRAME_DEBUG"):
            raise
        first = str(error).splitlines()[0] if str(error) else "no message"
        complain(
            f"internal error: {type(error).__name__}: {first}; please report it; "
            "run with FLEXFRAME_DEBUG=1 for details"
        )
        raise typer.Exit(INTERNAL) from None


def complain(message: str) -> None:
    """A message on the error stream, as it is."""
    print(message, file=sys.stderr)


def print_json(value: Any) -> None:
    """A value on the output stream; it must be finite."""
    print(json.dumps(value, indent=1, allow_nan=False))


def console() -> "Console":
    """The output stream; colours and terminal width only on a terminal, wide lines elsewhere."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 120, emoji=False, markup=False)


Progress = Callable[[float, int, str], None]
"""Done (long analyses in parts), total, and the name of what runs."""


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress]:
    """A bar on the error stream while a person looks on."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total, name: None  # noqa: ARG005 - nobody looks on
        return
    from rich import progress
    from rich.console import Console

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.TimeElapsedColumn(),
        progress.TextColumn("to go"),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(done: float, total: int, name: str) -> None:
            bar.update(task, completed=done, total=total, description=name)

        yield show


_AMOUNT = re.compile(r"\s*([0-9]+\.?[0-9]*|\.[0-9]+)\s*([A-Za-z]*)\s*")
_SECONDS = {"ms": 1e-3, "s": 1.0, "": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {
    **{unit: 1e3**power for power, unit in enumerate(("kB", "MB", "GB", "TB"), 1)},
    **{unit: 1024.0**power for power, unit in enumerate(("KiB", "MiB", "GiB", "TiB"), 1)},
}


def seconds(option: str, text: str | None) -> float | None:
    """A time like 60s, 90 or 2h in seconds; nothing stays nothing."""
    return None if text is None else _amount(option, text, _SECONDS, "60s, 5min or 2h")


def memory_bytes(option: str, text: str | None) -> float | None:
    """A size like 2GB in bytes; nothing stays nothing."""
    return None if text is None else _amount(option, text, _BYTES, "500MB or 2GB")


def _amount(option: str, text: str, units: dict[str, float], example: str) -> float:
    found = _AMOUNT.fullmatch(text)
    if found is None or found[2] not in units or not float(found[1]) > 0:
        raise InputError(f"{option}: '{text}' cannot be read; give something like {example}")
    return float(found[1]) * units[found[2]]

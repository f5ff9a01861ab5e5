"""flexframe sweep: a case with many values of its fields."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import typer

from flexframe.cases.case import load_case
from flexframe.cases.source import read_text
from flexframe.cases.stopping import Bounds
from flexframe.commands.console import INTERRUPTED, complain, console, memory_bytes, print_json, seconds
from flexframe.errors import InputError, StopRequest
from flexframe.reports.sweep import sweep_report
from flexframe.results.storage import finite_summary
from flexframe.sweeps.plan import Variation
from flexframe.sweeps.store import REPORT, write_report
from flexframe.sweeps.sweep import FailedCase, Sweep
from flexframe.sweeps.sweep import sweep as compute

LINE_EVERY = 10.0  # s between lines of progress where there is no terminal
SHOWN_REASONS = 10


@dataclass(frozen=True)
class SweepOptions:
    """What the command line says beside the case and the variations."""

    latin_hypercube: int | None = None
    seed: int = 0
    overrides: Sequence[str] = ()
    keep: Sequence[str] = ()
    out: Path | None = None
    workers: int | None = None
    scheduler: str | None = None
    threads: int = 1
    resume: bool = False
    retry_failed: bool = False
    confined: bool = False
    max_time: str | None = None
    max_memory: str | None = None
    as_json: bool = False


def sweep(path: Path, vary: Sequence[str], options: SweepOptions) -> None:
    """Compute, write and print; exit code 3 when no case at all could be done."""
    if not vary:
        raise InputError(_what_to_vary(path, options))
    folder = options.out or Path(f"{path.stem}-sweep")
    bounds = Bounds(seconds("--max-time", options.max_time))
    with _interruptible(folder), bounds.watch(), _progress(quiet=options.as_json) as progress:
        found = compute(
            path,
            [Variation.parse(text) for text in vary],
            latin_hypercube=options.latin_hypercube,
            seed=options.seed,
            settings=options.overrides,
            keep=options.keep,
            out=folder,
            workers=options.workers,
            scheduler=options.scheduler,
            threads=options.threads,
            resume=options.resume or options.retry_failed,
            retry_failed=options.retry_failed,
            confined=options.confined,
            max_memory=memory_bytes("--max-memory", options.max_memory),
            progress=progress,
        )
    write_report(folder, sweep_report(found, read_text(path)))
    if options.as_json:
        print_json(finite_summary(found.summary()))
    else:
        _print(found, folder)
    if len(found.failures) == len(found.plan.points):
        raise typer.Exit(3)


def _what_to_vary(path: Path, options: SweepOptions) -> str:
    """The named parameters of a case, and how to vary one."""
    found = load_case(path, options.overrides, confined=options.confined).parameters.found
    if not found:
        return f"{path}: nothing varies; give --vary PATH=VALUES, as in --vary bodies.disc.thickness=8mm,10mm,12mm"
    listed = ", ".join(f"{name} ({parameter})" for name, parameter in found.items())
    return f"{path}: nothing varies; give --vary NAME=VALUES with one of its parameters: {listed}"


def _print(found: Sweep, folder: Path) -> None:
    screen = console()
    total, failed = len(found.plan.points), len(found.failures)
    screen.print(found.title, style="bold")
    earlier = f", {total - found.computed} of them earlier" if found.computed < total else ""
    screen.print(f"{total} cases{earlier}: {total - failed} done, {failed} failed")
    screen.print(f"{found.wall_seconds:.1f} s for {found.computed} cases in {found.runner}")
    for text in _reasons(found.failures):
        screen.print(text, style="yellow", soft_wrap=True)
    print(f"report: {folder / REPORT}")


def _reasons(failures: Sequence[FailedCase]) -> Iterator[str]:
    """A line for each reason, with the first case that has it and how many others do."""
    alike: dict[str, list[FailedCase]] = {}
    for failure in failures:
        alike.setdefault(failure.reason.splitlines()[0], []).append(failure)
    for reason, cases in islice(alike.items(), SHOWN_REASONS):
        others = len(cases) - 1
        also = f" and {others} other{'s' if others > 1 else ''}" if others else ""
        yield f"case {cases[0].index} ({', '.join(cases[0].settings)}){also}: {reason}"
    if len(alike) > SHOWN_REASONS:
        yield f"… and {len(alike) - SHOWN_REASONS} other reasons, in the report and in summary.json"


@contextmanager
def _interruptible(folder: Path) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as stopped:
        request = stopped if isinstance(stopped, StopRequest) else StopRequest("interrupted", INTERRUPTED)
        complain(f"{request.reason}; finished cases are kept in {folder}, continue with --resume")
        raise typer.Exit(request.exit_code) from None


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[int, int, int], None]]:
    """A bar while a person looks on, a line now and then in a log, nothing beside JSON."""
    if quiet:
        yield lambda done, failed, total: None  # noqa: ARG005 - nobody looks on
    elif not sys.stderr.isatty():
        yield _lines()
    else:
        from rich import progress
        from rich.console import Console

        columns = (
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeElapsedColumn(),
            progress.TimeRemainingColumn(),
        )
        with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("cases", total=None)

            def show(done: int, failed: int, total: int) -> None:
                text = f"cases, {failed} failed" if failed else "cases"
                bar.update(task, completed=done, total=total, description=text)

            yield show


def _lines() -> Callable[[int, int, int], None]:
    told = time.monotonic()

    def tell(done: int, failed: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told >= LINE_EVERY:
            told = time.monotonic()
            complain(f"{done} of {total} cases, {failed} failed")

    return tell

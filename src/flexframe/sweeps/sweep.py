"""Many cases from one file: planned, computed here or on a cluster, kept as they finish, gathered."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import flexframe
from flexframe.cases.case import Case
from flexframe.cases.document import full_path
from flexframe.cases.source import parse_yaml, read_text
from flexframe.errors import InputError
from flexframe.sweeps.cluster import LocalCluster, Scheduler, has_dask
from flexframe.sweeps.dataset import sweep_dataset
from flexframe.sweeps.evaluation import CaseSource, Outcome, Task, is_word, sample_case
from flexframe.sweeps.plan import SweepPlan, Variation, as_variations, sweep_plan
from flexframe.sweeps.processes import Processes, Runner, Serial
from flexframe.sweeps.store import SweepStore, open_store

if TYPE_CHECKING:
    import pandas
    import xarray

Progress = Callable[[int, int, int], None]
"""Told after each case: how many are done, how many of these failed, and how many there are."""

PROCESSES = "processes"
LOCAL = "local"


@dataclass(frozen=True)
class FailedCase:
    """A case without numbers: what it changed, and why it could not be computed."""

    index: int
    settings: tuple[str, ...]
    reason: str


@dataclass(frozen=True, eq=False)
class Sweep:
    """All cases of a sweep."""

    case: str
    title: str
    plan: SweepPlan
    dataset: "xarray.Dataset"
    failures: tuple[FailedCase, ...]
    case_seconds: float  # of all cases together, wherever they were computed
    wall_seconds: float  # of this call
    computed: int  # cases of this call; the others were there already
    runner: str
    folder: Path | None = None

    @property
    def kinds(self) -> dict[str, str]:
        """The analyses by name, and their kinds."""
        opening = "kind_of_"
        attrs = {str(name): str(value) for name, value in self.dataset.attrs.items()}
        return {name.removeprefix(opening): kind for name, kind in attrs.items() if name.startswith(opening)}

    def to_xarray(self) -> "xarray.Dataset":
        """Every number of every case; a dimension for each variation of a grid, or one for the cases."""
        return self.dataset

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row for each case and position in a list."""
        return self.dataset.to_dataframe()

    def plot(self, quantity: str, **selection: Any) -> Any:
        """Response curves over one variation, a surface over two, or points of a Latin hypercube.

        `selection` fixes other dimensions, as in `plot("modes.frequencies_hz", mode=0)`. Gives matplotlib's axes.
        """
        from flexframe.sweeps.responses import response_plot

        return response_plot(self, quantity, selection)

    def summary(self) -> dict[str, Any]:
        """What goes into summary.json."""
        return {
            "case": self.case,
            "title": self.title,
            "version": flexframe.__version__,
            "plan": self.plan.kind,
            "seed": self.plan.seed,
            "varied": {
                name: variation.name for name, variation in zip(self.plan.names, self.plan.variations, strict=True)
            },
            "cases": len(self.plan.points),
            "done": len(self.plan.points) - len(self.failures),
            "failed": len(self.failures),
            "failures": [
                {"case": failed.index, "settings": list(failed.settings), "reason": failed.reason}
                for failed in self.failures
            ],
            "computed_now": self.computed,
            "case_seconds": self.case_seconds,
            "wall_seconds": self.wall_seconds,
            "runner": self.runner,
            "quantities": [str(name) for name in self.dataset.data_vars if name not in ("status", "reason")],
        }


def sweep(
    case: str | Path,
    vary: Mapping[str, str | Sequence[object]] | Sequence[Variation],
    *,
    latin_hypercube: int | None = None,
    seed: int = 0,
    settings: Sequence[str] = (),
    keep: Sequence[str] = (),
    out: str | Path | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    threads: int = 1,
    resume: bool = False,
    retry_failed: bool = False,
    confined: bool = False,
    max_memory: float | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Run a case file with many values of its fields.

    `vary` maps paths of fields to values: a sequence, or a text like '5 mm:15 mm:11'. Every combination is a case,
    or with `latin_hypercube` that many points of ranges like '5 mm:15 mm'. `workers` processes share the work, or
    those of a Dask `scheduler` (an address or file; 'local' starts one, 'processes' does without Dask). Each case
    is computed with `threads` threads, so that its numbers are the same wherever it runs. Finished cases are kept
    in the folder `out` at once; `resume` continues there. `keep` are patterns of the quantities to store.
    When `confined`, cases may only name files in the folder of the case file, wherever they are computed.

    Parameters
    ----------
    case
        The case file.
    vary
        Paths of fields and their values.
    latin_hypercube, seed
        Number of points of a Latin hypercube, and the seed of its generator.
    settings
        Texts PATH=VALUE that hold in every case.
    keep
        Patterns of the quantities to store.
    out, resume, retry_failed
        Folder for finished cases; whether to continue there, and whether failed cases are tried again.
    workers, scheduler, threads
        Where the cases are computed.
    confined
        Whether cases may only name files in the folder of the case file.
    max_memory
        Bytes of the process that computes a case, above which the case fails and the next one begins.
    progress
        Called after each case.

    Returns
    -------
    Sweep
        Every number of every case as an xarray dataset, in SI units.

    Examples
    --------
    >>> element = ff.example_paths()["rectangle_element"]
    >>> found = ff.sweep(element, {"bodies.rectangle.thickness": ["2 mm", "4 mm"]})
    >>> found.computed, len(found.failures)
    (2, 0)
    """
    start = perf_counter()
    place = Path(case)
    text = read_text(place)
    root = parse_yaml(text, str(case))
    variations = [replace(varied, path=full_path(varied.path, root)) for varied in as_variations(vary)]
    plan = sweep_plan(variations, latin_hypercube=latin_hypercube, seed=seed)
    runner = choose_runner(workers, scheduler)
    if threads < 1:
        raise InputError(f"threads is {threads}; give a whole number from 1 on")
    source = CaseSource(
        text=text,
        file=str(case),
        folder=str(place.resolve().parent),
        settings=tuple(settings),
        paths=tuple(variation.path for variation in plan.variations),
        threads=threads,
        keep=tuple(keep),
        confined=confined,
        max_memory=max_memory,
    )
    sample = sample_case(source, plan.points)
    with ExitStack() as held:
        folder = (
            Path(out) if out is not None else Path(held.enter_context(tempfile.TemporaryDirectory())) / "sweep"
        )
        store = held.enter_context(open_store(folder, plan, source, sample, resume=resume))
        computed = _compute(plan, source, runner, store, retry_failed=retry_failed, progress=progress)
        found = _gather(plan, sample, store, computed=computed, runner=runner.name, start=start)
        store.write(dataset=found.dataset, summary=found.summary())
    return found if out is not None else replace(found, folder=None)


def choose_runner(workers: int | None, scheduler: str | None) -> Runner:
    """One process unless asked for more; then Dask where it is installed, else plain processes."""
    if workers is not None and workers < 1:
        raise InputError(f"--workers {workers}: give a whole number from 1 on")
    if scheduler is None:
        if workers is None or workers == 1:
            return Serial()
        return LocalCluster(workers) if has_dask() else Processes(workers)
    if scheduler == PROCESSES:
        return Processes(workers or 1)
    if scheduler == LOCAL:
        return LocalCluster(workers or 1)
    if workers is not None:
        raise InputError("--workers: the scheduler has its own workers; leave one of the two out")
    return Scheduler(scheduler)


def _compute(
    plan: SweepPlan,
    source: CaseSource,
    runner: Runner,
    store: SweepStore,
    *,
    retry_failed: bool,
    progress: Progress | None,
) -> int:
    """Compute what is missing; how many cases that were."""
    known: dict[int, bool] = {outcome.index: outcome.status == "failed" for outcome in store.outcomes()}
    if retry_failed:
        known = {index: failed for index, failed in known.items() if not failed}
    total, failed, done = len(plan.points), sum(known.values()), len(known)
    tell = progress or (lambda done, failed, total: None)  # noqa: ARG005 - nobody looks on
    tell(done, failed, total)
    todo = (Task(index, values) for index, values in enumerate(plan.points) if index not in known)
    computed = 0
    if done < total:
        for outcome in runner.outcomes(source, todo):
            if not computed:
                _require_kept(source, outcome)
            store.journal.add(outcome)
            computed += 1
            failed += outcome.status == "failed"
            tell(done + computed, failed, total)
    return computed


def _require_kept(source: CaseSource, first: Outcome) -> None:
    """Stop a sweep that would store nothing."""
    if source.keep and first.status == "done" and all(map(is_word, first.quantities)):
        raise InputError(
            f"--keep {', '.join(source.keep)}: no number of case {first.index} is called so; "
            "use names like ANALYSIS.frequencies_hz or patterns like '*.frequencies_hz'"
        )


def _gather(
    plan: SweepPlan, sample: Case, store: SweepStore, *, computed: int, runner: str, start: float
) -> Sweep:
    """Everything that the store holds."""
    latest: dict[int, Outcome | float] = {}
    for outcome in store.outcomes():
        latest[outcome.index] = outcome if outcome.status == "failed" else outcome.seconds
    failures = tuple(
        FailedCase(index, tuple(map(str, plan.overrides(plan.points[index]))), outcome.reason)
        for index, outcome in sorted(latest.items())
        if isinstance(outcome, Outcome)
    )
    spent = sum(found.seconds if isinstance(found, Outcome) else found for found in latest.values())
    units = [sample.parameters.unit_at(variation.path) for variation in plan.variations]

    def read() -> Iterator[Outcome]:
        return store.outcomes()

    attrs = {"case": sample.name, "title": sample.title, "version": flexframe.__version__, "plan": plan.kind}
    return Sweep(
        case=sample.name,
        title=sample.title,
        plan=plan,
        dataset=sweep_dataset(plan, read, attrs, units),
        failures=failures,
        case_seconds=spent,
        wall_seconds=perf_counter() - start,
        computed=computed,
        runner=runner,
        folder=store.folder,
    )

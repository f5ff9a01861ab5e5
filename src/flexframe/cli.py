"""The command line: parse, call, print. Heavy modules are imported by the command that needs them."""

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from flexframe import __version__
from flexframe.commands.console import report_errors
from flexframe.errors import InputError
from flexframe.formalisms.registry import NAMES
from flexframe.library_warnings import keep_from_terminal

app = typer.Typer(
    name="flexframe",
    help="Finite-element elastodynamics of flexible multibody systems.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

CaseFile = Annotated[Path, typer.Argument(metavar="CASE.yaml", help="The case file.")]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="Change one field, as in bodies.disc.thickness=12mm."),
]
Confined = Annotated[bool, typer.Option("--confined", help="Open no file outside the folder of the case.")]
MaxTime = Annotated[
    str | None,
    typer.Option("--max-time", metavar="TIME", help="End with what there is after this time, as in 60s or 2h."),
]
PartUnits = Annotated[
    str | None,
    typer.Option("--units", metavar="UNITS", help="What the files are in, as in 'mm, N, s, tonne' [default: SI]."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def _example_names(incomplete: str) -> list[str]:
    """For the shell: examples whose names begin like this."""
    from flexframe.cases.examples import example_paths

    return [name for name in example_paths() if name.startswith(incomplete)]


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"flexframe {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def run(  # noqa: PLR0917 - typer passes options by name
    case: CaseFile,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder for the results [default: CASE-results]."),
    ] = None,
    overrides: Overrides = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with motions that an interrupted run left unfinished.")
    ] = False,
    confined: Confined = False,
    max_time: MaxTime = None,
    max_memory: Annotated[
        str | None,
        typer.Option("--max-memory", metavar="SIZE", help="End with what there is above this memory, as in 2GB."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", help="Processes for bodies in substructures (Dask).")
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="The same by a Dask scheduler: its address or file."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run every analysis of a case; write summary.json, results.nc and report.html."""
    with report_errors():
        from flexframe.commands.run import RunOptions
        from flexframe.commands.run import run as execute

        options = RunOptions(
            overrides=overrides or (),
            resume=resume,
            confined=confined,
            max_time=max_time,
            max_memory=max_memory,
            workers=workers,
            scheduler=scheduler,
            as_json=as_json,
        )
        execute(case, out, options)


@app.command()
def export(  # noqa: PLR0917 - typer passes options by name
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that run wrote.")],
    to: Annotated[
        str, typer.Option("--to", help="vtk (ParaView), csv, mat (MATLAB: linear models) or simscape")
    ] = "vtk",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder for the files [default: DIR-vtk, DIR-csv, …]."),
    ] = None,
    analyses: Annotated[
        list[str] | None, typer.Option("--analysis", metavar="NAME", help="Only this analysis; may be repeated.")
    ] = None,
    confined: Annotated[bool, typer.Option("--confined", help="Open no file outside DIR.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write stored results for other programs: ParaView files, CSV tables, MATLAB files of linear models."""
    with report_errors():
        from flexframe.commands.export import export as execute

        execute(directory, to, out, analyses or (), as_json, confined=confined)


@app.command()
def fmu(  # noqa: PLR0917 - typer passes options by name
    case: CaseFile,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The unit [default: CASE.fmu].")
    ] = None,
    fmi: Annotated[int, typer.Option("--fmi", help="Version of the interface: 2 or 3.")] = 2,
    interface: Annotated[
        str, typer.Option("--interface", help="What simulators do with it: co_simulation, model_exchange or both.")
    ] = "co_simulation",
    analysis: Annotated[
        str,
        typer.Option("--analysis", metavar="NAME", help="Transient whose step, sensors and damping are taken."),
    ] = "",
    step: Annotated[str, typer.Option("--step", metavar="TIME", help="Longest internal step, as in '1 ms'.")] = "",
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            metavar="NAME",
            help="Input, or parameter of formulas, that becomes a tunable parameter; may be repeated.",
        ),
    ] = None,
    overrides: Overrides = None,
    confined: Confined = False,
    as_json: AsJson = False,
) -> None:
    """Write the system of a case as a unit (FMI), which other simulators step or integrate."""
    with report_errors():
        from flexframe.commands.fmu import UnitOptions
        from flexframe.commands.fmu import fmu as execute

        given = (fmi, interface, analysis, step, parameters or (), overrides or (), confined, as_json)
        execute(case, out, UnitOptions(*given))


@app.command()
def check(
    case: CaseFile, overrides: Overrides = None, confined: Confined = False, as_json: AsJson = False
) -> None:
    """Validate a case without running it."""
    with report_errors():
        from flexframe.commands.check import check as execute

        execute(case, overrides or (), as_json, confined=confined)


@app.command()
def describe(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="A file, or several of one part: mesh, matrices, modes."),
    ],
    units: PartUnits = None,
    as_json: AsJson = False,
) -> None:
    """Say what files of other programs hold: mass, inertia, sets, units, and what can be used."""
    with report_errors():
        from flexframe.commands.parts import describe as execute

        execute(files, units, as_json)


@app.command()
def convert(
    files: Annotated[
        list[Path], typer.Argument(metavar="IN... OUT", help="Files to read, and the file to write.")
    ],
    units: PartUnits = None,
    to_units: Annotated[
        str | None, typer.Option("--to-units", metavar="UNITS", help="What OUT is to be in [default: as IN].")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a part from files of one program as a file of another; the ending of OUT says the format."""
    with report_errors():
        from flexframe.commands.parts import convert as execute

        execute(files, units, to_units, as_json)


@app.command()
def crosscheck(case: CaseFile, overrides: Overrides = None, as_json: AsJson = False) -> None:
    """Form the equations of a case by every formalism and compare them."""
    with report_errors():
        from flexframe.commands.crosscheck import crosscheck as execute

        execute(case, overrides or (), as_json)


@app.command()
def examples(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Show this example.", autocompletion=_example_names)
    ] = None,
    copy_to: Annotated[
        Path | None, typer.Option("--copy", metavar="DIR", help="Copy it into this folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the cases that come with flexframe, show one, or copy one."""
    with report_errors():
        from flexframe.commands.examples import examples as execute

        execute(name, copy_to, as_json)


@app.command()
def studio(
    case: Annotated[
        Path | None, typer.Argument(metavar="CASE.yaml", help="Open this case.", show_default=False)
    ] = None,
    workspace: Annotated[
        Path | None,
        typer.Option("--workspace", metavar="DIR", help="Folder of cases [default: that of CASE, or this]."),
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, help="Port [default: a free one from 8517 on].")
    ] = None,
    at_once: Annotated[int, typer.Option("--jobs", min=1, max=64, help="Runs at once; others queue.")] = 1,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
) -> None:
    """Edit, run and look at cases in the browser; for this machine only."""
    with report_errors(serves=True):
        from flexframe.commands.studio import studio as execute

        execute(case, workspace, port, at_once=at_once, open_browser=open_browser)


@app.command()
def sweep(  # noqa: PLR0917 - typer passes options by name
    case: CaseFile,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="NAME=VALUES",
            help="Values of a parameter or field: A:B:N, A:B:N:log, a list VALUE,VALUE, or a range A:B to draw "
            "from. Without it the named parameters are listed.",
        ),
    ] = None,
    latin_hypercube: Annotated[
        int | None,
        typer.Option("--latin-hypercube", metavar="N", help="N points of the ranges, not all combinations."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the Latin hypercube.")] = 0,
    overrides: Overrides = None,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="PATTERN", help="Store only these, as in '*.frequencies_hz'."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder for the sweep [default: CASE-sweep]."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", help="Compute in N processes, by Dask where it is installed."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="A Dask scheduler: its address or file; 'local' or 'processes' with --workers.",
        ),
    ] = None,
    threads: Annotated[int, typer.Option("--threads", metavar="N", help="Threads of each case.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the sweep in the folder.")] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Continue, and compute failed cases once more.")
    ] = False,
    confined: Confined = False,
    max_time: MaxTime = None,
    max_memory: Annotated[
        str | None,
        typer.Option("--max-memory", metavar="SIZE", help="Give up a case whose process has more, as in 2GB."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run a case with many values of its fields; write one dataset and a report."""
    with report_errors():
        from flexframe.commands.sweep import SweepOptions
        from flexframe.commands.sweep import sweep as execute

        options = SweepOptions(
            latin_hypercube=latin_hypercube,
            seed=seed,
            overrides=overrides or (),
            keep=keep or (),
            out=out,
            workers=workers,
            scheduler=scheduler,
            threads=threads,
            resume=resume,
            retry_failed=retry_failed,
            confined=confined,
            max_time=max_time,
            max_memory=max_memory,
            as_json=as_json,
        )
        execute(case, vary or [], options)


@app.command()
def schema() -> None:
    """Print the JSON schema of case files."""
    with report_errors():
        from flexframe.commands.check import schema as execute

        execute()


@app.command()
def verify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="References to compute [default: all].")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare computed values with exact and published references."""
    with report_errors():
        from flexframe.commands.verify import verify as execute

        execute(names or (), as_json)


@app.command()
def derive(  # noqa: PLR0917 - typer passes options by name
    element: Annotated[str, typer.Option("--element", help="bar, planar_beam, exact_beam, triangle, …")],
    motion: Annotated[str, typer.Option("--motion", help="planar or spatial")] = "planar",
    formalism: Annotated[
        str,
        typer.Option("--formalism", help=f"{', '.join(NAMES[:-1])} or {NAMES[-1]}"),
    ] = "lagrange",
    to: Annotated[str, typer.Option("--to", help="latex, python or c")] = "latex",
    plane_state: Annotated[str, typer.Option("--plane", help="stress or strain, of plane elements")] = "stress",
    prestress: Annotated[bool, typer.Option("--prestress", help="With geometric stiffness.")] = False,
    document: Annotated[bool, typer.Option("--document", help="LaTeX as a complete file.")] = False,
    counts: Annotated[bool, typer.Option("--counts", help="How much work each formalism is, instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --counts: print as JSON.")] = False,
) -> None:
    """Derive the equations of motion of one element in a moving frame."""
    with report_errors():
        from flexframe.commands.derive import counts as count
        from flexframe.commands.derive import derive as execute

        if counts:
            count(element, motion, plane_state=plane_state, as_json=as_json)
            return
        execute(element, motion, formalism, to, plane_state=plane_state, prestress=prestress, document=document)


def main() -> None:
    """Entry point of the `flexframe` command."""
    keep_from_terminal()
    if os.environ.get("FLEXFRAME_SOLVER", "").lower() == "petsc":
        from flexframe.maths.petsc import team

        with suppress(InputError):  # without PETSc the command itself says so where it needs it
            team()  # where mpiexec started several processes, all but the first one stay here
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a poor terminal must not end a run
    app()

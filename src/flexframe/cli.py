"""The command line: parse, call, print. Heavy modules are imported by the command that needs them."""

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from flexframe import __version__
from flexframe.commands.console import reported

app = typer.Typer(
    name="flexframe",
    help="Finite-element elastodynamics of flexible multibody systems.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

CaseFile = Annotated[Path, typer.Argument(metavar="CASE.yaml", help="The case file.")]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="Change one field, as in bodies.disc.thickness=12mm."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


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
def run(
    case: CaseFile,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder for the results [default: CASE-results]."),
    ] = None,
    overrides: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Run every analysis of a case; write summary.json, results.nc and report.html."""
    with reported():
        from flexframe.commands.run import run as execute

        execute(case, out, overrides or (), as_json)


@app.command()
def check(case: CaseFile, overrides: Overrides = None, as_json: AsJson = False) -> None:
    """Validate a case without running it."""
    with reported():
        from flexframe.commands.check import check as execute

        execute(case, overrides or (), as_json)


@app.command()
def crosscheck(case: CaseFile, overrides: Overrides = None, as_json: AsJson = False) -> None:
    """Form the equations of a case by all six formalisms and compare them."""
    with reported():
        from flexframe.commands.crosscheck import crosscheck as execute

        execute(case, overrides or (), as_json)


@app.command()
def examples(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Show this example.")] = None,
    copy_to: Annotated[
        Path | None, typer.Option("--copy", metavar="DIR", help="Copy it into this folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the cases that come with flexframe, show one, or copy one."""
    with reported():
        from flexframe.commands.examples import examples as execute

        execute(name, copy_to, as_json)


@app.command()
def schema() -> None:
    """Print the JSON schema of case files."""
    with reported():
        from flexframe.commands.schema import schema as execute

        execute()


@app.command()
def verify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="References to compute [default: all].")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare computed values with exact and published references."""
    with reported():
        from flexframe.commands.verify import verify as execute

        execute(names or (), as_json)


@app.command()
def derive(  # noqa: PLR0917 - typer passes options by name
    element: Annotated[str, typer.Option("--element", help="bar, planar_beam, triangle, rectangle, …")],
    motion: Annotated[str, typer.Option("--motion", help="planar or spatial")] = "planar",
    formalism: Annotated[
        str,
        typer.Option("--formalism", help="lagrange, gibbs_appell, hamilton, maggi, kane or whittaker"),
    ] = "lagrange",
    to: Annotated[str, typer.Option("--to", help="latex, python or c")] = "latex",
    plane_state: Annotated[str, typer.Option("--plane", help="stress or strain, of plane elements")] = "stress",
    prestress: Annotated[bool, typer.Option("--prestress", help="With geometric stiffness.")] = False,
    document: Annotated[bool, typer.Option("--document", help="LaTeX as a complete file.")] = False,
    counts: Annotated[bool, typer.Option("--counts", help="How much work each formalism is, instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --counts: print as JSON.")] = False,
) -> None:
    """Derive the equations of motion of one element in a moving frame."""
    with reported():
        from flexframe.commands.derive import counts as count
        from flexframe.commands.derive import derive as execute

        if counts:
            count(element, motion, plane_state=plane_state, as_json=as_json)
            return
        execute(element, motion, formalism, to, plane_state=plane_state, prestress=prestress, document=document)


def main() -> None:
    """Entry point of the `flexframe` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a poor terminal must not end a run
    app()

"""flexframe derive: the equations of one element as formulas or code."""

from dataclasses import asdict

from flexframe.commands.console import console, print_json
from flexframe.errors import InputError
from flexframe.formalisms.registry import canonical
from flexframe.symbolic import derive as derived
from flexframe.symbolic import operation_counts, published_counts, to_c, to_latex, to_python
from flexframe.symbolic.counts import PUBLISHED_ELEMENTS
from flexframe.symbolic.names import EXACT_BEAM, check_name


def derive(
    element: str, motion: str, formalism: str, to: str, *, plane_state: str, prestress: bool, document: bool
) -> None:
    """Print the equations of motion of an element in a moving frame."""
    language = check_name(to, ("latex", "python", "c"), "output")
    if canonical(element) == EXACT_BEAM:
        _derive_exact_beam(motion, formalism, language, document=document)
        return
    derivation = derived(element, motion, formalism, plane_state=plane_state, prestress=prestress)
    if language == "latex":
        text = to_latex(derivation, document=document)
    else:
        text = to_python(derivation) if language == "python" else to_c(derivation)
    print(text, end="")


def _derive_exact_beam(motion: str, formalism: str, language: str, *, document: bool) -> None:
    """The planar exact beam, whose equations are not linear and which needs no frame."""
    from flexframe.symbolic.exact_beam import derive_exact_beam

    if motion != "planar":
        raise InputError(f"the symbols of {EXACT_BEAM} in space do not fit on a page; take motion planar")
    if language == "c":
        raise InputError(f"{EXACT_BEAM} is written as latex or python; take one of them")
    made = derive_exact_beam(formalism)
    print(made.latex(document=document) if language == "latex" else made.python(), end="")


def counts(element: str, motion: str, *, plane_state: str, as_json: bool) -> None:
    """Print what each formalism forms for the element, and the published counts by the published rule."""
    honest = operation_counts(element, motion, plane_state=plane_state)
    published = [published_counts(number) for number in PUBLISHED_ELEMENTS]
    if as_json:
        print_json({"honest": [asdict(row) for row in honest], "published": [asdict(row) for row in published]})
        return
    from rich.table import Table

    table = Table("formalism", title=f"{element}, {motion} motion: operations of each route")
    for heading in ("additions", "multiplications", "differentiations"):
        table.add_column(heading, justify="right")
    for row in honest:
        done = row.operations
        table.add_row(row.formalism, str(done.additions), str(done.multiplications), str(done.differentiations))
    console().print(table)
    table = Table("elements", title="Differentiations by the rule of paper 004, Table 1 (not like for like)")
    for heading in ("Lagrange", "Gibbs–Appell", "Kane"):
        table.add_column(heading, justify="right")
    for entry in published:
        table.add_row(str(entry.elements), str(entry.lagrange), str(entry.gibbs_appell), str(entry.kane))
    console().print(table)
